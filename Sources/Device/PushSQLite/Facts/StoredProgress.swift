import PushDecoding
package import PushDevices
import PushJSON

/// How far inputs have been read, the number of the last record, the report of the last transaction, the part of a divided input that a store
/// holds, and the last offset of each stream of an engine.
final class StoredProgress: StoredFact {
    static let tables = ["progress", "input", "last_report", "part", "stream_offset"].map { StoredTable($0) }

    /// The number of the last record; the progress of each file; and the report of the last transaction, which may not have been read.
    /// `records` counts those of the run, `file_records` those of the file; `clock_offset` is by how much events have advanced the clock of
    /// a run, `record_time` the time that the lines of a log said last. `log_pointer` and `log_skips_prefix` are the place of records in these
    /// lines. `part` has a row in a store that holds one part of a divided input: its number, and 1 if it was read to its end. The offset of a
    /// stream is a number, or Redis' two numbers.
    static let schema = """
        CREATE TABLE progress (
            id INTEGER PRIMARY KEY CHECK (id = 1),
            last_sequence INTEGER NOT NULL
        ) STRICT;
        INSERT INTO progress VALUES (1, 0);
        CREATE TABLE input (
            path TEXT PRIMARY KEY,
            offset INTEGER NOT NULL,
            digest INTEGER NOT NULL,
            digest_rest INTEGER NOT NULL,
            framing TEXT NOT NULL,
            records INTEGER NOT NULL,
            is_dropping INTEGER NOT NULL,
            clock_offset INTEGER NOT NULL,
            file_records INTEGER NOT NULL,
            is_in_array INTEGER,
            log_pointer TEXT,
            log_skips_prefix INTEGER NOT NULL,
            record_time INTEGER
        ) STRICT;
        CREATE TABLE last_report (
            id INTEGER PRIMARY KEY CHECK (id = 1),
            lines TEXT NOT NULL
        ) STRICT;
        CREATE TABLE part (
            id INTEGER PRIMARY KEY CHECK (id = 1),
            part INTEGER NOT NULL,
            parts INTEGER NOT NULL,
            is_complete INTEGER NOT NULL
        ) STRICT;
        CREATE TABLE stream_offset (
            stream TEXT PRIMARY KEY,
            offset TEXT NOT NULL
        ) STRICT, WITHOUT ROWID;
        """

    /// A longer report is not kept: SQLite takes a billion bytes in a value, and only a run that is resumed after a kill would read
    /// it. In bytes.
    private static let longestReport = 256 << 20  // 256 MiB

    var lastSequence: UInt64 = 0
    /// Bytes of this transaction's report, if it is stored.
    private(set) var reportBytes = 0
    private let database: Database
    private let selectLast = Prepared(StoreQuery.lastSequence)
    private let updateLast = Prepared(
        "INSERT INTO progress VALUES (1, ?1) ON CONFLICT (id) DO UPDATE SET last_sequence = ?1")
    private let updateInput = Prepared(
        """
        REPLACE INTO input (
            path, offset, digest, digest_rest, framing, is_dropping, records, clock_offset, file_records, is_in_array,
            log_pointer, log_skips_prefix, record_time)
        VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13)
        """)
    private let updateReport = Prepared(
        "INSERT INTO last_report VALUES (1, ?1) ON CONFLICT (id) DO UPDATE SET lines = ?1")
    private let selectPart = Prepared(StoreQuery.part)
    private let upsertPart = Prepared(
        """
        INSERT INTO part (id, part, parts, is_complete) VALUES (1, ?1, ?2, ?3)
        ON CONFLICT (id) DO UPDATE SET part = ?1, parts = ?2, is_complete = ?3
        """)
    private let selectOffset = Prepared("SELECT offset FROM stream_offset WHERE stream = ?")
    private let upsertOffset = Prepared(
        "INSERT INTO stream_offset (stream, offset) VALUES (?1, ?2) ON CONFLICT (stream) DO UPDATE SET offset = ?2")

