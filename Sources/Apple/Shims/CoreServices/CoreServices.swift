// The type constants, which had moved here from MobileCoreServices.
#if os(Linux)
    @_exported public import MobileCoreServices
#endif
