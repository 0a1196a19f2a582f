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

    private let queue: GatewayQueue
    private let limits: GatewayLimits
    private var context: ChannelHandlerContext?
    private var state = State.idle
    /// The answer to HEAD has no body.
    private var isHead = false

    private enum State {
        case idle
        case receiving(RequestIntake)
        /// Waiting for the answer. `isCut` if the client has not sent everything.
        case submitted(isCut: Bool)
        case answered
    }

    init(_ queue: GatewayQueue, _ limits: GatewayLimits) { (self.queue, self.limits) = (queue, limits) }

    func handlerAdded(context: ChannelHandlerContext) { self.context = context }

    func handlerRemoved(context: ChannelHandlerContext) { self.context = nil }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        switch unwrapInboundIn(data) {
        case .headers(let frame):
            // The second ones are trailers, which APNs and FCM know nothing of.
            if case .idle = state {
                let request = Self.request(frame.headers)
                isHead = request.method == "HEAD"
                state = .receiving(RequestIntake(request, limits))
            }
            if frame.endStream { submit(isCut: false, context) }
        case .data(let frame):
            guard case .receiving(var intake) = state, case .byteBuffer(let bytes) = frame.data else { return }
            state = .idle
            let goesOn = intake.append(bytes.readableBytesView)
            state = .receiving(intake)
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

    private func submit(isCut: Bool, _ context: ChannelHandlerContext) {
        guard case .receiving(let intake) = state else { return }
        state = .submitted(isCut: isCut)
        queue.submit(intake.request, for: self, on: context.eventLoop)
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        // The client reset the stream, or broke a rule of it. The connection goes on.
        context.close(promise: nil)
    }

    func send(_ answer: GatewayAnswer) {
        // The client may have reset the stream meanwhile.
        guard case .submitted(let isCut) = state, let context else { return }
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
