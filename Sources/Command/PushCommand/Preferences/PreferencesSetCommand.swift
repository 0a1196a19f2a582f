import AppSimulation
public import ArgumentParser
import PayloadJSON
import PreferenceFiles
import PushModel
import PushStreams
import PushText

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
        @Option(
            help: ArgumentHelp(
                "The wiki's answer to a change: success, warning, nothing or an error code; may be repeated.",
                valueName: "answer"))
        var answer: [SettingsAnswer] = []
        @Flag(help: "Print the requests sent to the wiki, as NDJSON.") var request = false
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
            let toggles = try typedToggles(table)
            let file = try place.file()
            let name = try place.deviceName()
            if dryRun {
                let device = try file.exists ? file.read()[name] : nil
                return try show(changed(device ?? DevicePreferences(), table, toggles, name).screen, isWanted: true)
            }
            var screen: SettingsScreen?
            try file.update { book in
                let changed = try changed(book[name] ?? DevicePreferences(), table, toggles, name)
                book.set(changed.device, of: name)
                screen = changed.screen
            }
            if let screen { try show(screen, isWanted: request) }
        }

        /// The device and the screen after the changes.
        private func changed(
            _ device: DevicePreferences, _ table: NotificationTypeTable,
            _ toggles: [(type: NotificationType, isOn: Bool)],
            _ name: String
        ) throws -> (device: DevicePreferences, screen: SettingsScreen) {
            let account = account ?? (logout ? nil : device.account)
            let known = account.flatMap { device.accounts[$0] }
            var surroundings = SettingsScreen.Surroundings()
            surroundings.sites = known?.typesOn ?? [:]
            surroundings.writes = answer
            if failRegistration { surroundings.registrationFailure = "the system handed out no token" }
            if failSubscription { surroundings.subscription = .error(code: "the token was refused") }
            var screen = SettingsScreen(table, device, surroundings)
            if permission != nil || alerts != nil {
                screen.changeSystem(
                    permission: permission ?? device.permission,
                    alertsAreOn: alerts.map { $0 == .on } ?? device.alertsAreOn)
            }
            if logout { screen.logOut() }
            if let account { screen.logIn(account, at: known?.primarySite ?? wiki ?? SettingsSites.only) }
            guard screen.device.account != nil || (toggles.isEmpty && wiki == nil) else {
                throw Failure.trouble("nobody is logged in on \(TextStyle.clean(name)); --account NAME logs in")
            }
            if let wiki { screen.move(to: wiki) }
            if !toggles.isEmpty {
                screen.open()
                screen.toggle(toggles)
            }
            var changed = screen.device
            let site = changed.current?.primarySite ?? known?.primarySite ?? screen.requests.last?.site
            changed.accounts = device.accounts
            // The site's settings may have types that the table has no switch for.
            if let account, let site {
                changed.accounts[account] = NotificationPreferences(
                    primarySite: site, typesOn: screen.surroundings.sites)
            }
            return (changed, screen)
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
                for request in screen.requests { try output.append { Self.append(request, to: &$0) } }
                try output.flush()
            }
            if screen.errors.isEmpty { return }
            for error in screen.errors { StandardError.write("pushpipe: \(TextStyle.clean(error.message))\n") }
            throw Failure.conditionMet
        }

        /// `{"wiki":"default","changes":{"cx":true,"mention":false}}`
        private static func append(_ request: SettingsScreen.Request, to buffer: inout ByteBuffer) {
            buffer.append(#"{"wiki":"#)
            buffer.appendJSONString(request.site)
            buffer.append(#","changes":{"#)
            for (index, change) in request.changes.sorted(by: { $0.key < $1.key }).enumerated() {
                if index > 0 { buffer.append(",") }
                buffer.appendJSONString(change.key.name)
                buffer.appendText(":\(change.value)")
            }
            buffer.append("}}\n")
        }
    }
}

extension NotificationPermission: ExpressibleByArgument {}

extension SettingsAnswer: ExpressibleByArgument {
    package init?(argument: String) { self.init(argument) }
}
