import NIOCore
import NIOHPACK
import NIOHTTP2

/// One request on a stream of HTTP/2, and its answer.
///
/// Works on frames and not through NIO's codec to HTTP/1, which refuses requests without `:authority` and ends an answer with a frame of its
/// own: clients in use send the former, and lose answers to the latter.
final class HTTP2StreamHandler: ChannelInboundHandler, AnswerHandler {
    typealias InboundIn = HTTP2Frame.FramePayload
    typealias OutboundOut = HTTP2Frame.FramePayload

    private let connection: GatewayConnection
    private var context: ChannelHandlerContext?
    private var state = State.idle
    /// Ends a request that does not come to its end.
    private var timer: Scheduled<Void>?
    /// The answer to HEAD has no body.
    private var isHead = false

    private enum State {
        case idle
        case receiving(ArrivingRequest)
        /// Waiting for the answer. `isCut` if the client has not sent everything.
        case submitted(isCut: Bool)
        case answered
    }

    init(_ connection: GatewayConnection) { self.connection = connection }

    func handlerAdded(context: ChannelHandlerContext) {
        self.context = context
        connection.registry.beginRequest()
        connection.streamDidOpen()
    }

    func handlerRemoved(context: ChannelHandlerContext) {
        self.context = nil
        timer?.cancel()
        state = .answered
        connection.registry.endRequest()
        connection.streamDidClose()
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        switch unwrapInboundIn(data) {
        case .headers(let frame):
            // The second ones are trailers, which APNs and FCM know nothing of.
            if case .idle = state {
                let request = Self.request(frame.headers)
                isHead = request.method == "HEAD"
                state = .receiving(ArrivingRequest(request, on: connection))
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
        // Most requests come whole, and need no timer.
        if case .receiving = state, timer == nil {
            let bound = NIOLoopBound(context, eventLoop: context.eventLoop)
            timer = context.eventLoop.scheduleTask(in: .seconds(Int64(connection.limits.secondsToReceive))) {
                bound.value.close(promise: nil)
            }
        }
        context.fireChannelReadComplete()
    }

    private func submit(isCut: Bool, _ context: ChannelHandlerContext) {
        guard case .receiving(let arriving) = state else { return }
        timer?.cancel()
        state = .submitted(isCut: isCut)
        connection.registry.queue.submit(arriving, for: self, on: context.eventLoop)
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        // The client reset the stream, or broke a rule of it. The connection goes on.
        context.close(promise: nil)
    }

    func send(_ answer: GatewayAnswer) {
        // The client may have reset the stream meanwhile.
        guard case .submitted(let isCut) = state, let context else { return }
        switch answer.fault?.ending {
        case .silence: return
        case .cut: return connection.cut()
        case .reset(let code):
            state = .answered
            return context.writeAndFlush(
                wrapOutboundOut(.rstStream(HTTP2ErrorCode(networkCode: code))), promise: nil)
        case .pause(let milliseconds): connection.pauseReading(milliseconds: milliseconds)
        case .goAway(let reason):
            let id = try? context.channel.syncOptions?.getOption(HTTP2StreamChannelOptions.streamID)
            GoAwayReason.goAway(connection, last: id ?? .maxID, reason: reason)
        case nil: break
        }
        state = .answered
        var headers = HPACKHeaders([(":status", "\(answer.status)")])
        for field in answer.headers { headers.add(name: field.name, value: field.value) }
        // The last frame with something in it ends the stream: clients lose the reason to an empty frame after it.
        let hasBody = !answer.body.isEmpty && !isHead
        context.write(wrapOutboundOut(.headers(.init(headers: headers, endStream: !hasBody))), promise: nil)
        if hasBody {
            let body = context.channel.allocator.buffer(bytes: answer.body)
            context.write(wrapOutboundOut(.data(.init(data: .byteBuffer(body), endStream: true))), promise: nil)
        }
        // RFC 9113, section 8.1: the answer is complete, and the rest of the request is not needed.
        if isCut { context.write(wrapOutboundOut(.rstStream(.noError)), promise: nil) }
        context.flush()
    }

    /// Without a body.
    private static func request(_ fields: HPACKHeaders) -> GatewayRequest {
        var request = GatewayRequest(method: "", path: "")
        for (name, value, _) in fields {
            switch name {
            case ":method": request.method = value
            case ":path": request.path = value
            default: if !name.hasPrefix(":") { request.headers.append(HeaderField(name, value)) }
            }
        }
        return request
    }
}
