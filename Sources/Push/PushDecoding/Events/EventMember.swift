import PayloadJSON
package import PushModel

/// A member of an event record: which events have it, what it accepts, and what it sets.
package struct EventMember: Sendable {
    package enum Form: Sendable {
        case text
        case flag
        /// One of these words.
        case choice([String])
        case choices([String])
        /// True, false, or one of these words.
        case flagOrChoice([String])
        case texts
        /// A whole number, 0 or more.
        case number
        /// Epoch seconds, or an RFC 3339 string.
        case time
        /// `"90s"`, `"1h30m"`, or a number of seconds.
        case duration
        case categories
        case channels
    }

    /// A value that has been read. Times and durations are in milliseconds.
    package enum Value {
        case text(String)
        case texts([String])
        case flag(Bool)
        case number(Int64)
        case categories([ActionCategory])
        case channels([NotificationChannel])
    }

    package let name: StaticString
    package let events: [DeviceEvent.Name]
    /// The events that require it.
    package let required: [DeviceEvent.Name]
    package let form: Form
    /// A sentence for the documentation.
    package let words: StaticString
    let set: @Sendable (inout DeviceEvent, Value) -> Void

    private init(
        _ name: StaticString, _ events: [DeviceEvent.Name], required: [DeviceEvent.Name] = [], _ form: Form,
        _ words: StaticString, _ set: @escaping @Sendable (inout DeviceEvent, Value) -> Void
    ) {
        self.name = name
        self.events = events
        self.required = required
        self.form = form
        self.words = words
        self.set = set
    }

    /// A member that is one word of an enumeration.
    private init<Word: RawRepresentable<String> & CaseIterable & SendableMetatype>(
        _ name: StaticString, _ events: [DeviceEvent.Name], required: [DeviceEvent.Name] = [], _ words: StaticString,
        _ set: @escaping @Sendable (inout DeviceEvent, Word?) -> Void
    ) {
        self.init(name, events, required: required, .choice(Word.allCases.map(\.rawValue)), words) {
            set(&$0, $1.text.flatMap { Word(rawValue: $0) })
        }
    }

    /// A member that is a list of such words.
    private init<Word: RawRepresentable<String> & CaseIterable & SendableMetatype>(
        _ name: StaticString, _ events: [DeviceEvent.Name], _ words: StaticString,
        _ set: @escaping @Sendable (inout DeviceEvent, [Word]?) -> Void
    ) {
        self.init(name, events, .choices(Word.allCases.map(\.rawValue)), words) { event, value in
            set(&event, value.texts.map { $0.compactMap { Word(rawValue: $0) } })
        }
    }

    /// A switch of the system's settings.
    private static func setting(
        _ setting: DeviceEvent.NotificationSetting, _ name: StaticString, _ words: StaticString
    ) -> EventMember {
        EventMember(name, [.device], .flag, words) { $0.settings[setting] = $1.flag }
    }

    private static let ofDevices = DeviceEvent.Name.allCases.filter { $0 != .clock }
    private static let switches: [DeviceEvent.Name] = [.preference, .focus, .summary]
    private static let ofNotifications: [DeviceEvent.Name] = [.tap, .dismiss, .read]

    package static let names = Set(table.map(\.name.description))

    /// Every member except `event`.
    package static let table: [EventMember] = [
        EventMember("device", ofDevices, required: ofDevices, .text, "Token or registration id.") {
            $0.device = $1.text
        },
        EventMember(
            "app", ofDevices.filter { $0 != .focus }, .text,
            "Bundle identifier or package name; whatever app the device has, when absent."
        ) {
            $0.app = $1.text
        },
        EventMember("platform", [.device], "The kind of device; as the format of its messages says, when absent.") {
            $0.platform = $1
        },
        EventMember(
            "browser", [.device], "Which browser a device with the platform web is; none in particular, when absent."
        ) { $0.browser = $1 },
        EventMember(
            "silent_pushes", [.device], .number,
            "How many pushes for which the site shows nothing Safari has counted, of the three that it takes."
        ) { $0.silentPushes = $1.number },
        EventMember(
            "forget", [.device], "The members of which nothing is known any more, as before an event gave a value."
        ) { $0.forgotten = $1 },
        EventMember("online", [.device], .flag, "Whether the device can be reached, with all of its apps.") {
            $0.isOnline = $1.flag
        },
        EventMember(
            "doze", [.device], .flag,
            "Whether an Android device is in Doze, in which messages of normal priority wait, with all of its apps."
        ) { $0.isDozing = $1.flag },
        EventMember(
            "locked", [.device], .flagOrChoice([DeviceEvent.Lock.beforeFirstUnlock.rawValue]),
            "Whether the device is locked, with all of its apps, or was restarted and not unlocked since."
        ) { $0.lock = $1.text.flatMap { DeviceEvent.Lock(rawValue: $0) } },
        EventMember("previews", [.device], "When notifications of the app show their texts; always when absent.") {
            $0.previews = $1
        },
        EventMember("state", [.device], "What the app is doing.") { $0.appState = $1 },
        EventMember("authorization", [.device], "Whether the app may show notifications.") { $0.authorization = $1 },
        EventMember("alerts", [.device], .flag, "Whether the user has alerts of the app switched on.") {
            $0.showsAlerts = $1.flag
        },
        setting(.badges, "badges", "Whether the user lets the app set the number on its icon."),
        setting(.sounds, "sounds", "Whether the user lets the app's notifications play a sound."),
        setting(.lockScreen, "lock_screen", "Whether the app's notifications are on the lock screen."),
        setting(
            .notificationCenter, "notification_center", "Whether the app's notifications are in Notification Center."),
        EventMember("logged_in", [.device], .flag, "Whether somebody is logged in to the app.") {
            $0.isLoggedIn = $1.flag
        },
        EventMember("registration", [.device], "How the app's registration for pushes went.") { $0.registration = $1 },
        EventMember("unregistered", [.device], .flag, "Whether the token is dead, from now on.") {
            $0.isUnregistered = $1.flag
        },
        EventMember("unregistered_at", [.device], .time, "Since when the token is dead.") {
            $0.unregisteredAt = $1.number
        },
        EventMember("canonical", [.device], .text, "The registration id that stands for this one now.") {
            $0.canonical = $1.text
        },
        EventMember(
            "start_token", [.device], .text,
            "The token that starts Live Activities of the app on the device, and does not update them."
        ) { $0.startToken = $1.text },
        EventMember(
            "activity_tokens", [.device], .texts,
            "The tokens of Live Activities that the app has now, in the order in which the activities began; those from before stay."
        ) { $0.activityTokens = $1.texts },
        EventMember(
            "expo", [.device], .text,
            "The token of Expo's push service that leads to the app on the device; an empty one forgets it."
        ) { $0.expoToken = $1.text },
        EventMember("confirmed", [.device], .flag, "Whether the owner has confirmed the token towards the provider.") {
            $0.isConfirmed = $1.flag
        },
        EventMember("token", [.device], "The token's standing with its sender.") { $0.token = $1 },
        EventMember(
            "token_since", [.device], .time, "Since when the token has that standing; from now on, when absent."
        ) { $0.tokenSince = $1.number },
        EventMember("advance", [.clock], required: [.clock], .duration, "By how much the clock moves on.") {
            $0.advance = $1.number
        },
        EventMember(
            "will_present", [.device],
            "What the app's delegate answers about a notification that comes while the app is in the foreground."
        ) { $0.willPresent = $1 },
        EventMember("delegate", [.device], "That there is no such answer; none when absent.") { $0.delegate = $1 },
        EventMember(
            "toast", [.device], .flag,
            "Whether the app shows a toast of its own for a notification that comes while no bell is visible."
        ) { $0.showsToasts = $1.flag },
        EventMember("bell", [.device], .texts, "The screens that show the bell; only main when absent.") {
            $0.screensWithBell = $1.texts
        },
        EventMember("types", [.device], .texts, "The types of notifications that are on; all others are off.") {
            $0.types = $1.texts
        },
        EventMember("topics", [.device], .texts, "The topics that the app is subscribed to, and no others.") {
            $0.topics = $1.texts
        },
        EventMember(
            "topic", [.subscribe, .unsubscribe], required: [.subscribe, .unsubscribe], .text,
            "The topic, with or without /topics/."
        ) { $0.topic = $1.text },
        EventMember("type", [.preference], required: [.preference], .text, "The type.") { $0.type = $1.text },
        EventMember("on", switches, required: switches, .flag, "Whether it is on now.") { $0.isOn = $1.flag },
        EventMember(
            "levels", [.device],
            "The interruption levels that the app has an entitlement for and the user allows; both when absent."
        ) { $0.levels = $1 },
        EventMember("apps", [.focus], .texts, "The apps that the Focus does not silence.") {
            $0.allowedApps = $1.texts
        },
        EventMember(
            "people", [.focus], .texts,
            "The people whose communication notifications pass the Focus, by the names that these show."
        ) { $0.allowedPeople = $1.texts },
        EventMember(
            "time_sensitive", [.focus], .flag, "Whether time-sensitive notifications pass the Focus; true when absent."
        ) { $0.allowsTimeSensitive = $1.flag },
        EventMember(
            "categories", [.device], .categories,
            "The categories of notifications that the app has registered, with their actions; no others."
        ) { $0.categories = $1.categories },
        EventMember(
            "channels", [.device], .channels,
            "The notification channels that the app has on an Android device, and no others; importance is default when absent."
        ) { $0.channels = $1.channels },
        EventMember(
            "activities", [.device], .texts,
            "The actions of intents for which the app has an activity on an Android device, and no others: what click_action can open."
        ) { $0.activities = $1.texts },
        EventMember("screen", [.open], required: [.open], .text, "The name of the screen.") { $0.screen = $1.text },
        EventMember("kind", [.open], "What the screen is for; plain when absent.") { $0.screenKind = $1 },
        EventMember("modal", [.open], .flag, "Whether the screen is presented over the others, and not pushed.") {
            $0.isModal = $1.flag
        },
        EventMember("answer", [.confirm], required: [.confirm], "What becomes of unsaved work.") { $0.answer = $1 },
        EventMember(
            "identifier", ofNotifications, .text,
            "The notification's identifier, or that of a dismissed Live Activity; the newest notification's, when neither is given."
        ) {
            $0.identifier = $1.text
        },
        EventMember(
            "action", [.tap], .text, "The action that the user chooses; the notification itself, when it is not given."
        ) {
            $0.action = $1.text
        },
        EventMember("text", [.tap], .text, "What the user types with the action.") { $0.text = $1.text },
        EventMember("title", [.post], .text, "The title of the notification.") { $0.post.title = $1.text },
        EventMember("body", [.post], .text, "Its body; without a title and a body, there is nothing to show.") {
            $0.post.body = $1.text
        },
        EventMember(
            "tag", [.post], .text,
            "Its identifier, with which it replaces another notification of the app; a new one when absent."
        ) { $0.post.tag = $1.text },
        EventMember("channel", [.post], .text, "The notification channel, on an Android device.") {
            $0.post.channel = $1.text
        },
        EventMember("seq", [.tap, .dismiss], .number, "The number of the record that the notification came in.") {
            $0.seq = $1.number.flatMap { UInt64(exactly: $0) }
        },
        EventMember(
            "bundle", [.tap], .flag,
            "Whether the tap is on the bundle of an app's notifications on an Android device, and on none of them."
        ) { $0.isOnBundle = $1.flag },
    ]
}

