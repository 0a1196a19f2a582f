package import AppSimulation
import PayloadJSON
import PushDecoding
package import PushModel

/// How the app on a device reacts to notifications, taps and its user.
extension DeviceRegistry {
    /// Applies an event to an app's screens.
    ///
    /// - Parameters:
    ///   - name: the app, in place of the one that the event names.
    ///   - destination: the screen that a tap opens; nil for the app's own list of notifications.
    ///   - listed: returns the identifiers of the app's notifications on the screen, oldest first. Called when the app's
    ///     own list has not been created yet, to fill it.
    package func applyToApp(
        _ event: DeviceEvent, of name: String? = nil, at: Int64, leadingTo destination: AppScreen? = nil,
        choosing choice: ActionChoice = .plain, listed: (_ app: String) throws -> [String] = { _ in [] }
    ) throws -> EventAnswer {
        guard let device = event.device,
            let appEvent = destination.map({ .tapTo($0) }) ?? AppStateMachine.Event(event, choice)
        else { return EventAnswer() }
        // A tap opens any app. For every other event the app must already be known.
        let name = name ?? event.app
        guard let app = try event.name == .tap ? tappedApp(name, on: known(device)) : knownApp(name, of: device)
        else { return EventAnswer(ignored: .notPossible) }
        try beginList(of: app, listed)
        let isPossible = table[detailsOf: app].app?.allows(appEvent) ?? true
        var answer = EventAnswer()
        answer.app = table.name(ofApp: app).string
        answer.steps = handle(appEvent, app, at: at)
        if answer.steps.isEmpty, !(isPossible && appEvent.isSilent) { answer.ignored = .notPossible }
        if event.name == .tap, appEvent.opensApp { try releaseDelayed(of: app) }
        return answer
    }

    private func knownApp(_ app: String?, of name: String) throws -> UInt32? {
        guard try isKnown(name) else { return nil }
        let device = try known(name)
        guard let app else { return table.firstApp(of: device) }
        return BorrowedText.with(app) { findApp($0, on: device) }
    }

    /// The app entry whose own list a tap is going to fill with the notifications on the screen: that of the app, or one that stands for all
    /// apps of its device. Nil if it has a list.
    package func emptyList(of app: String, on device: String) throws -> String? {
        guard let device = try find(named: device) else { return app }
        let entry = BorrowedText.with(app) { table.find($0, on: device) } ?? table.find(.empty, on: device)
        guard let entry else { return app }
        return !table[detailsOf: entry].hasScreens ? table.name(ofApp: entry).string : nil
    }

    /// Fills the list of an app that has none yet with the notifications on the screen.
    func beginList(of app: UInt32, _ listed: (String) throws -> [String]) throws {
        guard !table[detailsOf: app].hasScreens else { return }
        let ids = try listed(table.name(ofApp: app).string)
        guard !ids.isEmpty else { return }
        let state = table[app: app].state.appState
        table.changeDetails(of: app) { details in
            var machine = AppStateMachine(state: state)
            machine.notifications = ids.suffix(AppStateMachine.mostNotifications).map { AppNotification($0) }
            machine.isBellUnread = true
            details.app = machine
        }
        noteChange(of: app)
    }

    func handle(_ event: AppStateMachine.Event, _ app: UInt32, at: Int64) -> [AppStateMachine.Step] {
        let state = table[app: app].state
        let (steps, appState) = table.changeDetails(of: app) { details in
            // Taken out, so that its list is changed in place.
            var machine = details.app.take() ?? AppStateMachine(state: state.appState)
            machine.permission = state.authorization
            machine.screensWithBell =
                details.settings.showsToasts == true
                ? details.settings.screensWithBell ?? AppSettings.usualScreensWithBell : nil
            var steps: [AppStateMachine.Step] = []
            if event.opensApp, let since = details.awaySince,
                AppStateMachine.isLongAbsence(since: since, at: at)
            {
                steps = machine.handle(.returnLate)
            }
            let wasInFront = machine.state == .foreground
            steps += machine.handle(event)
            if machine.state == .foreground {
                details.awaySince = nil
            } else if wasInFront {
                details.awaySince = at
            }
            details.app = machine
            return (steps, machine.state)
        }
        table.setState(appState, of: app)
        noteChange(of: app)
        if appState == .foreground, state.appState != .foreground { leaveOthers(app, at: at) }
        return steps
    }

