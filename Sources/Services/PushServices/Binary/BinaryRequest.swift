package import RecordFraming
import Synchronization

/// A message over the binary interface of APNs, or from a client of its feedback service, in place of a request of HTTP.
package struct BinaryRequest: Sendable, Equatable {
    package enum Content: Sendable, Equatable {
        case notification(BinaryNotification)
        /// An invalid frame. The identifier is 0 if none was read.
        case unreadable(identifier: UInt32)
        /// A client of the feedback service has connected.
        case feedback
    }

    package var content: Content
    package var connection: BinaryConnection

    package static func == (one: Self, other: Self) -> Bool {
        one.content == other.content && one.connection === other.connection
    }
}

/// The state that the pipeline's thread and the event loop of a connection share.
///
/// An error ends a connection, and nothing that follows the rejected notification is delivered. The error is found on the
/// pipeline's thread, when later notifications may be waiting there already.
package final class BinaryConnection: Sendable {
    private struct State {
        var hasFailed = false
        var lastIdentifier: UInt32?
        var takesErrors = true
    }

    private let state = Mutex(State())

    package init() {}

    /// True if nothing of what follows is delivered. Of a client of the feedback service: whether the tokens did not reach it.
    var hasFailed: Bool { state.withLock(\.hasFailed) }

    /// The identifier of the notification that was accepted last; 0 if there is none.
    package var lastIdentifier: UInt32 { state.withLock(\.lastIdentifier) ?? 0 }

    /// True if a notification was accepted.
    package var hasBegun: Bool { state.withLock { $0.lastIdentifier != nil } }

    /// True if the sender is sent errors: not if its last notification had command 0.
    ///
    /// Source: Apple (archived), "Legacy Notification Format": with the legacy format, APNs severs the connection and does not say
    /// why; error responses came with the enhanced format.
    package var takesErrors: Bool { state.withLock(\.takesErrors) }

    /// Takes note of a notification that has come.
    func begin(_ command: BinaryNotification.Command) { state.withLock { $0.takesErrors = command != .simple } }

    package func fail() { state.withLock { $0.hasFailed = true } }

    func accept(_ identifier: UInt32) { state.withLock { $0.lastIdentifier = identifier } }
}

/// The frame with which the binary interface answers, before it closes the connection.
///
/// Source: Apple (archived), "Binary Provider API".
package enum BinaryError {
    /// An error of the connection, and not of a notification.
    package enum Status {
        /// The gateway closes; the identifier is that of the notification that was accepted last.
        package static let shutdown = 10
        /// An invalid frame.
        package static let protocolError = 128
    }

    private static let command: UInt8 = 8

    package static func frame(status: Int, identifier: UInt32) -> [UInt8] {
        [command, UInt8(truncatingIfNeeded: status)]
            + (0..<4).map { UInt8(truncatingIfNeeded: identifier >> (24 - 8 * $0)) }
    }
}
