import ArgumentParser

/// `pushpipe trace`: `run --trace` with defaults for a few messages.
struct TraceCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "trace",
        abstract: "Show messages on their way: record, message, budget, service extension, screen, outcome.",
        discussion: """
            Reads and delivers as run does, and writes for people what happens to each message in the place of a report line: what was \
            decoded out of the record, what --fit and --extension changed and did, what the linter finds, and what became of the screen. \
            The same as run --trace --rules --quiet --jobs 1.

              head -1 payloads.ndjson | pushpipe trace --extension NotificationService.appex
            """)

    @OptionGroup var arguments: RunArguments

    /// Validates here, so that errors come with the usage of this command.
    func validate() throws { _ = try RunPlan(self) }

    func run() throws {
        try RunPlan(self).execute()
    }
}
