import NIOCore
import NIOHTTP2

/// The streams of a connection of HTTP/2: gives each its frames, and opens windows again that requests have used.
///
/// In place of NIO's multiplexer, whose channel for each stream costs more processor time than the delivery of a push.
final class HTTP2Streams: ChannelInboundHandler {
    typealias InboundIn = HTTP2Frame
    typealias OutboundOut = HTTP2Frame

    private let connection: GatewayConnection
    private var context: ChannelHandlerContext?
    private var streams: [HTTP2StreamID: HTTP2Stream] = [:]
    /// Those that have begun since the last end of reading.
    private var begun: [HTTP2Stream] = []
    /// True if something was written that is not flushed.
    private var needsFlush = false
    /// True until everything is read that has come. What is written meanwhile leaves then.
    private var isReading = false

    /// 1 MiB, so that hundreds of requests can come without waiting for the gateway.
    private static let connectionWindow = 1 << 20
    /// RFC 9113, section 6.9.2: the initial one, which the gateway's settings leave as it is.
    private static let streamWindow = 65_535

    init(_ connection: GatewayConnection) { self.connection = connection }

    func handlerAdded(context: ChannelHandlerContext) { self.context = context }

    func handlerRemoved(context: ChannelHandlerContext) {
        self.context = nil
        closeAll()
    }

    func channelInactive(context: ChannelHandlerContext) {
        closeAll()
        context.fireChannelInactive()
    }

    private func closeAll() {
        let open = streams.values
        streams = [:]
        begun = []
        for stream in open { stream.didClose() }
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        isReading = true
        let frame = unwrapInboundIn(data)
        if let stream = streams[frame.streamID] { return stream.receive(frame.payload) }
        guard frame.streamID != .rootStream, case .headers = frame.payload else {
            return context.fireChannelRead(data)
        }
        let stream = HTTP2Stream(frame.streamID, of: self, connection)
        streams[frame.streamID] = stream
        begun.append(stream)
        stream.receive(frame.payload)
    }

    func channelReadComplete(context: ChannelHandlerContext) {
        for stream in begun { stream.readDidEnd() }
        begun.removeAll(keepingCapacity: true)
        isReading = false
        flush()
        context.fireChannelReadComplete()
    }

    func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
        switch event {
        case let event as NIOHTTP2WindowUpdatedEvent: openWindow(event)
        case let event as StreamClosedEvent: streams.removeValue(forKey: event.streamID)?.didClose()
        // Its first frame has said so.
        case is NIOHTTP2StreamCreatedEvent: break
        default: context.fireUserInboundEventTriggered(event)
        }
    }

    func channelWritabilityChanged(context: ChannelHandlerContext) {
        if context.channel.isWritable { connection.didBecomeWritable() }
        context.fireChannelWritabilityChanged()
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        // The client broke a rule of a stream. The connection goes on.
        if let error = error as? NIOHTTP2Errors.StreamError { streams[error.streamID]?.cancel() }
        context.fireErrorCaught(error)
    }

    // MARK: - Called by the streams

    var eventLoop: any EventLoop { connection.channel.eventLoop }

    /// Writes a frame, which leaves with the next flush.
    func write(_ payload: HTTP2Frame.FramePayload, of id: HTTP2StreamID, promise: EventLoopPromise<Void>? = nil) {
        guard let context else {
            promise?.fail(ChannelError.ioOnClosedChannel)
            return
        }
        needsFlush = true
        context.write(wrapOutboundOut(HTTP2Frame(streamID: id, payload: payload)), promise: promise)
    }

    /// Has the frames leave that were written, at the end of reading if it is in progress.
    func flush() { if !isReading { flushNow() } }

    func flushNow() {
        guard needsFlush else { return }
        needsFlush = false
        context?.flush()
    }

    // MARK: - Windows

    /// Bodies are read as they come, so what was used of a window is free at once.
    private func openWindow(_ event: NIOHTTP2WindowUpdatedEvent) {
        guard let window = event.inboundWindowSize else { return }
        let isRoot = event.streamID == .rootStream
        guard isRoot || streams[event.streamID]?.isReceiving == true else { return }
        let target = isRoot ? Self.connectionWindow : Self.streamWindow
        guard let increment = Self.increment(of: window, to: target) else { return }
        write(.windowUpdate(windowSizeIncrement: increment), of: event.streamID)
    }

    /// By how much to open a window; nil while more than half of it is left.
    ///
    /// - Parameter window: negative if a change of settings has taken more from it than there was.
    static func increment(of window: Int, to target: Int) -> Int? {
        let increment = min(target - window, Int(Int32.max))
        return increment > 0 && increment >= window ? increment : nil
    }
}
