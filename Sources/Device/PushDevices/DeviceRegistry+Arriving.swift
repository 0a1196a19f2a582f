import AppSimulation
import PushDecoding
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
        if !state.isPlain, case .accepted = message.verdict, let obstacle = obstacle(to: message, app, state) {
            return suppress(&message, obstacle, app)
        }
        guard case .accepted = message.verdict else { return Arrival() }
        if presentsLater, message.platform == .ios, !message.isLocal { return Arrival() }
        let browserFinding = browser == .safari ? countSilent(message, app) : replacement
        var arrival = present(&message, app, seq: seq, at: at)
        if let browserFinding { arrival.finding = browserFinding }
        return arrival
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

    /// Presents a message that has reached its device when its app's service extension, if it has one, is done with it: what the extension
    /// handed over is presented. Source: Apple, "Modifying content in newly delivered notifications".
    package func presentLater(_ message: inout DecodedMessage, seq: UInt64, at: Int64) throws -> Arrival {
        guard presentsLater, message.platform == .ios, message.headers.channelID == nil,
            let device = try find(message.device), isKnown(device)
        else { return Arrival() }
        var app = findApp(of: message, on: device)
        if message.provider == .apns, app == nil || message.headers.pushType?.hasOwnToken == true {
            guard findKind(of: message, on: device, &app) else { return Arrival() }
        }
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
