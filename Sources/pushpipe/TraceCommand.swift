import ArgumentParser

/// `pushpipe trace`: `run --trace` with defaults for a few messages.
struct TraceCommand: TextCommand {
    static let configuration = CommandConfiguration(
        commandName: "trace",
        abstract: "Show messages stage by stage: record, message, budget, service extension, screen, outcome.",
        discussion: """
            Reads and delivers as run does. Instead of report lines, shows for each message what was decoded from the record, what --fit \
            and --extension changed, what the linter found, and how the screen changed. The same as run --trace --rules --quiet \
            --jobs 1.

              head -1 payloads.ndjson | pushpipe trace --extension NotificationService.appex
            """)

    @OptionGroup var source: SourceArguments
    @OptionGroup var arguments: RunArguments
    @OptionGroup var end: EndArguments
    @OptionGroup(title: "Appearance") var look: OutputArguments

    /// Validates here, so that errors come with the usage of this command.
    func validate() throws { _ = try RunPlan(self) }

    func run() throws {
        try RunPlan(self).execute()
    }
}
