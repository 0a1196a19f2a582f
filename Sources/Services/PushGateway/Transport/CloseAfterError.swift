import NIOCore

/// Closes a connection of HTTP/2 after an error of the connection, which NIO's handler reports and leaves to others.
///
/// Source: RFC 9113, section 5.4.1: after the GOAWAY frame for an error, an endpoint must close the connection. Every flood that NIO's limits
/// stop is such an error. Errors of one stream reach the same handlers as those of the connection, so the frame is looked for: what the
/// HTTP/2 handler writes is one buffer per frame, and the content of DATA frames, which is ours.
final class CloseAfterError: ChannelOutboundHandler {
    typealias OutboundIn = IOData
    typealias OutboundOut = IOData

    private var isClosing = false

    func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
        let part = unwrapOutboundIn(data)
        context.write(wrapOutboundOut(part), promise: promise)
        guard case .byteBuffer(let bytes) = part, !isClosing, Self.isGoAwayForError(bytes) else { return }
        isClosing = true
        let bound = NIOLoopBound(context, eventLoop: context.eventLoop)
        context.eventLoop.execute {
            bound.value.flush()
            bound.value.close(promise: nil)
        }
    }

    /// True if a frame is a GOAWAY with another error code than 0. RFC 9113, sections 4.1 and 6.8.
    private static func isGoAwayForError(_ frame: ByteBuffer) -> Bool {
        let start = frame.readerIndex
        guard let length: UInt16 = frame.getInteger(at: start + 1), frame.getInteger(at: start) == UInt8(0),
            frame.getInteger(at: start + 3) == UInt8(7), frame.getInteger(at: start + 5) == UInt32(0),
            frame.readableBytes == 9 + Int(length), let code: UInt32 = frame.getInteger(at: start + 13)
        else { return false }
        return code != 0
    }
}
