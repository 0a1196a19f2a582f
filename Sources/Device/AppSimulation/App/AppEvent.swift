package import PushModel

extension AppStateMachine {
    /// An event that the app reacts to.
    package enum Event: Sendable, Equatable {
        /// The user opens the app.
        case launch
        /// The user returns after more than a day: the app starts with its first screen, unless there is unsaved work.
        case returnLate
        /// The user switches to another app, or locks the device.
        case background
        /// The system terminates the app.
        case terminate
        /// The user quits the app from the app switcher.
        case forceQuit
        /// The user stops the app in the settings.
        case forceStop
        /// The user opens a screen, pushed or modal as the screen specifies.
        case open(AppScreen)
        /// The user taps the bell.
        case openCenter
        /// The user closes the modal screen on top.
        case dismiss
        /// The user goes back from a pushed screen.
        case back
        /// The user types in the editor on top.
        case edit
        /// The user saves the contents of the editor on top.
        case save
        /// A notification arrives, with the answer of the app's delegate.
        case arrived(id: String, NotificationTraits, PresentationDelegate)
        /// A push arrives that shows nothing.
        case arrivedSilently
        /// The user taps a notification, either a banner or one in the system's list. Both lead to the same place.
        case tap
        /// The user taps a notification that leads to a screen of the app.
        case tapTo(AppScreen)
        /// The user chooses an action of a notification that the app carries out without coming to the front.
        case act(String)
        /// The same for an action that brings the app to the front.
        case actInFront(String)
        /// The answer to `askToDiscard`.
        case confirm(Confirmation)
        /// The user reads a notification in the list, or marks it as read.
        case read(id: String)
        case readAll

        /// True if it brings the app to the front.
        package var opensApp: Bool {
            switch self {
            case .launch, .tap, .tapTo, .actInFront: true
            default: false
            }
        }

        /// True if the event produces no step although it changes something.
        package var isSilent: Bool {
            switch self {
            case .edit, .read, .readAll: true
            default: false
            }
        }
    }

    /// The user's decision about unsaved work.
    package typealias Confirmation = DeviceEvent.Answer

    /// A step that the app takes because of an event, as `JournalKind` describes it. Journals and reports contain its name.
    package struct Step: Sendable, Equatable {
        /// The journal's name for it.
        package let kind: JournalKind
        /// The screen or the action that it is about.
        package let subject: String?

        private init(_ kind: JournalKind, _ subject: String? = nil) {
            self.kind = kind
            self.subject = subject
        }

        /// The name with what it is about: `dismiss-modal compose`.
        package var text: String { subject.map { "\(kind.name) \($0)" } ?? "\(kind.name)" }

        // MARK: The app

        package static let launch = Step(.launch)
        package static let wake = Step(.wake)
        package static let comeToFront = Step(.comeToFront)
        package static let startOver = Step(.startOver)

        // MARK: Screens, with the one that is affected

        package static let cancel = Step(.cancel)
        package static let pushCenter = Step(.pushCenter)
        package static let showCenter = Step(.showCenter)
        package static func restore(_ screen: String) -> Step { Step(.restore, screen) }
        package static func dismissModal(_ screen: String) -> Step { Step(.dismissModal, screen) }
        package static func askToDiscard(_ screen: String) -> Step { Step(.askToDiscard, screen) }
        package static func discard(_ screen: String) -> Step { Step(.discard, screen) }
        package static func open(_ screen: String) -> Step { Step(.open, screen) }
        package static func back(_ screen: String) -> Step { Step(.back, screen) }
        package static func save(_ screen: String) -> Step { Step(.save, screen) }

        // MARK: Notifications

        package static let banner = Step(.banner)
        package static let list = Step(.list)
        package static let sound = Step(.sound)
        package static let badge = Step(.badge)
        package static let toast = Step(.toast)
        package static let notPresented = Step(.notPresented)
        package static let markBell = Step(.markBell)
        package static let clearBell = Step(.clearBell)
        package static let fetch = Step(.fetch)
        package static let keepSilent = Step(.keepSilent)
        package static func handleAction(_ action: String) -> Step { Step(.handleAction, action) }
    }
}
