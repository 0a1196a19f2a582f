import CPushSQLite
import PushDevices

/// The indexes that are built when they are needed. A new store has none: delivery needs them only for what is in the file and not in memory.
/// From then on SQLite maintains them.
///
/// An index that is built over existing rows is sorted once, which takes less than a microsecond per row. One that grows
/// with the rows changes a page of its own for almost each of them, as devices come in no order.
package enum StoreIndex: CaseIterable {
    case notifications
    case events
    case queuedOfDevice
    case queuedByExpiry

    /// Those that a reader needs to find what a device shows and has shown.
    package static let byDevice: [Self] = [.notifications, .events]

    private var names: (index: String, table: String, columns: String) {
        switch self {
        case .notifications: ("notification_by_center", "notification", "center, id")
        case .events: ("event_by_center", "event", "center, id")
        case .queuedOfDevice: ("held_by_device", "held", "device, id")
        case .queuedByExpiry: ("held_by_expiry", "held", "expires_at, device")
        }
    }

    var table: String { names.table }
    private var sql: String { "CREATE INDEX IF NOT EXISTS \(names.index) ON \(names.table) (\(names.columns))" }

    /// Sorting more rows than this, some 50 MiB, goes through temporary files.
    private static let mostRowsInMemory = 1 << 20

    func exists(in database: Database) throws -> Bool {
        try PreparedStatement(database, StoreQuery.index, names.index).firstInteger() != nil
    }

    /// About as many rows as the table has: ids are seldom given up. In a part, as many records as its input has.
    func rowCount(in database: Database) throws -> Int {
        let last = try PreparedStatement(database, "SELECT max(id) FROM \(table)").firstInteger() ?? 0
        let isPart = try PreparedStatement(database, StoreQuery.part).firstInteger() != nil
        return Int(clamping: isPart ? RowPlace.record(of: last) : last)
    }

    /// True if it does not exist, and its table is large enough to need it.
    func isMissed(in database: Database) throws -> Bool {
        try rowCount(in: database) >= Self.fewestRows && !exists(in: database)
    }

    /// Fewer rows are read through in some milliseconds.
    private static let fewestRows = 1 << 14

    /// Builds the index unless it exists, as a part of the current transaction. O(n log n) in the rows of its table.
    func build(in database: Database) throws {
        guard try !exists(in: database) else { return }
        let isLarge = try rowCount(in: database) > Self.mostRowsInMemory
        // `SQLITE_TMPDIR` sets where the files are.
        if isLarge { try database.execute("PRAGMA temp_store = FILE") }
        defer { if isLarge { try? database.execute("PRAGMA temp_store = MEMORY") } }
        try database.execute(sql)
    }
}

/// The indexes that a connection knows to exist.
final class BuiltIndexes {
    private let database: Database
    private var built: Set<StoreIndex> = []

    init(_ database: Database) { self.database = database }

    /// Builds an index unless it exists. Without one everything is read: a transaction that only reads keeps nobody from writing.
    /// Not to be called while a statement is running.
    func ensure(_ index: StoreIndex) throws {
        // SOUND: the connection is that of the statements, and asked within a transaction.
        guard !built.contains(index), unsafe sqlite3_txn_state(database.handle, nil) == SQLITE_TXN_WRITE
        else { return }
        try index.build(in: database)
        built.insert(index)
    }

    /// Forgets those that an interrupted transaction has built.
    func forget() { built.removeAll() }
}

extension SQLiteStore {
    /// Builds the indexes by device that are missing, in a transaction of its own.
    ///
    /// - Throws: `StoreError`; the store is as it was then.
    package func buildIndexes(_ indexes: [StoreIndex] = StoreIndex.byDevice) throws {
        try transaction(replacing: nil) { (_: SQLiteSession, database: Database) in
            for index in indexes { try index.build(in: database) }
        }
    }

    package func indexes() throws -> [StoreIndex] {
        try reading { database in try StoreIndex.allCases.filter { try $0.exists(in: database) } }
    }

    /// Opens a store to read it by device. Builds the indexes for that if they are missing, the file is large, may be
    /// written, and nobody is writing to it; without them reading takes longer.
    ///
    /// - Throws: `StoreError`.
    package static func openByDevice(path: String) throws -> SQLiteStore {
        let reader = try SQLiteStore(path: path, access: .readOnly)
        // Whatever is in the way, the reader needs no index.
        if try reader.missesIndexes() { try? buildIndexes(at: path) }
        return reader
    }

    /// Builds the indexes of a file by a connection of its own. Does not wait for somebody who writes.
    ///
    /// - Throws: `StoreError`.
    static func buildIndexes(at path: String) throws {
        let writer = try SQLiteStore(path: path, access: .existing, patience: 0)
        try writer.buildIndexes()
        // A reader alone cannot shorten the log, which now has both indexes.
        try? writer.writing(writer.emptyLog)
    }

    /// True if the file is large and has not all of the indexes by device.
    func missesIndexes() throws -> Bool {
        try reading { database in try StoreIndex.byDevice.contains { try $0.isMissed(in: database) } }
    }
}
