import AppSimulation
public import ArgumentParser
import PreferenceFiles
import PushModel
import TerminalStyle
import WikimediaSettings

extension PreferencesCommand {
    /// `pushpipe preferences set`: moves switches as a person on the settings screen.
    struct Set: ParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Move switches, and what lies around them.",
            discussion: """
                Does what the app's settings screen would: the first switch asks for permission, which is given, and registers the device; then the wiki \
                is told, and takes it. A device starts with nobody logged in and everything off.

                  pushpipe preferences set mention on cx off --account Anna
                  pushpipe preferences set --permission denied
                  pushpipe preferences set mention on --dry-run

                Status 1 when a switch went back, because of a permission that was denied or a registration that failed.
                """)

        @OptionGroup var place: Place
        @Option(help: "Log in.") var account: String?
        @Flag(help: "Log out.") var logout = false
        @Option(help: "The wiki of the app's primary language; another one takes the settings over.") var wiki: String?
        @Option(help: "What the system's settings say: not-determined, denied, authorized or provisional.")
        var permission: NotificationPermission?
        @Option(help: "Alerts in the system's settings.") var alerts: Switch?
        @Flag(help: "Have the registration for pushes fail, if there is one.") var failRegistration = false
        @Flag(help: "Print the API:Options requests that go to the wiki.") var request = false
        @Flag(help: "Print them, and change nothing.") var dryRun = false
        @Argument(help: ArgumentHelp("TYPE on or TYPE off, any number of them.", valueName: "type on|off"))
        var switches: [String] = []

        enum Switch: String, ExpressibleByArgument, CaseIterable {
            case on, off
        }

        func validate() throws {
            if logout, account != nil { throw ValidationError("--account logs in and --logout out; take one of them.") }
            if logout, !switches.isEmpty { throw ValidationError("Nobody moves switches after --logout.") }
            if account?.isEmpty == true { throw ValidationError("--account needs a name.") }
            if wiki?.isEmpty == true { throw ValidationError("--wiki needs a name.") }
            let changesNothing = account == nil && !logout && wiki == nil && permission == nil && alerts == nil
            if switches.isEmpty, changesNothing {
                throw ValidationError("Say what to set, such as: mention on")
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
                    throw Failure.trouble("\(type) is set on or off\(found)")
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
