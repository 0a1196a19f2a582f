import NIOCore
import NIOHTTP2
import PushModel
import PushServices

/// Ends a connection of HTTP/2 in order: says why, as APNs does, answers what was taken, and refuses the rest.
///
/// NIO's manager decides when. Its GOAWAY frames go past NIO's HTTP/2 handler: once that has written one, it resets requests that the frame
/// allows, and takes their bodies for an error of the connection. So it sees none, and `HTTP2StreamHandler` refuses the streams that come
/// after the last one that is answered.
///
/// Sources: RFC 9113, section 6.8, for the two frames. Apple, "Sending notification requests to APNs": the frame's data is a JSON dictionary
/// with the key `reason`.
final class GoAwayHandler: ChannelDuplexHandler {
    typealias InboundIn = HTTP2Frame
    typealias OutboundIn = HTTP2Frame
    typealias OutboundOut = HTTP2Frame

    private let connection: GatewayConnection

    init(_ connection: GatewayConnection) { self.connection = connection }

    func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
        let frame = unwrapOutboundIn(data)
        guard case .goAway(let last, let code, nil) = frame.payload, code == .noError else {
            return context.write(wrapOutboundOut(frame), promise: promise)
        }
        promise?.succeed()
        // The last stream may not rise: RFC 9113, section 6.8.
        guard last == .maxID, !connection.refusesStreams else { return refuseMore(context) }
        send(last: Int(last), context)
        // A client that is gone acknowledges nothing, and the second frame follows an acknowledgement.
        let bound = NIOLoopBound((self, context), eventLoop: context.eventLoop)
        context.eventLoop.scheduleTask(in: .seconds(Int64(connection.limits.secondsToFinish))) {
            let (handler, context) = bound.value
            handler.refuseMore(context)
        }
    }

    /// Tells the client that the streams that it has opened are the last ones that are answered. The connection ends once they are.
    private func refuseMore(_ context: ChannelHandlerContext) {
        guard !connection.refusesStreams else { return }
        send(last: connection.lastStream, context)
        connection.refuseStreams()
    }

    /// Writes a GOAWAY frame: RFC 9113, sections 4.1 and 6.8.
    private func send(last: Int, _ context: ChannelHandlerContext) {
        guard let below = try? context.channel.pipeline.syncOperations.context(handlerType: CloseAfterError.self)
        else { return }
        // Nothing else ends a connection that is in order.
        let rejection: Rejection = connection.registry.isStopping ? .shutdown : .idleTimeout
        let data = GatewayAnswer(status: 0, reason: connection.goAwayReason ?? rejection.reason).body
        var frame = context.channel.allocator.buffer(capacity: 17 + data.count)
        // The length is 24 bits, and the type is 7.
        frame.writeInteger(UInt32(8 + data.count) << 8 | 7)
        // No flags; the stream 0.
        frame.writeInteger(UInt8(0))
        frame.writeInteger(UInt32(0))
        frame.writeInteger(UInt32(last))
        // No error.
        frame.writeInteger(UInt32(0))
        frame.writeBytes(data)
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
        guard event is ConnectionEndEvent else { return context.fireUserInboundEventTriggered(event) }
        refuseMore(context)
        connection.end()
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
