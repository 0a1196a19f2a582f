#if os(Linux)
    // A test needs one import: the harness, its clock, and Apple's API come along.
    @_exported public import ServiceExtension
    @_exported public import UserNotifications
#endif