extension EventMember {
    /// The places in the table of the names with so many bytes.
    private static let placesByLength: [[(name: StaticString, place: Int)]] = table.enumerated().reduce(into: []) {
        let length = $1.element.name.utf8CodeUnitCount
        while $0.count <= length { $0.append([]) }
        $0[length].append(($1.element.name, $1.offset))
    }

    private static let requiredPlaces: [DeviceEvent.Name: [Int]] = DeviceEvent.Name.allCases.reduce(into: [:]) {
        places, event in places[event] = table.indices.filter { table[$0].required.contains(event) }
    }

    /// The place in the table of the member with a name; nil when there is none.
    static func place(of name: JSONString) -> Int? {
        let length = name.decodedCount
        guard length < placesByLength.count else { return nil }
        return placesByLength[length].first { name == $0.name }?.place
    }

    /// The places in the table of the members that an event must have.
    static func required(by event: DeviceEvent.Name) -> [Int] { requiredPlaces[event] ?? [] }
}

extension EventMember.Value {
    var text: String? { if case .text(let text) = self { text } else { nil } }
    var isEmptyText: Bool { text?.isEmpty ?? false }
    var texts: [String]? { if case .texts(let texts) = self { texts } else { nil } }
    var flag: Bool? { if case .flag(let flag) = self { flag } else { nil } }
    var categories: [ActionCategory]? { if case .categories(let list) = self { list } else { nil } }
    var channels: [NotificationChannel]? { if case .channels(let list) = self { list } else { nil } }
    var number: Int64? { if case .number(let number) = self { number } else { nil } }
}

