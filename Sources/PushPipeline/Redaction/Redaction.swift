/// What reports and stores are not to hold, and the key of what stands for it.
///
/// A pipeline with a redaction measures, checks and refuses messages as they came, and puts digests in the place of secrets before it
/// delivers them: devices, stores, reports and traces get to know nothing else. Equal texts have equal digests under one key, so that
/// what groups and replaces by them goes on as it would without.
public struct Redaction: Sendable {
    /// What is hidden.
    public enum Parts: String, Sendable, CaseIterable {
        /// Device tokens, registration ids and their like, wherever they stand.
        case tokens
        /// Texts, data, and identifiers that senders choose.
        case content
        /// Both.
        case all
    }

    /// What every digest begins with: no token and no identifier of a provider does.
    package static let prefix = "redacted-"
    /// Half of a code, which is what RFC 2104 lets one cut away: 128 bits.
    private static let codeBytes = 16
    private static let digits = Array("0123456789abcdef".utf8)

    /// What is hidden.
    public let parts: Parts
    private let code: HMACSHA256

    /// - Parameters:
    ///   - parts: what to hide.
    ///   - key: a secret; of 16 random bytes or more it cannot be guessed.
    public init(_ parts: Parts, key: [UInt8]) {
        self.parts = parts
        code = HMACSHA256(key: key)
    }

    /// A key that nobody knows, for one run.
    public static func randomKey() -> [UInt8] {
        var generator = SystemRandomNumberGenerator()
        return (0..<32).map { _ in UInt8.random(in: .min ... .max, using: &generator) }
    }

    var hidesTokens: Bool { parts != .content }
    var hidesContent: Bool { parts != .tokens }

    /// What stands for a text. No text stands for none, and a digest for itself, so that redacting twice is redacting once.
    package func digest(_ text: some Collection<UInt8>) -> [UInt8] {
        guard !text.isEmpty, !Self.isDigest(text) else { return Array(text) }
        var digest = Array(Self.prefix.utf8)
        for byte in code.code(of: text).prefix(Self.codeBytes) {
            digest.append(Self.digits[Int(byte >> 4)])
            digest.append(Self.digits[Int(byte & 15)])
        }
        return digest
    }

    /// The same for text at hand.
    package func digest(_ text: String) -> String { String(decoding: digest(Array(text.utf8)), as: UTF8.self) }

    /// Tells keys apart without telling anything about them: a store keeps it.
    package var keyMark: String {
        // It ends with a byte that no text has, so that it is the digest of none.
        String(decoding: digest(Array("pushpipe key".utf8) + [0xFF]).dropFirst(Self.prefix.utf8.count), as: UTF8.self)
    }

    /// Whether an identifier is one that is made up for messages that bring none, which tells nothing.
    static func isMadeUp(_ identifier: String) -> Bool {
        identifier.hasPrefix("push-")
            && identifier.utf8.dropFirst(5).allSatisfy { (0x30...0x39).contains($0) || $0 == 0x2E }
    }

    private static func isDigest(_ text: some Collection<UInt8>) -> Bool {
        text.count == prefix.utf8.count + 2 * codeBytes && text.starts(with: prefix.utf8)
            && text.dropFirst(prefix.utf8.count).allSatisfy(digits.contains)
    }
}
