import AppSimulation
import ArgumentParser
import FileAccess
import PayloadJSON
import PreferenceFiles
import PushModel
import SystemSupport
import TerminalStyle
import WikimediaSettings

extension PreferencesCommand {
    /// `pushpipe preferences import`: reads an answer of a wiki.
    struct Import: ParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Take over an answer to API:Userinfo.",
            discussion: """
                Reads the answer to action=query&meta=userinfo&uiprop=options, in either format version, from FILE, or from standard input. \
                What it says replaces the settings of its user, who is logged in then; an option that it does not have is off.

                  curl -s … | pushpipe preferences import --preferences phone.json
                """)

        @OptionGroup var place: Place
        @Option(help: "Whose settings these are, when the answer does not say so.") var account: String?
        @Option(help: "The wiki that they are from. (default: the account's, else \"default\")") var wiki: String?
        @Flag(name: .shortAndLong, help: "No summary on standard error.") var quiet = false
        @Argument(help: "The answer; - is standard input.", completion: .file()) var input = "-"

        func run() throws {
            let table = try place.table()
            let file = try place.file()
            let name = try place.deviceName()
            let options = try read()
            guard let account = account ?? options.user, !account.isEmpty else {
                throw Failure.trouble("\(source): the answer names no user; --account does")
            }
            guard !account.utf8.contains(0) else {
                throw Failure.trouble("\(source): the user's name has a NUL character; --account gives another one")
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
                    + (ignored > 0 ? "; \(ignored) types without a switch were passed over" : "") + "\n")
        }

        private var source: String { input == "-" ? "<stdin>" : TextStyle.clean(input) }

        private func read() throws -> UserinfoAnswer.UserOptions {
            let bytes: [UInt8]
            do throws(SystemError) {
                bytes = try FileBytes.read(input == "-" ? nil : input, limit: PreferenceFile.maximumBytes)
            } catch {
                throw Failure.trouble("\(source): \(error)")
            }
            let answer: UserinfoAnswer
            do throws(TextFault) {
                answer = try UserinfoAnswer(parsing: bytes)
            } catch {
                throw Failure.trouble("\(source):\(error.position.line):\(error.position.column): \(error.message)")
            }
            switch answer {
            case .options(let options):
                for finding in options.findings {
                    StandardError.write("\(source): warning: \(TextStyle.clean(finding.message)) [\(finding.rule)]\n")
                }
                return options
            case .anonymous: throw Failure.trouble("\(source): the answer is about somebody who is not logged in")
            case .error(let code, let info):
                let words = info.isEmpty ? code : "\(code): \(info)"
                throw Failure.trouble("\(source): the wiki answered with an error: \(TextStyle.clean(words))")
            case .unreadable(let reason): throw Failure.trouble("\(source): \(reason)")
            }
        }
    }

    /// `pushpipe preferences export`: writes an answer of a wiki, or requests to it.
    struct Export: ParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Write the settings as an answer to API:Userinfo, or as requests to API:Options.",
            discussion: "An answer has format version 2, and every switch; import reads it again.")

        @OptionGroup var place: Place
        @Option(name: .customLong("as"), help: "userinfo or request.") var form = Form.userinfo

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
