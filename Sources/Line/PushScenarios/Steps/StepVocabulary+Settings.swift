import AppSimulation
import PreferenceFiles
import PushGherkinRunner
import PushPipeline

/// The settings screen of an app that stores its settings at a wiki, or another site. Its settings are those of the device that pushes
/// without a device go to.
extension StepVocabulary {
    static func addSettingsScreen(to library: inout Library) throws(PatternError) {
        try addSurroundings(to: &library)
        try addDeeds(to: &library)
        try addSights(to: &library)
        try addPushSwitch(to: &library)
        try addBellPlaces(to: &library)
    }

    private static func addSurroundings(to library: inout Library) throws(PatternError) {
        try library.add(
            .given, "the app has the settings in {string}",
            summary: """
                The file for `run --mapping`, relative to the feature file: the types with a switch, the wikis that store them, the rules that give a \
                push its type, where taps lead, and what the app posts and removes.
                """,
            example: "Given the app has the settings in \"../Preferences/wikipedia.yml\""
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
        }
        try library.add(
            .given, "the wiki {string} has {string} on",
            summary: "The types that are on at that wiki, separated by commas.",
            example: "Given the wiki \"en.wikipedia.org\" has \"mention, edit-thank\" on"
        ) { world, step in
            let wiki = try step.text(0)
            let types = types(try step.text(1))
            world.updateSettings { $0.screen.surroundings.sites[wiki] = types }
        }
        try library.add(
            .given, "the user will not allow notifications",
            summary: "The answer to the system's permission prompt.",
            example: "Given the user will not allow notifications"
        ) { world, _ in world.updateSettings { $0.screen.surroundings.allowsNotifications = false } }
        try library.add(
            .given, "the device cannot be registered",
            summary: "The system provides no token.", example: "Given the device cannot be registered"
        ) { world, _ in world.updateSettings { $0.screen.surroundings.registrationFailure = "no connection" } }
        try library.add(
            .given, "the device can be registered again",
            summary: "The system provides a token, which the next type that is switched on makes the app ask for.",
            example: "Given the device can be registered again"
        ) { world, _ in world.updateSettings { $0.screen.surroundings.registrationFailure = nil } }
        try library.add(
            .given, "the wiki answers writes with {string}",
            summary: """
                success, warning (success, but nothing is changed), nothing (the answer is lost), or an error code; `notloggedin` ends the session.
                """,
            example: "Given the wiki answers writes with \"warning\""
        ) { world, step in
            let answer = try answer(step)
            world.updateSettings { $0.screen.surroundings.writes = [answer] }
        }
        try library.add(
            .given, "the wiki answers reads with {string}",
            summary: "success, nothing (the answer is lost), or an error code.",
            example: "Given the wiki answers reads with \"nothing\""
        ) { world, step in
            let answer = try answer(step)
            world.updateSettings { $0.screen.surroundings.reads = answer }
        }
        try library.add(
            .given, "the push infrastructure answers subscriptions with {string}",
            summary: "What it says to the device's token: success, nothing (the answer is lost), or an error code.",
            example: "Given the push infrastructure answers subscriptions with \"echo-push-topic-required\""
        ) { world, step in
            let answer = try answer(step)
            world.updateSettings { $0.screen.surroundings.subscription = answer }
        }
    }

    private static func answer(_ step: StepInput) throws -> SettingsAnswer {
        guard let answer = SettingsAnswer(try step.text(0)) else {
            throw StepFailure("an answer is success, nothing or an error code")
        }
        return answer
    }

    private static func addDeeds(to library: inout Library) throws(PatternError) {
        try library.add(
            .when, "the user logs in as {string} at {string}",
            summary: """
                Logs in at the wiki of the app's primary language, where every type is switched off. From then on, a push whose category is \
                the name of a type with a switch is of that type, unless `the {string} of a push says its type` says otherwise.
                """,
            example: "When the user logs in as \"Anna\" at \"en.wikipedia.org\""
        ) { world, step in
            let account = try step.text(0)
            let wiki = try step.text(1)
            try world.useSettings { $0.logIn(account, at: wiki) }
        }
        try library.add(
            .when, "the user logs out", summary: "Logs out; nothing is delivered from then on.",
            example: "When the user logs out"
        ) { world, _ in try world.useSettings { $0.screen.logOut() } }
        try library.add(
            .when, "the user opens the settings screen",
            summary: "Opens the screen, which reads the settings from the wiki.",
            example: "When the user opens the settings screen"
        ) { world, _ in try world.useSettings { $0.screen.open() } }
        for (word, isOn) in [("on", true), ("off", false)] {
            try library.add(
                .when, "the user switches {string} \(word)",
                summary: "Flips a switch on the settings screen.", example: "When the user switches \"mention\" \(word)"
            ) { world, step in
                let type = NotificationType(try step.text(0))
                guard world.settings.isOffered else { throw StepFailure(notOffered) }
                _ = try position(of: type, world.settings.screen)
                try world.useSettings { $0.screen.toggle([(type: type, isOn: isOn)]) }
            }
        }
        try library.add(
            .when, "the app's primary language changes to {string}",
            summary: "Changes to the language of another wiki.",
            example: "When the app's primary language changes to \"de.wikipedia.org\""
        ) { world, step in
            let wiki = try step.text(0)
            try world.useSettings { $0.screen.move(to: wiki) }
        }
    }

