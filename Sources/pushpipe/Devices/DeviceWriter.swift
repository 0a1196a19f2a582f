import PayloadJSON
import PushPipeline

/// Writes devices, dead tokens and held messages: lines of NDJSON, or text for people.
struct DeviceWriter {
    let style: TextStyle
    let isText: Bool

    func appendHeading(to out: inout ByteBuffer) {
        guard isText else { return }
        out.appendText(style.dim("device           platform  online  state       authorization   app\n"))
    }

    func append(_ app: RegisteredApp, to out: inout ByteBuffer) {
        let event = app.event
        guard isText else { return append(event, to: &out) }
        var parts = [
            TextStyle.shortened(app.device).padded(to: 17), (event.platform?.rawValue ?? "").padded(to: 10),
            (event.isOnline == false ? "no" : "yes").padded(to: 8), (event.appState?.rawValue ?? "").padded(to: 12),
            (event.authorization?.rawValue ?? "").padded(to: 16), TextStyle.clean(app.app.isEmpty ? "any" : app.app),
        ]
        if event.showsAlerts == false { parts.append("  alerts off") }
        if let isLoggedIn = event.isLoggedIn { parts.append(isLoggedIn ? "  logged in" : "  logged out") }
        if event.registration == .failed { parts.append("  registration failed") }
        if let since = event.unregisteredAt { parts.append("  dead since \(Timestamp.text(since))") }
        if let canonical = event.canonical { parts.append("  now \(TextStyle.clean(canonical))") }
        out.appendText(parts.joined() + "\n")
    }

    /// As a record that `run` takes.
    private func append(_ event: DeviceEvent, to out: inout ByteBuffer) {
        out.append("{\"event\":\"device\",\"device\":")
        out.appendJSONString(event.device ?? "")
        appendText("app", event.app, to: &out)
        appendText("platform", event.platform?.rawValue, to: &out)
        appendFlag("online", event.isOnline, to: &out)
        appendText("state", event.appState?.rawValue, to: &out)
        appendText("authorization", event.authorization?.rawValue, to: &out)
        appendFlag("alerts", event.showsAlerts, to: &out)
        appendFlag("logged_in", event.isLoggedIn, to: &out)
        appendText("registration", event.registration?.rawValue, to: &out)
        appendText("unregistered_at", event.unregisteredAt.map(Timestamp.text), to: &out)
        appendText("canonical", event.canonical, to: &out)
        out.append("}\n")
    }

    func append(_ token: DeadToken, to out: inout ByteBuffer) {
        let reason =
            token.unregisteredAt == nil ? "replaced" : token.platform == .ios ? "Unregistered" : "NotRegistered"
        if isText {
            let since =
                token.unregisteredAt.map { "since \(Timestamp.text($0))" }
                ?? "now \(TextStyle.clean(token.canonical ?? ""))"
            out.appendText(
                "\(reason.padded(to: 15))\(since)  \(TextStyle.clean(token.device))  \(TextStyle.clean(token.app))\n")
            return
        }
        out.append("{\"device\":")
        out.appendJSONString(token.device)
        if !token.app.isEmpty { appendText("app", token.app, to: &out) }
        appendText("reason", reason, to: &out)
        if let since = token.unregisteredAt {
            out.append(",\"timestamp\":")
            out.appendText(String(since))
        }
        appendText("canonical", token.canonical, to: &out)
        out.append("}\n")
    }

    func append(_ message: HeldMessage, to out: inout ByteBuffer) {
        if isText {
            let until = Timestamp.text(message.expiresAt)
            out.appendText(
                "\(String(message.seq).padded(to: 6, right: true))  \(message.provider.name.description.padded(to: 6))"
                    + "\(TextStyle.shortened(message.device).padded(to: 17))until \(until)  \(TextStyle.clean(message.topic))\n"
            )
            return
        }
        out.append("{\"seq\":")
        out.append(message.seq)
        if let target = message.target {
            out.append(",\"target\":")
            out.append(UInt64(target))
        }
        appendText("provider", message.provider.name.description, to: &out)
        appendText("device", message.device, to: &out)
        appendText("topic", message.topic, to: &out)
        appendText("collapse_key", message.collapseKey, to: &out)
        appendText("accepted_at", Timestamp.text(message.acceptedAt), to: &out)
        appendText("expires_at", Timestamp.text(message.expiresAt), to: &out)
        appendText("payload_text", message.payload, to: &out)
        out.append("}\n")
    }

    private func appendText(_ name: StaticString, _ text: String?, to out: inout ByteBuffer) {
        guard let text else { return }
        out.append(",\"")
        out.append(name)
        out.append("\":")
        out.appendJSONString(text)
    }

    private func appendFlag(_ name: StaticString, _ flag: Bool?, to out: inout ByteBuffer) {
        guard let flag else { return }
        out.append(",\"")
        out.append(name)
        out.append(flag ? "\":true" : "\":false")
    }
}
