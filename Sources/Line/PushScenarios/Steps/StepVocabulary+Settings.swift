import AppSimulation
import PreferenceFiles
import PushGherkinRunner
import PushPipeline

/// The settings screen of an app that stores its settings at a wiki, or another site. Its settings are those of the
/// device that pushes without a device go to.
extension StepVocabulary {
    static let settingsSurroundings: Table = [
        "the app has the settings in {string}": .given(
            """
            The file for `run --mapping`, relative to the feature file: the types with a switch, the wikis that store them, the \
            rules that give a push its type, where taps lead, and what the app posts and removes.
            """, example: ["../Preferences/wikipedia.yml"]
        ) { world, step in
            let path = try world.readablePath(try step.text(0))
            let app: PreferenceConfiguration
            do throws(PreferenceFileError) { app = try PreferenceConfiguration.read(path) } catch {
                throw StepFailure("\(error)")
            }
            world.updateSettings { settings in
                settings.screen = SettingsScreen(app.table, settings.screen.device, settings.screen.surroundings)
                settings.sites = app.sites
            }
            if !app.mapping.rules.isEmpty { world.configuration.devicePolicy.typeMapping = app.mapping }
            if let taps = app.taps { world.configuration.devicePolicy.tapRoutes = taps }
            if !app.messages.isEmpty { world.configuration.devicePolicy.messageRules = app.messages }
        },
        "the wiki {string} has {string} on": .given(
            "The types that are on at that wiki, separated by commas.",
            example: ["en.wikipedia.org", "mention, edit-thank"]
        ) { world, step in
            let wiki = try step.text(0)
            let types = types(try step.text(1))
            world.updateSettings { $0.screen.surroundings.sites[wiki] = types }
        },
        "the user will not allow notifications": .given(
            "The answer to the system's permission prompt."
        ) { world, _ in world.updateSettings { $0.screen.surroundings.allowsNotifications = false } },
        "the device cannot be registered": .given(
            "The system provides no token."
        ) { world, _ in world.updateSettings { $0.screen.surroundings.registrationFailure = "no connection" } },
        "the device can be registered again": .given(
            "The system provides a token, which the next type that is switched on makes the app ask for."
        ) { world, _ in world.updateSettings { $0.screen.surroundings.registrationFailure = nil } },
        "the wiki answers writes with {string}": .given(
            "success, warning (success, but nothing is changed), nothing (the answer is lost), or an error code; `notloggedin` ends the session.",
            example: ["warning"], answer { $0.writes = [$1] }),
        "the wiki answers reads with {string}": .given(
            "success, nothing (the answer is lost), or an error code.", example: ["nothing"], answer { $0.reads = $1 }),
        "the push infrastructure answers subscriptions with {string}": .given(
            "What it says to the device's token: success, nothing (the answer is lost), or an error code.",
            example: ["echo-push-topic-required"], answer { $0.subscription = $1 }),
    ]

    /// Sets an answer of what surrounds the settings screen to the step's text.
    private static func answer(
        _ set: @escaping @Sendable (inout SettingsScreen.Surroundings, SettingsAnswer) -> Void
    ) -> StepRow.Body {
        { world, step in
            guard let answer = SettingsAnswer(try step.text(0)) else {
                throw StepFailure("an answer is success, nothing or an error code")
            }
            world.updateSettings { set(&$0.screen.surroundings, answer) }
        }
    }

    private static func types(_ text: String) -> Set<NotificationType> {
        Set(text.split(whereSeparator: { $0 == "," || $0 == " " }).map { NotificationType(String($0)) })
    }

    // MARK: - What the user does

