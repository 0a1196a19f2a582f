// Foundation re-exports Security on Apple's systems, so the keychain is in UserNotifications, which every file of an extension sees.
// What is done with keys is here, because it needs the system's libcrypto.
#if os(Linux)
    @_exported public import UserNotifications
#endif
