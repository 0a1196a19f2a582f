package import AppSimulation
package import PushModel

/// What is known of one app on one device. A plain value: whatever is rare stands in `InstallationDetails`.
package struct Installation: Equatable, BitwiseCopyable, Sendable {
    package var appState = DeviceEvent.AppState.background
    package var authorization = DeviceEvent.Authorization.authorized
    /// Whether the user has alerts switched on.
    package var showsAlerts = true
    /// Nil when nobody has said.
    package var isLoggedIn: Bool?
    package var registration = DeviceEvent.Registration.succeeded
    /// Since when the token is dead, in milliseconds since the epoch.
    package var unregisteredAt: Int64?
    /// What the sender thinks of the token, and since when, in milliseconds since the epoch.
    package var standing = TokenLifeCycle.Standing.confirmed
    package var standingSince: Int64 = 0
    /// Whether `InstallationDetails.typesOn` says something.
    package var hasTypes = false

    package init() {}

    /// Whether a push is shown as if nothing were known of the app.
    package var isPlain: Bool { self == Installation() }
}

/// What only few apps on devices have.
package struct InstallationDetails: Equatable, Sendable {
    /// What its provider keeps until the device is back.
    package var storage = OfflineStorage()
    /// The token that stands for this one now.
    package var canonical: String?
    /// What is on the app's own screen. Nil as long as nobody has asked for it: the app is where `Installation.appState` says.
    package var app: AppStateMachine?
    /// Since when the app has been in the background, in milliseconds since the epoch; nil when that is not known.
    package var backgroundSince: Int64?
    /// What the app's delegate says about a notification that comes while the app is in the foreground.
    package var delegate = PresentationDelegate.none
    /// The types of notifications that are on; nil when nobody has said.
    package var typesOn: Set<NotificationType>?

    package init() {}

    package var isEmpty: Bool { self == InstallationDetails() }
}
