package import PushJSON
package import PushModel

struct JournalLines {
    /// Those before `start` are gone.
    private var lines: [JournalEntry] = []
    private var start = 0
    /// How many there are at most.
    private let limit: Int
    private(set) var nextPlace: UInt64 = 1
    /// True if lines were dropped because there were too many.
    private(set) var hasLostLines = false

    init(limit: Int) { self.limit = max(limit, 1) }

    /// All that are kept, oldest first.
    var all: ArraySlice<JournalEntry> { lines[start...] }

    /// The place of the oldest line; that of the next one if there is none.
    var firstPlace: UInt64 { nextPlace - UInt64(lines.count - start) }

    mutating func append(_ entry: JournalEntry) {
        lines.append(entry)
        nextPlace += 1
        guard lines.count - start > limit else { return }
        hasLostLines = true
        // Frees its texts before the array does.
        lines[start] = JournalEntry(seq: 0, at: 0, device: "", app: "", kind: .delivered, identifier: "")
        start += 1
        if start > 1024, start > lines.count / 2 {
            lines.removeFirst(start)
            start = 0
        }
    }

    /// Forgets all lines. Places go on.
    mutating func removeAll() {
        lines = []
        start = 0
        hasLostLines = false
    }

    /// O(lines that are looked at).
    func lines(_ query: JournalQuery) -> [PlacedEntry] {
        let all = all
        let first = firstPlace
        func line(_ index: Int) -> PlacedEntry {
            PlacedEntry(place: first + UInt64(index - all.startIndex), entry: all[index])
        }
        /// The index of the first line that is not before a place.
        func index(of place: UInt64) -> Int {
            place <= first ? all.startIndex : all.startIndex + Int(min(place - first, UInt64(all.count)))
        }
        let end = query.before.map(index) ?? all.endIndex
        var found: [PlacedEntry] = []
        if let after = query.after {
            let begin = after == .max ? all.endIndex : index(of: after + 1)
            for index in begin..<max(end, begin) where query.matches(all[index]) {
                guard found.count < query.limit else { break }
                found.append(line(index))
            }
            return found
        }
        for index in all[..<end].indices.reversed() where query.matches(all[index]) {
            guard found.count < query.limit else { break }
            found.append(line(index))
        }
        return found.reversed()
    }
}

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

    /// The notifications on the screens, by the place of the line with which each appeared.
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

/// Collects the changes that deliveries make to the screens, for tracing messages. The journal is kept as it is without
/// it.
package final class DeliveryLog {
    /// The entries in the order in which they happened.
    package private(set) var entries: [JournalEntry] = []

    package init() {}

    package func record(
        _ event: JournalKind, seq: UInt64, at: Int64, _ message: DecodedMessage, identifier: BorrowedText
    ) {
        entries.append(JournalEntry(event, seq: seq, at: at, message, identifier: identifier))
    }

    package func take() -> [JournalEntry] {
        defer { entries.removeAll() }
        return entries
    }
}
