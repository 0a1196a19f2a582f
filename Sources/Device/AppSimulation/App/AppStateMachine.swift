package import PushModel

/// The app on the device: its screens, and where a tap on a notification leads. Takes events and returns the steps that
/// the app takes. An event that is impossible in the current state produces no step: a user cannot go back in an app
/// that does not run.
///
/// A tap leads to the app's own list of notifications, the notification center, or to a screen that the app chooses for
/// the notification (`TapRoutes`). On the way modal screens are dismissed, and the app asks about unsaved work; nothing
/// changes until the user answers.
package struct AppStateMachine: Sendable, Equatable {
    /// The state of the app's process.
    package var state = AppState.terminated
    /// Seconds out of the foreground after which the app starts over when it returns: 24 hours, as in Wikipedia's app for
    /// iOS. A return after exactly 24 hours is within them.
    package static let longAbsence: Int64 = 24 * 3600
    /// Notifications that the notification center lists, the newest ones.
    package static let mostNotifications = 100
    /// Maximum depth of screens; an open beyond that is ignored.
    package static let mostScreens = 100

    /// The open screens, from the first one to the one on top. Empty while the app does not run.
    package var screens: [AppScreen] = []
    /// The plain screens, over the first one, that were open when the system terminated the app. They return when it comes
    /// to the front.
    package var restorable: [AppScreen] = []
    /// The article that was read most recently, whether or not it is still open; nil without one. It returns in place of `restorable`.
    package var lastArticle: AppScreen?
    /// The action that waits while the app asks about unsaved work; nil while it does not ask. The user can do
    /// nothing else in the app until they answer.
    package var question: Question?
    /// The app's own list, newest last.
    package var notifications: [AppNotification] = []
    /// A notification has arrived that the notification center has not shown yet.
    package var isBellUnread = false
    /// The app's notification permission.
    package var permission: NotificationPermission
    /// The screens with the bell, in an app that shows a toast of its own on the others; nil in one without toasts.
    package var screensWithBell: Set<String>?

    /// An action that unsaved work blocks.
    package enum Question: Sendable, Equatable {
        /// A tap on a notification, which leads to the notification center.
        case goToCenter
        /// A tap on a notification that leads to this screen.
        case goTo(AppScreen)
        /// Closing the editor.
        case leaveEditor
    }

    /// An app that does not run.
    package init(permission: NotificationPermission = .authorized) { self.permission = permission }

    /// True if an app that left the foreground at one time and returns at another has been away for longer than
    /// `longAbsence`. Compares whole seconds, so that the milliseconds between the records of a stream do not decide.
    ///
    /// - Parameters:
    ///   - since: when it left, in milliseconds since the epoch.
    ///   - at: when it returns.
    package static func isLongAbsence(since: Int64, at: Int64) -> Bool {
        let (away, overflowed) = at.subtractingReportingOverflow(since)
        return overflowed ? at > since : away / 1000 > longAbsence
    }

    /// The screen that the user sees; nil when the app is not in the foreground.
    package var top: AppScreen? { state == .foreground ? screens.last : nil }

    /// Handles an event, and returns the app's steps in order.
    package mutating func handle(_ event: Event) -> [Step] {
        var steps: [Step] = []
        switch event {
        case .launch:
            comeToFront(&steps)
            seeCenter(&steps)
        case .returnLate:
            restorable = []
            lastArticle = nil
            if state == .background, question == nil, screens.count > 1, !screens.contains(where: \.wouldLoseWork) {
                screens.removeSubrange(1...)
                steps.append(.startOver)
            }
        case .background: if state == .foreground { state = .background }
        case .terminate: end(.terminated)
        case .forceQuit: end(.forceQuit)
        case .forceStop: end(.forceStopped)
        case .arrived(let id, let traits, let delegate): arrive(id, traits, delegate, &steps)
        case .arrivedSilently: arriveSilently(&steps)
        case .tap: tap(.center, &steps)
        case .tapTo(let screen): tap(screen, &steps)
        case .act(let action):
            wake(&steps)
            steps.append(.handleAction(action))
        case .actInFront(let action):
            comeToFront(&steps)
            steps.append(.handleAction(action))
        case .confirm(let answer): confirm(answer, &steps)
        case .open, .openCenter, .dismiss, .back, .edit, .save, .read, .readAll:
            // The question covers the screen.
            if state == .foreground, question == nil { use(event, &steps) }
        }
        if let top, top.kind == .article { lastArticle = AppScreen(top.name, kind: .article) }
        return steps
    }

    /// True if an event that produces no step changes something, or could.
    package func allows(_ event: Event) -> Bool {
        guard state == .foreground, question == nil, let top = screens.last else { return false }
        return switch event {
        case .edit: top.kind == .editor
        case .read(let id): top.kind == .center && notifications.contains { $0.id == id }
        case .readAll: top.kind == .center
        default: true
        }
    }

    // MARK: - The app

    private mutating func comeToFront(_ steps: inout [Step]) {
        switch state {
        case .terminated, .forceQuit, .forceStopped:
            screens = [.main]
            steps.append(.launch)
        case .background: steps.append(.comeToFront)
        case .foreground: break
        }
        state = .foreground
        guard let front = restorable.last else { return }
        screens += restorable
        restorable = []
        steps.append(.restore(front.name))
    }

    /// Unsaved text is lost with the process. The system keeps which screens were open, unless the user has quit the app.
    /// Source: Apple, UIKit, "Preserving your app's UI across launches".
    private mutating func end(_ state: AppState) {
        // The system does not terminate an app that the user has quit.
        if self.state.isQuit, state == .terminated { return }
        if state.isQuit {
            restorable = []
            lastArticle = nil
        } else if let lastArticle {
            restorable = [lastArticle]
        } else if screens.count > 1 {
            restorable = screens.dropFirst().prefix { !$0.isModal }.filter { $0.kind == .plain }
        }
        self.state = state
        screens = []
        question = nil
    }

    /// Handles the user's actions in the app.
    private mutating func use(_ event: Event, _ steps: inout [Step]) {
        guard let top = screens.last else { return }
        let position = screens.count - 1
        switch event {
        case .open(let screen):
            guard screens.count < Self.mostScreens else { return }
            screens.append(screen)
            steps.append(.open(screen.name))
        case .openCenter: showCenter(&steps)
        case .dismiss where top.isModal, .back where !top.isModal && position > 0:
            if top.wouldLoseWork {
                question = .leaveEditor
                return steps.append(.askToDiscard(top.name))
            }
            screens.removeLast()
            steps.append(top.isModal ? .dismissModal(top.name) : .back(top.name))
        case .edit where top.kind == .editor: screens[position].hasUnsavedWork = true
        case .save where top.wouldLoseWork:
            screens[position].hasUnsavedWork = false
            steps.append(.save(top.name))
        case .read(let id) where top.kind == .center:
            for index in notifications.indices where notifications[index].id == id {
                notifications[index].isRead = true
            }
        case .readAll where top.kind == .center:
            for index in notifications.indices { notifications[index].isRead = true }
        default: break
        }
        seeCenter(&steps)
    }

    // MARK: - Notifications

    private mutating func arrive(
        _ id: String, _ traits: NotificationTraits, _ delegate: PresentationDelegate, _ steps: inout [Step]
    ) {
        let options = traits.presentation(state: state, delegate: delegate, permission: permission)
        let shown: [(PresentationOptions, Step)] = [
            (.banner, .banner), (.list, .list), (.sound, .sound), (.badge, .badge),
        ]
        for (option, step) in shown where options.contains(option) { steps.append(step) }
        // A badge or a sound alone is not listed.
        guard traits.hasText else { return }
        if showsToast(delegate) {
            steps.append(.toast)
        } else if options.isEmpty {
            steps.append(.notPresented)
        }
        notifications.removeAll { $0.id == id }
        if notifications.count >= Self.mostNotifications { notifications.removeFirst() }
        notifications.append(AppNotification(id))
        // An open notification center shows it at once.
        if top?.kind != .center, !isBellUnread {
            isBellUnread = true
            steps.append(.markBell)
        }
    }

    /// The app draws a toast itself, so nothing that the system silences keeps it away. But it has to learn of the
    /// notification, from its delegate.
    private func showsToast(_ delegate: PresentationDelegate) -> Bool {
        guard let screensWithBell, let top, case .answers = delegate, permission.allowsNotifications else {
            return false
        }
        return top.kind != .center && !screensWithBell.contains(top.name)
    }

    private mutating func arriveSilently(_ steps: inout [Step]) {
        if state.isQuit { return steps.append(.keepSilent) }
        wake(&steps)
        steps.append(.fetch)
    }

    /// The app runs afterwards, in the background unless it is in the foreground.
    private mutating func wake(_ steps: inout [Step]) {
        guard state != .foreground else { return }
        if !state.isRunning {
            state = .background
            screens = [.main]
        }
        steps.append(.wake)
    }

    /// A notification center on top shows everything that has arrived.
    private mutating func seeCenter(_ steps: inout [Step]) {
        guard top?.kind == .center, isBellUnread else { return }
        isBellUnread = false
        steps.append(.clearBell)
    }

    // MARK: - A tap

    private mutating func tap(_ destination: AppScreen, _ steps: inout [Step]) {
        guard state.isRunning else {
            comeToFront(&steps)
            // The app starts with the list, unless it returns to a screen.
            steps.append(
                destination.kind != .center
                    ? .open(destination.name) : screens.count == 1 ? .showCenter : .pushCenter)
            screens.append(destination)
            return seeCenter(&steps)
        }
        comeToFront(&steps)
        let isFirstQuestion = question == nil
        if !isOnTop(destination), let editor = screens[keptCount...].last(where: \.wouldLoseWork) {
            question = destination.kind == .center ? .goToCenter : .goTo(destination)
            if isFirstQuestion { steps.append(.askToDiscard(editor.name)) }
            return
        }
        go(to: destination, &steps)
    }

    /// The notification center is not opened twice.
    private func isOnTop(_ destination: AppScreen) -> Bool {
        destination.kind == .center && screens.last?.kind == .center
    }

    private mutating func confirm(_ answer: Confirmation, _ steps: inout [Step]) {
        guard state == .foreground, let question else { return }
        self.question = nil
        switch (answer, question) {
        case (.cancel, _): steps.append(.cancel)
        case (.discard, .goToCenter): go(to: .center, &steps)
        case (.discard, .goTo(let screen)): go(to: screen, &steps)
        case (.discard, .leaveEditor):
            if let editor = screens.popLast() { steps.append(.discard(editor.name)) }
            seeCenter(&steps)
        }
    }

    /// How many screens, from the first one, stay when a tap leads to another one: those below the first modal one,
    /// but no editor with unsaved work may end up on top.
    private var keptCount: Int {
        var count = screens.firstIndex(where: \.isModal) ?? screens.count
        while count > 1, screens[count - 1].wouldLoseWork { count -= 1 }
        return count
    }

    private mutating func go(to destination: AppScreen, _ steps: inout [Step]) {
        let kept = isOnTop(destination) ? screens.count : keptCount
        while screens.count > kept, let screen = screens.popLast() {
            // Screens pushed within a modal screen are removed with it.
            if screen.wouldLoseWork {
                steps.append(.discard(screen.name))
            } else if screen.isModal {
                steps.append(.dismissModal(screen.name))
            }
        }
        if destination.kind == .center {
            showCenter(&steps)
        } else if screens.count < Self.mostScreens {
            screens.append(destination)
            steps.append(.open(destination.name))
        }
        seeCenter(&steps)
    }

    private mutating func showCenter(_ steps: inout [Step]) {
        if screens.last?.kind == .center { return steps.append(.showCenter) }
        screens.append(.center)
        steps.append(.pushCenter)
    }
}

