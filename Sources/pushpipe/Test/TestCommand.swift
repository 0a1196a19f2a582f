import ArgumentParser

/// `pushpipe test`: what was typed.
struct TestCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "test",
        abstract: "Run Given/When/Then files against the emulator.",
        discussion: """
            Reads feature files (Gherkin) FILE after FILE, or standard input; - stands for standard input. Of a directory, all files \
            below it that end in .feature are read, hidden ones left out. FILE:LINE runs the scenario at that line, or the row of an \
            example, the rule or the feature. Every scenario has devices of its own.

              pushpipe test Samples/Scenarios
              pushpipe test --dry-run replacement.feature
              pushpipe test --tags "@android and not @slow" features/
              pushpipe test --format junit features/ > report.xml
              pushpipe test --list-steps

            Exit status: 0 when every scenario passed, 1 when one failed or has a step that there is not, 2 for wrong usage, when no \
            scenario is left to run, or for a file that cannot be read or is not Gherkin; then nothing is run.
            """)

    @Argument(help: ArgumentHelp("Feature files and directories of them.", valueName: "file"), completion: .file())
    var files: [String] = []

    @Option(help: "Form of the report. markdown is for --list-steps.")
    var format = TestFormat.text

    @Flag(help: "Run nothing: parse the files, and say which of their steps there are not.")
    var dryRun = false

    @Option(
        help: ArgumentHelp(
            "Run the scenarios whose tags this holds for, such as \"@a and not (@b or @c)\".", valueName: "expression"))
    var tags: String?

    @Option(help: ArgumentHelp("Run the scenarios whose name this occurs in. May be repeated.", valueName: "text"))
    var name: [String] = []

    @Flag(help: "Stop behind the first scenario that does not pass.")
    var failFast = false

    @Flag(help: "Print the steps that there are, with an example of each.")
    var listSteps = false

    /// Here, so that what is wrong is told with this command's usage.
    func validate() throws { _ = try TestPlan(self) }

    func run() throws { try TestPlan(self).execute() }
}

enum TestFormat: String, ExpressibleByArgument, CaseIterable {
    case text, tap, junit, markdown
}
