import PushModel

/// Why preferences suppress a push.
package enum SuppressionReason: UInt8, Sendable, CaseIterable {
    case loggedOut, notDetermined, denied, notRegistered, registrationFailed, subscriptionFailed, alertsOff, typeOff
    case notificationCenterOff

    /// One row per reason.
    package struct Row: Sendable {
        /// The reason.
        package let reason: SuppressionReason
        /// The name in reports.
        package let name: StaticString
        /// The explanation in plain words.
        package let explanation: StaticString
        /// The remedy for the user, or for whoever configures a device.
        package let remedy: StaticString
    }

    /// Every reason, in the order of the checks: the first one that applies is reported.
    package static let table: [Row] = [
        Row(
            reason: .loggedOut, name: "logged-out", explanation: "nobody is logged in on the device",
            remedy: "log in"),
        Row(
            reason: .notDetermined, name: "not-determined",
            explanation: "nobody has been asked yet whether the app may notify",
            remedy: "switch a type on, which asks"),
        Row(
            reason: .denied, name: "denied", explanation: "the person does not let the app notify",
            remedy: "allow notifications in the system's settings"),
        Row(
            reason: .notRegistered, name: "not-registered",
            explanation: "the server does not have the device's token yet",
            remedy: "switch a type on, which registers the device"),
        Row(
            reason: .registrationFailed, name: "registration-failed",
            explanation: "the device could not be registered for pushes",
            remedy: "switch a type on again, which tries again"),
        Row(
            reason: .subscriptionFailed, name: "subscription-failed",
            explanation: "the server that sends pushes did not take the device's token",
            remedy: "switch a type on again, which tries again"),
        Row(
            reason: .alertsOff, name: "alerts-off", explanation: "alerts are switched off in the system's settings",
            remedy: "switch alerts on in the system's settings"),
        Row(
            reason: .typeOff, name: "type-off", explanation: "notifications of this type are switched off",
            remedy: "switch the type on"),
        Row(
            reason: .notificationCenterOff, name: "notification-center-off",
            explanation:
                "it has no banner, and Notification Center is switched off for the app in the system's settings",
            remedy: "switch Notification Center on in the system's settings"),
    ]

    /// The row of this reason.
    package var row: Row { Self.table[Int(rawValue)] }

    /// The name in reports.
    package var name: String { row.name.description }
}

/// The decision of preferences about a push.
package enum PreferenceDecision: Sendable, Equatable {
    case delivered
    case suppressed(SuppressionReason)
}

extension DevicePreferences {
    /// Decides about a push from preferences.
    ///
    /// - Parameter type: the push's type; nil when no rule of the app's mapping matches. Such a push has no switch, so
    ///   it cannot be switched off; it is delivered when notifications are allowed at all.
    package func decision(about type: NotificationType?) -> PreferenceDecision {
        guard account != nil else { return .suppressed(.loggedOut) }
        switch permission {
        case .notDetermined: return .suppressed(.notDetermined)
        case .denied: return .suppressed(.denied)
        case .authorized, .provisional: break
        }
        switch registration {
        case .none, .underWay: return .suppressed(.notRegistered)
        case .failed: return .suppressed(.registrationFailed)
        case .subscriptionFailed: return .suppressed(.subscriptionFailed)
        case .registered: break
        }
        guard alertsAreOn else { return .suppressed(.alertsOff) }
        if let type, !typesOn.contains(type) { return .suppressed(.typeOff) }
        return .delivered
    }
}
