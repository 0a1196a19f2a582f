import AppSimulation
import PushModel
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

    /// A request that changes options.
    struct Write {
        let wiki: String
        let changes: [NotificationType: Bool]
    }

    private(set) var machine = PreferencesStateMachine()
    /// The types that are on, by wiki.
    var wikis: [String: Set<NotificationType>] = [:]
    var writes = Writes.taken
    /// The answer to a request for the settings; nil for the settings.
    var failureOfReads: PreferencesStateMachine.Answer?
    /// True if the app shows its feed, in a tab of its own.
    var showsFeed = true
    var allowsNotifications = true
    var registrationFailure: String?
    var subscriptionFailure: PreferencesStateMachine.Answer?
    /// The switches as the user sees them. After the server has ended the session they stay until the screen is left.
    private(set) var switches: [NotificationType: Bool] = [:]
    private(set) var wasAsked = false
    private(set) var errors: [PreferencesError] = []
    /// Requests that changed options, or should have, oldest first.
    private(set) var sent: [Write] = []
    private var pending: [PreferencesStateMachine.Effect] = []
    /// The settings that the device has; nil until the first login.
    private var applied: DevicePreferences?
    /// The device that has them.
    private var appliedTo = ""
    /// The account and wiki of the last login.
    private var lastLogin = (account: "user", wiki: SettingsChange.defaultWiki)
    /// Limit per step. Without it, a wiki that refuses everything could be asked forever.
    private static let mostAnswers = 1000

    /// True if the app offers its settings: only to a user who is logged in.
    var isOffered: Bool { machine.device.account != nil }

    /// Where the app has its bell; nil for nowhere.
    var bell: BellPlace? { BellPlace(showsFeed: showsFeed, isLoggedIn: isOffered) }

    /// Sends an event and answers the effects until there are none left.
    mutating func send(_ event: PreferencesStateMachine.Event) {
        switch event {
        case .toggled(let type, let isOn): switches[type] = isOn
        case .loggedIn(let account, let wiki):
            lastLogin = (account, wiki)
            if machine.device.account != account {
                switches = Dictionary(uniqueKeysWithValues: machine.table.rows.map { ($0.type, false) })
            }
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

    // MARK: - The wikis

    func read(from wiki: String) -> PreferencesStateMachine.Answer {
        failureOfReads ?? .userOptions(on: wikis[wiki] ?? [])
    }

    mutating func write(_ changes: [NotificationType: Bool], to wiki: String) -> PreferencesStateMachine.Answer {
        sent.append(Write(wiki: wiki, changes: changes))
        let answer: PreferencesStateMachine.Answer
        switch writes {
        case .taken: answer = .success(warnings: [])
        case .warned:
            let names = changes.keys.sorted().map { "Validation error for \"\($0.option)\": not a valid preference." }
            answer = .success(warnings: names)
        case .refused(let code): answer = .error(code: code)
        case .lost: answer = .lost
        }
        wikis[wiki] = answer.result(of: changes, on: wikis[wiki] ?? [])
        return answer
    }

    // MARK: - The device

    /// The settings that a device has to take over; nil if there are none. Before the first login the settings
    /// say nothing about the device.
    mutating func takeChange(of device: String) -> StepEvent? {
        let now = machine.device
        guard applied != nil || isOffered else { return nil }
        let old = appliedTo == device ? applied : nil
        guard old != now else { return nil }
        applied = now
        appliedTo = device
        var event = StepEvent(.device, device: device)
        if old?.permission != now.permission { event.add("authorization", text: now.permission.rawValue) }
        if old?.alertsAreOn != now.alertsAreOn { event.add("alerts", "\(now.alertsAreOn)") }
        if old?.account != now.account { event.add("logged_in", "\(now.account != nil)") }
        if old?.registration != now.registration {
            event.add("registration", text: DeviceEvent.Registration(now.registration).rawValue)
        }
        // Types without a switch are the device's own.
        let others = wikis[now.current?.primarySite ?? ""]?.subtracting(machine.table.types) ?? []
        event.add("types", texts: now.typesOn.union(others).sorted().map(\.name))
        return event
    }

    /// Takes over what an event says about permission, login and types.
    mutating func observe(_ event: DeviceEvent) {
        if event.authorization != nil || event.showsAlerts != nil {
            let device = machine.device
            send(
                .settingsChanged(
                    permission: event.authorization ?? device.permission,
                    alertsAreOn: event.showsAlerts ?? device.alertsAreOn))
        }
        guard applied != nil else { return }
        switch event.isLoggedIn {
        case true? where !isOffered: send(.loggedIn(account: lastLogin.account, wiki: lastLogin.wiki))
        case false? where isOffered: send(.loggedOut)
        default: break
        }
        guard let wiki = machine.device.current?.primarySite else { return }
        if let types = event.types {
            wikis[wiki] = Set(types.map { NotificationType($0) })
        } else if let type = event.type, let isOn = event.isOn {
            wikis[wiki] = PreferencesStateMachine.Answer.success(warnings: [])
                .result(of: [NotificationType(type): isOn], on: wikis[wiki] ?? [])
        } else {
            return
        }
        send(.appeared)
    }

    /// Rules by which the category of a push that names a type of this screen is its type.
    var mappingByCategory: PreferenceMapping {
        PreferenceMapping(
            machine.table.rows.map { PreferenceMapping.Rule(at: .category, like: $0.type.name, type: $0.type) })
    }
}
