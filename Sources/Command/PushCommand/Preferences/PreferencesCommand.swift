import AppSimulation
import ArgumentParser
import PreferenceFiles
import PushModel
import PushSystem
import PushText

/// `pushpipe preferences`: the notification types that are on, by device and account.
struct PreferencesCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "preferences",
        abstract: "Show and change which notification types are on, per device and account.",
        discussion: """
            Simulates the settings screen of an app that has one switch per notification type, and stores the settings at a wiki or \
            another site. --mapping names the app's types. Name the file with --preferences or PUSHPIPE_PREFERENCES.

              export PUSHPIPE_PREFERENCES=phone.json
              pushpipe preferences set sport on --account Anna --mapping app.yml
              pushpipe preferences show --mapping app.yml
            """,
        subcommands: [Show.self, Set.self])

    /// The file, the device and the switches.
    struct Place: ParsableArguments {
        @Option(help: ArgumentHelp("Preferences file.", valueName: "file"), completion: .file())
        var preferences: String?

        @Option(help: "Device. (default: \"default\")")
        var device: String?

        @Option(
            help: ArgumentHelp("Notification types and rules of the app, in YAML.", valueName: "file"),
            completion: .file())
        var mapping: String

        /// - Throws: `Failure.trouble` if no file is named.
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

        /// - Throws: `Failure.trouble` if the file has no types.
        func table() throws -> NotificationTypeTable {
            let table = try PreferenceConfiguration.read(mapping).table
            guard !table.rows.isEmpty else {
                throw Failure.trouble(
                    "\(TextStyle.clean(mapping)) has no notification types: list them in preferences.types")
            }
            return table
        }
    }
}

extension NotificationTypeTable {
    /// The row of a notification type, by name.
    ///
    /// - Throws: `Failure.trouble` for an unknown type, with the nearest name.
    func row(named name: String) throws -> Row {
        if let row = rows.first(where: { $0.type.name == name }) { return row }
        let near = NameSuggestion.nearest(to: name, among: rows.map(\.type.name))
        throw Failure.trouble(
            "unknown notification type '\(TextStyle.clean(String(name.prefix(NameSuggestion.longest))))'"
                + (near.map { "; did you mean \($0)?" } ?? "")
                + " (pushpipe preferences show lists them)")
    }
}
