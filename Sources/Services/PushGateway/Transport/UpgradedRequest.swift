import NIOCore
import NIOHTTP1

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
        var fields = ByteBuffer()
        Self.append(":method", head.method.rawValue, to: &fields)
        Self.append(":scheme", "http", to: &fields)
        Self.append(":path", head.uri, to: &fields)
        for field in head.headers {
            switch field.name.lowercased() {
            case "host": Self.append(":authority", field.value, to: &fields)
            default: break
            }
        }
        for field in head.headers {
            let name = field.name.lowercased()
            if !Self.connectionFields.contains(name) { Self.append(name, field.value, to: &fields) }
        }
        guard fields.readableBytes <= Self.maximumFrame else { return nil }
        var frames = ByteBuffer()
        Self.appendFrame(type: 1, flags: body.isEmpty ? 0x5 : 0x4, &fields, to: &frames)
        var rest = ByteBuffer(bytes: body)
        while rest.readableBytes > 0 {
            let isLast = rest.readableBytes <= Self.maximumFrame
            guard var piece = rest.readSlice(length: min(rest.readableBytes, Self.maximumFrame)) else { return nil }
            Self.appendFrame(type: 0, flags: isLast ? 0x1 : 0x0, &piece, to: &frames)
        }
        self.frames = frames
    }

    /// Of the connection and not of the request, or not in HTTP/2.
    private static let connectionFields: Set = [
        "connection", "upgrade", "http2-settings", "host", "transfer-encoding", "keep-alive", "proxy-connection",
        "content-length", "te", "expect",
    ]

    /// RFC 9113, section 4.1; on stream 1.
    private static func appendFrame(
        type: UInt8, flags: UInt8, _ content: inout ByteBuffer, to out: inout ByteBuffer
    ) {
        out.writeInteger(UInt8(content.readableBytes >> 16))
        out.writeInteger(UInt16(truncatingIfNeeded: content.readableBytes))
        out.writeInteger(type)
        out.writeInteger(flags)
        out.writeInteger(UInt32(1))
        out.writeBuffer(&content)
    }

    /// A field that the dynamic table does not take: RFC 7541, section 6.2.2. So the table stays as the client believes it to be.
    private static func append(_ name: String, _ value: String, to out: inout ByteBuffer) {
        out.writeInteger(UInt8(0))
        append(name, to: &out)
        append(value, to: &out)
    }

    /// RFC 7541, section 5.2, with the length of section 5.1.
    private static func append(_ text: String, to out: inout ByteBuffer) {
        var length = text.utf8.count
        if length < 127 {
            out.writeInteger(UInt8(length))
        } else {
            out.writeInteger(UInt8(127))
            length -= 127
            while length >= 128 {
                out.writeInteger(UInt8(128 + length % 128))
                length /= 128
            }
            out.writeInteger(UInt8(length))
        }
        out.writeString(text)
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
