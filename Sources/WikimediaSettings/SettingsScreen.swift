package import AppSimulation

/// The settings screen with everything around it that an app needs: a person who allows notifications, a system that hands out a token, and
/// wikis that accept every change. Registration can be made to fail.
package struct SettingsScreen: Sendable {
    /// The csrf token that MediaWiki gives to anonymous users. Nobody checks it here.
    package static let csrfToken = "+\\"

    private let table: NotificationTypeTable
    private let registrationFails: Bool
    private var machine: PreferencesStateMachine
    private var accounts: [String: NotificationPreferences]
    /// The requests written to wikis, oldest first.
    package private(set) var requests: [OptionsRequest] = []
    /// The errors that the person saw, oldest first.
    package private(set) var errors: [PreferencesError] = []

    package init(_ device: DevicePreferences, _ table: NotificationTypeTable, registrationFails: Bool) {
        self.table = table
        self.registrationFails = registrationFails
        machine = PreferencesStateMachine(table, restoring: device)
        accounts = device.accounts
    }

    /// Lets these events happen together, and then answers every request.
    package mutating func handle(_ events: [PreferencesStateMachine.Event]) {
        var effects = events.flatMap { machine.handle($0) }[...]
        while let effect = effects.popFirst() {
            if let event = answer(to: effect) { effects += machine.handle(event) }
        }
    }

    /// The device in its current state.
    package var device: DevicePreferences {
        var device = machine.device
        let primary = device.current?.primarySite
        device.accounts = accounts
        if let account = device.account, let primary {
            // The account's settings may have types that the table has no switch for.
            device.accounts[account, default: NotificationPreferences(primarySite: primary)].primarySite = primary
        }
        return device
    }

    private mutating func answer(to effect: PreferencesStateMachine.Effect) -> PreferencesStateMachine.Event? {
        switch effect {
        case .askForPermission: return .permissionAnswered(isGranted: true)
        case .register:
            return registrationFails
                ? .registrationFailed(reason: "the system handed out no token")
                : .registrationSucceeded(token: "device")
        case .fetchToken(let id, _): return .answered(id, .token(Self.csrfToken))
        case .requestUserinfo(let id, let wiki): return .answered(id, .userOptions(on: settings(at: wiki)))
        case .writeOptions(let id, let wiki, let changes, _):
            write(changes, to: wiki)
            return .answered(id, .success(warnings: []))
        case .subscribe(let id, _, _, _): return .answered(id, .success(warnings: []))
        case .showError(let error):
            errors.append(error)
            return nil
        case .showToggle, .unsubscribe: return nil
        }
    }

    private func settings(at wiki: String) -> Set<NotificationType> {
        machine.device.account.flatMap { accounts[$0]?.typesOn[wiki] } ?? []
    }

    private mutating func write(_ changes: [NotificationType: Bool], to wiki: String) {
        guard let account = machine.device.account else { return }
        var on = settings(at: wiki)
        for (type, isOn) in changes {
            if isOn { on.insert(type) } else { on.remove(type) }
        }
        accounts[account, default: NotificationPreferences(primarySite: wiki)].typesOn[wiki] = on
        let ordered = table.rows.compactMap { row in
            changes[row.type].flatMap { OptionsRequest.Change(row.type, isOn: $0) }
        }
        requests += OptionsRequest.requests(for: ordered)
    }
}
