package import AppSimulation
import PushDecoding
import PushJSON
package import PushModel

extension DeviceRegistry {
    /// Applies an event of a device or an app on it, and releases or discards queued messages as needed.
    ///
    /// - Parameter at: milliseconds since the epoch; what is due then has happened (`advance`).
    /// - Returns: the steps that the app takes.
    /// - Parameter listed: see `applyToApp`.
    @discardableResult
    package func apply(
        _ event: DeviceEvent, at: Int64, listed: (_ app: String) throws -> [String] = { _ in [] }
    ) throws -> EventAnswer {
        guard let name = event.device else { return EventAnswer(ignored: .notPossible) }
        if event.name == .preference {
            // Otherwise an event would make a rejected token acceptable.
            guard try !policy.rejectsUnknownDevices || isKnown(name) else {
                return EventAnswer(ignored: .unknownDevice)
            }
            try switchType(event, known(name))
            return EventAnswer()
        }
        if event.name == .focus || event.name == .summary { return try quieten(event, name) }
        if event.name == .subscribe || event.name == .unsubscribe { return try changeTopics(event, name) }
        let isNew =
            try event.hasRareMembers && event.settings.install == .installed && !isRegistered(event.app, on: name)
        let device = try known(name)
        let app = try app(event.app, on: device)
        if event.appState?.isRunning == true, table[detailsOf: app].settings.install == .deleted,
            event.settings.install == nil
        {
            return EventAnswer(ignored: .notPossible)
        }
        if event.hasRareMembers {
            try takeExpoToken(event.settings.tokens.expo, for: app)
            if let other = event.rare.restoredFrom { try restore(app, from: other) }
        }
        let wasOnline = table[device: device].isOnline
        let before = table.waiting(device)
        change(device, event)
        if let others = unnamedApps(besides: app, event, on: device) {
            var event = event
            // Only one app is in front, and each has its own tokens.
            if event.appState == .foreground { event.appState = nil }
            if event.hasRareMembers {
                event.settings.tokens = OtherTokens()
            }
            _ = try change(others, event, isNew: false, at: at, listed)
        }
        let answer = try change(app, event, isNew: isNew, at: at, listed)
        let waiting = table.waiting(device)
        let isFreed = before.isDozing && !waiting.isDozing || before.isLocked && !waiting.isLocked
        if table[device: device].isOnline, !wasOnline || isFreed {
            try release(device, at: at)
        } else if event.appState == .foreground {
            try releaseDelayed(of: app)
        }
        return answer
    }

    /// True if an event has been about an app on a device before.
    private func isRegistered(_ app: String?, on name: String) throws -> Bool {
        guard let device = try find(named: name), isKnown(device) else { return false }
        guard let app else { return table.firstApp(of: device) != nil }
        return BorrowedText.with(app) { table.find($0, on: device) } != nil
    }

    /// Changes a device as an event says.
    private func change(_ device: UInt32, _ event: DeviceEvent) {
        let before = (table[device: device].platform, table[device: device].isOnline, table[conditionOf: device])
        if let platform = event.platform { table[device: device].platform = platform }
        if let isOnline = event.isOnline { table[device: device].isOnline = isOnline }
        if let isDozing = event.isDozing { table[conditionOf: device].isDozing = isDozing }
        if let lock = event.lock { table[conditionOf: device].lock = lock }
        if before == (table[device: device].platform, table[device: device].isOnline, table[conditionOf: device]) {
            table.noteRow(ofDevice: device)
        } else {
            table.noteChange(ofDevice: device)
        }
    }

    /// Changes an app as an event says, and discards what is queued for it in vain.
    private func change(
        _ app: UInt32, _ event: DeviceEvent, isNew: Bool, at: Int64, _ listed: (_ app: String) throws -> [String]
    ) throws -> EventAnswer {
        // Much of a stream: devices go online and offline.
        let isUnchanged = event.isAboutDeviceAlone
        let answer = try isUnchanged ? EventAnswer() : set(event, of: app, isNew: isNew, at: at, listed)
        if isUnchanged { table.noteRow(ofApp: app) } else { table.noteChange(ofApp: app) }
        noteTokenDue(app)

        let state = table[app: app].state
        if let since = state.unregisteredAt, since <= at {
            try discard(of: app, .unregistered) { _ in true }
        } else if event.appState?.isQuit == true {
            // Source: Apple, "Pushing background updates to your App".
            try discard(of: app, .forceQuit) { $0.isBackground }
        }
        return answer
    }

