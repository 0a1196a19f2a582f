#if os(Linux)
    public import Dispatch

    /// A network interface.
    public struct NWInterface: Hashable, Sendable {
        /// The kind of an interface.
        public enum InterfaceType: Hashable, Sendable {
            /// Something else.
            case other
            /// Wi-Fi.
            case wifi
            /// A cellular network.
            case cellular
            /// A cable.
            case wiredEthernet
            /// The machine itself.
            case loopback
        }

        /// The kind of interface.
        public let type: InterfaceType
        /// Its name.
        public let name: String
        /// Its number.
        public let index: Int
    }

    /// The connection to the network.
    public struct NWPath: Hashable, Sendable {
        /// The state of the connection.
        public enum Status: Hashable, Sendable {
            /// There is one.
            case satisfied
            /// There is none.
            case unsatisfied
            /// There is one once it is asked for.
            case requiresConnection
        }

        /// The state of the connection: always there.
        public var status: Status { .satisfied }
        /// The interfaces: Wi-Fi.
        public var availableInterfaces: [NWInterface] { [NWInterface(type: .wifi, name: "en0", index: 1)] }
        /// True if it costs money, as cellular networks do.
        public var isExpensive: Bool { false }
        /// True if Low Data Mode is on.
        public var isConstrained: Bool { false }
        /// True if IPv4 is routed.
        public var supportsIPv4: Bool { true }
        /// True if IPv6 is routed.
        public var supportsIPv6: Bool { true }
        /// True if there is DNS.
        public var supportsDNS: Bool { true }

        /// True if a kind of interface is in use.
        public func usesInterfaceType(_ type: NWInterface.InterfaceType) -> Bool { type == .wifi }
    }

    /// Tells what the network is. Here it is a Wi-Fi that is always there and never changes, whatever this machine has.
    public final class NWPathMonitor: @unchecked Sendable {
        // Unchecked: as with Apple's, the handler is set before the start.
        /// Called once, after the start, on its queue.
        public var pathUpdateHandler: (@Sendable (NWPath) -> Void)?
        /// The network.
        public var currentPath: NWPath { NWPath() }
        /// The queue that the monitor was started on.
        public private(set) var queue: DispatchQueue?
        private var isCancelled = false

        /// A monitor of all interfaces.
        public init() {}

        /// A monitor of one kind of interface.
        public init(requiredInterfaceType: NWInterface.InterfaceType) {}

        /// Calls the handler.
        public func start(queue: DispatchQueue) {
            self.queue = queue
            queue.async {
                if !self.isCancelled { self.pathUpdateHandler?(self.currentPath) }
            }
        }

        /// Ends the monitor.
        public func cancel() { isCancelled = true }
    }
#endif
