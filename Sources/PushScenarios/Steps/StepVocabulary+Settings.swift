import AppSimulation
import GherkinRunner
import PushPipeline
import WikimediaSettings

/// The settings screen of an app that stores its settings on a wiki, as Wikipedia's does.
extension StepVocabulary {
    static func addSettingsScreen(to library: inout Library) throws(PatternError) {
        try addSurroundings(to: &library)
        try addDeeds(to: &library)
        try addSights(to: &library)
    }

    private static func addSurroundings(to library: inout Library) throws(PatternError) {
        try library.add(
            .given, "the wiki {string} has {string} on",
            summary: "The types that are on at that wiki, separated by commas.",
            example: "Given the wiki \"en.wikipedia.org\" has \"mention, edit-thank\" on"
        ) { world, step in world.settings.wikis[try step.text(0)] = types(try step.text(1)) }
        try library.add(
            .given, "the user will not allow notifications",
            summary: "The answer to the system's permission prompt.",
            example: "Given the user will not allow notifications"
        ) { world, _ in world.settings.allowsNotifications = false }
        try library.add(
            .given, "the device cannot be registered",
            summary: "The system provides no token.", example: "Given the device cannot be registered"
        ) { world, _ in world.settings.registrationFailure = "no connection" }
        try library.add(
            .given, "the wiki answers writes with {string}",
            summary:
                "success, warning (success, but nothing is changed), nothing (the answer is lost), or an error code.",
            example: "Given the wiki answers writes with \"warning\""
        ) { world, step in
            switch try step.text(0) {
            case "success": world.settings.writes = .taken
            case "warning": world.settings.writes = .warned
            case "nothing": world.settings.writes = .lost
            case let code: world.settings.writes = .refused(code: code)
            }
        }
    }

    private static func addDeeds(to library: inout Library) throws(PatternError) {
        try library.add(
            .when, "the user logs in as {string} at {string}",
            summary: "Logs in at the wiki of the app's primary language.",
            example: "When the user logs in as \"Anna\" at \"en.wikipedia.org\""
        ) { world, step in world.settings.send(.loggedIn(account: try step.text(0), wiki: try step.text(1))) }
        try library.add(
            .when, "the user logs out", summary: "Logs out; nothing is delivered from then on.",
            example: "When the user logs out"
        ) { world, _ in world.settings.send(.loggedOut) }
        try library.add(
            .when, "the user opens the settings screen",
            summary: "Opens the screen, which reads the settings from the wiki.",
            example: "When the user opens the settings screen"
        ) { world, _ in world.settings.send(.appeared) }
        for (word, isOn) in [("on", true), ("off", false)] {
            try library.add(
                .when, "the user switches {string} \(word)",
                summary: "Flips a switch on the settings screen.", example: "When the user switches \"mention\" \(word)"
            ) { world, step in
                let type = NotificationType(try step.text(0))
                guard world.settings.switches[type] != nil else {
                    throw StepFailure("the screen has no switch \"\(type)\"")
                }
                world.settings.send(.toggled(type, isOn))
            }
        }
        try library.add(
            .when, "the app's primary language changes to {string}",
            summary: "Changes to the language of another wiki.",
            example: "When the app's primary language changes to \"de.wikipedia.org\""
        ) { world, step in world.settings.send(.primaryLanguageChanged(to: try step.text(0))) }
    }

    private static func addSights(to library: inout Library) throws(PatternError) {
        for (word, isOn) in [("on", true), ("off", false)] {
            try library.add(
                .then, "the switch {string} is \(word)",
                summary: "The switch as the user sees it.", example: "Then the switch \"mention\" is \(word)"
            ) { world, step in
                let type = NotificationType(try step.text(0))
                guard let found = world.settings.switches[type] else {
                    throw StepFailure("the screen has no switch \"\(type)\"")
                }
                guard found == isOn else { throw StepFailure("the switch is \(found ? "on" : "off")") }
            }
        }
        try library.add(
            .then, "the wiki {string} keeps {string}",
            summary: "All types that are on at that wiki, separated by commas; an empty text for none.",
            example: "Then the wiki \"en.wikipedia.org\" keeps \"mention\""
        ) { world, step in
            let found = world.settings.wikis[try step.text(0)] ?? []
            guard found == types(try step.text(1)) else {
                throw StepFailure("the wiki keeps \"\(found.sorted().map(\.name).joined(separator: ", "))\"")
            }
        }
        try library.add(
            .then, "the user has been asked for permission",
            summary: "The system has asked.", example: "Then the user has been asked for permission"
        ) { world, _ in if !world.settings.wasAsked { throw StepFailure("the system has not asked") } }
        try library.add(
            .then, "the user has not been asked for permission",
            summary: "The system has not asked.", example: "Then the user has not been asked for permission"
        ) { world, _ in if world.settings.wasAsked { throw StepFailure("the system has asked") } }
        try library.add(
            .then, "the user is told {string}",
            summary: "The app's message in the last step contains this text.",
            example: "Then the user is told \"could not be changed\""
        ) { world, step in
            let wanted = try step.text(0)
            let messages = world.settings.errors.map(\.message)
            guard messages.contains(where: { $0.contains(wanted) }) else {
                throw StepFailure(
                    messages.isEmpty
                        ? "the user is told nothing" : "the user is told \"\(messages.joined(separator: "; "))\"")
            }
        }
        try library.add(
            .then, "a push about {string} is delivered",
            summary: "The settings allow it.", example: "Then a push about \"mention\" is delivered"
        ) { world, step in
            let decision = world.settings.machine.device.decision(about: NotificationType(try step.text(0)))
            if case .suppressed(let reason) = decision { throw StepFailure("it is suppressed: \(reason.name)") }
        }
        try library.add(
            .then, "a push about {string} is suppressed because of {string}",
            summary: "The settings suppress it, with the reason in the report.",
            example: "Then a push about \"mention\" is suppressed because of \"type-off\""
        ) { world, step in
            let decision = world.settings.machine.device.decision(about: NotificationType(try step.text(0)))
            guard case .suppressed(let reason) = decision else { throw StepFailure("it is delivered") }
            guard reason.name == (try step.text(1)) else { throw StepFailure("it is suppressed: \(reason.name)") }
        }
    }

    private static func types(_ text: String) -> Set<NotificationType> {
        Set(text.split(whereSeparator: { $0 == "," || $0 == " " }).map { NotificationType(String($0)) })
    }
}
