import NIOCore
import NIOHPACK
import NIOHTTP1
import PushFaults
import PushServices

/// The requests of a connection of HTTP/1.1, one after the other. `HTTPServerPipelineHandler` lets no second one come before the answer.
final class HTTP1Handler: ChannelInboundHandler, RemovableChannelHandler, AnswerHandler {
    typealias InboundIn = HTTPServerRequestPart
    typealias OutboundOut = HTTPServerResponsePart

    /// Turns the connection into one of HTTP/2, with this as its first request.
    typealias Upgrade = (UpgradedRequest) -> Void

    private enum Phase {
        /// Between two requests.
        case idle
        /// A request has begun to arrive.
        case receiving
        /// The answer is not sent yet.
        case answering
    }

    let connection: GatewayConnection
    /// Nil if the connection may not turn into one of HTTP/2.
    private var upgrade: Upgrade?
    private var context: ChannelHandlerContext?
    private var phase = Phase.idle
    /// Ends a phase that takes too long, or sends a delayed answer.
    private var timer: Scheduled<Void>?
    private var arriving: ArrivingRequest?
    /// Nil if the request does not ask for HTTP/2.
    private var upgradeHead: HTTPRequestHead?
    /// True if the connection stays open after the answer.
    private var isKeptAlive = true
    /// True if the last answer was sent: what comes after it is not read.
    private var isClosing = false
    /// True if a fault rule leaves the request without an answer.
    private var isSilent = false
    /// True if the registry counts a request.
    private var isCounted = false
    private var version = HTTPVersion.http1_1
    /// The answer to HEAD has no body.
    private var isHead = false
    /// The watch of an answer that comes bit by bit.
    private var watch: ReplyWatch?
    /// True if the answer is sent but for its end, after which the next request comes. That waits until the client has taken enough.
    private var isHeld = false

    /// Longer bodies are flushed before it is known how much waits: TLS counts only what is flushed. 16 KiB.
    private static let longBody = 16 << 10

    init(_ connection: GatewayConnection, upgrade: Upgrade?) {
        self.connection = connection
        self.upgrade = upgrade
    }

    func handlerAdded(context: ChannelHandlerContext) {
        self.context = context
        // The first bytes are there.
        enter(.receiving)
    }

    func handlerRemoved(context: ChannelHandlerContext) {
        self.context = nil
        // It holds this handler.
        upgrade = nil
        count(false)
        timer?.cancel()
        watch?.end()
    }

    private func enter(_ phase: Phase) {
        count(phase == .answering || (phase == .receiving && arriving != nil))
        self.phase = phase
        timer?.cancel()
        timer = nil
        guard let context, phase != .answering else { return }
        let seconds = phase == .idle ? connection.limits.secondsIdle : connection.limits.secondsToReceive
        let bound = NIOLoopBound(self, eventLoop: context.eventLoop)
        timer = context.eventLoop.scheduleTask(in: .seconds(Int64(seconds))) { bound.value.giveUp() }
    }

    /// Counts a request that has begun, or counts it no more.
    private func count(_ isRequest: Bool) {
        guard isRequest != isCounted else { return }
        isCounted = isRequest
        if isRequest { connection.registry.beginRequest() } else { connection.registry.endRequest() }
    }

    /// Called when no request comes, or the rest of one does not.
    private func giveUp() {
        guard arriving != nil else { return context?.close(promise: nil) ?? () }
        arriving = nil
        isKeptAlive = false
        enter(.answering)
        send(.whole(GatewayAnswer(status: Int(HTTPResponseStatus.requestTimeout.code))))
    }

