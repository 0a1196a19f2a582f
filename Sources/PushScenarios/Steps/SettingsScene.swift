import AppSimulation
import WikimediaSettings

/// What stands around a settings screen in a scenario: a person, the system and wikis. Each answers at once, as the scenario has said.
struct SettingsScene: PreferencesEnvironment {
    /// How a wiki answers writes.
    enum Writes {
        case taken
        /// `success` with a warning, and nothing was changed.
        case warned
        case refused(code: String)
        case lost
    }

    private(set) var machine = PreferencesStateMachine()
    /// The types that are on, by wiki.
    var wikis: [String: Set<NotificationType>] = [:]
    var writes = Writes.taken
    var allowsNotifications = true
    var registrationFailure: String?
    /// How the switches stand in front of the person.
    private(set) var switches: [NotificationType: Bool] = [:]
    private(set) var wasAsked = false
    private(set) var errors: [PreferencesError] = []
    private var pending: [PreferencesStateMachine.Effect] = []
    /// Answers to one step; a wiki that never takes anything could otherwise be asked for ever.
    private static let mostAnswers = 1000

    /// Lets something happen, and everybody answer until there is nothing left to answer.
    mutating func send(_ event: PreferencesStateMachine.Event) {
        switch event {
        case .toggled(let type, let isOn): switches[type] = isOn
        case .loggedIn: switches = Dictionary(uniqueKeysWithValues: machine.table.rows.map { ($0.type, false) })
        case .loggedOut: switches = [:]
        default: break
        }
        errors = []
        take(machine.handle(event))
        var answers = 0
        while !pending.isEmpty, answers < Self.mostAnswers {
            answers += 1
            if let answer = answer(to: pending.removeFirst()) { take(machine.handle(answer)) }
        }
    }

    private mutating func take(_ effects: [PreferencesStateMachine.Effect]) {
        for effect in effects {
            switch effect {
            case .showToggle(let type, let isOn): switches[type] = isOn
            case .showError(let error): errors.append(error)
            case .unsubscribe: break
            case .askForPermission:
                wasAsked = true
                pending.append(effect)
            case .register, .fetchToken, .requestUserinfo, .writeOptions, .subscribe: pending.append(effect)
            }
        }
    }

    func typesOn(at wiki: String) -> Set<NotificationType> { wikis[wiki] ?? [] }

    mutating func write(_ changes: [NotificationType: Bool], to wiki: String) -> PreferencesStateMachine.Answer {
        switch writes {
        case .taken:
            for (type, isOn) in changes {
                if isOn { wikis[wiki, default: []].insert(type) } else { wikis[wiki, default: []].remove(type) }
            }
            return .success(warnings: [])
        case .warned:
            let names = changes.keys.sorted().map { "Validation error for \"\($0.option)\": not a valid preference." }
            return .success(warnings: names)
        case .refused(let code): return .error(code: code)
        case .lost: return .lost
        }
    }
}
