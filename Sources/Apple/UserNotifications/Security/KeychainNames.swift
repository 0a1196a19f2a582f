// The names are Apple's, who documents them: a comment says only what is different here.
// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation, AlwaysUseLowerCamelCase, NeverUseImplicitlyUnwrappedOptionals

#if os(Linux)
    public import Foundation

    // The names of attributes and queries, with the values that they have on Apple's systems. Immutable strings, so they may be shared.

    public nonisolated(unsafe) let kSecClass: CFString = "class"
    public nonisolated(unsafe) let kSecClassGenericPassword: CFString = "genp"
    public nonisolated(unsafe) let kSecClassInternetPassword: CFString = "inet"
    public nonisolated(unsafe) let kSecClassKey: CFString = "keys"
    /// A certificate. There are none here.
    public nonisolated(unsafe) let kSecClassCertificate: CFString = "cert"
    /// A certificate and its key. There are none here.
    public nonisolated(unsafe) let kSecClassIdentity: CFString = "idnt"
    public nonisolated(unsafe) let kSecAttrAccount: CFString = "acct"
    public nonisolated(unsafe) let kSecAttrService: CFString = "svce"
    public nonisolated(unsafe) let kSecAttrAccessGroup: CFString = "agrp"
    public nonisolated(unsafe) let kSecAttrAccessible: CFString = "pdmn"
    /// While the device is unlocked.
    public nonisolated(unsafe) let kSecAttrAccessibleWhenUnlocked: CFString = "ak"
    /// Once the device was unlocked.
    public nonisolated(unsafe) let kSecAttrAccessibleAfterFirstUnlock: CFString = "ck"
    /// While the device is unlocked, and in no backup.
    public nonisolated(unsafe) let kSecAttrAccessibleWhenUnlockedThisDeviceOnly: CFString = "aku"
    /// Once the device was unlocked, and in no backup.
    public nonisolated(unsafe) let kSecAttrAccessibleAfterFirstUnlockThisDeviceOnly: CFString = "cku"
    /// While the device has a passcode and is unlocked.
    public nonisolated(unsafe) let kSecAttrAccessibleWhenPasscodeSetThisDeviceOnly: CFString = "akpu"
    public nonisolated(unsafe) let kSecAttrGeneric: CFString = "gena"
    public nonisolated(unsafe) let kSecAttrLabel: CFString = "labl"
    public nonisolated(unsafe) let kSecAttrDescription: CFString = "desc"
    public nonisolated(unsafe) let kSecAttrComment: CFString = "icmt"
    public nonisolated(unsafe) let kSecAttrServer: CFString = "srvr"
    public nonisolated(unsafe) let kSecAttrProtocol: CFString = "ptcl"
    public nonisolated(unsafe) let kSecAttrPort: CFString = "port"
    public nonisolated(unsafe) let kSecAttrPath: CFString = "path"
    /// True if an item is synchronized. Without effect.
    public nonisolated(unsafe) let kSecAttrSynchronizable: CFString = "sync"
    /// Items that are synchronized, and those that are not.
    public nonisolated(unsafe) let kSecAttrSynchronizableAny: CFString = "syna"
    public nonisolated(unsafe) let kSecAttrApplicationTag: CFString = "atag"
    public nonisolated(unsafe) let kSecAttrApplicationLabel: CFString = "klbl"
    public nonisolated(unsafe) let kSecAttrKeyType: CFString = "type"
    public nonisolated(unsafe) let kSecAttrCreationDate: CFString = "cdat"
    public nonisolated(unsafe) let kSecAttrModificationDate: CFString = "mdat"
    public nonisolated(unsafe) let kSecValueData: CFString = "v_Data"
    public nonisolated(unsafe) let kSecReturnData: CFString = "r_Data"
    public nonisolated(unsafe) let kSecReturnAttributes: CFString = "r_Attributes"
    /// True to return a reference, which only keys have: a `SecKey`.
    public nonisolated(unsafe) let kSecReturnRef: CFString = "r_Ref"
    public nonisolated(unsafe) let kSecReturnPersistentRef: CFString = "r_PersistentRef"
    public nonisolated(unsafe) let kSecMatchLimit: CFString = "m_Limit"
    public nonisolated(unsafe) let kSecMatchLimitOne: CFString = "m_LimitOne"
    /// All items, as an array.
    public nonisolated(unsafe) let kSecMatchLimitAll: CFString = "m_LimitAll"
    /// True to ignore case. Without effect.
    public nonisolated(unsafe) let kSecMatchCaseInsensitive: CFString = "m_CaseInsensitive"
    /// Which keychain of a Mac. Without effect.
    public nonisolated(unsafe) let kSecUseDataProtectionKeychain: CFString = "nleg"
    /// The way to ask the user. Without effect.
    public nonisolated(unsafe) let kSecUseAuthenticationUI: CFString = "u_AuthUI"

    /// True, as an object.
    public let kCFBooleanTrue: CFBoolean! = NSNumber(value: true)
    /// False, as an object.
    public let kCFBooleanFalse: CFBoolean! = NSNumber(value: false)

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
    public nonisolated(unsafe) let kSecAttrAuthenticationType: CFString = "atyp"
    public nonisolated(unsafe) let kSecAttrAuthenticationTypeDefault: CFString = "dflt"
    public nonisolated(unsafe) let kSecAttrAuthenticationTypeHTTPBasic: CFString = "http"
    public nonisolated(unsafe) let kSecAttrAuthenticationTypeHTTPDigest: CFString = "httd"
    public nonisolated(unsafe) let kSecAttrAuthenticationTypeHTMLForm: CFString = "form"
    public nonisolated(unsafe) let kSecAttrSecurityDomain: CFString = "sdmn"
    public nonisolated(unsafe) let kSecAttrType: CFString = "type"
    public nonisolated(unsafe) let kSecAttrCreator: CFString = "crtr"
    /// True if an item is hidden. Without effect.
    public nonisolated(unsafe) let kSecAttrIsInvisible: CFString = "invi"
    /// True if an item has no password. Without effect.
    public nonisolated(unsafe) let kSecAttrIsNegative: CFString = "nega"
    public nonisolated(unsafe) let kSecAttrProtocolHTTP: CFString = "http"
    public nonisolated(unsafe) let kSecAttrProtocolHTTPS: CFString = "htps"
    public nonisolated(unsafe) let kSecAttrProtocolFTP: CFString = "ftp "
    public nonisolated(unsafe) let kSecAttrProtocolSSH: CFString = "ssh "
    public nonisolated(unsafe) let kSecAttrProtocolIMAPS: CFString = "imps"
    public nonisolated(unsafe) let kSecAttrProtocolSMTP: CFString = "smtp"
    public nonisolated(unsafe) let kSecAttrPublicKeyHash: CFString = "pkhh"
    public nonisolated(unsafe) let kSecAttrSubject: CFString = "subj"
    public nonisolated(unsafe) let kSecAttrIssuer: CFString = "issr"
    public nonisolated(unsafe) let kSecAttrSerialNumber: CFString = "slnr"
    /// The items to search. Without effect.
    public nonisolated(unsafe) let kSecMatchItemList: CFString = "m_ItemList"
    /// How an item is synchronized. Without effect.
    public nonisolated(unsafe) let kSecAttrSyncViewHint: CFString = "vwht"

    /// Who may use an item. Without effect.
    public final class SecAccessControl: NSObject, Sendable {}

    /// How the user proves to be there. Without effect.
    public struct SecAccessControlCreateFlags: OptionSet, Sendable {
        public let rawValue: CFOptionFlags
        public init(rawValue: CFOptionFlags) { self.rawValue = rawValue }
        /// By a face, a finger or the passcode.
        public static let userPresence = SecAccessControlCreateFlags(rawValue: 1)
        public static let biometryAny = SecAccessControlCreateFlags(rawValue: 1 << 1)
        public static let biometryCurrentSet = SecAccessControlCreateFlags(rawValue: 1 << 3)
        public static let devicePasscode = SecAccessControlCreateFlags(rawValue: 1 << 4)
        public static let or = SecAccessControlCreateFlags(rawValue: 1 << 14)
        public static let and = SecAccessControlCreateFlags(rawValue: 1 << 15)
        public static let privateKeyUsage = SecAccessControlCreateFlags(rawValue: 1 << 30)
        public static let applicationPassword = SecAccessControlCreateFlags(rawValue: 1 << 31)
    }

    /// Says who may use an item. Everybody may, here.
    public func SecAccessControlCreateWithFlags(
        _ allocator: CFTypeRef?, _ protection: CFTypeRef, _ flags: SecAccessControlCreateFlags,
        _ error: UnsafeMutablePointer<Unmanaged<CFError>?>?
    ) -> SecAccessControl? {
        SecAccessControl()
    }
#endif
