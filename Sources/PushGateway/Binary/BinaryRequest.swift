package import RecordFraming
import Synchronization

/// What came over the binary interface of APNs, or from a client of its feedback service, in place of a request of HTTP.
package struct BinaryRequest: Sendable, Equatable {
    package enum Content: Sendable, Equatable {
        case notification(BinaryNotification)
        /// Bytes that are no frame. The identifier is 0 if none was read.
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

/// What the pipeline's thread and the event loop of a connection have to know of each other.
///
/// An error ends a connection, and nothing behind the notification with the error is delivered. The error is found on the pipeline's thread,
/// when what is behind it may be waiting there already.
package final class BinaryConnection: Sendable {
    private struct State {
        var hasFailed = false
        var lastIdentifier: UInt32?
    }

    private let state = Mutex(State())

    package init() {}

    /// Whether nothing of what follows is delivered.
    var hasFailed: Bool { state.withLock(\.hasFailed) }

    /// The identifier of the notification that was accepted last; 0 if there is none.
    var lastIdentifier: UInt32 { state.withLock(\.lastIdentifier) ?? 0 }

    /// Whether a notification was accepted.
    var hasBegun: Bool { state.withLock { $0.lastIdentifier != nil } }

    func fail() { state.withLock { $0.hasFailed = true } }

    func accept(_ identifier: UInt32) { state.withLock { $0.lastIdentifier = identifier } }
}

/// The frame with which the binary interface answers, before it closes the connection.
///
/// Source: Apple (archived), "Binary Provider API".
enum BinaryError {
    /// An error of the connection, and not of a notification.
    enum Status {
        /// The gateway closes; the identifier is that of the notification that was accepted last.
        static let shutdown = 10
        /// Bytes that are no frame.
        static let protocolError = 128
    }

    private static let command: UInt8 = 8

    static func frame(status: Int, identifier: UInt32) -> [UInt8] {
        [command, UInt8(truncatingIfNeeded: status)]
            + (0..<4).map { UInt8(truncatingIfNeeded: identifier >> (24 - 8 * $0)) }
    }
}
