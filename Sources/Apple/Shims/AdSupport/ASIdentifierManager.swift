#if os(Linux)
    public import Foundation

    /// The device's advertising identifier, as an app gets it that may not track.
    public final class ASIdentifierManager: NSObject, Sendable {
        private static let manager = ASIdentifierManager()

        /// The manager.
        public static func shared() -> ASIdentifierManager { manager }

        /// Zeros.
        public var advertisingIdentifier: UUID { UUID(uuid: (0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0)) }
        /// False.
        public var isAdvertisingTrackingEnabled: Bool { false }
    }
#endif
