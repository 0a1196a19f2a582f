#if os(Linux)
    public import Foundation

    /// Permission to track, which is denied.
    public final class ATTrackingManager: NSObject, Sendable {
        /// The person's answer.
        public enum AuthorizationStatus: UInt, Sendable {
            /// Nobody has asked.
            case notDetermined
            /// The device does not allow to ask.
            case restricted
            /// No.
            case denied
            /// Yes.
            case authorized
        }

        /// Denied.
        public static var trackingAuthorizationStatus: AuthorizationStatus { .denied }

        /// Asks nobody, and answers that it is denied.
        public static func requestTrackingAuthorization(
            completionHandler completion: @escaping @Sendable (AuthorizationStatus) -> Void
        ) { completion(.denied) }

        /// Asks nobody.
        public static func requestTrackingAuthorization() async -> AuthorizationStatus { .denied }
    }
#endif