    static let settingsActions: Table = [
        "the user logs in as {string} at {string}": .when(
            """
            Logs in at the wiki of the app's primary language, where every type is switched off. From then on, a push whose \
            category is the name of a type with a switch is of that type, unless `the {string} of a push says its type` says \
            otherwise.
            """, example: ["Anna", "en.wikipedia.org"]
        ) { world, step in
            let account = try step.text(0)
            let wiki = try step.text(1)
            try world.useSettings { $0.logIn(account, at: wiki) }
        },
        "the user logs out": .when(
            "Logs out; nothing is delivered from then on."
        ) { world, _ in try world.useSettings { $0.screen.logOut() } },
        "the user opens the settings screen": .when(
            "Opens the screen, which reads the settings from the wiki."
        ) { world, _ in try world.useSettings { $0.screen.open() } },
        "the user switches {string} on": .when(
            "Flips a switch on the settings screen.", example: ["mention"], switchType(isOn: true)),
        "the user switches {string} off": .when(
            "Flips a switch on the settings screen.", example: ["mention"], switchType(isOn: false)),
        "the app's primary language changes to {string}": .when(
            "Changes to the language of another wiki.", example: ["de.wikipedia.org"]
        ) { world, step in
            let wiki = try step.text(0)
            try world.useSettings { $0.screen.move(to: wiki) }
        },
    ]

    private static func switchType(isOn: Bool) -> StepRow.Body {
        { world, step in
            let type = NotificationType(try step.text(0))
            guard world.settings.isOffered else { throw StepFailure(notOffered) }
            _ = try position(of: type, world.settings.screen)
            try world.useSettings { $0.screen.toggle([(type: type, isOn: isOn)]) }
        }
    }

    // MARK: - What there is

    static let settingsSights: Table = [
        "the switch {string} is on": .then(
            "The switch as the user sees it.", example: ["mention"], typeSwitch(isOn: true)),
        "the switch {string} is off": .then(
            "The switch as the user sees it.", example: ["mention"], typeSwitch(isOn: false)),
        "the wiki {string} keeps {string}": .then(
            "All types that are on at that wiki, separated by commas; an empty text for none.",
            example: ["en.wikipedia.org", "mention"]
        ) { world, step in
            let found = world.settings.screen.surroundings.sites[try step.text(0)] ?? []
            if try found == types(step.text(1)) { return nil }
            return "the wiki keeps \"\(found.sorted().map(\.name).joined(separator: ", "))\""
        },
        "the user has been asked for permission": .then(
            "The system has asked."
        ) { world, _ in world.settings.screen.hasAsked ? nil : "the system has not asked" },
        "the user has not been asked for permission": .then(
            "The system has not asked."
        ) { world, _ in world.settings.screen.hasAsked ? "the system has asked" : nil },
        "the user is told {string}": .then(
            "The app's message in the last step contains this text.", example: ["could not be changed"]
        ) { world, step in
            let wanted = try step.text(0)
            let messages = world.settings.screen.errors.map(\.message)
            if messages.contains(where: { $0.contains(wanted) }) { return nil }
            return messages.isEmpty
                ? "the user is told nothing" : "the user is told \"\(messages.joined(separator: "; "))\""
        },
        "the settings are offered": .then(
            "Somebody is logged in, so the app shows the switches."
        ) { world, _ in world.settings.isOffered ? nil : notOffered },
        "the settings are not offered": .then(
            "Nobody is logged in, so the app shows no switch."
        ) { world, _ in world.settings.screen.device.account.map { "\($0) is logged in" } },
        "a request to {string} switches every type off": .then(
            "Requests to that wiki have switched off every type that has a switch, as after a login.",
            example: ["en.wikipedia.org"]
        ) { world, step in
            let sent = changes(sentTo: try step.text(0), world)
            let off = Set(sent.flatMap { $0.filter { !$0.value }.keys })
            return !sent.isEmpty && world.settings.screen.table.types.isSubset(of: off) ? nil : listing(sent)
        },
        "a request to {string} switches {string} on": .then(
            "One of the requests to that wiki so far, accepted or not, contains this change.",
            example: ["en.wikipedia.org", "mention"], request(switchesOn: true)),
        "a request to {string} switches {string} off": .then(
            "One of the requests to that wiki so far, accepted or not, contains this change.",
            example: ["en.wikipedia.org", "mention"], request(switchesOn: false)),
    ]

    static let notOffered = "nobody is logged in, so the app offers no settings"

