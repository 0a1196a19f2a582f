import NIOCore
import NIOHTTP2

/// Closes a connection of HTTP/2 after an error of the connection, which NIO's handler reports and leaves to others.
///
/// Source: RFC 9113, section 5.4.1: after the GOAWAY frame for an error, an endpoint must close the connection. Every flood that NIO's limits
/// stop is such an error. Errors of one stream reach the same handlers as those of the connection, so the frame is looked for.
final class CloseAfterError: NIOHTTP2FrameDelegate {
    private let channel: any Channel
    private var isClosing = false

    init(_ channel: any Channel) { self.channel = channel }

    func wroteFrame(_ frame: HTTP2Frame) {
        guard case .goAway(_, let code, _) = frame.payload, code != .noError, !isClosing else { return }
        isClosing = true
        // Once the frame has left the handler.
        channel.eventLoop.execute { [channel] in
            // Below the handlers that end a connection in order.
            guard let below = try? channel.pipeline.syncOperations.context(handlerType: NIOHTTP2Handler.self) else {
                return
            }
            below.flush()
            below.close(promise: nil)
        }
    }
}
