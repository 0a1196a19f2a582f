import ArgumentParser

/// `pushpipe test`: what was typed.
struct TestCommand: TextCommand {
    static let configuration = CommandConfiguration(
        commandName: "test",
        abstract: "Run Given/When/Then files against the emulator.",
        discussion: """
            Reads feature files (Gherkin), or standard input when there is no FILE; - is standard input too. In a directory, it reads all \
            .feature files at any depth, except hidden ones. FILE:LINE runs the scenario, examples row, rule or feature at that line. \
            Each scenario has its own devices.

              pushpipe test Samples/Scenarios
              pushpipe test --dry-run replacement.feature
              pushpipe test --tags "@android and not @slow" features/
              pushpipe test --format junit features/ > report.xml
              pushpipe test --list-steps

            Exit status: 0 when every scenario passed, 1 when one failed or has an undefined or ambiguous step, 2 for wrong usage, when \
            there is no scenario to run, or when a file cannot be read or is not Gherkin; then nothing is run.
            """)

    @Argument(help: ArgumentHelp("Feature files and directories of them.", valueName: "file"), completion: .file())
    var files: [String] = []
    @Option(help: "Format of the report. markdown is for --list-steps.")
    var format = TestFormat.text
    @Flag(name: [.customShort("n"), .long], help: "Run nothing: parse the files and report undefined steps.")
    var dryRun = false

    @Option(
        help: ArgumentHelp(
            "Run the scenarios whose tags match, such as \"@a and not (@b or @c)\".", valueName: "expression"))
    var tags: String?

    @Option(help: ArgumentHelp("Run the scenarios whose name contains this text. May be repeated.", valueName: "text"))
    var name: [String] = []
    @Flag(help: "Stop after the first scenario that fails.")
    var failFast = false
    @Flag(help: "Print all steps, with an example of each.")
    var listSteps = false
    @OptionGroup(title: "Appearance") var look: OutputArguments

    /// Here, so that errors are printed with this command's usage.
    func validate() throws { _ = try TestPlan(self) }

    func run() throws { try TestPlan(self).execute() }
}

enum TestFormat: String, ExpressibleByArgument, CaseIterable {
    case text, tap, junit, markdown
}
