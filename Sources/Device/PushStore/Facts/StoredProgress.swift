import GRDB
import PayloadJSON

/// How far inputs have been read, the number of the last record, and the report of the last transaction.
final class StoredProgress: StoredFact {
    static let tables = [
        StoredTable("progress", .joined), StoredTable("input", .leftOut), StoredTable("last_report", .leftOut),
    ]

    static let migrations = [
        StoreMigration(3, "progress of inputs", inputs), StoreMigration(9, "records of inputs", fileRecords),
    ]

    /// The progress of each file, and the report of the last transaction, which may not have been read.
    private static let inputs = """
        CREATE TABLE input (
            path TEXT PRIMARY KEY,
            offset INTEGER NOT NULL,
            digest INTEGER NOT NULL,
            digest_rest INTEGER NOT NULL,
            framing TEXT NOT NULL,
            records INTEGER NOT NULL,
            is_dropping INTEGER NOT NULL
        ) STRICT;
        CREATE TABLE last_report (
            id INTEGER PRIMARY KEY CHECK (id = 1),
            lines TEXT NOT NULL
        ) STRICT;
        """

    /// Records of each file. Before, only those of the run were kept, which are the same for its first file.
    private static let fileRecords = """
        ALTER TABLE input ADD COLUMN file_records INTEGER NOT NULL DEFAULT 0;
        UPDATE input SET file_records = records;
        """

    /// A longer report is not kept: SQLite takes a billion bytes in a value, and only a run that is resumed after a kill would read
    /// it. In bytes.
    private static let longestReport = 256 << 20  // 256 MiB

    var lastSequence: UInt64 = 0
    /// Bytes of this transaction's report, if it is stored.
    private(set) var reportBytes = 0
    private let updateInput: Prepared<PreparedStatement>
    private let updateReport: Prepared<PreparedStatement>
    private let selectLast: PreparedStatement
    private let updateLast: PreparedStatement

    init(_ database: Database) throws {
        selectLast = try PreparedStatement(database, StoreQuery.lastSequence)
        updateLast = try PreparedStatement(
            database, "INSERT INTO progress VALUES (1, ?1) ON CONFLICT (id) DO UPDATE SET last_sequence = ?1")
        updateInput = Prepared(
            database,
            """
            INSERT INTO input (path, offset, digest, digest_rest, framing, is_dropping, records, clock_offset, file_records)
            VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9)
            ON CONFLICT (path) DO UPDATE SET
                offset = ?2, digest = ?3, digest_rest = ?4, framing = ?5, is_dropping = ?6, records = ?7,
                clock_offset = ?8, file_records = ?9
            """)
        updateReport = Prepared(
            database, "INSERT INTO last_report VALUES (1, ?1) ON CONFLICT (id) DO UPDATE SET lines = ?1")
    }

    func begin(_ filled: FilledTables?) throws {
        reportBytes = 0
        // Nothing here is negative, unless the file was edited.
        if filled != nil { lastSequence = UInt64(max(try selectLast.firstInteger() ?? 0, 0)) }
    }

    func end() throws {
        updateLast.bind(1, lastSequence)
        try updateLast.run()
    }

    func join(_ parts: [SQLiteStore], isPartial: Bool) throws {
        lastSequence = try parts.map { try $0.lastSequence }.max() ?? 0
    }

    func write(_ progress: InputProgress) throws {
        let update = try updateInput()
        update.bind(1, copying: progress.path)
        update.bind(2, progress.offset)
        let digest = progress.digest.words
        update.bind(3, digest.state)
        update.bind(4, digest.rest)
        update.bind(5, copying: progress.framing)
        update.bind(6, progress.isDropping ? 1 : 0 as Int64)
        update.bind(7, progress.records)
        update.bind(8, progress.clockOffset)
        update.bind(9, progress.fileRecords)
        try update.run()
    }

    func write(report: UnsafeRawBufferPointer) throws {
        // SOUND: bytes may be read as `UInt8`, and `report` stays for the duration of this call, which runs the statement.
        let start = unsafe report.baseAddress?.assumingMemoryBound(to: UInt8.self)
        let isKept = report.count <= Self.longestReport
        let text = unsafe start.flatMap { unsafe isKept ? BorrowedText(start: $0, count: report.count) : nil }
        reportBytes = report.count
        let update = try updateReport()
        update.bind(1, text ?? .empty)
        try update.run()
    }
}
