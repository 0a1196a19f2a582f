#if os(Linux) && canImport(CSecurityKeys)
    import CSecurityKeys
    import Foundation
    import UserNotifications

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
#endif
