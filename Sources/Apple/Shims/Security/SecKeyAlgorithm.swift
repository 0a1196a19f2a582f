// The names are Apple's, who documents them: a comment says only what is different here.
// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation, AlwaysUseLowerCamelCase

#if os(Linux) && canImport(CSecurityKeys)
    import CSecurityKeys
    public import Foundation
    public import UserNotifications

    /// The operation of a key, and its algorithm. Those of Apple's that are missing have no name here.
    public struct SecKeyAlgorithm: RawRepresentable, Hashable, @unchecked Sendable {
        // Unchecked: the string is immutable.
        public let rawValue: CFString

        /// How libcrypto does it.
        enum Method {
            case encryption(security_padding, digest: String?)
            /// ECIES, with a curve. The form that Apple calls legacy has a nonce of zeros.
            case integrated(digest: String, derivesNonce: Bool)
            case signature(isRSA: Bool, security_padding, digest: String, hashes: Bool)
            /// The X coordinate, or what X9.63 derives from it with a digest.
            case agreement(digest: String?)
        }

        public init(rawValue: CFString) { self.rawValue = rawValue }

        private init(_ name: String) { rawValue = NSString(string: "algid:" + name) }

        /// The parts of the name say it; nil for a name that is not an algorithm's. The curves have a cofactor of 1, so that `ECDHC` is `ECDH`.
        var method: Method? {
            let parts = (rawValue as String).split(separator: ":").dropFirst().map(String.init)
            let digest = parts.count > 3 ? parts[3] : ""
            switch parts.prefix(3).joined(separator: ":") {
            case "encrypt:RSA:raw": return .encryption(security_padding_none, digest: nil)
            case "encrypt:RSA:PKCS1": return .encryption(security_padding_pkcs1, digest: nil)
            case "encrypt:RSA:OAEP": return .encryption(security_padding_oaep, digest: digest)
            case "encrypt:ECIES:ECDH", "encrypt:ECIES:ECDHC":
                guard parts.count == 6 else { return nil }
                return .integrated(digest: parts[4], derivesNonce: parts[5] == "AESGCM-KDFIV")
            case "sign:RSA:message-PKCS1v15":
                return .signature(isRSA: true, security_padding_pkcs1, digest: digest, hashes: true)
            case "sign:RSA:digest-PKCS1v15":
                return .signature(isRSA: true, security_padding_pkcs1, digest: digest, hashes: false)
            case "sign:RSA:message-PSS":
                return .signature(isRSA: true, security_padding_pss, digest: digest, hashes: true)
            case "sign:ECDSA:message-X962":
                return .signature(isRSA: false, security_padding_none, digest: digest, hashes: true)
            case "sign:ECDSA:digest-X962":
                return .signature(isRSA: false, security_padding_none, digest: digest, hashes: false)
            case "keyexchange:ECDH", "keyexchange:ECDHC": return .agreement(digest: nil)
            case "keyexchange:ECDH:KDFX963", "keyexchange:ECDHC:KDFX963": return .agreement(digest: digest)
            default: return nil
            }
        }

        public static let rsaEncryptionRaw = SecKeyAlgorithm("encrypt:RSA:raw")
        public static let rsaEncryptionPKCS1 = SecKeyAlgorithm("encrypt:RSA:PKCS1")
        public static let rsaEncryptionOAEPSHA1 = SecKeyAlgorithm("encrypt:RSA:OAEP:SHA1")
        public static let rsaEncryptionOAEPSHA224 = SecKeyAlgorithm("encrypt:RSA:OAEP:SHA224")
        public static let rsaEncryptionOAEPSHA256 = SecKeyAlgorithm("encrypt:RSA:OAEP:SHA256")
        public static let rsaEncryptionOAEPSHA384 = SecKeyAlgorithm("encrypt:RSA:OAEP:SHA384")
        public static let rsaEncryptionOAEPSHA512 = SecKeyAlgorithm("encrypt:RSA:OAEP:SHA512")
        public static let rsaSignatureMessagePKCS1v15SHA1 = SecKeyAlgorithm("sign:RSA:message-PKCS1v15:SHA1")
        public static let rsaSignatureMessagePKCS1v15SHA256 = SecKeyAlgorithm("sign:RSA:message-PKCS1v15:SHA256")
        public static let rsaSignatureMessagePKCS1v15SHA384 = SecKeyAlgorithm("sign:RSA:message-PKCS1v15:SHA384")
        public static let rsaSignatureMessagePKCS1v15SHA512 = SecKeyAlgorithm("sign:RSA:message-PKCS1v15:SHA512")
        public static let rsaSignatureDigestPKCS1v15SHA1 = SecKeyAlgorithm("sign:RSA:digest-PKCS1v15:SHA1")
        public static let rsaSignatureDigestPKCS1v15SHA256 = SecKeyAlgorithm("sign:RSA:digest-PKCS1v15:SHA256")
        public static let rsaSignatureDigestPKCS1v15SHA384 = SecKeyAlgorithm("sign:RSA:digest-PKCS1v15:SHA384")
        public static let rsaSignatureDigestPKCS1v15SHA512 = SecKeyAlgorithm("sign:RSA:digest-PKCS1v15:SHA512")
        public static let rsaSignatureMessagePSSSHA256 = SecKeyAlgorithm("sign:RSA:message-PSS:SHA256:SHA256:32")
        public static let rsaSignatureMessagePSSSHA512 = SecKeyAlgorithm("sign:RSA:message-PSS:SHA512:SHA512:64")
        public static let ecdsaSignatureMessageX962SHA256 = SecKeyAlgorithm("sign:ECDSA:message-X962:SHA256")
        public static let ecdsaSignatureMessageX962SHA384 = SecKeyAlgorithm("sign:ECDSA:message-X962:SHA384")
        public static let ecdsaSignatureMessageX962SHA512 = SecKeyAlgorithm("sign:ECDSA:message-X962:SHA512")
        public static let ecdsaSignatureDigestX962SHA256 = SecKeyAlgorithm("sign:ECDSA:digest-X962:SHA256")
        public static let ecdsaSignatureDigestX962SHA384 = SecKeyAlgorithm("sign:ECDSA:digest-X962:SHA384")
        public static let ecdsaSignatureDigestX962SHA512 = SecKeyAlgorithm("sign:ECDSA:digest-X962:SHA512")
        public static let ecdhKeyExchangeStandard = SecKeyAlgorithm("keyexchange:ECDH")
        public static let ecdhKeyExchangeCofactor = SecKeyAlgorithm("keyexchange:ECDHC")
        public static let ecdhKeyExchangeStandardX963SHA256 = SecKeyAlgorithm("keyexchange:ECDH:KDFX963:SHA256")
        public static let ecdhKeyExchangeCofactorX963SHA256 = SecKeyAlgorithm("keyexchange:ECDHC:KDFX963:SHA256")
        public static let eciesEncryptionCofactorVariableIVX963SHA256AESGCM = SecKeyAlgorithm(
            "encrypt:ECIES:ECDHC:KDFX963:SHA256:AESGCM-KDFIV")
        public static let eciesEncryptionStandardVariableIVX963SHA256AESGCM = SecKeyAlgorithm(
            "encrypt:ECIES:ECDH:KDFX963:SHA256:AESGCM-KDFIV")
        public static let eciesEncryptionCofactorX963SHA256AESGCM = SecKeyAlgorithm(
            "encrypt:ECIES:ECDHC:KDFX963:SHA256:AESGCM")
        public static let eciesEncryptionStandardX963SHA256AESGCM = SecKeyAlgorithm(
            "encrypt:ECIES:ECDH:KDFX963:SHA256:AESGCM")
    }

    /// The operations of a key.
    public enum SecKeyOperationType: Int, Sendable {
        case sign
        case verify
        case encrypt
        case decrypt
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
            case (.encryption, .encrypt): isRSA
            case (.encryption, .decrypt): isRSA && isPrivate
            case (.signature(let ofRSA, _, _, _), .verify): isRSA == ofRSA
            case (.signature(let ofRSA, _, _, _), .sign): isRSA == ofRSA && isPrivate
            case (.integrated, .encrypt): !isRSA
            case (.integrated, .decrypt), (.agreement, .keyExchange): !isRSA && isPrivate
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

    /// The place for a function's error, which the caller releases.
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

    /// Encrypts, decrypts or signs data.
    ///
    /// - Parameter verb: the operation, for the error.
    private func transform(
        _ data: CFData, with key: SecKey, _ operation: SecKeyOperationType, _ algorithm: SecKeyAlgorithm,
        _ error: SecurityError?, verb: String
    ) -> CFData? {
        let method = algorithm.method
        guard key.supports(method, for: operation) else { return unsupported(error, algorithm) }
        let data = Data(referencing: data)
        let result: Data? =
            switch (method, operation) {
            case (.encryption(let padding, let digest), .encrypt):
                key.publicKey?.crypt(data, encrypts: true, padding, digest: digest)
            case (.encryption(let padding, let digest), .decrypt):
                key.crypt(data, encrypts: false, padding, digest: digest)
            case (.integrated(let digest, let derivesNonce), .encrypt):
                key.seal(data, digest: digest, derivesNonce: derivesNonce)
            case (.integrated(let digest, let derivesNonce), .decrypt):
                key.open(data, digest: digest, derivesNonce: derivesNonce)
            case (.signature(_, let padding, let digest, let hashes), .sign):
                key.sign(data, padding, digest: digest, hashes: hashes)
            default: nil
            }
        return result.map { NSData(data: $0) } ?? fail(error, errSecParam, "the data cannot be \(verb) with this key")
    }

    public func SecKeyCreateDecryptedData(
        _ key: SecKey, _ algorithm: SecKeyAlgorithm, _ ciphertext: CFData, _ error: SecurityError?
    ) -> CFData? {
        transform(ciphertext, with: key, .decrypt, algorithm, error, verb: "decrypted")
    }

    public func SecKeyCreateEncryptedData(
        _ key: SecKey, _ algorithm: SecKeyAlgorithm, _ plaintext: CFData, _ error: SecurityError?
    ) -> CFData? {
        transform(plaintext, with: key, .encrypt, algorithm, error, verb: "encrypted")
    }

    public func SecKeyCreateSignature(
        _ key: SecKey, _ algorithm: SecKeyAlgorithm, _ data: CFData, _ error: SecurityError?
    ) -> CFData? {
        transform(data, with: key, .sign, algorithm, error, verb: "signed")
    }

    /// True if a signature is one of the data by the key.
    public func SecKeyVerifySignature(
        _ key: SecKey, _ algorithm: SecKeyAlgorithm, _ data: CFData, _ signature: CFData, _ error: SecurityError?
    ) -> Bool {
        guard key.supports(algorithm.method, for: .verify), let key = key.publicKey,
            case .signature(_, let padding, let digest, let hashes) = algorithm.method
        else {
            let none: Bool? = unsupported(error, algorithm)
            return none ?? false
        }
        let isValid = key.verify(
            Data(referencing: signature), of: Data(referencing: data), padding, digest: digest, hashes: hashes)
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
        public let rawValue: CFString

        public init(rawValue: CFString) { self.rawValue = rawValue }

        /// How many bytes to derive.
        public static let requestedSize = SecKeyKeyExchangeParameter(rawValue: "requestedSize")
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
