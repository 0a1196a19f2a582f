#if os(Linux)
    /// Changes the content of a notification by an object of the system's: the requirement that Apple's protocol hides. The intents of
    /// the module `Intents` have it, and no app can.
    package protocol ContentUpdating: UNNotificationContentProviding {
        /// Changes the content, on the thread of the call.
        ///
        /// - Throws: `UNError.contentProvidingInvalid` when something that it needs is missing.
        func update(_ content: UNMutableNotificationContent) throws
    }
#endif
