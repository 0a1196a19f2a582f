import DeviceScreens
import PushDecoding
import PushModel
import PushSQLite
import PushStore
import TestSupport
import Testing

/// Stores written by an earlier version.
struct OlderStoreTests {
    /// A store with one notification, from before extensions' changes were stored.
    private func older() throws -> TemporaryFolder {
        let folder = try TemporaryFolder()
        let store = try SQLiteStore(path: folder())
        try store.run([apns(collapseID: "nw", body: "old")])
        _ = try folder.sqlite3(
            sql: """
                DROP VIEW extension_changes;
                ALTER TABLE notification DROP COLUMN changes;
                DROP VIEW devices;
                DROP VIEW held_messages;
                DROP TABLE held;
                DROP TABLE subscription;
                DROP TABLE rate_window;
                DROP TABLE installation;
                DROP TABLE device;
                DROP TABLE input;
                DROP TABLE last_report;
                DROP TABLE redaction;
                DROP VIEW live_activities;
                DROP TABLE live_activity;
                DROP TABLE last_record;
                DROP TABLE part;
                DROP TABLE stream_offset;
                DROP TABLE removal;
                DROP VIEW stale_duplicates;
                DROP INDEX notification_stale;
                ALTER TABLE notification DROP COLUMN stale_since;
                DELETE FROM grdb_migrations WHERE identifier <> '1 screens and journal';
                """)
        return folder
    }

    @Test func `a store of the first version is read as it is`() throws {
        let folder = try older()
        let store = try SQLiteStore(path: folder(), access: .readOnly)
        #expect(try store.notifications().map(\.content.body) == ["old"])
        #expect(try store.liveActivities().isEmpty)
        #expect(try folder.sqlite3(sql: "SELECT count(*) FROM grdb_migrations;") == ["1"])
    }

    @Test func `a store from before start tokens is read as it is, and gets them`() throws {
        let folder = try TemporaryFolder()
        func apply(_ event: LiveActivityPush.Event, _ device: String, seq: UInt64) throws {
            var push = LiveActivityPush(event: event, device: device, app: "org.example.sport")
            push.contentState = "{}"
            push.mayBeOfOtherDevice = true
            if event == .start {
                push.attributesType = "T"
                push.attributes = "{}"
                push.alert = LiveActivityPush.Alert(title: "Kick-off")
            }
            try SQLiteStore(path: folder()).transaction(replacing: nil) {
                _ = try $0.screens.apply(push, seq: seq, target: nil, at: 1000)
            }
        }
        try apply(.start, "start", seq: 1)
        _ = try folder.sqlite3(
            sql: """
                DROP INDEX live_activity_by_token;
                DROP INDEX live_activity_without_token;
                ALTER TABLE live_activity DROP COLUMN start_token;
                DELETE FROM grdb_migrations WHERE identifier = '12 tokens of live activities';
                """)
        let older = try SQLiteStore(path: folder(), access: .readOnly)
        #expect(try older.liveActivities().map(\.token) == ["start"])
        var exported = 0
        try older.forEachRecord(of: .liveActivity) { _ in exported += 1 }
        #expect(exported == 1)
        try apply(.update, "update", seq: 2)
        let found = try SQLiteStore(path: folder()).liveActivities()
        #expect(found.map { "\($0.identifier) \($0.token) \($0.startToken ?? "")" } == ["activity-1 update start"])
    }

    @Test func `a store from before the records of files were counted takes those of its run`() throws {
        let folder = try TemporaryFolder()
        _ = try SQLiteStore(path: folder())
        _ = try folder.sqlite3(
            sql: """
                DROP TABLE removal;
                DROP VIEW stale_duplicates;
                DROP INDEX notification_stale;
                ALTER TABLE notification DROP COLUMN stale_since;
                DROP TABLE part;
                DROP TABLE stream_offset;
                ALTER TABLE input DROP COLUMN file_records;
                DROP INDEX live_activity_by_token;
                DROP INDEX live_activity_without_token;
                ALTER TABLE live_activity DROP COLUMN start_token;
                DELETE FROM grdb_migrations
                WHERE identifier IN (
                    '9 records of inputs', '10 parts', '11 late removals', '12 tokens of live activities');
                INSERT INTO input (path, offset, digest, digest_rest, framing, is_dropping, records)
                    VALUES ('/in', 70, 0, 0, 'ndjson', 0, 5);
                """)
        let progress = try SQLiteStore(path: folder()).progress(of: "/in")
        #expect(progress?.offset == 70)
        #expect(progress?.fileRecords == 5)
    }

    @Test func `a store whose making was ended is made to the end`() throws {
        let folder = try TemporaryFolder()
        _ = try folder.sqlite3(
            sql: "PRAGMA journal_mode = WAL; CREATE TABLE grdb_migrations (identifier TEXT NOT NULL PRIMARY KEY);")
        let store = try SQLiteStore(path: folder())
        try store.run([apns(collapseID: "nw", body: "new")])
        #expect(try store.notifications().map(\.content.body) == ["new"])
    }

    @Test func `a database that another program keeps is left alone`() throws {
        let folder = try TemporaryFolder()
        _ = try folder.sqlite3(
            sql: "CREATE TABLE grdb_migrations (identifier TEXT NOT NULL PRIMARY KEY); CREATE TABLE other (x);")
        #expect(throws: StoreError.self) { try SQLiteStore(path: folder()) }
    }

    @Test func `a run brings a store of the first version up to date`() throws {
        let folder = try older()
        let store = try SQLiteStore(path: folder())
        try store.run([apns(collapseID: "nw", body: "new")])
        #expect(try store.notifications().map(\.content.body) == ["new"])
        #expect(try folder.sqlite3(sql: "SELECT count(*) FROM extension_changes;") == ["0"])
    }
}
