import PayloadJSON
package import PushModel
package import PushRedaction
package import PushStore

/// Redacts a store's notifications as a run with the same redaction would have.
///
/// A store does not record how a request named the device, so everything but topics and conditions is treated as a token.
package struct NotificationRedactor {
    private let redaction: Redaction
    private let json: JSONRedactor

    package init(_ redaction: Redaction) {
        self.redaction = redaction
        json = JSONRedactor(redaction)
    }

    package func device(_ device: String) -> String {
        let isPublic = device == "default" || device.hasPrefix("/topics/") || device.contains("' in topics")
        return !redaction.hidesTokens || isPublic ? device : redaction.digest(device)
    }

    package func redact(_ notification: DeliveredNotification) -> DeliveredNotification {
        var redacted = notification
        let tokens = tokens(of: notification)
        redacted.device = device(notification.device)
        redacted.identifier = identifier(notification.identifier, tokens)
        redacted.content.title = text(notification.content.title, tokens)
        redacted.content.subtitle = text(notification.content.subtitle, tokens)
        redacted.content.body = text(notification.content.body, tokens)
        redacted.content.thread = text(notification.content.thread, tokens)
        redacted.payload = rewritten(notification.payload, tokens, as: .stored)
        redacted.changes = notification.changes.map { rewritten($0, tokens, as: .custom) }
        return redacted
    }

    package func redact(_ entry: JournalEntry) -> JournalEntry {
        var redacted = entry
        var tokens = TokenSet(redaction)
        if device(entry.device) != entry.device { tokens.insert(Array(entry.device.utf8)) }
        redacted.device = device(entry.device)
        redacted.identifier = subject(entry, tokens)
        return redacted
    }

    /// The identifier of a line of the journal: of a notification, unless its kind has another one.
    private func subject(_ entry: JournalEntry, _ tokens: TokenSet) -> String {
        switch entry.kind {
        // A number reveals nothing.
        case .badgeSet: return entry.identifier
        case .handleAction:
            // The action is the app's word, the text that follows it in quotation marks the user's.
            guard let quoted = entry.identifier.firstRange(of: " \"") else {
                return tokens.replacing(in: entry.identifier)
            }
            let action = tokens.replacing(in: String(entry.identifier[..<quoted.lowerBound]))
            return "\(action) \"\(hidden(String(entry.identifier[quoted.upperBound...].dropLast()), tokens))\""
        case .restore, .dismissModal, .askToDiscard, .discard, .open, .back, .save:
            let isOwn = DeviceEvent.ScreenName.isOwn(entry.identifier)
            return isOwn ? entry.identifier : identifier(entry.identifier, tokens)
        default: return identifier(entry.identifier, tokens)
        }
    }

    /// Redacts a Live Activity. Its identifier, its channel and the type of its attributes stay.
    package func redactActivity(_ record: DeviceRecord) -> DeviceRecord {
        var redacted = record
        var tokens = TokenSet(redaction)
        for name in ["device", "token", "start_token"] {
            guard case .text(let target)? = record.values[name] else { continue }
            if device(target) != target { tokens.insert(Array(target.utf8)) }
            redacted.values[name] = .text(device(target))
        }
        for name in ["alert_title", "alert_body"] {
            if case .text(let words)? = record.values[name] {
                redacted.values[name] = .text(text(words, tokens) ?? words)
            }
        }
        for name in ["attributes", "content_state"] {
            if case .text(let json)? = record.values[name] {
                redacted.values[name] = .text(rewritten(json, tokens, as: .custom))
            }
        }
        return redacted
    }

    private func tokens(of notification: DeliveredNotification) -> TokenSet {
        var tokens = TokenSet(redaction)
        guard redaction.hidesTokens else { return tokens }
        if device(notification.device) != notification.device { tokens.insert(Array(notification.device.utf8)) }
        withJSON(notification.payload) { tokens.insertTokens(in: $0, isRequest: true) }
        return tokens
    }

    private func withJSON(_ text: String, _ body: (JSONView) -> Void) {
        // SOUND: the tape was just made of the bytes, which live until `body` has returned.
        var text = text
        text.withUTF8 { bytes in
            var scanner = JSONScanner()
            var tape = JSONTape()
            let bytes = UnsafeRawBufferPointer(bytes)
            if unsafe scanner.scan(bytes, into: &tape) == nil, let root = unsafe tape.root(of: bytes) { body(root) }
        }
    }

    private func text(_ text: String?, _ tokens: TokenSet) -> String? { text.map { hidden($0, tokens) } }

    func hidden(_ text: String, _ tokens: TokenSet) -> String {
        redaction.hidesContent ? redaction.digest(text) : tokens.replacing(in: text)
    }

    var noTokens: TokenSet { TokenSet(redaction) }

    /// Adds the tokens in a text of JSON.
    func insertTokens(in text: String, into tokens: inout TokenSet) {
        guard redaction.hidesTokens else { return }
        withJSON(text) { root in
            tokens.insertTokens(in: root, isRequest: false)
            // In messages it is a name of the app's own.
            if let token = root["expo"]?.string { tokens.insert(token.decodedBytes) }
        }
    }

    /// An identifier generated by the device reveals nothing, and some lines of the journal have none.
    private func identifier(_ identifier: String, _ tokens: TokenSet) -> String {
        identifier.isEmpty || Redaction.isMadeUp(identifier) ? identifier : text(identifier, tokens) ?? identifier
    }

    /// A text of JSON.
    func rewritten(_ payload: String, _ tokens: TokenSet, as place: RedactedPlace) -> String {
        // SOUND: the bytes live until the closure returns.
        var payload = payload
        let redacted = payload.withUTF8 { bytes in
            unsafe json.redact(UnsafeRawBufferPointer(bytes), as: place, tokens)
        }
        return redacted.map { String(decoding: $0, as: UTF8.self) } ?? payload
    }
}
