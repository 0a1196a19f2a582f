import NIOCore
import PushSystem

/// Stops accepting for a moment when a connection cannot be accepted, because file descriptors or memory are exhausted.
///
/// NIO goes on with the next event of the poll, which comes at once as long as a connection waits. Its own `AcceptBackoffHandler` delays only
/// reads that NIO asks for, and here none is: the failed one counts as pending.
final class AcceptPause: ChannelInboundHandler {
    typealias InboundIn = any Channel

    /// A quarter of a second: connections that closed in between are soon made up for, and four attempts a second cost nothing.
    static let pause = TimeAmount.milliseconds(250)

    private let note: (SystemError) -> Void

    /// - Parameter note: called with each error, on the event loop.
    init(note: @escaping (SystemError) -> Void) {
        self.note = note
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        guard let error = error as? IOError else { return context.fireErrorCaught(error) }
        let cause = SystemError(code: error.errnoCode)
        guard cause != .connectionAborted else { return }
        note(cause)
        guard let options = context.channel.syncOptions else { return }
        // Takes the socket out of the poll.
        try? options.setOption(.autoRead, value: false)
        context.eventLoop.assumeIsolated().scheduleTask(in: Self.pause) {
            // The gateway may have ended.
            try? options.setOption(.autoRead, value: true)
        }
    }
}
