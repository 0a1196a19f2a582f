import PayloadJSON
import PushSystem

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
            let header = Base64URL.bytes(parts[0]).flatMap({ Self.members(of: $0, "alg", "kid") }),
            let claims = Base64URL.bytes(parts[1]).flatMap({ Self.members(of: $0, "iss", "aud", "iat", "exp", "scope") }
            ),
            let signature = Base64URL.bytes(parts[2])
        else { return nil }
        self.header = header
        self.claims = claims
        self.signature = signature
        signed = Array("\(parts[0]).\(parts[1])".utf8)
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
