import NIOCore

/// Closes a connection at a time that is put off as long as something happens. Used on its event loop.
final class ConnectionDeadline {
    private let channel: any Channel
    private var due = NIODeadline.distantFuture
    private var timer: Scheduled<Void>?
    private var timerDue = NIODeadline.distantFuture

    init(_ channel: any Channel) { self.channel = channel }

    /// Sets the time, from now on, in place of the one before. Costs no timer if the new time is later.
    func set(seconds: Int) {
        due = NIODeadline.now() + TimeAmount.seconds(Int64(seconds))
        guard timer == nil || due < timerDue else { return }
        schedule()
    }

    func cancel() {
        timer?.cancel()
        timer = nil
    }

    private func schedule() {
        timer?.cancel()
        timerDue = due
        let bound = NIOLoopBound(self, eventLoop: channel.eventLoop)
        timer = channel.eventLoop.scheduleTask(deadline: due) { bound.value.fire() }
    }

    private func fire() {
        timer = nil
        if due > NIODeadline.now() { schedule() } else { channel.close(promise: nil) }
    }
}

/// A handler of a connection that has not begun: it waits for the first bytes, and closes the connection if they do not come in time. Nothing is
/// in flight on such a connection, so it ends with its client's output, and with the gateway.
class FirstBytesHandler: ChannelInboundHandler, RemovableChannelHandler {
    typealias InboundIn = ByteBuffer
    typealias InboundOut = ByteBuffer

    /// How long the bytes may take.
    private let limit: TimeAmount
    private var timer: Scheduled<Void>?

    private static let lateness = TimeAmount.milliseconds(100)

    init(seconds: Int) { limit = .seconds(Int64(seconds)) }

    func handlerAdded(context: ChannelHandlerContext) {
        let bound = NIOLoopBound((self, context), eventLoop: context.eventLoop)
        let due = NIODeadline.now() + limit
        timer = context.eventLoop.scheduleTask(deadline: due) {
            let (handler, context) = bound.value
            // A loop that is late has not read what may have come in time.
            if NIODeadline.now() - due > FirstBytesHandler.lateness { return handler.handlerAdded(context: context) }
            handler.clientIsSilent(context, nil)
        }
    }

    func handlerRemoved(context: ChannelHandlerContext) { timer?.cancel() }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {}

    func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
        if event is ChannelShouldQuiesceEvent { return context.close(promise: nil) }
        if event as? ChannelEvent == .inputClosed { return clientIsSilent(context, event) }
        context.fireUserInboundEventTriggered(event)
    }

    /// Called when the time is over, and when the client has ended its output.
    ///
    /// - Parameter event: the end of the output; nil at the end of the time.
    func clientIsSilent(_ context: ChannelHandlerContext, _ event: Any?) { context.close(promise: nil) }
}

/// Closes a connection whose client takes nothing of what is sent to it for too long. Used on its event loop.
final class TakingDeadline {
    /// The progress of a client; nil once its connection is gone.
    typealias Progress = () -> (isUnread: Bool, taken: Int)?

    private let channel: any Channel
    /// How long the client may take nothing.
    private let limit: TimeAmount
    private var isRunning = false

    init(_ channel: any Channel, seconds: Int) {
        self.channel = channel
        limit = .seconds(Int64(seconds))
    }

    /// Begins to watch, unless it does already. Ends when everything was taken.
    ///
    /// - Parameter progress: its number grows when something is taken.
    func begin(_ progress: @escaping Progress) {
        guard !isRunning else { return }
        isRunning = true
        schedule(progress)
    }

    /// Bytes that the system has not taken.
    private var unsent: Int { (try? channel.syncOptions?.getOption(.bufferedWritableBytes)) ?? 0 }

    private func schedule(_ progress: @escaping Progress) {
        let before = (taken: progress()?.taken, unsent: unsent)
        let bound = NIOLoopBound((self, progress), eventLoop: channel.eventLoop)
        channel.eventLoop.scheduleTask(in: limit) {
            let (deadline, progress) = bound.value
            guard let now = progress(), now.isUnread || deadline.unsent > 0 else {
                deadline.isRunning = false
                return
            }
            if now.taken == before.taken, deadline.unsent >= before.unsent {
                deadline.channel.close(promise: nil)
            } else {
                deadline.schedule(progress)
            }
        }
    }
}

/// Ends the requests of a connection that do not come to their end in time.
///
/// There is one timer per connection: to cancel one of many, NIO searches through all that the event loop has. Used on the event loop.
final class ArrivalDeadlines {
    private let eventLoop: any EventLoop
    /// How long a request may take from its first bytes to its last.
    private let limit: TimeAmount
    private var arriving: [ObjectIdentifier: (handler: HTTP2Stream, deadline: NIODeadline)] = [:]
    private var isScheduled = false

    /// The time that a request may take beyond the limit, so that many of them are looked at together.
    private static let slack = TimeAmount.milliseconds(100)

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
        for (handler, deadline) in arriving.values where deadline <= now { handler.cancel() }
        if let next = arriving.values.lazy.map(\.deadline).min() { schedule(max(next, now)) }
    }
}
