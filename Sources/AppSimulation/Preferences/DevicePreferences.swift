public import PushModel

/// Whether the user allows the app to send notifications.
public typealias NotificationPermission = DeviceEvent.Authorization

extension NotificationPermission {
    /// Whether anything may be shown.
    public var allowsNotifications: Bool { self == .authorized || self == .provisional }
}

/// Whether the server knows where to send this device's pushes.
public enum PushRegistration: Sendable, Equatable {
    /// Not requested.
    case none
    /// The token was requested from the system, or sent to the server.
    case underWay
    /// The server has the token.
    case registered
    /// There is no token, or the server rejected it.
    case failed(reason: String)
}

/// Which types are on, for one account: the settings of each wiki, and which wiki's apply.
public struct NotificationPreferences: Sendable, Equatable {
    /// Host name of the wiki in the app's primary language; its settings apply.
    public var primaryWiki: String
    /// The types that are on, by wiki. All others are off, so nothing is on after a login.
    public var typesOn: [String: Set<NotificationType>]

    /// Everything off.
    public init(primaryWiki: String, typesOn: [String: Set<NotificationType>] = [:]) {
        self.primaryWiki = primaryWiki
        self.typesOn = typesOn
    }

    /// The types that are on at the primary wiki.
    public var current: Set<NotificationType> {
        get { typesOn[primaryWiki] ?? [] }
        set { typesOn[primaryWiki] = newValue }
    }

    /// Makes another wiki the primary one, and copies the settings of the previous one.
    public mutating func move(to wiki: String) {
        let copied = current
        primaryWiki = wiki
        current = copied
    }
}

/// Everything that decides, on one device, whether a push reaches the screen.
public struct DevicePreferences: Sendable, Equatable {
    /// The app's notification permission.
    public var permission = NotificationPermission.notDetermined
    /// The switch for alerts in the system's settings of the app.
    public var alertsAreOn = true
    /// The registration with the server.
    public var registration = PushRegistration.none
    /// The account that is logged in; nil for none.
    public var account: String?
    /// The settings of every account that has been logged in here, by name.
    public var accounts: [String: NotificationPreferences] = [:]

    /// A device without a login.
    public init() {}

    /// The settings that apply: those of the account that is logged in.
    public var current: NotificationPreferences? { account.flatMap { accounts[$0] } }

    /// The types that are on; none without a login.
    public var typesOn: Set<NotificationType> { current?.current ?? [] }
}
