import FoundationEssentials
import PayloadJSON

/// A provider token of APNs: a JSON Web Token with the algorithm ES256, as far as it can be read without a key.
///
/// Source: Apple, "Establishing a token-based connection to APNs".
struct ProviderToken: Sendable, Equatable {
    /// Epoch seconds, when it was issued.
    let issuedAt: Double
    /// What is signed: the first two parts with the period between them.
    let signed: [UInt8]
    /// Two numbers of 32 bytes.
    let signature: [UInt8]

    /// Nil if the text is no provider token.
    init?(_ text: some StringProtocol) {
        let parts = text.split(separator: ".", omittingEmptySubsequences: false)
        guard parts.count == 3, let header = Self.bytes(parts[0]), let payload = Self.bytes(parts[1]),
            let signature = Self.bytes(parts[2]), signature.count == 64
        else { return nil }
        // Some libraries write the id of the key among the claims.
        let head = Self.members(of: header, "alg", "kid")
        let claims = Self.members(of: payload, "iss", "iat", "kid")
        guard head?["alg"] == "ES256", let team = claims?["iss"], !team.isEmpty,
            let key = head?["kid"] ?? claims?["kid"], !key.isEmpty,
            // As a whole number, with a fraction, or as a string: all three are in use.
            let issuedAt = claims?["iat"].flatMap({ Double($0) }), issuedAt.isFinite
        else { return nil }
        self.issuedAt = issuedAt
        self.signature = signature
        signed = Array("\(parts[0]).\(parts[1])".utf8)
    }

    /// Base64 for URLs, without padding (RFC 7515, section 2).
    private static func bytes(_ text: some StringProtocol) -> [UInt8]? {
        var plain: [UInt8] = []
        for byte in text.utf8 {
            switch byte {
            case UInt8(ascii: "-"): plain.append(UInt8(ascii: "+"))
            case UInt8(ascii: "_"): plain.append(UInt8(ascii: "/"))
            case UInt8(ascii: "+"), UInt8(ascii: "/"), UInt8(ascii: "="): return nil
            default: plain.append(byte)
            }
        }
        plain += Array(repeating: UInt8(ascii: "="), count: (4 - plain.count % 4) % 4)
        return plain.isEmpty ? nil : Data(base64Encoded: Data(plain)).map { Array($0) }
    }

    /// The members of an object that have one of the names, as text: a string's contents, or a number as it is written. Nil if the bytes
    /// are no JSON object.
    private static func members(of bytes: [UInt8], _ names: StaticString...) -> [String: String]? {
        var scanner = JSONScanner()
        var tape = JSONTape()
        // SOUND: the bytes live until the closure returns, and what is taken from them is copied.
        return unsafe bytes.withUnsafeBytes { text -> [String: String]? in
            guard unsafe scanner.scan(text, into: &tape) == nil, let root = unsafe tape.root(of: text), root.isObject
            else { return nil }
            var found: [String: String] = [:]
            for name in names {
                guard let value = root[name] else { continue }
                found[name.description] = value.string?.string ?? value.text.string
            }
            return found
        }
    }
}