    /// - Parameter isNew: true if no event has been about the app before.
    private func set(
        _ event: DeviceEvent, of app: UInt32, isNew: Bool, at: Int64, _ listed: (_ app: String) throws -> [String]
    ) throws -> EventAnswer {
        var answer = EventAnswer()
        var said = event.hasRareMembers ? event.settings : nil
        // An app that is there already is not installed.
        if let install = said?.install,
            install == .deleted || table[detailsOf: app].settings.install == .deleted
                || isNew && event.rare.restoredFrom == nil
        {
            reset(app, to: install, at: at)
            answer.isReset = true
        }
        // A user who has just logged in has no types switched on yet.
        if event.isLoggedIn == true, table[app: app].state.isLoggedIn != true {
            table[app: app].state.hasTypes = true
            table.changeDetails(of: app) { $0.settings.types = [] }
        }
        if let channels = said?.channels {
            said?.channels = table.changeDetails(of: app) { $0.settings.recreate(channels) }
        }
        if let said {
            for member in event.rare.forgotten ?? [] { forget(member, of: app) }
            if said.types != nil { table[app: app].state.hasTypes = true }
            if let topics = said.topics { table.setTopics(Set(topics.map(TopicAudience.name)), of: app) }
            if said.tokens != OtherTokens() { table.changeTokens(of: app) { $0.merge(said.tokens) } }
        }
        change(&table[app: app].state, event, at: at)
        if let appState = event.appState, said?.install != .deleted || !appState.isRunning {
            if appState == .foreground { try beginList(of: app, listed) }
            answer.steps = setAppState(appState, of: app, at: at)
            answer.app = table.name(ofApp: app).string
        }
        guard said != nil || event.authorization != nil else { return answer }
        table.changeDetails(of: app) { details in
            if event.authorization != nil { details.settings.silentPushes = nil }
            guard let said else { return }
            for setting in AppSetting.table where !setting.isIndexed { setting.merge(said, &details.settings) }
            // A delegate that answers has the method, and one without it does not answer.
            if said.willPresent != nil {
                details.settings.delegate = nil
            } else if said.delegate != nil {
                details.settings.willPresent = nil
            }
            if said.categories != nil { details.indexCategories() }
        }
        return answer
    }

    private func forget(_ member: DeviceEvent.Unknown, of app: UInt32) {
        if member == .loggedIn { table[app: app].state.isLoggedIn = nil }
        if member == .types { table[app: app].state.hasTypes = false }
        guard let setting = AppSetting.named(member) else { return }
        table.changeDetails(of: app) { details in
            setting.forget(&details.settings)
            if member == .categories { details.indexCategories() }
        }
    }

    private func change(_ state: inout Installation, _ event: DeviceEvent, at: Int64) {
        if let authorization = event.authorization { state.authorization = authorization }
        if let showsAlerts = event.showsAlerts { state.showsAlerts = showsAlerts }
        if let isLoggedIn = event.isLoggedIn { state.isLoggedIn = isLoggedIn }
        if let registration = event.registration { state.registration = registration }
        if let since = event.unregisteredAt { state.unregisteredAt = since }
        switch event.isUnregistered {
        case true?: state.unregisteredAt = event.unregisteredAt ?? at
        case false?: state.unregisteredAt = nil
        case nil: break
        }
        switch event.isConfirmed {
        case true?:
            state.standing = .confirmed
            state.standingSince = at
        case false? where state.standing != .unconfirmed:
            state.standing = .unconfirmed
            state.standingSince = at
        case false?, nil: break
        }
        if let token = event.token {
            state.standing = token
            state.standingSince = at
        }
        if let since = event.tokenSince { state.standingSince = since }
    }

    private func switchType(_ event: DeviceEvent, _ device: UInt32) throws {
        guard let type = event.type else { return }
        let apps = try appsMeant(by: event, event.app, on: device)
        table.noteRow(ofDevice: device)
        for app in apps {
            table[app: app].state.hasTypes = true
            // In place: there may be thousands of types.
            table.changeDetails(of: app) { details in
                if details.settings.types == nil { details.settings.types = [] }
                if event.isOn == true {
                    details.settings.types?.insert(type)
                } else {
                    details.settings.types?.remove(type)
                }
            }
            table.noteChange(ofApp: app)
        }
    }

