import FoundationEssentials
import PayloadJSON

/// A JSON Web Token, as far as it can be read without a key. Source: RFC 7519, RFC 7515.
struct JSONWebToken {
    /// The members that are needed here, as text.
    let header: [String: String]
    let claims: [String: String]
    /// The signed text: the first two parts with the period between them.
    let signed: [UInt8]
    let signature: [UInt8]

    /// Nil if the text is no token.
    init?(_ text: String) {
        let parts = text.split(separator: ".", omittingEmptySubsequences: false)
        guard parts.count == 3,
            let header = Self.bytes(parts[0]).flatMap({ Self.members(of: $0, "alg", "kid") }),
            let claims = Self.bytes(parts[1]).flatMap({ Self.members(of: $0, "iss", "aud", "iat", "exp", "scope") }),
            let signature = Self.bytes(parts[2])
        else { return nil }
        self.header = header
        self.claims = claims
        self.signature = signature
        signed = Array("\(parts[0]).\(parts[1])".utf8)
    }

    /// Base64 for URLs, without padding (RFC 7515, section 2). Nil for other text, and for an empty one.
    static func bytes(_ text: some StringProtocol) -> [UInt8]? {
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
    static func members(of bytes: [UInt8], _ names: StaticString...) -> [String: String]? {
        GatewayRequest(method: "", path: "", body: bytes).withJSON { root -> [String: String]? in
            guard let root, root.isObject else { return nil }
            var found: [String: String] = [:]
            for name in names {
                guard let value = root[name] else { continue }
                found[name.description] = value.string?.string ?? value.text.string
            }
            return found
        }
    }
}
