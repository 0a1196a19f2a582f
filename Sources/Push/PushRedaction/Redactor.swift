import PayloadJSON
import PushDecoding
import PushSystem

/// Puts digests in the place of hidden texts: always of whole texts, never of parts, so that nothing needs to be found in them.
///
/// For one worker. A text becomes the same digest wherever it is. Whether it stays depends on itself alone, unless it repeats the name of a
/// record's device.
package final class Redactor {
    /// The meaning of a text.
    package enum Kind {
        /// The target of a request, or a token of a device.
        case device
        /// Chosen by the app's programmers.
        case name
        /// Written by a sender or a user.
        case content
    }

    package let redaction: Redaction
    /// Names of devices that texts must not repeat, in lower case. A text with one that may be a token stays in no case.
    private var deviceNames: [[UInt8]] = []
    var scanner = JSONScanner()
    var tape = JSONTape()

    /// The shortest name of a device that is looked for in other texts, in bytes. A shorter one may be part of any word.
    private static let shortestName = 8

    package init(_ redaction: Redaction) { self.redaction = redaction }

    /// From now on, hides texts with the name of one of these devices, and of no others.
    package func hideNames(of devices: some Sequence<[UInt8]>) {
        deviceNames.removeAll(keepingCapacity: true)
        guard redaction.hidesTokens else { return }
        for device in devices where device.count >= Self.shortestName && HarmlessText.isHarmless(device) {
            deviceNames.append(device.map(Self.lowercased))
        }
    }

    /// Another one for JSON in a string, which needs its own memory.
    func forString() -> Redactor {
        let redactor = Redactor(redaction)
        redactor.deviceNames = deviceNames
        return redactor
    }

    /// The digest of a text; nil if it stays. O(bytes).
    package func digest(of text: [UInt8], as kind: Kind) -> [UInt8]? {
        let isHidden =
            switch kind {
            case .device: redaction.hidesTokens
            case .name: redaction.hidesTokens && mayHoldToken(text, as: .name)
            case .content: redaction.hidesContent || redaction.hidesTokens && mayHoldToken(text, as: .text)
            }
        guard isHidden, !text.isEmpty else { return nil }
        if kind != .device { return redaction.digest(text) }
        // The same for both cases of a device token of APNs.
        return redaction.digest(Array(DeviceToken.canonical(String(decoding: text, as: UTF8.self)).utf8))
    }

    /// A text, or its digest.
    package func redacted(_ text: String, as kind: Kind) -> String {
        digest(of: Array(text.utf8), as: kind).map { String(decoding: $0, as: UTF8.self) } ?? text
    }

    /// A JSON Pointer: the names in it become what they become in JSON.
    package func redacted(pointer: String) -> String {
        pointer.split(separator: "/", omittingEmptySubsequences: false).map { redacted(String($0), as: .name) }
            .joined(separator: "/")
    }

    /// A message about a record, without what it quotes of it in quotation marks, or as FCM does. One that has the name of a device or a
    /// long word outside of these becomes a digest.
    package func redacted(message: String) -> String {
        let message = withoutQuotes(message)
        let isHidden = redaction.hidesTokens && mayHoldToken(Array(message.utf8), as: .message)
        return isHidden ? redaction.digest(message) : message
    }

    private func withoutQuotes(_ message: String) -> String {
        if let hidden = FCMViolation.hidingValue(in: message) {
            let value = message.utf8.dropFirst(hidden.utf8.count - "…".utf8.count)
            return digest(of: Array(value), as: .content) == nil ? message : hidden
        }
        guard let first = message.firstIndex(of: "\"") else { return message }
        let last = message.lastIndex(of: "\"").flatMap { $0 > first ? message.index(after: $0) : nil }
        let quoted = message[first..<(last ?? message.endIndex)]
        guard digest(of: Array(quoted.utf8), as: .content) != nil else { return message }
        return message[..<first] + "\"…\"" + message[quoted.endIndex...]
    }

    private func mayHoldToken(_ text: [UInt8], as kind: HarmlessText.Kind) -> Bool {
        if !HarmlessText.isHarmless(text, as: kind) { return true }
        guard !deviceNames.isEmpty, text.count >= Self.shortestName else { return false }
        let text = text.map(Self.lowercased)
        return deviceNames.contains { text.contains($0) }
    }

    private static func lowercased(_ byte: UInt8) -> UInt8 { 0x41...0x5A ~= byte ? byte | 0x20 : byte }
}
