package import PushModel

/// How much a notification may interrupt. Source: Apple, `UNNotificationInterruptionLevel`.
package enum InterruptionLevel: String, Sendable, CaseIterable {
    /// Appears in the list, without a sound and without lighting up the screen.
    case passive
    /// The default.
    case active
    /// Passes a Focus that allows it, and the scheduled summary.
    case timeSensitive = "time-sensitive"
    /// Passes every Focus, the scheduled summary and the mute switch.
    case critical

    /// The level of a notification.
    ///
    /// - Parameters:
    ///   - name: `interruption-level` as sent; a name that is unknown stands for the default.
    ///   - allowed: the levels with an entitlement that the app may use; nil for all. Another one counts as `active`; Apple
    ///     does not say what becomes of it.
    package init(_ name: String?, allowed: Set<DeviceEvent.Level>?) {
        let level = name.flatMap { InterruptionLevel(rawValue: $0) } ?? .active
        let isAllowed = DeviceEvent.Level(rawValue: level.rawValue).map { allowed?.contains($0) ?? true }
        self = isAllowed ?? true ? level : .active
    }
}

/// A Focus that is on, such as Do Not Disturb. Source: Apple, `UNNotificationInterruptionLevel`; what the user can allow,
/// iPhone User Guide, "Allow or silence notifications for a Focus".
package struct Focus: Sendable, Equatable {
    /// The apps that it does not silence.
    package var allowedApps: Set<String>
    /// The people whose communication notifications pass, as these name their senders.
    package var allowedPeople: Set<String>
    /// True if time-sensitive notifications of other apps pass.
    package var allowsTimeSensitive: Bool

    /// Silences every app, and lets time-sensitive notifications pass.
    package init(
        allowedApps: Set<String> = [], allowedPeople: Set<String> = [], allowsTimeSensitive: Bool = true
    ) {
        self.allowedApps = allowedApps
        self.allowedPeople = allowedPeople
        self.allowsTimeSensitive = allowsTimeSensitive
    }

    func admits(_ level: InterruptionLevel, of app: String, from sender: String?) -> Bool {
        allowedApps.contains(app) || level == .critical || (level == .timeSensitive && allowsTimeSensitive)
            || sender.map(allowedPeople.contains) ?? false
    }
}

/// Why a notification goes to the list and does nothing else: no banner and no sound.
package enum QuietReason: String, Sendable, CaseIterable {
    /// The permission is provisional.
    case provisional
    /// Its interruption level is `passive`.
    case passive
    /// A Focus is on.
    case focus
    /// The app is in the scheduled summary.
    case summary
    /// Its channel on an Android device is of low importance, or has no sound.
    case channel
    /// The Android app that posts it asks for no sound.
    case silent
    /// It replaces another one, and the Android app that posts it lets it alert once.
    case alertOnce = "alert-once"

    /// The reason for a notification; nil for one that is presented as it asks.
    ///
    /// - Parameters:
    ///   - app: the notification's app; evaluated when a Focus is on.
    ///   - sender: the sender of a communication notification, which passes the summary, and a Focus that allows this person; nil for any
    ///     other. Source: Apple, "Implementing communication notifications".
    ///   - focus: the device's Focus; nil while none is on.
    ///   - isInSummary: true if the app is in the scheduled summary.
    ///   - asksDelegate: true if the app is in the foreground and its delegate answers, which decides about a passive notification as about any
    ///     other. Source: LoopFollow issues 638 and 655, one app.
    package init?(
        _ level: InterruptionLevel, of app: @autoclosure () -> String, from sender: String? = nil,
        permission: NotificationPermission, focus: Focus?, isInSummary: Bool, asksDelegate: Bool = false
    ) {
        if permission == .provisional {
            self = .provisional
        } else if level == .passive, !asksDelegate {
            self = .passive
        } else if let focus, !focus.admits(level, of: app(), from: sender) {
            self = .focus
        } else if isInSummary, level == .active || level == .passive, sender == nil {
            self = .summary
        } else {
            return nil
        }
    }
}
