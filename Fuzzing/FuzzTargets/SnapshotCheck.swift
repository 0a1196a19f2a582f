import PushSnapshots

/// Whatever an approved file has become, what is different can be said: nothing about equal texts, and something about
/// others that differ in more than blank lines.
enum SnapshotCheck {
    /// The two texts are apart by this byte.
    private static let separator: UInt8 = 0

    @Sendable static func make() -> FuzzTarget.Check {
        { bytes in
            let parts = bytes.split(separator: separator, maxSplits: 1, omittingEmptySubsequences: false)
            let old = parts.first.map { Array($0) } ?? []
            let new = parts.count > 1 ? Array(parts[1]) : old.reversed()
            if !SnapshotDifference(from: old, to: old).changes.isEmpty { return "a text differs from itself" }
            for (before, after) in [(old, new), (new, old)] {
                let changes = SnapshotDifference(from: before, to: after).changes
                if changes.contains(where: { $0.before == nil && $0.after == nil }) { return "a change of nothing" }
                if changes.isEmpty, lines(before) != lines(after) { return "nothing is said about other lines" }
            }
            return nil
        }
    }

    /// The lines that are not empty.
    private static func lines(_ text: [UInt8]) -> [ArraySlice<UInt8>] { text.split(separator: UInt8(ascii: "\n")) }
}
