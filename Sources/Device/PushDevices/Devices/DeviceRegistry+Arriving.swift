package import AppSimulation
package import PushDecoding
package import PushJSON
package import PushModel

/// The effect of a message that has reached its device.
extension DeviceRegistry {
    /// True if a message only wakes its app. One without a push type that has a sound does more.
    func isSilent(_ message: DecodedMessage, _ manner: TransitReader.Manner) -> Bool {
        message.isBackground && (message.headers.pushType != nil || !manner.hasSound)
    }

    func manner(of message: DecodedMessage) -> TransitReader.Manner { transit.manner(of: message) }

    /// The reasons for which a message that has reached its device is not shown, or not passed to its app.
    func arrive(_ message: inout DecodedMessage, _ app: UInt32, seq: UInt64, at: Int64) -> Arrival {
        let state = table[app: app].state
        // Most apps on devices have only default state.
        if hasOnlyDefaults(app) { return Arrival() }
        let browser = message.platform == .web && !message.isLocal ? table[detailsOf: app].settings.browser : nil
        let replacement = browser == .chrome ? showDefault(&message, app) : nil
        if message.isBackground, state.appState.isQuit { message.verdict = .suppressed("force-quit") }
        // Source: Firebase, FCM Data API, `droppedAppForceStopped`; Firebase's FAQ.
        if message.platform == .android, state.appState == .forceStopped {
            message.verdict = .suppressed("force-stopped")
        }
        if table[app: app].hasDetails, case .accepted = message.verdict,
            let reason = refusal(of: message, state, table[detailsOf: app].settings)
        {
            message.verdict = .suppressed(reason)
        }
        if !state.isPlain, case .accepted = message.verdict, let obstacle = obstacle(to: message, app, state) {
            return suppress(&message, obstacle, app)
        }
        guard case .accepted = message.verdict else { return Arrival() }
        if presentsLater, message.platform == .ios, !message.isLocal { return Arrival() }
        let browserFinding = browser == .safari ? countSilent(message, app) : replacement
        var arrival = present(&message, app, seq: seq, at: at)
        if let browserFinding { arrival.finding = browserFinding }
        if message.platform == .android { arrival.updatesPerSecond = table[detailsOf: app].settings.updatesPerSecond }
        return arrival
    }

    /// Why a message does not reach an app, whatever it shows.
    ///
    /// Sources: Apple, `UIBackgroundRefreshStatus` and "Pushing background updates to your App"; `ActivityAuthorizationInfo`; `PKPushRegistryDelegate`.
    private func refusal(of message: DecodedMessage, _ state: Installation, _ settings: AppSettings) -> StaticString? {
        if settings.install == .deleted { return "app-deleted" }
        guard message.platform == .ios else { return nil }
        if message.headers.pushType == .liveactivity, settings.liveActivities == .off { return "live-activities-off" }
        if message.headers.pushType == .voip, settings.calls == .blocked { return "no-call-reported" }
        return message.isBackground ? Self.refusalToWake(state.appState, settings) : nil
    }

    /// Why no push wakes an app that is not in the foreground.
    private static func refusalToWake(_ state: AppState, _ settings: AppSettings) -> StaticString? {
        guard state != .foreground else { return nil }
        switch settings.backgroundRefresh {
        case .off: return "background-refresh-off"
        case .lowPower: return "low-power-mode"
        case .on, nil: return nil
        }
    }

    /// True if an alert with `content-available` wakes the app.
    func mayBeWoken(_ app: UInt32) -> Bool {
        let state = table[app: app].state.appState
        return !state.isQuit && Self.refusalToWake(state, table[detailsOf: app].settings) == nil
    }

    /// A VoIP push wakes its app, even one that the user has quit. The system ends an app that reports no call.
    ///
    /// Sources: Apple, "Responding to VoIP notifications from PushKit"; react-native-callkeep, issue 86; react-native-voip-push-notification,
    /// issue 14.
    func takeCall(_ app: UInt32, at: Int64) -> Arrival {
        var arrival = Arrival()
        if table[app: app].state.appState.isQuit { _ = setAppState(.background, of: app, at: at) }
        if table[detailsOf: app].hasScreens { arrival.steps = handle(.arrivedSilently, app, at: at) }
        if table[detailsOf: app].settings.calls == .unreported {
            table.changeDetails(of: app) { $0.settings.calls = .blocked }
            _ = setAppState(.terminated, of: app, at: at)
        }
        noteChange(of: app)
        return arrival
    }

