package import PushModel

/// The user's permission for the app to send notifications.
package typealias NotificationPermission = DeviceEvent.Authorization

extension NotificationPermission {
    /// True if anything may be shown.
    package var allowsNotifications: Bool { self == .authorized || self == .provisional }
}

/// The registration of this device with the server that sends pushes.
package struct PushRegistration: Sendable, Equatable {
    /// How far it is. The names are those in files.
    package enum State: String, Sendable, CaseIterable {
        /// Nobody has requested it.
        case none
        /// The token was requested from the system, or sent to the server.
        case underWay = "under-way"
        /// The server has the token.
        case registered
        /// The system provided no token.
        case failed
        /// The server did not take the token.
        case subscriptionFailed = "subscription-failed"
    }

    package var state: State
    /// Why there is none; nil unless it failed.
    package var failure: String?

    package static let none = Self(state: .none)
    package static let underWay = Self(state: .underWay)
    package static let registered = Self(state: .registered)
    package static func failed(reason: String) -> Self { Self(state: .failed, failure: reason) }
    package static func subscriptionFailed(reason: String) -> Self { Self(state: .subscriptionFailed, failure: reason) }
}

/// Which types are on, for one account: what each site keeps, and which site counts. A site is whatever keeps settings for the app, by name.
package struct NotificationPreferences: Sendable, Equatable {
    /// The site whose settings count.
    package var primarySite: String
    /// The types that are on, by site. All others are off, so nothing is on after a login.
    package var typesOn: [String: Set<NotificationType>]

    /// Everything off, unless `typesOn` says otherwise.
    package init(primarySite: String, typesOn: [String: Set<NotificationType>] = [:]) {
        self.primarySite = primarySite
        self.typesOn = typesOn
    }

    /// The types that are on at the primary site.
    package var current: Set<NotificationType> { typesOn[primarySite] ?? [] }
}

/// Everything that decides, on one device, whether a push reaches the screen.
package struct DevicePreferences: Sendable, Equatable {
    /// The app's notification permission.
    package var permission = NotificationPermission.notDetermined
    /// The switch for alerts in the system's settings of the app.
    package var alertsAreOn = true
    /// The registration with the server.
    package var registration = PushRegistration.none
    /// The account that is logged in; nil for none.
    package var account: String?
    /// The settings of every account that has been logged in here, by name.
    package var accounts: [String: NotificationPreferences] = [:]

    /// A device without a login.
    package init() {}

    /// The settings that apply: those of the account that is logged in.
    package var current: NotificationPreferences? { account.flatMap { accounts[$0] } }

    /// The types that are on; none without a login.
    package var typesOn: Set<NotificationType> { current?.current ?? [] }
}

/// Why preferences suppress a push.
package enum SuppressionReason: UInt8, Sendable, CaseIterable {
    case loggedOut, notDetermined, denied, notRegistered, registrationFailed, subscriptionFailed, alertsOff, typeOff
    case notificationCenterOff

    /// One row per reason.
    package struct Row: Sendable {
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
            explanation: "the user has not been asked yet for permission to send notifications",
            remedy: "turn a type on, which asks for permission"),
        Row(
            reason: .denied, name: "denied", explanation: "the user does not allow the app to send notifications",
            remedy: "allow notifications in the system's settings"),
        Row(
            reason: .notRegistered, name: "not-registered",
            explanation: "the server does not have the device's token yet",
            remedy: "turn a type on, which registers the device"),
        Row(
            reason: .registrationFailed, name: "registration-failed",
            explanation: "the device could not be registered for pushes",
            remedy: "turn a type on again, which retries"),
        Row(
            reason: .subscriptionFailed, name: "subscription-failed",
            explanation: "the server that sends pushes did not accept the device's token",
            remedy: "turn a type on again, which retries"),
        Row(
            reason: .alertsOff, name: "alerts-off", explanation: "alerts are turned off in the system's settings",
            remedy: "turn alerts on in the system's settings"),
        Row(
            reason: .typeOff, name: "type-off", explanation: "notifications of this type are turned off",
            remedy: "turn the type on"),
        Row(
            reason: .notificationCenterOff, name: "notification-center-off",
            explanation:
                "the notification has no banner, and Notification Center is turned off for the app in the system's settings",
            remedy: "turn Notification Center on in the system's settings"),
    ]

    package var row: Row { Self.table[Int(rawValue)] }

    package var name: String { row.name.description }
}

extension DevicePreferences {
    /// Why preferences suppress a push; nil if they do not.
    ///
    /// - Parameter type: the push's type; nil when no rule of the app's mapping matches. Such a push has no switch, so
    ///   it cannot be switched off; it is delivered when notifications are allowed at all.
    package func obstacle(toPushOf type: NotificationType?) -> SuppressionReason? {
        guard account != nil else { return .loggedOut }
        switch permission {
        case .notDetermined: return .notDetermined
        case .denied: return .denied
        case .authorized, .provisional: break
        }
        switch registration.state {
        case .none, .underWay: return .notRegistered
        case .failed: return .registrationFailed
        case .subscriptionFailed: return .subscriptionFailed
        case .registered: break
        }
        guard alertsAreOn else { return .alertsOff }
        if let type, !typesOn.contains(type) { return .typeOff }
        return nil
    }
}

/// The subject of a notification that a person can turn on and off: `mention`, `breaking-news`. Any text is one.
package struct NotificationType: Hashable, Comparable, Sendable, CustomStringConvertible,
    ExpressibleByStringLiteral
{
    /// The name in files and options. It is never empty in a table.
    package let name: String

    package init(_ name: String) { self.name = name }

    package init(stringLiteral name: String) { self.name = name }

    package var description: String { name }

    /// Compares the bytes of the names, so that the order is the same on every machine.
    package static func < (left: Self, right: Self) -> Bool {
        left.name.utf8.lexicographicallyPrecedes(right.name.utf8)
    }
}

/// The types with a switch on the app's settings screen, in the order of the screen.
package struct NotificationTypeTable: Sendable {
    /// One row per switch.
    package struct Row: Sendable, Equatable {
        /// The type that the switch controls.
        package let type: NotificationType
        /// The label of the switch.
        package let title: String

        /// A switch. Without a title it shows the name of its type.
        package init(_ name: String, title: String? = nil) {
            type = NotificationType(name)
            self.title = title ?? name
        }
    }

    /// The rows in the order of the screen.
    package let rows: [Row]
    package let types: Set<NotificationType>

    /// A screen. Of several rows with the same type, the first one counts.
    package init(_ rows: [Row]) {
        var types: Set<NotificationType> = []
        self.rows = rows.filter { types.insert($0.type).inserted }
        self.types = types
    }
}
