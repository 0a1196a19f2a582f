import NIOCore
import NIOTLS
import PushFaults
import PushFraming
import PushServices

/// A connection of the binary interface: reads notifications, and sends the one error that ends it.
///
/// Nothing is sent for a notification that is accepted, so a sender is slowed down by its socket alone: nothing is read while many
/// notifications of the connection wait for the pipeline.
final class BinaryHandler: ChannelDuplexHandler, RemovableChannelHandler, AnswerHandler {
    typealias InboundIn = ByteBuffer
    typealias OutboundIn = ByteBuffer
    typealias OutboundOut = ByteBuffer

    /// How long to wait until there is room in the queue again.
    private static let pause = TimeAmount.milliseconds(10)

    let connection: GatewayConnection
    private let state = BinaryConnection()
    private let deadline: ConnectionDeadline
    private var context: ChannelHandlerContext?
    private var reader = BinaryFrameReader()
    /// Bytes of a frame that the registry counts.
    private var heldBytes = 0
    /// Requests that were read and are not in the queue.
    private var waiting: [GatewayRequest] = []
    /// How many are in the queue, or with the pipeline.
    private var inFlight = 0
    /// True if the socket wants to be read, and is not.
    private var owesRead = false
    private var isRetrying = false
    /// True if an error was sent, or the client is gone: nothing more is read.
    private var isEnding = false
    /// True if the client, or the gateway, sends nothing more.
    private var closesWhenAnswered = false
    /// True if the connection ends with a shutdown once nothing is in flight: what is in flight may be accepted yet.
    private var shutsDownWhenAnswered = false
    private var isHandshaking: Bool

    /// - Parameter isSecure: true if TLS begins first.
    init(_ connection: GatewayConnection, isSecure: Bool) {
        self.connection = connection
        isHandshaking = isSecure
        deadline = ConnectionDeadline(connection.channel)
    }

    private var limits: GatewayLimits { connection.limits }

    func handlerAdded(context: ChannelHandlerContext) {
        self.context = context
        deadline.set(seconds: isHandshaking ? limits.secondsToBegin : limits.secondsIdle)
    }

    func handlerRemoved(context: ChannelHandlerContext) {
        self.context = nil
        isEnding = true
        deadline.cancel()
        hold(0)
    }

    // MARK: - Reading

    /// Reads nothing while much waits. NIO asks again only after the read that it is owed.
    func read(context: ChannelHandlerContext) {
        guard isBusy else { return context.read() }
        owesRead = true
        // The rest of a frame is not late if it is not read.
        deadline.set(seconds: limits.secondsIdle)
    }