    /// The app that an event is about, and the one that stands for apps without a name if the event is about these, too.
    private func appsMeant(by event: DeviceEvent, _ name: String?, on device: UInt32) throws -> [UInt32] {
        let app = try app(name, on: device)
        return [app] + (unnamedApps(besides: app, event, on: device).map { [$0] } ?? [])
    }

    /// Turns a Focus on or off, or adds an app to the scheduled summary or removes it.
    private func quieten(_ event: DeviceEvent, _ name: String) throws -> EventAnswer {
        guard try !policy.rejectsUnknownDevices || isKnown(name) else { return EventAnswer(ignored: .unknownDevice) }
        let device = try known(name)
        // A device without an app on it gets an entry for all of them.
        let isSummary = event.name == .summary
        let apps = try appsMeant(by: event, isSummary ? event.app : nil, on: device)
        table.noteChange(ofDevice: device)
        for app in isSummary ? apps[...] : apps.prefix(1) {
            if isSummary { table.changeDetails(of: app) { $0.settings.isInSummary = event.isOn == true ? true : nil } }
            table.noteChange(ofApp: app)
        }
        if !isSummary {
            let focus = Focus(
                allowedApps: event.rare.allowedApps ?? [], allowedPeople: event.rare.allowedPeople ?? [],
                allowsTimeSensitive: event.allowsTimeSensitive ?? true)
            table[conditionOf: device].focus = event.isOn == true ? focus : nil
        }
        return EventAnswer()
    }

    /// The device is online again, leaves Doze or is unlocked for the first time: delivers what was queued for it and does not wait any
    /// longer, in the order in which it was accepted.
    private func release(_ device: UInt32, at: Int64) throws {
        var messages: [QueuedMessage] = []
        for app in table.appsWithQueue(of: device) {
            // The token was unregistered in the meantime.
            if let since = table[app: app].state.unregisteredAt, since <= at {
                try discard(of: app, .unregistered) { _ in true }
            }
            let (queued, deletedCount) = takeQueued(of: app)
            messages += queued
            if deletedCount > 0 {
                table.noteChange(ofApp: app)
                append(
                    .deletedMessages(
                        device: table.name(ofDevice: device).string, app: table.name(ofApp: app).string,
                        count: deletedCount))
            }
        }
        try release(messages)
    }

    private func discard(
        of app: UInt32, _ reason: OfflineStorage.Reason, where isDiscarded: (QueuedMessage) -> Bool
    ) throws {
        let discarded = table.changeDetails(of: app) { $0.storage.take(where: isDiscarded) }
        for message in discarded { try drop(.discarded(message, reason), message) }
    }
}

