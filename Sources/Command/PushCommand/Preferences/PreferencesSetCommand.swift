import AppSimulation
public import ArgumentParser
import PreferenceFiles
import PushModel
import PushStreams
import PushText
import WikimediaSettings

extension PreferencesCommand {
    /// `pushpipe preferences set`: changes switches as a user of the settings screen does.
    struct Set: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "set",
            abstract: "Turn notification types on or off, log in or out, and change permissions.",
            discussion: CommandHelp.preferencesSet)

        @OptionGroup var place: Place
        @Option(help: "Log in.") var account: String?
        @Flag(help: "Log out.") var logout = false
        @Option(help: "Wiki of the app's primary language. Changing it carries the settings over.") var wiki: String?
        @Option(help: "System permission: not-determined, denied, authorized or provisional.")
        var permission: NotificationPermission?
        @Option(help: "Alerts in the system settings.") var alerts: Switch?
        @Flag(help: "Make the registration for pushes fail, if one happens.") var failRegistration = false
        @Flag(help: "Make the server that sends pushes not take the device's token.") var failSubscription = false
        @Option(help: ArgumentHelp("The wiki's answer to a change; may be repeated.", valueName: "json|file"))
        var answer: [String] = []
        @Flag(help: "Print the API:Options requests sent to the wiki.") var request = false
        @Flag(name: [.customShort("n"), .long], help: "Print the requests and change nothing.") var dryRun = false
        @Argument(help: ArgumentHelp("TYPE on or TYPE off, repeatable.", valueName: "type on|off"))
        var switches: [String] = []

        enum Switch: String, ExpressibleByArgument, CaseIterable {
            case on, off
        }

        func validate() throws {
            if logout, account != nil { throw ValidationError("--account and --logout cannot be combined.") }
            if logout, !switches.isEmpty { throw ValidationError("--logout cannot be combined with switches.") }
            if account?.isEmpty == true { throw ValidationError("--account needs a name.") }
            if wiki?.isEmpty == true { throw ValidationError("--wiki needs a name.") }
            let changesNothing = account == nil && !logout && wiki == nil && permission == nil && alerts == nil
            if switches.isEmpty, changesNothing {
                throw ValidationError("Nothing to set. Name a switch, for example: mention on")
            }
        }

        func run() throws {
            let table = try place.table()
            let change = try change(table)
            let file = try place.file()
            let name = try place.deviceName()
            if dryRun {
                let device = try file.exists ? file.read()[name] : nil
                return try show(apply(change, to: device ?? DevicePreferences(), table, name), isWanted: true)
            }
            var screen: SettingsScreen?
            try file.update { book in
                let changed = try apply(change, to: book[name] ?? DevicePreferences(), table, name)
                book.set(changed.device, of: name)
                screen = changed
            }
            if let screen { try show(screen, isWanted: request) }
        }

        private func change(_ table: NotificationTypeTable) throws -> SettingsChange {
            var change = SettingsChange()
            change.permission = permission
            change.alertsAreOn = alerts.map { $0 == .on }
            change.logsOut = logout
            change.account = account
            change.wiki = wiki
            change.toggles = try typedToggles(table)
            change.registrationFails = failRegistration
            change.subscriptionFails = failSubscription
            change.answers = try answer.map(WikiAnswer.read)
            return change
        }

        private func apply(
            _ change: SettingsChange, to device: DevicePreferences, _ table: NotificationTypeTable, _ name: String
        ) throws -> SettingsScreen {
            do throws(SettingsChange.NobodyIsLoggedIn) {
                return try change.applied(to: device, table)
            } catch {
                throw Failure.trouble("nobody is logged in on \(TextStyle.clean(name)); --account NAME logs in")
            }
        }

        private func typedToggles(
            _ table: NotificationTypeTable
        ) throws -> [(type: NotificationType, isOn: Bool)] {
            var toggles: [(type: NotificationType, isOn: Bool)] = []
            for start in stride(from: 0, to: switches.count, by: 2) {
                let type = try table.row(named: switches[start]).type
                let word = start + 1 < switches.count ? switches[start + 1] : nil
                guard let word, let isOn = Switch(rawValue: word) else {
                    let found = word.map { ", not '\(TextStyle.clean($0))'" } ?? ""
                    throw Failure.trouble("\(type) needs on or off\(found)")
                }
                guard !toggles.contains(where: { $0.type == type }) else {
                    throw Failure.trouble("\(type) is set twice")
                }
                toggles.append((type, isOn == .on))
            }
            return toggles
        }

        private func show(_ screen: SettingsScreen, isWanted: Bool) throws {
            if isWanted {
                let output = StandardOutput()
                for request in screen.requests {
                    try output.write(request.formText(csrfToken: SettingsScreen.csrfToken) + "\n")
                }
            }
            if screen.errors.isEmpty { return }
            for error in screen.errors { StandardError.write("pushpipe: \(TextStyle.clean(error.message))\n") }
            throw Failure.conditionMet
        }
    }
}

extension NotificationPermission: ExpressibleByArgument {}
