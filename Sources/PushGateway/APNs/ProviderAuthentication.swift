import Crypto
import FileAccess
import PushModel
package import PushRuns
import SystemSupport

/// Which provider tokens are taken.
package struct ProviderAuthentication: Sendable {
    private enum Policy {
        /// Tokens are not looked at.
        case none
        /// A token that is sent has to be well-formed and fresh. Requests without one are as good.
        case wellFormed
        /// Every request needs a token that this key has signed.
        case signed(P256.Signing.PublicKey)
    }

    private let policy: Policy
    /// Tokens that passed. Clients send the same one for up to an hour, and a signature costs more to check than a push to deliver.
    private var passed: [String: ProviderToken] = [:]
    private static let mostPassed = 64
    /// Source: Apple, "Establishing a token-based connection to APNs": APNs rejects tokens that are older than an hour.
    private static let lifetime = 3600.0

    /// What a gateway does that was told nothing of tokens: one that is sent has to be well-formed and fresh.
    package static let wellFormed = ProviderAuthentication(policy: .wellFormed)

    private init(policy: Policy) { self.policy = policy }

    /// - Parameters:
    ///   - isOff: whether tokens are not looked at.
    ///   - keyPath: a file with the key that signs tokens, private (`.p8`) or public, in PEM; nil to check no signature.
    /// - Throws: `RunError` for a file that has no such key.
    package init(isOff: Bool, keyPath: String?) throws(RunError) {
        guard let keyPath, !isOff else {
            self.init(policy: isOff ? .none : .wellFormed)
            return
        }
        let limit = FileBytes.maximumConfigurationBytes
        let text: String
        do { text = String(decoding: try FileBytes.read(keyPath, limit: limit), as: UTF8.self) } catch {
            throw RunError("\(keyPath): \(FileBytes.message(for: error, limit: limit))")
        }
        if let key = try? P256.Signing.PublicKey(pemRepresentation: text) {
            self.init(policy: .signed(key))
        } else if let key = try? P256.Signing.PrivateKey(pemRepresentation: text) {
            self.init(policy: .signed(key.publicKey))
        } else {
            throw RunError(
                "\(keyPath): not a key of the curve P-256 in PEM, such as Apple's AuthKey_….p8 or its public key")
        }
    }

    /// Why a request is refused; nil if it may be answered.
    ///
    /// - Parameter now: epoch seconds.
    mutating func refusal(_ request: GatewayRequest, now: Double) -> Rejection? {
        if case .none = policy { return nil }
        guard let header = request.header("authorization") else { return missing }
        let words = header.split(separator: " ", maxSplits: 1)
        guard words.count == 2, words[0].lowercased() == "bearer" else { return missing }
        let text = String(words[1])
        guard let token = passed[text] ?? ProviderToken(text) else { return .invalidProviderToken }
        // A time that is far ahead is probably in milliseconds.
        if token.issuedAt > now + Self.lifetime { return .invalidProviderToken }
        if passed[text] == nil {
            if case .signed(let key) = policy {
                guard let signature = try? P256.Signing.ECDSASignature(rawRepresentation: token.signature),
                    key.isValidSignature(signature, for: token.signed)
                else { return .invalidProviderToken }
            }
            if passed.count >= Self.mostPassed { passed.removeAll() }
            passed[text] = token
        }
        return token.issuedAt < now - Self.lifetime ? .expiredProviderToken : nil
    }

    /// For a request without a token.
    private var missing: Rejection? {
        if case .signed = policy { .missingProviderToken } else { nil }
    }
}
