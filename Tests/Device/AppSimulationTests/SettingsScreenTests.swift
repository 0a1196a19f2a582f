import AppSimulation
import PushModel
import TestSupport
import Testing

/// The settings screen: logins, switches, permission, registration and languages.
///
/// Sources: Wikimedia's Phabricator, T271855 and T288688.
struct SettingsScreenTests {
    private static let types: [NotificationType] = ["mention", "cx", "reverted", "thanks"]
    private static let table = NotificationTypeTable(types.map { NotificationTypeTable.Row($0.name) })
    private static let everythingOff = Dictionary(uniqueKeysWithValues: types.map { ($0, false) })

    /// A screen after a login at `en`, which forgets the login's request.
    private func screen(
        on: Set<NotificationType> = [], permission: NotificationPermission = .authorized,
        _ surroundings: (inout SettingsScreen.Surroundings) -> Void = { _ in }
    ) -> SettingsScreen {
        var device = DevicePreferences()
        device.permission = permission
        device.account = "Anna"
        device.registration = on.isEmpty ? .none : .registered
        device.accounts["Anna"] = NotificationPreferences(primarySite: "en", typesOn: ["en": on])
        var around = SettingsScreen.Surroundings()
        around.sites["en"] = on
        surroundings(&around)
        return SettingsScreen(Self.table, device, around)
    }

    private func on(_ screen: SettingsScreen) -> Set<NotificationType> { Set(screen.switches.filter(\.value).keys) }

    // MARK: - Logins

    @Test func `a login switches all types off on the server (T271855)`() {
        var around = SettingsScreen.Surroundings()
        around.sites["en"] = ["mention", "cx", "system"]
        var screen = SettingsScreen(Self.table, DevicePreferences(), around)
        screen.logIn("Anna", at: "en")
        #expect(screen.requests.map(\.site) == ["en"] && screen.requests.map(\.changes) == [Self.everythingOff])
        #expect(screen.switches == Self.everythingOff)
        // Types without a switch are not the app's.
        #expect(screen.surroundings.sites["en"] == ["system"])
        #expect(screen.errors.isEmpty && !screen.hasAsked)
    }

    @Test func `nothing else switches everything off`() {
        var screen = screen(on: ["mention"])
        screen.logIn("Anna", at: "en")
        screen.open()
        #expect(screen.requests.isEmpty)
        screen.logIn("Bela", at: "en")
        #expect(screen.requests.map(\.changes) == [Self.everythingOff])
    }

    @Test(arguments: [SettingsAnswer.error(code: "readonly"), .lost])
    func `a login that cannot switch off is an error, and opening the screen tries again`(answer: SettingsAnswer) {
        var around = SettingsScreen.Surroundings()
        around.sites["en"] = ["mention", "cx"]
        around.writes = [answer]
        var screen = SettingsScreen(Self.table, DevicePreferences(), around)
        screen.logIn("Anna", at: "en")
        guard case .cannotSwitchOff? = screen.errors.first, screen.errors.count == 1 else {
            Issue.record("\(screen.errors)")
            return
        }
        #expect(on(screen) == ["mention", "cx"])
        screen.surroundings.writes = []
        // What the user decides meanwhile counts.
        screen.toggle([(type: "reverted", isOn: true)])
        screen.open()
        #expect(on(screen) == ["reverted"])
        #expect(screen.surroundings.sites["en"] == ["reverted"])
    }

    @Test(arguments: [true, false]) func `a type that the site does not change is an error only if it is on`(isOn: Bool)
    {
        var around = SettingsScreen.Surroundings()
        around.sites["en"] = isOn ? ["cx"] : []
        around.writes = [.warning]
        var screen = SettingsScreen(Self.table, DevicePreferences(), around)
        screen.logIn("Anna", at: "en")
        #expect(screen.errors.map(\.message) == (isOn ? ["cx could not be changed: the answer is a warning"] : []))
        #expect(on(screen) == (isOn ? ["cx"] : []))
    }

    @Test func `a session that the server has ended takes the switch back, and nothing happens after it`() {
        var screen = screen(on: ["cx"]) { $0.writes = [SettingsAnswer("notloggedin") ?? .lost] }
        screen.toggle([(type: "mention", isOn: true)])
        #expect(screen.errors == [.sessionEnded])
        #expect(on(screen) == ["cx"])
        #expect(screen.device.account == nil)
        screen.open()
        screen.switchPush(true)
        screen.move(to: "de")
        #expect(screen.errors.count == 1 && screen.requests.count == 1)
        #expect(screen.device.obstacle(toPushOf: "cx") == .loggedOut)
    }

    // MARK: - Switches, permission and registration

