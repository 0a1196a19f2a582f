public import ArgumentParser
public import PushLint
import PushModel
import PushPipeline

extension Finding.Severity: ExpressibleByArgument {}
extension LintReport.Format: ExpressibleByArgument {}

/// `pushpipe lint`: what was typed.
struct LintCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "lint",
        abstract: "Find errors, doubtful values and members without effect in payloads, and fix what can be fixed.",
        discussion: """
            Reads each FILE in turn, or standard input if there is none or FILE is -. In a directory, reads all files that end in \
            .json, .ndjson, .jsonl or .apns, except hidden ones. The nearest .pushpipe.yml above each file selects the rules.

              pushpipe lint payload.json
              pushpipe lint --fix payloads/
              pushpipe lint --fix --dry-run payload.json | patch -p0
              curl -s https://example.org/push | pushpipe lint --format json | jq -r .rule
              pushpipe lint --budget-report payload.json
              pushpipe lint --schema order.schema.json payloads/
              pushpipe lint --disable gcm --enable aps.category-without-alert payloads/

            Exit status: 0 without errors, 1 with errors (with --strict, also with warnings), 2 for a usage error, an \
            unreadable file, or nothing to check, 128 plus the signal number after an orderly stop. pushpipe rules lists the rules; pushpipe explain RULE explains one.
            """)

    @Argument(help: ArgumentHelp("Payload files and directories.", valueName: "file"), completion: .file())
    var files: [String] = []

    @Option(help: "Output format.")
    var format = LintReport.Format.text

    @Option(help: "Lowest severity to show. (default: warning)")
    var severity: Finding.Severity?

    @Option(
        help: ArgumentHelp("Disable a rule, or a group such as gcm. Repeatable.", valueName: "rule"),
        completion: .list(RulePattern.all))
    var disable: [String] = []

    @Option(
        help: ArgumentHelp(
            "Enable a rule or group regardless of its severity and the configuration. Repeatable.", valueName: "rule"),
        completion: .list(RulePattern.all))
    var enable: [String] = []

    @Option(
        help: ArgumentHelp("Read this configuration instead of the nearest .pushpipe.yml.", valueName: "file"),
        completion: .file())
    var config: String?

    @Option(
        help: ArgumentHelp(
            "Check payloads against this JSON Schema (draft 2020-12), besides those of the configuration. Repeatable.",
            valueName: "file"),
        completion: .file())
    var schema: [String] = []

    @Flag(help: "Ignore configuration files.")
    var noConfig = false

    @Flag(
        help: "Fix files in place where the meaning is unambiguous; with -, write to standard output."
    )
    var fix = false

    @Flag(help: "With --fix, also shorten the texts of an alert that exceeds its budget.")
    var fit = false

    @Flag(help: "With --fix, print the changes as a unified diff and write no file.")
    var dryRun = false

    @Flag(help: "Instead of findings, show how each message spends its byte budget and how much is left.")
    var budgetReport = false

    @Option(
        name: [.customShort("j", allowingJoined: true), .long], parsing: .unconditional,
        help: ArgumentHelp(
            "Number of cores to use; the output does not depend on it. (default: all)", valueName: "n"))
    var jobs: Int?

    @Flag(help: "Accept that there is nothing to check; otherwise that is status 2.")
    var allowEmpty = false

    @Flag(help: "Treat warnings as errors in the exit status.")
    var strict = false

    @Flag(name: .shortAndLong, help: "Print no summary on standard error.")
    var quiet = false

    @OptionGroup var decoding: DecodingArguments

    /// Validates here, so that errors come with this command's usage.
    func validate() throws { _ = try LintPlan(self) }

    func run() throws { try LintPlan(self).execute() }
}
