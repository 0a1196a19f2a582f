import ArgumentParser
import PushDecoding
import PushLint
import PushModel
import PushPipeline
import RecordFraming

/// What `pushpipe lint` will do, checked through. Which files that concerns, and how they are configured, shows when it begins.
struct LintPlan {
    /// Where the configuration of a file comes from.
    enum ConfigurationSource {
        case nearest
        case file(String)
        case none
    }

    /// As typed; nil is standard input.
    let paths: [String?]
    let options: LintOptions
    let format: LintReport.Format
    let configurationSource: ConfigurationSource
    let fixing: FixMode
    /// Whether budgets are shown in place of findings.
    let showsBudgets: Bool
    let isStrict: Bool
    let isQuiet: Bool

    init(_ command: LintCommand) throws {
        paths = command.files.isEmpty ? [nil] : command.files.map { $0 == "-" ? nil : $0 }
        let maximumRecordBytes = try RunPlan.byteCount(command.decoding.maxRecord)
        var options = LintOptions(
            decoding: try command.decoding.options(), framing: command.decoding.framing,
            maximumRecordBytes: maximumRecordBytes)
        format = command.format
        options.severity = command.severity
        options.rules.disabled = Set(try command.disable.map { try Self.pattern($0, option: "--disable") })
        options.rules.enabled = Set(try command.enable.map { try Self.pattern($0, option: "--enable") })
        self.options = options
        if command.noConfig, command.config != nil {
            throw ValidationError("--config and --no-config exclude each other.")
        }
        if command.config == "" { throw ValidationError("--config needs the name of a file.") }
        configurationSource = command.noConfig ? .none : command.config.map { .file($0) } ?? .nearest
        guard command.fix || !command.dryRun else { throw ValidationError("--dry-run belongs to --fix.") }
        fixing = command.fix ? (command.dryRun ? .show : .write) : .none
        if fixing == .write {
            guard !command.files.isEmpty else {
                throw ValidationError(
                    "--fix needs the name of a file, or - to write the mended text to standard output.")
            }
            guard command.files.count == 1 || !command.files.contains("-") else {
                throw ValidationError("--fix takes - alone, because its mended text goes to standard output.")
            }
        }
        showsBudgets = command.budgetReport
        if showsBudgets {
            guard format == .text || format == .json else {
                throw ValidationError("--budget-report takes --format text or json.")
            }
            guard fixing == .none else { throw ValidationError("--budget-report and --fix exclude each other.") }
        }
        isStrict = command.strict
        isQuiet = command.quiet
    }

    private static func pattern(_ text: String, option: String) throws -> RulePattern {
        guard let pattern = RulePattern(text) else {
            throw ValidationError("\(option): \(RulePattern.unknown(text)) (pushpipe rules lists them)")
        }
        return pattern
    }
}
