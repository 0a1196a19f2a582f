import PushModel
import PushStore

/// A row of a store: its id, and what was made of it.
struct PlacedRow<Value> {
    /// Ascending with the order of rows. In a part, a place in the original input (`RowPlace`).
    var id: Int64
    var value: Value
}

/// The order of rows of several parts that one record caused in all of them.
struct RowTie: Comparable {
    /// When what the row is about has happened, in milliseconds since the epoch; 0 for rows that are not in the order of time.
    var at: Int64 = 0
    /// Number of the record that the row is about.
    var seq: UInt64
    var device: String
    var app: String

    /// Late removals come before everything else that is due at the same time.
    private static let afterRemovals: UInt64 = 1 << 62

    /// The same as `seq` of a journal line, for the rows of the table.
    static var eventSequence: String { "seq + (kind <> '\(JournalKind.removed.name)') * \(afterRemovals)" }

    static func < (left: RowTie, right: RowTie) -> Bool {
        (left.at, left.seq, left.device, left.app) < (right.at, right.seq, right.device, right.app)
    }
}

extension RowTie {
    init(_ entry: JournalEntry) {
        self.init(
            at: entry.at, seq: entry.seq &+ (entry.kind == .removed ? 0 : Self.afterRemovals), device: entry.device,
            app: entry.app)
    }
}

/// The rows of one store in their order, pulled one at a time, so that those of several stores can be merged.
///
/// Valid within one reading transaction of the store.
final class RowSource<Value> {
    private let statements: [PreparedStatement]
    private let read: () throws -> PlacedRow<Value>?
    private let readTie: (PlacedRow<Value>) throws -> RowTie
    private let readFirstID: ((_ batch: Int64) throws -> Int64?)?
    private var isAtEnd = false

    /// - Parameters:
    ///   - statements: what `read` steps, to be reset at the end.
    ///   - firstID: the id of the first row of a batch; nil for a source that is read in ascending order, and sees it first.
    ///   - tie: called for the last row that was read, if at all.
    ///   - read: the next row; nil at the end.
    init(
        _ statements: [PreparedStatement], firstID: ((_ batch: Int64) throws -> Int64?)? = nil,
        tie: @escaping (PlacedRow<Value>) throws -> RowTie, read: @escaping () throws -> PlacedRow<Value>?
    ) {
        self.statements = statements
        self.read = read
        readTie = tie
        readFirstID = firstID
    }

    /// The rows of one statement but those that have no value.
    ///
    /// - Parameters:
    ///   - column: the column of the id.
    ///   - value: reads the current row.
    convenience init(
        _ row: PreparedStatement, id column: Int32, tie: @escaping (PlacedRow<Value>) throws -> RowTie,
        value: @escaping () -> Value?
    ) {
        self.init([row], tie: tie) {
            while try row.step() { if let value = value() { return PlacedRow(id: row.integer(column), value: value) } }
            return nil
        }
    }

    /// The next row; nil at the end, also when it is called again.
    func next() throws -> PlacedRow<Value>? {
        if isAtEnd { return nil }
        let row = try read()
        isAtEnd = row == nil
        return row
    }

    func tie(of row: PlacedRow<Value>) throws -> RowTie { try readTie(row) }

    /// The id of the first row of the batch of the last row that was read.
    func firstID(ofBatchWith id: Int64) throws -> Int64 { try readFirstID?(RowPlace.batch(of: id)) ?? id }

    /// Ends reading, so that the transaction can end.
    func close() {
        isAtEnd = true
        for statement in statements { statement.reset() }
    }

    func passAll(to body: (Value) throws -> Void) throws {
        defer { close() }
        while let row = try next() { try body(row.value) }
    }
}
