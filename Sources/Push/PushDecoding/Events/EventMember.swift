package import PushJSON
package import PushModel

/// A member of an event record: which events have it, the form of its values, where the event has it, and what of it is secret. All that is
/// done with every member follows from its row in `table`: reading, writing, redaction, the JSON Schema of events and the reference.
package final class EventMember: Sendable {
    /// What redaction takes a text in a member for.
    package enum Secret: Sendable {
        /// A token of a device.
        case token
        /// Chosen by the app's programmers.
        case name
        /// Written by a sender or a user.
        case content
        /// Content, unless it was generated for a notification without one.
        case identifier
        /// Content, unless it names a screen that every app has.
        case screen
    }

    package let name: StaticString
    package let events: [DeviceEvent.Name]
    package let required: [DeviceEvent.Name]
    package let form: Form
    /// A sentence for the documentation.
    package let words: StaticString
    /// The kind of its texts; nil if they are pushpipe's own words, or not all of one kind.
    package let secret: Secret?
    /// The kind of device on which it has an effect; nil for every kind.
    package let platform: Platform?
    /// How it is kept; nil for a member that is no setting of an app.
    package let setting: AppSetting?
    /// Reads a value into an event. False if it does not have the form.
    let read: @Sendable (JSONView, inout DeviceEvent) throws(DecodeFailure) -> Bool
    /// Appends `,"name":value`, or nothing if the event does not have the member.
    private let append: @Sendable (DeviceEvent, AppSettings, inout ByteBuffer) -> Void
    /// True if an event has the member.
    package let isSaid: @Sendable (DeviceEvent, AppSettings) -> Bool
    /// Replaces its secret texts; nil if it has none.
    private let redact: (@Sendable (inout DeviceEvent, (String, Secret) -> String) -> Void)?

    private init<Value>(
        _ name: StaticString, _ events: [DeviceEvent.Name], _ required: [DeviceEvent.Name], _ form: EventForm<Value>,
        _ secret: Secret?, on platform: Platform?, _ words: StaticString, setting: AppSetting? = nil,
        get: @escaping @Sendable (DeviceEvent, AppSettings) -> Value?,
        set: @escaping @Sendable (inout DeviceEvent, Value) -> Void
    ) {
        self.name = name
        self.events = events
        self.required = required
        self.form = form.kind
        self.words = words
        self.secret = secret
        self.platform = platform
        self.setting = setting
        isSaid = { get($0, $1) != nil }
        read = { view, event throws(DecodeFailure) in
            guard let value = try form.read(view) else { return false }
            set(&event, value)
            return true
        }
        append = { event, settings, out in
            if let value = get(event, settings) { form.append(name, value, &out) }
        }
        redact = form.redact.map { redacted in
            { @Sendable event, hide in
                if let value = get(event, event.settings) { set(&event, redacted(value, secret, hide)) }
            }
        }
    }

    private convenience init<Value>(
        _ name: StaticString, of events: [DeviceEvent.Name] = [.device], required: [DeviceEvent.Name] = [],
        _ form: EventForm<Value>, _ place: any WritableKeyPath<DeviceEvent, Value?> & Sendable,
        hides secret: Secret? = nil, on platform: Platform? = nil, _ words: StaticString
    ) {
        let place = MemberPlace(place)
        self.init(
            name, events, required, form, secret, on: platform, words, get: { event, _ in place.value(in: event) },
            set: { place.set($1, in: &$0) })
    }

    /// A setting of an app, which `device` events say.
    ///
    /// - Parameters: as those of an `AppSetting`.
    private convenience init<Value: Equatable>(
        _ name: StaticString, _ form: EventForm<Value>,
        setting place: any WritableKeyPath<AppSettings, Value?> & Sendable,
        usual: Value? = nil, beside: AppSetting.Absence = .nothing, storedAs storedName: StaticString? = nil,
        isStored: Bool = true, isIndexed: Bool = false, hides secret: Secret? = nil, on platform: Platform? = nil,
        _ words: StaticString
    ) {
        let place = MemberPlace(place)
        let setting = AppSetting(
            storedName ?? name, form, place, usual: usual, beside: beside, isStored: isStored, isIndexed: isIndexed)
        self.init(
            name, [.device], [], form, secret, on: platform, words, setting: setting, get: { place.value(in: $1) },
            set: { place.set($1, in: &$0.settings) })
    }

    private static let ofDevices = DeviceEvent.Name.allCases.filter { $0 != .clock }
    private static let switches: [DeviceEvent.Name] = [.preference, .focus, .summary]
    private static let ofNotifications: [DeviceEvent.Name] = [.tap, .dismiss, .read]

    /// Every member except `event`.
    package static let table: [EventMember] = [
        EventMember("device", of: ofDevices, required: ofDevices, .text, \.device, "Token or registration token."),
        EventMember(
            "app", of: ofDevices.filter { $0 != .focus }, .text, \.app,
            "Bundle identifier or package name. When absent, the app that the device has."),
        EventMember(
            "platform",
            .word("an iPhone or another Apple device", "an Android device", "a browser with a web app"),
            \.platform, "The kind of device. When absent, the format of the device's messages decides."),
        EventMember(
            "browser", .word("Chrome", "Firefox", "Safari"), setting: \.browser, beside: .forgotten,
            "The browser of a device with platform web. When absent, no particular browser."),
        EventMember(
            "silent_pushes", .number, setting: \.silentPushes, usual: 0,
            "How many of the three pushes that may show nothing Safari has counted for the site."),
        EventMember(
            "forget",
            .words(
                "which browser it is", "the types of notifications that the app shows",
                "the categories of the app's actions", "the notification channels of an Android app",
                "the activities that an Android app can open", "whether a user is logged in to the app"),
            \.rare.forgotten, "Members to reset to unknown, as if no event had given them a value."),
        EventMember("online", .flag, \.isOnline, "Whether the device, with all of its apps, can be reached."),
        EventMember(
            "doze", .flag, \.isDozing, on: .android,
            "Whether an Android device, with all of its apps, is in Doze, in which messages of normal priority wait."),
        EventMember(
            "locked", .lock("the device has restarted, and has not been unlocked since"), \.lock,
            "Whether the device, with all of its apps, is locked, or has restarted and has not been unlocked since."),
        EventMember(
            "previews",
            .word("texts are always shown", "texts are hidden while the device is locked", "texts are never shown"),
            setting: \.previews, usual: .always, beside: .contradicted, on: .ios,
            "When the app's notifications show their texts. When absent, always."),
        EventMember(
            "state",
            .word(
                "the app is on the screen", "the app runs but is not on the screen",
                "the system has terminated the app, or it was never started",
                "the user has force-quit the app: background pushes do not reach it until the user opens it",
                "the user has force-stopped the app in the settings of an Android device: no message reaches it until the user opens it"
            ),
            \.appState, "The state of the app."),
        EventMember(
            "authorization",
            .word(
                "the app has not asked the user yet", "the user does not allow notifications",
                "the user allows notifications",
                "the app did not ask: notifications go to the list without a sound, and the user decides there"),
            \.authorization, "Whether the app may show notifications."),
        EventMember("alerts", .flag, \.showsAlerts, "Whether the user has turned on alerts for the app."),
        EventMember(
            "badges", .flag, setting: \.switches[.badges], usual: true, beside: .contradicted, isStored: false,
            on: .ios,
            "Whether the user allows the app to set the number on its icon."),
        EventMember(
            "sounds", .flag, setting: \.switches[.sounds], usual: true, beside: .contradicted, isStored: false,
            on: .ios,
            "Whether the user allows the app's notifications to play a sound."),
        EventMember(
            "lock_screen", .flag, setting: \.switches[.lockScreen], usual: true, beside: .contradicted, isStored: false,
            on: .ios, "Whether the app's notifications appear on the Lock Screen."),
        EventMember(
            "notification_center", .flag, setting: \.switches[.notificationCenter], usual: true, beside: .contradicted,
            isStored: false, on: .ios, "Whether the app's notifications appear in Notification Center."),
        EventMember(
            "badge", of: [.device], .number, \.rare.badge, on: .ios,
            "The number that the app sets on its icon. 0 removes its notifications, as in a push."),
        EventMember(
            "install",
            .word("the app is on the device, and new there", "the user has deleted it"),
            setting: \.install, usual: .installed,
            "Whether the app is on the device. Deleting the app removes its notifications and settings. A newly installed app has to ask for permission again."
        ),
        EventMember(
            "kept_badge", .number, setting: \.keptBadge,
            "The number on the icon of a deleted app. It comes back when the app is installed again."),
        EventMember(
            "restored_from", of: [.device], .text, \.rare.restoredFrom, hides: .token,
            "The app's token on the device whose backup was restored, or from before the app was installed again."
        ),
        EventMember(
            "background_refresh",
            .word(
                "background pushes reach the app", "the user has turned off Background App Refresh for the app",
                "the device is in Low Power Mode"),
            setting: \.backgroundRefresh, usual: .on, beside: .said, on: .ios,
            "Whether background pushes reach the app while it is not in the foreground."),
        EventMember(
            "calls",
            .word(
                "the app reports a call for each", "the app reports none: the system ends it at the next one",
                "the system has ended the app, and delivers no more"),
            setting: \.calls, usual: .reported, beside: .said, on: .ios,
            "What the app does about VoIP pushes."),
        EventMember(
            "live_activities",
            .word(
                "Live Activities appear", "Live Activities appear while the device is unlocked",
                "the user has turned Live Activities off, and pushes to them change nothing"),
            setting: \.liveActivities, usual: .allowed, beside: .said, on: .ios,
            "Whether Live Activities of the app appear."),
        EventMember(
            "removes",
            .words("all, when the user opens the app", "the one that the user reads in the app's own list"),
            setting: \.removals,
            "When the app itself removes its notifications from the system's list. When absent, never."),
        EventMember("logged_in", .flag, \.isLoggedIn, "Whether a user is logged in to the app."),
        EventMember(
            "registration",
            .word(
                "the server that sends pushes has the token", "the system provided no token",
                "the app has not asked for a token, or has no answer yet",
                "there is a token, but the server that sends pushes did not accept it"),
            \.registration, "The result of the app's registration for pushes."),
        EventMember("unregistered", .flag, \.isUnregistered, "Whether the token is dead from now on."),
        EventMember("unregistered_at", .time, \.unregisteredAt, "The time since which the token is dead."),
        EventMember(
            "canonical", .text, setting: \.canonical, usual: "", beside: .said, isStored: false, hides: .token,
            "The registration token that replaces this one."),
        EventMember(
            "start_token", .text, setting: \.tokens.start, isIndexed: true, hides: .token,
            "The token that starts Live Activities of the app on the device, but does not update them. It replaces the earlier one."
        ),
        EventMember(
            "start_tokens", .textsByName(#"{"TripAttributes":"80b1"}"#), setting: \.tokens.starts, isIndexed: true,
            hides: .token,
            "Tokens that start Live Activities, by their attributes types. Each type has its own."),
        EventMember(
            "activity_tokens", .texts, setting: \.tokens.activities, isIndexed: true, hides: .token,
            "The current tokens of the app's Live Activities, in the order in which the activities started."),
        EventMember(
            "outdated_tokens", .texts, setting: \.tokens.outdated, isIndexed: true, hides: .token,
            "Tokens of Live Activities that others have replaced. Pushes to them change nothing."),
        EventMember(
            "expo", .text, setting: \.tokens.expo, isIndexed: true, hides: .token,
            "The Expo push token for the app on the device. An empty value removes it."),
        EventMember(
            "confirmed", .flag, \.isConfirmed, "Whether the owner has confirmed the token to the provider."),
        EventMember(
            "token",
            .word(
                "the owner has confirmed the token", "the owner has not confirmed the token yet",
                "a push service reported the token as unregistered: nothing is sent to it",
                "nothing is sent to the token, and it returns only if it is confirmed"),
            \.token, "The sender's status for the token."),
        EventMember(
            "token_since", .time, \.tokenSince, "The time since which the token has this status. When absent, now."),
        EventMember(
            "advance", of: [.clock], required: [.clock], .duration, \.advance, "How far the clock advances."),
        EventMember(
            "will_present",
            .words(
                "shown as a banner", "kept in the list", "the sound plays", "the number on the icon is set",
                "shown as a banner and kept in the list"),
            setting: \.willPresent,
            "The options that the app's delegate returns for a notification in the foreground."),
        EventMember(
            "delegate",
            .word(
                "the app has no delegate",
                "the app has a delegate without userNotificationCenter(_:willPresent:withCompletionHandler:)"),
            setting: \.delegate, usual: DeviceEvent.Delegate.none, beside: .said,
            "Why the delegate returns no options. When absent, none."),
        EventMember(
            "toast", .flag, setting: \.showsToasts, usual: false, beside: .said,
            "Whether the app shows its own toast for a notification that arrives while no bell is visible."),
        EventMember(
            "bell", .names, setting: \.screensWithBell, usual: AppSettings.usualScreensWithBell, beside: .said,
            storedAs: "bell_screens", hides: .screen, "The screens that show the bell. When absent, only main."),
        EventMember(
            "types", .names, setting: \.types, beside: .forgotten, hides: .name,
            "The types of notifications that are on. All others are off."),
        EventMember(
            "topics", .names, setting: \.topics, isIndexed: true,
            "The topics that the app is subscribed to. It is unsubscribed from all others."),
        EventMember(
            "topic", of: [.subscribe, .unsubscribe], required: [.subscribe, .unsubscribe], .text, \.rare.topic,
            "The topic, with or without /topics/."),
        EventMember("type", of: [.preference], required: [.preference], .text, \.type, hides: .name, "The type."),
        EventMember("on", of: switches, required: switches, .flag, \.isOn, "Whether the switch is on now."),
        EventMember(
            "levels",
            .words(
                "time-sensitive notifications can break through a Focus",
                "critical alerts can break through a Focus and ignore the mute switch"),
            setting: \.levels, usual: Set(DeviceEvent.Level.allCases), beside: .said, on: .ios,
            "The interruption levels that the app has an entitlement for and the user allows. When absent, both."),
        EventMember(
            "apps", of: [.focus], .names, \.rare.allowedApps, hides: .name,
            "The apps that the Focus does not silence."),
        EventMember(
            "people", of: [.focus], .names, \.rare.allowedPeople, hides: .content,
            "The people whose communication notifications break through the Focus, by the names that these show."),
        EventMember(
            "time_sensitive", of: [.focus], .flag, \.allowsTimeSensitive,
            "Whether time-sensitive notifications break through the Focus. When absent, true."),
        EventMember(
            "categories", .categories, setting: \.categories, beside: .forgotten,
            "The notification categories that the app has registered, with their actions. They replace all others."),
        EventMember(
            "channels", .channels, setting: \.channels, beside: .forgotten, on: .android,
            "The notification channels that the app has on an Android device. They replace all others. When absent, importance is default."
        ),
        EventMember(
            "deleted_channels", .channels, setting: \.deletedChannels, on: .android,
            "Channels that the app has deleted. A channel that the app creates again keeps its earlier settings."),
        EventMember(
            "lowered", .flag, setting: \.isLowered, usual: false, beside: .said, on: .android,
            "Whether FCM lowers high-priority messages to normal, as for an app whose high-priority messages show nothing."
        ),
        EventMember(
            "trampoline", .flag, setting: \.hasTrampoline, usual: false, beside: .said, on: .android,
            "Whether a receiver or a service of the app opens the activity for a tap, which Android 12 and later blocks."
        ),
        EventMember(
            "auto_group_at", .number, setting: \.autoGroupAt, usual: AndroidScreen.leastOfBundle, beside: .said,
            on: .android,
            "The number of notifications without a group from which the system bundles them. When absent, 2."),
        EventMember(
            "updates_per_second", .number, setting: \.updatesPerSecond, on: .android,
            "The number of updates to the app's notifications that the system accepts per second: 5 in AOSP. When absent, any number."
        ),
        EventMember(
            "activities", .texts, setting: \.activities, beside: .forgotten, hides: .content, on: .android,
            "The intent actions for which the app has an activity on an Android device, that is, what click_action can open. They replace all others."
        ),
        EventMember(
            "screen", of: [.open], .text, \.screen, hides: .content,
            "The name of the screen. Without it, the user opens the app by its icon."),
        EventMember(
            "kind", of: [.open],
            .word(
                "a screen with no particular content", "an editor, which can have unsaved work",
                "the app's own list of notifications", "an article"),
            \.screenKind, "The purpose of the screen. When absent, plain."),
        EventMember(
            "modal", of: [.open], .flag, \.isModal, "Whether the screen is presented over the others, not pushed."),
        EventMember(
            "answer", of: [.confirm], required: [.confirm],
            .word("the unsaved work is lost", "the user keeps the work, and nothing changes"), \.answer,
            "What happens to unsaved work."),
        EventMember(
            "identifier", of: ofNotifications, .text, \.identifier, hides: .identifier,
            "The identifier of the notification, or of a dismissed Live Activity. Without identifier and seq, the newest notification."
        ),
        EventMember(
            "action", of: [.tap], .text, \.action, hides: .name,
            "The action that the user chooses. When absent, the notification itself."),
        EventMember("text", of: [.tap], .text, \.text, hides: .content, "The text that the user types for the action."),
        EventMember("title", of: [.post], .text, \.rare.post.title, hides: .content, "The title of the notification."),
        EventMember(
            "body", of: [.post], .text, \.rare.post.body, hides: .content,
            "The body of the notification. Without a title and a body, there is nothing to show."),
        EventMember(
            "tag", of: [.post], .text, \.rare.post.tag, hides: .identifier,
            "The notification's identifier: it replaces one with the same. When absent, a new identifier."),
        EventMember(
            "id", of: [.post], .number, \.rare.post.id, on: .android,
            "The notification's number, which distinguishes it from others with the same tag. When absent, 0, as in notifications that FCM shows."
        ),
        EventMember(
            "group", of: [.post], .text, \.rare.post.group, hides: .name, on: .android,
            "The notification's group on an Android device, which then does not bundle it. The group's summary is a notification itself, and stays until it is removed."
        ),
        EventMember(
            "channel", of: [.post], .text, \.rare.post.channel, hides: .name, on: .android,
            "The notification channel on an Android device."),
        EventMember(
            "silent", of: [.post], .flag, \.rare.post.isSilent, on: .android,
            "Whether the notification makes no sound on an Android device, as those of a group that alerts with its summary alone."
        ),
        EventMember(
            "alert_once", of: [.post], .flag, \.rare.post.alertsOnce, on: .android,
            "Whether the notification makes no sound on an Android device when it replaces another one."),
        EventMember(
            "seq", of: [.tap, .dismiss], .number, \.seq, "The number of the record that contained the notification."),
        EventMember(
            "banner", of: [.dismiss], .flag, \.rare.isOnBanner,
            "Whether the user only swipes the banner up: the notification stays in the list, and the app is not told."
        ),
        EventMember(
            "bundle", of: [.tap], .flag, \.isOnBundle, on: .android,
            "Whether the tap is on the bundle of an Android app's notifications, not on one of them."),
    ]
}

extension EventMember {
    /// The names of the members that an event has.
    package static func names(of event: DeviceEvent.Name) -> [String] {
        table.filter { $0.events.contains(event) }.map(\.name.description)
    }

    /// The members that have an effect on one kind of device alone.
    package static let ofOnePlatform = table.filter { $0.platform != nil }

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

    /// Replaces the secret texts of an event.
    ///
    /// - Parameter hide: returns what stands in the place of a text.
    package static func redact(_ event: inout DeviceEvent, _ hide: (String, Secret) -> String) {
        for member in table where member.events.contains(event.name) { member.redact?(&event, hide) }
    }

    /// The members of each event in the order in which they are written.
    private static let written: [DeviceEvent.Name: [EventMember]] = DeviceEvent.Name.allCases.reduce(into: [:]) {
        let isLast = { (member: EventMember) in ["topics", "levels"].contains(member.name.description) }
        let members = table.filter { [event = $1] in $0.events.contains(event) }
        $0[$1] = members.filter { !isLast($0) } + members.filter(isLast)
    }

    fileprivate static func append(_ event: DeviceEvent, to out: inout ByteBuffer) {
        let (isWithoutSettings, settings) = (!event.hasRareMembers, event.settings)
        for member in written[event.name] ?? [] where !(isWithoutSettings && member.setting != nil) {
            member.append(event, settings, &out)
        }
    }
}

extension ByteBuffer {
    /// Appends an event as the record that `RecordDecoder` reads, with a line feed at its end.
    package mutating func appendEvent(_ event: DeviceEvent) {
        append("{\"event\":\"")
        appendText(event.name.rawValue)
        append("\"")
        EventMember.append(event, to: &self)
        append("}\n")
    }
}

/// A word that a member of an event takes, and its meaning, for the documentation.
package struct EventWord: Sendable {
    /// The member's name.
    package let member: StaticString
    package let word: String
    package let meaning: StaticString

    /// Every word of every member that takes one of several.
    package static let table = EventMember.table.flatMap { member in
        zip(member.form.choices, member.form.meanings).map { EventWord(member: member.name, word: $0, meaning: $1) }
    }
}

/// How a setting of an app is kept: taking over what events say, forgetting it, and storing it as a member of the app's text.
///
/// The settings that events have are in `EventMember.table`.
package struct AppSetting: Sendable {
    /// What an app says beside an entry that stands for every app, and has no value of its own.
    package enum Absence: Sendable {
        case nothing
        /// The usual value.
        case said
        /// The usual value, if every app has another one.
        case contradicted
        /// That it is to be forgotten, if every app has a value.
        case forgotten
    }

    /// The name of its member in the stored text.
    package let name: StaticString
    package let beside: Absence
    package let isStored: Bool
    package let isIndexed: Bool
    /// Takes over what an event says.
    package let merge: @Sendable (_ said: AppSettings, inout AppSettings) -> Void
    package let forget: @Sendable (inout AppSettings) -> Void
    package let isSaid: @Sendable (AppSettings) -> Bool
    /// Says what an app does not have, beside what is said of every app.
    package let describeAbsence: @Sendable (inout AppSettings, _ everyApp: AppSettings) -> Void
    /// Reads a value of the stored text. One of another form changes nothing, in case another program wrote it.
    package let read: @Sendable (JSONView, inout AppSettings) -> Void
    /// Appends the member of the stored text, or nothing without a value.
    package let append: @Sendable (AppSettings, inout ByteBuffer) -> Void

    /// - Parameters:
    ///   - usual: what every app begins with, and is not kept; nil for what is not known without an event.
    ///   - beside: what an app says that has no value, beside one that stands for every app.
    ///   - isStored: false if it has a place of its own in a store.
    ///   - isIndexed: true if `DeviceRegistry` keeps an index of its values, and takes them over itself.
    init<Value: Equatable>(
        _ name: StaticString, _ form: EventForm<Value>, _ place: MemberPlace<AppSettings, Value?>,
        usual: Value? = nil, beside: Absence = .nothing, isStored: Bool = true, isIndexed: Bool = false
    ) {
        self.name = name
        self.beside = beside
        self.isStored = isStored
        self.isIndexed = isIndexed
        merge = { said, kept in
            if let value = place.value(in: said) { place.set(value == usual ? nil : value, in: &kept) }
        }
        forget = { place.set(nil, in: &$0) }
        isSaid = { place.value(in: $0) != nil }
        describeAbsence = { own, everyApp in
            guard place.value(in: own) == nil else { return }
            if beside == .said || beside == .contradicted && place.value(in: everyApp) != nil {
                place.set(usual, in: &own)
            }
        }
        read = { view, kept in
            if let value = try? form.read(view) { place.set(value, in: &kept) }
        }
        append = { kept, out in
            if let value = place.value(in: kept) { form.append(name, value, &out) }
        }
    }

    /// A setting that no member of `device` events says.
    package init<Value: Equatable>(
        _ name: StaticString, _ form: EventForm<Value>, _ place: any WritableKeyPath<AppSettings, Value?> & Sendable
    ) {
        self.init(name, form, MemberPlace(place))
    }

    /// The settings that events have.
    package static let table = EventMember.table.compactMap(\.setting)
}

/// The place of a value in an event or in settings. It is read and written in place: a key path copies all of what it is in.
struct MemberPlace<Root, Value>: Sendable {
    private let path: any WritableKeyPath<Root, Value> & Sendable
    /// The value's offset in bytes; nil for a value that `Root` computes.
    private let offset: Int?

    init(_ path: any WritableKeyPath<Root, Value> & Sendable) {
        self.path = path
        offset = MemoryLayout<Root>.offset(of: path)
    }

    @inline(__always)
    func value(in root: borrowing Root) -> Value {
        // SOUND: the value lives as long as the root, which is borrowed.
        guard let offset else { return (copy root)[keyPath: path] }
        return unsafe withUnsafeBytes(of: root) { root in
            unsafe (root.baseAddress.unsafelyUnwrapped + offset).assumingMemoryBound(to: Value.self).pointee
        }
    }

    @inline(__always)
    func set(_ value: Value, in root: inout Root) {
        // SOUND: the root is accessed exclusively.
        guard let offset else {
            root[keyPath: path] = value
            return
        }
        unsafe withUnsafeMutableBytes(of: &root) { root in
            unsafe (root.baseAddress.unsafelyUnwrapped + offset).assumingMemoryBound(to: Value.self).pointee = value
        }
    }
}
