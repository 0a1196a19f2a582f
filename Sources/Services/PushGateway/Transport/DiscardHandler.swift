import NIOCore

/// Reads and discards what a client sends after the last answer, until the client closes the connection.
///
/// Bytes that nobody reads would have the system end the connection with a reset, at which clients lose what they have not read yet.
final class DiscardHandler: ChannelInboundHandler {
    typealias InboundIn = ByteBuffer

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {}

    func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
        if event as? ChannelEvent == .inputClosed { return context.close(promise: nil) }
        context.fireUserInboundEventTriggered(event)
    }
}
