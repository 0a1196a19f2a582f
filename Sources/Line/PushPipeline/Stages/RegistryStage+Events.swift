import AppSimulation
import PushDecoding
import PushDevices
import PushJSON
import PushModel

/// The effects of device events on screens, badges and Live Activities, which `DeviceRegistry` does not know.
extension RegistryStage {
    /// Gives activities their tokens, sets the number on an icon, and removes what an app shows that is deleted or installed anew.
    func carryOut(
        _ event: DeviceEvent, _ answer: EventAnswer, _ standIn: DecodedMessage, _ screens: ScreenEvent,
        _ context: DeliveryContext
    ) throws {
        let rare = event.rare
        if let tokens = rare.settings.tokens.activities { try claim(tokens, event, context) }
        let install = rare.settings.install
        guard install != nil || rare.badge != nil || rare.restoredFrom != nil, let device = event.device,
            let named = try registry.appName(of: event)
        else { return }
        let app = named.isEmpty ? try screens.newestApp() ?? named : named
        var badges: [String: Int] = [:]
        if install == .deleted {
            for app in named.isEmpty ? try screens.apps() : [app] {
                guard let shown = try screens.badge(of: app) else { continue }
                if shown != 0 { try registry.keepBadge(shown, of: app, on: device) }
                badges[app] = 0
            }
        } else if install == .installed || rare.restoredFrom != nil {
            badges[app] = try registry.settings(of: app, on: device).keptBadge
            if badges[app] == nil, let other = rare.restoredFrom {
                badges[app] = try screens.badge(of: app, on: DeviceToken.canonical(other))
            }
            try registry.keepBadge(nil, of: app, on: device)
        }
        if answer.isReset {
            try screens.clear(nil, of: named, seq: context.seq, at: context.at)
            try dismissActivities(nil, of: named.isEmpty ? nil : named, standIn, context)
        }
        if let said = rare.badge, try registry.maySetBadge(of: app, on: device) { badges[app] = said }
        for (app, badge) in badges.sorted(by: { $0.key < $1.key }) {
            try screens.setBadge(badge, of: app, seq: context.seq, at: context.at)
        }
    }

    /// Takes Live Activities off the lock screen. False if none with the identifier, or none at all, is there.
    @discardableResult
    private func dismissActivities(
        _ identifier: String?, of app: String?, _ standIn: DecodedMessage, _ context: DeliveryContext
    ) throws -> Bool {
        let screens = try context.store.screens
        let dismissed = try screens.dismissActivities(
            identifier, device: standIn.device.string, app: app, at: context.at)
        var subject = standIn
        subject.platform = .ios
        for activity in dismissed { try LiveActivityDelivery.record(.dismissed, activity, subject, context, screens) }
        return !dismissed.isEmpty
    }

    /// The user swipes a banner up: one that is in no list is gone, and anything else stays in the list. The app learns nothing.
    ///
    /// Source: awesome_notifications, issue 519.
    func swipeUp(
        _ event: EventSubject, _ standIn: DecodedMessage, _ screens: ScreenEvent, at: Int64
    ) throws -> EventAnswer.Reason? {
        if let (app, _) = try registry.banner(for: event, at: at) {
            try registry.hideBanner(on: standIn.device.string, of: app)
            return nil
        }
        return try screens.target(at: at, registry) == nil ? .noSuchNotification : nil
    }

    /// Has an app remove the notifications that it removes when it is opened, or when one is read in its own list.
    func removeByApp(
        _ event: DeviceEvent, _ answer: EventAnswer, _ screens: ScreenEvent, _ context: DeliveryContext
    ) throws {
        guard let app = answer.app, let device = event.device, answer.ignored == nil,
            let removals = try registry.settings(of: app, on: device).removals
        else { return }
        let isOpened = answer.steps.contains { $0.kind == .launch || $0.kind == .comeToFront }
        if isOpened && removals.contains(.open) || event.name == .read && removals.contains(.read) {
            let identifiers = isOpened ? nil : event.identifier.map { [$0] }
            try screens.clear(identifiers, of: app, seq: context.seq, at: context.at)
            try screens.dropNumber(of: app, seq: context.seq, at: context.at, registry)
        }
    }
}

extension RegistryStage {
    /// Whoever opens an app has unlocked the device.
    func unlock(_ event: DeviceEvent, _ answer: EventAnswer, _ standIn: DecodedMessage, at: Int64) throws {
        guard event.name == .tap || event.name == .open,
            answer.steps.contains(where: { $0.kind == .launch || $0.kind == .comeToFront }),
            try registry.lock(of: standIn.device) != .unlocked
        else { return }
        var unlocked = DeviceEvent(.device, device: standIn.device.string)
        unlocked.lock = .unlocked
        _ = try registry.apply(unlocked, at: at)
    }
}

extension DeviceEvent {
    /// True if Android removes the app's notifications from the tray: the user stops the app, or lets it show none any more.
    ///
    /// Sources: AOSP, `ActivityManager.forceStopPackage` ("notifications removed") and `NotificationManagerService`, which cancels them for
    /// `ACTION_PACKAGE_RESTARTED` and `REASON_PACKAGE_BANNED`.
    var emptiesTray: Bool { appState == .forceStopped || authorization == .denied || showsAlerts == false }
}

/// Tokens of Live Activities, and the user who swipes one away.
extension RegistryStage {
    /// Addresses a push to a token of Live Activities to the device that it belongs to.
    ///
    /// - Returns: the token; nil if the message names its device.
    func replaceToken(of message: inout DecodedMessage, _ context: DeliveryContext) throws -> String? {
        // FCM names both.
        guard message.provider == .apns, message.headers.channelID == nil else { return nil }
        let token = message.device.string
        guard let owner = try registry.owner(ofActivityToken: token) else { return nil }
        message.device = owner
        context.updateNote { $0.activityToken = token }
        return token
    }

    /// Gives the tokens that an app says it has to its activities.
    func claim(_ tokens: [String], _ event: DeviceEvent, _ context: DeliveryContext) throws {
        guard let device = event.device, let app = try registry.appName(of: event) else { return }
        let replaced = try context.store.screens.claim(
            OtherTokens.newest(tokens), of: registry.activityTokens(of: app, on: device), device: device, app: app,
            at: context.at)
        if !replaced.isEmpty { try registry.retire(replaced, of: app, on: device) }
    }

    /// Dismisses the Live Activity that an event names. False if it is not on the lock screen.
    func dismissActivity(_ event: DeviceEvent, _ standIn: DecodedMessage, _ context: DeliveryContext) throws -> Bool {
        guard event.name == .dismiss, let identifier = event.identifier ?? event.seq.map({ "activity-\($0)" }) else {
            return false
        }
        return try dismissActivities(identifier, of: event.app, standIn, context)
    }
}
