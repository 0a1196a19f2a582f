#if os(Linux)
    public import Foundation

    // What apps show to a server that asks who they are. Certificates are not parsed here, so there are no identities: code for them compiles,
    // finds none in the keychain, and can import none.

    /// A certificate and its private key. There is none.
    public final class SecIdentity: NSObject, Sendable {
        private override init() {}
    }

    /// The password of a PKCS #12 file is wrong. Never returned here.
    public let errSecPkcs12VerifyFailure: OSStatus = -25264
    /// The password of a file, among the options for `SecPKCS12Import`.
    public nonisolated(unsafe) let kSecImportExportPassphrase: CFString = "passphrase"
    /// The identity of an item that was imported.
    public nonisolated(unsafe) let kSecImportItemIdentity: CFString = "identity"
    /// The certificates of an item that was imported.
    public nonisolated(unsafe) let kSecImportItemCertChain: CFString = "chain"
    /// The trust of an item that was imported.
    public nonisolated(unsafe) let kSecImportItemTrust: CFString = "trust"
    /// The label of an item that was imported.
    public nonisolated(unsafe) let kSecImportItemLabel: CFString = "label"
    /// The number of the key of an item that was imported.
    public nonisolated(unsafe) let kSecImportItemKeyID: CFString = "keyid"

    // swift-format-ignore: AlwaysUseLowerCamelCase
    /// Never called, because there is no identity.
    @discardableResult
    public func SecIdentityCopyCertificate(
        _ identity: SecIdentity, _ certificate: UnsafeMutablePointer<SecCertificate?>
    ) -> OSStatus { errSecUnimplemented }

    // swift-format-ignore: AlwaysUseLowerCamelCase
    /// Never called, because there is no identity.
    @discardableResult
    public func SecIdentityCopyPrivateKey(_ identity: SecIdentity, _ key: UnsafeMutablePointer<SecKey?>) -> OSStatus {
        errSecUnimplemented
    }

    // swift-format-ignore: AlwaysUseLowerCamelCase
    /// Fails with `errSecUnimplemented`: PKCS #12 is not read here.
    @discardableResult
    public func SecPKCS12Import(
        _ data: CFData, _ options: CFDictionary, _ items: UnsafeMutablePointer<CFArray?>
    ) -> OSStatus { errSecUnimplemented }
#endif
