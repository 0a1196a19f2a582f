package import PushDevices
package import PushModel
package import PushRedaction
import PushSystem

/// The redaction of a store: the parts that are replaced, and the key.
package struct StoreRedaction: Sendable, Equatable {
    /// The name of the redacted parts.
    package var parts: String
    /// Identifies the key without revealing anything about it.
    package var keyMark: String

    package init(parts: String, keyMark: String) {
        self.parts = parts
        self.keyMark = keyMark
    }
}

extension SQLiteStore {
    package var redaction: StoreRedaction? {
        get throws {
            try reading { try StoredRedaction.read($0) }
        }
    }

    /// Checks that the redaction from now on is the same as up to now. An empty store adopts it.
    ///
    /// Otherwise a device would appear as two, by its token and by its digest, or by the digests of two keys.
    ///
    /// - Returns: false when the store has contents, and another redaction or none.
    package func adopt(_ redaction: StoreRedaction?) throws -> Bool {
        if try self.redaction == redaction { return true }
        var fits = false
        try transaction(replacing: nil) { session, database in
            fits = try StoredRedaction.adopt(redaction, lastSequence: session.lastSequence, database)
        }
        return fits
    }
}

extension StoreImporter {
    /// Checks that imported contents are redacted like the store's, as `SQLiteStore.adopt` does.
    package func adopt(_ redaction: StoreRedaction?) throws -> Bool {
        try StoredRedaction.adopt(redaction, lastSequence: session.lastSequence, database)
    }
}

/// The redaction of a store: at most one row.
final class StoredRedaction: StoredFact {
    static let tables = [StoredTable("redaction")]

    /// Present when texts have been replaced by digests: which ones, and a mark of the key, so that nothing redacted
    /// differently is added.
    static let schema = """
        CREATE TABLE redaction (
            id INTEGER PRIMARY KEY CHECK (id = 1),
            parts TEXT NOT NULL,
            key_mark TEXT NOT NULL
        ) STRICT;
        """

    private let database: Database

    init(_ database: Database) { self.database = database }

    static func read(_ database: Database) throws -> StoreRedaction? {
        try PreparedStatement(database, "SELECT parts, key_mark FROM redaction").first { row in
            StoreRedaction(parts: row.string(0), keyMark: row.string(1))
        }
    }

    static func adopt(_ redaction: StoreRedaction?, lastSequence: UInt64, _ database: Database) throws -> Bool {
        let known = try read(database)
        if known == redaction { return true }
        let first = try PreparedStatement(database, "SELECT id FROM center LIMIT 1")
        guard known == nil, lastSequence == 0, try first.firstInteger() == nil, let redaction else { return false }
        try insert(redaction, database)
        return true
    }

    static func insert(_ redaction: StoreRedaction, _ database: Database) throws {
        let insert = try PreparedStatement(database, "INSERT INTO redaction VALUES (1, ?, ?)")
        try insert.run(redaction.parts, redaction.keyMark)
    }
}

extension StoreRedaction {
    package init(_ redaction: Redaction) { self.init(parts: redaction.parts.rawValue, keyMark: redaction.keyMark) }

    /// The redaction state of a store that hides `known` after this redaction is applied.
    func united(with known: StoreRedaction?, _ advice: Advice.Wording) throws(PlainError) -> StoreRedaction {
        guard let known, known != self else { return self }
        guard known.keyMark == keyMark else {
            throw PlainError("the store was redacted with a different key" + advice(.passRedactionKey))
        }
        return StoreRedaction(parts: Redaction.Parts.all.rawValue, keyMark: known.keyMark)
    }
}

extension StoreLocation {
    /// A file of SQLite.
    package static func sqlite(_ path: String) -> StoreLocation {
        StoreLocation(path: path) { path, redaction, advice in
            let store = try SQLiteStore(path: path)
            try store.take(redaction, advice)
            return store
        }
    }

    /// A copy of such a file in memory: what is written is not kept.
    package static func sqlite(copyOf path: String) -> StoreLocation {
        StoreLocation(path: path) { path, redaction, advice in
            let store = try SQLiteStore(path: path, access: .existing, isCopy: true)
            try store.take(redaction, advice)
            return store
        }
    }
}

extension SQLiteStore {
    /// Checks that a run hides the same parts as the store, under the same key. A new store records them.
    ///
    /// - Throws: `PlainError`, `StoreError`.
    package func take(_ redaction: Redaction?, _ advice: Advice.Wording) throws {
        let wanted = redaction.map { StoreRedaction($0) }
        if try adopt(wanted) { return }
        let problem =
            switch try (self.redaction, wanted)
            {
            case (let known?, let wanted?) where known.parts == wanted.parts:
                "was redacted with a different key, so every device would appear twice" + advice(.repeatRedactionKey)
            case (let known?, _):
                "was created with redaction of \(known.parts)" + advice(.repeatRedaction(known.parts))
            case (nil, _):
                "contains data that is not redacted" + advice(.redactStore)
            }
        throw PlainError("store \(path): \(problem)")
    }
}
