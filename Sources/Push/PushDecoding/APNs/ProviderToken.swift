import PushJSON
import PushSystem

/// A provider token of APNs: a JSON Web Token with the algorithm ES256, as far as it can be judged without a key and a clock. What `lint`
/// reports and what `serve` refuses is decided here: of a signature, its form.
///
/// Source: Apple, "Establishing a token-based connection to APNs": `alg` is ES256, `kid` the 10 characters of the key's identifier, `iss`
/// the 10 characters of the team's, and `iat` a number of epoch seconds. Client libraries differ, so `kid` may be among the claims, and
/// `iat` have a fraction or be a string.
package struct ProviderToken: Sendable, Equatable {
    package let keyID: String
    package let teamID: String
    /// Epoch seconds, when it was issued.
    package let issuedAt: Double
    /// The signed text: the first two parts with the period between them.
    package let signed: [UInt8]
    package let signature: [UInt8]

    /// The token in an `authorization`; nil unless that is `bearer`, in upper or lower case, a space, and a token.
    package static func text(inAuthorization value: String) -> String? {
        let words = value.split(separator: " ", maxSplits: 1)
        guard words.count == 2, words[0].lowercased() == "bearer" else { return nil }
        return String(words[1])
    }

    /// Nil for a text that is not a provider token.
    ///
    /// - Parameter report: called with each fault of such a text, in plain words; at least once.
    package init?(_ text: String, _ report: (String) -> Void = { _ in }) {
        let parts = text.split(separator: ".", omittingEmptySubsequences: false)
        guard parts.count == 3, let header = Base64URL.bytes(parts[0]), let payload = Base64URL.bytes(parts[1]),
            let signature = Base64URL.bytes(parts[2]),
            let head = header.withJSON({ $0.isObject ? Claims($0) : nil }).flatMap({ $0 }),
            let claims = payload.withJSON({ $0.isObject ? Claims($0) : nil }).flatMap({ $0 })
        else {
            report("what follows \"bearer\" is not a JSON Web Token: three parts in Base64URL, separated by dots")
            return nil
        }
        let key = head.kid ?? claims.kid ?? ""
        let team = claims.iss ?? ""
        var faults: [String] = []
        if head.alg != "ES256" {
            faults.append("the token is signed with \(head.alg ?? "no algorithm"), but APNs accepts only ES256")
        }
        if !Self.isIdentifier(key) { faults.append("the token's kid must be the key's 10-character identifier") }
        if !Self.isIdentifier(team) { faults.append("the token's iss must be the team's 10-character identifier") }
        if let iat = claims.iat {
            if iat > Self.latest {
                faults.append("the token's iat, \(claims.iatText), looks like milliseconds; it must be in seconds")
            }
        } else {
            faults.append("the token's iat must be a number of seconds since 1970")
        }
        if !Self.isSignatureOfES256(signature) {
            faults.append("the token's signature has \(signature.count) bytes; an ES256 signature has 64")
        }
        guard faults.isEmpty, let issuedAt = claims.iat else {
            faults.forEach(report)
            return nil
        }
        keyID = key
        teamID = team
        self.issuedAt = issuedAt
        self.signature = signature
        signed = Array("\(parts[0]).\(parts[1])".utf8)
    }

    /// Later times are in milliseconds: as seconds, they are more than 3000 years ahead.
    private static let latest = 100_000_000_000.0

    /// Ten letters and digits, as all of Apple's identifiers are: neither a bundle identifier nor the name of a file.
    private static func isIdentifier(_ text: String) -> Bool {
        text.utf8.count == 10 && text.utf8.allSatisfy { $0.isLetter || $0.isDigit }
    }

    /// True if the signature is one of ES256: two numbers of 32 bytes, or the same two in DER, which some clients send and APNs takes.
    ///
    /// Sources: RFC 7518, section 3.4; kylebrowning/APNSwift, issue 36; pushy, which signs with `SHA256withECDSA`.
    private static func isSignatureOfES256(_ signature: [UInt8]) -> Bool {
        if signature.count == 64 { return true }
        // SEQUENCE { INTEGER r, INTEGER s } (RFC 3279, section 2.2.3), at most 72 bytes, so each length is a byte.
        guard signature.count >= 2, signature[0] == 0x30, Int(signature[1]) == signature.count - 2,
            let s = signature[2...].afterNumber, let end = s.afterNumber
        else { return false }
        return end.isEmpty
    }

    /// The members of a token's header or claims that matter. Texts that are not strings count as missing.
    private struct Claims {
        var alg, kid, iss: String?
        var iat: Double?
        var iatText: String

        init(_ object: JSONView) {
            alg = object["alg"]?.string?.string
            kid = object["kid"]?.string?.string
            iss = object["iss"]?.string?.string
            let time = object["iat"]
            iatText = time.map { $0.string?.string ?? $0.text.string } ?? ""
            // `Double` reads hexadecimal numbers too, which a number in JSON is not.
            let isDecimal = !iatText.utf8.contains { $0 | 0x20 == UInt8(ascii: "x") }
            iat = isDecimal ? Double(iatText).flatMap { $0.isFinite ? $0 : nil } : nil
        }
    }
}

extension ArraySlice<UInt8> {
    /// What follows an INTEGER of DER that can be a number of a signature on the curve P-256: above zero, of at most 256 bits, and without
    /// bytes that it does not need. Nil if there is none.
    ///
    /// Source: ITU-T X.690, sections 8.3 and 10.1.
    fileprivate var afterNumber: ArraySlice<UInt8>? {
        guard count >= 2, self[startIndex] == 0x02 else { return nil }
        let number = dropFirst(2).prefix(Int(self[startIndex + 1]))
        guard let first = number.first, number.count == Int(self[startIndex + 1]), first < 0x80 else { return nil }
        if first == 0 {
            // Only in front of a bit that would make it negative.
            guard number.count <= 33, let next = number.dropFirst().first, next >= 0x80 else { return nil }
        } else if number.count > 32 {
            return nil
        }
        return self[number.endIndex...]
    }
}
