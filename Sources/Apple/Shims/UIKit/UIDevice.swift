#if os(Linux)
    public import Foundation

    /// A device like today's iPhones.
    public final class UIDevice: NSObject, Sendable {
        /// The device.
        public static let current = UIDevice()

        /// Its name, which apps do not learn.
        public var name: String { "iPhone" }
        /// The kind of device.
        public var model: String { "iPhone" }
        /// The kind of device.
        public var localizedModel: String { "iPhone" }
        /// Its system.
        public var systemName: String { "iOS" }
        /// The version of its system.
        public var systemVersion: String { "18.0" }
        /// An identifier that every device here has.
        public var identifierForVendor: UUID? { UUID(uuidString: "5E1F0000-0000-4000-8000-000000000001") }
        /// The device's style of interface.
        public var userInterfaceIdiom: UIUserInterfaceIdiom { .phone }
        /// Full.
        public var batteryLevel: Float { 1 }
    }

    /// The styles of interfaces.
    public enum UIUserInterfaceIdiom: Int, Sendable {
        /// Unknown.
        case unspecified = -1
        /// An iPhone.
        case phone
        /// An iPad.
        case pad
        /// A television.
        case tv
        /// A car.
        case carPlay
        /// A Mac.
        case mac = 5
    }
#endif
