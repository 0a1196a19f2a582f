import NIOCore

/// Closes a connection whose first bytes do not come in time. Used on its event loop.
final class BeginDeadline {
    private let limit: TimeAmount
    private var timer: Scheduled<Void>?

    private static let lateness = TimeAmount.milliseconds(100)

    /// - Parameter seconds: how long the bytes may take.
    init(seconds: Int) { limit = .seconds(Int64(seconds)) }

    func begin(_ channel: any Channel) {
        let bound = NIOLoopBound(self, eventLoop: channel.eventLoop)
        let due = NIODeadline.now() + limit
        timer = channel.eventLoop.scheduleTask(deadline: due) {
            // A loop that is late has not read what may have come in time.
            if NIODeadline.now() - due > Self.lateness { return bound.value.begin(channel) }
            channel.close(promise: nil)
        }
    }

    func cancel() { timer?.cancel() }

    /// True if an event ends a connection that has not begun: nothing is in flight on it.
    static func isEnd(_ event: Any) -> Bool {
        event is ChannelShouldQuiesceEvent || event as? ChannelEvent == .inputClosed
    }
}
