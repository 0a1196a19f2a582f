import PayloadJSON
import PushModel

/// `authorization: bearer <JWT>`.
struct ProviderTokenRules: RuleCheck {
    static let rules = [providerToken]
    let run: LintRun

    static let providerToken = Rule(
        "apns.provider-token", .error, "a provider token that APNs does not accept",
        "authorization is bearer and a JSON Web Token: alg ES256, kid and iss of 10 characters, iat in seconds and at most an hour old. APNs answers 403 InvalidProviderToken to a token that is not valid. Age and signature are not checked here.",
        source: .token, failing: Example.alertRequest(#""authorization":"eyJhbGciOiJFUzI1NiJ9.e30.c2ln""#),
        passing: Example.alertRequest)

    /// The signature is not checked, nor its age: a file of payloads may be old.
    func check(_ node: LintNode) {
        guard let value = node.swiftString else { return }
        func report(_ message: String) { self.report(Self.providerToken, message, at: node) }
        // An empty header has a rule of its own.
        if value.isEmpty { return }
        guard value.lowercased().hasPrefix("bearer ") else {
            return report("the value is \"bearer\", a space, and the token")
        }
        let token = value.dropFirst("bearer ".count)
        if token.allSatisfy(\.isWhitespace) { return report("after \"bearer\" there is no token") }
        let parts = token.split(separator: ".", omittingEmptySubsequences: false)
        let noToken = "what follows \"bearer\" is not a JSON Web Token: three parts in Base64URL, separated by dots"
        guard parts.count == 3, let header = Base64URL.text(parts[0]), let claims = Base64URL.text(parts[1]) else {
            return report(noToken)
        }
        // SOUND: the bytes live until the closures return, and are copied.
        let headerText = unsafe header.withUnsafeBytes { unsafe LintText(record: $0) }
        let claimsText = unsafe claims.withUnsafeBytes { unsafe LintText(record: $0) }
        guard let header = headerText.root, let claims = claimsText.root, header.isObject, claims.isObject else {
            return report(noToken)
        }
        if let algorithm = header["alg"]?.swiftString, algorithm != "ES256" {
            report("the token is signed with \(algorithm), and APNs takes ES256 alone")
        }
        if header["kid"]?.swiftString?.utf8.count != 10 {
            report("the token's kid is the 10 characters of the key's identifier")
        }
        if claims["iss"]?.swiftString?.utf8.count != 10 {
            report("the token's iss is the 10 characters of the team's identifier")
        }
        guard let issued = claims["iat"], let seconds = issued.view.int64 else {
            return report("the token's iat is a number of seconds since the epoch")
        }
        if seconds > 100_000_000_000 {
            report("the token's iat, \(seconds), looks like milliseconds; it is in seconds")
        }
    }
}

/// Base64 as JSON Web Tokens write it, RFC 4648 section 5, without padding.
private enum Base64URL {
    static func text(_ part: Substring) -> [UInt8]? {
        var bytes: [UInt8] = []
        var bits: UInt32 = 0
        var count = 0
        for byte in part.utf8 {
            guard let digit = value(byte) else { return nil }
            bits = bits << 6 | digit
            count += 6
            if count >= 8 {
                count -= 8
                bytes.append(UInt8(truncatingIfNeeded: bits >> UInt32(count)))
                bits &= (1 << UInt32(count)) - 1
            }
        }
        return bytes
    }

    private static let digits = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_".utf8)

    /// The value of a digit, which may be one of plain Base64.
    private static func value(_ byte: UInt8) -> UInt32? {
        let digit = byte == UInt8(ascii: "+") ? UInt8(ascii: "-") : byte == UInt8(ascii: "/") ? UInt8(ascii: "_") : byte
        return digits.firstIndex(of: digit).map(UInt32.init)
    }
}
