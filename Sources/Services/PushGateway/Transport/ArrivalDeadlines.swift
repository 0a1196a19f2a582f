import NIOCore

/// Ends the requests of a connection that do not come to their end in time.
///
/// There is one timer per connection: to cancel one of many, NIO searches through all that the event loop has. Used on the event loop.
final class ArrivalDeadlines {
    private let eventLoop: any EventLoop
    private let limit: TimeAmount
    private var arriving: [ObjectIdentifier: (handler: HTTP2Stream, deadline: NIODeadline)] = [:]
    private var isScheduled = false

    /// The time that a request may take beyond the limit, so that many of them are looked at together.
    private static let slack = TimeAmount.milliseconds(100)

    /// - Parameter limit: from the first bytes of a request to its last.
    init(_ eventLoop: any EventLoop, _ limit: TimeAmount) {
        self.eventLoop = eventLoop
        self.limit = limit
    }

    /// Sets a request's deadline, unless it has one.
    func begin(_ handler: HTTP2Stream) {
        let key = ObjectIdentifier(handler)
        guard arriving[key] == nil else { return }
        let deadline = eventLoop.now + limit
        arriving[key] = (handler, deadline)
        if !isScheduled { schedule(deadline) }
    }

    /// Removes it.
    func end(_ handler: HTTP2Stream) {
        if !arriving.isEmpty { arriving[ObjectIdentifier(handler)] = nil }
    }

    private func schedule(_ deadline: NIODeadline) {
        isScheduled = true
        let bound = NIOLoopBound(self, eventLoop: eventLoop)
        eventLoop.scheduleTask(deadline: deadline + Self.slack) { bound.value.check() }
    }

    private func check() {
        isScheduled = false
        let now = eventLoop.now
        // Closing one removes it from the list.
        for (handler, deadline) in arriving.values where deadline <= now { handler.deadlinePassed() }
        if let next = arriving.values.lazy.map(\.deadline).min() { schedule(max(next, now)) }
    }
}