    private var isBusy: Bool { !waiting.isEmpty || inFlight >= limits.binaryNotifications }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        guard !isEnding, !shutsDownWhenAnswered, !closesWhenAnswered || !connection.registry.isStopping else { return }
        let hadPart = reader.bufferedBytes > 0
        let events = reader.read(unwrapInboundIn(data).readableBytesView)
        for event in events {
            let content: BinaryRequest.Content =
                switch event {
                case .notification(let notification): .notification(notification)
                case .unreadable(let identifier): .unreadable(identifier: identifier)
                }
            waiting.append(GatewayRequest(content, over: state, from: connection.sender))
        }
        submit()
        guard hold(reader.bufferedBytes) else { return shutDownWhenAnswered() }
        if reader.bufferedBytes == 0 {
            deadline.set(seconds: limits.secondsIdle)
        } else if !hadPart || !events.isEmpty {
            deadline.set(seconds: limits.secondsToReceive)
        }
    }

    /// Counts the bytes of a frame that has not come whole. False if all connections together have too many.
    @discardableResult
    private func hold(_ bytes: Int) -> Bool {
        guard connection.registry.hold(bytes - heldBytes) else { return false }
        heldBytes = bytes
        return true
    }

    /// Puts what was read into the queue, as far as there is room.
    private func submit() {
        var taken = 0
        for request in waiting {
            guard inFlight < limits.binaryNotifications,
                connection.registry.queue.submit(request, Reply(self, on: connection.channel.eventLoop))
            else { break }
            connection.registry.beginRequest()
            inFlight += 1
            taken += 1
        }
        waiting.removeFirst(taken)
        if !waiting.isEmpty, inFlight == 0 { retry() }
    }

    /// The queue has no room, and no answer to this connection will say when it has.
    private func retry() {
        guard !isRetrying else { return }
        isRetrying = true
        let bound = NIOLoopBound(self, eventLoop: connection.channel.eventLoop)
        connection.channel.eventLoop.scheduleTask(in: Self.pause) {
            bound.value.isRetrying = false
            bound.value.proceed()
        }
    }

    /// There may be room for more.
    private func proceed() {
        submit()
        if owesRead, !isBusy {
            owesRead = false
            context?.read()
        }
        if closesWhenAnswered || shutsDownWhenAnswered, inFlight == 0, waiting.isEmpty, !isEnding { finish() }
    }

    // MARK: - Answers

    func send(_ part: AnswerPart) {
        guard case .whole(let answer) = part else { return }
        inFlight -= 1
        connection.registry.endRequest()
        defer { proceed() }
        guard !isEnding else { return }
        switch answer.fault?.ending {
        case .cut, .reset:
            isEnding = true
            return connection.cut()
        case .silence: return
        case .goAway where answer.status == 0: return shutDown()
        case .pause(let milliseconds):
            deadline.set(seconds: limits.secondsIdle)
            connection.pauseReading(milliseconds: milliseconds)
        case .goAway, nil: break
        }
        // Any other is of the gateway, which fails.
        guard answer.status <= Int(UInt8.max) else { return shutDown() }
        if answer.status != 0 { end(with: answer.body) }
    }

    /// Says which notification was the last one that was accepted.
    private func shutDown() {
        state.fail()
        let frame = BinaryError.frame(status: BinaryError.Status.shutdown, identifier: state.lastIdentifier)
        end(with: state.takesErrors ? frame : [])
    }

    /// Reads nothing more, and ends when everything that was read is answered.
    private func shutDownWhenAnswered() {
        shutsDownWhenAnswered = true
        reader = BinaryFrameReader()
        hold(0)
        deadline.set(seconds: limits.secondsIdle)
        proceed()
    }

    /// Sends an error, if there is one to send, and then the end. The client may still be sending: bytes that nobody reads would
    /// have the system take the error back.
    private func end(with frame: [UInt8]) {
        guard !isEnding, let context else { return }
        isEnding = true
        waiting = []
        if !frame.isEmpty {
            context.writeAndFlush(wrapOutboundOut(context.channel.allocator.buffer(bytes: frame)), promise: nil)
        }
        deadline.set(seconds: limits.secondsToFinish)
        let bound = NIOLoopBound(context, eventLoop: context.eventLoop)
        context.close(mode: .output).whenFailure { _ in bound.value.close(promise: nil) }
    }

    /// Everything is answered, and nothing more comes.
    private func finish() {
        if shutsDownWhenAnswered || (connection.registry.isStopping && state.hasBegun) { return shutDown() }
        context?.close(promise: nil)
    }

    // MARK: - The end

    func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
        if case .handshakeCompleted? = event as? TLSUserEvent {
            isHandshaking = false
            connection.readCertificate()
            deadline.set(seconds: limits.secondsIdle)
        } else if event as? ChannelEvent == .inputClosed {
            if isEnding { return context.close(promise: nil) }
            closesWhenAnswered = true
            proceed()
        } else if event is ChannelShouldQuiesceEvent {
            waiting = []
            closesWhenAnswered = true
            proceed()
        }
        context.fireUserInboundEventTriggered(event)
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) { context.close(promise: nil) }
}

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
final class FeedbackSniffer: FirstBytesHandler {
    /// Adds the handlers after this one.
    private let configure: (_ isTLS: Bool, any Channel) throws -> Void

    /// - Parameter silence: how long a client of TLS may take to its first byte, in seconds.
    init(silence: Int, configure: @escaping (_ isTLS: Bool, any Channel) throws -> Void) {
        self.configure = configure
        super.init(seconds: silence)
    }

    override func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        let bytes = unwrapInboundIn(data)
        let isTLS = ProtocolDetector.detect(bytes.readableBytesView.prefix(1), acceptsTLS: true) == .tls
        giveWay(context, bytes) { try configure(isTLS, context.channel) }
    }

    override func clientIsSilent(_ context: ChannelHandlerContext, _ event: Any?) {
        giveWay(context, ByteBuffer(), event: event) { try configure(false, context.channel) }
    }
}
