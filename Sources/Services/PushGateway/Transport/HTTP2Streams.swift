import NIOCore
import NIOHPACK
import NIOHTTP2
import PushFaults
import PushServices

/// The streams of a connection of HTTP/2: gives each its frames, and opens windows again that requests have used.
///
/// In place of NIO's multiplexer, whose channel for each stream costs more processor time than the delivery of a push.
final class HTTP2Streams: ChannelInboundHandler {
    typealias InboundIn = HTTP2Frame
    typealias OutboundOut = HTTP2Frame

    private let connection: GatewayConnection
    private var context: ChannelHandlerContext?
    private var streams: [HTTP2StreamID: HTTP2Stream] = [:]
    /// Those that have begun since the last end of reading.
    private var begun: [HTTP2Stream] = []
    /// True if something was written that is not flushed.
    private var needsFlush = false
    /// True until everything is read that has come. What is written meanwhile leaves then.
    private var isReading = false

    /// 1 MiB, so that hundreds of requests can come without waiting for the gateway.
    private static let connectionWindow = 1 << 20
    /// RFC 9113, section 6.9.2: the initial one, which the gateway's settings leave as it is.
    private static let streamWindow = 65_535

    init(_ connection: GatewayConnection) { self.connection = connection }

    func handlerAdded(context: ChannelHandlerContext) { self.context = context }

    func handlerRemoved(context: ChannelHandlerContext) {
        self.context = nil
        closeAll()
    }

    func channelInactive(context: ChannelHandlerContext) {
        closeAll()
        context.fireChannelInactive()
    }

    private func closeAll() {
        let open = streams.values
        streams = [:]
        begun = []
        for stream in open { stream.didClose() }
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        isReading = true
        let frame = unwrapInboundIn(data)
        if let stream = streams[frame.streamID] { return stream.receive(frame.payload) }
        guard frame.streamID != .rootStream, case .headers = frame.payload else {
            return context.fireChannelRead(data)
        }
        let stream = HTTP2Stream(frame.streamID, of: self, connection)
        streams[frame.streamID] = stream
        begun.append(stream)
        stream.receive(frame.payload)
    }

    func channelReadComplete(context: ChannelHandlerContext) {
        for stream in begun { stream.readDidEnd() }
        begun.removeAll(keepingCapacity: true)
        isReading = false
        flush()
        context.fireChannelReadComplete()
    }