    /// The finding about a notification for an app in the foreground that has not said what it presents.
    ///
    /// Sources: Apple, `UNUserNotificationCenterDelegate`; BeeSwift, issues 96 and 646, and flutter_inspector_kit, issue 18, saw nothing;
    /// flutter_local_notifications, issue 777, saw it.
    static let withoutDelegate = Finding(
        rule: "aps.no-delegate", severity: .info, pointer: "",
        message:
            "the app is in the foreground, and nothing says what it presents there: its delegate's userNotificationCenter(_:willPresent:withCompletionHandler:) decides. Without a delegate it is shown here, as Apple's page says; several developers saw nothing (UNCONFIRMED)"
    )

    /// True if an Android device takes another update of an app's notification within a second.
    ///
    /// Source: AOSP, `NotificationManagerService`, `DEFAULT_MAX_NOTIFICATION_ENQUEUE_RATE`, which counts updates alone.
    package func admitsUpdate(of message: DecodedMessage, limit: Int, at: Int64) -> Bool {
        updateRates.admits("\(message.device.string)\u{0}\(message.app.string)", at: at, limit: limit)
    }

    /// Keeps a message from the screen. A setting that hides an alert leaves the badge. Source: Apple, `UNNotificationSettings.badgeSetting`, which
    /// is apart from `alertSetting`.
    func suppress(
        _ message: inout DecodedMessage, _ reason: SuppressionReason, _ app: UInt32, keepsBadge: Bool = true
    ) -> Arrival {
        message.verdict = .suppressed(reason.row.name)
        var arrival = Arrival()
        if keepsBadge, reason == .alertsOff || reason == .notificationCenterOff, message.platform == .ios,
            mayHaveBadge(app)
        {
            arrival.badge = message.badge
        }
        return arrival
    }

    /// True if a push may set the number on an app's icon. What is delivered provisionally goes to the history alone. Source: Apple, "Asking
    /// permission to use notifications".
    func mayHaveBadge(_ app: UInt32) -> Bool {
        table[detailsOf: app].settings.switches[.badges] != false && table[app: app].state.authorization != .provisional
    }

    /// True if an app can set the number on its icon: it is on an Apple device, or on one of an unknown kind, and the user allows it.
    package func maySetBadge(of app: String, on device: String) throws -> Bool {
        guard let app = try entry(of: app, on: device) else { return true }
        let state = table[app: app].state
        return table[device: table[app: app].device].platform ?? .ios == .ios
            && table[detailsOf: app].settings.install != .deleted
            && state.authorization.allowsNotifications && mayHaveBadge(app)
    }

    /// Presents a message that has reached its device when its app's service extension, if it has one, is done with it: what the extension
    /// handed over is presented. Source: Apple, "Modifying content in newly delivered notifications".
    package func presentLater(_ message: inout DecodedMessage, seq: UInt64, at: Int64) throws -> Arrival {
        guard presentsLater, message.platform == .ios, message.headers.channelID == nil,
            let device = try find(message.device), isKnown(device)
        else { return Arrival() }
        var app = findApp(of: message, on: device)
        guard findKind(of: message, on: device, &app) else { return Arrival() }
        guard let app = app ?? silencedApp(message.app, on: device), !hasOnlyDefaults(app) else { return Arrival() }
        return present(&message, app, seq: seq, at: at)
    }

    func hasOnlyDefaults(_ app: UInt32) -> Bool {
        table[app: app].state.isPlain && !table[app: app].hasDetails && table[focusOf: table[app: app].device] == nil
    }

    /// A message that shows nothing still needs permission for a sound or a badge. A background push needs none.
    /// Source: Apple, `UNUserNotificationCenter.requestAuthorization`.
    private func bringsSoundOrBadge(_ message: DecodedMessage) -> Bool {
        guard message.platform == .ios, message.headers.pushType?.row.isShown ?? true else { return false }
        return !isSilent(message, transit.manner(of: message))
            && (message.badge != nil || transit.manner(of: message).hasSound)
    }

    private func obstacle(
        to message: DecodedMessage, _ app: UInt32, _ state: Installation
    ) -> SuppressionReason? {
        if state.isLoggedIn == false, !message.isLocal { return .loggedOut }
        // What an app gets instead of the system needs no permission to be shown.
        let isShown = message.isShown && !isInFront(app, for: message)
        // A browser ends the push subscription of a site without permission. Source: W3C, Push API.
        let isForSite = message.platform == .web && (message.isShown || table[detailsOf: app].settings.browser != nil)
        let needsPermission = isShown || bringsSoundOrBadge(message) || isForSite
        if !state.authorization.allowsNotifications, needsPermission {
            return state.authorization == .denied ? .denied : .notDetermined
        }
        switch state.registration {
        case _ where message.isLocal: break
        case .succeeded: break
        case .pending: return .notRegistered
        case .failed: return .registrationFailed
        case .subscriptionFailed: return .subscriptionFailed
        }
        guard isShown else { return nil }
        if !state.showsAlerts { return .alertsOff }
        guard !message.isLocal, state.hasTypes, let typesOn = table[detailsOf: app].settings.types,
            let type = type(of: message)
        else { return nil }
        return typesOn.contains(type.name) ? nil : .typeOff
    }

