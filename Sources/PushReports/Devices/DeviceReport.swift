package import DeviceRegistry
package import NotificationStore
package import PayloadJSON
import PushDecoding
import PushModel
import SystemSupport
package import TerminalStyle

/// Writes registered devices, dead tokens and queued messages: as NDJSON lines, or as columns of text.
package struct DeviceReport {
    private let style: TextStyle
    private let isText: Bool

    package init(style: TextStyle, isText: Bool) {
        self.style = style
        self.isText = isText
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
        var parts = [
            TextStyle.shortened(app.device).padded(to: 17), (event.platform?.rawValue ?? "").padded(to: 10),
            (event.isOnline == false ? "no" : "yes").padded(to: 8), (event.appState?.rawValue ?? "").padded(to: 12),
            (event.authorization?.rawValue ?? "").padded(to: 16), TextStyle.clean(app.app.isEmpty ? "any" : app.app),
        ]
        if event.showsAlerts == false { parts.append("  alerts off") }
        for event in app.furtherEvents { parts.append("  \(event.name.rawValue) on") }
        if let isLoggedIn = event.isLoggedIn { parts.append(isLoggedIn ? "  logged in" : "  logged out") }
        if let registration = event.registration, registration != .succeeded {
            parts.append("  registration \(registration.rawValue)")
        }
        if let types = event.types { parts.append("  types: \(TextStyle.clean(types.joined(separator: " ")))") }
        if let topics = event.topics { parts.append("  topics: \(TextStyle.clean(topics.joined(separator: " ")))") }
        if let since = event.unregisteredAt { parts.append("  dead since \(RFC3339.text(since))") }
        if let canonical = event.canonical { parts.append("  now \(TextStyle.clean(canonical))") }
        if let standing = event.token ?? (event.isConfirmed == false ? .unconfirmed : nil) {
            let since = event.tokenSince.map { " since \(RFC3339.text($0))" } ?? ""
            parts.append("  token \(standing.rawValue)\(since)")
        }
        out.appendText(parts.joined() + "\n")
    }

    package func append(_ token: DeadToken, to out: inout ByteBuffer) {
        let reason =
            token.unregisteredAt == nil ? "replaced" : token.platform == .ios ? "Unregistered" : "NotRegistered"
        if isText {
            var parts = [
                reason.padded(to: 15),
                (token.unregisteredAt.map { "since \(RFC3339.text($0))" } ?? "").padded(to: 32),
                TextStyle.shortened(token.device).padded(to: 17),
                TextStyle.clean(token.app.isEmpty ? "any" : token.app),
            ]
            if let canonical = token.canonical { parts.append("  now \(TextStyle.clean(canonical))") }
            out.appendText(parts.joined() + "\n")
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
            let until = RFC3339.text(message.expiresAt)
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
        out.appendMember("provider", message.provider.name.description)
        out.appendMember("device", message.device)
        out.appendMember("topic", message.topic)
        out.appendMember("collapse_key", message.collapseKey)
        out.appendMember("accepted_at", RFC3339.text(message.acceptedAt))
        out.appendMember("expires_at", RFC3339.text(message.expiresAt))
        out.appendMember("payload_text", message.payload)
        out.append("}\n")
    }
}