    func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
        switch event {
        case let event as NIOHTTP2WindowUpdatedEvent: openWindow(event)
        case let event as StreamClosedEvent: streams.removeValue(forKey: event.streamID)?.didClose()
        // Its first frame has said so.
        case is NIOHTTP2StreamCreatedEvent: break
        default: context.fireUserInboundEventTriggered(event)
        }
    }

    func channelWritabilityChanged(context: ChannelHandlerContext) {
        if context.channel.isWritable { connection.didBecomeWritable() }
        context.fireChannelWritabilityChanged()
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        // The client broke a rule of a stream. The connection goes on.
        if let error = error as? NIOHTTP2Errors.StreamError { streams[error.streamID]?.cancel() }
        context.fireErrorCaught(error)
    }

    // MARK: - Called by the streams

    var eventLoop: any EventLoop { connection.channel.eventLoop }

    /// Writes a frame, which leaves with the next flush.
    func write(_ payload: HTTP2Frame.FramePayload, of id: HTTP2StreamID, promise: EventLoopPromise<Void>? = nil) {
        guard let context else {
            promise?.fail(ChannelError.ioOnClosedChannel)
            return
        }
        needsFlush = true
        context.write(wrapOutboundOut(HTTP2Frame(streamID: id, payload: payload)), promise: promise)
    }

    /// Has the frames leave that were written, at the end of reading if it is in progress.
    func flush() { if !isReading { flushNow() } }

    func flushNow() {
        guard needsFlush else { return }
        needsFlush = false
        context?.flush()
    }

    // MARK: - Windows

    /// Bodies are read as they come, so what was used of a window is free at once.
    private func openWindow(_ event: NIOHTTP2WindowUpdatedEvent) {
        guard let window = event.inboundWindowSize else { return }
        let isRoot = event.streamID == .rootStream
        guard isRoot || streams[event.streamID]?.isReceiving == true else { return }
        let target = isRoot ? Self.connectionWindow : Self.streamWindow
        guard let increment = Self.increment(of: window, to: target) else { return }
        write(.windowUpdate(windowSizeIncrement: increment), of: event.streamID)
    }

    /// The number of bytes by which to open a window; nil while more than half of it is left.
    ///
    /// - Parameter window: negative if a change of settings has taken more from it than there was.
    static func increment(of window: Int, to target: Int) -> Int? {
        let increment = min(target - window, Int(Int32.max))
        return increment > 0 && increment >= window ? increment : nil
    }
}

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
    /// Sends a delayed answer.
    private var timer: Scheduled<Void>?
    /// The answer to HEAD has no body.
    private var isHead = false
    /// The watch of an answer that comes bit by bit.
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

    /// Called once, when nothing more can be sent.
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

    /// Gives up the stream, whatever its state, such as one whose request has not come to its end in time.
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

    func willSend(_ answer: Scheduled<Void>) {
        if case .submitted = state, isOpen { timer = answer } else { answer.cancel() }
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

/// The requests of a connection of HTTP/2 that wait because its client has not taken its answers.
///
/// A connection cannot stop reading, as the windows that the client opens come over it. So its requests wait: all of them while too much is
/// unread, and one whose answer may be long until the one before it is composed, because nobody knows how long that will be.
struct StreamTurns<Stream> {
    /// The most unread bytes with which a request is passed on.
    let limit: Int
    /// Bytes of bodies that were sent, and that the client has not taken.
    private(set) var unread = 0
    /// True while a request is being answered whose answer may be long.
    private var isComposing = false
    private var waiting: [(stream: Stream, isLong: Bool)] = []

    init(limit: Int) { self.limit = limit }

    /// True if the client has not taken as much as it must.
    var isBlocked: Bool { unread > limit }

    var isEmpty: Bool { waiting.isEmpty }

    /// Returns true if a request may be passed on now. If not, `next` returns it when it may.
    ///
    /// - Parameters:
    ///   - isLong: true if the answer may be long.
    ///   - isWritable: false if the client does not read from the connection.
    mutating func admits(_ stream: Stream, isLong: Bool, isWritable: Bool) -> Bool {
        guard isWritable, !isBlocked, !(isLong && isComposing) else {
            waiting.append((stream, isLong))
            return false
        }
        if isLong { isComposing = true }
        return true
    }

    /// The answer that may be long is composed, or nobody waits for it.
    mutating func didCompose() { isComposing = false }

    mutating func didSend(_ bytes: Int) { unread += bytes }

    mutating func didTake(_ bytes: Int) { unread -= bytes }

    /// The first request that may be passed on now; nil if there is none.
    mutating func next() -> Stream? {
        guard !isBlocked, let index = waiting.firstIndex(where: { !($0.isLong && isComposing) }) else { return nil }
        let next = waiting.remove(at: index)
        if next.isLong { isComposing = true }
        return next.stream
    }

    /// Forgets the requests of a stream.
    mutating func removeAll(where isGone: (Stream) -> Bool) { waiting.removeAll { isGone($0.stream) } }
}

/// The header block of a request over HTTP/2, checked as RFC 9113 (sections 8.2, 8.3 and 8.5) wants it, apart from the bytes of `:path`.
///
/// NIO's own check resets the stream of a request whose path has a space or a control character, because such a path would be dangerous in
/// HTTP/1.1. Nothing is forwarded here, and a sender that puts a wrong token into the path is to be told so by the service: pushy's mock server
/// answers `BadDeviceToken`.
enum RequestHead {
    /// The request without a body; nil for a block that is malformed.
    static func request(_ fields: HPACKHeaders) -> GatewayRequest? {
        var request = GatewayRequest(method: "", path: "")
        request.headers.reserveCapacity(fields.count)
        var authority: String?
        var seen: Pseudo = []
        var isInHeaders = false
        for (name, value, _) in fields {
            guard name.utf8.first == UInt8(ascii: ":") else {
                guard isValid(name, value) else { return nil }
                isInHeaders = true
                request.headers.append(HeaderField(name, value))
                continue
            }
            let pseudo: Pseudo
            switch name {
            case ":method": (pseudo, request.method) = (.method, value)
            case ":path": (pseudo, request.path) = (.path, value)
            // Some clients send it, some `host`, and some neither.
            case ":authority": (pseudo, authority) = (.authority, value)
            case ":scheme": pseudo = .scheme
            default: return nil
            }
            guard !isInHeaders, seen.insert(pseudo).inserted else { return nil }
            guard pseudo == .path || !value.utf8.contains(where: isSpaceOrControl) else { return nil }
        }
        let isConnect = request.method == "CONNECT"
        guard isConnect ? seen == [.method, .authority] : seen.isSuperset(of: [.method, .scheme, .path]),
            isConnect || !request.path.isEmpty
        else { return nil }
        if let authority, request.header("host") == nil { request.headers.append(HeaderField("host", authority)) }
        return request
    }

    /// True if a block may be trailers: it has no pseudo-headers.
    static func isTrailers(_ fields: HPACKHeaders) -> Bool { fields.allSatisfy { isValid($0.name, $0.value) } }

    private struct Pseudo: OptionSet {
        let rawValue: UInt8
        static let method = Pseudo(rawValue: 1)
        static let path = Pseudo(rawValue: 2)
        static let scheme = Pseudo(rawValue: 4)
        static let authority = Pseudo(rawValue: 8)
    }

    /// True for a header in lower case, without line breaks or NUL in its value, that is not about a connection of HTTP/1.1.
    private static func isValid(_ name: String, _ value: String) -> Bool {
        switch name {
        case "": return false
        case "connection", "transfer-encoding", "proxy-connection", "keep-alive", "upgrade": return false
        case "te" where value != "trailers": return false
        default:
            return name.utf8.allSatisfy(isNameByte)
                && !value.utf8.contains { $0 == 0 || $0 == UInt8(ascii: "\n") || $0 == UInt8(ascii: "\r") }
        }
    }

    /// RFC 9110, section 5.6.2, without capitals.
    private static func isNameByte(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"): true
        default: "!#$%&'*+.^_`|~".utf8.contains(byte)
        }
    }

    private static func isSpaceOrControl(_ byte: UInt8) -> Bool { byte <= UInt8(ascii: " ") || byte == 0x7F }
}
