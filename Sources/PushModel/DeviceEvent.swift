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
        /// The user opens a screen of the app, which is pushed or presented.
        case open
        /// The user goes back from a screen that was pushed.
        case back
        /// The user closes a modal screen.
        case close
        /// The user writes in an editor.
        case edit
        /// The user saves what is in an editor.
        case save
        /// The user answers what becomes of unsaved work.
        case confirm
        /// The user reads a notification in the app's own list, or all of them.
        case read
        /// A type of notifications is switched on or off.
        case preference

        /// For sentences: `a tap event`, `an edit event`.
        package var withArticle: String {
            ("aeiou".contains(rawValue.first ?? " ") ? "an " : "a ") + rawValue + " event"
        }

        /// A sentence for the documentation.
        package var words: String {
            switch self {
            case .device: "A device, or an app on it, is registered or changes. What is not named stays as it is."
            case .clock: "The emulated clock moves on."
            case .tap: "The user taps a notification, which leaves the screen."
            case .dismiss: "The user wipes a notification off the screen."
            case .clear: "All notifications of an app, or of a device, leave the screen."
            case .open: "The user opens a screen of the app; of kind centre, the app's own list of notifications."
            case .back: "The user goes back from a screen that was pushed."
            case .close: "The user closes a modal screen."
            case .edit: "The user writes in the editor on top."
            case .save: "The user saves what is in the editor on top."
            case .confirm: "The user answers what becomes of unsaved work that is in the way."
            case .preference: "The user switches a type of notifications on or off, and the server has taken it."
            case .read: "The user reads a notification in the app's own list; all of them, when none is named."
            }
        }
    }

    /// What an app is doing. Source of the words: Apple, "Managing your app's life cycle"; `force-quit` is the user's doing.
    public enum AppState: String, Sendable, CaseIterable, BitwiseCopyable {
        /// On the screen, or running and not on the screen.
        case foreground, background
        /// The system has ended it, or it was never started.
        case terminated
        /// The person has ended it. What shows nothing does not reach it until it is started again.
        case forceQuit = "force-quit"
    }

    /// Whether an app may show notifications. Source: Apple, `UNAuthorizationStatus`.
    public enum Authorization: String, Sendable, CaseIterable, BitwiseCopyable {
        /// Nobody has asked yet.
        case notDetermined = "not-determined"
        /// The person said no, or yes.
        case denied, authorized
        /// Not asked: notifications go to the list without a sound, and the person decides there.
        case provisional
    }

    /// What a screen of an app is for.
    public enum ScreenKind: String, Sendable, CaseIterable {
        case plain, editor
        case center = "centre"
    }

    /// What becomes of unsaved work.
    public enum Answer: String, Sendable, CaseIterable {
        case discard, cancel
    }

    /// What stands in the place of an answer of `userNotificationCenter(_:willPresent:withCompletionHandler:)`.
    public enum Delegate: String, Sendable, CaseIterable {
        /// The app has no delegate.
        case none
        /// It has one without that method.
        case withoutWillPresent = "without-will-present"
    }

    /// A presentation option. Source: Apple, `UNNotificationPresentationOptions`.
    public enum Presentation: String, Sendable, CaseIterable {
        case banner, list, sound, badge, alert
    }

    /// How the app's registration for pushes went.
    public enum Registration: String, Sendable, CaseIterable, BitwiseCopyable {
        case succeeded, failed
        /// Not asked for, or not answered yet.
        case pending
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

    /// What the app's delegate answers about a notification that comes while the app is in the foreground.
    public var willPresent: [Presentation]?
    /// That there is no such answer.
    public var delegate: Delegate?

    /// The types of notifications that are on; all others are off.
    public var types: [String]?
    /// A type that is switched, and which way.
    public var type: String?
    /// See `type`.
    public var isOn: Bool?

    /// The name of a screen that is opened, what it is for, and whether it is presented over the others.
    public var screen: String?
    /// See `screen`.
    public var screenKind: ScreenKind?
    /// See `screen`.
    public var isModal: Bool?
    /// What becomes of unsaved work.
    public var answer: Answer?

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
