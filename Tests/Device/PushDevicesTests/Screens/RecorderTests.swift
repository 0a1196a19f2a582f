import PushDevices
import PushModel
import Testing

/// Which changes a recorder receives, and when.
struct RecorderTests {
    private typealias Line = LogRecorder.Line

    @Test func `a new notification is added, and then stands in the journal`() throws {
        let screens = Screens()
        try screens.sendOne(apns(collapseID: "c"))
        try screens.sendOne(apns())
        #expect(
            screens.recorder.lines == [
                Line.added(order: 1, seq: 1, at: 1, center: 0, identifier: "c"),
                .event(.delivered, seq: 1, at: 1, center: 0, identifier: "c"),
                .added(order: 2, seq: 2, at: 2, center: 0, identifier: "push-2"),
                .event(.delivered, seq: 2, at: 2, center: 0, identifier: "push-2"),
            ])
    }

    @Test func `one that is replaced goes before the new one comes, and the journal has one line`() throws {
        let screens = Screens()
        try screens.sendOne(apns(collapseID: "c"))
        screens.recorder.lines.removeAll()
        try screens.sendOne(apns(collapseID: "c"))
        #expect(
            screens.recorder.lines == [
                Line.removed(order: 1),
                .added(order: 2, seq: 2, at: 2, center: 0, identifier: "c"),
                .event(.replaced, seq: 2, at: 2, center: 0, identifier: "c"),
            ])
    }

    @Test func `an extension's removal stands in the journal before the delivery: the flicker`() throws {
        let screens = Screens(replacementKey: "story")
        try screens.sendOne(apns(customID: "s"))
        screens.recorder.lines.removeAll()
        try screens.sendOne(apns(customID: "s", isMutable: true))
        #expect(
            screens.recorder.lines == [
                Line.removed(order: 1),
                // Caused by the second record, about the notification of the first.
                .event(.removed, seq: 2, at: 2, center: 0, identifier: "push-1"),
                .added(order: 2, seq: 2, at: 2, center: 0, identifier: "push-2"),
                .event(.delivered, seq: 2, at: 2, center: 0, identifier: "push-2"),
            ])
    }

    @Test func `all removals come before the delivery, oldest first`() throws {
        let screens = Screens(replacementKey: "story")
        for identifier in ["a", "b", "c"] { try screens.sendOne(apns(collapseID: identifier, customID: "s")) }
        screens.recorder.lines.removeAll()
        try screens.sendOne(apns(collapseID: "d", customID: "s", isMutable: true))
        let lines = screens.recorder.lines
        try #require(lines.count == 8)
        var removed: [String] = []
        for pair in 0..<3 {
            guard case .removed(let order) = lines[2 * pair],
                case .event(.removed, 4, 4, 0, let identifier) = lines[2 * pair + 1]
            else {
                Issue.record("not a removal: \(lines)")
                continue
            }
            // Orders 1, 2, 3 are those of a, b, c.
            #expect(["a", "b", "c"][Int(order) - 1] == identifier)
            removed.append(identifier)
        }
        #expect(removed == ["a", "b", "c"])
        #expect(lines[6] == .added(order: 4, seq: 4, at: 4, center: 0, identifier: "d"))
        #expect(lines[7] == .event(.delivered, seq: 4, at: 4, center: 0, identifier: "d"))
    }

    @Test func `centers are counted from 0 in the order in which they are first touched`() throws {
        let screens = Screens()
        try screens.sendOne(apns(device: "ab", app: "x", body: nil))
        for (device, app) in [("ab", "c"), ("a", "bc"), ("ab", "d"), ("a", "bc"), ("ab", "c")] {
            try screens.sendOne(apns(device: device, app: app, body: nil, badge: 1))
        }
        // The first record has nothing to report.
        let badges = screens.recorder.lines.filter { if case .badge = $0 { true } else { false } }
        #expect(badges == [0, 1, 2, 1, 0].map { Line.badge(1, center: $0) })
    }

    @Test func `a notification with a badge sets it once`() throws {
        let screens = Screens()
        try screens.sendOne(apns(collapseID: "c", badge: 0))
        let badges = screens.recorder.lines.filter { $0 == .badge(0, center: 0) }
        #expect(badges.count == 1 && screens.recorder.lines.count == 3)
    }

    @Test func `orders rise from the given one`() throws {
        let screens = Screens(nextOrder: 50)
        try screens.sendOne(apns(collapseID: "c"))
        try screens.sendOne(apns(collapseID: "c"))
        let orders = screens.recorder.lines.compactMap { line -> UInt64? in
            if case .added(let order, _, _, _, _) = line { order } else { nil }
        }
        #expect(orders == [50, 51])
        #expect(screens.centers.nextOrder == 52)
    }
}
