import PushModel
package import PushSystem

/// The parts of messages that reports and stores must not contain, and the key of the digests that replace them.
///
/// A pipeline with a redaction measures, checks and rejects the original messages, and replaces secrets with digests before delivery:
/// devices, stores, reports and traces see only digests. With the same key, equal texts have equal digests, so grouping and
/// replacement work as without redaction.
public struct Redaction: Sendable {
    /// The parts to hide.
    public enum Parts: String, Sendable, CaseIterable {
        /// Device tokens, registration ids and similar, wherever they occur.
        case tokens
        /// Texts, data, and identifiers that senders choose.
        case content
        /// Tokens and content.
        case all
    }

    /// The parts to hide.
    public let parts: Parts
    private let code: HMACSHA256

    /// - Parameters:
    ///   - parts: the parts to hide.
    ///   - key: a secret; with at least 16 random bytes it cannot be guessed.
    public init(_ parts: Parts, key: [UInt8]) {
        self.parts = parts
        code = HMACSHA256(key: key)
    }

    /// A random key for one run.
    public static func randomKey() -> [UInt8] {
        var generator = SystemRandomNumberGenerator()
        return (0..<32).map { _ in UInt8.random(in: .min ... .max, using: &generator) }
    }

    package var hidesTokens: Bool { parts != .content }
    package var hidesContent: Bool { parts != .tokens }

    /// The digest of a text. The empty text and digests map to themselves, so redaction is idempotent.
    package func digest(_ text: some Collection<UInt8>) -> [UInt8] {
        guard !text.isEmpty, !SecretDigest.isDigest(text) else { return Array(text) }
        return SecretDigest.text(of: code.code(of: text))
    }

    /// The digest of a text.
    package func digest(_ text: String) -> String { String(decoding: digest(Array(text.utf8)), as: UTF8.self) }

    /// Identifies the key without revealing it; kept in a store.
    package var keyMark: String {
        // The input ends with a byte that occurs in no text, so this equals no text's digest.
        String(
            decoding: digest(Array("pushpipe key".utf8) + [0xFF]).dropFirst(SecretDigest.prefix.utf8.count),
            as: UTF8.self)
    }

    /// True if an identifier was generated for a message without one, and so reveals nothing.
    package static func isMadeUp(_ identifier: String) -> Bool {
        ["push-", LocalNotification.prefix, "activity-"].contains { prefix in
            identifier.hasPrefix(prefix)
                && identifier.utf8.dropFirst(prefix.utf8.count).allSatisfy { (0x30...0x39).contains($0) || $0 == 0x2E }
        }
    }
}

/// Key material for a redaction, from a file or a variable.
package enum RedactionKey {
    package static let minimumBytes = 16

    /// The key in a file, without trailing line ends, which editors and `echo` add.
    package static func read(file bytes: [UInt8]) throws(PlainError) -> [UInt8] {
        var key = bytes
        while let last = key.last, last == 0x0A || last == 0x0D { key.removeLast() }
        return try checked(key)
    }

    package static func read(variable text: String) throws(PlainError) -> [UInt8] { try checked(Array(text.utf8)) }

    private static func checked(_ key: [UInt8]) throws(PlainError) -> [UInt8] {
        guard key.count >= minimumBytes else {
            throw PlainError(
                "the key has \(key.count) bytes, and needs \(minimumBytes); create one with `head -c 32 /dev/urandom > FILE`"
            )
        }
        return key
    }
}
