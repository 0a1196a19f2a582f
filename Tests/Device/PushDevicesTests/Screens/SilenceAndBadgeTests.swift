import PushDevices
import PushModel
import Testing

struct SilenceAndBadgeTests {
    @Test(arguments: [
        #"{"aps":{"content-available":1}}"#, #"{"aps":{}}"#, #"{"aps":{"sound":"default"}}"#, #"{"aps":{"alert":""}}"#,
        #"{"aps":{"alert":{"title":"","body":""}}}"#, #"{"aps":{"alert":{}}}"#, gcm(body: nil), gcm(body: ""),
        #"{"device":"ab","headers":{"apns-topic":"a.voip","apns-push-type":"voip"},"payload":{"aps":{"alert":"b"}}}"#,
    ])
    func `what has nothing to show is silent`(record: String) throws {
        let screens = Screens()
        #expect(try screens.sendOne(record) == Delivery(outcome: .silent))
        #expect(screens.count == 0)
        #expect(screens.lines().isEmpty)
        #expect(screens.recorder.lines.isEmpty)
    }

    @Test(arguments: ["title", "subtitle", "body", "title-loc-key", "subtitle-loc-key", "loc-key"])
    func `one text is enough to be shown`(key: String) throws {
        let screens = Screens()
        #expect(try screens.sendOne("{\"aps\":{\"alert\":{\"\(key)\":\"x\"}}}") == Delivery(outcome: .delivered))
        #expect(screens.count == 1)
    }

    @Test func `a badge alone is silent, and sets the number`() throws {
        let screens = Screens()
        #expect(try screens.sendOne(apns(body: nil, badge: 4)) == Delivery(outcome: .silent))
        #expect(screens.badge() == 4)
        #expect(screens.count == 0)
        let line = LogRecorder.Line.event(.badgeSet, seq: 1, at: 1, center: 0, identifier: "4")
        #expect(screens.recorder.lines == [line, .badge(4, center: 0)])
        // The same number again changes nothing.
        try screens.sendOne(apns(body: nil, badge: 4))
        #expect(screens.recorder.lines.dropFirst(2) == [.badge(4, center: 0)])
    }

    @Test func `badge 0 is a badge, and an absent one leaves the number as it is`() throws {
        let screens = Screens()
        #expect(screens.badge() == nil)
        try screens.sendOne(apns())
        #expect(screens.badge() == nil)
        try screens.sendOne(apns(badge: 3))
        #expect(screens.badge() == 3)
        try screens.sendOne(apns())
        #expect(screens.badge() == 3)
        try screens.sendOne(apns(body: nil))
        #expect(screens.badge() == 3)
        try screens.sendOne(apns(badge: 0))
        #expect(screens.badge() == 0)
        try screens.sendOne(apns(body: nil, badge: 12))
        #expect(screens.badge() == 12)
    }

