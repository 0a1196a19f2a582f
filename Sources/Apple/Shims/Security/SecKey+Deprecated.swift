// The names of paddings are Apple's.
// swift-format-ignore-file: AlwaysUseLowerCamelCase

// The functions for RSA that Apple has deprecated, and that extensions still call.
#if os(Linux) && canImport(CSecurityKeys)
    import CSecurityKeys
    import Foundation
    public import UserNotifications

    /// How the functions below pad. Without an option there is no padding.
    public struct SecPadding: OptionSet, Sendable {
        /// The bits.
        public let rawValue: UInt32
        /// Padding by its bits.
        public init(rawValue: UInt32) { self.rawValue = rawValue }
        /// PKCS #1 v1.5.
        public static let PKCS1 = SecPadding(rawValue: 1)
        /// OAEP with SHA-1.
        public static let OAEP = SecPadding(rawValue: 2)
        /// PKCS #1 v1.5 of a SHA-1.
        public static let PKCS1SHA1 = SecPadding(rawValue: 0x8002)
        /// PKCS #1 v1.5 of a SHA-256.
        public static let PKCS1SHA256 = SecPadding(rawValue: 0x8004)

        fileprivate var encryption: SecKeyAlgorithm? {
            switch self {
            case []: .rsaEncryptionRaw
            case .PKCS1: .rsaEncryptionPKCS1
            case .OAEP: .rsaEncryptionOAEPSHA1
            default: nil
            }
        }

        fileprivate var signature: SecKeyAlgorithm? {
            switch self {
            case .PKCS1SHA1: .rsaSignatureDigestPKCS1v15SHA1
            case .PKCS1SHA256: .rsaSignatureDigestPKCS1v15SHA256
            default: nil
            }
        }
    }

    /// Copies a result to memory whose size is given, and which is told how much was used.
    private func store(_ result: CFData?, _ memory: UnsafeMutablePointer<UInt8>, _ size: UnsafeMutablePointer<Int>)
        -> OSStatus
    {
        guard let result, result.length <= size.pointee else { return errSecParam }
        result.getBytes(memory, length: result.length)
        size.pointee = result.length
        return errSecSuccess
    }

    /// Decrypts with a private RSA key.
    @discardableResult
    public func SecKeyDecrypt(
        _ key: SecKey, _ padding: SecPadding, _ ciphertext: UnsafePointer<UInt8>, _ count: Int,
        _ plaintext: UnsafeMutablePointer<UInt8>, _ size: UnsafeMutablePointer<Int>
    ) -> OSStatus {
        guard let algorithm = padding.encryption, count >= 0 else { return errSecParam }
        let data = NSData(bytes: ciphertext, length: count)
        return store(SecKeyCreateDecryptedData(key, algorithm, data, nil), plaintext, size)
    }

    /// Encrypts with a public RSA key.
    @discardableResult
    public func SecKeyEncrypt(
        _ key: SecKey, _ padding: SecPadding, _ plaintext: UnsafePointer<UInt8>, _ count: Int,
        _ ciphertext: UnsafeMutablePointer<UInt8>, _ size: UnsafeMutablePointer<Int>
    ) -> OSStatus {
        guard let algorithm = padding.encryption, count >= 0 else { return errSecParam }
        let data = NSData(bytes: plaintext, length: count)
        return store(SecKeyCreateEncryptedData(key, algorithm, data, nil), ciphertext, size)
    }

    /// Signs a digest with a private RSA key.
    @discardableResult
    public func SecKeyRawSign(
        _ key: SecKey, _ padding: SecPadding, _ digest: UnsafePointer<UInt8>, _ count: Int,
        _ signature: UnsafeMutablePointer<UInt8>, _ size: UnsafeMutablePointer<Int>
    ) -> OSStatus {
        guard let algorithm = padding.signature, count >= 0 else { return errSecParam }
        let data = NSData(bytes: digest, length: count)
        return store(SecKeyCreateSignature(key, algorithm, data, nil), signature, size)
    }

    /// True if a signature is one of a digest by an RSA key.
    @discardableResult
    public func SecKeyRawVerify(
        _ key: SecKey, _ padding: SecPadding, _ digest: UnsafePointer<UInt8>, _ count: Int,
        _ signature: UnsafePointer<UInt8>, _ size: Int
    ) -> OSStatus {
        guard let algorithm = padding.signature, count >= 0, size >= 0 else { return errSecParam }
        let data = NSData(bytes: digest, length: count)
        let signature = NSData(bytes: signature, length: size)
        return SecKeyVerifySignature(key, algorithm, data, signature, nil) ? errSecSuccess : -67808
    }
#endif