    @Test func `the first switch asks for permission, and what is on at the site does not`() {
        var screen = screen(on: ["cx"], permission: .notDetermined)
        screen.open()
        #expect(!screen.hasAsked)
        screen.toggle([(type: "mention", isOn: true), (type: "reverted", isOn: true)])
        #expect(screen.hasAsked)
        #expect(screen.requests.map(\.changes) == [["mention": true, "reverted": true]])
        #expect(screen.surroundings.sites["en"] == ["cx", "mention", "reverted"])
        #expect(screen.device.permission == .authorized)
        // What is on already is not written again.
        screen.toggle([(type: "cx", isOn: true)])
        #expect(screen.requests.count == 1)
    }

    @Test func `a no puts the switches back and says why`() {
        var screen = screen(permission: .notDetermined) { $0.allowsNotifications = false }
        screen.toggle([(type: "mention", isOn: true)])
        #expect(screen.errors == [.permissionDenied])
        screen.toggle([(type: "cx", isOn: true)])
        #expect(screen.errors == [.permissionDenied, .permissionDenied])
        #expect(on(screen).isEmpty && screen.requests.isEmpty)
        #expect(screen.device.obstacle(toPushOf: nil) == .denied)
    }

    @Test func `to switch off needs no permission`() {
        var screen = screen(on: ["mention"])
        screen.changeSystem(permission: .denied, alertsAreOn: true)
        screen.toggle([(type: "mention", isOn: false)])
        #expect(screen.surroundings.sites["en"] == [])
        #expect(screen.errors.isEmpty)
    }

    @Test func `what the site has on is shown, and the device is registered for it`() {
        var screen = screen()
        #expect(screen.device.obstacle(toPushOf: nil) == .notRegistered)
        screen.surroundings.sites["en"] = ["mention", "unknown-here"]
        screen.open()
        #expect(on(screen) == ["mention"])
        #expect(screen.device.registration == .registered)
    }

    @Test func `a registration that fails puts the switch back, and the next switch tries again`() {
        var screen = screen { $0.registrationFailure = "no network" }
        screen.toggle([(type: "mention", isOn: true), (type: "cx", isOn: true)])
        #expect(screen.errors == [.registrationFailed(reason: "no network")])
        #expect(on(screen).isEmpty && screen.requests.isEmpty)
        #expect(screen.device.obstacle(toPushOf: nil) == .registrationFailed)
        screen.surroundings.registrationFailure = nil
        screen.toggle([(type: "cx", isOn: true)])
        #expect(on(screen) == ["cx"])
    }

    @Test(arguments: [SettingsAnswer.error(code: "topic-required"), .lost])
    func `a server that does not take the token is a subscription that failed`(answer: SettingsAnswer) {
        var screen = screen { $0.subscription = answer }
        screen.toggle([(type: "mention", isOn: true)])
        guard case .subscriptionFailed? = screen.errors.first, screen.errors.count == 1 else {
            Issue.record("\(screen.errors)")
            return
        }
        #expect(on(screen).isEmpty && screen.requests.isEmpty)
        #expect(screen.device.obstacle(toPushOf: nil) == .subscriptionFailed)
        screen.surroundings.subscription = .success
        screen.toggle([(type: "cx", isOn: true)])
        #expect(on(screen) == ["cx"])
    }

    @Test(arguments: [SettingsAnswer.error(code: "readonly"), .warning, .lost])
    func `a change that fails is undone`(answer: SettingsAnswer) {
        var screen = screen(on: ["mention"]) { $0.writes = [answer, .success] }
        screen.toggle([(type: "mention", isOn: false), (type: "cx", isOn: true)])
        guard case .cannotWrite(["cx", "mention"], _)? = screen.errors.first, screen.errors.count == 1 else {
            Issue.record("\(screen.errors)")
            return
        }
        #expect(on(screen) == ["mention"])
        screen.toggle([(type: "cx", isOn: true)])
        #expect(on(screen) == ["mention", "cx"])
    }

    @Test func `reading may fail, and a later read shows what the site has`() {
        var screen = screen(on: ["mention"]) { $0.reads = .lost }
        screen.surroundings.sites["en"] = ["reverted"]
        screen.open()
        #expect(screen.errors == [.cannotRead(reason: "there was no answer that could be read")])
        #expect(on(screen) == ["mention"])
        screen.surroundings.reads = .success
        screen.open()
        #expect(on(screen) == ["reverted"])
    }

    @Test func `a type without a switch cannot be switched`() {
        var screen = screen(on: ["cx"])
        screen.toggle([(type: "system", isOn: true)])
        #expect(screen.requests.isEmpty && on(screen) == ["cx"])
    }

    // MARK: - The switch for pushes

    @Test func `switched on, the app asks for permission and registers, though no type is on (T288688)`() {
        var screen = screen(permission: .notDetermined)
        #expect(!screen.pushIsOn && !screen.hidesTypes)
        screen.switchPush(true)
        #expect(screen.hasAsked && screen.pushIsOn && screen.requests.isEmpty)
        #expect(screen.device.obstacle(toPushOf: nil) == nil)
    }

