public import ArgumentParser
import PushLint
import PushModel
import PushPictures

extension Finding.Severity: ExpressibleByArgument {}

struct LintCommand: TextCommand, PlannedCommand {
    static let configuration = CommandConfiguration(
        commandName: "lint",
        abstract: "Find errors, doubtful values and ignored keys in payloads, and fix what can be fixed.",
        discussion: CommandHelp.lint)

    @Argument(help: ArgumentHelp("Payload files and directories.", valueName: "file"), completion: .file())
    var files: [String] = []
    @Option(help: "Output format; svg, html, png and png-dark draw the budgets of --budget-report.")
    var format: OutputForm<LintReport.Format> = .lines(.text)
    @Option(help: "Lowest severity to show. (default: warning)")
    var severity: Finding.Severity?

    @Option(
        help: ArgumentHelp(
            "Show only these rules, whatever their severity: rules, groups such as gcm, or ALL, with commas. Repeatable.",
            valueName: "rules"), completion: .list(RulePattern.names))
    var select: [String] = []

    @Option(
        help: ArgumentHelp("Omit these rules. Repeatable.", valueName: "rules"), completion: .list(RulePattern.names)
    )
    var ignore: [String] = []

    @Option(
        help: ArgumentHelp(
            "Show these rules as well, whatever their severity and the configuration. Repeatable.", valueName: "rules"),
        completion: .list(RulePattern.names))
    var extend: [String] = []

    @Option(
        help: ArgumentHelp("Read this configuration instead of the nearest .pushpipe.yml.", valueName: "file"),
        completion: .file())
    var config: String?

    @Option(
        name: [.customShort("g", allowingJoined: true), .long],
        help: ArgumentHelp(
            "In directories, read only what matches, or with ! what does not. Repeatable.", valueName: "glob"))
    var glob: [String] = []

    @Flag(help: "Also read hidden files in directories.")
    var hidden = false
    @Flag(help: "In directories, also read files that .gitignore or .ignore excludes.")
    var noIgnore = false

    @Option(
        help: ArgumentHelp(
            "Check payloads against this JSON Schema (draft 2020-12), besides those of the configuration. Repeatable.",
            valueName: "file"),
        completion: .file())
    var schema: [String] = []

    @Flag(help: "Ignore configuration files.")
    var noConfig = false
    @Flag(help: "Fix files in place where the meaning is unambiguous; with -, write to standard output.")
    var fix = false
    @Flag(help: "Add all findings to the nearest .pushpipe.yml, file by file, so that they are ignored from now on.")
    var addIgnores = false
    @Flag(help: "With --fix, also shorten the texts of an alert that exceeds its budget.")
    var fit = false

    @Flag(
        name: [.customShort("n"), .long], help: "With --fix, print the changes as a unified diff and write no file.")
    var dryRun = false

    @Flag(help: "Instead of findings, show how each message spends its byte budget and how much is left.")
    var budgetReport = false
    @Flag(help: "Instead of findings, show the size of each message on one line; with --format ndjson, as an object.")
    var sizes = false
    @Flag(help: "Instead of linting, list the files that would be linted.")
    var showFiles = false
    @Flag(help: "Lint again whenever a file changes, until Ctrl-C.")
    var watch = false
    @Flag(help: "Instead of findings, count how often each rule is broken; [*] marks rules that --fix fixes.")
    var statistics = false
    @Flag(help: "Show every warning; otherwise, text counts those of a rule after the first ten.")
    var noFold = false

    @Option(
        help: ArgumentHelp(
            "Lint standard input as this file: its name in reports, its configuration, and what it ignores.",
            valueName: "file"), completion: .file())
    var stdinFilename: String?

    @Option(
        name: [.customShort("o"), .long],
        help: ArgumentHelp("Write to this file instead of standard output.", valueName: "file"), completion: .file())
    var outputFile: String?

    @Option(
        name: [.customShort("j", allowingJoined: true), .long], parsing: .unconditional,
        help: ArgumentHelp(
            "Number of cores to use; the output does not depend on it. (default: all)", valueName: "n"))
    var jobs: Int?

    @Flag(help: "Exit with status 0, not 2, if there is nothing to check, and read a pipe to its end, whatever it has.")
    var allowEmpty = false
    @Flag(help: "Treat warnings as errors in the exit status.")
    var strict = false
    @Flag(help: "Exit with status 0 whatever is found; not if something cannot be read.")
    var exitZero = false
    @Flag(help: "List the files in directories that are not payloads.")
    var verbose = false
    @Flag(name: .shortAndLong, help: "Print no summary on standard error.")
    var quiet = false
    @OptionGroup var decoding: DecodingArguments
    @OptionGroup(title: "Appearance") var look: OutputArguments

    func plan() throws -> LintPlan { try LintPlan(self) }

    func run() throws { try plan().execute() }
}
