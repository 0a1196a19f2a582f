// The names are Apple's, who documents them: a comment says only what is different here.
// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation, AlwaysUseLowerCamelCase

#if os(Linux)
    public import Foundation

    /// An RSA key or one of an elliptic curve.
    ///
    /// The keychain stores and returns keys; what is done with them, such as `SecKeyCreateDecryptedData`, is in the module Security.
    public final class SecKey: NSObject, Sendable {
        /// PKCS #1 for RSA, X9.63 for a curve.
        package let data: Data
        package let isRSA: Bool
        package let isPrivate: Bool

        package init(data: Data, isRSA: Bool, isPrivate: Bool) {
            self.data = data
            self.isRSA = isRSA
            self.isPrivate = isPrivate
        }

        /// The key of a keychain's item; nil if it has no data, or another kind of key.
        init?(item values: [String: Any]) {
            guard values["class"] as? String == "keys", let data = values["v_Data"] as? Data else { return nil }
            let type = values["type"].map { "\($0)" } ?? "42"
            guard type == "42" || type == "73" else { return nil }
            self.data = data
            isRSA = type == "42"
            isPrivate = values["kcls"].map { "\($0)" } != "0"
        }

        /// The key as attributes of a keychain's item.
        package var attributes: [String: Any] {
            ["class": "keys", "type": isRSA ? "42" : "73", "kcls": isPrivate ? "1" : "0", "v_Data": data]
        }

        public override func isEqual(_ object: Any?) -> Bool {
            guard let other = object as? SecKey else { return false }
            return data == other.data && isRSA == other.isRSA && isPrivate == other.isPrivate
        }

        public override var hash: Int { data.hashValue }
    }

    // The names of keys' attributes, with the values that they have on Apple's systems.

    public nonisolated(unsafe) let kSecAttrKeyTypeRSA: CFString = "42"
    /// An elliptic curve: P-256, P-384 or P-521.
    public nonisolated(unsafe) let kSecAttrKeyTypeECSECPrimeRandom: CFString = "73"
    /// An elliptic curve: P-256, P-384 or P-521.
    public nonisolated(unsafe) let kSecAttrKeyTypeEC: CFString = "73"
    /// The kind of a key: public, private or symmetric.
    public nonisolated(unsafe) let kSecAttrKeyClass: CFString = "kcls"
    public nonisolated(unsafe) let kSecAttrKeyClassPublic: CFString = "0"
    public nonisolated(unsafe) let kSecAttrKeyClassPrivate: CFString = "1"
    /// A symmetric key. There are none here.
    public nonisolated(unsafe) let kSecAttrKeyClassSymmetric: CFString = "2"
    public nonisolated(unsafe) let kSecAttrKeySizeInBits: CFString = "bsiz"
    public nonisolated(unsafe) let kSecAttrEffectiveKeySize: CFString = "esiz"
    /// True if a new key is stored in the keychain.
    public nonisolated(unsafe) let kSecAttrIsPermanent: CFString = "perm"
    /// The place of a key. Has no effect.
    public nonisolated(unsafe) let kSecAttrTokenID: CFString = "tkid"
    /// The Secure Enclave. There is none here: such a key is one like others.
    public nonisolated(unsafe) let kSecAttrTokenIDSecureEnclave: CFString = "com.apple.setoken"
    public nonisolated(unsafe) let kSecPrivateKeyAttrs: CFString = "private"
    public nonisolated(unsafe) let kSecPublicKeyAttrs: CFString = "public"
    /// True if a key decrypts. Without effect.
    public nonisolated(unsafe) let kSecAttrCanDecrypt: CFString = "decr"
    /// True if a key encrypts. Without effect.
    public nonisolated(unsafe) let kSecAttrCanEncrypt: CFString = "encr"
    /// True if a key signs. Without effect.
    public nonisolated(unsafe) let kSecAttrCanSign: CFString = "sign"
    /// True if a key verifies. Without effect.
    public nonisolated(unsafe) let kSecAttrCanVerify: CFString = "vrfy"
    /// True if a key agrees on secrets. Without effect.
    public nonisolated(unsafe) let kSecAttrCanDerive: CFString = "drve"
    /// Who may use an item. Without effect.
    public nonisolated(unsafe) let kSecAttrAccessControl: CFString = "accc"
    public nonisolated(unsafe) let kSecValueRef: CFString = "v_Ref"
    public nonisolated(unsafe) let kSecValuePersistentRef: CFString = "v_PersistentRef"

    /// A generator of random numbers. There is only the system's, which is nil.
    public typealias SecRandomRef = UInt

    public let kSecRandomDefault: SecRandomRef? = nil

    /// Fills memory with random bytes.
    public func SecRandomCopyBytes(_ generator: SecRandomRef?, _ count: Int, _ bytes: UnsafeMutableRawPointer) -> Int32
    {
        var system = SystemRandomNumberGenerator()
        for place in 0..<max(count, 0) {
            bytes.storeBytes(of: system.next() as UInt8, toByteOffset: place, as: UInt8.self)
        }
        return errSecSuccess
    }

    // What apps check a server's certificate with. URLSession for Linux checks certificates by the system's list and never asks its
    // delegate, so there is no trust to evaluate: code for pinning compiles, and is not called.

    /// A certificate.
    public final class SecCertificate: NSObject, Sendable {
        let data: Data

        init(_ data: Data) { self.data = data }
    }

    /// The certificates of a server. There is none.
    public final class SecTrust: NSObject, Sendable {
        private override init() {}
    }

    /// How certificates are checked. Without effect.
    public final class SecPolicy: NSObject, Sendable {}

    /// The result of a check.
    public enum SecTrustResultType: UInt32, Sendable {
        case invalid = 0
        case proceed = 1
        case deny = 3
        case unspecified = 4
        /// Not trusted, but this can be changed.
        case recoverableTrustFailure = 5
        case fatalTrustFailure = 6
        case otherError = 7
    }

    /// A certificate in DER. It is not parsed.
    public func SecCertificateCreateWithData(_ allocator: CFTypeRef?, _ data: CFData) -> SecCertificate? {
        SecCertificate(Data(referencing: data))
    }

    public func SecCertificateCopyData(_ certificate: SecCertificate) -> CFData { NSData(data: certificate.data) }

    public func SecPolicyCreateSSL(_ server: Bool, _ hostname: CFString?) -> SecPolicy { SecPolicy() }

    /// Never called, because there is no trust.
    @discardableResult
    public func SecTrustSetPolicies(_ trust: SecTrust, _ policies: CFTypeRef) -> OSStatus { errSecUnimplemented }

    /// Never called, because there is no trust.
    public func SecTrustEvaluateWithError(
        _ trust: SecTrust, _ error: UnsafeMutablePointer<CFError?>?
    ) -> Bool { false }

    /// Never called, because there is no trust.
    @discardableResult
    public func SecTrustEvaluate(_ trust: SecTrust, _ result: UnsafeMutablePointer<SecTrustResultType>) -> OSStatus {
        errSecUnimplemented
    }

    /// Never called, because there is no trust.
    public func SecTrustGetCertificateCount(_ trust: SecTrust) -> CFIndex { 0 }

    /// Never called, because there is no trust.
    public func SecTrustGetCertificateAtIndex(_ trust: SecTrust, _ index: CFIndex) -> SecCertificate? { nil }

    /// Never called, because there is no trust.
    public func SecTrustCopyCertificateChain(_ trust: SecTrust) -> CFArray? { nil }

    /// Never called, because there is no trust.
    public func SecTrustCopyKey(_ trust: SecTrust) -> SecKey? { nil }

    /// The public key of a certificate. Nil, because certificates are not parsed.
    public func SecCertificateCopyKey(_ certificate: SecCertificate) -> SecKey? { nil }
#endif
