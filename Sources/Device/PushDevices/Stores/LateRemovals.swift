import HeapModule

/// Removals that service extensions have asked for and that are not due yet. A removal takes effect at its own time by the
/// clock of the run: before the first record whose time is not earlier.
///
/// In a file they are rows of the table `removal`, written with the deliveries of their transaction; in memory they last as
/// long as their store. O(log n) for each removal that is added or becomes due.
package final class LateRemovals {
    /// The removal of one notification, or of all of an app.
    package struct Removal: Sendable, Equatable {
        /// Number of the record whose extension asked for it.
        package var seq: UInt64
        /// When it takes effect, in milliseconds since the epoch.
        package var due: Int64
        package var device: String
        package var app: String
        /// Nil for all notifications of the app.
        package var identifier: String?

        package init(seq: UInt64, due: Int64, device: String, app: String, identifier: String?) {
            self.seq = seq
            self.due = due
            self.device = device
            self.app = app
            self.identifier = identifier
        }
    }

    /// A removal with the id of its row, by which those with the same time are ordered.
    package struct Waiting: Comparable {
        package var removal: Removal
        package var row: Int64

        package static func == (left: Self, right: Self) -> Bool { left.row == right.row }

        package static func < (left: Self, right: Self) -> Bool {
            (left.removal.due, left.row) < (right.removal.due, right.row)
        }
    }

    private var heap = Heap<Waiting>()
    private var lastRow: Int64 = 0
    /// The greatest id of a row that has been written.
    private var lastWritten: Int64 = 0
    /// Rows to insert and to delete; kept for a file only.
    private var added: [Waiting] = []
    private var finished: [Int64] = []
    private let isStored: Bool
    /// The place of what causes the next removals, in the store of a part; 0 in any other.
    package var place: Int64 = 0

    /// - Parameter isStored: true to collect changes for `write`.
    package init(isStored: Bool) { self.isStored = isStored }

    /// None, in memory.
    package convenience init() { self.init(isStored: false) }

    /// How many are pending.
    package var count: Int { heap.count }

    /// True if there is nothing to wait for.
    package var isEmpty: Bool { heap.isEmpty }

    /// When the next one takes effect; `Int64.max` if there is none.
    package var due: Int64 { heap.min?.removal.due ?? .max }

    package func add(_ removal: Removal) {
        lastRow = max(lastRow &+ 1, place)
        let waiting = Waiting(removal: removal, row: lastRow)
        heap.insert(waiting)
        if isStored { added.append(waiting) }
    }

    /// Takes those that are due at a time: by the record that asked for them, device and app, which is also the order of the
    /// parts of a divided input.
    package func takeDue(at time: Int64) -> [Removal] {
        var due: [Waiting] = []
        while let next = heap.min, next.removal.due <= time {
            due.append(next)
            heap.removeMin()
            if isStored { finished.append(next.row) }
        }
        due.sort { left, right in
            (left.removal.seq, left.removal.device, left.removal.app, left.row)
                < (right.removal.seq, right.removal.device, right.removal.app, right.row)
        }
        return due.map(\.removal)
    }

    /// Drops all of them, as nothing is on the screens any more.
    package func removeAll() {
        heap = Heap()
        added = []
        finished = []
        lastRow = 0
        lastWritten = 0
        place = 0
    }

    // MARK: - Rows

    /// Adds the removal of a row. Rows come in the order of their ids.
    package func restore(_ removal: Removal, row: Int64) {
        heap.insert(Waiting(removal: removal, row: row))
        lastRow = max(lastRow, row)
        lastWritten = max(lastWritten, row)
    }

    /// Passes the rows to insert and to delete since the last call.
    package func write(insert: (Waiting) throws -> Void, delete: (Int64) throws -> Void) throws {
        guard !added.isEmpty || !finished.isEmpty else { return }
        // What was added and done in one transaction has no row.
        let brief = Set(finished.lazy.filter { $0 > self.lastWritten })
        for row in finished where row <= lastWritten { try delete(row) }
        for waiting in added where !brief.contains(waiting.row) { try insert(waiting) }
        lastWritten = lastRow
        added.removeAll()
        finished.removeAll()
    }
}
