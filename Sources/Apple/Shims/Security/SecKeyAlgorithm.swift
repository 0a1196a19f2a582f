#if os(Linux) && canImport(CSecurityKeys)
    import CSecurityKeys
    public import Foundation
    public import UserNotifications

    /// The operation of a key, and its algorithm. Those of Apple's that are missing have no name here.
    public struct SecKeyAlgorithm: RawRepresentable, Hashable, @unchecked Sendable {
        // Unchecked: the string is immutable.
        /// Apple's name.
        public let rawValue: CFString
        /// Nil for a name that was not taken from the list below.
        let method: Method?

        /// How libcrypto does it.
        enum Method {
            case encryption(security_padding, digest: String?)
            /// With a curve: ECIES. The older form has a nonce of zeros.
            case integrated(digest: String, derivesNonce: Bool = true)
            case rsa(security_padding, digest: String, hashes: Bool)
            case ecdsa(digest: String, hashes: Bool)
            case agreement(digest: String?)
        }

        /// A name. Nothing is done with an algorithm that is made of a name alone.
        public init(rawValue: CFString) {
            self.rawValue = rawValue
            method = nil
        }

        init(_ name: String, _ method: Method) {
            rawValue = NSString(string: "algid:" + name)
            self.method = method
        }

        /// True if two algorithms have one name.
        public static func == (first: Self, second: Self) -> Bool { first.rawValue.isEqual(second.rawValue) }

        /// Hashes the name.
        public func hash(into hasher: inout Hasher) { hasher.combine(rawValue) }
    }

    extension SecKeyAlgorithm {
        /// RSA without padding.
        public static let rsaEncryptionRaw = SecKeyAlgorithm(
            "encrypt:RSA:raw", .encryption(security_padding_none, digest: nil))
        /// RSA with PKCS #1 v1.5.
        public static let rsaEncryptionPKCS1 = SecKeyAlgorithm(
            "encrypt:RSA:PKCS1", .encryption(security_padding_pkcs1, digest: nil))
        /// RSA with OAEP and SHA-1.
        public static let rsaEncryptionOAEPSHA1 = SecKeyAlgorithm(
            "encrypt:RSA:OAEP:SHA1", .encryption(security_padding_oaep, digest: "SHA1"))
        /// RSA with OAEP and SHA-224.
        public static let rsaEncryptionOAEPSHA224 = SecKeyAlgorithm(
            "encrypt:RSA:OAEP:SHA224", .encryption(security_padding_oaep, digest: "SHA224"))
        /// RSA with OAEP and SHA-256.
        public static let rsaEncryptionOAEPSHA256 = SecKeyAlgorithm(
            "encrypt:RSA:OAEP:SHA256", .encryption(security_padding_oaep, digest: "SHA256"))
        /// RSA with OAEP and SHA-384.
        public static let rsaEncryptionOAEPSHA384 = SecKeyAlgorithm(
            "encrypt:RSA:OAEP:SHA384", .encryption(security_padding_oaep, digest: "SHA384"))
        /// RSA with OAEP and SHA-512.
        public static let rsaEncryptionOAEPSHA512 = SecKeyAlgorithm(
            "encrypt:RSA:OAEP:SHA512", .encryption(security_padding_oaep, digest: "SHA512"))
        /// PKCS #1 v1.5 of a message's SHA-1.
        public static let rsaSignatureMessagePKCS1v15SHA1 = SecKeyAlgorithm(
            "sign:RSA:message-PKCS1v15:SHA1", .rsa(security_padding_pkcs1, digest: "SHA1", hashes: true))
        /// PKCS #1 v1.5 of a message's SHA-256.
        public static let rsaSignatureMessagePKCS1v15SHA256 = SecKeyAlgorithm(
            "sign:RSA:message-PKCS1v15:SHA256", .rsa(security_padding_pkcs1, digest: "SHA256", hashes: true))
        /// PKCS #1 v1.5 of a message's SHA-384.
        public static let rsaSignatureMessagePKCS1v15SHA384 = SecKeyAlgorithm(
            "sign:RSA:message-PKCS1v15:SHA384", .rsa(security_padding_pkcs1, digest: "SHA384", hashes: true))
        /// PKCS #1 v1.5 of a message's SHA-512.
        public static let rsaSignatureMessagePKCS1v15SHA512 = SecKeyAlgorithm(
            "sign:RSA:message-PKCS1v15:SHA512", .rsa(security_padding_pkcs1, digest: "SHA512", hashes: true))
        /// PKCS #1 v1.5 of a SHA-1.
        public static let rsaSignatureDigestPKCS1v15SHA1 = SecKeyAlgorithm(
            "sign:RSA:digest-PKCS1v15:SHA1", .rsa(security_padding_pkcs1, digest: "SHA1", hashes: false))
        /// PKCS #1 v1.5 of a SHA-256.
        public static let rsaSignatureDigestPKCS1v15SHA256 = SecKeyAlgorithm(
            "sign:RSA:digest-PKCS1v15:SHA256", .rsa(security_padding_pkcs1, digest: "SHA256", hashes: false))
        /// PKCS #1 v1.5 of a SHA-384.
        public static let rsaSignatureDigestPKCS1v15SHA384 = SecKeyAlgorithm(
            "sign:RSA:digest-PKCS1v15:SHA384", .rsa(security_padding_pkcs1, digest: "SHA384", hashes: false))
        /// PKCS #1 v1.5 of a SHA-512.
        public static let rsaSignatureDigestPKCS1v15SHA512 = SecKeyAlgorithm(
            "sign:RSA:digest-PKCS1v15:SHA512", .rsa(security_padding_pkcs1, digest: "SHA512", hashes: false))
        /// PSS of a message's SHA-256.
        public static let rsaSignatureMessagePSSSHA256 = SecKeyAlgorithm(
            "sign:RSA:message-PSS:SHA256:SHA256:32", .rsa(security_padding_pss, digest: "SHA256", hashes: true))
        /// PSS of a message's SHA-512.
        public static let rsaSignatureMessagePSSSHA512 = SecKeyAlgorithm(
            "sign:RSA:message-PSS:SHA512:SHA512:64", .rsa(security_padding_pss, digest: "SHA512", hashes: true))
        /// ECDSA of a message's SHA-256, as DER.
        public static let ecdsaSignatureMessageX962SHA256 = SecKeyAlgorithm(
            "sign:ECDSA:message-X962:SHA256", .ecdsa(digest: "SHA256", hashes: true))
        /// ECDSA of a message's SHA-384, as DER.
        public static let ecdsaSignatureMessageX962SHA384 = SecKeyAlgorithm(
            "sign:ECDSA:message-X962:SHA384", .ecdsa(digest: "SHA384", hashes: true))
        /// ECDSA of a message's SHA-512, as DER.
        public static let ecdsaSignatureMessageX962SHA512 = SecKeyAlgorithm(
            "sign:ECDSA:message-X962:SHA512", .ecdsa(digest: "SHA512", hashes: true))
        /// ECDSA of a SHA-256, as DER.
        public static let ecdsaSignatureDigestX962SHA256 = SecKeyAlgorithm(
            "sign:ECDSA:digest-X962:SHA256", .ecdsa(digest: "SHA256", hashes: false))
        /// ECDSA of a SHA-384, as DER.
        public static let ecdsaSignatureDigestX962SHA384 = SecKeyAlgorithm(
            "sign:ECDSA:digest-X962:SHA384", .ecdsa(digest: "SHA384", hashes: false))
        /// ECDSA of a SHA-512, as DER.
        public static let ecdsaSignatureDigestX962SHA512 = SecKeyAlgorithm(
            "sign:ECDSA:digest-X962:SHA512", .ecdsa(digest: "SHA512", hashes: false))
        /// The X coordinate.
        public static let ecdhKeyExchangeStandard = SecKeyAlgorithm("keyexchange:ECDH", .agreement(digest: nil))
        /// The same; these curves have a cofactor of 1.
        public static let ecdhKeyExchangeCofactor = SecKeyAlgorithm("keyexchange:ECDHC", .agreement(digest: nil))
        /// X9.63 with SHA-256.
        public static let ecdhKeyExchangeStandardX963SHA256 = SecKeyAlgorithm(
            "keyexchange:ECDH:KDFX963:SHA256", .agreement(digest: "SHA256"))
        /// The same; these curves have a cofactor of 1.
        public static let ecdhKeyExchangeCofactorX963SHA256 = SecKeyAlgorithm(
            "keyexchange:ECDHC:KDFX963:SHA256", .agreement(digest: "SHA256"))
        /// ECIES: ECDH, X9.63 with SHA-256, AES-GCM with a derived nonce.
        public static let eciesEncryptionCofactorVariableIVX963SHA256AESGCM = SecKeyAlgorithm(
            "encrypt:ECIES:ECDHC:KDFX963:SHA256:AESGCM-KDFIV", .integrated(digest: "SHA256"))
        /// The same; these curves have a cofactor of 1.
        public static let eciesEncryptionStandardVariableIVX963SHA256AESGCM = SecKeyAlgorithm(
            "encrypt:ECIES:ECDH:KDFX963:SHA256:AESGCM-KDFIV", .integrated(digest: "SHA256"))
        /// ECIES: ECDH, X9.63 with SHA-256, AES-GCM with a nonce of zeros, which Apple calls legacy.
        public static let eciesEncryptionCofactorX963SHA256AESGCM = SecKeyAlgorithm(
            "encrypt:ECIES:ECDHC:KDFX963:SHA256:AESGCM", .integrated(digest: "SHA256", derivesNonce: false))
        /// The same; these curves have a cofactor of 1.
        public static let eciesEncryptionStandardX963SHA256AESGCM = SecKeyAlgorithm(
            "encrypt:ECIES:ECDH:KDFX963:SHA256:AESGCM", .integrated(digest: "SHA256", derivesNonce: false))
    }

    /// The operations of a key.
    public enum SecKeyOperationType: Int, Sendable {
        /// Makes a signature.
        case sign
        /// Checks a signature.
        case verify
        /// Encrypts.
        case encrypt
        /// Decrypts.
        case decrypt
        /// Agrees on a secret.
        case keyExchange
    }
#endif
