import PushModel

/// Why preferences keep a push from the screen.
public enum SuppressionReason: UInt8, Sendable, CaseIterable {
    case loggedOut, notDetermined, denied, notRegistered, registrationFailed, alertsOff, typeOff

    /// One row a reason.
    public struct Row: Sendable {
        /// The reason.
        public let reason: SuppressionReason
        /// As in reports.
        public let name: StaticString
        /// In plain words.
        public let explanation: StaticString
        /// What the person, or whoever sets a device up, can do about it.
        public let remedy: StaticString
    }

    /// Every reason, in the order in which they are looked for: the first that holds is told.
    public static let table: [Row] = [
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
            reason: .alertsOff, name: "alerts-off", explanation: "alerts are switched off in the system's settings",
            remedy: "switch alerts on in the system's settings"),
        Row(
            reason: .typeOff, name: "type-off", explanation: "notifications of this type are switched off",
            remedy: "switch the type on"),
    ]

    /// The row of this reason.
    public var row: Row { Self.table[Int(rawValue)] }

    /// As in reports.
    public var name: String { row.name.description }
}

/// Whether a push reaches the screen, as far as preferences go.
public enum PreferenceDecision: Sendable, Equatable {
    case delivered
    case suppressed(SuppressionReason)
}

extension DevicePreferences {
    /// What preferences make of a push.
    ///
    /// - Parameter type: what it is about; nil when no rule of the app's mapping says so. Such a push has no switch, so nobody can
    ///   have switched it off; it is delivered when anything is.
    public func decision(about type: NotificationType?) -> PreferenceDecision {
        guard account != nil else { return .suppressed(.loggedOut) }
        switch permission {
        case .notDetermined: return .suppressed(.notDetermined)
        case .denied: return .suppressed(.denied)
        case .authorized, .provisional: break
        }
        switch registration {
        case .none, .underWay: return .suppressed(.notRegistered)
        case .failed: return .suppressed(.registrationFailed)
        case .registered: break
        }
        guard alertsAreOn else { return .suppressed(.alertsOff) }
        if let type, !typesOn.contains(type) { return .suppressed(.typeOff) }
        return .delivered
    }
}
