import FoundationEssentials
import Synchronization

/// How many values a property list may have: as many as its file has bytes.
///
/// A binary list names its values by number, so an array can be in itself, or in two others that are in two others. No writer makes such
/// lists, and read as a tree they have no end, or one that nobody lives to see. In any other list each value takes a byte at least.
final class PropertyListBudget: Sendable {
    private static let key = CodingUserInfoKey(rawValue: "org.pushpipe.values")
    private let left: Atomic<Int>

    private init(_ count: Int) { left = Atomic(count) }

    static func give(_ count: Int, to decoder: PropertyListDecoder) {
        if let key { decoder.userInfo[key] = PropertyListBudget(count) }
    }

    /// - Throws: when there are more values than were given.
    static func takeValue(from decoder: any Decoder) throws {
        guard let key, let budget = decoder.userInfo[key] as? PropertyListBudget else { return }
        guard budget.left.subtract(1, ordering: .relaxed).newValue >= 0 else {
            throw ExtensionBuildError("more values than bytes")
        }
    }
}
