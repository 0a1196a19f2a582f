import ArgumentParser

/// `pushpipe extension`: what is done with service extensions, besides running them.
struct ExtensionCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "extension",
        abstract: "Build Notification Service Extensions for Linux.",
        subcommands: [ExtensionBuildCommand.self, BuiltinExtensionCommand.self])
}
