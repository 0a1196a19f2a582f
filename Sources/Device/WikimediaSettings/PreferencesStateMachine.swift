package import AppSimulation
import PushModel

/// The settings screen of an app that stores its settings at a wiki, as Wikipedia's does. Takes events and returns
/// effects. It does no I/O and reads no clock.
///
/// A login first switches all types off at the wiki. A switch moves at once, and back when the wiki rejects the change. Requests are sent one at a time; changes made
/// meanwhile are sent with the next one. While no user is logged in, there are no effects.
package struct PreferencesStateMachine: Sendable {
    package let table: NotificationTypeTable
    /// The app's permission on this device.
    package private(set) var permission: NotificationPermission
    /// The switch for alerts in the system's settings.
    package private(set) var alertsAreOn: Bool
    /// The position of each switch on the screen. Empty while no user is logged in.
    package private(set) var shown: [NotificationType: Bool] = [:]
    var session: PreferencesSession?
    private var isAsking = false
    private var lastRequest = 0

    /// A device without a login.
    package init(
        _ table: NotificationTypeTable = .wikimedia, permission: NotificationPermission = .notDetermined,
        alertsAreOn: Bool = true
    ) {
        self.table = table
        self.permission = permission
        self.alertsAreOn = alertsAreOn
    }

    /// Restores a device: its settings are up to date, and its registration is still valid.
    package init(_ table: NotificationTypeTable = .wikimedia, restoring device: DevicePreferences) {
        self.init(table, permission: device.permission, alertsAreOn: device.alertsAreOn)
        guard let account = device.account, let preferences = device.current else { return }
        var session = PreferencesSession(account: account, wiki: preferences.primarySite)
        session.known = preferences.current.intersection(table.types)
        session.isStale = false
        session.needsRead = false
        switch device.registration {
        // The request for the token was lost.
        case .none, .underWay: break
        // The token was not stored; the system provides it again.
        case .registered: session.registration = .registered("")
        case .failed(let reason): session.registration = .failed(reason: reason)
        case .subscriptionFailed(let reason): session.registration = .subscriptionFailed(reason: reason)
        }
        self.session = session
        for type in table.types { shown[type] = session.known.contains(type) }
    }

    package mutating func handle(_ event: Event) -> [Effect] {
        var effects: [Effect] = []
        switch event {
        case .loggedIn(let account, let wiki):
            if session?.account == account { break }
            endSession(&effects)
            session = PreferencesSession(account: account, wiki: wiki, switchingOff: table.types)
            shown = Dictionary(uniqueKeysWithValues: table.types.map { ($0, false) })
        case .loggedOut: endSession(&effects)
        case .appeared:
            session?.needsRead = true
            session?.reset?.hasFailed = false
            if session?.registration.hasFailed == true { session?.registration = .none }
        case .toggled(let type, let isOn): toggle(type, isOn, &effects)
        case .pushSwitched(let isOn): switchPush(isOn, &effects)
        case .permissionAnswered(let isGranted):
            isAsking = false
            permission = isGranted ? .authorized : .denied
        case .settingsChanged(let permission, let alertsAreOn):
            self.permission = permission
            self.alertsAreOn = alertsAreOn
        case .registrationSucceeded(let token): take(token)
        case .registrationFailed(let reason):
            if session?.registration == .waiting {
                registrationFailed(.failed(reason: reason), .registrationFailed(reason: reason), &effects)
            }
        case .primaryLanguageChanged(let wiki): move(to: wiki)
        case .answered(let id, let answer): take(answer, to: id, &effects)
        case .timedOut(let id): take(.lost, to: id, &effects)
        }
        goOn(&effects)
        return effects
    }

    // MARK: - The user and the system

    private mutating func toggle(_ type: NotificationType, _ isOn: Bool, _ effects: inout [Effect]) {
        guard let session, table.types.contains(type) else { return }
        // The switch is hidden.
        if session.wantsPush == false { return effects.append(.showToggle(type, session.isOn(type))) }
        shown[type] = isOn
        if isOn, permission == .denied {
            // The switch moves back; an earlier change to off is kept.
            return effects.append(.showError(.permissionDenied))
        }
        self.session?.wanted[type] = isOn
        // What the user decides after a failed reset counts.
        if session.reset?.hasFailed == true { self.session?.reset?.types.removeAll { $0 == type } }
        if isOn, session.registration.hasFailed { self.session?.registration = .none }
    }

    /// Source: Wikimedia's Phabricator, T288688, "Add primary toggle to enable and disable push notifications".
    private mutating func switchPush(_ isOn: Bool, _ effects: inout [Effect]) {
        guard let session else { return }
        self.session?.wantsPush = isOn
        if isOn {
            if session.registration.hasFailed { self.session?.registration = .none }
            return
        }
        for type in session.waiting { self.session?.wanted[type] = nil }
        withdrawToken(&effects)
        self.session?.registration = .none
    }

    private func withdrawToken(_ effects: inout [Effect]) {
        guard let session, case .registered(let token) = session.registration,
            let csrf = session.csrfTokens[session.wiki]
        else { return }
        effects.append(.unsubscribe(wiki: session.wiki, deviceToken: token, csrfToken: csrf))
    }

    private mutating func take(_ token: String) {
        switch session?.registration {
        // A token that was not requested belongs to a session that has ended.
        case nil, .some(.none): break
        case .waiting, .failed, .subscriptionFailed: session?.registration = .subscribing(token)
        case .subscribing(let old), .registered(let old):
            if old != token { session?.registration = .subscribing(token) }
        }
    }

    private mutating func move(to wiki: String) {
        guard let session else { return }
        if wiki == session.wiki {
            self.session?.move = nil
        } else if session.move?.to != wiki {
            self.session?.move = .init(to: wiki)
        }
        // Settings that may be stale must not be copied.
        if session.isStale { self.session?.needsRead = true }
    }

    private mutating func endSession(_ effects: inout [Effect]) {
        withdrawToken(&effects)
        session = nil
        shown = [:]
    }

    /// The server ended the session and would accept nothing more. Switches that the wiki has not followed move back.
    mutating func sessionEnded(_ effects: inout [Effect]) {
        effects.append(.showError(.sessionEnded))
        let known = session?.known ?? []
        for row in table.rows where shown[row.type] == !known.contains(row.type) {
            effects.append(.showToggle(row.type, known.contains(row.type)))
        }
        session = nil
        shown = [:]
    }

    mutating func registrationFailed(
        _ registration: PreferencesSession.Registration, _ error: PreferencesError, _ effects: inout [Effect]
    ) {
        session?.registration = registration
        for type in session?.waiting ?? [] { session?.wanted[type] = nil }
        effects.append(.showError(error))
    }

    // MARK: - Next steps

    /// Starts whatever work is ready, and moves the switches that are in the wrong position.
    private mutating func goOn(_ effects: inout [Effect]) {
        session?.dropFulfilled()
        finishMove()
        askOrRegister(&effects)
        if session != nil, session?.request == nil, let work = nextWork() { start(work, isSecondTry: false, &effects) }
        guard let session else { return }
        for row in table.rows where shown[row.type] != session.isOn(row.type) {
            shown[row.type] = session.isOn(row.type)
            effects.append(.showToggle(row.type, session.isOn(row.type)))
        }
    }

    private mutating func askOrRegister(_ effects: inout [Effect]) {
        guard let session, session.wantsPush != false else { return }
        let waiting = session.waiting
        let wantsPush = session.wantsPush == true
        switch permission {
        case .notDetermined:
            if !waiting.isEmpty || wantsPush, !isAsking {
                isAsking = true
                effects.append(.askForPermission)
            }
        case .denied:
            guard !waiting.isEmpty || wantsPush else { return }
            for type in waiting { self.session?.wanted[type] = nil }
            self.session?.wantsPush = nil
            effects.append(.showError(.permissionDenied))
        case .authorized, .provisional:
            // Even when nothing waits: types may have been switched on elsewhere.
            let isWanted = !waiting.isEmpty || wantsPush || table.types.contains { session.known.contains($0) }
            if isWanted, session.registration == .none {
                self.session?.registration = .waiting
                effects.append(.register)
            }
        }
    }

    private func nextWork() -> PreferencesSession.Work? {
        guard let session else { return nil }
        if let reset = session.reset, !reset.hasFailed, !reset.types.isEmpty {
            return .reset(Array(reset.types.prefix(Self.maximumChanges)))
        }
        if session.needsRead { return .read }
        if case .subscribing(let token) = session.registration { return .subscribe(deviceToken: token) }
        if let move = session.move { return step(of: move, in: session) }
        var isRegistered = false
        if case .registered = session.registration { isRegistered = true }
        // Switching off needs no permission.
        let ready = session.wanted.filter { !$1 || (isRegistered && permission.allowsNotifications) }
        return ready.isEmpty ? nil : .write(Self.firstChanges(of: ready))
    }

    private func step(of move: PreferencesSession.Move, in session: PreferencesSession) -> PreferencesSession.Work {
        guard let known = move.known else { return .readTarget(wiki: move.to) }
        var changes: [NotificationType: Bool] = [:]
        for type in table.types where session.known.contains(type) != known.contains(type) {
            changes[type] = session.known.contains(type)
        }
        return .writeTarget(wiki: move.to, Self.firstChanges(of: changes))
    }

    private static func firstChanges(of changes: [NotificationType: Bool]) -> [NotificationType: Bool] {
        let first = changes.sorted { $0.key < $1.key }.prefix(maximumChanges)
        return Dictionary(uniqueKeysWithValues: first.map { ($0.key, $0.value) })
    }

    mutating func nextRequest() -> RequestID {
        lastRequest += 1
        return RequestID(number: lastRequest)
    }

    // MARK: - For decisions

    /// True if the wiki's settings have been read or written successfully since the last failure.
    package var isUpToDate: Bool { session.map { !$0.isStale } ?? false }

    /// The position of the switch for pushes: on if the user allows them, and the server can send them.
    package var pushIsOn: Bool {
        guard case .registered? = session?.registration else { return false }
        return permission.allowsNotifications
    }

    /// True if the user has switched pushes off, so that the switches of the types are hidden.
    package var hidesTypes: Bool { session?.wantsPush == false }

    /// The preferences that currently decide about pushes.
    package var device: DevicePreferences {
        var device = DevicePreferences()
        device.permission = permission
        device.alertsAreOn = alertsAreOn
        guard let session else { return device }
        device.account = session.account
        device.accounts[session.account] = NotificationPreferences(
            primarySite: session.wiki, typesOn: [session.wiki: session.known])
        switch session.registration {
        case .none: device.registration = .none
        case .waiting, .subscribing: device.registration = .underWay
        case .registered: device.registration = .registered
        case .failed(let reason): device.registration = .failed(reason: reason)
        case .subscriptionFailed(let reason): device.registration = .subscriptionFailed(reason: reason)
        }
        return device
    }
}
