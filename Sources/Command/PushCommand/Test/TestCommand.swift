import ArgumentParser
import PushScenarios

struct TestCommand: TextCommand, PlannedCommand {
    static let configuration = CommandConfiguration(
        commandName: "test",
        abstract: "Run Given/When/Then files against the emulator.",
        discussion: CommandHelp.test)

    @Argument(help: ArgumentHelp("Feature files and directories of them.", valueName: "file"), completion: .file())
    var files: [String] = []
    @Option(help: "Format of the report. ndjson is for --list-steps.")
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
    /// `pushpipe mcp` runs texts of an assistant.
    @Option(help: ArgumentHelp("Read files only below this folder, and start no extension.", visibility: .hidden))
    var confine: [String] = []
    @OptionGroup(title: "Appearance") var look: OutputArguments

    func plan() throws -> TestPlan { try TestPlan(self) }

    func run() throws { try plan().execute() }
}

enum TestFormat: String, ExpressibleByArgument, CaseIterable {
    case text, tap, junit, github, azure, ndjson
}
