import AppSimulation
import PushGherkinRunner

/// The switch for pushes as a whole, and the bell, in an app such as Wikipedia's.
extension StepVocabulary {
    static func addPushSwitch(to library: inout Library) throws(PatternError) {
        for (word, isOn) in [("on", true), ("off", false)] {
            try library.add(
                .when, "the user switches pushes \(word)",
                summary: isOn
                    ? "The switch above those of the types: the app asks for permission, and registers the device."
                    : "The switch above those of the types: the server no longer has the token, and the types are hidden.",
                example: "When the user switches pushes \(word)"
            ) { world, _ in
                guard world.settings.isOffered else { throw StepFailure(notOffered) }
                try world.useSettings { $0.screen.switchPush(isOn) }
            }
            try library.add(
                .then, "the push switch is \(word)",
                summary:
                    "The switch above those of the types. It is on while the user allows pushes and the server has the token.",
                example: "Then the push switch is \(word)"
            ) { world, _ in
                guard world.settings.isOffered else { throw StepFailure(notOffered) }
                let found = world.settings.screen.pushIsOn
                guard found == isOn else { throw StepFailure("the push switch is \(found ? "on" : "off")") }
            }
        }
    }

    static func addBellPlaces(to library: inout Library) throws(PatternError) {
        for (word, showsFeed) in [("on", true), ("off", false)] {
            try library.add(
                .given, "the feed is \(word)",
                summary: showsFeed
                    ? "The app's first tab is its feed." : "The app has no feed; its settings are a tab instead.",
                example: "Given the feed is \(word)"
            ) { world, _ in world.updateSettings { $0.showsFeed = showsFeed } }
        }
        for place in ["feed", "settings"] {
            try library.add(
                .then, "the bell is in the \(place)",
                summary:
                    "Where the app of a user who is logged in has its bell: in the feed, or without one in the settings.",
                example: "Then the bell is in the \(place)"
            ) { world, _ in
                let found = world.settings.bell
                guard found == place else {
                    throw StepFailure(found.map { "the bell is in the \($0)" } ?? "there is no bell")
                }
            }
        }
        try library.add(
            .then, "there is no bell",
            summary: "Nobody is logged in, so the app has no bell.", example: "Then there is no bell"
        ) { world, _ in
            if let found = world.settings.bell { throw StepFailure("the bell is in the \(found)") }
        }
    }
}
