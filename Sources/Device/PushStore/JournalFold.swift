import PushModel

/// Which notifications were on screens after some journal lines: the lines say what appeared and what left, and not what it said.
package struct JournalFold: Sendable {
    /// A notification on a screen.
    package struct Shown: Sendable, Equatable {
        /// The line with which it appeared.
        package var line: PlacedEntry
        /// True if it took the place of another, which disappeared with the same line.
        package var hasReplaced: Bool
    }

    private struct Key: Hashable {
        var device: String
        var app: String
        var identifier: String
    }

    /// By the place of the line with which it appeared.
    private var shown: [UInt64: Shown] = [:]
    private var places: [Key: UInt64] = [:]

    package init() {}

    package mutating func take(_ line: PlacedEntry) {
        let entry = line.entry
        let key = Key(device: entry.device, app: entry.app, identifier: entry.identifier)
        switch entry.kind {
        case .delivered, .replaced:
            let old = places.updateValue(line.place, forKey: key)
            if let old { shown[old] = nil }
            shown[line.place] = Shown(line: line, hasReplaced: entry.kind == .replaced)
        case .removed, .cleared, .withdrawn, .tapped, .dismissed:
            if let old = places.removeValue(forKey: key) { shown[old] = nil }
        default: break
        }
    }

    /// The notifications on the screens, newest first.
    package var screen: [Shown] { shown.values.sorted { $0.line.place > $1.line.place } }
}
