/// A notification as a sender put it into a frame of APNs' binary interface.
///
/// Source: Apple (archived), "Binary Provider API" and "Legacy Notification Format".
package struct BinaryNotification: Sendable, Equatable {
    /// The first byte of a frame, which says what follows.
    package enum Command: UInt8, Sendable {
        /// A token and a payload.
        case simple = 0
        /// The same after an identifier and an expiry.
        case enhanced = 1
        /// Items in any order, each with its number and length.
        case items = 2
    }

    /// Why a notification is refused that could be read.
    package enum Problem: Sendable, Equatable {
        case missingToken, missingPayload
        /// The token has another length than `tokenBytes`.
        case invalidTokenSize
        /// The priority is neither 10 nor 5.
        case invalidPriority
    }

    /// The length of a token, in bytes.
    package static let tokenBytes = 32

    package var command: Command
    /// The sender's name for it, which comes back in an error; 0 if it has none.
    package var identifier: UInt32 = 0
    /// Empty if there is none, or if it is too long to be kept.
    package var token: [UInt8] = []
    package var payload: [UInt8] = []
    /// Epoch seconds, 0 not to store the notification; nil if there is none.
    package var expiry: UInt32?
    /// Nil if there is none.
    package var priority: UInt8?
    /// True if the frame has a token, of any length.
    package var hasToken = false

    package init(_ command: Command) { self.command = command }

    /// Its first error; nil for none. The length of the payload is not checked.
    package var problem: Problem? {
        if !hasToken { return .missingToken }
        if token.count != Self.tokenBytes { return .invalidTokenSize }
        if payload.isEmpty { return .missingPayload }
        if let priority, priority != 10, priority != 5 { return .invalidPriority }
        return nil
    }
}
