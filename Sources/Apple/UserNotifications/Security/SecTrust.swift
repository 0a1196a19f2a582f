#if os(Linux)
    public import Foundation

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
        /// Unknown.
        case invalid = 0
        /// Trusted by the user.
        case proceed = 1
        /// Denied by the user.
        case deny = 3
        /// Trusted.
        case unspecified = 4
        /// Not trusted, but this can be changed.
        case recoverableTrustFailure = 5
        /// Not trusted.
        case fatalTrustFailure = 6
        /// An error.
        case otherError = 7
    }

    // swift-format-ignore: AlwaysUseLowerCamelCase
    /// A certificate in DER. It is not parsed.
    public func SecCertificateCreateWithData(_ allocator: CFTypeRef?, _ data: CFData) -> SecCertificate? {
        SecCertificate(Data(referencing: data))
    }

    // swift-format-ignore: AlwaysUseLowerCamelCase
    /// The certificate in DER.
    public func SecCertificateCopyData(_ certificate: SecCertificate) -> CFData { NSData(data: certificate.data) }

    // swift-format-ignore: AlwaysUseLowerCamelCase
    /// How a server's certificate is checked.
    public func SecPolicyCreateSSL(_ server: Bool, _ hostname: CFString?) -> SecPolicy { SecPolicy() }

    // swift-format-ignore: AlwaysUseLowerCamelCase
    /// Never called, because there is no trust.
    @discardableResult
    public func SecTrustSetPolicies(_ trust: SecTrust, _ policies: CFTypeRef) -> OSStatus { errSecUnimplemented }

    // swift-format-ignore: AlwaysUseLowerCamelCase
    /// Never called, because there is no trust.
    public func SecTrustEvaluateWithError(
        _ trust: SecTrust, _ error: UnsafeMutablePointer<CFError?>?
    ) -> Bool { false }

    // swift-format-ignore: AlwaysUseLowerCamelCase
    /// Never called, because there is no trust.
    @discardableResult
    public func SecTrustEvaluate(_ trust: SecTrust, _ result: UnsafeMutablePointer<SecTrustResultType>) -> OSStatus {
        errSecUnimplemented
    }

    // swift-format-ignore: AlwaysUseLowerCamelCase
    /// Never called, because there is no trust.
    public func SecTrustGetCertificateCount(_ trust: SecTrust) -> CFIndex { 0 }

    // swift-format-ignore: AlwaysUseLowerCamelCase
    /// Never called, because there is no trust.
    public func SecTrustGetCertificateAtIndex(_ trust: SecTrust, _ index: CFIndex) -> SecCertificate? { nil }

    // swift-format-ignore: AlwaysUseLowerCamelCase
    /// Never called, because there is no trust.
    public func SecTrustCopyCertificateChain(_ trust: SecTrust) -> CFArray? { nil }

    // swift-format-ignore: AlwaysUseLowerCamelCase
    /// Never called, because there is no trust.
    public func SecTrustCopyKey(_ trust: SecTrust) -> SecKey? { nil }

    // swift-format-ignore: AlwaysUseLowerCamelCase
    /// The public key of a certificate. Nil, because certificates are not parsed.
    public func SecCertificateCopyKey(_ certificate: SecCertificate) -> SecKey? { nil }
#endif
