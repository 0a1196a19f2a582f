import DeviceScreens
import PushModel
import PushSQLite
import PushStore
import TestSupport
import Testing

/// A transaction writes its rows at the end, or when something reads them.
struct PendingRowTests {
    @Test func `a notification replaced in its transaction leaves no row, and two lines in the journal`() throws {
        let folder = try TemporaryFolder()
        let store = try SQLiteStore(path: folder())
        let deliveries = try store.run([
            apns(collapseID: "a", body: "1"), apns(collapseID: "b", body: "2"), apns(collapseID: "a", body: "3"),
            apns(collapseID: "a", body: "4"),
        ])
        #expect(deliveries.map(\.outcome) == [.delivered, .delivered, .replaced, .replaced])
        // The order of delivery counts those that are gone.
        #expect(
            try folder.sqlite3(sql: "SELECT id, seq, body FROM notification ORDER BY id;") == ["2,2,'2'", "4,4,'4'"])
        #expect(
            try folder.sqlite3(sql: "SELECT seq, kind, identifier FROM event ORDER BY id;")
                == ["1,'delivered','a'", "2,'delivered','b'", "3,'replaced','a'", "4,'replaced','a'"])
    }

    @Test func `a notification of an earlier transaction is deleted from the file`() throws {
        let folder = try TemporaryFolder()
        let store = try SQLiteStore(path: folder())
        try store.run([apns(collapseID: "a", body: "1"), apns(collapseID: "b", body: "2")])
        try store.run([apns(collapseID: "a", body: "3"), apns(collapseID: "a", body: "4")])
        #expect(
            try folder.sqlite3(sql: "SELECT id, seq, body FROM notification ORDER BY id;") == ["2,2,'2'", "4,4,'4'"])
    }

    @Test(arguments: [true, false])
    func `an extension sees and removes what its own transaction delivered`(isKnown: Bool) throws {
        let folder = try TemporaryFolder()
        let store = try SQLiteStore(path: folder())
        if isKnown { try store.run([apns(collapseID: "old", body: "0")]) }
        let next = try SQLiteStore(path: folder())
        try next.transaction(replacing: nil) { session in
            try session.deliverAll([apns(collapseID: "a", body: "1"), apns(collapseID: "a", body: "2")])
            let old: [UInt64] = isKnown ? [1] : []
            let first = UInt64(old.count)
            func shown() throws -> [UInt64] {
                var found: [UInt64] = []
                try withMessage(of: apns()) { message in
                    try session.screens.forEachShown(for: message) { found.append($0.seq) }
                }
                return found
            }
            #expect(try shown() == old + [first + 2])
            try session.deliverAll([apns(collapseID: "b", body: "3")])
            #expect(try shown() == old + [first + 2, first + 3])
            try withMessage(of: apns()) { _ = try session.screens.remove(["a"], askedBy: $0, seq: 9, at: 9000) }
            #expect(try shown() == old + [first + 3])
            try session.deliverAll([apns(collapseID: "b", body: "4")])
        }
        #expect(try next.lines() == (isKnown ? ["old: 0", "b: 4"] : ["b: 4"]))
        #expect(
            try next.events().map(\.kind) == (isKnown ? [.delivered] : [])
                + [.delivered, .replaced, .delivered, .removed, .replaced])
    }

    @Test func `events find what their own transaction delivered, and need no index`() throws {
        let folder = try TemporaryFolder()
        let store = try SQLiteStore(path: folder())
        try store.transaction(replacing: nil) { session in
            try session.deliverAll([
                apns(collapseID: "a", body: "1"), apns(collapseID: "b", body: "2"), apns(collapseID: "a", body: "3"),
            ])
            try withMessage(of: apns()) { message in
                #expect(try session.screens.identifiers(for: message) == ["b", "a"])
                let content = try session.screens.content(of: "a", for: message)
                #expect(content?.seq == 3)
                #expect(content?.payload.contains("\"3\"") == true)
                _ = try session.screens.remove(["a"], askedBy: message, seq: 9, at: 9000)
                #expect(try session.screens.identifiers(for: message) == ["b"])
                #expect(try session.screens.content(of: "a", for: message) == nil)
            }
        }
        #expect(try store.indexes().isEmpty)
        #expect(try store.lines() == ["b: 2"])
    }

    @Test func `what an extension asks about an app that has shown nothing needs no index`() throws {
        let folder = try TemporaryFolder()
        let store = try SQLiteStore(path: folder())
        try store.transaction(replacing: nil) { session in
            try withMessage(of: apns(device: "new")) { message in
                try session.screens.forEachShown(for: message) { _ in Issue.record("nothing is shown") }
            }
        }
        #expect(try store.indexes().isEmpty)
    }

    /// Texts of one record, some with escapes, are gone when the next one is delivered.
    @Test func `rows keep texts that are gone by the time they are written`() throws {
        let folder = try TemporaryFolder()
        let store = try SQLiteStore(path: folder())
        try store.run((0..<100).map { apns(collapseID: "c\($0)", body: "caf\\u00e9 \($0)\\n") })
        #expect(
            try store.notifications().map(\.content.body) == (0..<100).map { "caf\u{e9} \($0)\n" })
        #expect(try store.events().map(\.identifier) == (0..<100).map { "c\($0)" })
    }

    /// Far more than is collected before it is written.
    @Test func `a transaction of large notifications is complete`() throws {
        let folder = try TemporaryFolder()
        let store = try SQLiteStore(path: folder())
        let long = String(repeating: "x", count: 1 << 20)
        // 160 MiB of texts.
        try store.run((0..<80).map { apns(collapseID: "c\($0 / 2)", body: long + "\($0)") })
        #expect(
            try folder.sqlite3(sql: "SELECT count(*), min(seq % 2), sum(length(body)) FROM notification;")
                == ["40,0,\(40 * (1 << 20) + 5 + 35 * 2)"])
        #expect(try folder.sqlite3(sql: "SELECT count(*) FROM event;") == ["80"])
    }
}
