import AppSimulation
import ArgumentParser
import PayloadJSON
import PreferenceFiles
import PushStreams
import PushText

extension PreferencesCommand {
    struct Show: TextCommand {
        static let configuration = CommandConfiguration(
            commandName: "show",
            abstract: "Show the state of every switch.",
            discussion:
                "Shows all devices in the file unless --device names one. Arguments limit the output to these types."
        )

        @OptionGroup var place: Place
        @Option(help: "Output format: text or ndjson. (default: text on a terminal, else ndjson)")
        var format: Format?
        @OptionGroup(title: "Appearance") var look: OutputArguments
        @Argument(help: "Show only these types.") var types: [String] = []

        enum Format: String, ExpressibleByArgument, CaseIterable {
            case text, ndjson
        }

        func run() throws {
            let table = try place.table()
            let rows = try types.isEmpty ? table.rows : types.map { try table.row(named: $0) }
            let book = try place.file().read()
            let names = try place.device.map { _ in [try place.deviceName()] } ?? book.devices.keys.sorted()
            let isText = (format ?? (StandardOutput.isTerminal ? .text : .ndjson)) == .text
            let report = SettingsReport(style: .standardOutput, rows)
            let output = StandardOutput()
            for (index, name) in names.enumerated() {
                guard let device = book[name] else {
                    throw Failure.trouble("the file has no device '\(TextStyle.clean(name))'")
                }
                try output.append { buffer in
                    if isText {
                        if index > 0 { buffer.append("\n") }
                        report.appendText(name, device, to: &buffer)
                    } else {
                        report.appendJSON(name, device, to: &buffer)
                    }
                }
            }
            try output.flush()
        }
    }
}
