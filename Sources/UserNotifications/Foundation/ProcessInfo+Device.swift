#if os(Linux)
    public import Foundation

    /// What a device tells of itself: it is cool, and its battery is full.
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
    }
#endif
