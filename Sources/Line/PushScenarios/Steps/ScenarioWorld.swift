import AppSimulation
import ExtensionHosting
import ExtensionPrograms
import PushDecoding
import PushDevices
import PushFaults
public import PushGherkinRunner
import PushJSON
import PushLint
public import PushModel
public import PushPipeline
import PushSystem

/// A value that your own steps share in one scenario, as in `world[Orders.self].count += 1`.
public protocol ScenarioState {
    /// The value at the beginning of a scenario.
    init()
}

/// The state of one scenario: its store in memory, the configuration of the pipeline, the settings screen, and the report
/// lines so far.
///
/// Everything that steps of different subjects share is here. Settings, permission, devices and screens are one state: a
/// change on the settings screen changes the device, and an event of the device changes the settings screen.
public struct ScenarioWorld {
    /// Every scenario starts at 2026-01-01T12:00:00Z, so that every run gives the same results.
    static let start: Int64 = 1_767_268_800_000  // milliseconds since the epoch

    let store = MemoryStore()
    /// The settings screen of the app on the device that pushes without a device go to, with the system and the wikis
    /// around it.
    var settings = SettingsScene()
    private let stage = ScenarioStage()
    /// Called with each line of the report; nil if nobody observes the scenario.
    var observer: ((borrowing RecordReport) -> Void)?
    /// The devices whose notification center covers the app on the screen.
    var raisedCenters: Set<String> = []
    /// The language of the devices, such as `de-AT`.
    var language: String? {
        didSet { serviceExtension.options.language = language }
    }
    /// The service extension of the apps.
    var serviceExtension = ScenarioExtension()
    /// The folder of the feature file: paths in steps are relative to it.
    let folder: String
    /// The folders whose files steps may read; nil for all.
    let confinement: [String]?
    /// The input of the last step that sent any records.
    private(set) var latestInput: [UInt8] = []
    /// How records are read and delivered from the next step on.
    public var configuration = PipelineConfiguration()
    /// All report lines so far.
    public private(set) var lines: [PushReport] = []
    /// Lines of the last step that sent any records.
    private(set) var latest: Range<Int> = 0..<0
    /// Since when the token of the last record has been invalid, in milliseconds since the epoch. Its report line has it
    /// only if the provider's answer does.
    private(set) var latestDeath: Int64?
    private var states: [ObjectIdentifier: any ScenarioState] = [:]

    /// - Parameters:
    ///   - folder: of the feature file.
    ///   - command: the path of the `pushpipe` command, which runs built-in extensions; nil if unknown.
    ///   - confinement: the folders whose files steps may read, without links; nil for all.
    init(folder: String = ".", command: String? = nil, confinement: [String]? = nil) {
        self.folder = folder
        self.confinement = confinement
        serviceExtension.options.command = command
        configuration.clock = .fixed(milliseconds: Self.start)
    }

    /// The scenario's value of a type of your own. It begins as `init()` makes it.
    public subscript<State: ScenarioState>(_ type: State.Type) -> State {
        mutating get {
            if let state = states[ObjectIdentifier(type)] as? State { return state }
            let state = State()
            states[ObjectIdentifier(type)] = state
            return state
        }
        set { states[ObjectIdentifier(type)] = newValue }
    }

    // MARK: - The settings screen

    /// The device whose settings the screen shows, for the app that pushes without an app are for.
    var deviceOfSettings: String { configuration.decoding.device }

    /// Lets something happen on the settings screen, and updates the device with the result.
    mutating func useSettings(_ deed: (inout SettingsScene) -> Void) throws {
        settings.screen.errors = []
        deed(&settings)
        try applySettings()
    }

    /// Brings the device in line with the settings screen, once somebody has logged in there.
    mutating func applySettings() throws {
        guard var event = settings.takeChange(of: deviceOfSettings) else { return }
        let app = configuration.decoding.topic
        if let name = try store.registry.nameInEvents(of: app, on: deviceOfSettings) { event.add("app", text: name) }
        if configuration.devicePolicy.typeMapping == nil {
            configuration.devicePolicy.typeMapping = settings.mappingByCategory
        }
        // It takes no number, so that records of a scenario are counted as its author does.
        try Pipeline(configuration, store: store).registerDevices(event.text)
    }

    /// Passes events of the device on to the settings screen.
    private mutating func applyObservedEvents() throws {
        for event in stage.takeEvents() {
            if event.name == .tap, let device = event.device { raisedCenters.remove(device) }
            let app = configuration.decoding.topic
            let isOurs = app.isEmpty || event.app.map { $0 == app } ?? true
            if isOurs, event.device == deviceOfSettings { settings.observe(event) }
        }
        try applySettings()
    }

    // MARK: - The push service

    /// Adds rules by which the push service refuses messages. They begin to count now.
    func addFaults(_ rules: [FaultRule]) {
        for rule in rules { stage.rules.append(rule, now: now) }
    }

    /// Has the push service work again.
    func removeFaults() { stage.rules = FaultRules() }

    /// The scenario's time, in milliseconds since the epoch.
    private var now: Int64 {
        if case .fixed(let milliseconds) = configuration.clock { return milliseconds }
        return Self.start
    }

