// Apple's functions for keys.
#if os(Linux) && canImport(CSecurityKeys)
    import CSecurityKeys
    public import Foundation
    public import UserNotifications

    /// Where a function puts its error. The caller releases the error.
    public typealias SecurityError = UnsafeMutablePointer<Unmanaged<CFError>?>

    private func fail<Result>(_ error: SecurityError?, _ status: OSStatus, _ text: String) -> Result? {
        error?.pointee = .passRetained(
            NSError(domain: "NSOSStatusErrorDomain", code: Int(status), userInfo: [NSLocalizedDescriptionKey: text]))
        return nil
    }

    // swift-format-ignore: AlwaysUseLowerCamelCase
    /// Makes a key of its bytes: PKCS #1 for RSA (public keys also as SubjectPublicKeyInfo), X9.63 for P-256, P-384 and P-521.
    public func SecKeyCreateWithData(_ data: CFData, _ attributes: CFDictionary, _ error: SecurityError?) -> SecKey? {
        let type = attributes.text(kSecAttrKeyType)
        guard type == "42" || type == "73" else { return fail(error, errSecParam, "unknown type of key") }
        let key = SecKey(
            data: Data(referencing: data), isRSA: type == "42", isPrivate: attributes.text(kSecAttrKeyClass) != "0")
        guard key.bits != nil else { return fail(error, errSecParam, "the data is not a key of this type and class") }
        return key
    }

    // swift-format-ignore: AlwaysUseLowerCamelCase
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

    // swift-format-ignore: AlwaysUseLowerCamelCase
    /// The public half of a key.
    public func SecKeyCopyPublicKey(_ key: SecKey) -> SecKey? { key.publicKey }

    // swift-format-ignore: AlwaysUseLowerCamelCase
    /// The key's bytes, as `SecKeyCreateWithData` takes them.
    public func SecKeyCopyExternalRepresentation(_ key: SecKey, _ error: SecurityError?) -> CFData? {
        NSData(data: key.data)
    }

    // swift-format-ignore: AlwaysUseLowerCamelCase
    /// The key's type, class, size and data.
    public func SecKeyCopyAttributes(_ key: SecKey) -> CFDictionary? {
        NSDictionary(dictionary: key.attributes.merging(["bsiz": key.bits ?? 0]) { $1 })
    }

    // swift-format-ignore: AlwaysUseLowerCamelCase
    /// Bytes of a block: of the modulus, or of a coordinate.
    public func SecKeyGetBlockSize(_ key: SecKey) -> Int { ((key.bits ?? 0) + 7) / 8 }

    // swift-format-ignore: AlwaysUseLowerCamelCase
    /// True if an algorithm is there and is one for the key.
    public func SecKeyIsAlgorithmSupported(
        _ key: SecKey, _ operation: SecKeyOperationType, _ algorithm: SecKeyAlgorithm
    ) -> Bool {
        key.supports(algorithm.method, for: operation)
    }

    // swift-format-ignore: AlwaysUseLowerCamelCase
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

    // swift-format-ignore: AlwaysUseLowerCamelCase
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

    // swift-format-ignore: AlwaysUseLowerCamelCase
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

    // swift-format-ignore: AlwaysUseLowerCamelCase
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

    // swift-format-ignore: AlwaysUseLowerCamelCase
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
