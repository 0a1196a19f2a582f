import PushDecoding
package import PushDevices
package import PushJSON
import PushModel
import PushSystem
package import PushText

/// Writes registered devices, dead tokens, queued messages and offsets of streams: as NDJSON lines, or as columns of text.
package struct DeviceReport {
    private let style: TextStyle
    private let isText: Bool

    package init(style: TextStyle, isText: Bool) {
        self.style = style
        self.isText = isText
    }

    /// Says in a line that a device is not registered, or that none is, and where the others are.
    package static func nothing(about device: String?) -> String {
        "\(device ?? "no device") is \(device == nil ? "" : "not ")registered; pushpipe store list shows those with notifications, "
            + "and pushpipe run registers those of a file"
    }

    package func appendHeading(to out: inout ByteBuffer) {
        guard isText else { return }
        out.appendText(style.dim("device           platform  online  state       authorization   app\n"))
    }

    package func append(_ app: RegisteredApp, to out: inout ByteBuffer) {
        let event = app.event
        guard isText else {
            for event in [event] + app.furtherEvents { out.appendEvent(event) }
            return
        }
        var line = FlowingLine(style, indent: 2)
        line.appendCell(TextStyle.shortened(app.device), to: 17)
        line.appendCell(event.platform?.rawValue ?? "", to: 10)
        line.appendCell(event.isOnline == false ? "no" : "yes", to: 8)
        line.appendCell(event.appState?.rawValue ?? "", to: 12)
        line.appendCell(event.authorization?.rawValue ?? "", to: 16)
        line.append(TextStyle.clean(app.app.isEmpty ? "any" : app.app))
        if event.showsAlerts == false { line.append("alerts off") }
        for setting in DeviceEvent.NotificationSetting.allCases where event.settings.switches[setting] == false {
            line.append("\(setting.rawValue.replacing("_", with: " ")) off")
        }
        if let lock = event.lock, lock != .unlocked {
            line.append(lock == .locked ? "locked" : "locked before first unlock")
        }
        if let previews = event.settings.previews { line.append("previews \(previews.rawValue)") }
        for event in app.furtherEvents where event.isOn == true { line.append("\(event.name.rawValue) on") }
        if let isLoggedIn = event.isLoggedIn { line.append(isLoggedIn ? "logged in" : "logged out") }
        if let registration = event.registration, registration != .succeeded {
            line.append("registration \(registration.rawValue)")
        }
        if let types = event.settings.types {
            line.appendWords("types: \(TextStyle.clean(types.sorted().joined(separator: " ")))")
        }
        if let topics = event.settings.topics {
            line.appendWords("topics: \(TextStyle.clean(topics.sorted().joined(separator: " ")))")
        }
        if let since = event.unregisteredAt { line.append("dead since \(RFC3339.text(since))") }
        if let canonical = event.settings.canonical { line.append("now \(TextStyle.clean(canonical))") }
        if let standing = event.token ?? (event.isConfirmed == false ? .unconfirmed : nil) {
            let since = event.tokenSince.map { " since \(RFC3339.text($0))" } ?? ""
            line.append("token \(standing.rawValue)\(since)")
        }
        out.appendText(line.text + "\n")
    }

    package func append(_ token: DeadToken, to out: inout ByteBuffer) {
        let reason =
            token.unregisteredAt == nil ? "replaced" : token.platform == .ios ? "Unregistered" : "NotRegistered"
        if isText {
            var line = FlowingLine(style, indent: 2)
            line.appendCell(reason, to: 15)
            line.appendCell(token.unregisteredAt.map { "since \(RFC3339.text($0))" } ?? "", to: 32)
            line.appendCell(TextStyle.shortened(token.device), to: 17)
            line.append(TextStyle.clean(token.app.isEmpty ? "any" : token.app))
            if let canonical = token.canonical { line.append("now \(TextStyle.clean(canonical))") }
            out.appendText(line.text + "\n")
            return
        }
        out.append("{\"device\":")
        out.appendJSONString(token.device)
        if !token.app.isEmpty { out.appendMember("app", token.app) }
        out.appendMember("reason", reason)
        if let since = token.unregisteredAt {
            out.append(",\"timestamp\":")
            out.appendText(String(since))
        }
        out.appendMember("canonical", token.canonical)
        out.append("}\n")
    }

    package func append(_ message: QueuedMessage, to out: inout ByteBuffer) {
        if isText {
            var line = FlowingLine(style, indent: 8)
            line.appendCell(String(message.seq).padded(to: 6, right: true), to: 8)
            line.appendCell(message.provider.name.description, to: 6)
            line.appendCell(TextStyle.shortened(message.device), to: 17)
            line.append("until \(RFC3339.text(message.expiresAt))")
            line.append(TextStyle.clean(message.topic))
            out.appendText(line.text + "\n")
            return
        }
        out.append("{\"seq\":")
        out.append(message.seq)
        if let target = message.target {
            out.append(",\"target\":")
            out.append(UInt64(target))
        }
        out.appendMember("provider", message.provider.name.description)
        out.appendMember("device", message.device)
        out.appendMember("topic", message.topic)
        out.appendMember("collapse_key", message.collapseKey)
        out.appendMember("accepted_at", RFC3339.text(message.acceptedAt))
        out.appendMember("expires_at", RFC3339.text(message.expiresAt))
        out.appendMember("payload_text", message.payload)
        out.append("}\n")
    }

    /// Appends how far a store has read the streams of an engine.
    package func append(_ offsets: [StreamOffset], to out: inout ByteBuffer) {
        if isText { out.appendText(style.dim("stream                            last offset\n")) }
        for offset in offsets { append(offset, to: &out) }
    }

    private func append(_ offset: StreamOffset, to out: inout ByteBuffer) {
        guard !isText else {
            var line = FlowingLine(style, indent: 2)
            line.appendCell(TextStyle.clean(offset.stream), to: 34)
            line.append(TextStyle.clean(offset.offset))
            return out.appendText(line.text + "\n")
        }
        out.append("{\"stream\":")
        out.appendJSONString(offset.stream)
        // Kafka's are numbers, Redis' are not.
        if let number = UInt64(offset.offset), String(number) == offset.offset {
            out.append(",\"offset\":")
            out.append(number)
        } else {
            out.appendMember("offset", offset.offset)
        }
        out.append("}\n")
    }
}
