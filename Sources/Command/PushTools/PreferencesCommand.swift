import AppSimulation
public import ArgumentParser
import PushCommand
import PushJSON
import PushModel
import PushPreferences
import PushSettings
import PushStreams
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

        /// - Throws: `PlainError` if no file is named.
        func file() throws -> PreferenceFile {
            guard let path = preferences ?? Environment.nonEmptyVariable("PUSHPIPE_PREFERENCES"), !path.isEmpty else {
                throw PlainError("name the file: --preferences FILE, or set PUSHPIPE_PREFERENCES")
            }
            return PreferenceFile(path: path)
        }

        func deviceName() throws -> String {
            let name = device ?? "default"
            guard !name.isEmpty else { throw PlainError("--device needs a name") }
            return name
        }

        /// - Throws: `PlainError` if the file has no types.
        func table() throws -> NotificationTypeTable {
            let table = try PreferenceConfiguration.read(mapping).table
            guard !table.rows.isEmpty else {
                throw PlainError(
                    "\(TextStyle.clean(mapping)) has no notification types: list them in preferences.types")
            }
            return table
        }
    }
}

extension NotificationTypeTable {
    /// The row of a notification type, by name.
    ///
    /// - Throws: `PlainError` for an unknown type, with the nearest name.
    func row(named name: String) throws -> Row {
        if let row = rows.first(where: { $0.type.name == name }) { return row }
        let near = NameSuggestion.nearest(to: name, among: rows.map(\.type.name))
        throw PlainError(
            "unknown notification type '\(TextStyle.clean(String(name.prefix(NameSuggestion.longest))))'"
                + (near.map { "; did you mean \($0)?" } ?? "")
                + " (pushpipe preferences show lists them)")
    }
}

extension PreferencesCommand {
    struct Show: ConfiguredCommand {
        static let configuration = CommandConfiguration(
            named: "show",
            abstract: "Show the state of every switch.",
            discussion:
                "Shows all devices in the file unless --device names one. Arguments limit the output to these types."
        )

        @OptionGroup var place: Place
        @Option(help: "Output format: text or ndjson. (default: text on a terminal, else ndjson)")
        var format: ListFormat?
        @OptionGroup var common: CommonArguments
        @Argument(help: "Show only these types.") var types: [String] = []

        func run(_ settings: Settings) throws {
            let table = try place.table()
            let rows = try types.isEmpty ? table.rows : types.map { try table.row(named: $0) }
            let book = try place.file().read()
            let names = try place.device.map { _ in [try place.deviceName()] } ?? book.devices.keys.sorted()
            let isText = (format ?? .default) == .text
            let output = StandardOutput()
            for (index, name) in names.enumerated() {
                guard let device = book[name] else {
                    throw PlainError("the file has no device '\(TextStyle.clean(name))'")
                }
                try output.append { buffer in
                    if isText {
                        if index > 0 { buffer.append("\n") }
                        Self.appendText(name, device, rows, to: &buffer)
                    } else {
                        Self.appendJSON(name, device, rows, to: &buffer)
                    }
                }
            }
            try output.flush()
        }

        /// The switches of a device: a heading, why nothing is delivered, and a line per switch.
        private static func appendText(
            _ name: String, _ device: DevicePreferences, _ rows: [NotificationTypeTable.Row],
            to buffer: inout ByteBuffer
        ) {
            let style = TextStyle.standardOutput
            let who = device.account.map { account in
                let wiki = device.current?.primarySite ?? ""
                return "\(TextStyle.clean(account)) at \(TextStyle.clean(wiki))"
            }
            buffer.appendText(style.bold(TextStyle.clean(name)) + "  \(who ?? "nobody is logged in")\n")
            if let reason = device.obstacle(toPushOf: nil) {
                let row = reason.row
                buffer.appendText("  nothing is delivered: \(row.explanation) (\(row.name)); \(row.remedy)\n")
            }
            if device.account == nil { return }
            let width = rows.map { $0.title.unicodeScalars.count }.max() ?? 0
            for row in rows {
                let isOn = device.typesOn.contains(row.type)
                let title = TextStyle.clean(row.title)
                let space = String(repeating: " ", count: max(0, width - title.unicodeScalars.count))
                buffer.appendText(
                    "  \(isOn ? style.bold("on ") : style.dim("off"))  \(title)\(space)  "
                        + style.dim(TextStyle.clean(row.type.name)) + "\n")
            }
        }

        /// The switches as a JSON object on one line. While nobody is logged in there are none: the app does not offer them.
        private static func appendJSON(
            _ name: String, _ device: DevicePreferences, _ rows: [NotificationTypeTable.Row],
            to buffer: inout ByteBuffer
        ) {
            buffer.append(#"{"device":"#)
            buffer.appendJSONString(name)
            buffer.appendMember("account", device.account)
            buffer.appendMember("wiki", device.current?.primarySite)
            buffer.appendMember("permission", device.permission.rawValue)
            buffer.appendMember("alerts", device.alertsAreOn)
            if let reason = device.obstacle(toPushOf: nil) {
                buffer.appendMember("suppressed", reason.name)
            }
            buffer.append(#","types":["#)
            for (index, row) in rows.enumerated() where device.account != nil {
                buffer.append(index > 0 ? #",{"type":"# : #"{"type":"#)
                buffer.appendJSONString(row.type.name)
                buffer.appendMember("title", row.title)
                buffer.appendMember("on", device.typesOn.contains(row.type))
                buffer.append("}")
            }
            buffer.append("]}\n")
        }
    }

    /// `pushpipe preferences set`: changes switches as a user of the settings screen does.
    struct Set: ParsableCommand {
        static let configuration = CommandConfiguration(
            named: "set",
            abstract: "Turn notification types on or off, log in or out, and change permissions.",
            discussion: """
                Acts as the app's settings screen does: turning on the first type requests permission, which is granted, and registers the \
                device; then the setting is saved on the wiki. A new device is logged out and has everything off.

                  pushpipe preferences set sport on news off --account Anna --mapping app.yml
                  pushpipe preferences set --permission denied --mapping app.yml
                  pushpipe preferences set sport on --dry-run --mapping app.yml

                Exit status 1 if a change was rejected: by the wiki (--answer), or because permission was denied or registration failed.
                """)

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
                throw PlainError("nobody is logged in on \(TextStyle.clean(name)); --account NAME logs in")
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
                    throw PlainError("\(type) needs on or off\(found)")
                }
                guard !toggles.contains(where: { $0.type == type }) else {
                    throw PlainError("\(type) is set twice")
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
            for change in request.changes.sorted(by: { $0.key < $1.key }) {
                buffer.appendMemberName(text: change.key.name)
                buffer.append(change.value)
            }
            buffer.append("}}\n")
        }
    }
}

extension NotificationPermission: ExpressibleByArgument {}

extension SettingsAnswer: ExpressibleByArgument {
    package init?(argument: String) { self.init(argument) }
}
