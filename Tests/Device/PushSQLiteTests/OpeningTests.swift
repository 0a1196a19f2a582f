import PushDevices
import PushModel
import PushSQLite
import TestSupport
import Testing

#if canImport(Darwin)
    import Darwin
#elseif canImport(Musl)
    import Musl
#else
    import Glibc
#endif

struct OpeningTests {
    private func code(_ path: String, _ access: SQLiteStore.Access) -> StoreError.Code? {
        do {
            _ = try SQLiteStore(path: path, access: access)
            return nil
        } catch let error as StoreError {
            #expect(error.path == path)
            #expect(!error.message.isEmpty && !error.message.contains("\n"))
            #expect(error.description == "\(path): \(error.message)")
            return error.code
        } catch {
            Issue.record(error)
            return nil
        }
    }

    @Test func `a new file is its owner's alone, and so are the log and the log's index beside it`() throws {
        let folder = try TemporaryFolder()
        let store = try SQLiteStore(path: folder())
        try store.run([apns()])
        for name in ["store.db", "store.db-wal", "store.db-shm"] {
            #expect(permissions(of: folder(name)) == 0o600, "\(name)")
        }
    }

    @Test func `who only reads leaves no log, and takes none away from somebody who writes`() throws {
        let folder = try TemporaryFolder()
        func logs() -> [Bool] { ["store.db-wal", "store.db-shm"].map { folder.bytes(of: $0) != nil } }
        try SQLiteStore(path: folder()).run([apns()])
        #expect(logs() == [false, false])
        var reader: SQLiteStore? = try SQLiteStore(path: folder(), access: .readOnly)
        #expect(try reader?.notifications().count == 1)
        var follower: SQLiteStore? = try SQLiteStore(following: folder())
        #expect(try follower?.notifications().count == 1)
        reader = nil
        #expect(logs() == [true, true])
        #expect(try follower?.notifications().count == 1)
        follower = nil
        #expect(logs() == [false, false])
        let writer = try SQLiteStore(path: folder())
        try writer.run([apns()])
        #expect(try SQLiteStore(path: folder(), access: .readOnly).notifications().count == 2)
        #expect(logs() == [true, true])
        try writer.run([apns()])
    }

    @Test func `an existing store is brought up to date, and a missing one is not made, when it must exist`() throws {
        let folder = try TemporaryFolder()
        #expect(code(folder(), .existing) == .cannotOpen)
        #expect(folder.bytes(of: "store.db") == nil)
        try SQLiteStore(path: folder()).run([apns()])
        try SQLiteStore(path: folder(), access: .existing).run([apns()])
        #expect(try SQLiteStore(path: folder(), access: .readOnly).notifications().count == 2)
        try folder.write("", to: "empty.db")
        #expect(code(folder("empty.db"), .existing) == .notAStore)
    }

    @Test func `an empty file becomes a store, with the rights that it has`() throws {
        let folder = try TemporaryFolder()
        try folder.write("", to: "store.db")
        #expect(chmod(folder(), 0o640) == 0)
        try SQLiteStore(path: folder()).run([apns()])
        #expect(permissions(of: folder()) == 0o640)
        #expect(try SQLiteStore(path: folder(), access: .readOnly).lines() == ["push-1: Text"])
    }

    @Test func `a missing file can only be opened to be written`() throws {
        let folder = try TemporaryFolder()
        #expect(code(folder(), .readOnly) == .cannotOpen)
        #expect(folder.bytes(of: "store.db") == nil)
        #expect(code(folder(), .readWrite) == nil)
        #expect(folder.bytes(of: "store.db") != nil)
    }

    @Test(arguments: [SQLiteStore.Access.readOnly, .readWrite])
    func `a directory is no store`(access: SQLiteStore.Access) throws {
        let folder = try TemporaryFolder()
        #expect(code(folder.path, access) == .cannotOpen)
    }

    @Test(arguments: [SQLiteStore.Access.readOnly, .readWrite])
    func `there is nothing in a folder that is missing, or that is a file`(access: SQLiteStore.Access) throws {
        let folder = try TemporaryFolder()
        #expect(code(folder("missing/store.db"), access) == .cannotOpen)
        try folder.write("text", to: "notes.txt")
        #expect(code(folder("notes.txt/store.db"), access) == .cannotOpen)
        #expect(code("", access) == .cannotOpen)
    }

    @Test(.enabled(if: getuid() != 0, "the superuser may write everywhere"))
    func `a folder that may not be written says so`() throws {
        let folder = try TemporaryFolder()
        #expect(chmod(folder.path, 0o500) == 0)
        #expect(code(folder(), .readWrite) == .readOnly)
        #expect(chmod(folder.path, 0o700) == 0)
    }

