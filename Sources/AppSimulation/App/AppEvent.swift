public import PushModel

extension AppStateMachine {
    /// What happens to the app.
    public enum Event: Sendable, Equatable {
        /// The person opens the app.
        case launch
        /// The person comes back after a day or longer: the app begins with its first screen, unless there is unsaved work.
        case returnLate
        /// The person goes to another app, or locks the device.
        case background
        /// The system ends the app.
        case terminate
        /// The person ends the app.
        case forceQuit
        /// The person opens a screen, which is pushed or presented as it says.
        case open(AppScreen)
        /// The person opens the bell.
        case openCenter
        /// The person closes the modal screen on top.
        case dismiss
        /// The person goes back from a screen that was pushed.
        case back
        /// The person writes in the editor on top.
        case edit
        /// The person saves what is in the editor on top.
        case save
        /// A notification comes, with whatever the app's delegate says about it.
        case arrived(id: String, NotificationTraits, PresentationDelegate)
        /// A push without anything to show.
        case arrivedSilently
        /// The person taps a notification, a banner or one in the system's list. Each leads to the same place.
        case tap
        /// The answer to `askToDiscard`.
        case confirm(Confirmation)
        /// The person reads a notification in the list, or marks it as read.
        case read(id: String)
        case readAll

        /// Whether it leads to no step although something has changed.
        package var isSilent: Bool {
            switch self {
            case .edit, .read, .readAll: true
            default: false
            }
        }
    }

    /// What becomes of unsaved work.
    public enum Confirmation: Sendable, CaseIterable {
        case discard, cancel
    }

    /// One thing that the app does because of an event. The names are stable: journals and reports have them.
    public enum Step: Sendable, Equatable {
        /// The process starts.
        case launch
        /// The process starts, or is woken, without being on the screen.
        case wake
        /// What was in the background comes to the front.
        case comeToFront
        /// All screens but the first one are gone: the app was away for long.
        case startOver
        /// A modal screen goes away.
        case dismissModal(String)
        /// The person has to say whether unsaved work may go.
        case askToDiscard(String)
        /// Unsaved work goes, with the editor.
        case discard(String)
        /// Everything stays as it was.
        case cancel
        /// The list of notifications comes over what was there; back returns.
        case pushCenter
        /// The list of notifications is shown without coming over anything: it was on top already, or the app starts with it.
        case showCenter
        /// A screen that was opened.
        case open(String)
        /// A screen that was pushed goes away.
        case back(String)
        case save(String)
        /// How a notification is presented.
        case banner, list, sound, badge
        /// A notification came, and nothing of it is presented.
        case notPresented
        /// The bell shows that something is new.
        case markBell
        /// It does not any more.
        case clearBell
        /// A silent push is handed to the app.
        case fetch
        /// A silent push is kept until the app is started again.
        case keepSilent

        /// The journal's word for it.
        public var kind: JournalKind {
            switch self {
            case .launch: .launch
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
            case .notPresented: .notPresented
            case .markBell: .markBell
            case .clearBell: .clearBell
            case .fetch: .fetch
            case .keepSilent: .keepSilent
            }
        }

        /// As in journals and reports.
        public var name: StaticString { kind.name }

        /// With the screen that it is about: `dismiss-modal compose`.
        public var text: String { screen.map { "\(name) \($0)" } ?? "\(name)" }

        /// The screen that it is about.
        public var screen: String? {
            switch self {
            case .dismissModal(let name), .askToDiscard(let name), .discard(let name), .open(let name),
                .back(let name), .save(let name):
                name
            default: nil
            }
        }
    }
}
