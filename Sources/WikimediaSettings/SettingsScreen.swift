package import AppSimulation

/// The settings screen at work: a person who says yes, a system that hands out a token, and wikis that take what they are given, unless
/// it is said otherwise. What they keep is what the file has.
package struct SettingsScreen {
    /// A wiki gives this token to whoever is not logged in. Nobody checks it here.
    package static let csrfToken = "+\\"

    private let table: NotificationTypeTable
    private let registrationFails: Bool
    private var machine: PreferencesStateMachine
    private var accounts: [String: NotificationPreferences]
    /// What was written to wikis, oldest first.
    package private(set) var requests: [OptionsRequest] = []
    /// What the person was told, oldest first.
    package private(set) var errors: [PreferencesError] = []

    package init(_ device: DevicePreferences, _ table: NotificationTypeTable, registrationFails: Bool) {
        self.table = table
        self.registrationFails = registrationFails
        machine = PreferencesStateMachine(table, restoring: device)
        accounts = device.accounts
    }

    /// Lets all of this happen at once, and then everything be answered.
    package mutating func handle(_ events: [PreferencesStateMachine.Event]) {
        var effects = events.flatMap { machine.handle($0) }[...]
        while let effect = effects.popFirst() {
            if let event = answer(to: effect) { effects += machine.handle(event) }
        }
    }

    /// The device as it is now.
    package var device: DevicePreferences {
        var device = machine.device
        let primary = device.current?.primaryWiki
        device.accounts = accounts
        if let account = device.account, let primary {
            // With types that have no switch here.
            device.accounts[account, default: NotificationPreferences(primaryWiki: primary)].primaryWiki = primary
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
        accounts[account, default: NotificationPreferences(primaryWiki: wiki)].typesOn[wiki] = on
        let ordered = table.rows.compactMap { row in
            changes[row.type].flatMap { OptionsRequest.Change(row.type, isOn: $0) }
        }
        requests += OptionsRequest.requests(for: ordered)
    }
}