    /// Only one app is in the foreground at a time.
    private func leaveOthers(_ app: UInt32, at: Int64) {
        for other in table.appsInFront(of: table[app: app].device)
        where other != app && table[app: other].state.appState == .foreground {
            _ = handle(.background, other, at: at)
        }
    }

    /// Changes the app's state, as the device's user or system would.
    ///
    /// - Returns: the steps that the app takes.
    func setAppState(_ appState: AppState, of app: UInt32, at: Int64) -> [AppStateMachine.Step] {
        // While the app has no state machine, storing the state is enough.
        guard appState == .foreground || table[detailsOf: app].hasScreens else {
            table.setState(appState, of: app)
            return []
        }
        switch appState {
        case .foreground: return handle(.launch, app, at: at)
        case .background:
            // An app that does not run is launched in the background.
            if !table[app: app].state.appState.isRunning {
                table.changeDetails(of: app) { details in
                    details.app?.state = .background
                    details.app?.screens = [.main]
                }
                table.setState(.background, of: app)
                return []
            }
            return handle(.background, app, at: at)
        case .terminated:
            // After the user quit the app, the system may have launched and terminated it.
            table.changeDetails(of: app) { details in
                if details.app?.state.isQuit == true { details.app?.state = .terminated }
            }
            return handle(.terminate, app, at: at)
        case .forceQuit: return handle(.forceQuit, app, at: at)
        case .forceStopped: return handle(.forceStop, app, at: at)
        }
    }

    /// The newest banner that an event may be about, and its app: one that is not in the list and still there.
    package func banner(for event: EventSubject, at: Int64) throws -> (app: String, banner: ShownBanner)? {
        guard let name = event.device, let device = try find(named: name) else { return nil }
        let app: UInt32?
        if let name = event.app {
            app = BorrowedText.with(name) { table.find($0, on: device) }
        } else {
            app = table.appWithBanner(on: device, seq: event.seq, identifier: event.identifier, at: at)
        }
        guard let app, let banner = table[detailsOf: app].banner, banner.isShown(at: at),
            event.seq ?? banner.seq == banner.seq, event.identifier ?? banner.identifier == banner.identifier
        else { return nil }
        return (table.name(ofApp: app).string, banner)
    }

    /// The banner of an app is gone.
    package func hideBanner(on device: String, of name: String) throws {
        guard let device = try find(named: device), let app = BorrowedText.with(name, { table.find($0, on: device) })
        else { return }
        table.changeDetails(of: app) { $0.banner = nil }
        noteChange(of: app)
    }

