/// A provider token of APNs: a JSON Web Token with the algorithm ES256, as far as it can be read without a key.
///
/// Source: Apple, "Establishing a token-based connection to APNs".
struct ProviderToken: Sendable, Equatable {
    let keyID: String
    let teamID: String
    /// Epoch seconds, when it was issued.
    let issuedAt: Double
    /// The signed text: the first two parts with the period between them.
    let signed: [UInt8]
    /// Two numbers of 32 bytes.
    let signature: [UInt8]

    /// Nil if the text is no provider token.
    init?(_ text: some StringProtocol) {
        let parts = text.split(separator: ".", omittingEmptySubsequences: false)
        guard parts.count == 3, let header = JSONWebToken.bytes(parts[0]), let payload = JSONWebToken.bytes(parts[1]),
            let signature = JSONWebToken.bytes(parts[2]), signature.count == 64
        else { return nil }
        // Some libraries write the id of the key among the claims.
        let head = JSONWebToken.members(of: header, "alg", "kid")
        let claims = JSONWebToken.members(of: payload, "iss", "iat", "kid")
        guard head?["alg"] == "ES256", let team = claims?["iss"], !team.isEmpty,
            let key = head?["kid"] ?? claims?["kid"], !key.isEmpty,
            // As a whole number, with a fraction, or as a string: all three are in use.
            let issuedAt = claims?["iat"].flatMap({ Double($0) }), issuedAt.isFinite
        else { return nil }
        keyID = key
        teamID = team
        self.issuedAt = issuedAt
        self.signature = signature
        signed = Array("\(parts[0]).\(parts[1])".utf8)
    }
}
