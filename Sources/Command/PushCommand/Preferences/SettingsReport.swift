import AppSimulation
import PayloadJSON
import PushModel
import PushText

/// The switches of a device, as text or JSON. While nobody is logged in there are none: the app does not offer them.
struct SettingsReport {
    private let style: TextStyle
    private let rows: [NotificationTypeTable.Row]

    init(style: TextStyle, _ rows: [NotificationTypeTable.Row]) {
        self.style = style
        self.rows = rows
    }

    /// A heading, why nothing is delivered, and a line per switch.
    func appendText(_ name: String, _ device: DevicePreferences, to buffer: inout ByteBuffer) {
        let who = device.account.map { account in
            let wiki = device.current?.primarySite ?? ""
            return "\(TextStyle.clean(account)) at \(TextStyle.clean(wiki))"
        }
        buffer.appendText(style.bold(TextStyle.clean(name)) + "  \(who ?? "nobody is logged in")\n")
        if case .suppressed(let reason) = device.decision(about: nil) {
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

    /// A JSON object on one line.
    func appendJSON(_ name: String, _ device: DevicePreferences, to buffer: inout ByteBuffer) {
        buffer.append(#"{"device":"#)
        buffer.appendJSONString(name)
        buffer.appendMember("account", device.account)
        buffer.appendMember("wiki", device.current?.primarySite)
        buffer.appendMember("permission", device.permission.rawValue)
        buffer.appendMember("alerts", device.alertsAreOn)
        if case .suppressed(let reason) = device.decision(about: nil) { buffer.appendMember("suppressed", reason.name) }
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