extension EventMember.Form {
    /// A description of the form, for the message about a value that does not have it.
    package var words: String {
        switch self {
        case .text: "a string"
        case .flag: "true or false"
        case .choice(let words): "one of " + words.joined(separator: ", ")
        case .flagOrChoice(let words): "true, false or " + words.joined(separator: ", ")
        case .texts: "a list of strings"
        case .choices(let words): "a list of " + words.joined(separator: ", ")
        case .number: "a whole number from 0"
        case .time: "epoch seconds, or a time such as \"2026-11-03T20:00:00Z\""
        case .duration: "a duration such as \"90s\", \"1h30m\" or \"30d\", or a number of seconds from 0"
        case .categories:
            "a list of categories such as {\"id\":\"TALK\",\"actions\":[{\"id\":\"REPLY\",\"title\":\"Reply\",\"text\":true}]}"
        case .channels:
            "a list of channels such as {\"id\":\"news\",\"importance\":\"high\",\"sound\":true,\"badge\":true}"
        }
    }

    /// The value; nil when it does not have this form.
    func value(of view: JSONView) throws(ListMistake) -> EventMember.Value? {
        switch self {
        case .text: view.string.map { .text($0.string) }
        case .flag: view.kind == .true ? .flag(true) : view.kind == .false ? .flag(false) : nil
        case .choice(let words): Self.word(view, of: words).map { .text($0) }
        case .flagOrChoice(let words):
            view.kind == .true
                ? .text("true")
                : view.kind == .false ? .text("false") : Self.word(view, of: words).map { .text($0) }
        case .texts: Self.list(view, of: nil).map { .texts($0) }
        case .choices(let words): Self.list(view, of: words).map { .texts($0) }
        case .number:
            // 7.0 is a whole number too, as in JSON Schema.
            (view.int64 ?? view.double.flatMap { Int64(exactly: $0) }).flatMap { $0 >= 0 ? .number($0) : nil }
        case .time:
            (view.string.flatMap { EventTime.milliseconds($0.string) } ?? view.double.flatMap(EventTime.milliseconds))
                .map { .number($0) }
        case .duration:
            (view.string.flatMap { EventTime.duration($0.string) }
                ?? view.double.flatMap { $0 >= 0 ? EventTime.milliseconds($0) : nil }).map { .number($0) }
        case .categories: try ActionCategory.list(view).map { .categories($0) }
        case .channels: try NotificationChannel.list(view).map { .channels($0) }
        }
    }

    private static func word(_ view: JSONView, of words: [String]) -> String? {
        view.string.map(\.string).flatMap { words.contains($0) ? $0 : nil }
    }

    private static func list(_ view: JSONView, of words: [String]?) -> [String]? {
        guard view.kind == .array else { return nil }
        var found: [String] = []
        for element in view.elements {
            guard let word = element.string?.string, words?.contains(word) ?? true else { return nil }
            found.append(word)
        }
        return found
    }
}