extension DeviceEvent {
    /// True if it says something of its device and nothing of an app.
    fileprivate var isAboutDeviceAlone: Bool {
        guard isOnline != nil || isDozing != nil || lock != nil else { return false }
        var rest = self
        (rest.platform, rest.isOnline, rest.isDozing, rest.lock) = (nil, nil, nil, nil)
        return rest == DeviceEvent(name, device: device, app: app)
    }
}

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
        // A tap opens any app, and the icon any app on a known device. For every other event the app must already be known.
        let name = name ?? event.app
        let mayOpen = try event.name == .tap || event.name == .open && isKnown(device)
        guard let app = try mayOpen ? tappedApp(name, on: known(device)) : knownApp(name, of: device)
        else { return EventAnswer(ignored: .notPossible) }
        if table[detailsOf: app].settings.install == .deleted { return EventAnswer(ignored: .notPossible) }
        try beginList(of: app, listed)
        var answer = EventAnswer()
        answer.app = table.name(ofApp: app).string
        let isInFront = table[app: app].state.appState == .foreground
        if event.name == .open, !isInFront { answer.steps = handle(.launch, app, at: at) }
        if event.name != .open || appEvent != .launch {
            let isPossible = table[detailsOf: app].app?.allows(appEvent) ?? true
            let steps = handle(appEvent, app, at: at)
            if steps.isEmpty, !(isPossible && appEvent.isSilent) { answer.ignored = .notPossible }
            answer.steps += steps
        }
        if event.name == .open ? !isInFront : mayOpen && appEvent.opensApp { try releaseDelayed(of: app) }
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

    /// Moves all other apps to the background: only one app is in the foreground at a time.
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
        if message.headers.pushType == .voip { return takeCall(app, at: at) }
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
        if message.isShown, delegate == .none, table[app: app].state.appState == .foreground {
            arrival.finding = Self.withoutDelegate
        }
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
        arrival.steps = presentInApp(&message, app, traits, delegate, seq: seq, at: at)
        // It also wakes the app. Source: Apple, "Generating a remote notification", content-available.
        if manner.wakesApp, mayBeWoken(app) {
            arrival.steps += handle(.arrivedSilently, app, at: at)
        }
        return arrival
    }

    /// Presents a message to an app whose screens are known. Returns the steps that the app takes.
    private func presentInApp(
        _ message: inout DecodedMessage, _ app: UInt32, _ traits: NotificationTraits, _ delegate: PresentationDelegate,
        seq: UInt64, at: Int64
    ) -> [AppStateMachine.Step] {
        let identifier =
            message.identifier?.string ?? GeneratedIdentifier(seq: seq, target: message.target).withText { $0.string }
        let steps = handle(.arrived(id: identifier, traits, delegate), app, at: at)
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
        return steps
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
                self = event.screen.map { .open(AppScreen($0, kind: kind, isModal: event.isModal ?? false)) } ?? .launch
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

/// Subscriptions to the topics of GCM and FCM, and whom a message to a topic is for.
extension DeviceRegistry {
    /// Topics that an app can be subscribed to. Source: Firebase, "Topic messaging": "One app instance can be subscribed to
    /// no more than 2000 topics".
    package static let mostTopics = 2000

    /// An app that a message to a topic is for.
    package struct Recipient: Equatable, Comparable, Sendable {
        package var device: String
        package var app: String

        package init(device: String, app: String) {
            self.device = device
            self.app = app
        }

        package static func < (left: Self, right: Self) -> Bool { (left.device, left.app) < (right.device, right.app) }
    }

    func changeTopics(_ event: DeviceEvent, _ name: String) throws -> EventAnswer {
        // Otherwise an event would make a rejected token acceptable.
        guard try !policy.rejectsUnknownDevices || isKnown(name) else { return EventAnswer(ignored: .unknownDevice) }
        guard let topic = event.rare.topic.map(TopicAudience.name) else { return EventAnswer(ignored: .notPossible) }
        let device = try known(name)
        let apps = try appsMeant(by: event, event.app, on: device)
        let isOn = event.name == .subscribe
        if isOn, let topics = table[detailsOf: apps[0]].settings.topics, topics.count >= Self.mostTopics,
            !topics.contains(topic)
        {
            return EventAnswer(ignored: .tooManyTopics)
        }
        table.noteRow(ofDevice: device)
        for app in apps { table.set(topic, isOn: isOn, of: app) }
        return EventAnswer()
    }

    /// Whom a message to a topic or a condition is for: registered apps with the topics that events have given them, in
    /// the order of their names. Dead tokens are left out. Nil when no app is known to be subscribed.
    ///
    /// - Parameter at: milliseconds since the epoch.
    package func recipients(of message: DecodedMessage, at: Int64) throws -> [Recipient]? {
        guard table.hasSubscribers || rows?.hasSubscribers ?? false else { return nil }
        let audience = TopicAudience(message.device)
        let topics = audience.mayHaveOthers ? nil : audience.topics
        try rows?.touchDevices(subscribedTo: topics)
        var isSubscribed = false
        var found: [Recipient] = []
        for app in table.subscribers(of: topics) {
            guard audience.contains(subscriberOf: table[detailsOf: app].settings.topics ?? []) else { continue }
            let name = table.name(ofApp: app)
            // `restricted_package_name`.
            guard message.topic.isEmpty || name.isEmpty || name == message.topic else { continue }
            let device = table[app: app].device
            // An entry without a name stands for apps that have none of their own.
            if name.isEmpty, let own = findApp(message.topic, on: device), own != app { continue }
            isSubscribed = true
            if let since = table[app: app].state.unregisteredAt, since <= at { continue }
            found.append(
                Recipient(
                    device: table.name(ofDevice: device).string, app: (name.isEmpty ? message.topic : name).string))
        }
        return isSubscribed ? found.sorted() : nil
    }
}