    /// Bytes came from the client, whatever is in them.
    func bytesArrived() { if phase == .idle { enter(.receiving) } }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        // RFC 9112, section 9.6.
        guard !isClosing else { return }
        switch unwrapInboundIn(data) {
        case .head(let head): begin(head, context)
        case .body(let bytes):
            guard let arriving, !arriving.append(bytes.readableBytesView) else { return }
            isKeptAlive = false
            submit(context)
        case .end: submit(context)
        }
    }

    private func begin(_ head: HTTPRequestHead, _ context: ChannelHandlerContext) {
        isKeptAlive = head.isKeepAlive
        version = head.version
        isHead = head.method == .HEAD
        // NIO's parser reads nothing after a request that asks for another protocol.
        if head.headers.contains(name: "upgrade") { isKeptAlive = false }
        // RFC 9112, section 3.2.
        guard version != .http1_1 || head.headers["host"].count == 1 else {
            isKeptAlive = false
            enter(.answering)
            return send(.whole(GatewayAnswer(status: Int(HTTPResponseStatus.badRequest.code))))
        }
        upgradeHead = upgrade != nil && UpgradedRequest.isAsked(by: head) ? head : nil
        var request = GatewayRequest(
            method: head.method.rawValue, path: Self.path(head.uri),
            headers: head.headers.map { HeaderField($0.name.lowercased(), Self.trimmed($0.value)) })
        request.isHTTP1 = upgradeHead == nil
        arriving = ArrivingRequest(request, on: connection)
        if phase == .idle { enter(.receiving) } else { count(true) }
        // PHP's curl waits a second for this before it sends a larger body.
        if version == .http1_1, head.headers["expect"].contains(where: { $0.lowercased() == "100-continue" }) {
            context.writeAndFlush(
                wrapOutboundOut(.head(HTTPResponseHead(version: version, status: .continue))), promise: nil)
        }
    }

    /// The path and query of a request's target, which may be a whole address: RFC 9112, section 3.2.2.
    private static func path(_ target: String) -> String {
        let scheme = target.prefix(8).lowercased()
        guard scheme.hasPrefix("http://") || scheme == "https://" else { return target }
        let authority = target.drop { $0 != ":" }.dropFirst(3)
        let path = authority.drop { $0 != "/" && $0 != "?" }
        return path.hasPrefix("/") ? String(path) : "/" + path
    }

    /// A field's value without the blanks around it: RFC 9110, section 5.5.
    private static func trimmed(_ value: String) -> String {
        let isBlank = { (character: Character) in character == " " || character == "\t" }
        guard value.last.map(isBlank) == true || value.first.map(isBlank) == true else { return value }
        let end = value.lastIndex { !isBlank($0) }
        return end.map { String(value[...$0].drop(while: isBlank)) } ?? ""
    }

    private func submit(_ context: ChannelHandlerContext) {
        guard let arriving else { return }
        self.arriving = nil
        if let upgrade, let head = upgradeHead, isWhole(arriving),
            let upgraded = UpgradedRequest(head, body: arriving.request.body)
        {
            timer?.cancel()
            upgradeHead = nil
            let head = HTTPResponseHead(
                version: .http1_1, status: .switchingProtocols, headers: ["connection": "Upgrade", "upgrade": "h2c"])
            context.write(wrapOutboundOut(.head(head)), promise: nil)
            context.writeAndFlush(wrapOutboundOut(.end(nil)), promise: nil)
            return upgrade(upgraded)
        }
        enter(.answering)
        connection.registry.queue.submit(arriving, for: self, on: context.eventLoop)
    }

    private func isWhole(_ arriving: ArrivingRequest) -> Bool {
        arriving.hasRoom && !arriving.request.isTooLarge && !connection.registry.isStopping
    }

    func send(_ part: AnswerPart) {
        guard let context, phase == .answering else { return }
        switch part {
        case .whole(let answer):
            switch answer.fault?.ending {
            case .silence:
                isSilent = true
                if !isKeptAlive { context.close(promise: nil) }
                return
            case .cut, .reset: return connection.cut()
            case .pause(let milliseconds): connection.pauseReading(milliseconds: milliseconds)
            case .goAway: isKeptAlive = false
            case nil: break
            }
            sendHead(of: answer, length: answer.body.count, context)
            sendBody(answer.body, context, answer.unread)
            end(context)
        case .begin(let answer):
            // Without a length, HTTP/1.1 sends the body in chunks, and HTTP/1.0 until the connection closes.
            if version.major == 1, version.minor == 0 { isKeptAlive = false }
            sendHead(of: answer, length: nil, context)
            sendBody(answer.body, context)
            context.flush()
        case .more(let bytes):
            sendBody(bytes, context)
            context.flush()
        case .end: end(context)
        case .cut: context.close(promise: nil)
        }
    }

    func willSend(_ answer: Scheduled<Void>) {
        if context != nil, phase == .answering { timer = answer } else { answer.cancel() }
    }

    func watch(_ watch: ReplyWatch) {
        self.watch = watch
        if context == nil { watch.end() }
    }

    private func sendHead(of answer: GatewayAnswer, length: Int?, _ context: ChannelHandlerContext) {
        var head = HTTPResponseHead(version: version, status: HTTPResponseStatus(statusCode: answer.status))
        for field in answer.headers { head.headers.add(name: field.name, value: field.value) }
        if let length { head.headers.add(name: "content-length", value: "\(length)") }
        if !isKeptAlive {
            head.headers.add(name: "connection", value: "close")
        } else if version.minor == 0 {
            head.headers.add(name: "connection", value: "keep-alive")
        }
        context.write(wrapOutboundOut(.head(head)), promise: nil)
    }

    /// - Parameter unread: released when the system has taken the bytes.
    private func sendBody(_ bytes: [UInt8], _ context: ChannelHandlerContext, _ unread: UnreadBytes.Share? = nil) {
        guard !bytes.isEmpty, !isHead else { return }
        let body = wrapOutboundOut(.body(.byteBuffer(context.channel.allocator.buffer(bytes: bytes))))
        if watch != nil || unread != nil {
            if unread != nil { connection.watchTaking() }
            let (count, watch) = (bytes.count, watch)
            let bound = NIOLoopBound(connection, eventLoop: context.eventLoop)
            context.write(body).whenComplete { _ in
                bound.value.noteTaken()
                withExtendedLifetime(unread) { watch?.didSend(count) }
            }
        } else {
            context.write(body, promise: nil)
        }
        if bytes.count >= Self.longBody { context.flush() }
    }

    func channelWritabilityChanged(context: ChannelHandlerContext) {
        if isHeld, context.channel.isWritable {
            isHeld = false
            connection.noteTaken()
            end(context)
        }
        context.fireChannelWritabilityChanged()
    }

    private func end(_ context: ChannelHandlerContext) {
        watch = nil
        guard context.channel.isWritable else {
            isHeld = true
            context.flush()
            return connection.watchTaking()
        }
        let isKeptAlive = isKeptAlive
        isClosing = !isKeptAlive
        // The next request may come while this is written.
        enter(.idle)
        let bound = NIOLoopBound(connection, eventLoop: context.eventLoop)
        context.writeAndFlush(wrapOutboundOut(.end(nil))).whenComplete { _ in
            if !isKeptAlive { bound.value.end() }
        }
    }

    func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
        if event as? ChannelEvent == .inputClosed {
            // The client sends no more, and may still want its answer. One that has waited or listened is more probably gone.
            if phase != .answering || watch != nil || isSilent { return context.close(promise: nil) }
            isKeptAlive = false
        }
        context.fireUserInboundEventTriggered(event)
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        guard error is HTTPParserError, !connection.registry.isStopping, !isSilent else {
            return context.close(promise: nil)
        }
        if phase == .answering || isClosing {
            // The answer that is due comes first, and is the last one.
            isKeptAlive = false
            return
        }
        arriving = nil
        isClosing = true
        let head = HTTPResponseHead(
            version: .http1_1, status: .badRequest, headers: ["content-length": "0", "connection": "close"])
        context.write(wrapOutboundOut(.head(head)), promise: nil)
        let bound = NIOLoopBound(context, eventLoop: context.eventLoop)
        context.writeAndFlush(wrapOutboundOut(.end(nil))).whenComplete { _ in bound.value.close(promise: nil) }
    }
}

