/// Something that happens at a device rather than to a message: it is registered, goes away, its user taps a notification, time goes by.
///
/// Read from a record such as `{"event":"device","device":"ab54","app":"org.example.news","online":false}`. A member that the record
/// does not name is nil, and leaves what it is about as it was. `EventMember.table` says which event has which members.
public struct DeviceEvent: Sendable, Equatable {
    /// What happens.
    public enum Name: String, Sendable, CaseIterable {
        /// A device, or an app on it, is registered or changes.
        case device
        /// The emulated clock moves on.
        case clock
        /// The user taps a notification.
        case tap
        /// The user wipes a notification off the screen.
        case dismiss
        /// The user, or the app, takes all notifications off the screen.
        case clear

        /// A sentence for the documentation.
        package var words: String {
            switch self {
            case .device: "A device, or an app on it, is registered or changes. What is not named stays as it is."
            case .clock: "The emulated clock moves on."
            case .tap: "The user taps a notification, which leaves the screen."
            case .dismiss: "The user wipes a notification off the screen."
            case .clear: "All notifications of an app, or of a device, leave the screen."
            }
        }
    }

    /// What an app is doing. Source of the words: Apple, "Managing your app's life cycle"; `force-quit` is the user's doing.
    public enum AppState: String, Sendable, CaseIterable, BitwiseCopyable {
        case foreground, background, terminated
        case forceQuit = "force-quit"
    }

    /// Whether an app may show notifications. Source: Apple, `UNAuthorizationStatus`.
    public enum Authorization: String, Sendable, CaseIterable, BitwiseCopyable {
        case notDetermined = "not-determined"
        case denied, authorized, provisional
    }

    /// How the app's registration for pushes went.
    public enum Registration: String, Sendable, CaseIterable, BitwiseCopyable {
        case succeeded, failed
    }

    /// What happens.
    public var name: Name
    /// Token or registration id. Only a clock's event has none.
    public var device: String?
    /// Bundle identifier or package name; nil stands for whatever app the device has.
    public var app: String?

    /// The kind of device.
    public var platform: Platform?
    /// Whether the device can be reached.
    public var isOnline: Bool?
    /// What the app is doing.
    public var appState: AppState?
    /// Whether the app may show notifications.
    public var authorization: Authorization?
    /// Whether the user has alerts of the app switched on.
    public var showsAlerts: Bool?
    /// Whether somebody is logged in to the app.
    public var isLoggedIn: Bool?
    /// How the app's registration for pushes went.
    public var registration: Registration?
    /// Whether the token is dead: `true` from now on, `false` no longer.
    public var isUnregistered: Bool?
    /// The token is dead since then, in milliseconds since the epoch.
    public var unregisteredAt: Int64?
    /// The token that stands for this one now.
    public var canonical: String?
    /// Whether the owner has confirmed the token towards the provider.
    public var isConfirmed: Bool?

    /// By how much the clock moves on, in milliseconds.
    public var advance: Int64?

    /// The notification that a tap and its like are about; the newest one when neither this nor `seq` is given.
    public var identifier: String?
    /// The same by the number of its record.
    public var seq: UInt64?

    /// An event that changes nothing yet.
    public init(_ name: Name, device: String? = nil, app: String? = nil) {
        self.name = name
        self.device = device
        self.app = app
    }
}
