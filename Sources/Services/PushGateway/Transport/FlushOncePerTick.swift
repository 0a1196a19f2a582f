import NIOCore

/// Joins the flushes of one turn of the event loop: the answers of a commit leave with one call of the system per connection, and not with one
/// per request.
final class FlushOncePerTick: ChannelOutboundHandler {
    typealias OutboundIn = ByteBuffer
    typealias OutboundOut = ByteBuffer

    /// False if the handlers of the connection flush once per turn of their own accord.
    var isNeeded = true
    private var isScheduled = false

    func flush(context: ChannelHandlerContext) {
        guard isNeeded else { return context.flush() }
        guard !isScheduled else { return }
        isScheduled = true
        let bound = NIOLoopBound((self, context), eventLoop: context.eventLoop)
        context.eventLoop.execute {
            let (handler, context) = bound.value
            handler.isScheduled = false
            context.flush()
        }
    }

    func close(context: ChannelHandlerContext, mode: CloseMode, promise: EventLoopPromise<Void>?) {
        if isScheduled { context.flush() }
        context.close(mode: mode, promise: promise)
    }
}
