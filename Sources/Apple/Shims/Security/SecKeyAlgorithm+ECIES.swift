#if os(Linux) && canImport(CSecurityKeys)
    import Foundation

    // Encryption with curves. Source: the comments of Apple's SecKey.h.
    extension SecKeyAlgorithm {
        /// ECIES: ECDH, X9.63 with SHA-224, AES-GCM with a derived nonce.
        public static let eciesEncryptionCofactorVariableIVX963SHA224AESGCM = SecKeyAlgorithm(
            "encrypt:ECIES:ECDHC:KDFX963:SHA224:AESGCM-KDFIV", .integrated(digest: "SHA224"))
        /// The same; these curves have a cofactor of 1.
        public static let eciesEncryptionStandardVariableIVX963SHA224AESGCM = SecKeyAlgorithm(
            "encrypt:ECIES:ECDH:KDFX963:SHA224:AESGCM-KDFIV", .integrated(digest: "SHA224"))
        /// ECIES: ECDH, X9.63 with SHA-224, AES-GCM with a nonce of zeros, which Apple calls legacy.
        public static let eciesEncryptionCofactorX963SHA224AESGCM = SecKeyAlgorithm(
            "encrypt:ECIES:ECDHC:KDFX963:SHA224:AESGCM", .integrated(digest: "SHA224", derivesNonce: false))
        /// The same; these curves have a cofactor of 1.
        public static let eciesEncryptionStandardX963SHA224AESGCM = SecKeyAlgorithm(
            "encrypt:ECIES:ECDH:KDFX963:SHA224:AESGCM", .integrated(digest: "SHA224", derivesNonce: false))
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
        /// ECIES: ECDH, X9.63 with SHA-384, AES-GCM with a derived nonce.
        public static let eciesEncryptionCofactorVariableIVX963SHA384AESGCM = SecKeyAlgorithm(
            "encrypt:ECIES:ECDHC:KDFX963:SHA384:AESGCM-KDFIV", .integrated(digest: "SHA384"))
        /// The same; these curves have a cofactor of 1.
        public static let eciesEncryptionStandardVariableIVX963SHA384AESGCM = SecKeyAlgorithm(
            "encrypt:ECIES:ECDH:KDFX963:SHA384:AESGCM-KDFIV", .integrated(digest: "SHA384"))
        /// ECIES: ECDH, X9.63 with SHA-384, AES-GCM with a nonce of zeros, which Apple calls legacy.
        public static let eciesEncryptionCofactorX963SHA384AESGCM = SecKeyAlgorithm(
            "encrypt:ECIES:ECDHC:KDFX963:SHA384:AESGCM", .integrated(digest: "SHA384", derivesNonce: false))
        /// The same; these curves have a cofactor of 1.
        public static let eciesEncryptionStandardX963SHA384AESGCM = SecKeyAlgorithm(
            "encrypt:ECIES:ECDH:KDFX963:SHA384:AESGCM", .integrated(digest: "SHA384", derivesNonce: false))
        /// ECIES: ECDH, X9.63 with SHA-512, AES-GCM with a derived nonce.
        public static let eciesEncryptionCofactorVariableIVX963SHA512AESGCM = SecKeyAlgorithm(
            "encrypt:ECIES:ECDHC:KDFX963:SHA512:AESGCM-KDFIV", .integrated(digest: "SHA512"))
        /// The same; these curves have a cofactor of 1.
        public static let eciesEncryptionStandardVariableIVX963SHA512AESGCM = SecKeyAlgorithm(
            "encrypt:ECIES:ECDH:KDFX963:SHA512:AESGCM-KDFIV", .integrated(digest: "SHA512"))
        /// ECIES: ECDH, X9.63 with SHA-512, AES-GCM with a nonce of zeros, which Apple calls legacy.
        public static let eciesEncryptionCofactorX963SHA512AESGCM = SecKeyAlgorithm(
            "encrypt:ECIES:ECDHC:KDFX963:SHA512:AESGCM", .integrated(digest: "SHA512", derivesNonce: false))
        /// The same; these curves have a cofactor of 1.
        public static let eciesEncryptionStandardX963SHA512AESGCM = SecKeyAlgorithm(
            "encrypt:ECIES:ECDH:KDFX963:SHA512:AESGCM", .integrated(digest: "SHA512", derivesNonce: false))
    }
#endif
