import PushDecoding
import PushFiles
import PushModel
package import PushRuns
import PushSystem

/// Which provider tokens are taken.
package struct ProviderAuthentication: Sendable {
    private enum Policy {
        /// Tokens are not looked at.
        case none
        /// A token that is sent has to be well-formed and fresh. Requests without one are taken, too.
        case wellFormed
        /// Every request needs a token that this key has signed.
        case signed(SignatureCheck)
    }

    private let policy: Policy
    /// Tokens that passed. Clients send the same one for up to an hour, and a signature costs more to check than a push to deliver.
    private var passed: [String: ProviderToken] = [:]
    private static let mostPassed = 64
    /// Source: Apple, "Establishing a token-based connection to APNs": APNs rejects tokens that are older than an hour.
    private static let lifetime = 3600.0

    /// The key and team that tokens must name; nil for any.
    private let keyID: String?
    private let teamID: String?
    private var connections: [UInt64: TokensOfConnection] = [:]
    private static let mostConnections = 16_384

    /// The default of a gateway without options for tokens: one that is sent must be well-formed and fresh.
    package static let wellFormed = ProviderAuthentication(policy: .wellFormed)

    private init(policy: Policy, keyID: String? = nil, teamID: String? = nil) {
        self.policy = policy
        self.keyID = keyID
        self.teamID = teamID
    }

    /// - Parameters:
    ///   - isOff: true to check no tokens.
    ///   - keyID: the id that tokens have to name their key with; nil for any.
    ///   - teamID: the id of the team that has to issue them; nil for any.
    ///   - keyPath: a file with the key that signs tokens, private (`.p8`) or public, in PEM; nil to check no signature.
    /// - Throws: `RunError` for a file that has no such key.
    package init(
        isOff: Bool, keyPath: String?, _ signatures: SignatureKeys, check: SignatureCheck? = nil,
        keyID: String? = nil, teamID: String? = nil
    ) throws(RunError) {
        guard let keyPath, !isOff else {
            let policy = isOff ? Policy.none : check.map { .signed($0) } ?? .wellFormed
            self.init(policy: policy, keyID: keyID, teamID: teamID)
            return
        }
        let text = String(decoding: try FileBytes.readConfiguration(keyPath), as: UTF8.self)
        guard let check = signatures.es256(text) else {
            throw RunError(
                "\(keyPath): not a key of the curve P-256 in PEM, such as Apple's AuthKey_….p8 or its public key")
        }
        self.init(policy: .signed(check), keyID: keyID, teamID: teamID)
    }

    /// Why a request is refused; nil if it may be answered.
    ///
    /// - Parameter now: epoch seconds.
    mutating func refusal(_ request: GatewayRequest, now: Double) -> Rejection? {
        // A token is ignored when the connection has a certificate.
        if case .none = policy { return nil }
        if request.sender.certificate != nil { return nil }
        guard let header = request.header("authorization"), !header.isEmpty else { return missing }
        // The order of pushy's mock server: anything else is no provider token.
        guard let text = ProviderToken.text(inAuthorization: header) else { return .missingProviderToken }
        guard let token = passed[text] ?? (try? ProviderToken(text)) else { return .invalidProviderToken }
        if token.issuedAt > now + Self.lifetime { return .invalidProviderToken }
        if keyID.map({ $0 != token.keyID }) == true || teamID.map({ $0 != token.teamID }) == true {
            return .invalidProviderToken
        }
        if passed[text] == nil {
            if case .signed(let check) = policy, !check(token.signature, token.signed) { return .invalidProviderToken }
            if passed.count >= Self.mostPassed { passed.removeAll() }
            passed[text] = token
        }
        if token.issuedAt < now - Self.lifetime { return .expiredProviderToken }
        return refusal(of: token, text, on: request.sender.connection, now: now)
    }

    /// True if a connection keeps to its key, and renews its tokens slowly enough.
    private mutating func refusal(
        of token: ProviderToken, _ text: String, on connection: UInt64, now: Double
    ) -> Rejection? {
        guard connection > 0 else { return nil }
        if connections.count >= Self.mostConnections, connections[connection] == nil { connections.removeAll() }
        return connections[connection, default: TokensOfConnection(token)].refusal(of: token, text, now: now)
    }

    /// For a request without a token.
    private var missing: Rejection? {
        if case .signed = policy { .missingProviderToken } else { nil }
    }
}

/// The provider tokens of one connection.
///
/// Source: Apple, "Establishing a token-based connection to APNs" and "Handling notification responses from APNs": a connection keeps to one
/// key and team, and a token is renewed at most once in 20 minutes. How exactly APNs counts is not documented, so a second new token within
/// 20 minutes is the first that is refused.
private struct TokensOfConnection: Sendable {
    private let keyID: String
    private let teamID: String
    /// Hashes of those that were taken, newest last.
    private var known: [Int] = []
    private var renewedAt = -Double.infinity

    private static let interval = 20 * 60.0
    private static let mostKnown = 8

    init(_ token: ProviderToken) {
        keyID = token.keyID
        teamID = token.teamID
    }

    mutating func refusal(of token: ProviderToken, _ text: String, now: Double) -> Rejection? {
        if token.keyID != keyID { return .unrelatedKeyIdInToken }
        if token.teamID != teamID { return .invalidProviderToken }
        if known.contains(text.hashValue) { return nil }
        if !known.isEmpty {
            guard now - renewedAt >= Self.interval else { return .tooManyProviderTokenUpdates }
            renewedAt = now
        }
        if known.count >= Self.mostKnown { known.removeFirst() }
        known.append(text.hashValue)
        return nil
    }
}
