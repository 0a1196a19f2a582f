import HeapModule
import PushStore

/// Merges the rows of several stores into the order that they would have in one.
///
/// Holds one row of each store. O(log n) per row for n stores, and O(n) while rows of one record are in all of them.
struct RowMerge<Value> {
    /// How rows of different stores are ordered.
    struct Order {
        /// True if ids are places in one original input; otherwise the rows of one store follow those of another.
        var isByPlace: Bool
        /// True if one record can cause rows in several parts without naming their targets. They are ordered by content then.
        var hasSharedBatches = true
        /// True if sources begin with their greatest id.
        var isNewestFirst = false
    }

    private struct Waiting: Comparable {
        /// The smallest comes first.
        var rank: Int64
        var source: Int

        static func < (left: Waiting, right: Waiting) -> Bool { (left.rank, left.source) < (right.rank, right.source) }
    }

    private let sources: [RowSource<Value>]
    private let order: Order
    private var heads: [PlacedRow<Value>?]
    /// Sources with their next batches.
    private var waiting: Heap<Waiting>
    /// Sources with rows of the current batch.
    private var current: [Int] = []
    private var batch: Int64 = 0
    private var isByContent = false
    /// The source whose row was returned last: it moves on with the next call, because rows may be valid until then only.
    private var last: Int?

    init(_ sources: [RowSource<Value>], _ order: Order) throws {
        self.sources = sources
        self.order = order
        heads = try sources.map { try $0.next() }
        waiting = Heap()
        for source in sources.indices { wait(source) }
    }

    /// The next row and the store that it is from; nil at the end. Valid until the next call.
    mutating func next() throws -> (source: Int, row: PlacedRow<Value>)? {
        if let last { try advance(last) }
        if current.isEmpty, try !begin() {
            last = nil
            return nil
        }
        var best = current[0]
        for source in current.dropFirst() where try isBefore(source, best) { best = source }
        guard let row = heads[best] else { return nil }
        last = best
        return (best, row)
    }

    // MARK: - Batches

    private func rank(_ row: PlacedRow<Value>, _ source: Int) -> Int64 {
        let rank = order.isByPlace ? RowPlace.batch(of: row.id) : Int64(source)
        return order.isNewestFirst ? -rank : rank
    }

    private mutating func wait(_ source: Int) {
        if let row = heads[source] { waiting.insert(Waiting(rank: rank(row, source), source: source)) }
    }

    private mutating func advance(_ source: Int) throws {
        heads[source] = try sources[source].next()
        if let row = heads[source], rank(row, source) == batch { return }
        current.removeAll { $0 == source }
        wait(source)
    }

    /// Begins the next batch. Returns false at the end.
    private mutating func begin() throws -> Bool {
        guard let first = waiting.popMin() else { return false }
        batch = first.rank
        current = [first.source]
        while let next = waiting.min, next.rank == batch { current.append(waiting.removeMin().source) }
        isByContent = try current.count > 1 && order.hasSharedBatches && isShared()
        return true
    }

    /// True if the rows of the current batch are not told apart by targets: time triggered them, or a record without targets caused rows
    /// in several parts.
    private func isShared() throws -> Bool {
        if RowPlace.isTriggeredByTime(batch: order.isNewestFirst ? -batch : batch) { return true }
        return try current.count { source in
            guard let row = heads[source] else { return false }
            return RowPlace.target(of: try sources[source].firstID(ofBatchWith: row.id)) == 0
        } > 1
    }

    /// Compares the next rows of two sources of the current batch.
    private func isBefore(_ left: Int, _ right: Int) throws -> Bool {
        guard let leftRow = heads[left], let rightRow = heads[right] else { return false }
        let (first, second) = order.isNewestFirst ? (rightRow, leftRow) : (leftRow, rightRow)
        if !isByContent, first.id != second.id { return first.id < second.id }
        let ties = try (sources[left].tie(of: leftRow), sources[right].tie(of: rightRow))
        return order.isNewestFirst ? ties.1 < ties.0 : ties.0 < ties.1
    }
}
