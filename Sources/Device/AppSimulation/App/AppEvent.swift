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
    package enum Confirmation: Sendable, CaseIterable {
        case discard, cancel
    }

    /// A step that the app takes because of an event. The names are stable: journals and reports contain them.
    package enum Step: Sendable, Equatable {
        /// The process starts.
        case launch
        /// The screens that were open when the system terminated the app are there again, this one in front.
        case restore(String)
        /// The process starts in, or is woken into, the background.
        case wake
        /// The app moves from the background to the foreground.
        case comeToFront
        /// All screens but the first are removed: the app was in the background for long.
        case startOver
        /// A modal screen is dismissed.
        case dismissModal(String)
        /// The app asks whether to discard unsaved work.
        case askToDiscard(String)
        /// The editor closes and its unsaved work is lost.
        case discard(String)
        /// Nothing changes.
        case cancel
        /// The list of notifications is pushed; going back returns to the previous screen.
        case pushCenter
        /// The list of notifications is shown without being pushed: it was on top already, or the app starts with it.
        case showCenter
        /// A screen is opened.
        case open(String)
        /// A pushed screen is left.
        case back(String)
        case save(String)
        /// How a notification is presented.
        case banner, list, sound, badge
        /// The app shows a message of its own on the screen, because no bell is visible.
        case toast
        /// A notification arrives, and nothing of it is presented.
        case notPresented
        /// The bell shows an unread mark.
        case markBell
        /// The bell's unread mark is cleared.
        case clearBell
        /// The app carries out an action of a notification.
        case handleAction(String)
        /// A silent push is delivered to the app.
        case fetch
        /// A silent push waits until the app is next launched.
        case keepSilent

        /// The journal's name for it.
        package var kind: JournalKind {
            switch self {
            case .launch: .launch
            case .restore: .restore
            case .wake: .wake
            case .comeToFront: .comeToFront
            case .startOver: .startOver
            case .dismissModal: .dismissModal
            case .askToDiscard: .askToDiscard
            case .discard: .discard
            case .cancel: .cancel
            case .pushCenter: .pushCenter
            case .showCenter: .showCenter
            case .open: .open
            case .back: .back
            case .save: .save
            case .banner: .banner
            case .list: .list
            case .sound: .sound
            case .badge: .badge
            case .toast: .toast
            case .notPresented: .notPresented
            case .markBell: .markBell
            case .clearBell: .clearBell
            case .handleAction: .handleAction
            case .fetch: .fetch
            case .keepSilent: .keepSilent
            }
        }

        /// The name in journals and reports.
        package var name: StaticString { kind.name }

        /// The name with what it is about: `dismiss-modal compose`.
        package var text: String { subject.map { "\(name) \($0)" } ?? "\(name)" }

        /// The screen or the action that it is about.
        package var subject: String? {
            if case .handleAction(let action) = self { action } else { screen }
        }

        /// The screen that it affects.
        package var screen: String? {
            switch self {
            case .restore(let name), .dismissModal(let name), .askToDiscard(let name), .discard(let name),
                .open(let name), .back(let name), .save(let name):
                name
            default: nil
            }
        }
    }
}
