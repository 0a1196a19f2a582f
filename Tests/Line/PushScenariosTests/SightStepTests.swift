import Foundation
import PushScenarios
import TestSupport
import Testing

/// Steps about what the user sees and does, bytes, findings, files and extensions: where they hold, and where they do not.
struct SightStepTests {
    private static let background = """
        Given pushes that name no device go to "anna"
        And pushes that name no app are for "org.example.news"
        And the app on "anna" is "foreground"

        """
    private static let push =
        #"When a push '{"headers":{"apns-collapse-id":"a"},"payload":{"aps":{"alert":"A","badge":2}}}' arrives"#
    private static let other = #"When a push '{"device":"be1a","payload":{"aps":{"alert":"A"}}}' arrives"#
    private static let settings =
        "Given the app has the settings in \"\(packageFolder.path)/Samples/Preferences/wikipedia.yml\""
    private static let login = "\(settings)\nWhen the user logs in as \"Anna\""

    private func run(_ steps: String, named name: String = "f.feature") throws -> ScenarioTrial {
        try ScenarioTrial("Feature: f\nScenario: s\n\(Self.background)\(steps)\n", named: name)
    }

    @Test(arguments: [
        // The screen in front.
        (#"Then the screen in front on "anna" is "article""#, #"the screen in front is "main""#),
        (#"Then the screen in front on "bela" is "main""#, #"no app is in the foreground on "bela""#),
        (#"Then no screen is in front on "anna""#, #"the screen in front is "main""#),
        (
            #"When the user raises the notification center on "anna"\nAnd the user opens the screen "x" on "anna""#,
            "the notification center covers the app; lower it first"
        ),
        (#"When the user lowers the notification center on "anna""#, "the notification center has not been raised"),
        // The bell, what is unread, the badge.
        (#"Then the bell on "anna" is marked"#, "the bell is not marked"),
        (#"\#(push)\nThen the bell on "anna" is not marked"#, "the bell is marked"),
        (#"\#(push)\nThen 2 notifications are unread on "anna""#, #"1 unread on "anna", not 2: a"#),
        (#"\#(push)\nThen the notification "a" on "anna" is read"#, "it is unread"),
        (
            #"\#(push)\nThen the notification "b" on "anna" is unread"#,
            #"the app on "anna" does not list "b"; it lists a"#
        ),
        (#"Then the notification "b" on "anna" is unread"#, #"the app on "anna" does not list "b"; the list is empty"#),
        (#"\#(push)\nThen the badge on "anna" is 3"#, "the badge is 2 (org.example.news)"),
        (#"Then the badge on "anna" is 3"#, "there is no badge"),
        (#"\#(push)\nThen there is no badge on "anna""#, "the badge is 2 (org.example.news)"),
        (#"\#(push)\nThen the badge of "org.example.chess" on "anna" is 2"#, "there is no badge"),
        // Taps.
        (#"When the user taps the banner on "anna""#, #"no banner has been shown on "anna""#),
        (
            #"When the user taps the notification "b" on "anna"\nThen there is nothing to do\nAnd the bell on "anna" is marked"#,
            "the bell is not marked"
        ),
        // Android.
        (
            #"Given the app on "pixel" has the notification channels:\n|id|volume|\n|news|5|"#,
            #"unknown column "volume"; the columns are id, importance, sound, badge, default"#
        ),
        (#"Then the tray of "pixel" shows:\n|title|\n|A|"#, "the tray is empty"),
        (#"\#(push)\nThen the tray of "anna" shows:\n|body|bundle|\n|A|4|"#, "the tray has other rows:"),
        (#"When the user taps the bundle on "pixel"\nThen the app does "launch""#, #"the app does """#),
        // Feedback.
        (#"Given the token of "anna" dies\nThen the feedback is empty"#, "the feedback names anna"),
        (#"Then the feedback is:\n|device|\n|anna|"#, "the feedback is empty"),
        (#"Then the feedback is:\n|token|\n|anna|"#, #"unknown column "token"; the columns are device, app, "#),
        // Bytes and budgets.
        ("Then the push has 3 bytes", "no push has arrived yet"),
        (#"\#(push)\nThen the push has 3 bytes"#, "record 2 has 31 bytes"),
        (#"\#(push)\nThen the budget is 256 bytes"#, "the budget of record 2 is 4096 bytes"),
        (
            #"\#(push)\nThen the push is 1 byte over its budget"#,
            "record 2 has 31 bytes, and its budget is 4096 bytes"
        ),
        (
            #"Given every push is checked against the budget "9"\n\#(push)\nThen the push is within its budget"#,
            "record 2 has 31 bytes, and its budget is 9 bytes"
        ),
        (
            #"Given every push is checked against the budget "apns-25""#,
            #""apns-25" is neither a number of bytes nor the name of a budget"#
        ),
        (#"\#(push)\nThen the push has been shortened"#, "record 2 has not been shortened"),
        (
            #"Given texts that are too long are shortened in the order "body, footer""#,
            "the texts that can be shortened are body, subtitle, title"
        ),
        // Findings.
        (#"Then the linter finds nothing"#, "no push has arrived yet"),
        (
            #"\#(push)\nThen the linter finds "aps.mispelled-key""#,
            #"there is no rule "aps.mispelled-key"; did you mean "aps.misspelled-key"?"#
        ),
        (
            #"When a push '{"aps":{"alert":"A","mutable_content":1}}' arrives\nThen the linter finds nothing"#,
            "the linter finds:"
        ),
        (#"\#(push)\nThen the report has the finding "fit.cut""#, "the findings of record 2 are aps.no-delegate"),
        // Files and extensions.
        (#"When the push in the file "missing.json" arrives"#, "missing.json: No such file or directory"),
        (
            #"Given the extension "missing"\n\#(push)"#,
            "the extension cannot be started: missing: No such file or directory"
        ),
        (
            #"Given the extension "builtin:attachmnt=x"\n\#(push)"#,
            "the extension cannot be started: There is no builtin:attachmnt"
        ),
        (
            #"Given the extension's keychain begins with the items in "missing.json""#,
            "missing.json: No such file or directory"
        ),
        (
            #"Given the extension's removals are "late""#,
            "the timing of removals takes immediate, delayed:MS or lost-after-handler[:MS]."
        ),
        (
            #"Given the extension has "long" to change a push"#,
            "the extension's time takes a time up to a day"
        ),
        // Settings.
        (#"Then the settings are offered"#, "nobody is logged in, so the app offers no settings"),
        (#"\#(login)\nThen the settings are not offered"#, "Anna is logged in"),
        (#"Then the switch "mention" is off"#, "nobody is logged in, so the app offers no settings"),
        (#"\#(login)\nThen the switch "sport" is off"#, #"the screen has no switch "sport""#),
        (
            #"When the user logs in as "Anna"\nThen the switch "mention" is off"#,
            #"the screen has no switch "mention"; name the app's types with: the app has the settings in {string}"#
        ),
        (#"Given the app has the settings in "missing.yml""#, "missing.yml: No such file or directory"),
        (#"When the user switches "mention" on"#, "nobody is logged in, so the app offers no settings"),
        (#"Then a request to "en.wikipedia.org" switches every type off"#, "no request was sent to that wiki"),
        (
            #"\#(login)\nThen a request to "en.wikipedia.org" switches "mention" on"#,
            "the requests to that wiki are:"
        ),
        (#"\#(login)\nThen the settings are those of "de.wikipedia.org""#, #"they are those of "en.wikipedia.org""#),
        (#"\#(login)\nThen the push switch is on"#, "the push switch is off"),
        (#"When the user switches pushes on"#, "nobody is logged in, so the app offers no settings"),
        (
            #"\#(login)\nAnd the user switches pushes off\nAnd the user switches "mention" on"#,
            "the push switch is off, so the screen hides the types"
        ),
        (#"\#(login)\nThen the bell is in the settings"#, "the bell is in the feed"),
        (#"\#(login)\nGiven the feed is off\nThen there is no bell"#, "the bell is in the settings"),
        (#"Then the bell is in the feed"#, "there is no bell"),
        (#"Then the settings are those of "de.wikipedia.org""#, "nobody is logged in, so the app offers no settings"),
    ])
    func `a step that does not hold says what there is`(steps: String, message: String) throws {
        let trial = try run(steps.replacingOccurrences(of: #"\n"#, with: "\n"))
        #expect(trial.complaint?.hasPrefix("        \(message)") == true, "\(trial.text)")
        #expect(trial.summary.hasFailure)
    }

    @Test func `paths are relative to the feature file, and records need not be UTF-8`() throws {
        let folder = try TestFolder()
        defer { folder.remove() }
        let records = Data(#"{"aps":{"alert":"A"}}"#.utf8) + [10, 0xFF, 10] + Data(#"{"aps":{"alert":"B"}}"#.utf8)
        try folder.write(records, to: "pushes.ndjson")
        let steps = """
            When the pushes in the file "pushes.ndjson" arrive
            Then the outcome of record 2 is "delivered"
            And the outcome of record 3 is "malformed"
            And the outcome of record 4 is "delivered"
            """
        for name in [folder.path("f.feature"), "f.feature"] {
            let trial = try run(steps, named: name)
            #expect(trial.summary.hasFailure == (name == "f.feature"), "\(trial.text)")
        }
    }

    @Test func `a scenario without a login leaves permission and registration to its device`() throws {
        let steps = """
            Given the user will not allow notifications
            When the user opens the settings screen
            And the user logs out
            \(Self.push)
            Then the outcome is "delivered"
            """
        #expect(try !run(steps).summary.hasFailure)
    }

    @Test func `the settings are those of whichever device pushes go to`() throws {
        let steps = """
            \(Self.login)
            And the user switches "mention" on
            Given pushes that name no device go to "bela"
            When a push '{"aps":{"alert":"A","category":"cx"}}' arrives
            Then the reason is "type-off"
            When a push '{"aps":{"alert":"A","category":"mention"}}' arrives
            Then the screen of "bela" shows 1 notification
            """
        let trial = try run(steps)
        #expect(!trial.summary.hasFailure, "\(trial.text)")
    }

    @Test func `another app on the device has its own permission and screens`() throws {
        let steps = """
            Given the device "bela" with:
              | app   | org.example.chess |
              | state | foreground        |
            And pushes that name no device go to "bela"
            \(Self.login)
            And the user switches "mention" on
            Given the device "bela" with:
              | app           | org.example.chess |
              | authorization | denied            |
            When a push '{"aps":{"alert":"A","category":"mention"}}' arrives
            Then the outcome is "delivered"
            And the screen in front on "bela" is "main"
            When a push '{"headers":{"apns-topic":"org.example.chess"},"payload":{"aps":{"alert":"B","category":"cx"}}}' arrives
            Then the reason is "denied"
            Given the device "bela" with:
              | app           | org.example.news |
              | authorization | denied           |
            When the user switches "cx" on
            Then the user is told "not allowed"
            """
        let trial = try run(steps)
        #expect(!trial.summary.hasFailure, "\(trial.text)")
    }

    @Test func `the examples of the guide hold`() throws {
        let blocks = try packageFile("Documentation/guides/scenarios.md").components(separatedBy: "\n```gherkin\n")
        #expect(blocks.count == 3)
        for block in blocks.dropFirst() {
            let name = packageFolder.appendingPathComponent("f.feature").path
            let trial = try ScenarioTrial(block.components(separatedBy: "\n```\n")[0] + "\n", named: name)
            #expect(!trial.summary.hasFailure, "\(trial.text)")
        }
    }

    /// Whoever looks for a step finds it in use.
    @Test func `each step is in a sample scenario`() throws {
        let folder = packageFolder.appendingPathComponent("Samples/Scenarios")
        let lines = try FileManager.default.contentsOfDirectory(atPath: folder.path)
            .filter { $0.hasSuffix(".feature") }
            .flatMap { try packageFile("Samples/Scenarios/\($0)").components(separatedBy: "\n") }
            .map { $0.trimmingCharacters(in: .whitespaces) }
        let texts = ["Given ", "When ", "Then ", "And ", "But ", "* "].flatMap { keyword in
            lines.filter { $0.hasPrefix(keyword) }.map { String($0.dropFirst(keyword.count)) }
        }
        // Placeholders of outlines, where numbers or words belong.
        let steps = ["1", "on", "off", "feed", "settings"].flatMap { value in
            texts.map { $0.replacing(/(^|[^"])<[a-z ]+>/) { "\($0.1)\(value)" } }
        }
        let unused = try StepLibrary.pushes().definitions.filter { definition in
            !steps.contains { definition.pattern.match($0) != nil }
        }
        #expect(unused.map(\.pattern.source).isEmpty, "\(unused.map(\.pattern.source))")
    }
}
