import DeviceScreens
import PushModel
import PushSQLite
import PushStore
import TestSupport
import Testing

/// Several stores are read as if they were one.
struct PartedStoreTests {
    /// What each way of reading finds, as text.
    private func readings(_ store: any ReadableStore, device: String? = nil, app: String? = nil) throws -> [String] {
        var found: [String] = []
        for newestFirst in [false, true] {
            try store.forEachNotification(device: device, app: app, newestFirst: newestFirst) { found.append("\($0)") }
        }
        try store.forEachScreen(device: device, app: app) { screen in
            found.append("\(screen.map { [$0.device, $0.app, $0.identifier] })")
        }
        try store.forEachEvent(device: device) { found.append("\($0)") }
        try store.forEachLiveActivity(device: device, app: app) { activity in
            var activity = activity
            activity.row = nil
            found.append("\(activity)")
        }
        found.append("\(try store.lockedDevices().sorted())")
        try store.forEachCenter { found.append("\($0)") }
        try store.forEachBadge { found.append("\($0) \($1) \($2 ?? -1)") }
        try store.forEachRegisteredApp(device: device) { found.append("\($0)") }
        try store.forEachHeld { found.append("\($0)") }
        return found
    }

    @Test(arguments: Effort.some([7, 2], fast: 1), Effort.some([1, 2] as [UInt64], fast: 1))
    func `parts answer as the store of the whole input does`(count: Int, seed: UInt64) throws {
        let folder = try TemporaryFolder()
        let input = PartedInput(seed: seed, records: Effort.rounds(150, fast: 90))
        let whole = try input.makeStore(folder("whole.db"))
        let paths = try input.makeParts(count, in: folder)
        for hasIndexes in [false, true] {
            if hasIndexes { for path in paths + [folder("whole.db")] { try SQLiteStore(path: path).buildIndexes() } }
            let parts = try PartedStore.open(paths.shuffled())
            try #require(try export(parts) == export(whole))
            #expect(try readings(parts) == readings(whole))
            #expect(try readings(parts, device: "device-3") == readings(whole, device: "device-3"))
            #expect(try readings(parts, app: "org.example.mail") == readings(whole, app: "org.example.mail"))
        }
    }

    @Test func `a device is found by its beginning, and by its whole name in its part alone`() throws {
        let folder = try TemporaryFolder()
        let input = PartedInput(seed: 3, records: 100)
        let paths = try input.makeParts(3, in: folder)
        let parts = try PartedStore.open(paths)
        #expect(try parts.device(named: "device-11") == "device-11")
        #expect(try parts.device(named: "device-1") == "device-1")
        let several = #expect(throws: DeviceNameError.self) { try parts.device(named: "device-") }
        #expect(try #require(several).candidates.first == "device-0")
        #expect(try #require(several).hasMore)
        #expect(throws: DeviceNameError.self) { try parts.device(named: "x") }

        // The others are not looked at: they need not be stores.
        let part = PartedInput.part(of: "device-11", among: 3)
        for other in 0..<3 where other != part {
            try folder.write("not a store, and long enough", to: "part-0000\(other).db")
        }
        let order = [paths[part]] + paths
        let only = try PartedStore.open(order, device: "device-11")
        #expect(only is SQLiteStore)
        #expect(try only.events(device: "device-11").isEmpty == false)
        let elsewhere = (0..<40).map { "device-\($0)" }.first { PartedInput.part(of: $0, among: 3) != part }
        #expect(throws: StoreError.self) { try PartedStore.open(order, device: elsewhere) }
    }

    @Test func `stores that are not parts follow each other, and may not share devices`() throws {
        let folder = try TemporaryFolder()
        try SQLiteStore(path: folder("b.db")).run([apns(device: "x", body: "1"), apns(device: "y", body: "2")])
        try SQLiteStore(path: folder("a.db")).run([apns(device: "ab", body: "3"), apns(device: "cd", body: "4")])
        let both = try PartedStore.open([folder("b.db"), folder("a.db")])
        #expect(try both.notifications().map(\.content.body) == ["1", "2", "3", "4"])
        #expect(try both.events().map(\.device) == ["x", "y", "ab", "cd"])
        var newest: [String?] = []
        try both.forEachNotification(device: nil, app: nil, newestFirst: true) { newest.append($0.content.body) }
        #expect(newest == ["4", "3", "2", "1"])
        // A folder has them by name.
        #expect(try PartedStore.open([folder.path]).events().map(\.device) == ["ab", "cd", "x", "y"])

        try SQLiteStore(path: folder("c.db")).run([apns(device: "y")])
        let error = #expect(throws: StoreError.self) { try PartedStore.open([folder("b.db"), folder("c.db")]) }
        #expect(try #require(error).message.contains("has the device y, and so has"))
    }

    @Test func `parts of different partitions are not read together`() throws {
        let folder = try TemporaryFolder()
        let other = try TemporaryFolder()
        let input = PartedInput(seed: 4, records: 20)
        let paths = [try input.makeParts(2, in: folder)[0], try input.makeParts(3, in: other)[1]]
        let error = #expect(throws: StoreError.self) { try PartedStore.open(paths) }
        #expect(try #require(error).message.contains("name parts of one partition"))
    }
}
