// SOUND: keys are values; before version 4 they are not declared Sendable.
@preconcurrency @unsafe import Crypto
import FoundationEssentials
package import PushServices
import _CryptoExtras

extension SignatureKeys {
    /// Checks signatures with swift-crypto.
    package static let crypto = SignatureKeys(es256: es256, rs256: rs256)

    private static func es256(_ pem: String) -> SignatureCheck? {
        guard
            let key = (try? P256.Signing.PublicKey(pemRepresentation: pem))
                ?? (try? P256.Signing.PrivateKey(pemRepresentation: pem))?.publicKey
        else { return nil }
        return { signature, message in
            // Apple takes both forms; see `ProviderToken`. One in DER may have 64 bytes, too.
            let forms = [
                try? P256.Signing.ECDSASignature(rawRepresentation: signature),
                try? P256.Signing.ECDSASignature(derRepresentation: signature),
            ]
            return forms.contains { $0.map { key.isValidSignature($0, for: message) } ?? false }
        }
    }

    private static func rs256(_ pem: String) -> SignatureCheck? {
        guard
            let key = (try? _RSA.Signing.PublicKey(pemRepresentation: pem))
                ?? (try? _RSA.Signing.PrivateKey(pemRepresentation: pem))?.publicKey
        else { return nil }
        return { signature, message in
            key.isValidSignature(
                _RSA.Signing.RSASignature(rawRepresentation: Data(signature)), for: SHA256.hash(data: message),
                padding: .insecurePKCS1v1_5)
        }
    }
}
