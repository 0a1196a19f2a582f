import PushDecoding
import PushDevices
import PushJSON
import PushModel
import PushSQLite
import TestSupport
import Testing

/// What a trace gets from a store.
struct DeliveryLogTests {
    private func stores(_ folder: TemporaryFolder) throws -> [any DeliveryStore] {
        [MemoryStore(), try SQLiteStore(path: folder())]
    }

    @Test func `a log is told what the journal is told, while it is set`() throws {
        let folder = try TemporaryFolder()
        for store in try stores(folder) {
            let log = DeliveryLog()
            let records = [apns(collapseID: "a"), apns(collapseID: "a"), apns(ids: ["story": "s"], isMutable: true)]
            try store.run([apns()])
            try store.transaction(replacing: ReplacementRule(key: "story")) { session in
                session.screens.log = log
                try session.deliverAll(records + [records[2]], replacing: ReplacementRule(key: "story"))
                session.screens.log = nil
                try session.deliverAll([apns()])
            }
            let journal = try store.events()
            #expect(log.entries.map(\.kind) == [.delivered, .replaced, .delivered, .removed, .delivered])
            #expect(log.entries == Array(journal[1..<6]))
        }
    }

    @Test func `a log is kept where no journal is`() throws {
        let store = MemoryStore(keepsJournal: false)
        let log = DeliveryLog()
        try store.transaction(replacing: nil) { session in
            session.screens.log = log
            try session.deliverAll([apns(collapseID: "a")])
        }
        #expect(log.entries.map(\.identifier) == ["a"])
        #expect(try store.events().isEmpty)
    }

    /// The screen of the app that a record is for, as a session returns it.
    private func screen(_ store: any DeliveryStore, _ record: String) throws -> ScreenState? {
        var decoder = RecordDecoder(options: DecodingOptions())
        var batch = MessageBatch()
        var state: ScreenState?
        try Array(record.utf8).withUnsafeBytes { text in
            decoder.decode(text, record: 0, into: &batch)
            for message in batch.messages {
                try store.transaction(replacing: nil) { state = try $0.screens.screen(for: message) }
            }
        }
        return state
    }

    @Test func `a screen is counted with its badge, and looking at it changes nothing`() throws {
        let folder = try TemporaryFolder()
        for var store in try stores(folder) {
            try store.run([apns(collapseID: "a"), apns(collapseID: "a"), apns(badge: 4), apns(device: "cd")])
            for isReopened in [false, true] {
                if isReopened, store is SQLiteStore { store = try SQLiteStore(path: folder()) }
                #expect(try screen(store, apns()) == ScreenState(count: 2, badge: 4))
                #expect(try screen(store, apns(device: "cd")) == ScreenState(count: 1, badge: nil))
                #expect(try screen(store, apns(device: "ef")) == ScreenState(count: 0, badge: nil))
            }
        }
        #expect(try folder.sqlite3(sql: "SELECT count(*) FROM center;") == ["2"])
    }
}