    @Test func `switched off, the server loses the token, and the types keep their settings but are hidden (T288688)`()
    {
        var screen = screen(on: ["mention"])
        screen.switchPush(false)
        #expect(!screen.pushIsOn && screen.hidesTypes)
        // Nothing registers it again but the switch.
        screen.toggle([(type: "cx", isOn: true)])
        screen.open()
        #expect(screen.device.obstacle(toPushOf: "mention") == .notRegistered)
        #expect(on(screen) == ["mention"])
        screen.switchPush(true)
        #expect(screen.pushIsOn && !screen.hidesTypes)
        #expect(screen.device.typesOn == ["mention"])
    }

    // MARK: - Languages

    @Test func `another language takes the settings along, and what the other site had gives way`() {
        var screen = screen(on: ["mention"]) { $0.sites["de"] = ["cx"] }
        screen.move(to: "de")
        #expect(screen.requests.map(\.changes) == [["mention": true, "cx": false]])
        #expect(screen.surroundings.sites == ["en": ["mention"], "de": ["mention"]])
        #expect(screen.device.current?.primarySite == "de")
        // The same settings need no request.
        screen.move(to: "en")
        #expect(screen.requests.count == 1)
    }

    @Test func `if that fails nobody is told, and the screen shows what the other site has when it is opened`() {
        var screen = screen(on: ["mention"]) {
            $0.sites["de"] = ["reverted"]
            $0.writes = [.error(code: "readonly")]
        }
        screen.move(to: "de")
        #expect(screen.errors.isEmpty && on(screen) == ["mention"])
        #expect(screen.device.current?.primarySite == "de")
        screen.open()
        #expect(on(screen) == ["reverted"])
        // Settings that cannot be read are not copied.
        screen.surroundings.reads = .lost
        screen.open()
        screen.move(to: "en")
        #expect(screen.requests.count == 1 && on(screen) == ["reverted"])
    }

    @Test(arguments: [
        ("en", "en"), ("de-AT", "de"), ("pt_BR", "pt"), ("zh-Hans-CN", "zh"), ("DE", "de"), ("nb-NO", "no"),
        ("nn", "nn"),
        // What is not a language tag.
        ("", "en"), ("-", "en"), ("klingon", "en"), ("../x", "en"), ("d\u{0}", "en"),
    ])
    func `a language tag names a site`(tag: String, name: String) {
        var sites = SettingsSites()
        #expect(sites.site(for: tag) == "default")
        sites.pattern = "{language}.example.org"
        sites.languages = ["nb": "no"]
        #expect(sites.site(for: tag) == "\(name).example.org")
    }

    // MARK: - Invariants

    @Test func `whatever happens, the screen ends with what the site has, and nothing happens after a logout`() {
        let answers: [SettingsAnswer] = [.success, .success, .success, .warning, .lost, .error(code: "readonly")]
        for seed in UInt64(0)..<600 {
            var random = SeededGenerator(seed: seed)
            var device = DevicePreferences()
            device.permission = random.pick(NotificationPermission.allCases)
            var screen = SettingsScreen(Self.table, device)
            for _ in 0..<random.below(80) {
                let before = (requests: screen.requests.count, errors: screen.errors.count)
                let wasLoggedIn = screen.device.account != nil
                screen.surroundings.writes = [random.pick(answers)]
                screen.surroundings.reads = random.pick(answers)
                screen.surroundings.subscription = random.pick(answers)
                screen.surroundings.registrationFailure = random.below(5) == 0 ? "no network" : nil
                screen.surroundings.allowsNotifications = random.below(3) > 0
                switch random.below(14) {
                case 0:
                    screen.logIn(random.pick(["Anna", "Bela"]), at: random.pick(["de", "en", "fr"]))
                    continue
                case 1: screen.logOut()
                case 2: screen.open()
                case 3: screen.changeSystem(permission: random.pick(NotificationPermission.allCases), alertsAreOn: true)
                case 4, 5: screen.move(to: random.pick(["de", "en", "fr"]))
                case 6: screen.switchPush(random.below(3) > 0)
                default: screen.toggle([(type: random.pick(Self.types + ["no-switch"]), isOn: random.below(2) == 0)])
                }
                if !wasLoggedIn {
                    #expect(screen.requests.count == before.requests && screen.errors.count == before.errors, "\(seed)")
                } else if screen.device.account != nil {
                    #expect(on(screen) == screen.device.typesOn, "seed \(seed)")
                }
            }
            screen.surroundings.writes = []
            screen.surroundings.reads = .success
            screen.open()
            guard let site = screen.device.current?.primarySite else { continue }
            #expect(on(screen) == screen.surroundings.sites[site] ?? [], "seed \(seed)")
        }
    }
}
