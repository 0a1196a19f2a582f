import NIOCore
import NIOHTTP2

/// Adds the reason to the frame that ends a connection, as APNs does.
///
/// Source: Apple, "Sending notification requests to APNs": the frame's data is a JSON dictionary with the key `reason`.
final class GoAwayReason: ChannelOutboundHandler {
    typealias OutboundIn = HTTP2Frame
    typealias OutboundOut = HTTP2Frame

    func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
        var frame = unwrapOutboundIn(data)
        if case .goAway(let last, let code, nil) = frame.payload, code == .noError {
            frame.payload = .goAway(
                lastStreamID: last, errorCode: code,
                opaqueData: context.channel.allocator.buffer(string: "{\"reason\":\"Shutdown\"}"))
        }
        context.write(wrapOutboundOut(frame), promise: promise)
    }
}