    private static func addSights(to library: inout Library) throws(PatternError) {
        for (word, isOn) in [("on", true), ("off", false)] {
            try library.add(
                .then, "the switch {string} is \(word)",
                summary: "The switch as the user sees it.", example: "Then the switch \"mention\" is \(word)"
            ) { world, step in
                let type = NotificationType(try step.text(0))
                let found = try position(of: type, world.settings.screen)
                guard found == isOn else { throw StepFailure("the switch is \(found ? "on" : "off")") }
            }
        }
        try library.add(
            .then, "the wiki {string} keeps {string}",
            summary: "All types that are on at that wiki, separated by commas; an empty text for none.",
            example: "Then the wiki \"en.wikipedia.org\" keeps \"mention\""
        ) { world, step in
            let found = world.settings.screen.surroundings.sites[try step.text(0)] ?? []
            guard found == types(try step.text(1)) else {
                throw StepFailure("the wiki keeps \"\(found.sorted().map(\.name).joined(separator: ", "))\"")
            }
        }
        try library.add(
            .then, "the user has been asked for permission",
            summary: "The system has asked.", example: "Then the user has been asked for permission"
        ) { world, _ in if !world.settings.screen.hasAsked { throw StepFailure("the system has not asked") } }
        try library.add(
            .then, "the user has not been asked for permission",
            summary: "The system has not asked.", example: "Then the user has not been asked for permission"
        ) { world, _ in if world.settings.screen.hasAsked { throw StepFailure("the system has asked") } }
        try library.add(
            .then, "the user is told {string}",
            summary: "The app's message in the last step contains this text.",
            example: "Then the user is told \"could not be changed\""
        ) { world, step in
            let wanted = try step.text(0)
            let messages = world.settings.screen.errors.map(\.message)
            guard messages.contains(where: { $0.contains(wanted) }) else {
                throw StepFailure(
                    messages.isEmpty
                        ? "the user is told nothing" : "the user is told \"\(messages.joined(separator: "; "))\"")
            }
        }
        try library.add(
            .then, "the settings are offered",
            summary: "Somebody is logged in, so the app shows the switches.", example: "Then the settings are offered"
        ) { world, _ in if !world.settings.isOffered { throw StepFailure(notOffered) } }
        try library.add(
            .then, "the settings are not offered",
            summary: "Nobody is logged in, so the app shows no switch.", example: "Then the settings are not offered"
        ) { world, _ in
            if let account = world.settings.screen.device.account { throw StepFailure("\(account) is logged in") }
        }
        try library.add(
            .then, "a request to {string} switches every type off",
            summary: "Requests to that wiki have switched off every type that has a switch, as after a login.",
            example: "Then a request to \"en.wikipedia.org\" switches every type off"
        ) { world, step in
            let sent = changes(sentTo: try step.text(0), world)
            guard !sent.isEmpty else { throw StepFailure(noRequest) }
            let off = Set(sent.flatMap { $0.filter { !$0.value }.keys })
            guard world.settings.screen.table.types.isSubset(of: off) else { throw StepFailure(listing(sent)) }
        }
        for (word, isOn) in [("on", true), ("off", false)] {
            try library.add(
                .then, "a request to {string} switches {string} \(word)",
                summary: "One of the requests to that wiki so far, accepted or not, contains this change.",
                example: "Then a request to \"en.wikipedia.org\" switches \"mention\" \(word)"
            ) { world, step in
                let sent = changes(sentTo: try step.text(0), world)
                let type = NotificationType(try step.text(1))
                guard sent.contains(where: { $0[type] == isOn }) else {
                    throw StepFailure(sent.isEmpty ? noRequest : listing(sent))
                }
            }
        }
    }

    // MARK: - Words

    static let notOffered = "nobody is logged in, so the app offers no settings"
    private static let noRequest = "no request was sent to that wiki"

    /// True if the switch of a type is on, as the user sees it.
    private static func position(of type: NotificationType, _ screen: SettingsScreen) throws(StepFailure) -> Bool {
        if screen.hidesTypes { throw StepFailure("the push switch is off, so the screen hides the types") }
        if let found = screen.switches[type] { return found }
        if screen.device.account == nil { throw StepFailure(notOffered) }
        let advice =
            screen.table.rows.isEmpty ? "; name the app's types with: the app has the settings in {string}" : ""
        throw StepFailure("the screen has no switch \"\(type)\"\(advice)")
    }

    private static func changes(sentTo wiki: String, _ world: ScenarioWorld) -> [[NotificationType: Bool]] {
        world.settings.screen.requests.filter { $0.site == wiki }.map(\.changes)
    }

    private static func listing(_ sent: [[NotificationType: Bool]]) -> String {
        let requests = sent.map { changes in
            changes.sorted { $0.key < $1.key }.map { "\($0.key)=\($0.value ? 1 : 0)" }.joined(separator: " ")
        }
        return "the requests to that wiki are:" + requests.map { "\n  \($0)" }.joined()
    }

    private static func types(_ text: String) -> Set<NotificationType> {
        Set(text.split(whereSeparator: { $0 == "," || $0 == " " }).map { NotificationType(String($0)) })
    }
}
