import PushDecoding
import PushGherkinRunner
import PushLint
import PushModel
import PushPipeline

/// Findings about pushes: bytes and budgets, shortened texts, and those of the linter.
extension StepVocabulary {
    static func addFindings(to library: inout Library) throws(PatternError) {
        try addBudgets(to: &library)
        try addFitting(to: &library)
        try addLint(to: &library)
    }

    private static func addBudgets(to library: inout Library) throws(PatternError) {
        try library.add(
            .given, "every push is checked against the budget {string}",
            summary: "Like `run --budget`: a name, such as `apns-256`, or a number of bytes.",
            example: "Given every push is checked against the budget \"apns-256\""
        ) { world, step in
            let text = try step.text(0)
            guard let budget = Budget(parsing: text) else {
                throw StepFailure("\"\(text)\" is neither a number of bytes nor the name of a budget")
            }
            world.configuration.decoding.budget = budget
        }
        try library.add(
            .then, "the push has {int} byte(s)",
            summary: "The bytes of the last message that count towards its budget, as in the report.",
            example: "Then the push has 38 bytes"
        ) { world, step in
            let wanted = try step.int(0)
            let last = try world.lastMessage()
            guard last.byteCount == wanted else { throw StepFailure("record \(last.seq) has \(last.byteCount) bytes") }
        }
        try library.add(
            .then, "the budget is {int} byte(s)",
            summary: "The budget of the last message, as in the report.", example: "Then the budget is 4096 bytes"
        ) { world, step in
            let wanted = try step.int(0)
            let last = try world.lastMessage()
            guard last.byteLimit == wanted else {
                throw StepFailure("the budget of record \(last.seq) is \(last.byteLimit) bytes")
            }
        }
        try library.add(
            .then, "the push is {int} byte(s) over its budget",
            summary: "How many bytes the last message has too many.",
            example: "Then the push is 12 bytes over its budget"
        ) { world, step in
            let wanted = try step.int(0)
            let last = try world.lastMessage()
            guard wanted > 0, last.byteCount - last.byteLimit == wanted else { throw StepFailure(size(last)) }
        }
        try library.add(
            .then, "the push is within its budget",
            summary: "The last message has no more bytes than its budget.",
            example: "Then the push is within its budget"
        ) { world, _ in
            let last = try world.lastMessage()
            guard last.byteCount <= last.byteLimit else { throw StepFailure(size(last)) }
        }
    }

    private static func size(_ line: PushReport) -> String {
        "record \(line.seq) has \(line.byteCount) bytes, and its budget is \(line.byteLimit) bytes"
    }

    private static func addFitting(to library: inout Library) throws(PatternError) {
        try library.add(
            .given, "texts that are too long are shortened",
            summary: "Like `run --fit`.", example: "Given texts that are too long are shortened"
        ) { world, _ in shorten(AlertText.allCases, &world) }
        try library.add(
            .given, "texts that are too long are shortened in the order {string}",
            summary: "Like `run --fit-order`: body, subtitle, title, separated by commas.",
            example: "Given texts that are too long are shortened in the order \"title, body\""
        ) { world, step in
            let names = try step.text(0).split(whereSeparator: { $0 == "," || $0 == " " }).map(String.init)
            let order = names.compactMap { AlertText(rawValue: $0) }
            guard !order.isEmpty, order.count == names.count else {
                let known = AlertText.allCases.map(\.rawValue).joined(separator: ", ")
                throw StepFailure("the texts that can be shortened are \(known)")
            }
            shorten(order, &world)
        }
        for (words, isShortened) in [("has been shortened", true), ("has not been shortened", false)] {
            try library.add(
                .then, "the push \(words)",
                summary: isShortened
                    ? "A text of the last message was cut (`fit.cut`)." : "No text of the last message was cut.",
                example: "Then the push \(words)"
            ) { world, _ in
                let last = try world.lastMessage()
                guard last.findings.contains(where: { $0.rule == "fit.cut" }) == isShortened else {
                    throw StepFailure("record \(last.seq) \(isShortened ? "has not" : "has") been shortened")
                }
            }
        }
    }

    private static func shorten(_ order: [AlertText], _ world: inout ScenarioWorld) {
        world.configuration.recordStages.removeAll { $0 is FitToBudget }
        world.configuration.recordStages.insert(FitToBudget(order: order), at: 0)
    }

    // MARK: - The linter

    private static func addLint(to library: inout Library) throws(PatternError) {
        try library.add(
            .then, "the linter finds {string}",
            summary: "`pushpipe lint` reports this rule for the records of the last step that sent any.",
            example: "Then the linter finds \"aps.misspelled-key\""
        ) { world, step in
            let id = try step.text(0)
            guard Rule.named(id) != nil else {
                let near = NameSuggestion.nearest(to: id, among: Rule.all.map(\.id.text))
                throw StepFailure("there is no rule \"\(id)\"" + (near.map { "; did you mean \"\($0)\"?" } ?? ""))
            }
            let found = try findings(world)
            guard found.contains(where: { $0.rule.id.text == id }) else { throw StepFailure(listing(found)) }
        }
        try library.add(
            .then, "the linter finds nothing",
            summary: "`pushpipe lint` reports no warning and no error for the records of the last step that sent any.",
            example: "Then the linter finds nothing"
        ) { world, _ in
            let found = try findings(world).filter { $0.severity >= .warning }
            guard found.isEmpty else { throw StepFailure(listing(found)) }
        }
        try library.add(
            .then, "the report has the finding {string}",
            summary: """
                The report line of the last message, or one after it, has a finding of this rule. Lines of events and of what apps do come after it.
                Some rules, such as those about extensions, are only in reports.
                """,
            example: "Then the report has the finding \"fit.cut\""
        ) { world, step in
            let lines = try world.linesSinceLastMessage()
            let last = lines[lines.startIndex]
            let rules = lines.flatMap { $0.findings.map(\.rule) }
            guard rules.contains(try step.text(0)) else {
                throw StepFailure(
                    rules.isEmpty
                        ? "record \(last.seq) has no finding"
                        : "the findings of record \(last.seq) are \(rules.joined(separator: ", "))")
            }
        }
    }

    private static func findings(_ world: ScenarioWorld) throws(StepFailure) -> [Diagnostic] {
        guard !world.latestInput.isEmpty else { throw StepFailure("no push has arrived yet") }
        var configuration = LintConfiguration()
        configuration.severity = .info
        return TextLinter(configuration, decoding: world.configuration.decoding).lint(world.latestInput).diagnostics
    }

    private static func listing(_ found: [Diagnostic]) -> String {
        if found.isEmpty { return "the linter finds nothing" }
        let lines = found.prefix(10).map { "\n  \($0.rule.id): \($0.message)" }
        return "the linter finds:" + lines.joined() + (found.count > 10 ? "\n  and \(found.count - 10) more" : "")
    }
}
