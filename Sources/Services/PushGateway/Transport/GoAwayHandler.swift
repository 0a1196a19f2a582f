import NIOCore
import NIOHTTP2
import PushModel
import PushServices

/// Ends a connection of HTTP/2 in order, when the gateway ends and when nothing has been asked for long: says why, as APNs does, answers what
/// was taken, and refuses the rest.
///
/// The first of two GOAWAY frames allows all streams, and a PING frame follows it. Once that is acknowledged, the client knows that the
/// connection goes away, and the second frame names the last stream that is answered. The frames go past NIO's HTTP/2 handler: once that has
/// written one, it resets requests that the frame allows, and takes their bodies for an error of the connection. So it sees none, and
/// `HTTP2Stream` refuses the streams that come after the last one that is answered.
///
/// Sources: RFC 9113, section 6.8, for the two frames. Apple, "Sending notification requests to APNs": the frame's data is a JSON dictionary
/// with the key `reason`.
final class GoAwayHandler: ChannelDuplexHandler {
    typealias InboundIn = HTTP2Frame
    typealias OutboundIn = HTTP2Frame
    typealias OutboundOut = HTTP2Frame

    private let connection: GatewayConnection
    /// The data of the PING frame, which its acknowledgement repeats.
    private let ping = HTTP2PingData(withInteger: .random(in: 0 ... .max))
    /// True once the first frame was sent.
    private var isLeaving = false
    private var idleTimer: Scheduled<Void>?

    init(_ connection: GatewayConnection) { self.connection = connection }

    func handlerAdded(context: ChannelHandlerContext) { watchIdleness(context, from: .now()) }

    func handlerRemoved(context: ChannelHandlerContext) { idleTimer?.cancel() }

    private var secondsToFinish: TimeAmount { .seconds(Int64(connection.limits.secondsToFinish)) }

    /// Looks once in a while, because to cancel one of many timers, NIO searches through all that the event loop has.
    private func watchIdleness(_ context: ChannelHandlerContext, from start: NIODeadline) {
        let limit = TimeAmount.seconds(Int64(connection.limits.secondsIdle))
        let bound = NIOLoopBound((self, context), eventLoop: context.eventLoop)
        idleTimer = context.eventLoop.scheduleTask(deadline: start + limit) {
            let (handler, context) = bound.value
            let now = NIODeadline.now()
            guard let start = handler.connection.idleSince, start + limit <= now else {
                return handler.watchIdleness(context, from: handler.connection.idleSince ?? now)
            }
            handler.leave(context)
        }
    }

    /// Tells the client that the connection goes away.
    private func leave(_ context: ChannelHandlerContext) {
        guard !isLeaving, !connection.refusesStreams else { return }
        isLeaving = true
        connection.leave()
        send(last: Int(HTTP2StreamID.maxID), context)
        let frame = HTTP2Frame(streamID: .rootStream, payload: .ping(ping, ack: false))
        context.writeAndFlush(wrapOutboundOut(frame), promise: nil)
        // A client that is gone acknowledges nothing.
        let bound = NIOLoopBound((self, context), eventLoop: context.eventLoop)
        context.eventLoop.scheduleTask(in: secondsToFinish) {
            let (handler, context) = bound.value
            handler.refuseMore(context)
        }
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        guard isLeaving, !connection.refusesStreams, case .ping(ping, ack: true) = unwrapInboundIn(data).payload
        else { return }
        refuseMore(context)
        // For the streams that are open.
        let bound = NIOLoopBound(connection, eventLoop: context.eventLoop)
        context.eventLoop.scheduleTask(in: secondsToFinish) { bound.value.end() }
    }

    /// Tells the client that the streams that it has opened are the last ones that are answered. The connection ends once they are.
    private func refuseMore(_ context: ChannelHandlerContext) {
        guard !connection.refusesStreams else { return }
        send(last: connection.lastStream, context)
        connection.refuseStreams()
    }

    /// Writes a GOAWAY frame: RFC 9113, sections 4.1 and 6.8.
    private func send(last: Int, _ context: ChannelHandlerContext) {
        guard let below = try? context.channel.pipeline.syncOperations.context(handlerType: NIOHTTP2Handler.self)
        else { return }
        // Nothing else ends a connection that is in order.
        let rejection: Rejection = connection.registry.isStopping ? .shutdown : .idleTimeout
        let data = GatewayAnswer(status: 0, reason: connection.goAwayReason ?? rejection.reason).body
        var content = ByteBuffer()
        content.writeInteger(UInt32(last))
        // No error.
        content.writeInteger(UInt32(0))
        content.writeBytes(data)
        var frame = ByteBuffer()
        frame.writeFrame(type: 7, stream: 0, &content)
        // What was written before comes before it.
        context.flush()
        below.writeAndFlush(NIOAny(IOData.byteBuffer(frame)), promise: nil)
    }

    /// Has the connection go away for a reason of its own.
    static func goAway(_ connection: GatewayConnection, reason: String) {
        let operations = connection.channel.pipeline.syncOperations
        guard !connection.refusesStreams, let handler = try? operations.handler(type: GoAwayHandler.self),
            let context = try? operations.context(handlerType: GoAwayHandler.self)
        else { return }
        connection.goAwayReason = reason
        handler.refuseMore(context)
    }

    func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
        switch event {
        case is ChannelShouldQuiesceEvent: leave(context)
        // Streams may have been opened since the event was sent. They are answered first.
        case is ConnectionEndEvent: refuseMore(context)
        default: context.fireUserInboundEventTriggered(event)
        }
    }

    /// The connection ends in order, whoever closes it above NIO's handler.
    func close(context: ChannelHandlerContext, mode: CloseMode, promise: EventLoopPromise<Void>?) {
        guard mode == .all, context.channel.isActive else { return context.close(mode: mode, promise: promise) }
        if let promise { context.channel.closeFuture.cascade(to: promise) }
        connection.end()
    }
}

/// Has a connection end on which nothing is in flight, although its client has not acknowledged that it goes away.
struct ConnectionEndEvent: Sendable {}

/// Closes a connection of HTTP/2 after an error of the connection, which NIO's handler reports and leaves to others.
///
/// Source: RFC 9113, section 5.4.1: after the GOAWAY frame for an error, an endpoint must close the connection. Every flood that NIO's limits
/// stop is such an error. Errors of one stream reach the same handlers as those of the connection, so the frame is looked for.
final class CloseAfterError: NIOHTTP2FrameDelegate {
    private let channel: any Channel
    private var isClosing = false

    init(_ channel: any Channel) { self.channel = channel }

    func wroteFrame(_ frame: HTTP2Frame) {
        guard case .goAway(_, let code, _) = frame.payload, code != .noError, !isClosing else { return }
        isClosing = true
        // Once the frame has left the handler.
        channel.eventLoop.execute { [channel] in
            // Below the handlers that end a connection in order.
            guard let below = try? channel.pipeline.syncOperations.context(handlerType: NIOHTTP2Handler.self) else {
                return
            }
            below.flush()
            below.close(promise: nil)
        }
    }
}
