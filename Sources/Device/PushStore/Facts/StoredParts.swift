import GRDB

/// The part of a divided input that a store holds, and the last offset of each stream of an engine.
final class StoredParts: StoredFact {
    static let tables = [StoredTable("part", .leftOut), StoredTable("stream_offset", .joined)]

    static let migrations = [StoreMigration(10, "parts", made)]

    /// Present in a store that holds one part of a divided input: which one, and whether it was read to its end. The last offset of
    /// each stream of an engine, a number or Redis' two numbers.
    private static let made = """
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

    private let selectPart: Prepared<PreparedStatement>
    private let upsertPart: Prepared<PreparedStatement>
    private let selectOffset: Prepared<PreparedStatement>
    private let upsertOffset: Prepared<PreparedStatement>

    init(_ database: Database) {
        selectPart = Prepared(database, StoreQuery.part)
        upsertPart = Prepared(
            database,
            """
            INSERT INTO part (id, part, parts, is_complete) VALUES (1, ?1, ?2, ?3)
            ON CONFLICT (id) DO UPDATE SET part = ?1, parts = ?2, is_complete = ?3
            """)
        selectOffset = Prepared(database, "SELECT offset FROM stream_offset WHERE stream = ?")
        upsertOffset = Prepared(
            database,
            "INSERT INTO stream_offset (stream, offset) VALUES (?1, ?2) ON CONFLICT (stream) DO UPDATE SET offset = ?2")
    }

    func join(_ parts: [SQLiteStore], isPartial: Bool) throws {
        for offset in try StreamOffset.joined(parts.map { try $0.streamOffsets() }, takingLast: !isPartial) {
            try setOffset(offset)
        }
    }

    func part() throws -> PartMark? {
        let select = try selectPart()
        guard try select.step() else { return nil }
        defer { select.reset() }
        return PartMark(select)
    }

    func setPart(_ part: PartMark) throws {
        let upsert = try upsertPart()
        upsert.bind(1, Int64(part.part))
        upsert.bind(2, Int64(part.parts))
        upsert.bind(3, part.isComplete ? 1 : 0 as Int64)
        try upsert.run()
    }

    func offset(ofStream stream: String) throws -> String? {
        let select = try selectOffset()
        select.bind(1, copying: stream)
        guard try select.step() else { return nil }
        defer { select.reset() }
        return select.string(0)
    }

    func setOffset(_ offset: StreamOffset) throws {
        let upsert = try upsertOffset()
        upsert.bind(1, copying: offset.stream)
        upsert.bind(2, copying: offset.offset)
        try upsert.run()
    }
}

extension PartMark {
    /// - Parameter row: the columns of `StoreQuery.part`.
    fileprivate init(_ row: PreparedStatement) {
        self.init(part: Int(row.integer(0)), of: Int(row.integer(1)), isComplete: row.integer(2) != 0)
    }
}

extension SQLiteStore {
    /// Which part of a divided input the store holds; nil for a store of whole inputs.
    package func part() throws -> PartMark? {
        var part: PartMark?
        try reading { database in
            guard try database.tableExists("part") else { return }
            let row = try PreparedStatement(database, StoreQuery.part)
            defer { row.reset() }
            if try row.step() { part = PartMark(row) }
        }
        return part
    }

    /// The last record of each stream of an engine whose deliveries the store has, by the names of the streams.
    package func streamOffsets() throws -> [StreamOffset] {
        var offsets: [StreamOffset] = []
        try reading { database in
            guard try database.tableExists("stream_offset") else { return }
            let row = try PreparedStatement(database, StoreQuery.streamOffsets)
            defer { row.reset() }
            while try row.step() { offsets.append(StreamOffset(stream: row.string(0), offset: row.string(1))) }
        }
        return offsets
    }
}
