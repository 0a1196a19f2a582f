import PushDevices
import PushModel
import TestSupport
import Testing

@testable import PushSQLite

struct PruningTests {
    /// A store with 600 random deliveries; the clock advances a second per number.
    private func filled(_ folder: TemporaryFolder, seed: UInt64) throws -> SQLiteStore {
        let store = try SQLiteStore(path: folder())
        for chunk in RandomPush.chunks(RandomPush.stream(seed: seed, count: 600), seed: seed, atMost: 60) {
            try store.run(chunk.map(\.record), replacementKey: "story")
        }
        return store
    }

    /// The notifications that remain, of a list in the order of delivery, by the wording of the documentation.
    private func rest(_ notifications: [DeliveredNotification], _ pruning: Pruning) -> [DeliveredNotification] {
        var newer: [String: Int] = [:]
        let kept = notifications.reversed().filter { notification in
            let screen = "\(notification.device) \(notification.app)"
            let newerOnScreen = newer[screen, default: 0]
            newer[screen] = newerOnScreen + 1
            if let device = pruning.device, device != notification.device { return true }
            if let app = pruning.app, app != notification.app { return true }
            if let keep = pruning.keep, newerOnScreen >= keep { return false }
            if let before = pruning.before, notification.deliveredAt < before { return false }
            return true
        }
        return kept.reversed()
    }

    static let prunings: [Pruning] = [
        Pruning(before: 300_000), Pruning(before: 1), Pruning(before: 700_000), Pruning(keep: 0), Pruning(keep: 1),
        Pruning(keep: 7), Pruning(keep: 10_000), Pruning(before: 400_000, keep: 20), Pruning(keep: 2, device: "ab"),
        Pruning(before: 500_000, app: "c"), Pruning(keep: 3, app: "c"), Pruning(keep: 1, device: "b", app: "c"),
        Pruning(keep: 0, device: "nobody"), Pruning(),
    ]

    @Test(arguments: prunings, Effort.some([7, 1, 1 << 16], fast: 1))
    func `what is older or has enough newer ones above it goes, and nothing else`(
        pruning: Pruning, rowsPerTransaction: Int
    ) throws {
        let folder = try TemporaryFolder()
        let store = try filled(folder, seed: 51)
        let before = try store.notifications()
        try #require(before.count > 100)
        let expected = rest(before, pruning)
        let rehearsal = try store.prune(pruning, rowsPerTransaction: rowsPerTransaction, isRehearsal: true)
        #expect(try store.notifications() == before)
        let summary = try store.prune(pruning, rowsPerTransaction: rowsPerTransaction, isRehearsal: false)
        #expect(try store.notifications() == expected)
        #expect(summary.notifications == before.count - expected.count)
        #expect(summary == rehearsal)
        #expect(try folder.sqlite3(sql: "PRAGMA integrity_check; PRAGMA foreign_key_check;") == ["'ok'"])
    }

    @Test(arguments: [nil, "ab"], [nil, "c"])
    func `the journal is pruned by time alone, when it is asked for`(device: String?, app: String?) throws {
        let folder = try TemporaryFolder()
        let store = try filled(folder, seed: 52)
        let before = try store.events()
        #expect(try store.prune(Pruning(before: 300_000, device: device, app: app)).events == 0)
        #expect(try store.events() == before)
        let pruning = Pruning(before: 300_000, keep: 1, device: device, app: app, includesEvents: true)
        let summary = try store.prune(pruning)
        let expected = before.filter {
            $0.at >= 300_000 || (device != nil && $0.device != device) || (app != nil && $0.app != app)
        }
        #expect(try store.events() == expected)
        #expect(summary.events == before.count - expected.count)
        #expect(summary.events > 20)
    }

