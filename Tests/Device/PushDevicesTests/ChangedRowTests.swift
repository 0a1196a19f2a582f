import PushDecoding
import PushDevices
import PushJSON
import PushModel
import Testing

/// The rows that a store is told to write. Each dirties a page of its file.
struct ChangedRowTests {
    /// A store with nothing in it, which gives rows their ids.
    private final class Rows: DeviceRows {
        var hasDevices: Bool { false }
        var hasSubscribers: Bool { false }
        private(set) var held: [UInt64] = []

        func touch(_ device: BorrowedText) {}
        func nextExpiry() -> Int64? { nil }
        func touchDevicesWithExpired(at: Int64) {}
        func nextTokenDue(after at: Int64) -> Int64? { nil }
        func touchDevicesWithTokenDue(at: Int64) {}
        func touchDevices(subscribedTo topics: [String]?) {}
        func forEachRateWindow(of kind: RateKind, _ body: (_ name: String, RateWindow) -> Void) {}
        func deleteRateWindows() {}
        func insert(_ message: QueuedMessage, app: BorrowedText) { held.append(message.seq) }
        func delete(_ message: QueuedMessage) { held.removeAll { $0 == message.seq } }
    }

    private let rows = Rows()
    private let registry: DeviceRegistry

    init() throws {
        registry = DeviceRegistry(rows: rows)
        #expect(try written(device()) == ["device one", "app a"])
    }

    private func device(_ change: (inout DeviceEvent) -> Void = { _ in }) -> DeviceEvent {
        var event = DeviceEvent(.device, device: "one", app: "a")
        event.platform = .ios
        change(&event)
        return event
    }

    /// The rows that are written after some events.
    private func written(_ events: DeviceEvent...) throws -> [String] {
        for event in events { try registry.apply(event, at: 1) }
        return written()
    }

    private func written() -> [String] {
        var names: [String] = []
        registry.forEachChange { row in
            names.append("device \(row.name.string)")
            return 1
        } app: { row in
            names.append("app \(row.name.string)")
            return 1
        }
        return names
    }

    @Test func `an event writes the row that it changes`() throws {
        #expect(try written(device { $0.isOnline = false }) == ["device one"])
        #expect(try written(device { $0.lock = .locked }) == ["device one"])
        #expect(try written(device { $0.isDozing = true }) == ["device one"])
        #expect(try written(device { $0.platform = .android }) == ["device one", "app a"])
        #expect(try written(device { $0.authorization = .denied }).contains("app a"))
        #expect(try written(device { ($0.isOnline, $0.appState) = (true, .foreground) }) == ["device one", "app a"])
    }

    @Test func `an event that says what is known writes no row of its device`() throws {
        #expect(try written(device { $0.isOnline = true }, device { $0.isOnline = true }).isEmpty)
        #expect(try written(device { $0.lock = .unlocked }).isEmpty)
        #expect(try written(device { $0.showsAlerts = false }) == ["app a"])
    }

    @Test func `an event about its device alone writes an app that it makes known`() throws {
        var other = DeviceEvent(.device, device: "one", app: "b")
        other.isOnline = true
        #expect(try written(other) == ["app b"])
        var unknown = DeviceEvent(.device, device: "two")
        unknown.isOnline = false
        #expect(try written(unknown) == ["device two", "app "])
    }

    /// Queues a message for the app; returns false if it is dropped.
    private func isQueued(_ seq: UInt64, on platform: Platform) throws -> Bool {
        try BorrowedText.with("one") { name in
            try BorrowedText.with("a") { app in
                var message = DecodedMessage(record: 0, device: name)
                (message.provider, message.platform, message.topic) = (platform == .ios ? .apns : .fcm, platform, app)
                _ = try registry.decide(&message, seq: seq, at: 2)
                return if case .held = message.verdict { true } else { false }
            }
        }
    }

    @Test func `a message that waits for its device has a row, and its app gets no other`() throws {
        #expect(try written(device { $0.isOnline = false }) == ["device one"])
        #expect(try isQueued(7, on: .ios))
        #expect(rows.held == [7])
        #expect(written().isEmpty)
    }

    @Test func `one message too many changes the row of the app, which counts the dropped ones`() throws {
        let most = UInt64(OfflineStorage.maximumWithoutKey)
        _ = try written(device { ($0.platform, $0.isOnline) = (.android, false) })
        for seq in 1...most { #expect(try isQueued(seq, on: .android)) }
        #expect(written().isEmpty)
        #expect(try !isQueued(most + 1, on: .android))
        #expect(rows.held.isEmpty)
        #expect(written() == ["app a"])
    }
}
