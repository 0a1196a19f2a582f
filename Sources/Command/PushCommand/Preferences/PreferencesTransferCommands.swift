import AppSimulation
import ArgumentParser
import PayloadJSON
import PreferenceFiles
import PushModel
import PushStreams
import PushText
import WikimediaSettings

extension PreferencesCommand {
    /// `pushpipe preferences import`: reads a wiki's answer.
    struct Import: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "import",
            abstract: "Import settings from an answer to API:Userinfo.",
            discussion: """
                Reads the answer to action=query&meta=userinfo&uiprop=options, in either format version, from FILE or standard input. \
                Replaces the user's settings and logs the user in. A missing option is off.

                  curl -s … | pushpipe preferences import --preferences phone.json
                """)

        @OptionGroup var place: Place
        @Option(help: "User name, if the answer has none.") var account: String?
        @Option(help: "Wiki of the settings. (default: the account's, else \"default\")") var wiki: String?
        @Flag(name: .shortAndLong, help: "Print no summary on standard error.") var quiet = false
        @Argument(help: "File with the answer; - reads standard input.", completion: .file()) var input = "-"

        func run() throws {
            let table = try place.table()
            let file = try place.file()
            let name = try place.deviceName()
            if !quiet, input == "-" { StandardInput.invite("a user's options") }
            let options = try UserinfoFile.read(input)
            let source = UserinfoFile.name(of: input)
            for finding in options.findings {
                StandardError.write("\(source): warning: \(TextStyle.clean(finding.message)) [\(finding.rule)]\n")
            }
            guard let account = account ?? options.user, !account.isEmpty else {
                throw Failure.trouble("\(source): the answer has no user name; give it with --account")
            }
            guard !account.utf8.contains(0) else {
                throw Failure.trouble("\(source): the user name contains a NUL character; give another with --account")
            }
            try file.update { book in
                var device = book[name] ?? DevicePreferences()
                device.adopt(options, of: account, at: wiki, table)
                book.set(device, of: name)
            }
            if quiet { return }
            let ignored = options.mentioned.subtracting(table.types).count
            let on = options.on.intersection(table.types).count
            StandardError.write(
                "imported \(on) of \(table.rows.count) types on"
                    + (ignored > 0 ? "; \(ignored) types without a switch were ignored" : "") + "\n")
        }
    }

    /// `pushpipe preferences export`: writes a wiki's answer, or requests to it.
    struct Export: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "export",
            abstract: "Export the settings as an answer to API:Userinfo, or as requests to API:Options.",
            discussion: "Writes the answer in format version 2, with every switch. preferences import reads it.")

        @OptionGroup var place: Place
        @Option(name: .customLong("as"), help: "Output: userinfo or request.") var form = Form.userinfo

        enum Form: String, ExpressibleByArgument, CaseIterable {
            case userinfo, request
        }

        func run() throws {
            let table = try place.table()
            let name = try place.deviceName()
            guard let device = try place.file().read()[name] else {
                throw Failure.trouble("the file has no device '\(TextStyle.clean(name))'")
            }
            guard let account = device.account else {
                throw Failure.trouble(
                    "nobody is logged in on \(TextStyle.clean(name)); there are no settings to export")
            }
            let output = StandardOutput()
            switch form {
            case .userinfo: try output.append { device.appendUserinfo(of: account, table, to: &$0) }
            case .request:
                for request in device.optionsRequests(table) {
                    let text = request.formText(csrfToken: SettingsScreen.csrfToken)
                    try output.append { $0.appendText(text + "\n") }
                }
            }
            try output.flush()
        }
    }
}
