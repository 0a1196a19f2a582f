import NotificationStore
import PushModel
import Testing

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

    @Test func `a store without its progress begins to count anew and goes on from there`() throws {
        let folder = try TemporaryFolder()
        let store = try SQLiteStore(path: folder())
        _ = try folder.sqlite3(sql: "DELETE FROM progress;")
        _ = try store.run([apns(body: "a"), apns(body: "b")])
        let again = try SQLiteStore(path: folder())
        #expect(try again.lastSequence == 2)
    }
}
