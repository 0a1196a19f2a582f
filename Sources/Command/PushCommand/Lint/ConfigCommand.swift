import ArgumentParser
import PushLint
import PushLintConfiguration
import PushLintFiles
import PushServices
import PushStreams
import PushSystem

struct ConfigCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "config",
        abstract: "Show the linter's settings, or schemas for editors.",
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
            commandName: "schema",
            abstract: "Print a JSON Schema (draft 2020-12) of a configuration, for editors.")

        enum Name: String, ExpressibleByArgument, CaseIterable {
            case lint, gateway
        }

        @Argument(help: ArgumentHelp("That of .pushpipe.yml, or of serve --config.", valueName: "which"))
        var name = Name.lint

        func run() throws {
            switch name {
            case .lint: try StandardOutput().write(LintConfiguration.schema)
            case .gateway: try StandardOutput().write(GatewayFile.schema)
            }
        }
    }
}
