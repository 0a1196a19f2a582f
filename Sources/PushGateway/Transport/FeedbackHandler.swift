import NIOCore
import NIOTLS
import PushFaults

/// A connection of the feedback service: tells what there is to tell as soon as TLS has begun, and closes.
final class FeedbackHandler: ChannelInboundHandler, RemovableChannelHandler, AnswerHandler {
    typealias InboundIn = ByteBuffer
    typealias OutboundOut = ByteBuffer

    let connection: GatewayConnection
    private let isSecure: Bool
    private let deadline: ConnectionDeadline
    private var context: ChannelHandlerContext?
    private var isAsked = false

    init(_ connection: GatewayConnection, isSecure: Bool) {
        (self.connection, self.isSecure) = (connection, isSecure)
        deadline = ConnectionDeadline(connection.channel)
    }

    func handlerAdded(context: ChannelHandlerContext) {
        self.context = context
        deadline.set(seconds: isSecure ? connection.limits.secondsToBegin : connection.limits.secondsToReceive)
        if !isSecure { ask() }
    }

    func handlerRemoved(context: ChannelHandlerContext) {
        self.context = nil
        deadline.cancel()
    }

    private func ask() {
        guard !isAsked, let context else { return }
        isAsked = true
        let request = GatewayRequest(.feedback, over: BinaryConnection(), from: connection.sender)
        guard connection.registry.queue.submit(request, Reply(self, on: context.eventLoop)) else {
            return context.close(promise: nil)
        }
        connection.registry.beginRequest()
    }

    func send(_ part: AnswerPart) {
        connection.registry.endRequest()
        guard let context, case .whole(let answer) = part else { return }
        switch answer.fault?.ending {
        case .cut, .reset: return connection.cut()
        case .silence: return
        case .goAway, .pause, nil: break
        }
        let bound = NIOLoopBound(context, eventLoop: context.eventLoop)
        let bytes = context.channel.allocator.buffer(bytes: answer.status == 0 ? answer.body : [])
        context.writeAndFlush(wrapOutboundOut(bytes)).whenComplete { _ in bound.value.close(promise: nil) }
    }

    /// Clients have nothing to say.
    func channelRead(context: ChannelHandlerContext, data: NIOAny) {}

    func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
        if case .handshakeCompleted? = event as? TLSUserEvent {
            connection.readCertificate()
            deadline.set(seconds: connection.limits.secondsToReceive)
            ask()
        } else if event is ChannelShouldQuiesceEvent, !isAsked {
            context.close(promise: nil)
        }
        context.fireUserInboundEventTriggered(event)
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) { context.close(promise: nil) }
}

/// The beginning of a connection of the feedback service. A client of TLS speaks first, and one without it says nothing: it is told what it
/// came for when it has been silent for a moment.
final class FeedbackSniffer: ChannelInboundHandler, RemovableChannelHandler {
    typealias InboundIn = ByteBuffer
    typealias InboundOut = ByteBuffer

    private let silence: TimeAmount
    /// Adds the handlers after this one.
    private let configure: (ProtocolDetector.Result, any Channel) throws -> Void
    private var timer: Scheduled<Void>?

    /// - Parameter silence: how long a client of TLS may take to its first byte.
    init(silence: TimeAmount, configure: @escaping (ProtocolDetector.Result, any Channel) throws -> Void) {
        (self.silence, self.configure) = (silence, configure)
    }

    func handlerAdded(context: ChannelHandlerContext) {
        let bound = NIOLoopBound((self, context), eventLoop: context.eventLoop)
        timer = context.eventLoop.scheduleTask(in: silence) { bound.value.0.begin(.http1, bound.value.1) }
    }

    func handlerRemoved(context: ChannelHandlerContext) { timer?.cancel() }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        let bytes = unwrapInboundIn(data)
        let isTLS = ProtocolDetector.detect(bytes.readableBytesView.prefix(1), acceptsTLS: true) == .tls
        begin(isTLS ? .tls : .http1, context, bytes)
    }

    func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
        if event as? ChannelEvent == .inputClosed { return begin(.http1, context) }
        if event is ChannelShouldQuiesceEvent { return context.close(promise: nil) }
        context.fireUserInboundEventTriggered(event)
    }

    private func begin(_ result: ProtocolDetector.Result, _ context: ChannelHandlerContext, _ bytes: ByteBuffer? = nil)
    {
        do {
            try configure(result, context.channel)
        } catch {
            return context.close(promise: nil)
        }
        if let bytes {
            context.fireChannelRead(wrapInboundOut(bytes))
            context.fireChannelReadComplete()
        }
        context.pipeline.syncOperations.removeHandler(context: context, promise: nil)
    }
}
