import NIOCore
import NIOHPACK
import NIOHTTP2
import PushFaults
import PushServices

/// One request on a stream of HTTP/2, and its answer.
///
/// Works on frames and not through NIO's codec to HTTP/1, which refuses requests without `:authority` and ends an answer with a frame of its
/// own: clients in use send the former, and lose answers to the latter.
final class HTTP2Stream: AnswerHandler {
    let connection: GatewayConnection
    private let id: HTTP2StreamID
    private let streams: HTTP2Streams
    private var isOpen = true
    /// False once the client has sent the end of its request.
    private(set) var isReceiving = true
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

    init(_ id: HTTP2StreamID, of streams: HTTP2Streams, _ connection: GatewayConnection) {
        self.id = id
        self.streams = streams
        self.connection = connection
        if connection.streamDidOpen(Int(id)) {
            connection.registry.beginRequest()
        } else {
            state = .refused
        }
    }

    /// Nothing more can be sent. Called once.
    func didClose() {
        isOpen = false
        isReceiving = false
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

    func receive(_ payload: HTTP2Frame.FramePayload) {
        switch payload {
        case .headers(let frame):
            if frame.endStream { isReceiving = false }
            receive(frame)
        case .data(let frame):
            if frame.endStream { isReceiving = false }
            receive(frame)
        case .alternativeService, .rstStream, .priority, .settings, .pushPromise, .ping, .goAway, .windowUpdate,
            .origin:
            break
        }
    }

    private func receive(_ frame: HTTP2Frame.FramePayload.Headers) {
        switch state {
        case .refused:
            if frame.endStream { refuse() }
            return
        case .idle:
            guard let request = RequestHead.request(frame.headers) else { return reset() }
            isHead = request.method == "HEAD"
            state = .receiving(ArrivingRequest(request, on: connection))
        case .receiving, .waiting, .submitted, .answered:
            // The second ones are trailers, which APNs and FCM know nothing of.
            if !RequestHead.isTrailers(frame.headers) { return reset() }
        }
        if frame.endStream { submit(isCut: false) }
    }

    private func receive(_ frame: HTTP2Frame.FramePayload.Data) {
        if case .refused = state {
            if frame.endStream { refuse() }
            return
        }
        guard case .receiving(let arriving) = state, case .byteBuffer(let bytes) = frame.data else { return }
        let goesOn = arriving.append(bytes.readableBytesView)
        if frame.endStream {
            submit(isCut: false)
        } else if !goesOn {
            submit(isCut: true)
        }
    }

    /// Everything that came with the beginning of the request has been received.
    func readDidEnd() {
        // Most requests come whole, and need no deadline.
        if case .receiving = state { connection.deadlines.begin(self) }
    }

    /// Resets a stream that is not answered, so that the client may send its request again. RFC 9113, section 8.7.
    ///
    /// Not before the end of the request: NIO remembers few of the streams that it has reset, and takes frames of others for an error of the
    /// connection.
    private func refuse() {
        write(.rstStream(.refusedStream))
        flush()
    }

    /// Refuses a malformed request. RFC 9113, section 8.1.1.
    private func reset() {
        if case .receiving = state { connection.deadlines.end(self) }
        state = .answered
        write(.rstStream(.protocolError))
        flush()
    }

    /// Gives up the stream, whatever its state.
    func cancel() {
        guard isOpen else { return }
        write(.rstStream(.cancel))
        flush()
    }

    private func submit(isCut: Bool) {
        guard case .receiving(let arriving) = state else { return }
        connection.deadlines.end(self)
        let isLong = GatewaySession.isOwn(arriving.request.path)
        guard connection.admits(self, isLong: isLong) else {
            state = .waiting(arriving, isCut: isCut)
            return
        }
        pass(arriving, isLong: isLong, isCut: isCut)
    }

    private func pass(_ arriving: ArrivingRequest, isLong: Bool, isCut: Bool) {
        isComposing = isLong
        state = .submitted(isCut: isCut)
        connection.registry.queue.submit(arriving, for: self, on: streams.eventLoop)
    }

    /// Passes on the request that waited.
    func resume() {
        guard case .waiting(let arriving, let isCut) = state else { return }
        pass(arriving, isLong: GatewaySession.isOwn(arriving.request.path), isCut: isCut)
    }

    private func didCompose() {
        guard isComposing else { return }
        isComposing = false
        connection.didCompose()
    }

    /// The request has not come to its end in time.
    func deadlinePassed() { cancel() }

    private func write(_ payload: HTTP2Frame.FramePayload) { streams.write(payload, of: id) }

    func flush() { streams.flush() }

    func send(_ part: AnswerPart) {
        // The client may have reset the stream meanwhile.
        guard case .submitted(let isCut) = state, isOpen else { return }
        // After what is sent counts.
        defer { didCompose() }
        switch part {
        case .whole(let answer):
            if answer.hasValidToken { connection.allowStreams() }
            guard applies(answer.fault) else { return }
            // The last frame with something in it ends the stream: clients lose the reason to an empty frame after it.
            let hasBody = !answer.body.isEmpty && !isHead
            sendHead(of: answer, endsStream: !hasBody)
            if hasBody {
                share = answer.unread
                if share != nil { connection.watchTaking() }
                sendBody(answer.body, endsStream: true)
            }
            if case .goAway(let reason) = answer.fault?.ending {
                streams.flushNow()
                GoAwayHandler.goAway(connection, reason: reason)
            }
        case .begin(let answer):
            sendHead(of: answer, endsStream: isHead)
            if !answer.body.isEmpty, !isHead { sendBody(answer.body, endsStream: false) }
        case .more(let bytes): if !isHead { sendBody(bytes, endsStream: false) }
        case .end: if !isHead { sendBody([], endsStream: true) }
        case .cut:
            // As below.
            streams.flushNow()
            return write(.rstStream(.cancel))
        }
        if part.isLast {
            state = .answered
            watch = nil
            // RFC 9113, section 8.1: the answer is complete, and the rest of the request is not needed.
            // A reset discards what is not yet flushed, so the answer leaves first.
            if isCut {
                streams.flushNow()
                write(.rstStream(.noError))
            }
        }
    }

    /// Applies a fault to an answer. Returns true if the answer is sent all the same.
    private func applies(_ fault: TransportFault?) -> Bool {
        switch fault?.ending {
        case .silence: return false
        case .cut:
            connection.cut()
            return false
        case .reset(let code):
            state = .answered
            write(.rstStream(HTTP2ErrorCode(networkCode: code)))
            return false
        case .pause(let milliseconds): connection.pauseReading(milliseconds: milliseconds)
        case .goAway: break  // After the answer: clients send again what is not answered by then.
        case nil: break
        }
        return true
    }

    func send(_ answer: GatewayAnswer, after delay: TimeAmount) {
        guard case .submitted = state, isOpen else { return }
        let bound = NIOLoopBound(self, eventLoop: streams.eventLoop)
        timer = streams.eventLoop.scheduleTask(in: delay) {
            bound.value.send(.whole(answer))
            bound.value.flush()
        }
    }

    func watch(_ watch: ReplyWatch) {
        self.watch = watch
        if !isOpen { watch.end() }
        didCompose()
    }

    private func sendHead(of answer: GatewayAnswer, endsStream: Bool) {
        var headers = HPACKHeaders()
        headers.reserveCapacity(answer.headers.count + 1)
        headers.add(name: ":status", value: "\(answer.status)")
        for field in answer.headers {
            // Nearly all others differ with every answer, and would push what repeats out of the table.
            headers.add(
                name: field.name, value: field.value,
                indexing: field.name == "content-type" ? .indexable : .nonIndexable)
        }
        write(.headers(.init(headers: headers, endStream: endsStream)))
    }

    private func sendBody(_ bytes: [UInt8], endsStream: Bool) {
        let body = connection.channel.allocator.buffer(bytes: bytes)
        let frame = HTTP2Frame.FramePayload.data(.init(data: .byteBuffer(body), endStream: endsStream))
        let count = bytes.count
        connection.didSend(count)
        guard let watch else {
            unread += count
            return write(frame)
        }
        let promise = streams.eventLoop.makePromise(of: Void.self)
        let bound = NIOLoopBound(connection, eventLoop: streams.eventLoop)
        promise.futureResult.whenComplete { _ in
            watch.didSend(count)
            bound.value.didTake(count)
        }
        streams.write(frame, of: id, promise: promise)
    }
}
