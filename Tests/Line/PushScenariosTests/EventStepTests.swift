import Foundation
import PushScenarios
import Testing

/// Steps that make events of what they say.
struct EventStepTests {
    private func run(_ steps: String) throws -> ScenarioTrial { try ScenarioTrial(steps: steps) }

    private static let device = "Given the device \"anna\" with:"

    // MARK: - Members that there are not

    @Test(arguments: [
        ("\(device)\n|onlin|false|", "record 1: device events have no member \"onlin\"; did you mean \"online\"?"),
        ("\(device)\n|bogus|x|", "record 1: device events have no member \"bogus\"; they have device, app, "),
        ("\(device)\n|advance|90s|", "record 1: device events have no member \"advance\"; they have "),
        ("\(device)\n|a/b~|x|", "record 1: device events have no member \"a/b~\"; they have "),
        ("\(device)\n|online|true|\n|online|false|", "\"online\" is given twice"),
        ("\(device)\n|device|bela|", "\"device\" is given twice"),
        (
            "Given the push infrastructure answers subscriptions with \"\"",
            "an answer must be success, nothing or an error code"
        ),
        (
            "When the following events happen:\n\"\"\"\n{\"event\":\"clock\",\"advance\":\"1s\"}\n"
                + "{\"event\":\"tap\",\"device\":\"a\",\"identifer\":\"x\"}\n\"\"\"",
            "record 2: tap events have no member \"identifer\"; did you mean \"identifier\"?"
        ),
        (
            "When a push '{\"event\":\"open\",\"device\":\"a\",\"screen\":\"s\",\"model\":true}' arrives",
            "record 1: open events have no member \"model\"; did you mean \"modal\"?"
        ),
    ])
    func `a member that an event does not have fails the step`(steps: String, message: String) throws {
        let trial = try run(steps)
        #expect(trial.complaint?.hasPrefix("        \(message)") == true, "\(trial.text)")
        #expect(trial.summary.hasFailure)
    }

    @Test func `what a payload has of its own fails no step`() throws {
        let push = #"When a push '{"aps":{"alert":"A"},"event":"device","event":"x","onlin":1}' arrives"#
        #expect(try !run(push).summary.hasFailure)
    }

    // MARK: - What a cell becomes

    @Test(arguments: ["123", "true", "null", "1e9", "[1]", "\"quoted\"", "{}", "org.example.news"])
    func `a text member takes its cell as it stands`(app: String) throws {
        let steps = """
            Given pushes that name no app are for '\(app)'
            \(Self.device)
              | app           | \(app)  |
              | authorization | denied  |
            And pushes that name no device go to "anna"
            When a push '{"aps":{"alert":"A"}}' arrives
            Then the reason is "denied"
            """
        let trial = try run(steps)
        #expect(!trial.summary.hasFailure, "\(trial.text)")
    }

