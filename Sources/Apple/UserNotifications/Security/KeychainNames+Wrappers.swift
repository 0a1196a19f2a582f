#if os(Linux)
    public import Foundation

    // Names of the keychain that wrappers list in full, with the values that they have on Apple's systems. Immutable strings, so they may be
    // shared.

    /// There is no memory. Never returned here.
    public let errSecAllocate: OSStatus = -108
    /// There is no keychain. Never returned here.
    public let errSecNotAvailable: OSStatus = -25291
    /// The user is not who they should be. Never returned here.
    public let errSecAuthFailed: OSStatus = -25293
    /// The data cannot be decoded.
    public let errSecDecode: OSStatus = -26275
    /// The user has canceled. Never returned here.
    public let errSecUserCanceled: OSStatus = -128
    /// The request is wrong. Never returned here.
    public let errSecBadReq: OSStatus = -909
    /// An error of the keychain. Never returned here.
    public let errSecInternalError: OSStatus = -26276
    /// An error of the keychain. Never returned here.
    public let errSecInternalComponent: OSStatus = -2070
    /// The file is open already. Never returned here.
    public let errSecOpWr: OSStatus = -49
    /// The key is not valid.
    public let errSecInvalidKeyRef: OSStatus = -67712
    /// Always.
    public nonisolated(unsafe) let kSecAttrAccessibleAlways: CFString = "dk"
    /// Always, and in no backup.
    public nonisolated(unsafe) let kSecAttrAccessibleAlwaysThisDeviceOnly: CFString = "dku"
    /// The text for the user. Without effect.
    public nonisolated(unsafe) let kSecUseOperationPrompt: CFString = "u_OpPrompt"
    /// How the user was authenticated. Without effect.
    public nonisolated(unsafe) let kSecUseAuthenticationContext: CFString = "u_AuthCtx"
    /// Asks the user. Without effect.
    public nonisolated(unsafe) let kSecUseAuthenticationUIAllow: CFString = "u_AuthUIA"
    /// Fails rather than asks the user. Without effect.
    public nonisolated(unsafe) let kSecUseAuthenticationUIFail: CFString = "u_AuthUIF"
    /// Skips items rather than asks the user. Without effect.
    public nonisolated(unsafe) let kSecUseAuthenticationUISkip: CFString = "u_AuthUIS"
    /// True not to ask the user. Without effect.
    public nonisolated(unsafe) let kSecUseNoAuthenticationUI: CFString = "u_NoAuthUI"
    /// How an internet password is used.
    public nonisolated(unsafe) let kSecAttrAuthenticationType: CFString = "atyp"
    /// By default.
    public nonisolated(unsafe) let kSecAttrAuthenticationTypeDefault: CFString = "dflt"
    /// By HTTP's basic authentication.
    public nonisolated(unsafe) let kSecAttrAuthenticationTypeHTTPBasic: CFString = "http"
    /// By HTTP's digest authentication.
    public nonisolated(unsafe) let kSecAttrAuthenticationTypeHTTPDigest: CFString = "httd"
    /// By a form.
    public nonisolated(unsafe) let kSecAttrAuthenticationTypeHTMLForm: CFString = "form"
    /// The domain of an internet password.
    public nonisolated(unsafe) let kSecAttrSecurityDomain: CFString = "sdmn"
    /// The type of an item.
    public nonisolated(unsafe) let kSecAttrType: CFString = "type"
    /// The creator of an item.
    public nonisolated(unsafe) let kSecAttrCreator: CFString = "crtr"
    /// True if an item is hidden. Without effect.
    public nonisolated(unsafe) let kSecAttrIsInvisible: CFString = "invi"
    /// True if an item has no password. Without effect.
    public nonisolated(unsafe) let kSecAttrIsNegative: CFString = "nega"
    /// HTTP.
    public nonisolated(unsafe) let kSecAttrProtocolHTTP: CFString = "http"
    /// HTTPS.
    public nonisolated(unsafe) let kSecAttrProtocolHTTPS: CFString = "htps"
    /// FTP.
    public nonisolated(unsafe) let kSecAttrProtocolFTP: CFString = "ftp "
    /// SSH.
    public nonisolated(unsafe) let kSecAttrProtocolSSH: CFString = "ssh "
    /// IMAP over TLS.
    public nonisolated(unsafe) let kSecAttrProtocolIMAPS: CFString = "imps"
    /// SMTP.
    public nonisolated(unsafe) let kSecAttrProtocolSMTP: CFString = "smtp"
    /// The hash of a public key.
    public nonisolated(unsafe) let kSecAttrPublicKeyHash: CFString = "pkhh"
    /// The subject of a certificate.
    public nonisolated(unsafe) let kSecAttrSubject: CFString = "subj"
    /// The issuer of a certificate.
    public nonisolated(unsafe) let kSecAttrIssuer: CFString = "issr"
    /// The serial number of a certificate.
    public nonisolated(unsafe) let kSecAttrSerialNumber: CFString = "slnr"
    /// The items to search. Without effect.
    public nonisolated(unsafe) let kSecMatchItemList: CFString = "m_ItemList"
    /// How an item is synchronized. Without effect.
    public nonisolated(unsafe) let kSecAttrSyncViewHint: CFString = "vwht"

    /// Who may use an item. Without effect.
    public final class SecAccessControl: NSObject, Sendable {}

    /// How the user proves to be there. Without effect.
    public struct SecAccessControlCreateFlags: OptionSet, Sendable {
        /// The bits.
        public let rawValue: CFOptionFlags
        /// Flags by their bits.
        public init(rawValue: CFOptionFlags) { self.rawValue = rawValue }
        /// By a face, a finger or the passcode.
        public static let userPresence = SecAccessControlCreateFlags(rawValue: 1)
        /// By any face or finger.
        public static let biometryAny = SecAccessControlCreateFlags(rawValue: 1 << 1)
        /// By a face or finger that was there then.
        public static let biometryCurrentSet = SecAccessControlCreateFlags(rawValue: 1 << 3)
        /// By the passcode.
        public static let devicePasscode = SecAccessControlCreateFlags(rawValue: 1 << 4)
        /// By one of several.
        public static let or = SecAccessControlCreateFlags(rawValue: 1 << 14)
        /// By all.
        public static let and = SecAccessControlCreateFlags(rawValue: 1 << 15)
        /// For a private key.
        public static let privateKeyUsage = SecAccessControlCreateFlags(rawValue: 1 << 30)
        /// By the app's own password.
        public static let applicationPassword = SecAccessControlCreateFlags(rawValue: 1 << 31)
    }

    // swift-format-ignore: AlwaysUseLowerCamelCase
    /// Says who may use an item. Everybody may, here.
    public func SecAccessControlCreateWithFlags(
        _ allocator: CFTypeRef?, _ protection: CFTypeRef, _ flags: SecAccessControlCreateFlags,
        _ error: UnsafeMutablePointer<Unmanaged<CFError>?>?
    ) -> SecAccessControl? {
        SecAccessControl()
    }
#endif