    private static func typeSwitch(isOn: Bool) -> StepRow.Check {
        { world, step in
            let found = try position(of: NotificationType(try step.text(0)), world.settings.screen)
            return found == isOn ? nil : "the switch is \(found ? "on" : "off")"
        }
    }

    /// True if the switch of a type is on, as the user sees it.
    private static func position(of type: NotificationType, _ screen: SettingsScreen) throws(StepFailure) -> Bool {
        if screen.hidesTypes { throw StepFailure("the push switch is off, so the screen hides the types") }
        if let found = screen.switches[type] { return found }
        if screen.device.account == nil { throw StepFailure(notOffered) }
        let advice =
            screen.table.rows.isEmpty ? "; name the app's types with: the app has the settings in {string}" : ""
        throw StepFailure("the screen has no switch \"\(type)\"\(advice)")
    }

    private static func request(switchesOn isOn: Bool) -> StepRow.Check {
        { world, step in
            let sent = changes(sentTo: try step.text(0), world)
            let type = NotificationType(try step.text(1))
            return sent.contains { $0[type] == isOn } ? nil : listing(sent)
        }
    }

    private static func changes(sentTo wiki: String, _ world: ScenarioWorld) -> [[NotificationType: Bool]] {
        world.settings.screen.requests.filter { $0.site == wiki }.map(\.changes)
    }

    private static func listing(_ sent: [[NotificationType: Bool]]) -> String {
        if sent.isEmpty { return "no request was sent to that wiki" }
        let requests = sent.map { changes in
            changes.sorted { $0.key < $1.key }.map { "\($0.key)=\($0.value ? 1 : 0)" }.joined(separator: " ")
        }
        return "the requests to that wiki are:" + requests.map { "\n  \($0)" }.joined()
    }

    // MARK: - The switch for pushes as a whole, and the bell, in an app such as Wikipedia's

    static let pushSwitch: Table = [
        "the user switches pushes on": .when(
            "The switch above those of the types: the app asks for permission, and registers the device.",
            switchPushes(isOn: true)),
        "the push switch is on": .then(
            "The switch above those of the types. It is on while the user allows pushes and the server has the token.",
            expectPushSwitch(isOn: true)),
        "the user switches pushes off": .when(
            "The switch above those of the types: the server no longer has the token, and the types are hidden.",
            switchPushes(isOn: false)),
        "the push switch is off": .then(
            "The switch above those of the types. It is on while the user allows pushes and the server has the token.",
            expectPushSwitch(isOn: false)),
        "the feed is on": .given(
            "The app's first tab is its feed."
        ) { world, _ in world.updateSettings { $0.showsFeed = true } },
        "the feed is off": .given(
            "The app has no feed; its settings are a tab instead."
        ) { world, _ in world.updateSettings { $0.showsFeed = false } },
        "the bell is in the feed": .then(
            "Where the app of a user who is logged in has its bell: in the feed, or without one in the settings.",
            bell(in: "feed")),
        "the bell is in the settings": .then(
            "Where the app of a user who is logged in has its bell: in the feed, or without one in the settings.",
            bell(in: "settings")),
        "there is no bell": .then(
            "Nobody is logged in, so the app has no bell."
        ) { world, _ in world.settings.bell.map { "the bell is in the \($0)" } },
    ]

    private static func switchPushes(isOn: Bool) -> StepRow.Body {
        { world, _ in
            guard world.settings.isOffered else { throw StepFailure(notOffered) }
            try world.useSettings { $0.screen.switchPush(isOn) }
        }
    }

    private static func expectPushSwitch(isOn: Bool) -> StepRow.Check {
        { world, _ in
            guard world.settings.isOffered else { return notOffered }
            let found = world.settings.screen.pushIsOn
            return found == isOn ? nil : "the push switch is \(found ? "on" : "off")"
        }
    }

    private static func bell(in place: String) -> StepRow.Check {
        { world, _ in
            let found = world.settings.bell
            if found == place { return nil }
            return found.map { "the bell is in the \($0)" } ?? "there is no bell"
        }
    }
}
