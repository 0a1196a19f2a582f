import AppSimulation
import PushModel
import WikimediaSettings

typealias Machine = PreferencesStateMachine

/// What stands around the settings screen: a person, a system and wikis, which answer when a test has them answer.
struct PreferenceWorld {
    var machine: Machine
    /// What each wiki keeps.
    var wikis: [String: Set<NotificationType>] = [:]
    /// Requests that wait for their answers, oldest first.
    var requests: [Machine.Effect] = []
    /// All that came out, oldest first.
    var log: [Machine.Effect] = []
    /// How the switches stand in front of the person.
    var switches: [NotificationType: Bool] = [:]
    var csrfToken = "t+\\"
    var isAsked = false
    var isRegistering = false

    init(_ table: NotificationTypeTable = .wikimedia, permission: NotificationPermission = .authorized) {
        machine = Machine(table, permission: permission)
    }

    /// Somebody is logged in, what the wiki has was read, and the device is registered when anything is on.
    static func loggedIn(
        on: Set<NotificationType> = [], permission: NotificationPermission = .authorized
    ) -> PreferenceWorld {
        var world = PreferenceWorld(permission: permission)
        world.wikis["en"] = on
        world.send(.loggedIn(account: "Anna", wiki: "en"))
        world.settle()
        world.log = []
        return world
    }

    /// Sends an event, and returns what came out.
    @discardableResult
    mutating func send(_ event: Machine.Event) -> [Machine.Effect] {
        switch event {
        case .toggled(let type, let isOn): if switches[type] != nil { switches[type] = isOn }
        case .loggedIn(let account, _):
            if machine.device.account != account {
                switches = Dictionary(uniqueKeysWithValues: machine.table.rows.map { ($0.type, false) })
            }
        case .loggedOut: switches = [:]
        default: break
        }
        let effects = machine.handle(event)
        for effect in effects {
            switch effect {
            case .showToggle(let type, let isOn): switches[type] = isOn
            case .askForPermission: isAsked = true
            case .register: isRegistering = true
            case .fetchToken, .requestUserinfo, .writeOptions, .subscribe: requests.append(effect)
            case .showError(.sessionEnded): switches = [:]
            case .unsubscribe, .showError: break
            }
        }
        log += effects
        return effects
    }

    /// What an obliging wiki answers, having done what it was asked.
    mutating func answer(to request: Machine.Effect) -> (Machine.RequestID, Machine.Answer)? {
        switch request {
        case .fetchToken(let id, _): return (id, .token(csrfToken))
        case .requestUserinfo(let id, let wiki): return (id, .userOptions(on: wikis[wiki] ?? []))
        case .writeOptions(let id, let wiki, let changes, let token):
            if token != csrfToken { return (id, .error(code: "badtoken")) }
            for (type, isOn) in changes {
                if isOn { wikis[wiki, default: []].insert(type) } else { wikis[wiki, default: []].remove(type) }
            }
            return (id, .success(warnings: []))
        case .subscribe(let id, _, _, let token):
            return (id, token == csrfToken ? .success(warnings: []) : .error(code: "badtoken"))
        default: return nil
        }
    }

    /// Has the oldest request answered, as it should be or otherwise.
    @discardableResult
    mutating func answerNext(_ other: Machine.Answer? = nil) -> [Machine.Effect] {
        guard !requests.isEmpty else { return [] }
        let request = requests.removeFirst()
        if let other, let id = request.id { return send(.answered(id, other)) }
        guard let (id, answer) = answer(to: request) else { return [] }
        return send(.answered(id, answer))
    }

    /// Answers everything as it should be until nothing is left to answer. A circle would be no end, so there is a bound.
    mutating func settle() {
        for _ in 0..<1000 where isAsked || isRegistering || !requests.isEmpty {
            if isAsked {
                isAsked = false
                send(.permissionAnswered(isGranted: true))
            } else if isRegistering {
                isRegistering = false
                send(.registrationSucceeded(token: "device"))
            } else {
                answerNext()
            }
        }
    }

    /// The types whose switches stand on.
    var on: Set<NotificationType> { Set(switches.filter(\.value).keys) }

    /// The changes of all writes, oldest first.
    var writes: [[NotificationType: Bool]] {
        log.compactMap { if case .writeOptions(_, _, let changes, _) = $0 { changes } else { nil } }
    }

    var errors: [PreferencesError] {
        log.compactMap { if case .showError(let error) = $0 { error } else { nil } }
    }
}

extension PreferencesStateMachine.Effect {
    /// Of what is a request that is answered.
    var id: PreferencesStateMachine.RequestID? {
        switch self {
        case .fetchToken(let id, _), .requestUserinfo(let id, _), .writeOptions(let id, _, _, _),
            .subscribe(let id, _, _, _):
            id
        default: nil
        }
    }
}
