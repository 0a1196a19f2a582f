import PushFaults
import PushGherkinRunner
import PushModel
import PushYAML

/// A push service that refuses what it would accept.
extension StepVocabulary {
    static func addFaults(to library: inout Library) throws(PatternError) {
        try library.add(
            .given, "pushes to {string} are refused with {string}",
            summary: """
                A rule of `serve --faults` with `device` and `reason`, added after existing rules: `*` and `?` stand for other \
                characters. Refuses what would be accepted otherwise. `Unregistered` is also the word for FCM and GCM, whose own it becomes.
                """,
            example: "Given pushes to \"ab*\" are refused with \"TooManyRequests\""
        ) { world, step in
            var rule = FaultRule()
            guard let pattern = FaultFile.pattern(try step.text(0)) else {
                throw StepFailure("the device is a text with * and ?, such as \"ab*\"")
            }
            rule.device = pattern
            let reason = try step.text(1)
            guard FaultFile.isReason(reason) else {
                throw StepFailure(
                    "\"\(reason)\" is not a reason of APNs, FCM or GCM, such as TooManyRequests or UNAVAILABLE")
            }
            rule.effect.reason = reason
            world.addFaults([rule])
        }
        try library.add(
            .given, "the provider follows these rules:", argument: .docString,
            summary: """
                Rules as in `serve --faults`, in YAML; replaces existing rules. A scenario has no transport, so a rule says which pushes, \
                and a `reason` or `status`. `after`, `for` and `rate` count the scenario's time.
                """,
            example: """
                Given the provider follows these rules:
                  \"\"\"yaml
                  - every: 3
                    status: 503
                  \"\"\"
                """
        ) { world, step in
            let text = Array(try step.docStringContent().utf8)
            let rules: [FaultRule]
            do throws(YAMLError) {
                rules = try FaultFile.rules(text)
            } catch {
                throw StepFailure("the text below the step\(error.place): \(error.message)")
            }
            for (index, rule) in rules.enumerated() {
                if let problem = problem(with: rule) { throw StepFailure("rule \(index + 1) \(problem)") }
            }
            world.removeFaults()
            world.addFaults(rules)
        }
        try library.add(
            .given, "the provider refuses nothing more",
            summary: "Removes the rules.", example: "Given the provider refuses nothing more"
        ) { world, _ in
            world.removeFaults()
        }
    }

    /// Why a rule would do nothing in a scenario; nil if it would.
    private static func problem(with rule: FaultRule) -> String? {
        if rule.path != nil { return "names a path, and pushes of a scenario have none" }
        if rule.effect.transport != TransportFault() {
            return "is about a connection, and a scenario has none; serve --faults has"
        }
        return nil
    }
}
