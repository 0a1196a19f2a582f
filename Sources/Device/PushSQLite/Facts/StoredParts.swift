import GRDB
package import PushDevices

/// The part of a divided input that a store holds, and the last offset of each stream of an engine.
final class StoredParts: StoredFact {
    static let tables = [StoredTable("part"), StoredTable("stream_offset")]

    /// Present in a store that holds one part of a divided input: its number, and 1 if it was read to its end. The last offset of
    /// each stream of an engine, a number or Redis' two numbers.
    static let schema = """
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

    private let database: Database
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
}
