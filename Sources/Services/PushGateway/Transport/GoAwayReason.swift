import NIOCore
import NIOHTTP2
import PushModel
import PushServices

/// Adds the reason to the frame that ends a connection, as APNs does.
///
/// Source: Apple, "Sending notification requests to APNs": the frame's data is a JSON dictionary with the key `reason`.
final class GoAwayReason: ChannelOutboundHandler {
    typealias OutboundIn = HTTP2Frame
    typealias OutboundOut = HTTP2Frame

    private let connection: GatewayConnection

    init(_ connection: GatewayConnection) { self.connection = connection }

    func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
        var frame = unwrapOutboundIn(data)
        if case .goAway(let last, let code, nil) = frame.payload, code == .noError {
            // Nothing else ends a connection that is in order.
            let rejection: Rejection = connection.registry.isStopping ? .shutdown : .idleTimeout
            let reason = connection.goAwayReason ?? rejection.reason
            frame.payload = .goAway(lastStreamID: last, errorCode: code, opaqueData: Self.data(reason, context))
            // A client that is gone answers nothing.
            let bound = NIOLoopBound(connection, eventLoop: context.eventLoop)
            context.eventLoop.scheduleTask(in: .seconds(Int64(connection.limits.secondsToFinish))) {
                bound.value.closeWhenIdle()
            }
        }
        context.write(wrapOutboundOut(frame), promise: promise)
    }

    private static func data(_ reason: String, _ context: ChannelHandlerContext) -> ByteBuffer {
        context.channel.allocator.buffer(bytes: GatewayAnswer(status: 0, reason: reason).body)
    }

    /// Tells the client that the connection goes away, and that the streams that it has opened are the last ones that are answered. The
    /// connection closes once they are.
    static func goAway(_ connection: GatewayConnection, reason: String) {
        connection.goAwayReason = reason
        guard let context = try? connection.channel.pipeline.syncOperations.context(handlerType: GoAwayReason.self)
        else { return }
        let payload = HTTP2Frame.FramePayload.goAway(
            lastStreamID: HTTP2StreamID(connection.lastStream), errorCode: .noError, opaqueData: data(reason, context))
        context.writeAndFlush(NIOAny(HTTP2Frame(streamID: .rootStream, payload: payload)), promise: nil)
        connection.closeWhenIdle()
    }
}
