import PushDevices
import PushModel
import PushSQLite
import TestSupport
import Testing

/// Reading a store in parts gives what reading all of it gives, in memory and in a file.
struct BrowsingTests {
    private static func stores(_ folder: TemporaryFolder) throws -> [any DeliveryStore & BrowsableStore] {
        [MemoryStore(), try SQLiteStore(path: folder())]
    }

    @Test(arguments: [11, 12] as [UInt64])
    func `pages of a screen together are the screen, newest first`(seed: UInt64) throws {
        let folder = try TemporaryFolder()
        let records = RandomPush.stream(seed: seed, count: 600).map(\.record)
        for store in try Self.stores(folder) {
            try store.run(records, replacementKey: "story")
            for summary in try store.apps(matching: nil, offset: 0, limit: 1000) {
                let expected = try Array(store.notifications(device: summary.device).reversed())
                var found: [DeliveredNotification] = []
                var place = UInt64.max
                while true {
                    let page = try store.newest(on: summary.device, app: nil, before: place, limit: 7)
                    found += page.map(\.notification)
                    guard page.count == 7, let last = page.last else { break }
                    place = last.place
                }
                #expect(found == expected)
                let ofApp = try store.newest(on: summary.device, app: summary.app, before: .max, limit: 5)
                #expect(ofApp.map(\.notification) == Array(expected.filter { $0.app == summary.app }.prefix(5)))
                #expect(try store.notifications(device: summary.device, app: summary.app).count == summary.count)
            }
        }
    }

    @Test func `both stores have the same apps in the same order, and the same lines in the same places`() throws {
        let folder = try TemporaryFolder()
        let stores = try Self.stores(folder)
        let records = RandomPush.stream(seed: 13, count: 400).map(\.record)
        for store in stores { try store.run(records) }
        let apps = try stores.map { try $0.apps(matching: nil, offset: 2, limit: 9) }
        #expect(apps[0] == apps[1])
        #expect(apps[0].count > 2)
        let device = try #require(apps[0].first?.device)
        #expect(try stores.map { try $0.apps(on: device).map(\.app) }.allSatisfy { !$0.isEmpty })
        for query in [
            JournalQuery(limit: 20), JournalQuery(device: device, limit: 5),
            JournalQuery(device: device, after: 30, limit: 5), JournalQuery(before: 30, limit: 5),
            JournalQuery(after: 10, before: 13, limit: 50), JournalQuery(after: .max, limit: 5),
        ] {
            let lines = try stores.map { try $0.journal(query) }
            #expect(lines[0] == lines[1], "\(query)")
            #expect(lines[0].map(\.place) == lines[0].map(\.place).sorted())
        }
        let places = try stores.map { try $0.journalPlaces() }
        #expect(places[0] == places[1])
        #expect(try places[0].count == stores[0].events().count)
    }

    @Test func `a search looks at devices and apps, in either case`() throws {
        let folder = try TemporaryFolder()
        for store in try Self.stores(folder) {
            try store.run([apns(device: "aa11"), apns(device: "bb22"), apns(device: "ab33")])
            #expect(try store.apps(matching: "B", offset: 0, limit: 10).map(\.device) == ["bb22", "ab33"])
            #expect(try store.apps(matching: "EXAMPLE.NEWS", offset: 1, limit: 1).map(\.device) == ["bb22"])
            #expect(try store.apps(matching: "nobody", offset: 0, limit: 10).isEmpty)
        }
    }

    /// What the journal says of a moment is what was on the screen at that moment.
    @Test(arguments: [14, 15] as [UInt64])
    func `the screen after a line of the journal is the screen of that time`(seed: UInt64) throws {
        let folder = try TemporaryFolder()
        for store in try Self.stores(folder) {
            var then: [(place: UInt64, lines: [String])] = []
            for push in RandomPush.stream(seed: seed, count: 200) {
                try store.run([push.record], replacementKey: "story")
                let shown = try store.notifications(device: "ab").reversed().map { "\($0.seq) \($0.identifier)" }
                then.append((try store.journalPlaces().upperBound - 1, shown))
            }
            #expect(then.contains { $0.lines.count > 1 })
            for (place, lines) in then where place > 0 {
                let past = try store.screen(of: "ab", app: nil, at: place, limit: 10_000)
                #expect(past.shown.map { "\($0.line.entry.seq) \($0.line.entry.identifier)" } == lines)
                #expect(past.isComplete)
            }
            #expect(try !store.screen(of: "ab", app: nil, at: .max, limit: 3).isComplete)
        }
    }

