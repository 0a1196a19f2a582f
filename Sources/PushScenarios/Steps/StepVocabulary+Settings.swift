import AppSimulation
import GherkinRunner
import PushPipeline
import WikimediaSettings

/// The settings screen of an app that keeps its settings at a wiki, as Wikipedia's does.
extension StepVocabulary {
    static func addSettingsScreen(to library: inout Library) throws(PatternError) {
        try addSurroundings(to: &library)
        try addDeeds(to: &library)
        try addSights(to: &library)
    }

    private static func addSurroundings(to library: inout Library) throws(PatternError) {
        try library.add(
            .given, "the wiki {string} has {string} on",
            summary: "The types that are on there, with commas between.",
            example: "Given the wiki \"en.wikipedia.org\" has \"mention, edit-thank\" on"
        ) { world, step in world.settings.wikis[try step.text(0)] = types(try step.text(1)) }
        try library.add(
            .given, "the user will not allow notifications",
            summary: "Whenever the system asks.", example: "Given the user will not allow notifications"
        ) { world, _ in world.settings.allowsNotifications = false }
        try library.add(
            .given, "the device cannot be registered",
            summary: "The system hands out no token.", example: "Given the device cannot be registered"
        ) { world, _ in world.settings.registrationFailure = "no connection" }
        try library.add(
            .given, "the wiki answers writes with {string}",
            summary:
                "success, warning (success, with nothing changed), nothing (the answer is lost), or the code of an error.",
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
            summary: "At the wiki of the app's primary language.",
            example: "When the user logs in as \"Anna\" at \"en.wikipedia.org\""
        ) { world, step in world.settings.send(.loggedIn(account: try step.text(0), wiki: try step.text(1))) }
        try library.add(
            .when, "the user logs out", summary: "Nothing is delivered from then on.", example: "When the user logs out"
        ) { world, _ in world.settings.send(.loggedOut) }
        try library.add(
            .when, "the user opens the settings screen",
            summary: "What the wiki has is read.", example: "When the user opens the settings screen"
        ) { world, _ in world.settings.send(.appeared) }
        for (word, isOn) in [("on", true), ("off", false)] {
            try library.add(
                .when, "the user switches {string} \(word)",
                summary: "A switch of the settings screen.", example: "When the user switches \"mention\" \(word)"
            ) { world, step in
                let type = NotificationType(try step.text(0))
                guard world.settings.switches[type] != nil else {
                    throw StepFailure("there is no switch \"\(type)\" on the screen")
                }
                world.settings.send(.toggled(type, isOn))
            }
        }
        try library.add(
            .when, "the app's primary language changes to {string}",
            summary: "To that of another wiki.",
            example: "When the app's primary language changes to \"de.wikipedia.org\""
        ) { world, step in world.settings.send(.primaryLanguageChanged(to: try step.text(0))) }
    }

    private static func addSights(to library: inout Library) throws(PatternError) {
        for (word, isOn) in [("on", true), ("off", false)] {
            try library.add(
                .then, "the switch {string} is \(word)",
                summary: "As the person sees it.", example: "Then the switch \"mention\" is \(word)"
            ) { world, step in
                let type = NotificationType(try step.text(0))
                guard let found = world.settings.switches[type] else {
                    throw StepFailure("there is no switch \"\(type)\" on the screen")
                }
                guard found == isOn else { throw StepFailure("it is \(found ? "on" : "off")") }
            }
        }
        try library.add(
            .then, "the wiki {string} keeps {string}",
            summary: "All types that are on there, with commas between; nothing for none.",
            example: "Then the wiki \"en.wikipedia.org\" keeps \"mention\""
        ) { world, step in
            let found = world.settings.wikis[try step.text(0)] ?? []
            guard found == types(try step.text(1)) else {
                throw StepFailure("it keeps \"\(found.sorted().map(\.name).joined(separator: ", "))\"")
            }
        }
        try library.add(
            .then, "the user has been asked for permission",
            summary: "By the system.", example: "Then the user has been asked for permission"
        ) { world, _ in if !world.settings.wasAsked { throw StepFailure("nobody has asked") } }
        try library.add(
            .then, "the user has not been asked for permission",
            summary: "By the system.", example: "Then the user has not been asked for permission"
        ) { world, _ in if world.settings.wasAsked { throw StepFailure("the system has asked") } }
        try library.add(
            .then, "the user is told {string}",
            summary: "A part of what the last step had the app tell.",
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
            summary: "As far as the settings go.", example: "Then a push about \"mention\" is delivered"
        ) { world, step in
            let decision = world.settings.machine.device.decision(about: NotificationType(try step.text(0)))
            if case .suppressed(let reason) = decision { throw StepFailure("it is suppressed: \(reason.name)") }
        }
        try library.add(
            .then, "a push about {string} is suppressed because of {string}",
            summary: "As far as the settings go, with the reason of the report.",
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
