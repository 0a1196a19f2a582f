import PayloadJSON
package import PushModel

/// What the app on a device does about notifications, taps and its user.
extension Audience {
    /// Carries out an event of an app's screen, and tells the steps that the app takes.
    package func applyToApp(_ event: DeviceEvent, at: Int64) throws -> [AppStateMachine.Step] {
        guard let name = event.device, let appEvent = AppStateMachine.Event(event) else { return [] }
        let device = try known(name)
        return handle(appEvent, affectedApp(event.app, on: device), at: at)
    }

    /// Has the app take an event, from where it is known to be.
    func handle(_ event: AppStateMachine.Event, _ app: UInt32, at: Int64) -> [AppStateMachine.Step] {
        let state = registry[app: app].pointee.state
        let (steps, appState) = registry.changeDetails(of: app) { details in
            var machine = details.app ?? AppStateMachine(state: state.appState)
            machine.permission = state.authorization
            var steps: [AppStateMachine.Step] = []
            if event == .launch || event == .tap, let since = details.backgroundSince,
                at &- since >= AppStateMachine.longAbsence
            {
                steps = machine.handle(.returnLate)
            }
            let wasInFront = machine.state == .foreground
            steps += machine.handle(event)
            if machine.state != .background { details.backgroundSince = nil }
            if wasInFront, machine.state == .background { details.backgroundSince = at }
            details.app = machine
            return (steps, machine.state)
        }
        registry[app: app].pointee.state.appState = appState
        noteChange(of: app)
        return steps
    }

    /// Puts the app into a state, as the device's user or system would.
    func setAppState(_ appState: AppState, of app: UInt32, at: Int64) {
        // Of an app that nobody looks at, the state is enough.
        guard appState == .foreground || registry[detailsOf: app].app != nil else {
            registry[app: app].pointee.state.appState = appState
            return
        }
        switch appState {
        case .foreground: _ = handle(.launch, app, at: at)
        case .background:
            if registry[app: app].pointee.state.appState == .foreground {
                _ = handle(.background, app, at: at)
            } else {
                registry.changeDetails(of: app) { $0.app = AppStateMachine(state: .background) }
                registry[app: app].pointee.state.appState = .background
            }
        case .terminated:
            // What the user has ended, the system may have started and ended since.
            registry.changeDetails(of: app) { $0.app?.state = .terminated }
            _ = handle(.terminate, app, at: at)
        case .forceQuit: _ = handle(.forceQuit, app, at: at)
        }
    }

    /// Tells the app of a message that arrives, and keeps it out of the list when the app does not want it there.
    func present(_ message: inout PushMessage, _ app: UInt32, seq: UInt64, at: Int64) -> [AppStateMachine.Step] {
        guard message.platform == .ios, registry[detailsOf: app].app != nil else { return [] }
        guard message.isShown else {
            return message.isBackground ? handle(.arrivedSilently, app, at: at) : []
        }
        let (hasSound, isPassive) = manner(of: message)
        let traits = NotificationTraits(
            hasText: true, hasSound: hasSound, hasBadge: message.content.badge != nil, isPassive: isPassive)
        let identifier =
            message.identifier?.string ?? MadeUpIdentifier(seq: seq, target: message.target).withText { $0.string }
        let steps = handle(
            .arrived(id: identifier, traits, registry[detailsOf: app].delegate), app, at: at)
        if !steps.contains(.list) { message.isUnlisted = true }
        if !steps.contains(.badge) { message.content.badge = nil }
        return steps
    }
}

extension AppStateMachine {
    /// An app in a state, with nothing but its first screen on it.
    init(state: AppState) {
        self.init()
        self.state = state
        screens = state.isRunning ? [.main] : []
    }
}

extension AppStateMachine.Event {
    /// What an event of the stream is to the app; nil for one that is about something else.
    init?(_ event: DeviceEvent) {
        switch event.name {
        case .tap: self = .tap
        case .open:
            let kind = event.screenKind ?? .plain
            if kind == .centre {
                self = .openCentre
            } else {
                self = .open(
                    AppScreen(
                        event.screen ?? "", kind: kind == .editor ? .editor : .plain, isModal: event.isModal ?? false))
            }
        case .back: self = .back
        case .close: self = .dismiss
        case .edit: self = .edit
        case .save: self = .save
        case .confirm: self = .confirm(event.answer == .discard ? .discard : .cancel)
        case .read: self = event.identifier.map { .read(id: $0) } ?? .readAll
        case .device, .clock, .dismiss, .clear, .preference: return nil
        }
    }
}

extension PresentationDelegate {
    /// What an event says about the delegate; nil when it says nothing.
    init?(_ event: DeviceEvent) {
        if let answer = event.willPresent {
            self = .answers(answer.reduce(into: PresentationOptions()) { $0.formUnion(PresentationOptions($1)) })
        } else if let delegate = event.delegate {
            self = delegate == .none ? .none : .methodMissing
        } else {
            return nil
        }
    }
}

extension PresentationOptions {
    init(_ option: DeviceEvent.Presentation) {
        switch option {
        case .banner: self = .banner
        case .list: self = .list
        case .sound: self = .sound
        case .badge: self = .badge
        case .alert: self = .alert
        }
    }
}
