import Foundation
import NIOCore
import NIOHTTP1
import NIOHTTP2
import NIOPosix

/// Answers each request with 200 and its own body, through NIO's codec to HTTP/1, as servers on SwiftNIO usually do.
final class Echo: ChannelInboundHandler {
    typealias InboundIn = HTTPServerRequestPart
    typealias OutboundOut = HTTPServerResponsePart

    private var body: ByteBuffer?

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        switch unwrapInboundIn(data) {
        case .head: body = nil
        case .body(var part): body.setOrWriteBuffer(&part)
        case .end:
            let head = HTTPResponseHead(version: .http2, status: .ok)
            context.write(wrapOutboundOut(.head(head)), promise: nil)
            if let body { context.write(wrapOutboundOut(.body(.byteBuffer(body))), promise: nil) }
            context.writeAndFlush(wrapOutboundOut(.end(nil)), promise: nil)
        }
    }
}

// As many threads as the gateway has.
let group = MultiThreadedEventLoopGroup(numberOfThreads: min(System.coreCount, 4))
let server = try await ServerBootstrap(group: group)
    .serverChannelOption(.backlog, value: 1024)
    .childChannelOption(.tcpOption(.tcp_nodelay), value: 1)
    .childChannelInitializer { channel in
        channel.eventLoop.makeCompletedFuture {
            var configuration = NIOHTTP2Handler.ConnectionConfiguration()
            configuration.initialSettings = [HTTP2Setting(parameter: .maxConcurrentStreams, value: 1000)]
            let handler = NIOHTTP2Handler(
                mode: .server, eventLoop: channel.eventLoop, connectionConfiguration: configuration,
                streamConfiguration: .init()
            ) { stream in
                stream.eventLoop.makeCompletedFuture {
                    try stream.pipeline.syncOperations.addHandlers([HTTP2FramePayloadToHTTP1ServerCodec(), Echo()])
                }
            }
            try channel.pipeline.syncOperations.addHandler(handler)
        }
    }
    .bind(host: "127.0.0.1", port: 0).get()
// `print` would keep it in a buffer.
FileHandle.standardOutput.write(Data("http://127.0.0.1:\(server.localAddress?.port ?? 0)\n".utf8))
try await server.closeFuture.get()
