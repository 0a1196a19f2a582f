import PushModel
package import PushStore

/// A journal by notification: when each was on the screen, and where it was taken away and posted again.
package struct Timeline: Sendable {
    /// The most instants in a picture; the newest are drawn.
    static let mostColumns = 40
    static let mostLanes = 30

    /// A moment at which something happened. Two entries at the same time are two columns if one follows from the other.
    struct Column: Sendable, Equatable {
        /// Milliseconds since the epoch.
        var time: Int64
        var seq: UInt64
    }

    /// The time during which a notification was on the screen.
    struct Stay: Sendable, Equatable {
        var identifier: String
        /// The column of its first entry; nil if it was there before.
        var start: Int?
        /// The column in which it went; nil if it is still there.
        var end: Int?
        /// How it went.
        var ending: JournalKind?
        /// Columns in which its content was replaced in place.
        var changes: [Int] = []
    }

    /// Something else that was journaled.
    struct Mark: Sendable, Equatable {
        var column: Int
        /// The name of its kind; for the number on an icon, with the number.
        var name: String

        init(_ entry: JournalEntry, in column: Int) {
            self.column = column
            name = entry.kind == .badgeSet ? "\(entry.kind.name) \(entry.identifier)" : "\(entry.kind.name)"
        }
    }

    /// A row: a notification, and those that were posted in its place.
    struct Lane: Sendable, Equatable {
        var device: String
        var app: String
        var stays: [Stay] = []
        /// What else was journaled about it.
        var marks: [Mark] = []

        /// The gaps between two stays: where the notification was gone until the next one appeared.
        var gaps: [(from: Int, to: Int)] {
            zip(stays, stays.dropFirst()).compactMap { left, right in
                left.end.flatMap { end in right.start.map { (end, $0) } }
            }
        }
    }

    /// The rows of notifications, without those of what else happened to an app.
    var countOfNotifications: Int { lanes.count { !$0.stays.isEmpty } }

    private(set) var columns: [Column] = []
    private(set) var lanes: [Lane] = []
    /// Entries that are older than the first column.
    private(set) var entriesLeftOut = 0
    /// Rows beyond `mostLanes`.
    private(set) var lanesLeftOut = 0

    /// Reads the journal and keeps its newest entries.
    package init(_ store: any NotificationStore, device: String? = nil) throws {
        var newest: [JournalEntry] = []
        var count = 0
        // Each column has an entry at least.
        try store.forEachEvent(device: device) { entry in
            count += 1
            newest.append(entry)
            if newest.count >= 8 * Self.mostColumns { newest.removeFirst(newest.count - 4 * Self.mostColumns) }
        }
        self.init(newest, before: count - newest.count)
    }

    /// - Parameters:
    ///   - entries: of a journal, oldest first.
    ///   - before: how many there were before them.
    init(_ entries: [JournalEntry], before: Int = 0) {
        var entries = entries[...]
        repeat {
            columns = []
            lanes = []
            for entry in entries { add(entry) }
            if columns.count > Self.mostColumns {
                // The entries of the surplus columns, one each at least, are dropped, and the rest is read again.
                entries = entries.dropFirst(columns.count - Self.mostColumns)
            }
        } while columns.count > Self.mostColumns
        entriesLeftOut = before + entries.startIndex
        lanesLeftOut = max(lanes.count - Self.mostLanes, 0)
        lanes = Array(lanes.suffix(Self.mostLanes))
        if lanesLeftOut > 0 { dropUnusedColumns() }
    }

    /// Leaves out the instants at which nothing happened in the rows that are left.
    private mutating func dropUnusedColumns() {
        let used = columns.indices.filter { column in lanes.indices.contains { uses($0, column) } }
        let numbers = Dictionary(uniqueKeysWithValues: used.enumerated().map { ($1, $0) })
        columns = used.map { columns[$0] }
        for lane in lanes.indices {
            lanes[lane].marks = lanes[lane].marks.compactMap { mark in
                var mark = mark
                guard let column = numbers[mark.column] else { return nil }
                mark.column = column
                return mark
            }
            for stay in lanes[lane].stays.indices {
                let before = lanes[lane].stays[stay]
                lanes[lane].stays[stay].start = before.start.flatMap { numbers[$0] }
                lanes[lane].stays[stay].end = before.end.flatMap { numbers[$0] }
                lanes[lane].stays[stay].changes = before.changes.compactMap { numbers[$0] }
            }
        }
    }

    // MARK: - Reading

    private mutating func add(_ entry: JournalEntry) {
        let known = lanes.lastIndex { lane in
            lane.device == entry.device && lane.app == entry.app
                && lane.stays.contains { $0.identifier == entry.identifier && $0.end == nil }
        }
        switch entry.kind {
        // What became of it is in the next entry.
        case .posted: break
        case .delivered, .started:
            let lane = known ?? continued(entry) ?? newLane(entry)
            let column = column(entry, in: lane)
            lanes[lane].stays.append(Stay(identifier: entry.identifier, start: column))
        case .replaced, .updated:
            let lane = known ?? newLane(entry, isOlder: true)
            let column = column(entry, in: lane)
            lanes[lane].stays[lanes[lane].stays.count - 1].changes.append(column)
        case .removed, .cleared, .withdrawn, .dismissed, .ended, .tapped:
            let lane = known ?? newLane(entry, isOlder: true)
            let column = column(entry, in: lane)
            guard let stay = lanes[lane].stays.lastIndex(where: { $0.identifier == entry.identifier }) else { return }
            lanes[lane].stays[stay].end = column
            lanes[lane].stays[stay].ending = entry.kind
        default:
            let other = lanes.lastIndex {
                $0.device == entry.device && $0.app == entry.app && $0.stays.isEmpty
            }
            let lane = known ?? other ?? newLane(entry)
            let column = column(entry, in: lane)
            lanes[lane].marks.append(Mark(entry, in: column))
        }
    }

    /// The row of a notification that the same record has removed: the new one takes its place.
    private func continued(_ entry: JournalEntry) -> Int? {
        lanes.lastIndex { lane in
            guard lane.device == entry.device, lane.app == entry.app, let last = lane.stays.last, let end = last.end
            else { return false }
            return last.ending == .removed && columns[end].seq == entry.seq
        }
    }

    private mutating func newLane(_ entry: JournalEntry, isOlder: Bool = false) -> Int {
        lanes.append(Lane(device: entry.device, app: entry.app))
        if isOlder { lanes[lanes.count - 1].stays.append(Stay(identifier: entry.identifier)) }
        return lanes.count - 1
    }

    /// The column of an entry: the last one, unless it has another time or the row has something in it.
    private mutating func column(_ entry: JournalEntry, in lane: Int) -> Int {
        let column = Column(time: entry.at, seq: entry.seq)
        if let last = columns.last, last.time == column.time, !uses(lane, columns.count - 1) {
            return columns.count - 1
        }
        columns.append(column)
        return columns.count - 1
    }

    private func uses(_ lane: Int, _ column: Int) -> Bool {
        lanes[lane].marks.contains { $0.column == column }
            || lanes[lane].stays.contains { $0.start == column || $0.end == column || $0.changes.contains(column) }
    }
}
