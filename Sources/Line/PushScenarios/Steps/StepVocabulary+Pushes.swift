import PushDecoding
import PushFaults
import PushGherkinRunner
import PushModel
import PushPipeline
import PushYAML

/// Pushes, how they are read, a push service that refuses them, and what happened to them.
extension StepVocabulary {
    static let pushSettings: Table = [
        "pushes that name no device go to {string}": .given(
            """
            Like `run --device`; without this step the device is `default`. Any name is accepted here. A `device` in an APNs \
            record is a token and must be hexadecimal; otherwise the answer is `BadDeviceToken`.
            """
        ) { world, step in
            let device = try step.text(0)
            guard !device.isEmpty else { throw StepFailure("a device needs a name") }
            world.configuration.decoding.device = device
            try world.applySettings()
        },
        "pushes that name no app are for {string}": .given(
            "Like `run --topic`: a bundle identifier or package name.", example: ["org.example.news"]
        ) { world, step in world.configuration.decoding.topic = try step.text(0) },
        "an extension that replaces by {string}": .given(
            "Like `run --replace-by`: the extension removes earlier notifications with the same id.",
            example: ["custom-payload-id"]
        ) { world, step in world.configuration.decoding.replacement = try replacementRule(step) },
        "an extension that replaces by {string} as follows:": .given(
            """
            The same with `--replace-match`, `--replace-missing` and `--replace-compare`: a table with a row for each of them that \
            is not the default.
            """, example: ["custom-payload-id"],
            below: """
                | match   | first  |
                | missing | equal  |
                | compare | string |
                """
        ) { world, step in
            var rule = try replacementRule(step)
            for row in try step.rows() {
                guard row.count == 2, rule.set(row[0], row[1]) else {
                    throw StepFailure(
                        "| \(row.joined(separator: " | ")) | is not a row of this table; its rows are "
                            + "| match | all or first |, | missing | never or equal | and | compare | text, typed or string |"
                    )
                }
            }
            world.configuration.decoding.replacement = rule
        },
        "the extension gets pushes without mutable-content, too": .given(
            "Like `run --assume-mutable`: pushes with an alert go through the extension as if they had mutable-content."
        ) { world, _ in world.configuration.decoding.assumesMutable = true },
    ]

    private static func replacementRule(_ step: StepInput) throws(StepFailure) -> ReplacementRule {
        let key = try step.text(0)
        guard !key.isEmpty else { throw StepFailure("the payload member needs a name") }
        return ReplacementRule(key: key)
    }

