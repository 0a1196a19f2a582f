import PayloadJSON
import PushFiles
import PushRuns

/// Who may use Google's services: which assertions of service accounts get an access token, and which requests need one.
///
/// Source: Google, "Using OAuth 2.0 for server to server applications".
final class GoogleAccess {
    private enum Policy {
        /// Nothing is looked at.
        case open
        /// An assertion has to be well-formed and fresh; requests need no access token.
        case wellFormed
        /// An assertion has to be signed with this key, and requests need an access token.
        case signed(SignatureCheck, email: String?)
    }

    /// Why an assertion gets no token, in Google's words.
    enum Refusal: String {
        case malformed = "Bad Request"
        case signature = "Invalid JWT Signature."
        case time = """
            Invalid JWT: Token must be a short-lived token (60 minutes) and in a reasonable timeframe. Check your iat and exp \
            values in the JWT claim.
            """
        case account = "Invalid grant: account not found"
    }

    private let policy: Policy
    /// Access tokens that were issued, and when they expire, in epoch seconds.
    private var issued: [String: Double] = [:]
    private static let mostIssued = 10_000
    /// In seconds.
    static let lifetime = 3599
    private static let longestAssertion = 3600.0
    /// Clocks differ.
    private static let skew = 300.0

    /// Takes every request, and every assertion that is well-formed and fresh.
    init() { policy = .wellFormed }

    /// - Parameter path: the file of a service account, as Google's console makes it, or its public key in PEM; nil to check no signature.
    /// - Throws: `RunError` for a file that has no such key.
    init(isOff: Bool, path: String?, _ signatures: SignatureKeys) throws(RunError) {
        guard let path, !isOff else {
            policy = isOff ? .open : .wellFormed
            return
        }
        guard let key = Self.key(in: try FileBytes.readConfiguration(path), signatures) else {
            throw RunError("\(path): neither a service account in JSON nor an RSA key in PEM")
        }
        policy = .signed(key.check, email: key.email)
    }

    private static func key(
        in bytes: [UInt8], _ signatures: SignatureKeys
    ) -> (check: SignatureCheck, email: String?)? {
        let account = JSONWebToken.members(of: bytes, "private_key", "client_email")
        let text = account?["private_key"] ?? String(decoding: bytes, as: UTF8.self)
        return signatures.rs256(text).map { ($0, account?["client_email"]) }
    }

    var demandsCredentials: Bool { if case .signed = policy { true } else { false } }

    /// True if a request has an access token that was issued, or needs none.
    ///
    /// - Parameter now: epoch seconds.
    func admits(_ request: GatewayRequest, now: Double) -> Bool {
        guard demandsCredentials else { return true }
        guard let header = request.header("authorization") else { return false }
        let words = header.split(separator: " ", maxSplits: 1)
        guard words.count == 2, words[0].lowercased() == "bearer", let end = issued[String(words[1])] else {
            return false
        }
        return now < end
    }

    /// True if a request of the legacy protocol has a server key, or an access token that was issued, or needs none. Server keys are not
    /// known here, so any is taken.
    ///
    /// - Parameter now: epoch seconds.
    func admitsLegacy(_ request: GatewayRequest, now: Double) -> Bool {
        let header = request.header("authorization") ?? ""
        return (header.hasPrefix("key=") && header.utf8.count > "key=".utf8.count) || admits(request, now: now)
    }

    /// Why an assertion gets no access token; nil if it gets one.
    ///
    /// - Parameter now: epoch seconds.
    func refusal(ofAssertion text: String, now: Double) -> Refusal? {
        if case .open = policy { return nil }
        guard let token = JSONWebToken(text), token.header["alg"] == "RS256", let issuer = token.claims["iss"] else {
            return .malformed
        }
        if case .signed(let check, let email) = policy {
            if let email, email != issuer { return .account }
            guard check(token.signature, token.signed) else { return .signature }
        }
        guard let from = token.claims["iat"].flatMap({ Double($0) }),
            let to = token.claims["exp"].flatMap({ Double($0) }),
            from <= now + Self.skew, to >= now - Self.skew, to - from <= Self.longestAssertion, to >= from
        else { return .time }
        return nil
    }

    /// A new access token.
    ///
    /// - Parameter now: epoch seconds.
    func issue(now: Double) -> String {
        var random = SystemRandomNumberGenerator()
        let digits = (0..<4).map { _ in String(random.next(), radix: 36) }.joined()
        let token = "ya29.\(digits)"
        if issued.count >= Self.mostIssued {
            issued = issued.filter { now < $0.value }
            if issued.count >= Self.mostIssued { issued.removeAll() }
        }
        issued[token] = now + Double(Self.lifetime)
        return token
    }
}
