package import DeviceScreens
package import NotificationStore
import PayloadJSON
import PushModel

/// Hides in what a store hands out what a run with the same redaction would have hidden.
///
/// A store does not say which request a device was named by, so everything that is not plainly a topic or a condition is taken for a token.
package struct NotificationRedactor {
    private let redaction: Redaction
    private let json: JSONRedactor

    package init(_ redaction: Redaction) {
        self.redaction = redaction
        json = JSONRedactor(redaction)
    }

    /// What stands for a device.
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
        redacted.payload = rewritten(notification.payload, tokens, isChanges: false)
        redacted.changes = notification.changes.map { rewritten($0, tokens, isChanges: true) }
        return redacted
    }

    package func redact(_ entry: JournalEntry) -> JournalEntry {
        var redacted = entry
        var tokens = TokenSet(redaction)
        if device(entry.device) != entry.device { tokens.insert(Array(entry.device.utf8)) }
        redacted.device = device(entry.device)
        redacted.identifier = identifier(entry.identifier, tokens)
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
        var text = text
        text.withUTF8 { bytes in
            var scanner = JSONScanner()
            var tape = JSONTape()
            let bytes = UnsafeRawBufferPointer(bytes)
            if scanner.scan(bytes, into: &tape) == nil, let root = tape.root(of: bytes) { body(root) }
        }
    }

    private func text(_ text: String?, _ tokens: TokenSet) -> String? {
        guard let text else { return nil }
        return redaction.hidesContent ? redaction.digest(text) : tokens.replacing(in: text)
    }

    /// One that the device made up tells nothing.
    private func identifier(_ identifier: String, _ tokens: TokenSet) -> String {
        Redaction.isMadeUp(identifier) ? identifier : text(identifier, tokens) ?? identifier
    }

    private func rewritten(_ payload: String, _ tokens: TokenSet, isChanges: Bool) -> String {
        var payload = payload
        let redacted = payload.withUTF8 { bytes in
            json.redact(
                UnsafeRawBufferPointer(bytes), as: isChanges ? .custom : .stored, tokens)
        }
        return redacted.map { String(decoding: $0, as: UTF8.self) } ?? payload
    }
}
