import ArgumentParser
import ExtensionBuild
import FoundationEssentials
import PushStreams

struct ExtensionCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "extension",
        abstract: "Build Notification Service Extensions for Linux.",
        subcommands: [ExtensionBuildCommand.self, BuiltinExtensionCommand.self])

    /// The path of this program; nil if unknown.
    static var ownPath: String? {
        (try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe"))
            ?? CommandLine.arguments.first.flatMap { $0.contains("/") ? $0 : nil }
    }
}

/// `pushpipe extension builtin`: a built-in extension's process. Not for interactive use.
struct BuiltinExtensionCommand: ParsableCommand {
    static let configuration = CommandConfiguration(commandName: "builtin", shouldDisplay: false)

    @Argument var specification: String

    func run() throws {
        var server = try BuiltinExtension(parsing: specification)
            .server(language: ProcessInfo.processInfo.environment["PUSHPIPE_LANGUAGE"])
        let output = StandardOutput()
        while let line = readLine() {
            try output.append { server.answer(line, into: &$0) }
            try output.flush()
        }
    }
}