    /// openradar 17743, which is exactly this push.
    @Test func `badge 0 removes the app's notifications if the badge was not 0`() throws {
        let screens = Screens()
        for identifier in ["a", "b"] { try screens.sendOne(apns(collapseID: identifier, badge: 2)) }
        try screens.sendOne(apns(app: "org.example.shop", collapseID: "c", badge: 2))
        let delivery = try screens.sendOne(apns(body: nil, badge: 0))
        #expect(delivery.outcome == .silent && delivery.cleared == 2)
        #expect(screens.notifications().map(\.identifier) == ["c"])
        let lines = screens.recorder.lines.suffix(6)
        #expect(
            lines == [
                .removed(order: 1), .event(.cleared, seq: 4, at: 4, center: 0, identifier: "a"),
                .removed(order: 2), .event(.cleared, seq: 4, at: 4, center: 0, identifier: "b"),
                .event(.badgeSet, seq: 4, at: 4, center: 0, identifier: "0"), .badge(0, center: 0),
            ])
    }

    @Test func `an alert with badge 0 removes the others and is shown`() throws {
        let screens = Screens()
        try screens.sendOne(apns(collapseID: "a", body: "1", badge: 2))
        let delivery = try screens.sendOne(apns(collapseID: "a", body: "2", badge: 0))
        #expect(delivery.outcome == .delivered && delivery.cleared == 1)
        #expect(screens.lines() == ["a: 2"])
    }

    @Test(arguments: [nil, 0])
    func `badge 0 removes nothing where there was no number`(badge: Int?) throws {
        let screens = Screens()
        try screens.sendOne(apns(badge: badge))
        #expect(try screens.sendOne(apns(body: nil, badge: 0)) == Delivery(outcome: .silent))
        #expect(screens.count == 1)
    }

    @Test func `where only replacement matters, what badge 0 removed is not replaced`() throws {
        let screens = Screens(keeping: .nothing)
        try screens.sendOne(apns(collapseID: "a", badge: 2))
        try screens.sendOne(apns(body: nil, badge: 0))
        #expect(try screens.sendOne(apns(collapseID: "a")) == Delivery(outcome: .delivered))
    }

    /// expo PR 39009: a number that the app sets itself removes nothing.
    @Test func `badge 0 of an extension removes nothing`() throws {
        var centers = NotificationCenters(keeping: .everything)
        withBorrowed("ab") { device in
            var message = DecodedMessage(record: 0, device: device)
            message.content.badge = 2
            message.headers.pushType = .alert
            _ = centers.deliver(message, seq: 1, at: 1)
            message.content.badge = 0
            message.isLocal = true
            #expect(centers.deliver(message, seq: 2, at: 2).cleared == 0)
        }
    }

    /// Apple, "Generating a remote notification": the badge is part of a notification, and these pushes show none.
    @Test(arguments: PushType.table.filter { !$0.isShown }.map(\.type))
    func `a push of a type that the system never shows sets no badge`(type: PushType) throws {
        let screens = Screens()
        let (name, suffix) = (type.row.wireName, type.row.topicSuffix)
        let headers = "\"apns-topic\":\"org.example.news\(suffix)\",\"apns-push-type\":\"\(name)\""
        try screens.sendOne(
            "{\"device\":\"ab\",\"headers\":{\(headers)},\"payload\":{\"aps\":{\"alert\":\"b\",\"badge\":4}}}")
        #expect(screens.badge() == nil)
    }

    @Test func `a negative badge leaves the number as it is`() throws {
        let screens = Screens()
        try screens.sendOne(apns(badge: 3))
        try screens.sendOne(apns(badge: -1))
        #expect(screens.badge() == 3)
        #expect(screens.notifications().map(\.content.badge) == [3, nil])
    }

    @Test func `the newest badge counts, whatever is replaced`() throws {
        let screens = Screens()
        for badge in [5, 2] { try screens.sendOne(apns(collapseID: "c", badge: badge)) }
        #expect(screens.badge() == 2)
        #expect(screens.notifications().map(\.content.badge) == [2])
    }

    @Test func `each app on each device has a badge of its own`() throws {
        let screens = Screens()
        try screens.sendOne(apns(device: "ab", app: "c", badge: 1))
        try screens.sendOne(apns(device: "a", app: "bc", badge: 2))
        try screens.sendOne(apns(device: "ab", app: "d"))
        #expect(screens.badge(device: "ab", app: "c") == 1)
        #expect(screens.badge(device: "a", app: "bc") == 2)
        #expect(screens.badge(device: "ab", app: "d") == nil)
        #expect(screens.badge(device: "b", app: "c") == nil)
    }

    @Test func `a notification holds what was sent`() throws {
        let screens = Screens()
        let payload =
            #"{"aps":{"alert":{"title":"\"T\" \ud83d\ude00","subtitle":"S","body":""},"thread-id":"t","badge":0}}"#
        try screens.sendOne(
            "{\"device\":\"ab\",\"headers\":{\"apns-topic\":\"app\",\"apns-collapse-id\":\"c\"},\"payload\":\(payload)}"
        )
        let shown = try #require(screens.notifications().first)
        #expect(shown.seq == 1 && shown.deliveredAt == 1)
        #expect(shown.device == "ab" && shown.app == "app" && shown.identifier == "c")
        #expect(shown.content.title == "\"T\" 😀" && shown.content.subtitle == "S" && shown.content.body == "")
        #expect(shown.content.thread == "t" && shown.content.badge == 0)
        #expect(shown.payload == payload)
    }

    @Test func `a store that has payloads elsewhere keeps none`() throws {
        let screens = Screens(keeping: .nothing)
        try screens.sendOne(apns(collapseID: "c", body: "1"))
        #expect(try screens.sendOne(apns(collapseID: "c", body: "2")) == Delivery(outcome: .replaced, replaces: 1))
        #expect(screens.count == 1)
        #expect(screens.notifications().isEmpty)
    }
}
