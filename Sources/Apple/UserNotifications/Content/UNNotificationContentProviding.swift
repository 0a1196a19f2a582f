#if os(Linux)
    public import Foundation

    /// An object of the system's that adds to the content of a notification. Has no requirements, and own conformances are not
    /// honoured.
    public protocol UNNotificationContentProviding: NSObjectProtocol {}

    /// How much a notification may disturb.
    public enum UNNotificationInterruptionLevel: UInt, Sendable {
        /// Goes to the list, without a sound or a lit screen.
        case passive = 0
        /// Is shown at once, with its sound.
        case active = 1
        /// Also breaks through a Focus and the scheduled summary.
        case timeSensitive = 2
        /// Also ignores the mute switch.
        case critical = 3
    }
#endif
