import NIOCore
import NIOHPACK
import NIOHTTP2
import PushFaults
import PushServices

/// One request on a stream of HTTP/2, and its answer.
///
/// Works on frames and not through NIO's codec to HTTP/1, which refuses requests without `:authority` and ends an answer with a frame of its
/// own: clients in use send the former, and lose answers to the latter.
final class HTTP2StreamHandler: ChannelInboundHandler, AnswerHandler {
    typealias InboundIn = HTTP2Frame.FramePayload
    typealias OutboundOut = HTTP2Frame.FramePayload

    let connection: GatewayConnection
    private var context: ChannelHandlerContext?
    private var state = State.idle
    /// Sends an answer later.
    private var timer: Scheduled<Void>?
    /// The answer to HEAD has no body.
    private var isHead = false
    /// Of an answer that comes bit by bit.
    private var watch: ReplyWatch?
    /// Bytes of the body that count as unread until the stream is closed, which it is when its last frame has left.
    private var unread = 0
    private var share: UnreadBytes.Share?
    /// True if the answer may be long, and is not composed.
    private var isComposing = false

    private enum State {
        case idle
        case receiving(ArrivingRequest)
        /// Complete, until the client takes answers to others.
        case waiting(ArrivingRequest, isCut: Bool)
        /// Waiting for the answer. `isCut` if the client has not sent everything.
        case submitted(isCut: Bool)
        case answered
        /// It came after the last stream that is answered.
        case refused
    }

    init(_ connection: GatewayConnection) { self.connection = connection }

    func handlerAdded(context: ChannelHandlerContext) {
        self.context = context
        let id = try? context.channel.syncOptions?.getOption(HTTP2StreamChannelOptions.streamID)
        if connection.streamDidOpen(id.map { Int($0) } ?? 0) {
            connection.registry.beginRequest()
        } else {
            state = .refused
        }
    }

    func handlerRemoved(context: ChannelHandlerContext) {
        self.context = nil
        if case .refused = state { return }
        timer?.cancel()
        connection.deadlines.end(self)
        if case .waiting = state { connection.forget(self) }
        state = .answered
        connection.registry.endRequest()
        connection.streamDidClose()
        watch?.end()
        share = nil
        if unread > 0 { connection.didTake(unread) }
        didCompose()
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        if case .refused = state { return refuse(unwrapInboundIn(data), context) }
        switch unwrapInboundIn(data) {
        case .headers(let frame):
            // The second ones are trailers, which APNs and FCM know nothing of.
            if case .idle = state {
                guard let request = RequestHead.request(frame.headers) else { return reset(context) }
                isHead = request.method == "HEAD"
                state = .receiving(ArrivingRequest(request, on: connection))
            } else if !RequestHead.isTrailers(frame.headers) {
                return reset(context)
            }
            if frame.endStream { submit(isCut: false, context) }
        case .data(let frame):
            guard case .receiving(let arriving) = state, case .byteBuffer(let bytes) = frame.data else { return }
            let goesOn = arriving.append(bytes.readableBytesView)
            if frame.endStream {
                submit(isCut: false, context)
            } else if !goesOn {
                submit(isCut: true, context)
            }
        case .alternativeService, .rstStream, .priority, .settings, .pushPromise, .ping, .goAway, .windowUpdate,
            .origin:
            break
        }
    }

    func channelReadComplete(context: ChannelHandlerContext) {
        // Most requests come whole, and need no deadline.
        if case .receiving = state { connection.deadlines.begin(self) }
        context.fireChannelReadComplete()
    }

    /// Resets a stream that is not answered, so that the client may send its request again. RFC 9113, section 8.7.
    ///
    /// Not before the end of the request: NIO remembers few of the streams that it has reset, and takes frames of others for an error of the
    /// connection.
    private func refuse(_ payload: HTTP2Frame.FramePayload, _ context: ChannelHandlerContext) {
        let isEnd =
            switch payload {
            case .headers(let frame): frame.endStream
            case .data(let frame): frame.endStream
            default: false
            }
        if isEnd { context.writeAndFlush(wrapOutboundOut(.rstStream(.refusedStream)), promise: nil) }
    }

    /// Refuses a malformed request. RFC 9113, section 8.1.1.
    private func reset(_ context: ChannelHandlerContext) {
        if case .receiving = state { connection.deadlines.end(self) }
        state = .answered
        context.writeAndFlush(wrapOutboundOut(.rstStream(.protocolError)), promise: nil)
    }

    private func submit(isCut: Bool, _ context: ChannelHandlerContext) {
        guard case .receiving(let arriving) = state else { return }
        connection.deadlines.end(self)
        let isLong = GatewaySession.isOwn(arriving.request.path)
        guard connection.admits(self, isLong: isLong, isWritable: context.channel.isWritable) else {
            state = .waiting(arriving, isCut: isCut)
            return
        }
        pass(arriving, isLong: isLong, isCut: isCut, context)
    }