    /// Presents an arriving message to the app, and marks it unlisted when the app does not want it in the list.
    func present(_ message: inout DecodedMessage, _ app: UInt32, seq: UInt64, at: Int64) -> Arrival {
        if message.platform != .ios { return handToApp(&message, app, at: at) }
        let focus = table[focusOf: table[app: app].device]
        let hasScreens = table[detailsOf: app].hasScreens
        let permission = table[app: app].state.authorization
        let isInSummary = table[detailsOf: app].settings.isInSummary == true
        let switches = table[detailsOf: app].settings.switches
        guard hasScreens || focus != nil || isInSummary || permission == .provisional || !switches.isEmpty else {
            return Arrival()
        }
        let manner = manner(of: message)
        let delegate = table[detailsOf: app].settings.presentationDelegate
        var arrival = Arrival()
        if isSilent(message, manner) {
            if hasScreens { arrival.steps = handle(.arrivedSilently, app, at: at) }
            return arrival
        }
        let level = InterruptionLevel(manner.interruptionLevel, allowed: table[detailsOf: app].settings.levels)
        if message.isShown || (manner.hasSound && message.headers.pushType?.row.isShown ?? true) {
            arrival.quiet = QuietReason(
                level, of: message.app.string, from: manner.sender, permission: permission, focus: focus,
                isInSummary: isInSummary,
                asksDelegate: table[app: app].state.appState == .foreground && delegate.isAsked)
        }
        // A critical alert plays a sound in any case. Source: Apple, `UNNotificationInterruptionLevel.critical`.
        var traits = NotificationTraits(
            hasText: message.isShown, hasSound: manner.hasSound || (level == .critical && message.isShown),
            hasBadge: message.badge != nil && mayHaveBadge(app), quiet: arrival.quiet)
        if switches[.sounds] == false, level != .critical { traits.hasSound = false }
        traits.mayBeListed = switches[.notificationCenter] != false
        // Without a banner, there is no other place. A delegate that is asked decides about the badge.
        if message.isShown, arrival.quiet != nil, switches[.notificationCenter] == false {
            let options = traits.presentation(
                state: table[app: app].state.appState, delegate: delegate, permission: permission)
            return suppress(&message, .notificationCenterOff, app, keepsBadge: options.contains(.badge))
        }
        guard hasScreens else {
            if !traits.hasBadge { message.content.keepsIcon = true }
            message.isUnlisted = !traits.mayBeListed
            message.isBanner = message.isUnlisted && message.isShown
            // Nothing else would say that there was one.
            if message.isBanner { arrival.steps.append(.banner) }
            return arrival
        }
        let identifier =
            message.identifier?.string ?? GeneratedIdentifier(seq: seq, target: message.target).withText { $0.string }
        var steps = handle(
            .arrived(id: identifier, traits, delegate), app, at: at)
        if !steps.contains(.list) { message.isUnlisted = true }
        if steps.contains(.banner) || steps.contains(.toast) {
            // It covers the one before.
            message.isBanner = message.isUnlisted
            var banner: ShownBanner?
            if message.isBanner {
                let payload = policy.tapRoutes.map { _ in message.payload.string }
                banner = ShownBanner(identifier: identifier, seq: seq, shownAt: at, payload: payload)
            }
            table.changeDetails(of: app) { $0.banner = banner }
        }
        if !steps.contains(.badge) { message.content.keepsIcon = true }
        // It also wakes the app. Source: Apple, "Generating a remote notification", content-available.
        if manner.wakesApp, !table[app: app].state.appState.isQuit {
            steps += handle(.arrivedSilently, app, at: at)
        }
        arrival.steps = steps
        return arrival
    }
}

extension AppStateMachine.Event {
    /// The app event for an event of the stream; nil when it is not about the app.
    init?(_ event: borrowing DeviceEvent, _ choice: ActionChoice) {
        switch event.name {
        // Android opens an app by its bundle as by its icon.
        case .tap where event.isOnBundle == true: self = .launch
        case .tap:
            let opensApp = choice == .action(opensApp: true)
            self = event.actionWords.map { opensApp ? .actInFront($0) : .act($0) } ?? .tap
        case .dismiss where choice == .dismissal: self = .act(ActionCategory.dismissal)
        case .open:
            let kind = event.screenKind ?? .plain
            if kind == .center {
                self = .openCenter
            } else {
                self = .open(AppScreen(event.screen ?? "", kind: kind, isModal: event.isModal ?? false))
            }
        case .back: self = .back
        case .close: self = .dismiss
        case .edit: self = .edit
        case .save: self = .save
        case .confirm: self = .confirm(event.answer ?? .cancel)
        case .read: self = event.identifier.map { .read(id: $0) } ?? .readAll
        case .device, .clock, .dismiss, .clear, .preference, .focus, .summary, .subscribe, .unsubscribe, .post:
            return nil
        }
    }
}

extension PresentationDelegate {
    /// True if it decides about a notification that arrives in the foreground.
    var isAsked: Bool { if case .answers = self { true } else { false } }
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
