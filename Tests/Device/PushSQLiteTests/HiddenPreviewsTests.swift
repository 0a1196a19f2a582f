import PushDevices
import PushModel
import Testing

/// What is seen of notifications whose texts are hidden.
///
/// Sources: Apple, `UNShowPreviewsSetting`, `UNNotificationCategory.hiddenPreviewsBodyPlaceholder`, `.hiddenPreviewsShowTitle`.
struct HiddenPreviewsTests {
    private func registered(
        _ previews: DeviceEvent.Previews?, _ lock: DeviceEvent.Lock? = nil, _ categories: [ActionCategory]? = nil,
        platform: Platform? = nil, app: String = ""
    ) -> RegisteredApp {
        var event = DeviceEvent(.device, device: "ab54", app: app)
        event.settings.previews = previews
        event.lock = lock
        event.settings.categories = categories
        event.platform = platform
        return RegisteredApp(device: "ab54", app: app, event: event)
    }

    private func notification(
        _ payload: String = #"{"aps":{"category":"TALK"}}"#, app: String = "org.example.chat", thread: String? = nil,
        changes: String? = nil
    ) -> DeliveredNotification {
        DeliveredNotification(
            seq: 1, device: "ab54", app: app, identifier: "push-1",
            content: ShownContent(title: "Ada", subtitle: "Gate", body: "At six", thread: thread, badge: 3),
            deliveredAt: 0, payload: payload, changes: changes)
    }

    private func texts(_ content: ShownContent?) -> [String?]? { content.map { [$0.title, $0.subtitle, $0.body] } }

    private func seen(_ apps: [RegisteredApp], _ notification: DeliveredNotification) -> [String?]? {
        texts(HiddenPreviews(apps).content(inPlaceOf: notification, ofThread: 1))
    }

    @Test(
        arguments: [
            (nil, nil, false), (nil, .locked, false), (.always, .locked, false), (.always, .beforeFirstUnlock, false),
            (.whenUnlocked, nil, false), (.whenUnlocked, .unlocked, false), (.whenUnlocked, .locked, true),
            (.whenUnlocked, .beforeFirstUnlock, true), (.never, nil, true), (.never, .locked, true),
        ] as [(DeviceEvent.Previews?, DeviceEvent.Lock?, Bool)])
    func `texts are hidden never, on a locked device, or always`(
        previews: DeviceEvent.Previews?, lock: DeviceEvent.Lock?, isHidden: Bool
    ) {
        #expect(seen([registered(previews, lock)], notification()) == (isHidden ? [nil, nil, "Notification"] : nil))
    }

    @Test func `a category has a placeholder, and shows the title or the subtitle`() {
        var talk = ActionCategory("TALK")
        talk.placeholder = "%u messages"
        var other = ActionCategory("OTHER")
        other.showsTitle = true
        var third = ActionCategory("THIRD")
        third.showsSubtitle = true
        let apps = [registered(.never, nil, [talk, other, third])]
        #expect(seen(apps, notification()) == [nil, nil, "1 messages"])
        #expect(
            texts(HiddenPreviews(apps).content(inPlaceOf: notification(), ofThread: 12)) == [nil, nil, "12 messages"])
        #expect(seen(apps, notification(#"{"aps":{"category":"OTHER"}}"#)) == ["Ada", nil, "Notification"])
        #expect(seen(apps, notification(#"{"aps":{}}"#)) == [nil, nil, "Notification"])
        let changed = notification(changes: #"{"categoryIdentifier":"THIRD"}"#)
        #expect(seen(apps, changed) == [nil, "Gate", "Notification"])
    }

    @Test func `what is not a text stays`() {
        let content = HiddenPreviews([registered(.never)]).content(inPlaceOf: notification(thread: "t"), ofThread: 1)
        #expect(content?.thread == "t")
        #expect(content?.badge == 3)
    }

    @Test func `an app decides for itself, and one that is not named by what holds for every app`() {
        let apps = [registered(.never), registered(nil, app: "org.example.mail")]
        #expect(seen(apps, notification()) != nil)
        #expect(seen(apps, notification(app: "org.example.mail")) == nil)
        #expect(seen([registered(.never, app: "org.example.mail")], notification()) == nil)
        #expect(seen([], notification()) == nil)
    }

    @Test(
        arguments: [
            (nil, #"{"aps":{}}"#, true), (nil, "{}", true), (nil, #"{"message":{"apns":{}}}"#, true),
            (nil, #"{"message":{"apns":{},"android":{}}}"#, false), (nil, #"{"notification":{"body":"x"}}"#, false),
            (nil, "[]", false), (nil, "", false), (.ios, #"{"notification":{"body":"x"}}"#, true),
            (.android, #"{"aps":{}}"#, false), (.web, #"{"aps":{}}"#, false),
        ] as [(Platform?, String, Bool)])
    func `only an Apple device hides texts`(platform: Platform?, payload: String, isHidden: Bool) {
        #expect((seen([registered(.never, platform: platform)], notification(payload)) != nil) == isHidden)
    }

    @Test func `a placeholder counts the notifications of the app's thread`() {
        var talk = ActionCategory("TALK")
        talk.placeholder = "%u"
        let screen = [
            notification(thread: "a"), notification(thread: "b"), notification(thread: "a"),
            notification(app: "org.example.mail", thread: "a"),
        ]
        let seen = HiddenPreviews([registered(.never, nil, [talk])]).seen(screen)
        #expect(seen.map(\.content.body) == ["2", "1", "2", "1"])
        #expect(HiddenPreviews([registered(.always, nil, [talk])]).seen(screen) == screen)
    }
}