    static let pushes: Table = [
        "the following push(es) arrive(s):": .when(
            "Delivers the text below, in any form that `run` reads: a payload, a request, or several, one per line.",
            example: "When the following push arrives:",
            below: """
                \"\"\"json
                {"aps":{"alert":"Dinner is ready"}}
                \"\"\"
                """
        ) { world, step in try world.receive(try step.docStringContent()) },
        "a push {string} arrives": .when(
            "Delivers one short record. In single quotes, JSON needs no escapes.",
            example: [#"{"aps":{"alert":"Dinner is ready"}}"#]
        ) { world, step in try world.receive(try step.text(0)) },
    ]

    // MARK: - A push service that refuses what it would accept

    static let faults: Table = [
        "pushes to {string} are refused with {string}": .given(
            """
            A rule of `serve --faults` with `device` and `reason`, added after existing rules: `*` and `?` stand for other \
            characters. Refuses what would be accepted otherwise. `Unregistered` is also the word for FCM and GCM, whose own it \
            becomes.
            """, example: ["ab*", "TooManyRequests"]
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
        },
        "the provider follows these rules:": .given(
            """
            Rules as in `serve --faults`, in YAML; replaces existing rules. A scenario has no transport, so a rule says which \
            pushes, and a `reason` or `status`. `after`, `for` and `rate` count the scenario's time.
            """,
            below: """
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
        },
        "the provider refuses nothing more": .given("Removes the rules.") { world, _ in world.removeFaults() },
    ]

    /// Why a rule would do nothing in a scenario; nil if it would.
    private static func problem(with rule: FaultRule) -> String? {
        if rule.path != nil { return "names a path, and pushes of a scenario have none" }
        if rule.effect.transport != TransportFault() {
            return "is about a connection, and a scenario has none; serve --faults has"
        }
        return nil
    }

    // MARK: - What happened to pushes

    static let outcomes: Table = [
        "the outcome is {string}": .then(
            "The outcome of the last message, as in the report.", example: ["delivered"],
            expectOutcome { world, _ in [try world.last()] }),
        "every outcome is {string}": .then(
            "The outcome of each message that the last delivering step sent.", example: ["rejected"],
            expectOutcome { world, _ in
                _ = try world.last()
                return world.lines[world.latest].filter { $0.reaction == nil }
            }),
        "the outcome of record {int} is {string}": .then(
            "The outcome of every message of a record. Records are numbered from 1 in each scenario.",
            example: ["2", "replaced"],
            expectOutcome(parameter: 1) { world, step in try world.messages(ofRecord: step.int(0)) }),
        "the provider answers {int} {word}": .then(
            "HTTP status and reason of the provider's answer to the last message.",
            example: ["413", "PayloadTooLarge"],
            last { line, step in
                let status = try step.int(0)
                let reason = try step.text(1)
                if line.status == status, line.reason == reason { return nil }
                return "record \(line.seq) is \(line), not \(status) \(reason)"
            }),
        "the provider answers {int}": .then(
            "HTTP status of the provider's answer to the last message.", example: ["200"],
            last { line, step in
                let status = try step.int(0)
                if line.status == status { return nil }
                return "the status of record \(line.seq) is \(line.status.map(String.init) ?? "none"), not \(status)"
            }),
        "the notification replaces record {int}": .then(
            "The last notification replaced the one of that record, or an extension removed that one for it.",
            example: ["1"],
            last { line, step in
                let number = try step.int(0)
                guard let replaced = line.replaces else { return "record \(line.seq) replaces nothing; it is \(line)" }
                if replaced == UInt64(exactly: number) { return nil }
                return "record \(line.seq) replaces record \(replaced), not \(number)"
            }),
        "the notification replaces nothing": .then(
            "The last notification is on the screen, next to the earlier ones.",
            last { line, _ in
                if line.identifier == nil { return "record \(line.seq) is not shown; it is \(line)" }
                return line.replaces.map { "record \(line.seq) replaces record \($0)" }
            }),
        "the identifier is {string}": .then(
            "Identifier of the last notification: its collapse id, its tag, or a generated one.", example: ["match-17"],
            last { line, step in
                let wanted = try step.text(0)
                if line.identifier == wanted { return nil }
                let found = line.identifier.map { "\"\($0)\"" } ?? "missing, because it is \(line)"
                return "the identifier of record \(line.seq) is \(found), not \"\(wanted)\""
            }),
    ]

    /// Compares the outcome of each of these report lines with a parameter of the step.
    private static func expectOutcome(
        parameter: Int = 0, of lines: @escaping @Sendable (ScenarioWorld, StepInput) throws -> [PushReport]
    ) -> StepRow.Check {
        { world, step in
            let wanted = try outcome(try step.text(parameter))
            let other = try lines(world, step).first { $0.outcome != wanted }
            return other.map { "record \($0.seq) is \($0), not \(wanted.name)" }
        }
    }

    static func outcome(_ name: String) throws(StepFailure) -> Outcome {
        guard let outcome = Outcome.allCases.first(where: { "\($0.name)" == name }) else {
            let names = Outcome.allCases.map { "\($0.name)" }.joined(separator: ", ")
            throw StepFailure("unknown outcome \"\(name)\"; the outcomes are \(names)")
        }
        return outcome
    }
}

extension ReplacementRule {
    /// Sets an option by its name. False if there is no such option or value.
    fileprivate mutating func set(_ name: String, _ value: String) -> Bool {
        switch name {
        case "match": Self.set(&match, value)
        case "missing": Self.set(&missing, value)
        case "compare": Self.set(&comparison, value)
        default: false
        }
    }

    private static func set<Value: RawRepresentable<String>>(_ option: inout Value, _ text: String) -> Bool {
        guard let value = Value(rawValue: text) else { return false }
        option = value
        return true
    }
}
