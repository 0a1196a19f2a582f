// The SDK's module before its version 5, whose class for extensions was that for apps.
#if os(Linux)
    @_exported public import OneSignalExtension

    /// The stand-in by its earlier name.
    public typealias OneSignal = OneSignalExtension
#endif
