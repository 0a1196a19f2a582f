import NIOCore
import NIOPosix
import NIOSSL
import PushSystem

/// A client that sends bytes as a test wants them, and keeps those that come until the server closes.
final class RawClient: Sendable {
    let channel: any Channel
    private let received: ByteKeeper

    private final class ByteKeeper: ChannelInboundHandler, Sendable {
        typealias InboundIn = ByteBuffer
        let bytes = Monitor<[UInt8]>([])
        /// True once the server has ended its output.
        let isEnded = Monitor(false)

        func channelRead(context: ChannelHandlerContext, data: NIOAny) {
            let more = Array(unwrapInboundIn(data).readableBytesView)
            bytes.change { $0 += more }
        }

        func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
            if event as? ChannelEvent == .inputClosed { isEnded.change { $0 = true } }
            context.fireUserInboundEventTriggered(event)
        }
    }

    /// - Parameters:
    ///   - context: for TLS; nil to do without.
    ///   - allowsHalfClosure: whether the client can go on sending when the server has ended its output.
    init(port: Int, context: NIOSSLContext? = nil, allowsHalfClosure: Bool = false) throws {
        let keeper = ByteKeeper()
        received = keeper
        channel = try ClientBootstrap(group: HTTP2Client.group)
            .channelOption(.tcpOption(.tcp_nodelay), value: 1)
            .channelOption(.allowRemoteHalfClosure, value: allowsHalfClosure)
            .channelInitializer { channel in
                channel.eventLoop.makeCompletedFuture {
                    if let context {
                        try channel.pipeline.syncOperations.addHandler(
                            NIOSSLClientHandler(context: context, serverHostname: nil))
                    }
                    try channel.pipeline.syncOperations.addHandler(keeper)
                }
            }
            .connect(host: "127.0.0.1", port: port).wait()
    }

    deinit { channel.close(promise: nil) }

    /// Sends bytes, even if the server has closed the connection.
    func send(bytes: [UInt8]) { channel.writeAndFlush(ByteBuffer(bytes: bytes), promise: nil) }

    func send(_ text: String) throws { try channel.writeAndFlush(ByteBuffer(string: text)).wait() }

    /// What the server sent until it closed the connection.
    func textUntilClose() throws -> String { String(decoding: try bytesUntilClose(), as: UTF8.self) }

    func bytesUntilClose() throws -> [UInt8] {
        try channel.closeFuture.wait()
        return received.bytes.change { $0 }
    }

    /// Says that it sends no more, and goes on reading.
    func endOutput() throws { try channel.close(mode: .output).wait() }

    /// Returns once the server has ended its output, if the client allows that.
    func waitForEnd() { _ = received.isEnded.wait { $0 ? true : nil } }

    /// Returns what has come once it is as a test wants it.
    func bytes(until isEnough: ([UInt8]) -> Bool) -> [UInt8] {
        received.bytes.wait { isEnough($0) ? $0 : nil }
    }

    /// Returns once the server has sent these bytes, one after the other.
    func wait(for bytes: [UInt8]) {
        _ = received.bytes.wait { received in
            received.indices.contains { received[$0...].starts(with: bytes) } ? true : nil
        }
    }

    /// Returns once the server has sent a text.
    func wait(for text: String) {
        _ = received.bytes.wait { String(decoding: $0, as: UTF8.self).contains(text) ? true : nil }
    }
}
