#if os(Linux)
    import Foundation

    /// Changes the content of a notification by an object of the system's: the requirement that Apple's protocol hides. The intents of
    /// the module `Intents` have it, and no app can.
    package protocol ContentUpdating: UNNotificationContentProviding {
        /// Changes the content, on the thread of the call.
        ///
        /// - Throws: `UNError.contentProvidingInvalid` when something that it needs is missing.
        func update(_ content: UNMutableNotificationContent) throws
    }

    extension UNMutableNotificationContent {
        /// True unless the host says that the app has no communication entitlement: then an intent changes nothing that is shown, and the
        /// sender alone is handed over, for the host's finding.
        private static let mayCommunicate =
            ProcessInfo.processInfo.environment["PUSHPIPE_EXTENSION_COMMUNICATION"] != "no"

        /// Makes this a communication notification.
        ///
        /// - Parameters:
        ///   - group: the name of the group; nil for a message between two people, and a call.
        ///   - image: the sender's picture, as a data URL.
        package func communicate(from sender: String, in group: String? = nil, image: String?) {
            self.sender = sender
            guard Self.mayCommunicate else { return }
            title = sender
            if let group { subtitle = group }
            senderImage = image
        }
    }
#endif
