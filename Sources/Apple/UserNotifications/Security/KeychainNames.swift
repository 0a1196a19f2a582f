#if os(Linux)
    public import Foundation

    // The names of attributes and queries, with the values that they have on Apple's systems. Immutable strings, so they may be shared.

    /// The class of an item.
    public nonisolated(unsafe) let kSecClass: CFString = "class"
    /// A password.
    public nonisolated(unsafe) let kSecClassGenericPassword: CFString = "genp"
    /// A password for a server.
    public nonisolated(unsafe) let kSecClassInternetPassword: CFString = "inet"
    /// A cryptographic key.
    public nonisolated(unsafe) let kSecClassKey: CFString = "keys"
    /// A certificate. There are none here.
    public nonisolated(unsafe) let kSecClassCertificate: CFString = "cert"
    /// A certificate and its key. There are none here.
    public nonisolated(unsafe) let kSecClassIdentity: CFString = "idnt"
    /// The account of a password.
    public nonisolated(unsafe) let kSecAttrAccount: CFString = "acct"
    /// The service of a password.
    public nonisolated(unsafe) let kSecAttrService: CFString = "svce"
    /// The access group of an item.
    public nonisolated(unsafe) let kSecAttrAccessGroup: CFString = "agrp"
    /// When an item can be read.
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
    /// Data of the app's own.
    public nonisolated(unsafe) let kSecAttrGeneric: CFString = "gena"
    /// A label.
    public nonisolated(unsafe) let kSecAttrLabel: CFString = "labl"
    /// A description.
    public nonisolated(unsafe) let kSecAttrDescription: CFString = "desc"
    /// A comment.
    public nonisolated(unsafe) let kSecAttrComment: CFString = "icmt"
    /// The server of an internet password.
    public nonisolated(unsafe) let kSecAttrServer: CFString = "srvr"
    /// The protocol of an internet password.
    public nonisolated(unsafe) let kSecAttrProtocol: CFString = "ptcl"
    /// The port of an internet password.
    public nonisolated(unsafe) let kSecAttrPort: CFString = "port"
    /// The path of an internet password.
    public nonisolated(unsafe) let kSecAttrPath: CFString = "path"
    /// True if an item is synchronized. Without effect.
    public nonisolated(unsafe) let kSecAttrSynchronizable: CFString = "sync"
    /// Items that are synchronized, and those that are not.
    public nonisolated(unsafe) let kSecAttrSynchronizableAny: CFString = "syna"
    /// The tag of a key.
    public nonisolated(unsafe) let kSecAttrApplicationTag: CFString = "atag"
    /// The label of a key.
    public nonisolated(unsafe) let kSecAttrApplicationLabel: CFString = "klbl"
    /// The type of a key.
    public nonisolated(unsafe) let kSecAttrKeyType: CFString = "type"
    /// When an item was added.
    public nonisolated(unsafe) let kSecAttrCreationDate: CFString = "cdat"
    /// When an item was changed.
    public nonisolated(unsafe) let kSecAttrModificationDate: CFString = "mdat"
    /// The data of an item.
    public nonisolated(unsafe) let kSecValueData: CFString = "v_Data"
    /// True to return data.
    public nonisolated(unsafe) let kSecReturnData: CFString = "r_Data"
    /// True to return attributes.
    public nonisolated(unsafe) let kSecReturnAttributes: CFString = "r_Attributes"
    /// True to return a reference, which only keys have: a `SecKey`.
    public nonisolated(unsafe) let kSecReturnRef: CFString = "r_Ref"
    /// True to return a lasting reference.
    public nonisolated(unsafe) let kSecReturnPersistentRef: CFString = "r_PersistentRef"
    /// How many items to return.
    public nonisolated(unsafe) let kSecMatchLimit: CFString = "m_Limit"
    /// The first item.
    public nonisolated(unsafe) let kSecMatchLimitOne: CFString = "m_LimitOne"
    /// All items, as an array.
    public nonisolated(unsafe) let kSecMatchLimitAll: CFString = "m_LimitAll"
    /// True to ignore case. Without effect.
    public nonisolated(unsafe) let kSecMatchCaseInsensitive: CFString = "m_CaseInsensitive"
    /// Which keychain of a Mac. Without effect.
    public nonisolated(unsafe) let kSecUseDataProtectionKeychain: CFString = "nleg"
    /// The way to ask the user. Without effect.
    public nonisolated(unsafe) let kSecUseAuthenticationUI: CFString = "u_AuthUI"

    // swift-format-ignore: NeverUseImplicitlyUnwrappedOptionals
    /// True, as an object.
    public let kCFBooleanTrue: CFBoolean! = NSNumber(value: true)
    // swift-format-ignore: NeverUseImplicitlyUnwrappedOptionals
    /// False, as an object.
    public let kCFBooleanFalse: CFBoolean! = NSNumber(value: false)
#endif
