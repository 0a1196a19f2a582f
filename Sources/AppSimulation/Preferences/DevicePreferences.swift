public import PushModel

/// Whether the person lets the app notify them.
public typealias NotificationPermission = DeviceEvent.Authorization

extension NotificationPermission {
    /// Whether anything may be shown.
    public var allowsNotifications: Bool { self == .authorized || self == .provisional }
}

/// Whether the server knows where to send this device's pushes.
public enum PushRegistration: Sendable, Equatable {
    /// Not asked for.
    case none
    /// The system was asked for a token, or the server to take it.
    case underWay
    /// The server has the token.
    case registered
    /// No token, or the server did not take it.
    case failed(reason: String)
}

/// Which types are on, for one account: what each wiki keeps, and which of them counts.
public struct NotificationPreferences: Sendable, Equatable {
    /// Host name of the wiki in the app's primary language; its settings count.
    public var primaryWiki: String
    /// The types that are on, by wiki. What is not on is off, so nothing is on after a login.
    public var typesOn: [String: Set<NotificationType>]

    /// Everything off.
    public init(primaryWiki: String, typesOn: [String: Set<NotificationType>] = [:]) {
        self.primaryWiki = primaryWiki
        self.typesOn = typesOn
    }

    /// The types that are on at the wiki that counts.
    public var current: Set<NotificationType> {
        get { typesOn[primaryWiki] ?? [] }
        set { typesOn[primaryWiki] = newValue }
    }

    /// Makes another wiki the one that counts, with the settings that counted before.
    public mutating func move(to wiki: String) {
        let copied = current
        primaryWiki = wiki
        current = copied
    }
}

/// All that decides, on one device, whether a push reaches the screen.
public struct DevicePreferences: Sendable, Equatable {
    /// Of the app.
    public var permission = NotificationPermission.notDetermined
    /// The switch for alerts in the system's settings for the app.
    public var alertsAreOn = true
    /// At the server.
    public var registration = PushRegistration.none
    /// Who is logged in; nil: nobody.
    public var account: String?
    /// The settings of everyone who has been logged in here, by name.
    public var accounts: [String: NotificationPreferences] = [:]

    /// A device on which nobody has logged in yet.
    public init() {}

    /// The settings that count: those of whoever is logged in.
    public var current: NotificationPreferences? { account.flatMap { accounts[$0] } }

    /// The types that are on; none when nobody is logged in.
    public var typesOn: Set<NotificationType> { current?.current ?? [] }
}
