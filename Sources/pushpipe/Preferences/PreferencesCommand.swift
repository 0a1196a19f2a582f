import AppSimulation
import ArgumentParser
import PreferenceFiles
import PushLint
import SystemSupport
import TerminalStyle
import WikimediaSettings

/// `pushpipe preferences`: which notification types are on, by device and account.
struct PreferencesCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "preferences",
        abstract: "Which types of notifications are on, for each device and account.",
        discussion: """
            The settings screen of an app such as Wikipedia's: a switch for each type of notification, kept by the wiki as the option \
            echo-subscriptions-push-TYPE. The file is named by --preferences, else by the variable PUSHPIPE_PREFERENCES.

              pushpipe preferences set mention on --account Anna --preferences phone.json
              pushpipe preferences show --preferences phone.json
            """,
        subcommands: [Show.self, Set.self, Import.self, Export.self])

    /// The file, the device and the switches.
    struct Place: ParsableArguments {
        @Option(help: ArgumentHelp("The file of preferences.", valueName: "file"), completion: .file())
        var preferences: String?

        @Option(help: "The device. (default: \"default\")")
        var device: String?

        @Option(
            help: ArgumentHelp("Types and rules of an app of your own; Wikimedia's otherwise.", valueName: "file"),
            completion: .file())
        var mapping: String?

        /// - Throws: `Failure.trouble` if nothing names the file.
        func file() throws -> PreferenceFile {
            guard let path = preferences ?? Environment.nonEmptyVariable("PUSHPIPE_PREFERENCES"), !path.isEmpty else {
                throw Failure.trouble("name the file: --preferences FILE, or set PUSHPIPE_PREFERENCES")
            }
            return PreferenceFile(path: path)
        }

        func deviceName() throws -> String {
            let name = device ?? "default"
            guard !name.isEmpty else { throw Failure.trouble("--device needs a name") }
            return name
        }

        /// The switches.
        func table() throws -> NotificationTypeTable {
            try mapping.map { try PreferenceConfiguration.read($0).table } ?? .wikimedia
        }
    }
}

extension NotificationTypeTable {
    /// The row of a type that the user named.
    ///
    /// - Throws: `Failure.trouble` with the nearest name.
    func row(named name: String) throws -> Row {
        if let row = rows.first(where: { $0.type.name == name }) { return row }
        let near = NameSuggestion.nearest(to: name, among: rows.map(\.type.name))
        throw Failure.trouble(
            "there is no type '\(TextStyle.clean(String(name.prefix(NameSuggestion.longest))))'"
                + (near.map { "; did you mean \($0)?" } ?? "")
                + " (pushpipe preferences show lists them)")
    }
}
