import PushJSON
import PushModel
import TestSupport
import Testing

@testable import PushDevices
@testable import PushSQLite

/// A store is a file that anybody may edit; no contents may cause a trap.
@Suite struct EditedStoreTests {
    @Test(arguments: [
        "UPDATE notification SET target = 9223372036854775807", "UPDATE notification SET target = -1",
        "UPDATE notification SET id = 9223372036854775807", "UPDATE notification SET id = -2",
        "UPDATE notification SET seq = -1", "UPDATE progress SET last_sequence = -1", "UPDATE center SET badge = -1",
        "UPDATE notification SET delivered_at = -9223372036854775808", "UPDATE notification SET payload = 'x'",
    ])
    func `a store that was edited by hand does not end in a trap`(sql: String) throws {
        let folder = try TemporaryFolder()
        let path = folder()
        let store = try SQLiteStore(path: path)
        _ = try store.run([apns(collapseID: "a"), apns(body: "b")])
        _ = try folder.sqlite3(sql: sql + " WHERE rowid = 1;")
        let again = try SQLiteStore(path: path)
        // Some edits leave no room for another row; that must be an error, not a crash.
        _ = try? again.run([apns(collapseID: "a"), apns(body: "c")])
        _ = try? again.notifications()
    }

    @Test(arguments: [
        """
        DROP TABLE notification;
        CREATE VIEW notification AS WITH RECURSIVE n(id) AS (SELECT 1 UNION ALL SELECT id + 1 FROM n)
        SELECT id, 1 AS seq, 1 AS center, NULL AS target FROM n;
        """,
        "CREATE TRIGGER t AFTER INSERT ON event BEGIN DELETE FROM notification; END;",
        "CREATE INDEX i ON center (zeroblob(1000));",
        "DROP TABLE event; CREATE TABLE event (id INTEGER PRIMARY KEY, at INTEGER AS (length(zeroblob(1000000000))));",
        "CREATE INDEX i ON center (badge + 1);", "CREATE INDEX i ON center (badge) WHERE length(zeroblob(1000));",
        "CREATE UNIQUE INDEX i ON center (app);",
        "CREATE INDEX held_by_device ON held (device COLLATE NOCASE, id);",
        "ALTER TABLE event ADD COLUMN more TEXT DEFAULT 'x';",
        "ALTER TABLE center ADD COLUMN more INTEGER CHECK (length(zeroblob(1000000000)) > more);",
        "DROP VIEW events; CREATE VIEW events AS SELECT 1;", "DROP VIEW events; CREATE TABLE events (id);",
        "CREATE TRIGGER t INSTEAD OF INSERT ON badges BEGIN DELETE FROM notification; END;",
    ])
    func `a store whose tables are not those of pushpipe is refused`(sql: String) throws {
        let folder = try TemporaryFolder()
        _ = try SQLiteStore(path: folder()).run([apns(body: "a")])
        _ = try folder.sqlite3(sql: sql)
        for access in [SQLiteStore.Access.readOnly, .existing, .readWrite] {
            let error = #expect(throws: StoreError.self) { _ = try SQLiteStore(path: folder(), access: access) }
            #expect(error?.code == .notAStore)
            #expect(error?.message.contains("run the records again") == true)
        }
    }

    @Test func `each table of a new store is one of a fact`() throws {
        let folder = try TemporaryFolder()
        _ = try SQLiteStore(path: folder()).run([apns(body: "a")])
        let tables = try folder.sqlite3(
            sql: "SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite_%' ORDER BY name;")
        #expect(tables == StoreSchema.tables.map(\.name).sorted().map { "'\($0)'" })
    }

    @Test func `a session has each fact of the schema but the screens, which it is itself`() throws {
        let folder = try TemporaryFolder()
        try SQLiteStore(path: folder()).importing { importer in
            let made = importer.session.facts.map { "\(type(of: $0))" } + ["\(StoredScreens.self)"]
            #expect(made.sorted() == StoreSchema.facts.map { "\($0)" }.sorted())
        }
    }

    @Test func `what somebody has added to a store is left alone`() throws {
        let folder = try TemporaryFolder()
        _ = try SQLiteStore(path: folder()).run([apns(body: "a")])
        _ = try folder.sqlite3(
            sql: """
                CREATE TABLE notes (text, upper AS (upper(text)));
                CREATE VIEW mine AS SELECT * FROM events;
                CREATE INDEX i ON notes (lower(text));
                CREATE INDEX by_time ON event (at, seq);
                """)
        #expect(try SQLiteStore(path: folder()).notifications().count == 1)
    }

    @Test func `the indexes by device are accepted, and white space says nothing`() throws {
        let folder = try TemporaryFolder()
        let store = try SQLiteStore(path: folder())
        _ = try store.run([apns(body: "a")])
        try store.buildIndexes()
        #expect(try SQLiteStore(path: folder(), access: .readOnly).notifications().count == 1)
        _ = try folder.sqlite3(
            sql: """
                PRAGMA writable_schema = ON;
                UPDATE sqlite_master SET sql = replace(sql, char(10), '  ') WHERE type = 'table';
                """)
        #expect(try SQLiteStore(path: folder()).notifications().count == 1)
    }

    @Test func `a report that SQLite cannot take does not make the store fail`() throws {
        let folder = try TemporaryFolder()
        let store = try SQLiteStore(path: folder())
        // Its pages are never touched.
        let report = UnsafeMutableRawBufferPointer.allocate(byteCount: 1_100_000_000, alignment: 1)
        defer { report.deallocate() }
        for count in [report.count, 0] {
            try store.transaction(replacing: nil) { transaction in
                try transaction.progress.checkpoint(InputProgress(path: "x")) {
                    report.baseAddress.map { BorrowedText(start: $0.assumingMemoryBound(to: UInt8.self), count: count) }
                }
            }
            #expect(try store.lastReport().isEmpty)
        }
        #expect(try store.progress(of: "x") != nil)
    }

    @Test func `a store without its progress begins to count anew and goes on from there`() throws {
        let folder = try TemporaryFolder()
        let store = try SQLiteStore(path: folder())
        _ = try folder.sqlite3(sql: "DELETE FROM progress;")
        _ = try store.run([apns(body: "a"), apns(body: "b")])
        let again = try SQLiteStore(path: folder())
        #expect(try again.lastSequence == 2)
    }
}
