import AppSimulation
import ArgumentParser
import PreferenceFiles
import PushModel
import PushSystem
import PushText
import WikimediaSettings

/// `pushpipe preferences`: the notification types that are on, by device and account.
struct PreferencesCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "preferences",
        abstract: "Show and change which notification types are on, per device and account.",
        discussion: """
            Simulates the settings screen of an app such as Wikipedia's: one switch per notification type, stored by the wiki as the \
            option echo-subscriptions-push-TYPE. Name the file with --preferences or PUSHPIPE_PREFERENCES.

              pushpipe preferences set mention on --account Anna --preferences phone.json
              pushpipe preferences show --preferences phone.json
            """,
        subcommands: [Show.self, Set.self, Import.self, Export.self])

    /// The file, the device and the switches.
    struct Place: ParsableArguments {
        @Option(help: ArgumentHelp("Preferences file.", valueName: "file"), completion: .file())
        var preferences: String?

        @Option(help: "Device. (default: \"default\")")
        var device: String?

        @Option(
            help: ArgumentHelp(
                "Notification types and rules of your own app. (default: Wikimedia's)", valueName: "file"),
            completion: .file())
        var mapping: String?

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

        func table() throws -> NotificationTypeTable {
            try mapping.map { try PreferenceConfiguration.read($0).table } ?? .wikimedia
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
