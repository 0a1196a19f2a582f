#if os(Linux)
    /// The part of CallKit that service extensions use.
    public enum CXProvider {
        /// Would start the app for a call; calls the closure without an error.
        public static func reportNewIncomingVoIPPushPayload(
            _ payload: [AnyHashable: Any], completion: (((any Error)?) -> Void)? = nil
        ) {
            completion?(nil)
        }

        /// Would start the app for a call.
        public static func reportNewIncomingVoIPPushPayload(_ payload: [AnyHashable: Any]) async throws {}
    }
#endif