    private func pass(_ arriving: ArrivingRequest, isLong: Bool, isCut: Bool, _ context: ChannelHandlerContext) {
        isComposing = isLong
        state = .submitted(isCut: isCut)
        connection.registry.queue.submit(arriving, for: self, on: context.eventLoop)
    }

    /// Passes on the request that waited.
    func resume() {
        guard case .waiting(let arriving, let isCut) = state, let context else { return }
        pass(arriving, isLong: GatewaySession.isOwn(arriving.request.path), isCut: isCut, context)
    }

    private func didCompose() {
        guard isComposing else { return }
        isComposing = false
        connection.didCompose()
    }

    func channelWritabilityChanged(context: ChannelHandlerContext) {
        if case .waiting = state, context.channel.isWritable {
            connection.noteTaken()
            connection.resumeStreams()
        }
        context.fireChannelWritabilityChanged()
    }

    /// The request has not come to its end in time.
    func deadlinePassed() { context?.close(promise: nil) }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        // The client reset the stream, or broke a rule of it. The connection goes on.
        context.close(promise: nil)
    }

    func send(_ part: AnswerPart) {
        // The client may have reset the stream meanwhile.
        guard case .submitted(let isCut) = state, let context else { return }
        // After what is sent counts.
        defer { didCompose() }
        switch part {
        case .whole(let answer):
            if answer.hasValidToken { connection.allowStreams() }
            guard applies(answer.fault, context) else { return }
            // The last frame with something in it ends the stream: clients lose the reason to an empty frame after it.
            let hasBody = !answer.body.isEmpty && !isHead
            sendHead(of: answer, endsStream: !hasBody, context)
            if hasBody {
                share = answer.unread
                if share != nil { connection.watchTaking() }
                sendBody(answer.body, endsStream: true, context)
            }
            if case .goAway(let reason) = answer.fault?.ending {
                context.flush()
                GoAwayHandler.goAway(connection, reason: reason)
            }
        case .begin(let answer):
            sendHead(of: answer, endsStream: isHead, context)
            if !answer.body.isEmpty, !isHead { sendBody(answer.body, endsStream: false, context) }
        case .more(let bytes): if !isHead { sendBody(bytes, endsStream: false, context) }
        case .end: if !isHead { sendBody([], endsStream: true, context) }
        case .cut: return context.writeAndFlush(wrapOutboundOut(.rstStream(.cancel)), promise: nil)
        }
        if part.isLast {
            state = .answered
            watch = nil
            // RFC 9113, section 8.1: the answer is complete, and the rest of the request is not needed.
            // A reset discards what is not yet flushed, so the answer leaves first.
            if isCut {
                context.flush()
                context.write(wrapOutboundOut(.rstStream(.noError)), promise: nil)
            }
        }
        context.flush()
    }

    /// Applies a fault to an answer. Returns true if the answer is sent all the same.
    private func applies(_ fault: TransportFault?, _ context: ChannelHandlerContext) -> Bool {
        switch fault?.ending {
        case .silence: return false
        case .cut:
            connection.cut()
            return false
        case .reset(let code):
            state = .answered
            context.writeAndFlush(wrapOutboundOut(.rstStream(HTTP2ErrorCode(networkCode: code))), promise: nil)
            return false
        case .pause(let milliseconds): connection.pauseReading(milliseconds: milliseconds)
        case .goAway: break  // After the answer: clients send again what is not answered by then.
        case nil: break
        }
        return true
    }

    func send(_ answer: GatewayAnswer, after delay: TimeAmount) {
        guard case .submitted = state, let context else { return }
        let bound = NIOLoopBound(self, eventLoop: context.eventLoop)
        timer = context.eventLoop.scheduleTask(in: delay) { bound.value.send(.whole(answer)) }
    }

    func watch(_ watch: ReplyWatch) {
        self.watch = watch
        if context == nil { watch.end() }
        didCompose()
    }

    private func sendHead(of answer: GatewayAnswer, endsStream: Bool, _ context: ChannelHandlerContext) {
        var headers = HPACKHeaders([(":status", "\(answer.status)")])
        for field in answer.headers { headers.add(name: field.name, value: field.value) }
        context.write(wrapOutboundOut(.headers(.init(headers: headers, endStream: endsStream))), promise: nil)
    }

    private func sendBody(_ bytes: [UInt8], endsStream: Bool, _ context: ChannelHandlerContext) {
        let body = context.channel.allocator.buffer(bytes: bytes)
        let frame = wrapOutboundOut(.data(.init(data: .byteBuffer(body), endStream: endsStream)))
        connection.didSend(bytes.count)
        guard let watch else {
            unread += bytes.count
            return context.write(frame, promise: nil)
        }
        let count = bytes.count
        let bound = NIOLoopBound(connection, eventLoop: context.eventLoop)
        context.write(frame).whenComplete { _ in
            watch.didSend(count)
            bound.value.didTake(count)
        }
    }
}
