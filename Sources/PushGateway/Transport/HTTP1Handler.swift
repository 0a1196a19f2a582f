import NIOCore
import NIOHTTP1

/// The requests of a connection of HTTP/1.1, one after the other. `HTTPServerPipelineHandler` lets no second one come before the answer.
final class HTTP1Handler: ChannelInboundHandler, AnswerHandler {
    typealias InboundIn = HTTPServerRequestPart
    typealias OutboundOut = HTTPServerResponsePart

    private let queue: GatewayQueue
    private let limits: GatewayLimits
    private let isStopping: () -> Bool
    private var context: ChannelHandlerContext?
    private var intake: RequestIntake?
    /// Whether the connection stays open after the answer.
    private var isKeptAlive = true
    private var version = HTTPVersion.http1_1
    /// The answer to HEAD has no body.
    private var isHead = false

    /// - Parameter isStopping: whether connections are being closed, so that nothing is answered but what is in flight.
    init(_ queue: GatewayQueue, _ limits: GatewayLimits, isStopping: @escaping () -> Bool) {
        (self.queue, self.limits, self.isStopping) = (queue, limits, isStopping)
    }

    func handlerAdded(context: ChannelHandlerContext) { self.context = context }

    func handlerRemoved(context: ChannelHandlerContext) { self.context = nil }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        switch unwrapInboundIn(data) {
        case .head(let head):
            (isKeptAlive, version, isHead) = (head.isKeepAlive, head.version, head.method == .HEAD)
            intake = RequestIntake(Self.request(head), limits)
            // PHP's curl waits a second for this before it sends a larger body.
            if head.headers["expect"].contains(where: { $0.lowercased() == "100-continue" }) {
                context.writeAndFlush(
                    wrapOutboundOut(.head(HTTPResponseHead(version: version, status: .continue))), promise: nil)
            }
        case .body(let bytes):
            guard let goesOn = intake?.append(bytes.readableBytesView), !goesOn else { return }
            isKeptAlive = false
            submit(context)
        case .end: submit(context)
        }
    }

    private func submit(_ context: ChannelHandlerContext) {
        guard let request = intake?.request else { return }
        intake = nil
        queue.submit(request, for: self, on: context.eventLoop)
    }

    func send(_ answer: GatewayAnswer) {
        guard let context else { return }
        var head = HTTPResponseHead(version: version, status: HTTPResponseStatus(statusCode: answer.status))
        for field in answer.headers { head.headers.add(name: field.name, value: field.value) }
        head.headers.add(name: "content-length", value: "\(answer.body.count)")
        if !isKeptAlive { head.headers.add(name: "connection", value: "close") }
        context.write(wrapOutboundOut(.head(head)), promise: nil)
        if !answer.body.isEmpty, !isHead {
            let body = context.channel.allocator.buffer(bytes: answer.body)
            context.write(wrapOutboundOut(.body(.byteBuffer(body))), promise: nil)
        }
        let isKeptAlive = isKeptAlive
        let bound = NIOLoopBound(context, eventLoop: context.eventLoop)
        context.writeAndFlush(wrapOutboundOut(.end(nil))).whenComplete { _ in
            if !isKeptAlive { bound.value.close(promise: nil) }
        }
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        guard error is HTTPParserError, !isStopping() else { return context.close(promise: nil) }
        intake = nil
        let head = HTTPResponseHead(
            version: .http1_1, status: .badRequest, headers: ["content-length": "0", "connection": "close"])
        context.write(wrapOutboundOut(.head(head)), promise: nil)
        let bound = NIOLoopBound(context, eventLoop: context.eventLoop)
        context.writeAndFlush(wrapOutboundOut(.end(nil))).whenComplete { _ in bound.value.close(promise: nil) }
    }

    /// Without a body.
    private static func request(_ head: HTTPRequestHead) -> GatewayRequest {
        GatewayRequest(
            method: head.method.rawValue, path: head.uri,
            headers: head.headers.map { HeaderField($0.name.lowercased(), $0.value) })
    }
}