extension AppStateMachine {
    /// An app in a state, with only its first screen.
    package init(state: AppState) {
        self.init()
        self.state = state
        screens = state.isRunning ? [.main] : []
    }
}

/// The state of the app's process.
package typealias AppState = DeviceEvent.AppState

extension AppState {
    /// True if the process runs and has screens.
    package var isRunning: Bool { self == .background || self == .foreground }

    /// True if the user has ended it, and only the user starts it again. An Apple device and a browser have one way to do so.
    package var isQuit: Bool { self == .forceQuit || self == .forceStopped }
}

/// One screen of the app.
package struct AppScreen: Sendable, Equatable {
    /// The purpose of a screen: `plain` without text input, `editor` in which the user writes, `center` for the app's list of notifications
    /// behind the bell, and `article`. The app returns to the article that was read most recently.
    package typealias Kind = DeviceEvent.ScreenKind

    /// The app's name for it.
    package var name: String
    package var kind: Kind
    /// True if the screen is modal and has to be dismissed; false if it was pushed and is left by going back.
    package var isModal: Bool
    /// True if an editor contains unsaved text.
    package var hasUnsavedWork = false

    package init(_ name: String, kind: Kind = .plain, isModal: Bool = false) {
        self.name = name
        self.kind = kind
        self.isModal = isModal
    }

    package static let main = AppScreen(DeviceEvent.ScreenName.main)
    package static let center = AppScreen(DeviceEvent.ScreenName.center, kind: .center)

    var wouldLoseWork: Bool { kind == .editor && hasUnsavedWork }
}

/// An entry of the app's own notification list.
package struct AppNotification: Sendable, Equatable {
    /// Identifier of the request. A later notification with the same identifier replaces it.
    package var id: String
    /// True if the user has read it or marked it as read. Seeing it in the list is not enough.
    package var isRead = false

    package init(_ id: String) { self.id = id }
}

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
        /// The user chooses an action that brings the app to the front.
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