    /// The notification type of a message; nil when no rule matches.
    private func type(of message: DecodedMessage) -> NotificationType? {
        guard let mapping = policy.typeMapping else { return nil }
        guard mapping.needsPayload else { return mapping.type(of: message, payload: nil) }
        return transit.withPayload(of: message) { mapping.type(of: message, payload: $0) }
    }
}

extension DeviceRegistry {
    /// True if an app on an Android device or in a browser is in the foreground and gets the message itself.
    func isInFront(_ app: UInt32, for message: DecodedMessage) -> Bool {
        message.platform != .ios && table[app: app].state.appState == .foreground && table[detailsOf: app].hasScreens
            && !message.content.isShownInFront
    }

    /// Hands a message to an app on an Android device or in a browser, if it is one for the app: every message while the app is in the
    /// foreground, and otherwise what shows no notification. What the app gets, the system does not show.
    ///
    /// Source: Firebase, "Receive messages in Android apps", the table of app states: `onMessageReceived` in the
    /// foreground; in the background the system tray for notifications, and `onMessageReceived` for data. firebase-js-sdk,
    /// `sw-listeners.ts`: a page that is visible gets the message, and nothing is shown. Firebase, "Migrate from FCM HTTP v1 API
    /// to AndroidConfigV2": the SDK and Google Play services post a `remote_notification`.
    func handToApp(_ message: inout DecodedMessage, _ app: UInt32, at: Int64) -> Arrival {
        var arrival = Arrival()
        let state = table[app: app].state.appState
        guard table[detailsOf: app].hasScreens, !state.isQuit,
            !message.isShown || (state == .foreground && !message.content.isShownInFront)
        else { return post(&message, app) }
        message.isUnlisted = true
        message.content.badge = nil
        arrival.steps = handle(.arrivedSilently, app, at: at)
        return arrival
    }

    /// True if a device is one of Android's, or may be: nothing is known of its kind, and its name is not a token of APNs.
    package func mayBeAndroid(_ device: BorrowedText) throws -> Bool {
        guard let platform = try platform(of: device) else { return !device.isHexadecimal }
        return platform == .android
    }

    /// The finding about a tap that opens nothing: no activity of the app has an intent filter for its `click_action`. Nil as long as no
    /// event has said which activities there are.
    ///
    /// Source: FCM v1, `AndroidNotification.click_action`: "an activity with a matching intent filter is launched"; firebase-android-sdk,
    /// issue 1839. Android 12, "Behavior changes", on notification trampolines.
    package func missingActivity(for tapped: TappedNotification, on device: BorrowedText) throws -> Finding? {
        guard try mayBeAndroid(device), let position = try find(device),
            let app = BorrowedText.with(tapped.app, { findApp($0, on: position) })
        else { return nil }
        let settings = table[detailsOf: app].settings
        let action = tapped.androidOptions?.clickAction
        let cause: String
        if settings.hasTrampoline == true {
            cause =
                "a receiver or a service of the app would have to open its activity, which Android 12 and later does not let it"
        } else if let action, settings.activities?.contains(action) == false {
            cause = "no activity of the app has an intent filter for \"\(action)\""
        } else {
            return nil
        }
        return Finding(
            rule: "android.no-activity", severity: .warning, pointer: "", message: "\(cause); the tap opens nothing")
    }
}

extension BorrowedText {
    /// True if all characters are hexadecimal digits, as Unicode has them.
    fileprivate var isHexadecimal: Bool {
        // SOUND: reads within the text.
        for index in 0..<count {
            switch unsafe start[index] {
            case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "a")...UInt8(ascii: "f"),
                UInt8(ascii: "A")...UInt8(ascii: "F"):
                continue
            case 0x80...: return string.allSatisfy(\.isHexDigit)
            default: return false
            }
        }
        return true
    }
}

extension TappedNotification {
    /// Its options for an Android device; nil for a notification of APNs.
    package var androidOptions: AndroidOptions? {
        AppText.withRoot(of: payload) { $0.flatMap { AndroidOptions(shown: $0) } }
    }
}

