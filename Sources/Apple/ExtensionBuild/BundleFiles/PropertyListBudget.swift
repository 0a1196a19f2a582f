import FoundationEssentials
import Synchronization

/// Limits the values of a property list to the number of bytes in its file.
///
/// A binary list refers to values by number, so an array can contain itself, or be in two arrays that are each in two others. No writer makes
/// such lists, and expanding them never ends, or takes exponential time. In any other list each value takes at least one byte.
final class PropertyListBudget: Sendable {
    private static let key = CodingUserInfoKey(rawValue: "org.pushpipe.values")
    private let left: Atomic<Int>

    private init(_ count: Int) { left = Atomic(count) }

    static func give(_ count: Int, to decoder: PropertyListDecoder) {
        if let key { decoder.userInfo[key] = PropertyListBudget(count) }
    }

    /// - Throws: when the limit is exceeded.
    static func takeValue(from decoder: any Decoder) throws {
        guard let key, let budget = decoder.userInfo[key] as? PropertyListBudget else { return }
        guard budget.left.subtract(1, ordering: .relaxed).newValue >= 0 else {
            throw ExtensionBuildError("more values than bytes")
        }
    }
}