    // MARK: - Records

    /// Sends events. An event that cannot be decoded fails the step.
    mutating func happen(_ events: String) throws {
        try deliver(Array(events.utf8))
        guard let fault = lines[latest].lazy.compactMap(\.decodeFailure).first else { return }
        throw StepFailure("\(fault.rule): \(fault.message)")
    }

    /// The later results of a message that was queued.
    func laterLines(ofRecord number: Int) throws(StepFailure) -> [PushReport] {
        let lines = self.lines.filter { line in
            line.original.map { $0 == UInt64(exactly: number) } ?? false && line.reaction == nil
        }
        guard !lines.isEmpty else {
            let others = Set(self.lines.compactMap(\.original)).sorted().prefix(5).map { "\($0)" }
            let which = others.isEmpty ? "no record has one" : "records with one: \(others.joined(separator: ", "))"
            throw StepFailure(
                "record \(number) has no later outcome yet (\(which)); steps that change a device are records, too")
        }
        return lines
    }

    /// Delivers records in any form that `pushpipe run` reads. Each call is a separate input over the same store, and
    /// starts at the time at which the previous one ended.
    ///
    /// - Throws: `StepFailure` when there is no record, and when an event has a member that it cannot have. `pushpipe
    ///   run` only reports a finding for the latter; a scenario would then not do what it says.
    public mutating func receive(_ records: String) throws { try receive(Array(records.utf8)) }

    /// Delivers records of bytes, which need not be UTF-8.
    mutating func receive(_ records: [UInt8]) throws {
        latestInput = records
        try deliver(records)
    }

    private mutating func deliver(_ records: [UInt8]) throws {
        var arrived: [PushReport] = []
        var slip: String?
        var death: Int64?
        configuration.decoding.replacement?.removal = serviceExtension.options.removal
        configuration.decoding.replacement?.wait = serviceExtension.options.removalWait
        let stages =
            [stage, RegistryStage()] as [any DeliveryStage] + (try serviceExtension.stages())
        let pipeline = Pipeline(configuration, deliveringTo: store, stages)
        let observer = observer
        let note: (borrowing RecordReport) throws -> Void = { report in
            observer?(report)
            let line = PushReport(report)
            arrived.append(line)
            death = report.note?.timestamp
            if slip == nil, let event = line.event, let finding = line.findings.first(where: \.isSlip) {
                slip = "record \(line.seq): \(finding.words(of: event))"
            }
        }
        try records.withUnsafeBytes { try pipeline.feed($0, report: note) }
        try pipeline.finish(report: note)
        if case .fixed(let start) = configuration.clock {
            configuration.clock = .fixed(milliseconds: start &+ pipeline.elapsedMilliseconds)
        }
        guard !arrived.isEmpty else { throw StepFailure("the text below the step contains no record") }
        latest = lines.count..<lines.count + arrived.count
        lines += arrived
        latestDeath = death
        try applyObservedEvents()
        if let slip { throw StepFailure(slip) }
    }

    /// The report line that came last, except those about what an app does by itself because of a message.
    ///
    /// - Throws: `StepFailure` when no record has arrived yet.
    public func last() throws(StepFailure) -> PushReport {
        guard let last = lines.last(where: { $0.reaction == nil }) else { throw StepFailure("no push has arrived yet") }
        return last
    }

    /// The report line of the last message.
    func lastMessage() throws(StepFailure) -> PushReport {
        guard let last = lines.last(where: { $0.event == nil }) else { throw StepFailure("no push has arrived yet") }
        return last
    }

    /// The report line of the last message and all after it; all lines if there are only events. Never empty.
    func linesSinceLastMessage() throws(StepFailure) -> ArraySlice<PushReport> {
        guard !lines.isEmpty else { throw StepFailure("no push has arrived yet") }
        return lines[(lines.lastIndex { $0.event == nil } ?? lines.startIndex)...]
    }

    /// The messages of a record. Records count from 1.
    func messages(ofRecord number: Int) throws(StepFailure) -> [PushReport] {
        let messages = lines.filter { $0.seq == UInt64(exactly: number) && $0.reaction == nil }
        guard !messages.isEmpty else {
            throw StepFailure("there is no record \(number); records so far: \(lines.last?.seq ?? 0)")
        }
        return messages
    }

    /// The notifications on a device's screen, newest first, as `store show` lists them.
    public func screen(of device: String) throws -> [DeliveredNotification] {
        try store.notifications(device: device).reversed()
    }
}

/// The scenario's own stage: refuses messages by rules, as a push service does that is in trouble, and notes the device
/// events that a pipeline handles, which it leaves to the stages after it.
private final class ScenarioStage: DeliveryStage {
    var rules = FaultRules()
    private var events: [DeviceEvent] = []

    /// True while there is no rule; events are handled all the same.
    var isIdle: Bool { rules.isEmpty }

    func process(_ message: inout DecodedMessage, _ context: DeliveryContext) {
        let effect = rules.effect(
            devices: [message.device.string], topic: message.provider == .apns ? message.topic.string : nil, path: nil,
            now: context.at)
        guard let rejection = effect?.refusal(by: message.provider.name.description) else { return }
        message.verdict = .rejected(rejection)
        context.report(
            Finding(rule: rejection.rule, severity: .error, pointer: "", message: rejection.row.cause.description))
    }

