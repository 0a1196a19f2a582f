import ArgumentParser
import PushLint
import PushLintConfiguration
import PushLintFiles
import PushStreams
import PushSystem

struct ConfigCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "config",
        abstract: "Show the linter's settings for a file, or print the schema of its configuration.",
        subcommands: [Show.self, Schema.self])

    struct Show: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "show",
            abstract: "List the settings that apply to a file, each with the configuration and line that has it.",
            discussion:
                "Without FILE, lists those of the working directory, which apply to standard input.")

        @Argument(help: ArgumentHelp("Payload file.", valueName: "file"), completion: .file())
        var file: String?

        @Option(
            help: ArgumentHelp("Read this configuration instead of the nearest.", valueName: "file"),
            completion: .file())
        var config: String?

        func run() throws {
            if let file, file != "-" {
                // A misspelled name would get the settings of another place.
                do { _ = try FileStatus(file) } catch { throw Failure.trouble("\(file): \(error)") }
            }
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
