import PushDevices
import PushJSON
import PushModel
import Testing

/// Restoring state that another store kept.
struct RestoreTests {
    private static var device: BorrowedText { BorrowedText("ab") }
    private static var app: BorrowedText { BorrowedText("org.example.news") }

    private func entry(
        _ order: UInt64, target: Int? = nil, identifier: StaticString? = nil, customID: StaticString? = nil
    ) -> NotificationCenters.Entry {
        // Distinct numbers, so that swapped fields are detected.
        NotificationCenters.Entry(
            order: order, seq: order + 100, at: Int64(order) + 1000, target: target,
            identifier: identifier.map { BorrowedText($0) }, customID: customID.map { BorrowedText($0) })
    }

    private func screens(_ entries: [NotificationCenters.Entry], replacementKey: String? = nil) -> Screens {
        let screens = Screens(replacementKey: replacementKey)
        screens.restore { centers in
            centers.restore(device: Self.device, app: Self.app, badge: 7)
            for entry in entries { centers.restore(entry, device: Self.device, app: Self.app) }
        }
        return screens
    }

    @Test func `an app is known once it was restored`() {
        let screens = Screens()
        #expect(!screens.contains(device: "ab", app: "org.example.news"))
        screens.restore { $0.restore(device: Self.device, app: Self.app, badge: nil) }
        #expect(screens.contains(device: "ab", app: "org.example.news"))
        #expect(!screens.contains(device: "org.example.news", app: "ab"))
        #expect(screens.badge() == nil)
    }

    @Test func `what was restored is on the screen with its badge`() {
        let screens = screens([entry(3, identifier: "c"), entry(5), entry(6, target: 2)])
        let shown = screens.notifications()
        #expect(shown.map(\.identifier) == ["c", "push-105", "push-106.2"])
        #expect(shown.map(\.seq) == [103, 105, 106])
        #expect(shown.map(\.deliveredAt) == [1003, 1005, 1006])
        #expect(screens.badge() == 7)
        #expect(screens.recorder.lines.isEmpty)
    }

    @Test func `a chosen identifier replaces what was restored`() throws {
        let screens = screens([entry(3, identifier: "c"), entry(5)])
        #expect(try screens.sendOne(apns(collapseID: "c")) == Delivery(outcome: .replaced, replaces: 103))
        #expect(screens.recorder.lines.first == .removed(order: 3))
        #expect(screens.notifications().map(\.identifier) == ["push-105", "c"])
    }

    @Test func `a generated identifier is restored from number and target`() throws {
        let screens = screens([entry(5), entry(6, target: 0), entry(7, target: 12)])
        for (identifier, seq) in [("push-105", 105), ("push-106.0", 106), ("push-107.12", 107)] {
            let delivery = try screens.sendOne(apns(collapseID: identifier))
            #expect(delivery == Delivery(outcome: .replaced, replaces: UInt64(seq)))
        }
        #expect(try screens.sendOne(apns(collapseID: "push-106")) == Delivery(outcome: .delivered))
    }

    @Test func `a custom id finds what was restored`() throws {
        let entries = [entry(3, customID: "s"), entry(4, customID: "other"), entry(5, customID: "s"), entry(6)]
        let screens = screens(entries, replacementKey: "story")
        let delivery = try screens.sendOne(apns(customID: "s", isMutable: true))
        #expect(delivery == Delivery(outcome: .reposted, replaces: 105))
        #expect(screens.notifications().map(\.identifier) == ["push-104", "push-106", "push-1"])
    }

    @Test func `the order continues after what was restored`() throws {
        let screens = screens([entry(3), entry(9)])
        #expect(screens.centers.nextOrder == 10)
        screens.restore { $0.continueOrder(after: 20) }
        #expect(screens.centers.nextOrder == 21)
        screens.restore { $0.continueOrder(after: 4) }
        #expect(screens.centers.nextOrder == 21)
        try screens.sendOne(apns(collapseID: "new"))
        #expect(screens.recorder.lines.first == .added(order: 21, seq: 1, at: 1, center: 0, identifier: "new"))
    }

    @Test func `removeAll forgets screens and badges, and keeps the order`() throws {
        let screens = Screens(replacementKey: "story")
        for _ in 0..<40 { try screens.sendOne(apns(badge: 2, customID: "s")) }
        screens.restore { $0.removeAll() }
        #expect(screens.count == 0)
        #expect(screens.notifications().isEmpty)
        #expect(!screens.contains(device: "ab", app: "org.example.news"))
        #expect(screens.centers.nextOrder == 41)

        screens.recorder.lines.removeAll()
        try screens.sendOne(apns(device: "new", collapseID: "push-1", customID: "s", isMutable: true))
        #expect(
            screens.recorder.lines == [
                .added(order: 41, seq: 41, at: 41, center: 0, identifier: "push-1"),
                .event(.delivered, seq: 41, at: 41, center: 0, identifier: "push-1"),
            ])
    }
}
