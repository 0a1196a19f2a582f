package import PushModel

/// The user's permission for the app to send notifications.
package typealias NotificationPermission = DeviceEvent.Authorization

extension NotificationPermission {
    /// True if anything may be shown.
    package var allowsNotifications: Bool { self == .authorized || self == .provisional }
}

/// The registration of this device with the server that sends pushes.
package enum PushRegistration: Sendable, Equatable {
    /// Not requested.
    case none
    /// The token was requested from the system, or sent to the server.
    case underWay
    /// The server has the token.
    case registered
    /// The system provided no token.
    case failed(reason: String)
    /// The server did not take the token.
    case subscriptionFailed(reason: String)

    /// Why there is none; nil unless it failed.
    var failure: String? {
        switch self {
        case .failed(let reason), .subscriptionFailed(let reason): reason
        case .none, .underWay, .registered: nil
        }
    }
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
