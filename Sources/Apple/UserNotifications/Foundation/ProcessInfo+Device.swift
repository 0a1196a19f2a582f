#if os(Linux)
    import Dispatch
    public import Foundation

    /// The state of the device: it is cool, and its battery is full.
    extension ProcessInfo {
        /// How hot a device is.
        public enum ThermalState: Int, Sendable {
            /// As usual.
            case nominal
            /// Slightly warm.
            case fair
            /// Hot.
            case serious
            /// Too hot.
            case critical
        }

        /// Nominal.
        public var thermalState: ThermalState { .nominal }
        /// Off.
        public var isLowPowerModeEnabled: Bool { false }

        /// Runs a closure on another thread. It is never told that its time is over.
        public func performExpiringActivity(
            withReason reason: String, using block: @escaping @Sendable (_ expired: Bool) -> Void
        ) {
            DispatchQueue.global().async { block(false) }
        }

        /// The wishes of a process while an activity lasts. Without effect.
        public struct ActivityOptions: OptionSet, Sendable {
            /// The bits.
            public let rawValue: UInt64
            /// Options by their bits.
            public init(rawValue: UInt64) { self.rawValue = rawValue }
            /// An activity that the user waits for.
            public static let userInitiated = ActivityOptions(rawValue: 0xFFFFFF)
            /// An activity that nobody waits for.
            public static let background = ActivityOptions(rawValue: 0xFF)
        }

        /// Begins an activity. Without effect.
        public func beginActivity(options: ActivityOptions = [], reason: String) -> any NSObjectProtocol { NSObject() }
        /// Ends an activity. Without effect.
        public func endActivity(_ activity: any NSObjectProtocol) {}
    }

    /// Makes `ProcessInfo()` the process's own object, as good as one of its own: Foundation for Linux lets nobody make one.
    public protocol ProcessInfoMaking {}

    extension ProcessInfoMaking where Self == ProcessInfo {
        /// The process's own object.
        public init() { self = .processInfo }
    }

    extension ProcessInfo: ProcessInfoMaking {}

    // swift-format-ignore: AlwaysUseLowerCamelCase
    /// Ticks since the machine started: nanoseconds.
    public func mach_absolute_time() -> UInt64 { DispatchTime.now().uptimeNanoseconds }
#endif
