import NIOCore

/// Waits for the first bytes of a connection, and sets the connection up for what its client speaks.
///
/// ALPN is not looked at. Some clients offer none and speak HTTP/2, and every client of HTTP/2 begins with the same bytes.
final class ProtocolSniffer: ChannelInboundHandler, RemovableChannelHandler {
    typealias InboundIn = ByteBuffer
    typealias InboundOut = ByteBuffer

    private static let lateness = TimeAmount.milliseconds(100)

    private let acceptsTLS: Bool
    private let deadline: TimeAmount
    /// Adds the handlers of a protocol after this one.
    private let configure: (ProtocolDetector.Result, any Channel) throws -> Void
    private var bytes: ByteBuffer?
    private var timer: Scheduled<Void>?

    /// - Parameters:
    ///   - acceptsTLS: whether TLS may begin here.
    ///   - deadline: how long the bytes may take.
    init(
        acceptsTLS: Bool, deadline: TimeAmount,
        configure: @escaping (ProtocolDetector.Result, any Channel) throws -> Void
    ) {
        (self.acceptsTLS, self.deadline, self.configure) = (acceptsTLS, deadline, configure)
    }

    func handlerAdded(context: ChannelHandlerContext) {
        wait(context.channel)
    }

    private func wait(_ channel: any Channel) {
        let bound = NIOLoopBound(self, eventLoop: channel.eventLoop)
        let due = NIODeadline.now() + deadline
        timer = channel.eventLoop.scheduleTask(deadline: due) {
            // A loop that is late has not read what may have come in time.
            if NIODeadline.now() - due > Self.lateness { return bound.value.wait(channel) }
            channel.close(promise: nil)
        }
    }

    func handlerRemoved(context: ChannelHandlerContext) { timer?.cancel() }

    func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
        // Nothing is in flight on a connection that has not begun.
        if event is ChannelShouldQuiesceEvent || event as? ChannelEvent == .inputClosed {
            return context.close(promise: nil)
        }
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
