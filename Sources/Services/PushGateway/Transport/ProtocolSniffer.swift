import NIOCore
import PushServices

extension FirstBytesHandler {
    /// Passes a connection on to the handlers that `configure` adds after this one, which leaves.
    ///
    /// - Parameters:
    ///   - bytes: those that have come.
    ///   - event: the one that has come.
    func giveWay(
        _ context: ChannelHandlerContext, _ bytes: ByteBuffer, event: Any? = nil, to configure: () throws -> Void
    ) {
        do { try configure() } catch { return context.close(promise: nil) }
        if bytes.readableBytes > 0 {
            context.fireChannelRead(wrapInboundOut(bytes))
            context.fireChannelReadComplete()
        }
        if let event { context.fireUserInboundEventTriggered(event) }
        context.pipeline.syncOperations.removeHandler(context: context, promise: nil)
    }
}

/// Waits for the first bytes of a connection, and sets the connection up for what its client speaks.
///
/// ALPN is not looked at. Some clients offer none and speak HTTP/2, and every client of HTTP/2 begins with the same bytes.
final class ProtocolSniffer: FirstBytesHandler {
    /// True if TLS may begin here.
    private let acceptsTLS: Bool
    /// Adds the handlers of a protocol after this one.
    private let configure: (ProtocolDetector.Result, any Channel) throws -> Void
    private var bytes: ByteBuffer?

    init(
        acceptsTLS: Bool, seconds: Int,
        configure: @escaping (ProtocolDetector.Result, any Channel) throws -> Void
    ) {
        self.acceptsTLS = acceptsTLS
        self.configure = configure
        super.init(seconds: seconds)
    }

    override func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        var more = unwrapInboundIn(data)
        bytes.setOrWriteBuffer(&more)
        guard let bytes else { return }
        let result = ProtocolDetector.detect(bytes.readableBytesView, acceptsTLS: acceptsTLS)
        guard result != .needsMore else { return }
        self.bytes = nil
        giveWay(context, bytes) { try configure(result, context.channel) }
    }
}

/// Tells from the first bytes of a connection what its client speaks.
enum ProtocolDetector {
    enum Result: Equatable {
        /// Every protocol is still possible.
        case needsMore
        case tls, http2, http1
    }

    /// The first bytes of a client of HTTP/2 (RFC 9113, section 3.4).
    private static let preface = Array("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n".utf8)
    /// The type of the record that TLS begins with: a handshake (RFC 8446, section 5.1). No method of HTTP begins so.
    private static let handshake: UInt8 = 0x16

    /// - Parameter acceptsTLS: false once TLS has begun.
    static func detect(_ bytes: some Collection<UInt8>, acceptsTLS: Bool) -> Result {
        guard let first = bytes.first else { return .needsMore }
        if first == handshake, acceptsTLS { return .tls }
        guard bytes.prefix(preface.count).elementsEqual(preface.prefix(bytes.count)) else { return .http1 }
        return bytes.count >= preface.count ? .http2 : .needsMore
    }
}

/// The beginning of a connection to the proxy: a CONNECT request for one of the hosts that the gateway stands in for. What follows is a
/// connection to the gateway. No other host is connected to.
///
/// Source: RFC 9110, section 9.3.6.
final class ConnectHandler: FirstBytesHandler {
    /// Longest request, in bytes: 8 KiB.
    private static let maximumBytes = 8192
    private static let end = Array("\r\n\r\n".utf8)

    /// Adds the handlers of the gateway after this one.
    private let configure: () throws -> Void
    private var bytes = ByteBuffer()
    private var isRefused = false

    init(_ connection: GatewayConnection, configure: @escaping () throws -> Void) {
        self.configure = configure
        super.init(seconds: connection.limits.secondsToBegin)
    }

    override func channelRead(context: ChannelHandlerContext, data: NIOAny) {
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
            NIOAny(ByteBuffer(string: "HTTP/1.1 200 Connection established\r\n\r\n")), promise: nil)
        giveWay(context, bytes, to: configure)
    }

    private func refuse(
        _ status: String, _ text: String, _ context: ChannelHandlerContext, _ fields: String = ""
    ) {
        isRefused = true
        let answer =
            "HTTP/1.1 \(status)\r\n\(fields)content-type: text/plain\r\ncontent-length: \(text.utf8.count + 1)\r\n"
            + "connection: close\r\n\r\n\(text)\n"
        let bound = NIOLoopBound(context, eventLoop: context.eventLoop)
        context.writeAndFlush(NIOAny(ByteBuffer(string: answer))).whenComplete { _ in
            bound.value.close(promise: nil)
        }
    }
}
