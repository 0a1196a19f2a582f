import NIOCore
import NIOTLS
import PushFaults
import PushServices

/// A connection of the feedback service: sends the invalid tokens as soon as TLS has begun, and closes.
///
/// Tokens count as reported when they are written. Without TLS that is not enough, because a client that says nothing may have
/// hung up, or be slow to begin TLS: there it has to close the connection after that, and to send nothing before.
final class FeedbackHandler: ChannelInboundHandler, RemovableChannelHandler, AnswerHandler {
    typealias InboundIn = ByteBuffer
    typealias OutboundOut = ByteBuffer

    let connection: GatewayConnection
    private let state = BinaryConnection()
    private let isSecure: Bool
    private let deadline: ConnectionDeadline
    private var context: ChannelHandlerContext?
    private var isAsked = false
    /// True if a client without TLS has sent something, or its end, before the tokens were written.
    private var hasSpoken = false
    /// True if the tokens are written. A client without TLS has to close the connection then.
    private var isWritten = false
    /// Ends the wait for that.
    private var timer: Scheduled<Void>?

    init(_ connection: GatewayConnection, isSecure: Bool) {
        self.connection = connection
        self.isSecure = isSecure
        deadline = ConnectionDeadline(connection.channel)
    }

    func handlerAdded(context: ChannelHandlerContext) {
        self.context = context
        deadline.set(seconds: isSecure ? connection.limits.secondsToBegin : connection.limits.secondsToReceive)
        if !isSecure { ask() }
    }

    func handlerRemoved(context: ChannelHandlerContext) {
        self.context = nil
        if !isWritten { state.fail() }
        deadline.cancel()
        timer?.cancel()
    }

    private func ask() {
        guard !isAsked, let context else { return }
        isAsked = true
        let request = GatewayRequest(.feedback, over: state, from: connection.sender)
        guard connection.registry.queue.submit(request, Reply(self, on: context.eventLoop)) else {
            return context.close(promise: nil)
        }
        connection.registry.beginRequest()
    }

    // MARK: - The answer

    func send(_ part: AnswerPart) {
        connection.registry.endRequest()
        guard let context, case .whole(let answer) = part else { return }
        switch answer.fault?.ending {
        case .cut, .reset:
            state.fail()
            return connection.cut()
        case .silence: return state.fail()
        case .goAway, .pause, nil: break
        }
        guard answer.status == 0, !answer.body.isEmpty else { return context.close(promise: nil) }
        let bound = NIOLoopBound((self, context), eventLoop: context.eventLoop)
        let write = context.writeAndFlush(wrapOutboundOut(context.channel.allocator.buffer(bytes: answer.body)))
        write.whenSuccess { bound.value.0.didWrite() }
        write.whenFailure { _ in bound.value.1.close(promise: nil) }
    }

    private func didWrite() {
        guard let context else { return }
        isWritten = true
        if isSecure { return context.close(promise: nil) }
        if hasSpoken || connection.registry.isStopping { return fail() }
        let bound = NIOLoopBound(self, eventLoop: context.eventLoop)
        let limit = TimeAmount.seconds(Int64(connection.limits.secondsToFinish))
        timer = context.eventLoop.scheduleTask(in: limit) { bound.value.fail() }
        // With both sides ended, NIO closes the connection: without an error, if the client has closed it.
        context.close(mode: .output).whenFailure { _ in bound.value.fail() }
    }

    /// Closes the connection. The tokens count as not reported.
    private func fail() {
        state.fail()
        context?.close(promise: nil)
    }

    // MARK: - What the client does

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        guard !isSecure else { return }
        hasSpoken = true
        if isWritten { fail() }
    }

    func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
        if case .handshakeCompleted? = event as? TLSUserEvent {
            connection.readCertificate()
            deadline.set(seconds: connection.limits.secondsToReceive)
            ask()
        } else if event as? ChannelEvent == .inputClosed {
            hasSpoken = true
        } else if event is ChannelShouldQuiesceEvent, !isAsked || isWritten {
            context.close(promise: nil)
        }
        context.fireUserInboundEventTriggered(event)
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        if isSecure, isWritten { context.close(promise: nil) } else { fail() }
    }
}

/// The beginning of a connection of the feedback service. A client of TLS speaks first, and one without it says nothing: it is
/// served when the time is over in which TLS has to begin, or when it ends its output.
final class FeedbackSniffer: ChannelInboundHandler, RemovableChannelHandler {
    typealias InboundIn = ByteBuffer
    typealias InboundOut = ByteBuffer

    private let silence: TimeAmount
    /// Adds the handlers after this one.
    private let configure: (ProtocolDetector.Result, any Channel) throws -> Void
    private var timer: Scheduled<Void>?

    /// - Parameter silence: how long a client of TLS may take to its first byte.
    init(silence: TimeAmount, configure: @escaping (ProtocolDetector.Result, any Channel) throws -> Void) {
        self.silence = silence
        self.configure = configure
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
        if event as? ChannelEvent == .inputClosed { return begin(.http1, context, event: event) }
        if event is ChannelShouldQuiesceEvent { return context.close(promise: nil) }
        context.fireUserInboundEventTriggered(event)
    }

    /// - Parameters:
    ///   - bytes: those that have come.
    ///   - event: the one that has come.
    private func begin(
        _ result: ProtocolDetector.Result, _ context: ChannelHandlerContext, _ bytes: ByteBuffer? = nil,
        event: Any? = nil
    ) {
        do {
            try configure(result, context.channel)
        } catch {
            return context.close(promise: nil)
        }
        if let bytes {
            context.fireChannelRead(wrapInboundOut(bytes))
            context.fireChannelReadComplete()
        }
        if let event { context.fireUserInboundEventTriggered(event) }
        context.pipeline.syncOperations.removeHandler(context: context, promise: nil)
    }
}