/// Says that bytes have come, before they are parsed.
final class ArrivalNotifier: ChannelInboundHandler, RemovableChannelHandler {
    typealias InboundIn = ByteBuffer
    typealias InboundOut = ByteBuffer

    private let notify: () -> Void

    init(notify: @escaping () -> Void) { self.notify = notify }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        notify()
        context.fireChannelRead(data)
    }
}

/// A request of HTTP/1.1 with which its connection turns into one of HTTP/2 without TLS. Its answer comes on stream 1.
///
/// Source: RFC 7540, section 3.2. RFC 9113 dropped it, but clients such as Java's still use it.
struct UpgradedRequest {
    /// The frames with which a client of HTTP/2 would have sent it.
    let frames: ByteBuffer

    /// Largest body, in bytes: what a client may send before the first update of a window is 65,535.
    static let maximumBody = 65_535
    /// Largest list of fields in one frame, in bytes: RFC 9113, section 4.2, the initial size.
    private static let maximumFrame = 16_384

    /// True if a request asks for HTTP/2, with everything that the upgrade needs.
    static func isAsked(by head: HTTPRequestHead) -> Bool {
        let tokens = head.headers[canonicalForm: "connection"].map { $0.lowercased() }
        return head.version == .http1_1 && head.headers[canonicalForm: "upgrade"].contains("h2c")
            && tokens.contains("upgrade") && tokens.contains("http2-settings")
            && head.headers["http2-settings"].count == 1
    }

