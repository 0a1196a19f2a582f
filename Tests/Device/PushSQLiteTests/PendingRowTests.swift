import PushDecoding
import PushDevices
import PushJSON
import PushModel
import PushSQLite
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

    /// A chunk's input stays until its transaction ends, so texts in it are read when the rows are written. Any other text may be gone by then.
    @Test(arguments: [true, false])
    func `texts are copied unless they are in an input that stays`(stays: Bool) throws {
        let folder = try TemporaryFolder()
        let store = try SQLiteStore(path: folder())
        var input = Array(apns(collapseID: "a", body: "before").utf8)
        let offset = try #require(input.firstRange(of: "before".utf8)?.lowerBound)
        try input.withUnsafeMutableBytes { bytes in
            try store.transaction(replacing: nil) { session in
                if stays { session.screens.prepare(for: UnsafeRawBufferPointer(bytes), messages: 1) }
                var decoder = RecordDecoder(options: DecodingOptions())
                var batch = MessageBatch()
                decoder.decode(UnsafeRawBufferPointer(bytes), record: 0, into: &batch)
                for message in batch.messages { _ = try session.screens.deliver(message, seq: 1, at: 1000) }
                bytes[offset...].copyBytes(from: "after!".utf8)
            }
        }
        let body = stays ? "after!" : "before"
        #expect(
            try folder.sqlite3(sql: "SELECT body, payload FROM notification;")
                == [#"'\#(body)','{"aps":{"alert":{"body":"\#(body)"}}}'"#])
        // The input of a transaction is forgotten when it ends.
        try store.run([apns(collapseID: "b", body: "later")])
        #expect(try folder.sqlite3(sql: "SELECT count(*) FROM notification WHERE body = 'later';") == ["1"])
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

    /// More apps than a statement adds at once.
    @Test func `apps that a transaction adds are found within it, and have the last number on their icons`() throws {
        let folder = try TemporaryFolder()
        let store = try SQLiteStore(path: folder())
        try store.transaction(replacing: nil) { session in
            try session.deliverAll((0..<20).map { (number: Int) in apns(app: "a\(number)", badge: number) })
            func apps() throws -> [String] { try BorrowedText.with("ab") { try session.screens.apps(of: $0) } }
            #expect(try apps() == (0..<20).map { "a\($0)" })
            // One was added before and one was not.
            try session.deliverAll([
                apns(app: "a3", badge: 7), apns(app: "last", badge: 1), apns(app: "last", badge: 2),
            ])
            #expect(try apps() == (0..<20).map { "a\($0)" } + ["last"])
        }
        let badges = (0..<20).map { "\($0 + 1),'a\($0)',\($0 == 3 ? 7 : $0)" }
        #expect(
            try folder.sqlite3(sql: "SELECT id, app, badge FROM center ORDER BY id;") == badges + ["21,'last',2"])
    }

    @Test func `apps are added after those that somebody else has added`() throws {
        let folder = try TemporaryFolder()
        let store = try SQLiteStore(path: folder())
        try store.run([apns(device: "first", body: "1")])
        try store.importing { importer in
            for device in ["imported", "first"] { try importer.addScreen(device: device, app: "", badge: 4) }
        }
        try store.run([apns(device: "second", body: "2"), apns(device: "imported", app: "org.example.news")])
        try SQLiteStore(path: folder()).run([apns(device: "elsewhere", body: "3")])
        let deliveries = try store.run([
            apns(device: "elsewhere", collapseID: "c"), apns(device: "elsewhere", collapseID: "c"),
            apns(device: "third"),
        ])
        #expect(deliveries.map(\.outcome) == [.delivered, .replaced, .delivered])
        let devices = ["first", "imported", "first", "second", "imported", "elsewhere", "third"]
        #expect(
            try folder.sqlite3(sql: "SELECT id, device FROM center ORDER BY id;")
                == devices.enumerated().map { "\($0.offset + 1),'\($0.element)'" })
    }

    @Test func `apps of a transaction that failed are added by the next one`() throws {
        let folder = try TemporaryFolder()
        let store = try SQLiteStore(path: folder())
        #expect(throws: Interruption.self) {
            try store.transaction(replacing: nil) { session in
                try session.deliverAll([apns(device: "lost"), apns(device: "both", badge: 1)])
                throw Interruption()
            }
        }
        try store.run([apns(device: "both"), apns(device: "new", badge: 3)])
        #expect(
            try folder.sqlite3(sql: "SELECT id, device, badge FROM center ORDER BY id;")
                == ["1,'both',NULL", "2,'new',3"])
    }
}