    func handle(_ event: DeviceEvent, standIn: DecodedMessage, _ context: DeliveryContext) -> EventResult? {
        if event.device != nil { events.append(event) }
        return nil
    }

    /// Removes and returns the events since the last call, oldest first.
    func takeEvents() -> [DeviceEvent] {
        defer { events.removeAll() }
        return events
    }
}

/// The service extension of a scenario. It is started before the first push that it may change.
struct ScenarioExtension {
    struct Options {
        /// A program, a bundle or `builtin:…`; nil without an extension.
        var path: String?
        var removal = RemovalTiming.immediate
        var removalWait = Duration.zero
        var timeLimit = Duration.seconds(30)
        var language: String?
        /// Items that the keychain begins with, as a property list.
        var keychain: [UInt8]?
        /// The path of the `pushpipe` command, which runs built-in extensions.
        var command: String?
    }

    /// A change ends the extension that is running.
    var options = Options() {
        didSet { running = nil }
    }
    private var running: Running?

    /// The stage that runs the extension; none without an extension.
    ///
    /// - Throws: `StepFailure` if there is no such program.
    mutating func stages() throws -> [any DeliveryStage] {
        guard let path = options.path else { return [] }
        if let running { return [ServiceExtensionStage(running.host)] }
        let program: ExtensionProgram
        do throws(PlainError) {
            program = try ExtensionProgram(path, language: options.language, command: options.command)
        } catch {
            throw StepFailure("the extension cannot be started: \(error)")
        }
        var configuration = ExtensionConfiguration(executable: program.executable)
        program.apply(to: &configuration)
        configuration.removal = options.removal
        configuration.removalWait = options.removalWait
        configuration.timeLimit = options.timeLimit
        configuration.keychain = options.keychain
        let running = Running(try ExtensionHost(configuration))
        self.running = running
        return [ServiceExtensionStage(running.host)]
    }

    /// Ends the extension's processes with the scenario.
    private final class Running {
        let host: ExtensionHost

        init(_ host: ExtensionHost) { self.host = host }

        deinit { host.finish() }
    }
}

/// The settings screen in a scenario, and the device that has its settings.
struct SettingsScene {
    var screen = SettingsScreen()
    /// The sites that store the settings, by language.
    var sites = SettingsSites()
    /// True if the app shows its feed, in a tab of its own.
    var showsFeed = true
    /// The settings that the device has; nil until the first login.
    private var applied: DevicePreferences?
    /// The device that has them.
    private var appliedTo = ""
    /// The account and site of the last login.
    private var lastLogin = (account: "user", site: SettingsSites.only)

    /// True if the app offers its settings: only to a user who is logged in.
    var isOffered: Bool { screen.device.account != nil }

    /// The part of the app that has its bell: the feed, or without one the settings; nil while nobody is logged in.
    ///
    /// Source: Wikimedia's Phabricator, T287628; wikimedia/wikipedia-ios, pull request 4109.
    var bell: String? { isOffered ? showsFeed ? "feed" : "settings" : nil }

    mutating func logIn(_ account: String, at site: String) {
        lastLogin = (account, site)
        screen.logIn(account, at: site)
    }

    // MARK: - The device

    /// The settings that a device has to take over; nil if there are none. Before the first login the settings
    /// say nothing about the device.
    mutating func takeChange(of device: String) -> StepEvent? {
        let now = screen.device
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
        let others = screen.surroundings.sites[now.current?.primarySite ?? ""]?.subtracting(screen.table.types) ?? []
        event.add("types", texts: now.typesOn.union(others).sorted().map(\.name))
        return event
    }

    /// Takes over what an event says about permission, login and types.
    mutating func observe(_ event: DeviceEvent) {
        screen.errors = []
        if event.authorization != nil || event.showsAlerts != nil {
            screen.changeSystem(
                permission: event.authorization ?? screen.permission,
                alertsAreOn: event.showsAlerts ?? screen.alertsAreOn)
        }
        guard applied != nil else { return }
        switch event.isLoggedIn {
        case true? where !isOffered: logIn(lastLogin.account, at: lastLogin.site)
        case false? where isOffered: screen.logOut()
        default: break
        }
        guard let site = screen.device.current?.primarySite else { return }
        if let types = event.settings.types {
            screen.surroundings.sites[site] = Set(types.map { NotificationType($0) })
        } else if let type = event.type.map({ NotificationType($0) }), let isOn = event.isOn {
            if isOn {
                screen.surroundings.sites[site, default: []].insert(type)
            } else {
                screen.surroundings.sites[site]?.remove(type)
            }
        } else {
            return
        }
        screen.open()
    }

    /// Rules by which the category of a push that names a type of this screen is its type.
    var mappingByCategory: PreferenceMapping {
        PreferenceMapping(
            screen.table.rows.map { PreferenceMapping.Rule(at: .category, like: $0.type.name, type: $0.type) })
    }
}
