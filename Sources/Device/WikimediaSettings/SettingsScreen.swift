package import AppSimulation

/// The settings screen with everything around it that an app needs: a person who allows notifications, a system that hands out a token, and
/// wikis that accept every change. Registration can be made to fail, and so can changes.
package struct SettingsScreen: PreferencesEnvironment, Sendable {
    private let table: NotificationTypeTable
    package let allowsNotifications = true
    package let registrationFailure: String?
    package let subscriptionFailure: PreferencesStateMachine.Answer?
    private var machine: PreferencesStateMachine
    private var accounts: [String: NotificationPreferences]
    /// The wiki's answers to the next changes; the last one stays.
    private var answers: [PreferencesStateMachine.Answer]
    /// The requests sent to wikis, accepted or not, oldest first.
    package private(set) var requests: [OptionsRequest] = []
    /// The errors that the person saw, oldest first.
    package private(set) var errors: [PreferencesError] = []

    package init(
        _ device: DevicePreferences, _ table: NotificationTypeTable, registrationFails: Bool = false,
        subscriptionFails: Bool = false, answers: [PreferencesStateMachine.Answer] = []
    ) {
        self.table = table
        self.answers = answers
        registrationFailure = registrationFails ? "the system handed out no token" : nil
        subscriptionFailure = subscriptionFails ? .error(code: "echo-push-topic-required") : nil
        machine = PreferencesStateMachine(table, restoring: device)
        accounts = device.accounts
    }

    /// Lets these events happen together, and then answers every request.
    package mutating func handle(_ events: [PreferencesStateMachine.Event]) {
        var effects = events.flatMap { machine.handle($0) }[...]
        while let effect = effects.popFirst() {
            if case .showError(let error) = effect { errors.append(error) }
            if let event = answer(to: effect) { effects += machine.handle(event) }
        }
    }

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

    package func read(from wiki: String) -> PreferencesStateMachine.Answer { .userOptions(on: typesOn(at: wiki)) }

    private func typesOn(at wiki: String) -> Set<NotificationType> {
        machine.device.account.flatMap { accounts[$0]?.typesOn[wiki] } ?? []
    }

    package mutating func write(
        _ changes: [NotificationType: Bool], to wiki: String
    ) -> PreferencesStateMachine.Answer {
        guard let account = machine.device.account else { return .success(warnings: []) }
        let answer = answers.count > 1 ? answers.removeFirst() : answers.first ?? .success(warnings: [])
        let on = answer.result(of: changes, on: typesOn(at: wiki))
        accounts[account, default: NotificationPreferences(primarySite: wiki)].typesOn[wiki] = on
        let ordered = table.rows.compactMap { row in
            changes[row.type].flatMap { OptionsRequest.Change(row.type, isOn: $0) }
        }
        requests += OptionsRequest.requests(for: ordered)
        return answer
    }
}
