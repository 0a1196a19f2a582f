// Foundation re-exports Security on Apple's systems, so the keychain is in UserNotifications, which every file of an extension sees.
#if os(Linux)
    @_exported public import UserNotifications
#endif