    @Test func `a journal in memory keeps its newest lines, and their places go on`() throws {
        let store = MemoryStore(journalLimit: 1500)
        for _ in 0..<40 { try store.run(Array(repeating: apns(), count: 100)) }
        #expect(try store.events().count == 1500)
        #expect(try store.journalPlaces() == 2501..<4001)
        #expect(try store.journal(JournalQuery(after: 0, limit: 2)).map(\.place) == [2501, 2502])
        #expect(try store.journal(JournalQuery(before: 2502, limit: 5)).map(\.place) == [2501])
        #expect(try store.journal(JournalQuery(limit: 1)).first?.entry.seq == 4000)
        try store.removeAll()
        #expect(try store.journalPlaces() == 4001..<4001)
        try store.run([apns()])
        #expect(try store.journalPlaces() == 4001..<4002)
    }

    @Test func `a screen of the past is incomplete once lines of the journal are gone`() throws {
        let store = MemoryStore(journalLimit: 3)
        try store.run([apns(), apns(), apns()])
        #expect(try store.screen(of: "ab", app: nil, at: 2, limit: 10).isComplete)
        try store.run([apns(device: "cd")])
        #expect(try store.journalPlaces().lowerBound == 2)
        // The line that is gone may have been this device's, or another's.
        for place in [1, 2, 4, .max] as [UInt64] {
            #expect(try !store.screen(of: "ab", app: nil, at: place, limit: 10).isComplete, "\(place)")
        }
        // Nothing is on a screen that has been forgotten.
        try store.removeAll()
        try store.run([apns()])
        #expect(try store.screen(of: "ab", app: nil, at: .max, limit: 10).isComplete)
    }

    @Test(arguments: [2000, .max] as [Int64])
    func `a journal that was pruned is incomplete`(before: Int64) throws {
        let folder = try TemporaryFolder()
        let store = try SQLiteStore(path: folder())
        try store.run([apns(), apns()])
        #expect(try store.screen(of: "ab", app: nil, at: .max, limit: 10).isComplete)
        try store.prune(Pruning(before: before, includesEvents: true))
        #expect(try store.events().count < 2)
        #expect(try !store.screen(of: "ab", app: nil, at: .max, limit: 10).isComplete)
        #expect(try !store.screen(of: "ab", app: nil, at: 1, limit: 10).isComplete)
    }

    @Test func `both stores find a name by itself, and ASCII letters in either case`() throws {
        let folder = try TemporaryFolder()
        for store in try Self.stores(folder) {
            try store.run([apns(device: "Ärzte"), apns(device: "cd")])
            for search in ["Ärzte", "ÄRZ", "ÄrZTE"] {
                #expect(try store.apps(matching: search, offset: 0, limit: 10).map(\.device) == ["Ärzte"], "\(search)")
            }
            #expect(try store.apps(matching: "ärzte", offset: 0, limit: 10).isEmpty)
        }
    }

    @Test func `both stores have the numbers on icons`() throws {
        let folder = try TemporaryFolder()
        for store in try Self.stores(folder) {
            try store.run([
                apns(app: "one", badge: 2), apns(app: "two"), apns(app: "three", badge: 0),
                apns(device: "cd", app: "one", badge: 9),
            ])
            let badges = try store.badges(on: "ab")
            #expect(badges.map(\.app) == ["one", "three"])
            #expect(badges.map(\.badge) == [2, 0])
            #expect(try store.badges(on: "nobody").isEmpty)
        }
    }

    @Test func `another process's commit changes the version, and nothing else does`() throws {
        let folder = try TemporaryFolder()
        let writer = try SQLiteStore(path: folder())
        try writer.run([apns()])
        let reader = try SQLiteStore(path: folder(), access: .readOnly)
        let version = try reader.version()
        #expect(try reader.newest(on: "ab", app: nil, before: .max, limit: 10).count == 1)
        #expect(try reader.version() == version)
        try writer.run([apns()])
        #expect(try reader.version() != version)
    }

    @Test func `a large store that may be written gets its indexes when it is browsed`() throws {
        let folder = try TemporaryFolder()
        let store = try SQLiteStore(path: folder())
        try store.run(Array(repeating: apns(), count: 17_000))
        #expect(try store.indexes().isEmpty)
        #expect(
            try store.newest(on: "ab", app: nil, before: .max, limit: 2).map(\.notification.seq) == [17_000, 16_999])
        #expect(try store.indexes() == StoreIndex.byDevice)
    }
}
