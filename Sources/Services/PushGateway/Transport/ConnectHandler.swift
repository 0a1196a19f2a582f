import NIOCore
import PushServices

/// The beginning of a connection to the proxy: a CONNECT request for one of the hosts that the gateway stands in for. What follows is a
/// connection to the gateway. No other host is connected to.
///
/// Source: RFC 9110, section 9.3.6.
final class ConnectHandler: ChannelInboundHandler, RemovableChannelHandler {
    typealias InboundIn = ByteBuffer
    typealias InboundOut = ByteBuffer
    typealias OutboundOut = ByteBuffer

    /// Longest request, in bytes: 8 KiB.
    private static let maximumBytes = 8192
    private static let end = Array("\r\n\r\n".utf8)

    /// Adds the handlers of the gateway after this one.
    private let configure: () throws -> Void
    private var bytes = ByteBuffer()
    private let deadline: BeginDeadline
    private var isRefused = false

    init(_ connection: GatewayConnection, configure: @escaping () throws -> Void) {
        self.configure = configure
        deadline = BeginDeadline(seconds: connection.limits.secondsToBegin)
    }

    func handlerAdded(context: ChannelHandlerContext) { deadline.begin(context.channel) }

    func handlerRemoved(context: ChannelHandlerContext) { deadline.cancel() }

    func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
        if BeginDeadline.isEnd(event) { return context.close(promise: nil) }
        context.fireUserInboundEventTriggered(event)
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        guard !isRefused else { return }
        var more = unwrapInboundIn(data)
        bytes.writeBuffer(&more)
        let view = bytes.readableBytesView
        guard let range = view.firstRange(of: Self.end) else {
            if view.count > Self.maximumBytes { refuse("400 Bad Request", "This is not a CONNECT request.", context) }
            return
        }
        let line = String(decoding: view.prefix { $0 != 0x0D }, as: UTF8.self)
        let words = line.split(separator: " ", omittingEmptySubsequences: false)
        guard words.count == 3, words[2].hasPrefix("HTTP/1.") else {
            return refuse("400 Bad Request", "This is not a CONNECT request.", context)
        }
        guard words[0] == "CONNECT" else {
            return refuse("405 Method Not Allowed", "This proxy takes CONNECT alone.", context, "allow: CONNECT\r\n")
        }
        let host = words[1].split(separator: ":").first.map { $0.lowercased() } ?? ""
        guard GatewayHosts.all.contains(host) else {
            return refuse("403 Forbidden", "This proxy connects to no other host than those of push services.", context)
        }
        bytes.moveReaderIndex(forwardBy: view.distance(from: view.startIndex, to: range.upperBound))
        context.writeAndFlush(
            wrapOutboundOut(ByteBuffer(string: "HTTP/1.1 200 Connection established\r\n\r\n")), promise: nil)
        do { try configure() } catch { return context.close(promise: nil) }
        if bytes.readableBytes > 0 {
            context.fireChannelRead(wrapInboundOut(bytes))
            context.fireChannelReadComplete()
        }
        context.pipeline.syncOperations.removeHandler(context: context, promise: nil)
    }

    private func refuse(
        _ status: String, _ text: String, _ context: ChannelHandlerContext, _ fields: String = ""
    ) {
        isRefused = true
        let answer =
            "HTTP/1.1 \(status)\r\n\(fields)content-type: text/plain\r\ncontent-length: \(text.utf8.count + 1)\r\n"
            + "connection: close\r\n\r\n\(text)\n"
        let bound = NIOLoopBound(context, eventLoop: context.eventLoop)
        context.writeAndFlush(wrapOutboundOut(ByteBuffer(string: answer))).whenComplete { _ in
            bound.value.close(promise: nil)
        }
    }
}
