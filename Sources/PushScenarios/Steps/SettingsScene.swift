import AppSimulation
import WikimediaSettings

/// The settings screen in a scenario, with the user, the system and the wikis behind it. Each answers at once, as the
/// scenario says.
struct SettingsScene: PreferencesEnvironment {
    /// How a wiki answers writes.
    enum Writes {
        case taken
        /// `success` with a warning; nothing is changed.
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
    /// The switches as the user sees them.
    private(set) var switches: [NotificationType: Bool] = [:]
    private(set) var wasAsked = false
    private(set) var errors: [PreferencesError] = []
    private var pending: [PreferencesStateMachine.Effect] = []
    /// Limit per step. Without it, a wiki that refuses everything could be asked forever.
    private static let mostAnswers = 1000

    /// Sends an event and answers the effects until there are none left.
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
