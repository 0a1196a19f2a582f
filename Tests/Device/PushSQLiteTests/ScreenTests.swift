import PushDevices
import PushModel
import PushSQLite
import TestSupport
import Testing

struct ScreenTests {
    private struct Screen: Equatable {
        var place: String
        var lines: [String]
    }

    private func screens(_ store: any DeliveryStore, device: String? = nil, app: String? = nil) throws -> [Screen] {
        var screens: [Screen] = []
        try store.forEachScreen(device: device, app: app) { shown in
            let first = try #require(shown.first)
            screens.append(
                Screen(
                    place: "\(first.device) \(first.app)",
                    lines: shown.map {
                        "\($0.seq) \($0.device) \($0.identifier) \($0.content) \($0.deliveredAt)"
                    }))
        }
        return screens
    }

    @Test(arguments: [nil, "ab", "nobody"], [nil, "c"])
    func `both stores show the same screens in the same order`(device: String?, app: String?) throws {
        let folder = try TemporaryFolder()
        let memory = MemoryStore()
        let file = try SQLiteStore(path: folder())
        let records = RandomPush.stream(seed: 71, count: 500).map(\.record)
        try memory.run(records)
        try file.run(records)
        let shown = try screens(file, device: device, app: app)
        #expect(try shown == screens(memory, device: device, app: app))
        #expect(shown.isEmpty == (device == "nobody"))
    }

    @Test func `the screen of the oldest notification comes first, and empty ones not at all`() throws {
        let folder = try TemporaryFolder()
        for store: any DeliveryStore in [MemoryStore(), try SQLiteStore(path: folder())] {
            try store.run([
                apns(device: "x", body: nil, badge: 1), apns(device: "a", collapseID: "c"), apns(device: "b"),
                apns(device: "a", collapseID: "c"), apns(device: "b"),
            ])
            #expect(
                try screens(store).map { [$0.place, "\($0.lines.count)"] } == [
                    ["b org.example.news", "2"], ["a org.example.news", "1"],
                ])
        }
    }

    @Test func `what is read in one go is of one moment`() throws {
        let folder = try TemporaryFolder()
        let store = try SQLiteStore(path: folder())
        try store.run([apns(badge: 1)])
        let reader = try SQLiteStore(path: folder(), access: .readOnly)
        try reader.atOneMoment {
            #expect(try reader.lastSequence == 1)
            try store.run([apns(device: "new", badge: 2)])
            #expect(try reader.lastSequence == 1)
            #expect(try reader.notifications().count == 1)
            #expect(try reader.events().count == 1)
            var devices: [String] = []
            try reader.forEachBadge { device, _, _ in devices.append(device) }
            #expect(devices == ["ab"])
        }
        #expect(try reader.lastSequence == 2)
        #expect(try reader.notifications().count == 2)
    }
}
