import AppSimulation
import PushModel
import WikimediaSettings

typealias Machine = PreferencesStateMachine

/// The environment of the settings screen: a user, a system and wikis, which answer when a test tells them to.
struct PreferenceWorld {
    var machine: Machine
    /// The stored settings of each wiki.
    var wikis: [String: Set<NotificationType>] = [:]
    /// Unanswered requests, oldest first.
    var requests: [Machine.Effect] = []
    /// All effects so far, oldest first.
    var log: [Machine.Effect] = []
    /// The positions of the switches that the user sees.
    var switches: [NotificationType: Bool] = [:]
    var csrfToken = "t+\\"
    var isAsked = false
    var isRegistering = false

    init(_ table: NotificationTypeTable = .wikimedia, permission: NotificationPermission = .authorized) {
        machine = Machine(table, permission: permission)
    }

    /// A logged-in user, who has then switched types on elsewhere; the wiki's settings were read, and the device is
    /// registered if any type is on.
    static func loggedIn(
        on: Set<NotificationType> = [], permission: NotificationPermission = .authorized
    ) -> PreferenceWorld {
        var world = PreferenceWorld(permission: permission)
        world.send(.loggedIn(account: "Anna", wiki: "en"))
        world.settle()
        world.wikis["en"] = on
        world.send(.appeared)
        world.settle()
        world.log = []
        return world
    }

    /// Sends an event, and returns the effects.
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
            case .unsubscribe, .showError: break
            }
        }
        // The settings are not offered any more.
        if machine.device.account == nil { switches = [:] }
        log += effects
        return effects
    }

    /// Carries out a request as a cooperative wiki would, and returns its answer.
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

    /// Answers the oldest request, normally or as given.
    @discardableResult
    mutating func answerNext(_ other: Machine.Answer? = nil) -> [Machine.Effect] {
        guard !requests.isEmpty else { return [] }
        let request = requests.removeFirst()
        if let other, let id = request.id { return send(.answered(id, other)) }
        guard let (id, answer) = answer(to: request) else { return [] }
        return send(.answered(id, answer))
    }

    /// Answers every request normally until none is left. Bounded, because a cycle would never end.
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

    /// The types whose switches are on.
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
    /// The id, if the effect is a request with an answer.
    var id: PreferencesStateMachine.RequestID? {
        switch self {
        case .fetchToken(let id, _), .requestUserinfo(let id, _), .writeOptions(let id, _, _, _),
            .subscribe(let id, _, _, _):
            id
        default: nil
        }
    }
}
