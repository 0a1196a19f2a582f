import ArgumentParser
import PushPipeline
import PushRuns

/// Arguments for inputs; `serve` has none.
struct SourceArguments: ParsableArguments {
    @Argument(help: ArgumentHelp("Payload files.", valueName: "file"), completion: .file())
    var files: [String] = []
    @OptionGroup var input: InputArguments
}

/// Arguments that `run`, `trace`, `bench`, `snapshot` and `serve` share.
struct RunArguments: ParsableArguments {
    @OptionGroup var message: MessageArguments

    @Flag(help: "Shorten the texts of an alert that exceeds its budget, and report each cut.")
    var fit = false

    @Option(
        help: ArgumentHelp(
            "Texts that --fit may shorten, in order; implies --fit. (default: body,subtitle,title)",
            valueName: "texts"))
    var fitOrder: String?

    @OptionGroup(title: "Replacement by an id in the payload") var replacement: ReplacementArguments
    @OptionGroup(title: "Devices") var deviceOptions: DeviceArguments
    @OptionGroup(title: "Service extension") var serviceExtension: ExtensionArguments

    @Option(
        help: ArgumentHelp("Store devices and their screens in this SQLite file.", valueName: "file"),
        completion: .file())
    var store: String?

    @OptionGroup(title: "Privacy") var redaction: RedactionArguments

    @Option(
        help: ArgumentHelp(
            """
            Delivery time: wall, or a start time (epoch seconds or RFC 3339) that advances 1 ms per record. \
            (default: wall; for snapshot, 2026-01-01T12:00:00Z)
            """, valueName: "time"))
    var clock: String?
}

/// Arguments of `run` and `bench` for work that `trace` always does, on one core.
struct WorkArguments: ParsableArguments {
    @Flag(
        inversion: .prefixedNo,
        help: """
            Also check every record against the linter's rules and add the findings to its report. (default: --rules for serve, else \
            --no-rules)
            """)
    var rules: Bool?

    @Option(
        name: [.customShort("j", allowingJoined: true), .long], parsing: .unconditional,
        help: ArgumentHelp(
            "Number of cores to use; the output does not depend on it. (default: all)", valueName: "n"))
    var jobs: Int?

    /// - Throws: `ValidationError`.
    func jobCount() throws -> Int { try OptionValue.jobs(jobs) }
}

/// Arguments of `run` that compare its answers with those of the services.
struct AnswerArguments: ParsableArguments {
    @Flag(
        help: """
            Compare each answer with the one that its sender got, the envelope's answer member. Prints totals of what differs, and exits \
            with status 1 if anything does.
            """)
    var checkAnswers = false

    @Option(
        help: ArgumentHelp(
            "Take that answer from this place in the record or log line, such as /response; implies --check-answers.",
            valueName: "pointer"))
    var answerAt: String?

    /// - Throws: `ValidationError`.
    func stage(skipsPrefix: Bool) throws -> AnswerStage? {
        if let answerAt {
            return AnswerStage(at: try OptionValue.answerLocation(answerAt, skipsPrefix: skipsPrefix))
        }
        return checkAnswers ? AnswerStage() : nil
    }
}

struct EndArguments: ParsableArguments {
    @Flag(help: "Show each screen at the end.")
    var screen = false

    @Option(
        help: ArgumentHelp(
            "Draw the screens at the end into this file; it ends in .svg, .html, .png or .dark.png.",
            valueName: "file"),
        completion: .file())
    var screenFile: String?

    @Option(
        help: ArgumentHelp(
            "Exit with status 1 if any occurred: malformed, rejected, error or warning. Each includes those before it.",
            valueName: "list"),
        completion: .list(FailureCondition.allCases.map(\.rawValue)), transform: FailureCondition.list)
    var failOn: [[FailureCondition]] = []
}