    @Test(arguments: [nil, "a"])
    func `an app on a device of which nothing is left is forgotten, and one with a badge or a journal is not`(
        device: String?
    ) throws {
        let folder = try TemporaryFolder()
        let store = try SQLiteStore(path: folder())
        try store.run([
            apns(device: "a", app: "plain"), apns(device: "a", app: "badge", badge: 2), apns(device: "a", app: "later"),
            apns(device: "b", app: "other"),
        ])
        let apps = "SELECT app FROM center WHERE device = 'a' ORDER BY id;"
        try store.prune(Pruning(keep: 0, device: device))
        #expect(try folder.sqlite3(sql: apps) == ["'plain'", "'badge'", "'later'"])
        try store.prune(Pruning(before: 3000, device: device, includesEvents: true))
        #expect(try folder.sqlite3(sql: apps) == ["'badge'", "'later'"])
        #expect(try folder.sqlite3(sql: "SELECT count(*) FROM center WHERE device = 'b';") == ["1"])
        #expect(try folder.sqlite3(sql: "SELECT app, badge FROM badges;") == ["'badge',2"])
        // And it is added again when something arrives.
        #expect(try store.run([apns(device: "a", app: "plain")]) == [Delivery(outcome: .delivered)])
        #expect(try store.notifications(device: "a").map(\.identifier) == ["push-5"])
    }

    @Test func `a store goes on delivering after it was pruned, and counts on`() throws {
        let folder = try TemporaryFolder()
        let store = try SQLiteStore(path: folder())
        try store.run([apns(collapseID: "old"), apns(collapseID: "new")])
        #expect(try store.prune(Pruning(keep: 1)).notifications == 1)
        #expect(
            try store.run([apns(collapseID: "old"), apns(collapseID: "new")]) == [
                Delivery(outcome: .delivered), Delivery(outcome: .replaced, replaces: 2),
            ])
        #expect(try store.prune(Pruning(keep: 0)).notifications == 2)
        try store.run([apns()])
        #expect(try SQLiteStore(path: folder()).notifications().map(\.identifier) == ["push-5"])
    }

    @Test func `who is reading meanwhile is not disturbed`() throws {
        let folder = try TemporaryFolder()
        let store = try filled(folder, seed: 53)
        let before = try store.notifications()
        let reader = try SQLiteStore(path: folder(), access: .readOnly)
        var seen: [DeliveredNotification] = []
        try reader.forEachNotification(device: nil, app: nil) { notification in
            if seen.isEmpty {
                let summary = try store.prune(Pruning(keep: 0), rowsPerTransaction: 10, isRehearsal: false)
                #expect(summary.notifications == before.count)
            }
            seen.append(notification)
        }
        #expect(seen == before)
        #expect(try reader.notifications().isEmpty)
    }

    @Test func `a store that is only read can be rehearsed, and not pruned`() throws {
        let folder = try TemporaryFolder()
        try SQLiteStore(path: folder()).run([apns(), apns()])
        let reader = try SQLiteStore(path: folder(), access: .readOnly)
        #expect(try reader.rehearse(Pruning(keep: 1)).notifications == 1)
        let error = #expect(throws: StoreError.self) { try reader.prune(Pruning(keep: 1)) }
        #expect(error?.code == .readOnly)
        #expect(try reader.notifications().count == 2)
    }

    @Test func `a compacted store is smaller, and the same`() throws {
        let folder = try TemporaryFolder()
        let store = try SQLiteStore(path: folder())
        try store.run((0..<2000).map { apns(body: String(repeating: "text ", count: 20) + "\($0)") })
        try store.prune(Pruning(keep: 10, includesEvents: false))
        let rest = (try store.notifications(), try store.events())
        let pages = { try #require(Int(try folder.sqlite3(sql: "PRAGMA page_count;")[0])) }
        let size = try pages()
        try store.compact()
        let compacted = try pages()
        #expect(compacted < size / 2)
        #expect(try #require(folder.bytes(of: "store.db")).count == compacted * SQLiteStore.pageBytes)
        #expect(try store.notifications() == rest.0)
        #expect(try store.events() == rest.1)
        #expect(permissions(of: folder()) == 0o600)
    }
}
