import CPushSQLite
import TestSupport
import Testing

@testable import PushSQLite

/// The connection to SQLite.
struct DatabaseTests {
    private let folder: TemporaryFolder
    private let path: String

    init() throws {
        folder = try TemporaryFolder()
        path = folder("a.db")
    }

    private func count(_ database: Database) throws -> Int64? {
        try PreparedStatement(database, "SELECT count(*) FROM t").firstInteger()
    }

    @Test func `a transaction that fails keeps nothing, whatever failed`() throws {
        let database = try Database(path: path)
        try database.execute("CREATE TABLE t (a INTEGER PRIMARY KEY, b REFERENCES t DEFERRABLE INITIALLY DEFERRED)")
        #expect(throws: NoRoom.self) {
            try database.inTransaction(.immediate) {
                try database.execute("INSERT INTO t VALUES (1, NULL)")
                throw NoRoom()
            }
        }
        #expect(try count(database) == 0)
        // The commit fails.
        try database.execute("PRAGMA foreign_keys = ON")
        let error = #expect(throws: DatabaseError.self) {
            try database.inTransaction(.immediate) { try database.execute("INSERT INTO t VALUES (1, 7)") }
        }
        #expect(error?.kind == SQLITE_CONSTRAINT)
        #expect(try count(database) == 0)
        try database.inTransaction(.immediate) { try database.execute("INSERT INTO t VALUES (1, 1)") }
        #expect(try count(database) == 1)
    }

    @Test func `a transaction within another fails, and the outer one goes on`() throws {
        let database = try Database(path: path)
        try database.execute("CREATE TABLE t (a)")
        try database.inTransaction(.immediate) {
            try database.execute("INSERT INTO t VALUES (1)")
            #expect(throws: DatabaseError.self) { try database.inTransaction(.deferred) {} }
            try database.execute("INSERT INTO t VALUES (2)")
        }
        #expect(try count(database) == 2)
    }

    @Test func `what cannot be opened, read or written says why`() throws {
        #expect(throws: DatabaseError.self) { try Database(path: folder("none/a.db")) }
        #expect(throws: DatabaseError.self) { try Database(path: folder("none.db"), isReadOnly: true) }
        _ = try Database(path: path).execute("CREATE TABLE t (a)")
        let reader = try Database(path: path, isReadOnly: true)
        let error = #expect(throws: DatabaseError.self) { try reader.execute("INSERT INTO t VALUES (1)") }
        #expect(error?.kind == SQLITE_READONLY)
        // A name that is misspelled is no text.
        #expect(throws: DatabaseError.self) { try PreparedStatement(reader, "SELECT \"b\" FROM t") }
        #expect(throws: DatabaseError.self) { try PreparedStatement(reader, "") }
    }

    @Test func `a lock is waited for as long as is said`() throws {
        let writer = try Database(path: path)
        try writer.execute("CREATE TABLE t (a)")
        for patience in [nil, StorePatience(milliseconds: 0), StorePatience(milliseconds: 20)] {
            let other = try Database(path: path, patience: patience)
            try writer.inTransaction(.immediate) {
                let error = #expect(throws: DatabaseError.self) { try other.inTransaction(.immediate) {} }
                #expect(error?.kind == SQLITE_BUSY)
            }
            try other.inTransaction(.immediate) { try other.execute("INSERT INTO t VALUES (1)") }
        }
        #expect(try count(writer) == 3)
    }

    @Test func `a copy has everything, or fails`() throws {
        let original = try Database(path: path)
        try original.execute("CREATE TABLE t (a); INSERT INTO t VALUES (1), (2)")
        let copy = try Database(path: nil)
        try original.copy(to: copy)
        #expect(try count(copy) == 2)
        let reader = try Database(path: path, isReadOnly: true)
        try original.execute("BEGIN EXCLUSIVE")
        let error = #expect(throws: DatabaseError.self) { try reader.copy(to: try Database(path: nil)) }
        #expect(error?.kind == SQLITE_BUSY)
    }

    @Test func `a statement keeps its connection open`() throws {
        let database = Mutable(try Database(path: path))
        try database.value?.execute("CREATE TABLE t (a); INSERT INTO t VALUES (5)")
        let statement = try PreparedStatement(#require(database.value), "SELECT a FROM t")
        database.value = nil
        #expect(try statement.firstInteger() == 5)
    }

    private struct NoRoom: Error {}

    private final class Mutable {
        var value: Database?

        init(_ value: Database) { self.value = value }
    }
}
