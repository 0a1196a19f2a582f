// The names are Apple's.
// swift-format-ignore-file: AlwaysUseLowerCamelCase

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

    extension SecKey {
        /// Calls `body` with the key as C takes it, valid only for the duration of the call.
        func withKey<Result>(_ body: (security_key) -> Result) -> Result {
            data.withUnsafeBytes { bytes in
                body(
                    security_key(
                        bytes: bytes.bindMemory(to: UInt8.self).baseAddress, length: bytes.count, isRSA: isRSA,
                        isPrivate: isPrivate))
            }
        }

        /// The size of the modulus or of the curve; nil if the data is no key.
        var bits: Int? {
            var bits = 0
            return withKey { security_key_bits($0, &bits) } ? bits : nil
        }

        var publicKey: SecKey? {
            if !isPrivate { return self }
            return result { key, result in security_key_public(key, &result) }
                .map { SecKey(data: $0, isRSA: isRSA, isPrivate: false) }
        }

        static func generate(isRSA: Bool, bits: Int) -> SecKey? {
            guard bits > 0 else { return nil }
            return taken { security_key_generate(isRSA, bits, &$0) }
                .map { SecKey(data: $0, isRSA: isRSA, isPrivate: true) }
        }

        /// True if an algorithm is one for this key.
        func supports(_ method: SecKeyAlgorithm.Method?, for operation: SecKeyOperationType) -> Bool {
            switch (method, operation) {
            case (.encryption, .encrypt), (.rsa, .verify): isRSA
            case (.encryption, .decrypt), (.rsa, .sign): isRSA && isPrivate
            case (.integrated, .encrypt), (.ecdsa, .verify): !isRSA
            case (.integrated, .decrypt), (.ecdsa, .sign), (.agreement, .keyExchange): !isRSA && isPrivate
            default: false
            }
        }

        func crypt(_ data: Data, encrypts: Bool, _ padding: security_padding, digest: String?) -> Data? {
            result { key, result in
                data.withBytes { bytes, count in
                    security_key_crypt(key, encrypts, padding, digest, bytes, count, &result)
                }
            }
        }

        func sign(_ data: Data, _ padding: security_padding, digest: String, hashes: Bool) -> Data? {
            result { key, result in
                data.withBytes { bytes, count in
                    security_key_sign(key, padding, digest, hashes, bytes, count, &result)
                }
            }
        }

        func verify(
            _ signature: Data, of data: Data, _ padding: security_padding, digest: String, hashes: Bool
        ) -> Bool {
            withKey { key in
                data.withBytes { bytes, count in
                    signature.withBytes {
                        security_key_verify(key, padding, digest, hashes, bytes, count, $0, $1)
                    }
                }
            }
        }

        func agree(with other: SecKey) -> Data? {
            result { key, result in other.withKey { security_key_agree(key, $0, &result) } }
        }

        /// The key derivation of X9.63.
        static func derive(_ digest: String, _ secret: Data, info: Data, length: Int) -> Data? {
            taken { result in
                secret.withBytes { secret, count in
                    info.withBytes { security_derive(digest, secret, count, $0, $1, length, &result) }
                }
            }
        }

        // MARK: - ECIES

        /// Encrypts for a public key: a new key's public half, the ciphertext, and a tag.
        func seal(_ data: Data, digest: String, derivesNonce: Bool) -> Data? {
            guard let bits, let ephemeral = Self.generate(isRSA: false, bits: bits), let point = ephemeral.publicKey,
                let recipient = publicKey, let secret = ephemeral.agree(with: recipient),
                let sealed = Self.gcm(
                    seals: true, data, secret, point.data, digest: digest, bits: bits, derivesNonce: derivesNonce)
            else { return nil }
            return point.data + sealed
        }

        func open(_ data: Data, digest: String, derivesNonce: Bool) -> Data? {
            guard let bits else { return nil }
            let length = 1 + (bits + 7) / 8 * 2
            guard data.count > length else { return nil }
            let point = SecKey(data: Data(data.prefix(length)), isRSA: false, isPrivate: false)
            guard let secret = agree(with: point) else { return nil }
            return Self.gcm(
                seals: false, Data(data.dropFirst(length)), secret, point.data, digest: digest, bits: bits,
                derivesNonce: derivesNonce)
        }

        /// The symmetric half. Key and nonce are derived from the secret, or the nonce is zeros; the new key's public half is the shared
        /// information.
        private static func gcm(
            seals: Bool, _ data: Data, _ secret: Data, _ point: Data, digest: String, bits: Int, derivesNonce: Bool
        ) -> Data? {
            let keyLength = bits <= 256 ? 16 : 32
            guard var derived = derive(digest, secret, info: point, length: keyLength + 16) else { return nil }
            if !derivesNonce { derived = derived.prefix(keyLength) + Data(count: 16) }
            return taken { result in
                derived.withBytes { key, _ in
                    data.withBytes { security_gcm(seals, key, keyLength, key + keyLength, $0, $1, &result) }
                }
            }
        }

        // MARK: - Memory

        private func result(_ body: (security_key, inout security_bytes) -> Bool) -> Data? {
            withKey { key in Self.taken { body(key, &$0) } }
        }

        /// The result of a C function, whose memory Data frees.
        private static func taken(_ body: (inout security_bytes) -> Bool) -> Data? {
            var result = security_bytes()
            guard body(&result), let bytes = result.bytes else { return nil }
            return Data(bytesNoCopy: bytes, count: result.length, deallocator: .free)
        }
    }

    extension Data {
        /// Calls `body` with the bytes and their number. There is an address even if there are none.
        fileprivate func withBytes<Result>(_ body: (UnsafePointer<UInt8>, Int) -> Result) -> Result {
            withUnsafePointer(to: 0 as UInt8) { none in
                withUnsafeBytes { body($0.bindMemory(to: UInt8.self).baseAddress ?? none, $0.count) }
            }
        }
    }

    /// Where a function puts its error. The caller releases the error.
    public typealias SecurityError = UnsafeMutablePointer<Unmanaged<CFError>?>

    private func fail<Result>(_ error: SecurityError?, _ status: OSStatus, _ text: String) -> Result? {
        error?.pointee = .passRetained(
            NSError(domain: "NSOSStatusErrorDomain", code: Int(status), userInfo: [NSLocalizedDescriptionKey: text]))
        return nil
    }

    /// Makes a key of its bytes: PKCS #1 for RSA (public keys also as SubjectPublicKeyInfo), X9.63 for P-256, P-384 and P-521.
    public func SecKeyCreateWithData(_ data: CFData, _ attributes: CFDictionary, _ error: SecurityError?) -> SecKey? {
        let type = attributes.text(kSecAttrKeyType)
        guard type == "42" || type == "73" else { return fail(error, errSecParam, "unknown type of key") }
        let key = SecKey(
            data: Data(referencing: data), isRSA: type == "42", isPrivate: attributes.text(kSecAttrKeyClass) != "0")
        guard key.bits != nil else { return fail(error, errSecParam, "the data is not a key of this type and class") }
        return key
    }

    /// Makes a private key, and stores it if `kSecAttrIsPermanent` of its private attributes says so. The Secure Enclave's keys are as others.
    public func SecKeyCreateRandomKey(_ attributes: CFDictionary, _ error: SecurityError?) -> SecKey? {
        let type = attributes.text(kSecAttrKeyType)
        let bits = attributes.text(kSecAttrKeySizeInBits).flatMap(Int.init) ?? (type == "42" ? 2048 : 256)
        guard type == "42" || type == "73", let key = SecKey.generate(isRSA: type == "42", bits: bits) else {
            return fail(error, errSecParam, "there are no keys of this type and size")
        }
        var item = attributes.object(forKey: kSecPrivateKeyAttrs) as? [String: Any] ?? [:]
        guard item.removeValue(forKey: "perm") as? Bool ?? false else { return key }
        item.merge(key.attributes) { $1 }
        item["bsiz"] = bits
        let status = SecItemAdd(NSDictionary(dictionary: item), nil)
        return status == errSecSuccess ? key : fail(error, status, "the key was not stored")
    }

    /// The public half of a key.
    public func SecKeyCopyPublicKey(_ key: SecKey) -> SecKey? { key.publicKey }

    /// The key's bytes, as `SecKeyCreateWithData` takes them.
    public func SecKeyCopyExternalRepresentation(_ key: SecKey, _ error: SecurityError?) -> CFData? {
        NSData(data: key.data)
    }

    /// The key's type, class, size and data.
    public func SecKeyCopyAttributes(_ key: SecKey) -> CFDictionary? {
        NSDictionary(dictionary: key.attributes.merging(["bsiz": key.bits ?? 0]) { $1 })
    }

    /// Bytes of a block: of the modulus, or of a coordinate.
    public func SecKeyGetBlockSize(_ key: SecKey) -> Int { ((key.bits ?? 0) + 7) / 8 }

    /// True if an algorithm is there and is one for the key.
    public func SecKeyIsAlgorithmSupported(
        _ key: SecKey, _ operation: SecKeyOperationType, _ algorithm: SecKeyAlgorithm
    ) -> Bool {
        key.supports(algorithm.method, for: operation)
    }

    /// Decrypts with a private key.
    public func SecKeyCreateDecryptedData(
        _ key: SecKey, _ algorithm: SecKeyAlgorithm, _ ciphertext: CFData, _ error: SecurityError?
    ) -> CFData? {
        guard key.supports(algorithm.method, for: .decrypt) else { return unsupported(error, algorithm) }
        let data = Data(referencing: ciphertext)
        let plain: Data? =
            switch algorithm.method {
            case .encryption(let padding, let digest): key.crypt(data, encrypts: false, padding, digest: digest)
            case .integrated(let digest, let derivesNonce):
                key.open(data, digest: digest, derivesNonce: derivesNonce)
            default: nil
            }
        return plain.map { NSData(data: $0) } ?? fail(error, errSecParam, "the data cannot be decrypted with this key")
    }

    /// Encrypts with a public key.
    public func SecKeyCreateEncryptedData(
        _ key: SecKey, _ algorithm: SecKeyAlgorithm, _ plaintext: CFData, _ error: SecurityError?
    ) -> CFData? {
        guard key.supports(algorithm.method, for: .encrypt) else { return unsupported(error, algorithm) }
        let data = Data(referencing: plaintext)
        let sealed: Data? =
            switch algorithm.method {
            case .encryption(let padding, let digest):
                key.publicKey?.crypt(data, encrypts: true, padding, digest: digest)
            case .integrated(let digest, let derivesNonce):
                key.seal(data, digest: digest, derivesNonce: derivesNonce)
            default: nil
            }
        return sealed.map { NSData(data: $0) } ?? fail(error, errSecParam, "the data cannot be encrypted with this key")
    }

    /// Signs with a private key.
    public func SecKeyCreateSignature(
        _ key: SecKey, _ algorithm: SecKeyAlgorithm, _ data: CFData, _ error: SecurityError?
    ) -> CFData? {
        guard key.supports(algorithm.method, for: .sign) else { return unsupported(error, algorithm) }
        let data = Data(referencing: data)
        let signature: Data? =
            switch algorithm.method {
            case .rsa(let padding, let digest, let hashes): key.sign(data, padding, digest: digest, hashes: hashes)
            case .ecdsa(let digest, let hashes):
                key.sign(data, security_padding_none, digest: digest, hashes: hashes)
            default: nil
            }
        return signature.map { NSData(data: $0) } ?? fail(error, errSecParam, "the data cannot be signed with this key")
    }

    /// True if a signature is one of the data by the key.
    public func SecKeyVerifySignature(
        _ key: SecKey, _ algorithm: SecKeyAlgorithm, _ data: CFData, _ signature: CFData, _ error: SecurityError?
    ) -> Bool {
        let data = Data(referencing: data)
        let signature = Data(referencing: signature)
        guard key.supports(algorithm.method, for: .verify), let key = key.publicKey else {
            let none: Bool? = unsupported(error, algorithm)
            return none ?? false
        }
        let isValid =
            switch algorithm.method {
            case .rsa(let padding, let digest, let hashes):
                key.verify(signature, of: data, padding, digest: digest, hashes: hashes)
            case .ecdsa(let digest, let hashes):
                key.verify(signature, of: data, security_padding_none, digest: digest, hashes: hashes)
            default: false
            }
        return isValid ? true : fail(error, -67808, "the signature is not valid") ?? false
    }

    /// The secret that a private key and another's public key share. With X9.63, parameters give its length and shared information.
    public func SecKeyCopyKeyExchangeResult(
        _ key: SecKey, _ algorithm: SecKeyAlgorithm, _ other: SecKey, _ parameters: CFDictionary,
        _ error: SecurityError?
    ) -> CFData? {
        guard key.supports(algorithm.method, for: .keyExchange), case .agreement(let digest) = algorithm.method else {
            return unsupported(error, algorithm)
        }
        guard let peer = other.publicKey, let secret = key.agree(with: peer) else {
            return fail(error, errSecParam, "the keys are not on one curve")
        }
        guard let digest else { return NSData(data: secret) }
        let length = parameters.text(SecKeyKeyExchangeParameter.requestedSize.rawValue).flatMap(Int.init) ?? 0
        let info = parameters.object(forKey: SecKeyKeyExchangeParameter.sharedInfo.rawValue) as? Data ?? Data()
        guard length > 0, let derived = SecKey.derive(digest, secret, info: info, length: length) else {
            return fail(error, errSecParam, "the length of the result is missing")
        }
        return NSData(data: derived)
    }

    /// The names of what `SecKeyCopyKeyExchangeResult` takes.
    public struct SecKeyKeyExchangeParameter: RawRepresentable, Hashable, @unchecked Sendable {
        // Unchecked: the string is immutable.
        /// Apple's name.
        public let rawValue: CFString

        /// A parameter by Apple's name.
        public init(rawValue: CFString) { self.rawValue = rawValue }

        /// How many bytes to derive.
        public static let requestedSize = SecKeyKeyExchangeParameter(rawValue: "requestedSize")
        /// The shared information.
        public static let sharedInfo = SecKeyKeyExchangeParameter(rawValue: "sharedInfo")
    }

    private func unsupported<Result>(_ error: SecurityError?, _ algorithm: SecKeyAlgorithm) -> Result? {
        fail(error, errSecUnimplemented, "\(algorithm.rawValue) is not an algorithm for this key, or not on Linux")
    }

    extension NSDictionary {
        /// A value as text: numbers may be given as strings, and the other way round.
        fileprivate func text(_ key: CFString) -> String? { object(forKey: key).map { "\($0)" } }
    }
#endif
