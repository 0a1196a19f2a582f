import GRDB

/// What is hidden in a store, and under which key.
public struct StoreRedaction: Sendable, Equatable {
    /// The name of what is hidden.
    public var parts: String
    /// Tells the key from others without telling anything about it.
    public var keyMark: String

    /// Makes a description.
    public init(parts: String, keyMark: String) {
        self.parts = parts
        self.keyMark = keyMark
    }
}

extension SQLiteStore {
    /// What is hidden in the store; nil when nothing is.
    public var redaction: StoreRedaction? {
        get throws {
            var found: StoreRedaction?
            try reading { found = try RedactionRow.read($0) }
            return found
        }
    }

    /// Sees to it that what is hidden from now on is what has been hidden up to now. In a store that has been given nothing yet, it is written
    /// down.
    ///
    /// Without that a device would be two, by its token and by its digest, or by the digests of two keys.
    ///
    /// - Returns: false when the store has something, and another redaction or none.
    public func adopt(_ redaction: StoreRedaction?) throws -> Bool {
        if try self.redaction == redaction { return true }
        var fits = false
        try transaction(replacementKey: nil) { session, database in
            fits = try RedactionRow.adopt(redaction, lastSequence: session.lastSequence, database)
        }
        return fits
    }
}

extension StoreImporter {
    /// Sees to it that what comes now is hidden as what the store has, as `SQLiteStore.adopt` does.
    public func adopt(_ redaction: StoreRedaction?) throws -> Bool {
        try RedactionRow.adopt(redaction, lastSequence: session.lastSequence, database)
    }
}

private enum RedactionRow {
    static func read(_ database: Database) throws -> StoreRedaction? {
        // A store that an earlier version wrote, and that is only read here, is not brought up to date.
        guard try database.tableExists("redaction") else { return nil }
        let row = try PreparedStatement(database, "SELECT parts, key_mark FROM redaction")
        defer { row.reset() }
        return try row.step() ? StoreRedaction(parts: row.string(0), keyMark: row.string(1)) : nil
    }

    static func adopt(_ redaction: StoreRedaction?, lastSequence: UInt64, _ database: Database) throws -> Bool {
        let known = try read(database)
        if known == redaction { return true }
        let first = try PreparedStatement(database, "SELECT id FROM center LIMIT 1")
        guard known == nil, lastSequence == 0, try first.firstInteger() == nil, let redaction else { return false }
        let insert = try PreparedStatement(database, "INSERT INTO redaction VALUES (1, ?, ?)")
        insert.bind(1, copying: redaction.parts)
        insert.bind(2, copying: redaction.keyMark)
        try insert.run()
        return true
    }
}
