import PushGherkinRunner
import PushModel
import PushPipeline

/// Checks of what happened to pushes.
extension StepVocabulary {
    static func addOutcomes(to library: inout Library) throws(PatternError) {
        try library.add(
            .then, "the outcome is {string}",
            summary: "The outcome of the last message, as in the report.",
            example: "Then the outcome is \"delivered\""
        ) { world, step in
            try expect(try outcome(try step.text(0)), of: [try world.last()])
        }
        try library.add(
            .then, "every outcome is {string}",
            summary: "The outcome of each message that the last delivering step sent.",
            example: "Then every outcome is \"rejected\""
        ) { world, step in
            let wanted = try outcome(try step.text(0))
            _ = try world.last()
            try expect(wanted, of: world.lines[world.latest].filter { $0.reaction == nil })
        }
        try library.add(
            .then, "the outcome of record {int} is {string}",
            summary: "The outcome of every message of a record. Records are numbered from 1 in each scenario.",
            example: "Then the outcome of record 2 is \"replaced\""
        ) { world, step in
            try expect(try outcome(try step.text(1)), of: try world.messages(ofRecord: try step.int(0)))
        }
        try library.add(
            .then, "the provider answers {int} {word}",
            summary: "HTTP status and reason of the provider's answer to the last message.",
            example: "Then the provider answers 413 PayloadTooLarge"
        ) { world, step in
            let status = try step.int(0)
            let reason = try step.text(1)
            let last = try world.last()
            guard last.status == status, last.reason == reason else {
                throw StepFailure("record \(last.seq) is \(last), not \(status) \(reason)")
            }
        }
        try library.add(
            .then, "the provider answers {int}",
            summary: "HTTP status of the provider's answer to the last message.",
            example: "Then the provider answers 200"
        ) { world, step in
            let status = try step.int(0)
            let last = try world.last()
            guard last.status == status else {
                throw StepFailure(
                    "the status of record \(last.seq) is \(last.status.map(String.init) ?? "none"), not \(status)")
            }
        }
        try library.add(
            .then, "the notification replaces record {int}",
            summary: "The last notification replaced the one of that record, or an extension removed that one for it.",
            example: "Then the notification replaces record 1"
        ) { world, step in
            let number = try step.int(0)
            let last = try world.last()
            guard let replaced = last.replaces else {
                throw StepFailure("record \(last.seq) replaces nothing; it is \(last)")
            }
            guard replaced == UInt64(exactly: number) else {
                throw StepFailure("record \(last.seq) replaces record \(replaced), not \(number)")
            }
        }
        try library.add(
            .then, "the notification replaces nothing",
            summary: "The last notification is on the screen, next to the earlier ones.",
            example: "Then the notification replaces nothing"
        ) { world, _ in
            let last = try world.last()
            guard last.identifier != nil else {
                throw StepFailure("record \(last.seq) is not shown; it is \(last)")
            }
            if let replaced = last.replaces { throw StepFailure("record \(last.seq) replaces record \(replaced)") }
        }
        try library.add(
            .then, "the identifier is {string}",
            summary: "Identifier of the last notification: its collapse id, its tag, or a generated one.",
            example: "Then the identifier is \"match-17\""
        ) { world, step in
            let wanted = try step.text(0)
            let last = try world.last()
            guard last.identifier == wanted else {
                let found = last.identifier.map { "\"\($0)\"" } ?? "missing, because it is \(last)"
                throw StepFailure("the identifier of record \(last.seq) is \(found), not \"\(wanted)\"")
            }
        }
    }

    static func outcome(_ name: String) throws(StepFailure) -> Outcome {
        guard let outcome = Outcome.allCases.first(where: { "\($0.name)" == name }) else {
            let names = Outcome.allCases.map { "\($0.name)" }.joined(separator: ", ")
            throw StepFailure("unknown outcome \"\(name)\"; the outcomes are \(names)")
        }
        return outcome
    }

    private static func expect(
        _ outcome: Outcome, of lines: some Sequence<PushReport>
    ) throws(StepFailure) {
        guard let other = lines.first(where: { $0.outcome != outcome }) else { return }
        throw StepFailure("record \(other.seq) is \(other), not \(outcome.name)")
    }
}
