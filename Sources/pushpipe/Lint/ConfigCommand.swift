import ArgumentParser
import PushLint
import PushLintConfiguration
import StandardStreams

/// `pushpipe config`: the linter's configurations.
struct ConfigCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "config",
        abstract: "Show which configuration applies to a file, or describe what one may contain.",
        subcommands: [Show.self, Schema.self])

    struct Show: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "show",
            abstract: "Show what applies to a file, and which line of which configuration says so.",
            discussion:
                "Without FILE, shows what applies to standard input: the configuration of the working directory.")

        @Argument(help: ArgumentHelp("Payload file, which need not exist.", valueName: "file"), completion: .file())
        var file: String?

        @Option(
            help: ArgumentHelp("Read this configuration instead of the nearest.", valueName: "file"),
            completion: .file())
        var config: String?

        func run() throws {
            let finder = ConfigurationFinder(
                config.map { .file($0) } ?? .nearest, LintOptions(),
                reader: LintConfiguration.init(yaml:path:directory:))
            try StandardOutput().write(ConfigurationReport.text(for: file == "-" ? nil : file, finder))
        }
    }

    struct Schema: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "schema", abstract: "Print a JSON Schema (draft 2020-12) of .pushpipe.yml, for editors.")

        func run() throws { try StandardOutput().write(LintConfiguration.schema) }
    }
}
