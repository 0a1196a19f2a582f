import GRDB

/// The part of a divided input that a store holds, and the last offset of each stream of an engine.
struct PartRows {
    private let select: PreparedStatement
    private let upsert: PreparedStatement
    private let selectOffset: PreparedStatement
    private let upsertOffset: PreparedStatement

    init(_ database: Database) throws {
        select = try PreparedStatement(database, StoreQuery.part)
        upsert = try PreparedStatement(
            database,
            """
            INSERT INTO part (id, part, parts, is_complete) VALUES (1, ?1, ?2, ?3)
            ON CONFLICT (id) DO UPDATE SET part = ?1, parts = ?2, is_complete = ?3
            """)
        selectOffset = try PreparedStatement(database, "SELECT offset FROM stream_offset WHERE stream = ?")
        upsertOffset = try PreparedStatement(
            database,
            "INSERT INTO stream_offset (stream, offset) VALUES (?1, ?2) ON CONFLICT (stream) DO UPDATE SET offset = ?2")
    }

    func part() throws -> PartMark? {
        guard try select.step() else { return nil }
        defer { select.reset() }
        return PartMark(select)
    }

    func setPart(_ part: PartMark) throws {
        upsert.bind(1, Int64(part.part))
        upsert.bind(2, Int64(part.parts))
        upsert.bind(3, part.isComplete ? 1 : 0 as Int64)
        try upsert.run()
    }

    func offset(ofStream stream: String) throws -> String? {
        selectOffset.bind(1, copying: stream)
        guard try selectOffset.step() else { return nil }
        defer { selectOffset.reset() }
        return selectOffset.string(0)
    }

    func setOffset(_ offset: StreamOffset) throws {
        upsertOffset.bind(1, copying: offset.stream)
        upsertOffset.bind(2, copying: offset.offset)
        try upsertOffset.run()
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