    /// Nil if the request is too large for it; then it is answered over HTTP/1.1.
    init?(_ head: HTTPRequestHead, body: [UInt8]) {
        guard body.count <= Self.maximumBody else { return nil }
        var fields = [(":method", head.method.rawValue), (":scheme", "http"), (":path", head.uri)]
        fields += head.headers["host"].map { (":authority", $0) }
        fields += head.headers.map { ($0.name.lowercased(), $0.value) }.filter { !Self.connectionFields.contains($0.0) }
        guard var block = try? Self.encoded(fields), block.readableBytes <= Self.maximumFrame else { return nil }
        var frames = ByteBuffer()
        frames.writeFrame(type: 1, flags: body.isEmpty ? 0x5 : 0x4, stream: 1, &block)
        var rest = ByteBuffer(bytes: body)
        while rest.readableBytes > 0 {
            let isLast = rest.readableBytes <= Self.maximumFrame
            guard var piece = rest.readSlice(length: min(rest.readableBytes, Self.maximumFrame)) else { return nil }
            frames.writeFrame(type: 0, flags: isLast ? 0x1 : 0x0, stream: 1, &piece)
        }
        self.frames = frames
    }

    /// Fields that are about the connection and not about the request, or that HTTP/2 does not have.
    private static let connectionFields: Set = [
        "connection", "upgrade", "http2-settings", "host", "transfer-encoding", "keep-alive", "proxy-connection",
        "content-length", "te", "expect",
    ]

    /// The fields, of which the dynamic table takes none: RFC 7541, section 6.2.2. So the table stays as the client believes it to be.
    private static func encoded(_ fields: [(String, String)]) throws -> ByteBuffer {
        var encoder = HPACKEncoder(allocator: ByteBufferAllocator(), useHuffmanEncoding: false)
        try encoder.beginEncoding(allocator: ByteBufferAllocator())
        for (name, value) in fields { try encoder.appendNonIndexed(header: name, value: value) }
        return try encoder.endEncoding()
    }
}

extension ByteBuffer {
    /// Writes a frame of HTTP/2: RFC 9113, section 4.1.
    mutating func writeFrame(type: UInt8, flags: UInt8 = 0, stream: UInt32, _ content: inout ByteBuffer) {
        // The length is 24 bits.
        writeInteger(UInt32(content.readableBytes) << 8 | UInt32(type))
        writeInteger(flags)
        writeInteger(stream)
        writeBuffer(&content)
    }
}

/// Inserts the frames of an upgraded request after the first frame of its client, which has its settings.
final class UpgradeInjector: ChannelInboundHandler {
    typealias InboundIn = ByteBuffer
    typealias InboundOut = ByteBuffer

    /// The first bytes of a client: the preface, and a SETTINGS frame of any length (RFC 9113, section 3.4).
    private static let prefaceBytes = 24
    private static let frameHeaderBytes = 9
    /// More than any client has settings.
    private static let maximumBytes = 4096

    /// Nil once they were passed on.
    private var frames: ByteBuffer?
    private var begun = ByteBuffer()

    init(_ request: UpgradedRequest) { frames = request.frames }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        guard let frames else { return context.fireChannelRead(data) }
        var more = unwrapInboundIn(data)
        begun.writeBuffer(&more)
        guard let length = begun.getInteger(at: begun.readerIndex + Self.prefaceBytes + 1, as: UInt16.self) else {
            return
        }
        let bytes = Self.prefaceBytes + Self.frameHeaderBytes + Int(length)
        guard bytes <= Self.maximumBytes else { return context.close(promise: nil) }
        guard let head = begun.readSlice(length: bytes) else { return }
        self.frames = nil
        context.fireChannelRead(wrapInboundOut(head))
        context.fireChannelRead(wrapInboundOut(frames))
        if begun.readableBytes > 0 { context.fireChannelRead(wrapInboundOut(begun)) }
        begun = ByteBuffer()
    }
}
