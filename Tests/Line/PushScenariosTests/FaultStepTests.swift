import PushScenarios
import Testing

/// Steps about a provider that refuses what it would accept.
struct FaultStepTests {
    private static let rules = "Given the provider follows these rules:"

    @Test(arguments: [
        ("- delay: 1s", "rule 1 is about a connection, and a scenario has none; serve --faults has"),
        ("- {path: fcm/*, status: 503}", "rule 1 names a path, and pushes of a scenario have none"),
        ("- reason: Nonsense", "the text below the step:1:11: reason takes one of APNs', FCM's, GCM's or Expo's"),
        ("- every: 3", "the text below the step:1:3: a rule says what happens"),
        ("- [", "the text below the step:"),
    ])
    func `a rule that would do nothing fails the step`(rule: String, message: String) throws {
        let trial = try ScenarioTrial(steps: "\(Self.rules)\n\"\"\"\n\(rule)\n\"\"\"")
        #expect(trial.complaint?.hasPrefix("        \(message)") == true, "\(trial.text)")
        #expect(trial.summary.hasFailure)
    }

    @Test func `an unknown reason fails the step`() throws {
        let trial = try ScenarioTrial(steps: #"Given pushes to "a" are refused with "Nonsense""#)
        #expect(
            trial.complaint?.hasPrefix("        \"Nonsense\" is not a reason of APNs, FCM or GCM") == true,
            "\(trial.text)")
    }

    @Test func `a rule that is added leaves the counts of the others alone`() throws {
        let trial = try ScenarioTrial(
            steps: """
                \(Self.rules)
                \"\"\"
                - {every: 2, status: 503}
                \"\"\"
                When a push '{"aps":{"alert":"1"}}' arrives
                Given pushes to "other" are refused with "Unregistered"
                When a push '{"aps":{"alert":"2"}}' arrives
                Then the provider answers 503 ServiceUnavailable
                """)
        #expect(!trial.summary.hasFailure, "\(trial.text)")
    }

    @Test func `what is refused anyway is refused for its own reason`() throws {
        let trial = try ScenarioTrial(
            steps: """
                Given pushes to "*" are refused with "InternalServerError"
                When a push '{"device":"not-a-token","payload":{"aps":{"alert":"1"}}}' arrives
                Then the provider answers 400 BadDeviceToken
                """)
        #expect(!trial.summary.hasFailure, "\(trial.text)")
    }
}