    @Test(arguments: [
        (#"["sport", "breaking news"]"#, "sport", "delivered"),
        (#"["sport", "breaking news"]"#, "breaking news", "delivered"),
        ("sport, politics", "politics", "delivered"), ("sport politics", "politics", "delivered"),
        ("123", "123", "delivered"),
        ("sport", "politics", "suppressed"), ("", "politics", "suppressed"), ("null", "politics", "delivered"),
    ])
    func `a list member takes words or a JSON list`(types: String, category: String, outcome: String) throws {
        let steps = """
            Given the "category" of a push says its type
            \(Self.device)
              | types | \(types) |
            And pushes that name no device go to "anna"
            When a push '{"aps":{"alert":"A","category":"\(category)"}}' arrives
            Then the outcome is "\(outcome)"
            """
        let trial = try run(steps)
        #expect(!trial.summary.hasFailure, "\(trial.text)")
    }

    @Test(arguments: [
        ("types", "[sport", "types must be a list of strings"), ("types", "[1]", "types must be a list of strings"),
        ("will_present", "banner, lamp", "will_present must be a list of banner, list, sound, badge, alert"),
        ("locked", "yes", "locked must be true, false or before-first-unlock"),
        ("online", "yes", "online must be true or false"), ("online", "1", "online must be true or false"),
        ("unregistered_at", "nan", "unregistered_at must be epoch seconds, or "),
        ("unregistered_at", "0x10", "unregistered_at must be epoch seconds, or "),
        ("platform", "windows", "platform must be one of ios, android, web"),
    ])
    func `a cell that its member cannot take fails the step, and says what it takes`(
        member: String, value: String, message: String
    ) throws {
        let trial = try run("\(Self.device)\n  | \(member) | \(value) |")
        #expect(trial.complaint?.hasPrefix("        event.value: \(message)") == true, "\(trial.text)")
        #expect(trial.summary.hasFailure)
    }

    @Test(arguments: ["1767268800", "1767268800.5", "2026-01-01T12:00:00Z"])
    func `a time is a number of seconds or a text`(time: String) throws {
        let steps = """
            Given pushes that name no device go to "anna"
            And pushes that name no app are for "org.example.news"
            \(Self.device)
              | unregistered_at | \(time) |
            When 1s passes
            And a push '{"aps":{"alert":"A"}}' arrives
            Then the provider answers 410 Unregistered
            """
        let trial = try run(steps)
        #expect(!trial.summary.hasFailure, "\(trial.text)")
    }

    @Test func `names of screens are texts, whatever is in them`() throws {
        let steps = #"""
            Given the app on "anna" is "foreground"
            When the user opens the screen '12' on "anna"
            And the user goes back on "anna"
            Then the app does "back 12"
            When the user opens the modal screen 'the \"best\" of' on "anna"
            And the user closes the modal screen on "anna"
            Then the app does 'dismiss-modal the "best" of'
            """#
        let trial = try run(steps)
        #expect(!trial.summary.hasFailure, "\(trial.text)")
    }

    // MARK: - Limits

    private static let limits = [
        "at most N pushes a minute to one device", "at most N pushes a minute of one app",
        "at most N background pushes an hour",
    ]

    @Test(arguments: limits, ["-1", "1000000001", "-9223372036854775808"])
    func `a limit that run does not take fails the step`(step: String, number: String) throws {
        let trial = try run("Given \(step.replacingOccurrences(of: "N", with: number))")
        #expect(
            trial.text.contains("        \(number) is not a valid limit; use a number from 0 to 1000000000\n"),
            "\(trial.text)")
        #expect(trial.summary.hasFailure)
    }

    @Test(arguments: limits, ["0", "1000000000"])
    func `the smallest and the largest limit are taken`(step: String, number: String) throws {
        #expect(try !run("Given \(step.replacingOccurrences(of: "N", with: number))").summary.hasFailure)
    }

    // MARK: - What a device makes of an event

    @Test(arguments: [
        (
            """
            Given the device "pixel" with:
              | platform   | android |
              | app        | a.b     |
              | activities | MAIN    |
            When a push '{"message":{"token":"pixel","notification":{"title":"T"},"android":{"notification":{"click_action":"OPEN"}}}}' arrives
            And the user taps the notification on "pixel"
            """, "android.no-activity"
        ),
        (
            """
            Given the device "pixel" with:
              | platform | android             |
              | app      | a.b                 |
              | channels | [{"id":"c"}] |
            When the following events happen:
            \"\"\"
            {"event":"post","device":"pixel","title":"T","channel":"other"}
            \"\"\"
            """, "android.unknown-channel"
        ),
        (
            """
            Given at most 1 notification of an Android app
            And messages make the app post:
              | title |
              | Hi    |
            When a push '{"message":{"token":"pixel","data":{"k":"1"}}}' arrives
            And a push '{"message":{"token":"pixel","data":{"k":"2"}}}' arrives
            """, "android.too-many"
        ),
    ])
    func `a finding about what a device does fails no step, and can be asked for`(steps: String, rule: String) throws {
        let trial = try run("\(steps)\nThen the report has the finding \"\(rule)\"")
        #expect(!trial.summary.hasFailure, "\(trial.text)")
        #expect(try run("\(steps)\nThen the report has the finding \"fit.cut\"").summary.hasFailure)
    }
}