/// The measures of browsers against pushes for which their site shows nothing.
extension DeviceRegistry {
    /// The number of such pushes with which a site loses its permission in Safari. They are counted for as long as it has the permission, and
    /// whether or not one of its pages is visible.
    ///
    /// Sources: Apple, WWDC22 session 10098; WebKit, `maxSilentPushCount` and `PushService::incrementSilentPushCount`.
    private static let mostSilentPushes = 3

    /// Counts a push that shows nothing in Safari. The last one that it takes ends the permission.
    func countSilent(_ message: DecodedMessage, _ app: UInt32) -> Finding? {
        guard !message.isShown || isInFront(app, for: message) else { return nil }
        // The site's service worker shows it.
        if let post = try? reaction(to: message)?.post, post.hasText { return nil }
        let count = table.changeDetails(of: app) { details in
            details.settings.silentPushes = (details.settings.silentPushes ?? 0) + 1
            return details.settings.silentPushes ?? 0
        }
        if count >= Self.mostSilentPushes { table[app: app].state.authorization = .denied }
        noteChange(of: app)
        let consequence =
            count < Self.mostSilentPushes
            ? "with the third one, Safari takes the site's permission away"
            : "Safari takes the site's permission away, and no push reaches it any more"
        return Self.finding("silent push \(count) of \(Self.mostSilentPushes): \(consequence)", message)
    }

    /// Replaces a notification that its site fails to show by the one of Chrome. Chrome lets a site that is much used fail now and then, which
    /// is not emulated.
    ///
    /// Source: Chromium, `push_messaging_notification_manager.cc`.
    func showDefault(_ message: inout DecodedMessage, _ app: UInt32) -> Finding? {
        guard message.content.isRefused, !isInFront(app, for: message) else { return nil }
        let name = table.name(ofApp: app)
        message.content.becomeDefault(of: name.isEmpty ? message.app : name)
        return Self.finding("Chrome shows a notification of its own, because the site shows none", message)
    }

    private static func finding(_ text: String, _ message: DecodedMessage) -> Finding {
        Finding(
            rule: "fcm.web-silent-push", severity: .warning,
            pointer: message.place.string + "\(message.payloadPointer)", message: text)
    }
}

/// Notification channels of apps on Android devices.
extension DeviceRegistry {
    /// Presents a notification in the shade as its channel says, and suppresses it if the channel is off. Without an event about channels,
    /// it is presented as on an unknown device.
    ///
    /// Sources: Android, "Create and manage notification channels"; Firebase, `AndroidNotification.channel_id`: a channel that the app has
    /// not created is replaced by that of the manifest, or else by FCM's own.
    func post(_ message: inout DecodedMessage, _ app: UInt32) -> Arrival {
        var arrival = Arrival()
        guard message.platform == .android, message.isShown else { return arrival }
        guard let channels = table[detailsOf: app].settings.channels else { return arrival }
        let named = transit.androidOptions(of: message).channel
        let found = named.flatMap { named in channels.first { $0.identifier == named.id } }
        // What Expo hands on is posted by Expo's library for apps: without a channel it takes its own, and never replaces one.
        let isPostedByApp = message.isLocal || (message.gateway == .expo && named != nil)
        guard found != nil || !isPostedByApp else { return missChannel(&message, named: named?.id) }
        let fallback = message.gateway == .expo ? NotificationChannel.fallbackOfExpo : NotificationChannel.fallback
        let channel =
            found ?? (message.gateway == .expo ? nil : channels.first(where: \.isDefault))
            ?? channels.first { $0.identifier == fallback.identifier } ?? fallback
        if let named, found == nil {
            let place = "\(message.place.string)\(message.payloadPointer)"
            arrival.finding = Finding(
                rule: "android.unknown-channel", severity: .warning,
                pointer: message.isDerived ? "" : place + named.pointer,
                message:
                    "the app has no channel \"\(named.id)\" on this device; this is posted in \"\(channel.identifier)\""
            )
        }
        arrival.isByChannel = true
        guard channel.importance != .none else {
            message.verdict = .suppressed("channel-off")
            return arrival
        }
        let isLoud = channel.importance == .default || channel.importance == .high
        if channel.importance == .high { arrival.steps.append(.banner) }
        arrival.steps.append(.list)
        if isLoud, channel.hasSound { arrival.steps.append(.sound) }
        if channel.showsBadge { arrival.steps.append(.badge) }
        if channel.importance != .high, !isLoud || !channel.hasSound { arrival.quiet = .channel }
        return arrival
    }

