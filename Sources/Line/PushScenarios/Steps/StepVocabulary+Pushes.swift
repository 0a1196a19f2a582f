import PushDecoding
import PushGherkinRunner
import PushModel
import PushPipeline

/// Settings for the pushes of a scenario, and the pushes.
extension StepVocabulary {
    static func addSettings(to library: inout Library) throws(PatternError) {
        try library.add(
            .given, "pushes that name no device go to {string}",
            summary: """
                Like `run --device`; without this step the device is `default`. Any name is accepted here. A `device` in an APNs record is a \
                token and must be hexadecimal; otherwise the answer is `BadDeviceToken`.
                """,
            example: "Given pushes that name no device go to \"anna\""
        ) { world, step in
            let device = try step.text(0)
            guard !device.isEmpty else { throw StepFailure("a device needs a name") }
            world.configuration.decoding.device = device
            try world.applySettings()
        }
        try library.add(
            .given, "pushes that name no app are for {string}",
            summary: "Like `run --topic`: a bundle identifier or package name.",
            example: "Given pushes that name no app are for \"org.example.news\""
        ) { world, step in
            world.configuration.decoding.topic = try step.text(0)
        }
        try library.add(
            .given, "an extension that replaces by {string}",
            summary: "Like `run --replace-by`: the extension removes earlier notifications with the same id.",
            example: "Given an extension that replaces by \"custom-payload-id\""
        ) { world, step in
            world.configuration.decoding.replacement = try rule(step)
        }
        try library.add(
            .given, "an extension that replaces by {string} as follows:", argument: .table,
            summary: """
                The same with `--replace-match`, `--replace-missing` and `--replace-compare`: a table with a row for each of them that is not \
                the default.
                """,
            example: """
                Given an extension that replaces by "custom-payload-id" as follows:
                  | match   | first  |
                  | missing | equal  |
                  | compare | string |
                """
        ) { world, step in
            var rule = try rule(step)
            for row in try step.rows() {
                guard row.count == 2, rule.set(row[0], row[1]) else {
                    throw StepFailure(
                        "| \(row.joined(separator: " | ")) | is not a row of this table; its rows are "
                            + "| match | all or first |, | missing | never or equal | and | compare | text, typed or string |"
                    )
                }
            }
            world.configuration.decoding.replacement = rule
        }
        try addAssumption(to: &library)
    }

    private static func addAssumption(to library: inout Library) throws(PatternError) {
        try library.add(
            .given, "the extension gets pushes without mutable-content, too",
            summary:
                "Like `run --assume-mutable`: pushes with an alert go through the extension as if they had mutable-content.",
            example: "Given the extension gets pushes without mutable-content, too"
        ) { world, _ in
            world.configuration.decoding.assumesMutable = true
        }
    }

    private static func rule(_ step: StepInput) throws(StepFailure) -> ReplacementRule {
        let key = try step.text(0)
        guard !key.isEmpty else { throw StepFailure("the payload member needs a name") }
        return ReplacementRule(key: key)
    }

    static func addPushes(to library: inout Library) throws(PatternError) {
        try library.add(
            .when, "the following push(es) arrive(s):", argument: .docString,
            summary:
                "Delivers the text below, in any form that `run` reads: a payload, a request, or several, one per line.",
            example: """
                When the following push arrives:
                  \"\"\"json
                  {"aps":{"alert":"Dinner is ready"}}
                  \"\"\"
                """
        ) { world, step in
            try world.receive(try step.docStringContent())
        }
        try library.add(
            .when, "a push {string} arrives",
            summary:
                "Delivers one short record. In single quotes, JSON needs no escapes.",
            example: #"When a push '{"aps":{"alert":"Dinner is ready"}}' arrives"#
        ) { world, step in
            try world.receive(try step.text(0))
        }
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