    @Test(
        arguments: [SQLiteStore.Access.readOnly, .readWrite],
        ["Dear diary\n", String(repeating: "text\n", count: 2000)])
    func `a text file is no database, and stays as it is`(access: SQLiteStore.Access, text: String) throws {
        let folder = try TemporaryFolder()
        try folder.write(text, to: "notes.txt")
        #expect(code(folder("notes.txt"), access) == .notADatabase)
        #expect(folder.bytes(of: "notes.txt") == Array(text.utf8))
    }

    @Test func `an empty file holds nothing to read`() throws {
        let folder = try TemporaryFolder()
        try folder.write("", to: "store.db")
        #expect(code(folder(), .readOnly) == .notAStore)
        #expect(folder.bytes(of: "store.db") == [])
    }

    @Test(
        arguments: [SQLiteStore.Access.readOnly, .readWrite],
        ["CREATE TABLE song (name TEXT); INSERT INTO song VALUES ('x');", "PRAGMA application_id = 77; VACUUM;"])
    func `another program's database is no store, and stays as it is`(access: SQLiteStore.Access, sql: String) throws {
        let folder = try TemporaryFolder()
        _ = try folder.sqlite3("songs.db", sql: sql)
        let bytes = try #require(folder.bytes(of: "songs.db"))
        #expect(!bytes.isEmpty)
        #expect(code(folder("songs.db"), access) == .notAStore)
        let isUntouched = folder.bytes(of: "songs.db") == bytes
        #expect(isUntouched)
    }

    @Test(arguments: [SQLiteStore.Access.readOnly, .readWrite])
    func `a store of another schema is refused with what to do, and stays as it is`(access: SQLiteStore.Access) throws {
        let folder = try TemporaryFolder()
        try SQLiteStore(path: folder()).run([apns()])
        // Version 0 is that of a store from before there was one.
        for version in [0, 2] {
            _ = try folder.sqlite3(sql: "PRAGMA user_version = \(version);")
            let bytes = try #require(folder.bytes(of: "store.db"))
            let error = #expect(throws: StoreError.self) { _ = try SQLiteStore(path: folder(), access: access) }
            #expect(error?.code == .otherSchema)
            #expect(
                error?.message
                    == "written by another version of pushpipe (schema \(version); this version reads 1); "
                    + "use that version, or run the records again with another store")
            let isUntouched = folder.bytes(of: "store.db") == bytes
            #expect(isUntouched)
        }
    }

    @Test func `a store whose making was ended before its tables is made to the end`() throws {
        let folder = try TemporaryFolder()
        _ = try folder.sqlite3(sql: "PRAGMA journal_mode = WAL;")
        #expect(try folder.sqlite3(sql: "PRAGMA journal_mode;") == ["'wal'"])
        let store = try SQLiteStore(path: folder())
        try store.run([apns(collapseID: "nw", body: "new")])
        #expect(try store.notifications().map(\.content.body) == ["new"])
    }

    @Test func `a store that is opened to be read cannot be written`() throws {
        let folder = try TemporaryFolder()
        try SQLiteStore(path: folder()).run([apns()])
        let bytes = folder.bytes(of: "store.db")
        #expect(bytes != nil)
        let store = try SQLiteStore(path: folder(), access: .readOnly)
        #expect(try store.lines() == ["push-1: Text"])
        #expect(try store.events().map(\.kind) == [.delivered])
        let error = #expect(throws: StoreError.self) { try store.run([apns()]) }
        #expect(error?.code == .readOnly)
        #expect(try store.lines() == ["push-1: Text"])
        let isUntouched = folder.bytes(of: "store.db") == bytes
        #expect(isUntouched)
    }

    @Test func `opening a store twice makes nothing new`() throws {
        let folder = try TemporaryFolder()
        try SQLiteStore(path: folder()).run([apns()])
        let dump = try folder.sqlite3(sql: ".dump")
        _ = try SQLiteStore(path: folder())
        #expect(try folder.sqlite3(sql: ".dump") == dump)
    }

    @Test func `an error is handed on to the reader of notifications and events`() throws {
        let folder = try TemporaryFolder()
        let store = try SQLiteStore(path: folder())
        try store.run([apns(), apns()])
        #expect(throws: Interruption.self) {
            try store.forEachNotification(device: nil, app: nil) { _ in throw Interruption() }
        }
        #expect(throws: Interruption.self) { try store.forEachEvent(device: nil) { _ in throw Interruption() } }
        #expect(try store.run([apns(collapseID: "push-1")]) == [Delivery(outcome: .replaced, replaces: 1)])
    }
}
