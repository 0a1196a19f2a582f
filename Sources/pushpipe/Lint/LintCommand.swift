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
        abstract: "Find what is wrong, doubtful or without effect in payloads, and fix what can be fixed.",
        discussion: """
            Reads FILE after FILE, or standard input; - stands for standard input. In a directory, it reads all files that end in \
            .json, .ndjson, .jsonl or .apns, except hidden ones. The nearest .pushpipe.yml above each file chooses the rules.

              pushpipe lint payload.json
              pushpipe lint --fix payloads/
              pushpipe lint --fix --dry-run payload.json | patch -p0
              curl -s https://example.org/push | pushpipe lint --format json | jq -r .rule
              pushpipe lint --budget-report payload.json
              pushpipe lint --disable gcm --enable aps.category-without-alert payloads/

            Exit status: 0 without errors, 1 when there are some (with --strict, warnings too), 2 for wrong usage or a file that \
            cannot be read. pushpipe rules lists the rules, pushpipe explain RULE explains one.
            """)

    @Argument(help: ArgumentHelp("Files and directories of payloads.", valueName: "file"), completion: .file())
    var files: [String] = []

    @Option(help: "Form of the findings.")
    var format = LintReport.Format.text

    @Option(help: "Least severity to show. (default: warning)")
    var severity: Finding.Severity?

    @Option(
        help: ArgumentHelp("Leave out a rule, or a group such as gcm. May be repeated.", valueName: "rule"),
        completion: .list(RulePattern.all))
    var disable: [String] = []

    @Option(
        help: ArgumentHelp(
            "Show a rule, or a group, whatever its severity and the configuration. May be repeated.", valueName: "rule"),
        completion: .list(RulePattern.all))
    var enable: [String] = []

    @Option(
        help: ArgumentHelp("Read this configuration instead of the nearest .pushpipe.yml.", valueName: "file"),
        completion: .file())
    var config: String?

    @Flag(help: "Read no configuration.")
    var noConfig = false

    @Flag(
        help: "Fix what can be fixed without changing what was meant, and write it back; - writes to standard output."
    )
    var fix = false

    @Flag(help: "With --fix: write nothing, and print the changes as a unified diff.")
    var dryRun = false

    @Flag(help: "Show where the bytes of each message go and how much of its budget is left, instead of findings.")
    var budgetReport = false

    @Flag(help: "Count warnings as errors in the exit status.")
    var strict = false

    @Flag(name: .shortAndLong, help: "No summary on standard error.")
    var quiet = false

    @OptionGroup var decoding: DecodingArguments

    /// Here, so that what is wrong is told with this command's usage.
    func validate() throws { _ = try LintPlan(self) }

    func run() throws { try LintPlan(self).execute() }
}
