import ArgumentParser

/// `pushpipe trace`: `run --trace` with defaults for a few messages.
struct TraceCommand: TextCommand, PlannedCommand {
    static let configuration = CommandConfiguration(
        commandName: "trace",
        abstract: "Show messages stage by stage: record, message, budget, service extension, screen, outcome.",
        discussion: CommandHelp.trace)

    @OptionGroup var source: SourceArguments
    @OptionGroup var arguments: RunArguments
    @OptionGroup var end: EndArguments
    @Flag(help: "With --fail-on, accept inputs without any record.") var allowEmpty = false
    @OptionGroup(title: "Appearance") var look: OutputArguments

    func plan() throws -> RunPlan { try RunPlan(self) }

    func run() throws { try plan().execute() }
}
