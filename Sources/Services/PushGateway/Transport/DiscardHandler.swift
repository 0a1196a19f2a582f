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

/// Has a connection of HTTP/1.1 end in order when the gateway stops, whoever closes it after its last answer.
final class OrderlyCloseHandler: ChannelOutboundHandler, RemovableChannelHandler {
    typealias OutboundIn = ByteBuffer
    typealias OutboundOut = ByteBuffer

    private let connection: GatewayConnection

    init(_ connection: GatewayConnection) { self.connection = connection }

    func close(context: ChannelHandlerContext, mode: CloseMode, promise: EventLoopPromise<Void>?) {
        guard mode == .all, connection.registry.isStopping, context.channel.isActive else {
            return context.close(mode: mode, promise: promise)
        }
        if let promise { context.channel.closeFuture.cascade(to: promise) }
        connection.end()
    }
}
