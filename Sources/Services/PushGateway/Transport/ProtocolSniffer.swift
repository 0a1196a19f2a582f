import NIOCore

/// Waits for the first bytes of a connection, and sets the connection up for what its client speaks.
///
/// ALPN is not looked at. Some clients offer none and speak HTTP/2, and every client of HTTP/2 begins with the same bytes.
final class ProtocolSniffer: ChannelInboundHandler, RemovableChannelHandler {
    typealias InboundIn = ByteBuffer
    typealias InboundOut = ByteBuffer

    private let acceptsTLS: Bool
    private let deadline: BeginDeadline
    /// Adds the handlers of a protocol after this one.
    private let configure: (ProtocolDetector.Result, any Channel) throws -> Void
    private var bytes: ByteBuffer?

    /// - Parameters:
    ///   - acceptsTLS: true if TLS may begin here.
    ///   - seconds: how long the bytes may take.
    init(
        acceptsTLS: Bool, seconds: Int,
        configure: @escaping (ProtocolDetector.Result, any Channel) throws -> Void
    ) {
        self.acceptsTLS = acceptsTLS
        self.configure = configure
        deadline = BeginDeadline(seconds: seconds)
    }

    func handlerAdded(context: ChannelHandlerContext) { deadline.begin(context.channel) }

    func handlerRemoved(context: ChannelHandlerContext) { deadline.cancel() }

    func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
        if BeginDeadline.isEnd(event) { return context.close(promise: nil) }
        context.fireUserInboundEventTriggered(event)
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        var more = unwrapInboundIn(data)
        bytes.setOrWriteBuffer(&more)
        guard let bytes else { return }
        let result = ProtocolDetector.detect(bytes.readableBytesView, acceptsTLS: acceptsTLS)
        guard result != .needsMore else { return }
        do {
            try configure(result, context.channel)
        } catch {
            return context.close(promise: nil)
        }
        self.bytes = nil
        context.fireChannelRead(wrapInboundOut(bytes))
        context.fireChannelReadComplete()
        context.pipeline.syncOperations.removeHandler(context: context, promise: nil)
    }
}
