import AppSimulation
import ArgumentParser
import PayloadJSON
import PushModel
import PushPipeline
import TerminalStyle

extension PreferencesCommand {
    /// `pushpipe preferences show`: every switch and how it stands.
    struct Show: ParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Every switch, and how it stands.",
            discussion:
                "All devices of the file unless --device names one. Types, when there are any, choose among the switches."
        )

        @OptionGroup var place: Place
        @Option(help: "Form of the output: text or json. (default: text on a terminal, else json)")
        var format: Format?
        @Argument(help: "Only these types.") var types: [String] = []

        enum Format: String, ExpressibleByArgument, CaseIterable {
            case text, json
        }

        func run() throws {
            let table = try place.table()
            let rows = try types.isEmpty ? table.rows : types.map { try table.row(named: $0) }
            let book = try place.file().read()
            let names = try place.device.map { _ in [try place.deviceName()] } ?? book.devices.keys.sorted()
            let isText = (format ?? (StandardOutput.isTerminal ? .text : .json)) == .text
            let output = StandardOutput()
            for (index, name) in names.enumerated() {
                guard let device = book[name] else {
                    throw Failure.trouble("the file has no device '\(TextStyle.clean(name))'")
                }
                try output.append { buffer in
                    if isText {
                        if index > 0 { buffer.append("\n") }
                        Self.appendText(name, device, rows, style: .forTerminal(StandardOutput.isTerminal), to: &buffer)
                    } else {
                        Self.appendJSON(name, device, rows, to: &buffer)
                    }
                }
            }
            try output.flush()
        }

        private static func appendText(
            _ name: String, _ device: DevicePreferences, _ rows: [NotificationTypeTable.Row], style: TextStyle,
            to buffer: inout ByteBuffer
        ) {
            let who = device.account.map { account in
                let wiki = device.current?.primaryWiki ?? ""
                return "\(TextStyle.clean(account)) at \(TextStyle.clean(wiki))"
            }
            buffer.appendText(style.bold(TextStyle.clean(name)) + "  \(who ?? "nobody is logged in")\n")
            if case .suppressed(let reason) = device.decision(about: nil) {
                let row = reason.row
                buffer.appendText("  nothing is delivered: \(row.explanation) (\(row.name)); \(row.remedy)\n")
            }
            let width = rows.map { $0.title.unicodeScalars.count }.max() ?? 0
            for row in rows {
                let isOn = device.typesOn.contains(row.type)
                let title = TextStyle.clean(row.title)
                let space = String(repeating: " ", count: max(0, width - title.unicodeScalars.count))
                buffer.appendText(
                    "  \(isOn ? style.bold("on ") : style.dim("off"))  \(title)\(space)  "
                        + style.dim(TextStyle.clean(row.type.option)) + "\n")
            }
        }

        private static func appendJSON(
            _ name: String, _ device: DevicePreferences, _ rows: [NotificationTypeTable.Row],
            to buffer: inout ByteBuffer
        ) {
            buffer.append(#"{"device":"#)
            buffer.appendJSONString(name)
            if let account = device.account {
                buffer.append(#","account":"#)
                buffer.appendJSONString(account)
                buffer.append(#","wiki":"#)
                buffer.appendJSONString(device.current?.primaryWiki ?? "")
            }
            buffer.append(#","permission":"#)
            buffer.appendJSONString(device.permission.rawValue)
            buffer.appendText(#","alerts":\#(device.alertsAreOn)"#)
            if case .suppressed(let reason) = device.decision(about: nil) {
                buffer.append(#","suppressed":"#)
                buffer.appendJSONString(reason.name)
            }
            buffer.append(#","types":["#)
            for (index, row) in rows.enumerated() {
                if index > 0 { buffer.append(",") }
                buffer.append(#"{"type":"#)
                buffer.appendJSONString(row.type.name)
                buffer.append(#","option":"#)
                buffer.appendJSONString(row.type.option)
                buffer.append(#","title":"#)
                buffer.appendJSONString(row.title)
                buffer.appendText(#","on":\#(device.typesOn.contains(row.type))}"#)
            }
            buffer.append("]}\n")
        }
    }
}