    /// Suppresses what an app posts itself in no channel that it has, and a message of Expo's that names such a channel. The fallback is one of
    /// FCM's SDK, which has no part in it.
    ///
    /// Sources: Android, "Create and manage notification channels": without a channel, "the notification doesn't appear and the system logs an
    /// error"; Expo, "Send notifications with Expo's Push API", `channelId`.
    private func missChannel(_ message: inout DecodedMessage, named: String?) -> Arrival {
        message.verdict = .suppressed("no-channel")
        var arrival = Arrival()
        let mistake = named.map { "the app has no channel \"\($0)\" on this device" } ?? "the app names no channel"
        arrival.finding = Finding(
            rule: "android.unknown-channel", severity: .warning, pointer: "",
            message: "\(mistake); " + (message.isLocal ? "what it posts itself" : "what Expo sends there")
                + " does not appear")
        return arrival
    }
}

extension AppSettings {
    /// Notes which channels an app deletes by listing others, and returns those that it lists: one that it creates again keeps its settings.
    ///
    /// Sources: Android, `NotificationManager.createNotificationChannel`; notifee, issue 752.
    mutating func recreate(_ said: [NotificationChannel]) -> [NotificationChannel] {
        var deleted = (deletedChannels ?? []) + (channels ?? [])
        let present = Set((channels ?? []).map(\.identifier))
        let earlier = Dictionary(deleted.map { ($0.identifier, $0) }) { first, _ in first }
        let found = said.map { channel in
            guard !present.contains(channel.identifier), var old = earlier[channel.identifier] else { return channel }
            old.isDefault = channel.isDefault
            return old
        }
        let listed = Set(said.map(\.identifier))
        deleted.removeAll { listed.contains($0.identifier) }
        deletedChannels = deleted.isEmpty ? nil : Array(deleted.suffix(Self.mostDeletedChannels))
        return found
    }

    /// Deleted channels that are kept of an app, the last ones.
    private static let mostDeletedChannels = 100
}

/// Notifications that apps post and remove by themselves.
extension DeviceRegistry {
    /// Presents a notification that an app posts. It needs the permission to be shown, and nothing that a push needs: no network, no login, no
    /// registration for pushes. Its type cannot be switched off, because the server does that.
    ///
    /// Sources: Apple, "Scheduling a notification locally from your app"; Android, "Notification runtime permission".
    package func arrive(posted message: inout DecodedMessage, seq: UInt64, at: Int64) throws -> Arrival {
        guard let device = try find(message.device), isKnown(device),
            let app = findApp(of: message, on: device)
                ?? silencedApp(message.app, on: device)
        else { return Arrival() }
        return arrive(&message, app, seq: seq, at: at)
    }

    /// An app's reaction to a message that has reached its device, or that of a web site's service worker; nil without rules, and if none
    /// matches.
    package func reaction(to message: DecodedMessage) throws -> AppReaction? {
        guard let rules = policy.messageRules, message.headers.channelID == nil else {
            return nil
        }
        let isHanded = try isHanded(message)
        return transit.withPayload(of: message) { payload in
            guard let payload, message.provider == .fcm, message.platform != .ios,
                let own = GoogleParts.payloadWithOwnData(payload, on: message.platform)
            else { return Self.reaction(rules, message, payload, isHanded: isHanded) }
            return own.withJSON { Self.reaction(rules, message, $0, isHanded: isHanded) } ?? nil
        }
    }

    private static func reaction(
        _ rules: MessageRules, _ message: DecodedMessage, _ payload: JSONView?, isHanded: Bool
    ) -> AppReaction? {
        var reaction = rules.reaction(to: message, payload, isHanded: isHanded)
        guard !reaction.isEmpty else { return nil }
        if let payload, reaction.post != nil { reaction.data = LocalNotification.data(of: payload) }
        return reaction
    }

    /// True if an app gets a message itself, whatever the system shows of it: on an Android device one without a notification, or any while
    /// the app is in the foreground; on an Apple device one that wakes it.
    ///
    /// Sources: Firebase, "Receive messages in Android apps"; Apple, "Pushing background updates to your App".
    private func isHanded(_ message: DecodedMessage) throws -> Bool {
        if message.platform != .ios { return !message.isShown || message.isUnlisted }
        if message.isBackground { return true }
        guard message.headers.pushType?.row.isShown ?? true, manner(of: message).wakesApp else { return false }
        guard let device = try find(message.device), let app = findApp(of: message, on: device) else { return true }
        return mayBeWoken(app)
    }
}