    init(_ database: Database) { self.database = database }

    func begin(_ filled: FilledTables?) throws {
        reportBytes = 0
        // Nothing here is negative, unless the file was edited.
        if filled != nil { lastSequence = UInt64(max(try selectLast(database).firstInteger() ?? 0, 0)) }
    }

    func end() throws { try updateLast(database).run(lastSequence) }

    func write(_ progress: InputProgress) throws {
        let digest = progress.digest.words
        try updateInput(database).run(
            progress.path, progress.offset, digest.state, digest.rest, progress.framing, progress.isDropping,
            progress.records, progress.clockOffset, progress.fileRecords, progress.isInArray,
            progress.location?.pointer, progress.location?.skipsPrefix ?? false,
            progress.recordTime)
    }

    func write(report: BorrowedText?) throws {
        reportBytes = report?.count ?? 0
        try updateReport(database).run(reportBytes <= Self.longestReport ? report ?? .empty : .empty)
    }

    func part() throws -> PartMark? { try selectPart(database).first { PartMark($0) } }

    func setPart(_ part: PartMark) throws {
        try upsertPart(database).run(part.part, part.parts, part.isComplete)
    }

    func offset(ofStream stream: String) throws -> String? {
        try selectOffset(database).with(stream).first { $0.string(0) }
    }

    func setOffset(_ offset: StreamOffset) throws { try upsertOffset(database).run(offset.stream, offset.offset) }
}

extension PartMark {
    fileprivate init(_ row: PreparedStatement) {
        self.init(part: Int(row.integer(0)), of: Int(row.integer(1)), isComplete: row.integer(2) != 0)
    }
}

extension SQLiteStore {
    /// The progress of a file; nil when it was never started.
    package func progress(of path: String) throws -> InputProgress? {
        let sql =
            """
            SELECT offset, digest, digest_rest, framing, is_dropping, records, clock_offset, file_records, is_in_array,
                log_pointer, log_skips_prefix, record_time FROM input WHERE path = ?
            """
        return try reading { database in
            try PreparedStatement(database, sql, path).first { row in
                var found = InputProgress(path: path)
                found.offset = UInt64(bitPattern: row.integer(0))
                found.digest = InputDigest(words: (row.integer(1), row.integer(2)))
                found.framing = row.string(3)
                found.isDropping = row.integer(4) != 0
                found.records = UInt64(bitPattern: row.integer(5))
                found.clockOffset = row.integer(6)
                found.fileRecords = UInt64(bitPattern: row.integer(7))
                found.isInArray = row.optionalInteger(8).map { $0 != 0 }
                found.recordTime = row.optionalInteger(11).map { Int64($0) }
                let (pointer, skipsPrefix) = (row.optionalString(9), row.integer(10) != 0)
                if pointer != nil || skipsPrefix {
                    found.location = RecordLocation(pointer: pointer, skipsPrefix: skipsPrefix)
                }
                return found
            }
        }
    }

    /// The report of the last transaction, if it is unknown whether it was read.
    package func lastReport() throws -> [UInt8] {
        try reading { database in
            // SOUND: the column is copied before the next step.
            try PreparedStatement(database, "SELECT lines FROM last_report").first { unsafe [UInt8]($0.text(0).buffer) }
                ?? []
        }
    }

    /// Which part of a divided input the store holds; nil for a store of whole inputs.
    package func part() throws -> PartMark? {
        try reading { try PreparedStatement($0, StoreQuery.part).first { PartMark($0) } }
    }

    package func streamOffsets() throws -> [StreamOffset] {
        try reading { database in
            try PreparedStatement(database, StoreQuery.streamOffsets).all { row in
                StreamOffset(stream: row.string(0), offset: row.string(1))
            }
        }
    }

    package var lastSequence: UInt64 {
        get throws {
            try reading { UInt64(max(try PreparedStatement($0, StoreQuery.lastSequence).firstInteger() ?? 0, 0)) }
        }
    }
}
