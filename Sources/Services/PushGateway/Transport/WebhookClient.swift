import NIOCore
import NIOHTTP1
import NIOPosix
import PushServices
import PushSystem

/// Posts messages over HTTP/1.1, a connection for each, on an event loop of the gateway.
struct WebhookClient: Sendable {
    private static let timeout = TimeAmount.seconds(5)

    let address: WebhookAddress
    let loop: any EventLoop

    /// Posts a message, and calls back with why it was not taken, or nil.
    func send(_ message: [UInt8], _ done: @escaping @Sendable (String?) -> Void) {
        let answer = loop.makePromise(of: UInt.self)
        answer.futureResult.whenComplete { result in
            switch result {
            case .success(let status): done(200..<300 ~= status ? nil : "it answers with status \(status)")
            case .failure(let error): done(Self.cause(error))
            }
        }
        let bootstrap = ClientBootstrap(group: loop).connectTimeout(Self.timeout).channelInitializer { channel in
            channel.eventLoop.makeCompletedFuture {
                try channel.pipeline.syncOperations.addHTTPClientHandlers()
                try channel.pipeline.syncOperations.addHandler(AnswerStatusHandler(answer))
            }
        }
        bootstrap.connect(host: address.host.host, port: address.host.port).whenComplete { result in
            switch result {
            case .success(let channel): self.write(message, to: channel)
            case .failure(let error): answer.fail(error)
            }
        }
    }

    private func write(_ message: [UInt8], to channel: any Channel) {
        let timeout = loop.scheduleTask(in: Self.timeout) { channel.close(promise: nil) }
        channel.closeFuture.whenComplete { _ in timeout.cancel() }
        let headers: HTTPHeaders = [
            "host": "\(address.host)", "user-agent": "pushpipe", "content-type": "application/json",
            "content-length": "\(message.count)", "connection": "close",
        ]
        let head = HTTPRequestHead(version: .http1_1, method: .POST, uri: address.target, headers: headers)
        channel.write(HTTPClientRequestPart.head(head), promise: nil)
        channel.write(HTTPClientRequestPart.body(.byteBuffer(ByteBuffer(bytes: message))), promise: nil)
        channel.writeAndFlush(HTTPClientRequestPart.end(nil), promise: nil)
    }

    /// NIO's descriptions name the function that failed, too.
    private static func cause(_ error: any Error) -> String {
        switch error {
        case let error as NIOConnectionError: error.connectionErrors.first.map { cause($0.error) } ?? "\(error)"
        case let error as IOError: "\(SystemError(code: error.errnoCode))"
        default: "\(error)"
        }
    }
}

/// Takes the status of an answer, and closes the connection.
private final class AnswerStatusHandler: ChannelInboundHandler {
    typealias InboundIn = HTTPClientResponsePart

    /// Nil once there is a result.
    private var answer: EventLoopPromise<UInt>?

    init(_ answer: EventLoopPromise<UInt>) { self.answer = answer }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        // Those below 200 are followed by another.
        guard case .head(let head) = unwrapInboundIn(data), head.status.code >= 200 else { return }
        finish(.success(head.status.code))
        context.close(promise: nil)
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        finish(.failure(error))
        context.close(promise: nil)
    }

    func channelInactive(context: ChannelHandlerContext) {
        finish(.failure(SystemError.connectionAborted))
        context.fireChannelInactive()
    }

    private func finish(_ result: Result<UInt, any Error>) {
        answer?.completeWith(result)
        answer = nil
    }
}
