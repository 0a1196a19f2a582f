#if os(Linux)
    public import Foundation
    import Glibc

    // The network of a device with a Wi-Fi that is always there.

    /// The state of the way to a host.
    public struct SCNetworkReachabilityFlags: OptionSet, Sendable {
        /// The bits.
        public let rawValue: UInt32
        /// Flags by their bits.
        public init(rawValue: UInt32) { self.rawValue = rawValue }
        /// Over a connection that may have to be made.
        public static let transientConnection = SCNetworkReachabilityFlags(rawValue: 1)
        /// There is a way.
        public static let reachable = SCNetworkReachabilityFlags(rawValue: 2)
        /// A connection has to be made first.
        public static let connectionRequired = SCNetworkReachabilityFlags(rawValue: 4)
        /// A connection is made when it is needed.
        public static let connectionOnTraffic = SCNetworkReachabilityFlags(rawValue: 8)
        /// The user has to do something first.
        public static let interventionRequired = SCNetworkReachabilityFlags(rawValue: 16)
        /// A connection is made when it is asked for.
        public static let connectionOnDemand = SCNetworkReachabilityFlags(rawValue: 32)
        /// Over the mobile network.
        public static let isWWAN = SCNetworkReachabilityFlags(rawValue: 1 << 18)
    }

    /// The way to a host.
    public final class SCNetworkReachability: NSObject, Sendable {}

    // swift-format-ignore: AlwaysUseLowerCamelCase
    /// The way to an address.
    public func SCNetworkReachabilityCreateWithAddress(
        _ allocator: NSObject?, _ address: UnsafePointer<sockaddr>
    ) -> SCNetworkReachability? { SCNetworkReachability() }
    // swift-format-ignore: AlwaysUseLowerCamelCase
    /// The way to a host.
    public func SCNetworkReachabilityCreateWithName(
        _ allocator: NSObject?, _ nodename: UnsafePointer<CChar>
    ) -> SCNetworkReachability? { SCNetworkReachability() }
    // swift-format-ignore: AlwaysUseLowerCamelCase
    /// Reachable.
    public func SCNetworkReachabilityGetFlags(
        _ target: SCNetworkReachability, _ flags: UnsafeMutablePointer<SCNetworkReachabilityFlags>
    ) -> Bool {
        flags.pointee = .reachable
        return true
    }

    extension sockaddr_in {
        // swift-format-ignore: AlwaysUseLowerCamelCase
        /// The length, which addresses of Linux do not have.
        public var sin_len: UInt8 {
            get { UInt8(MemoryLayout<sockaddr_in>.size) }
            set { _ = newValue }
        }
    }
#endif
