import NIOCore
import NIOHTTP2
import PushServices
import PushSystem
import Synchronization

/// The shared state of one connection's handlers. Used on its event loop.
final class GatewayConnection {
    let registry: ConnectionRegistry
    let channel: any Channel
    /// The number of the connection, from 1.
    let number: UInt64
    /// The sender of this connection's requests.
    private(set) var sender: RequestSender
    /// The deadlines of requests over HTTP/2.
    private(set) lazy var deadlines = ArrivalDeadlines(
        channel.eventLoop, .seconds(Int64(limits.secondsToReceive)))
    /// Why the connection goes away, for the frame that says so; nil for the gateway's end and for idleness.
    var goAwayReason: String?
    /// The id of the stream of HTTP/2 that was opened last and is answered; 0 for none.
    private(set) var lastStream = 0
    private var allowsStreams = false
    /// Streams of HTTP/2 that are open and not refused.
    private var openStreams = 0
    /// Since when no stream of HTTP/2 is open; nil while one is.
    private(set) var idleSince: NIODeadline? = .now()
    /// The requests over HTTP/2 that wait until answers are taken.
    private var turns: StreamTurns<HTTP2Stream>
    /// Grows when the client has taken something.
    private var taken = 0
    private let takingDeadline: TakingDeadline
    /// True once the client was told that streams after `lastStream` are not answered. The connection ends as soon as no other is open.
    private(set) var refusesStreams = false
    /// True if the client gets nothing more.
    private var isEnding = false
    /// True once the client was told that the connection goes away.
    private var isLeaving = false
    /// True if a stream was open then, or opened later. The client may go on writing before it reads its answers, so the gateway stays until
    /// it has closed the connection: some clients, Go's among them, throw away what they have not read once a write fails.
    private var isAwaited = false

    init(_ registry: ConnectionRegistry, _ channel: any Channel, number: UInt64) {
        self.registry = registry
        self.channel = channel
        self.number = number
        sender = RequestSender(connection: number, address: channel.remoteAddress?.ipAddress.map(Self.plain))
        turns = StreamTurns(limit: registry.limits.unreadBytes)
        takingDeadline = TakingDeadline(channel, seconds: registry.limits.secondsToTake)
    }

    var limits: GatewayLimits { registry.limits }

    /// An address of IPv4 as such, also if it came to a socket of IPv6: RFC 4291, section 2.5.5.2.
    private static func plain(_ address: String) -> String {
        let mapped = "::ffff:"
        return address.hasPrefix(mapped) && address.contains(".") ? String(address.dropFirst(mapped.count)) : address
    }

    /// - Parameter id: of the stream; clients count upwards.
    /// - Returns: false if the stream comes too late to be answered.
    func streamDidOpen(_ id: Int) -> Bool {
        if isLeaving { isAwaited = true }
        if refusesStreams, id > lastStream { return false }
        openStreams += 1
        idleSince = nil
        lastStream = max(lastStream, id)
        return true
    }

    func streamDidClose() {
        openStreams -= 1
        guard openStreams == 0 else { return }
        idleSince = .now()
        if refusesStreams { end() }
    }

    /// Lets the client open as many streams as it may after its first valid provider token. Once.
    func allowStreams() {
        guard limits.streamsBeforeToken != nil, !allowsStreams else { return }
        allowsStreams = true
        let operations = channel.pipeline.syncOperations
        guard let context = try? operations.context(handlerType: GoAwayHandler.self) else { return }
        let settings = [HTTP2Setting(parameter: .maxConcurrentStreams, value: limits.streams)]
        let frame = HTTP2Frame(streamID: .rootStream, payload: .settings(.settings(settings)))
        context.writeAndFlush(NIOAny(frame), promise: nil)
    }

    // MARK: - Answers that the client has not taken

    /// Returns true if the request of a stream may be passed on. If not, the stream is told to `resume` when it may.
    ///
    /// - Parameter isLong: true if its answer may be long.
    func admits(_ stream: HTTP2Stream, isLong: Bool) -> Bool {
        if turns.admits(stream, isLong: isLong, isWritable: channel.isWritable) { return true }
        watchTaking()
        return false
    }

    /// Bytes of a body are about to be sent over HTTP/2.
    func didSend(_ bytes: Int) {
        turns.didSend(bytes)
        if turns.isBlocked { watchTaking() }
    }

    /// Bytes of a body were taken by the client, or its stream is closed.
    func didTake(_ bytes: Int) {
        turns.didTake(bytes)
        taken &+= bytes
        resumeStreams()
    }

    /// The answer to a request that was passed on as a long one is composed.
    func didCompose() {
        turns.didCompose()
        resumeStreams()
    }

    /// Passes on the requests that may be.
    func resumeStreams() {
        guard !turns.isEmpty, channel.isWritable else { return }
        while let stream = turns.next() { stream.resume() }
    }

    /// A stream is closed whose request waits.
    func forget(_ stream: HTTP2Stream) { turns.removeAll { $0 === stream } }

    /// The client has taken so much that there is room for more.
    func didBecomeWritable() {
        guard !turns.isEmpty else { return }
        noteTaken()
        resumeStreams()
    }

    /// The client has taken something else than bodies over HTTP/2.
    func noteTaken() { taken &+= 1 }

    /// Closes the connection if its client takes nothing of what is sent. Called with each long answer, and when too much waits.
    func watchTaking() {
        takingDeadline.begin { [weak self] in
            self.map { ($0.turns.unread > 0 || !$0.channel.isWritable, $0.taken) }
        }
    }

    /// Keeps what the client's certificate says, once TLS has begun. A resumed session has it, too.
    func readCertificate() {
        sender = RequestSender(
            connection: number, address: sender.address, certificate: registry.tls?.certificate(on: channel))
    }

    /// The client is told that the connection goes away, because the gateway ends or nothing was asked for long.
    func leave() {
        isLeaving = true
        isAwaited = openStreams > 0
    }

    /// Refuses streams from now on, and ends the connection of HTTP/2 once its open streams are answered.
    func refuseStreams() {
        refusesStreams = true
        if openStreams == 0 { end() }
    }

    /// Ends the connection so that the client gets everything that it was sent: ends the output, and discards what still comes, until the
    /// client closes the connection or `secondsToFinish` are over.
    func end() {
        guard !isEnding else { return }
        isEnding = true
        let operations = channel.pipeline.syncOperations
        guard channel.isActive, let first = try? operations.handler(type: FlushOncePerTick.self),
            (try? operations.addHandler(DiscardHandler(), position: .after(first))) != nil
        else { return cut() }
        try? channel.syncOptions?.setOption(.autoRead, value: true)
        channel.flush()
        let bound = NIOLoopBound(self, eventLoop: channel.eventLoop)
        let timer = channel.eventLoop.scheduleTask(in: .seconds(Int64(limits.secondsToFinish))) { bound.value.cut() }
        channel.closeFuture.whenComplete { _ in timer.cancel() }
        // What the socket has not taken yet is on its way, as a request is.
        registry.beginRequest()
        // What is written in this turn leaves before.
        channel.eventLoop.execute {
            let channel = bound.value.channel
            channel.close(mode: .output).whenComplete { result in
                let connection = bound.value
                if connection.isAwaited {
                    channel.closeFuture.whenComplete { _ in bound.value.registry.endRequest() }
                } else {
                    connection.registry.endRequest()
                }
                if case .failure = result { connection.cut() }
            }
        }
    }

    /// Closes the connection without a word, not even that with which TLS ends.
    func cut() {
        // The context of the first handler, which is nearer to the socket than that of TLS.
        let operations = channel.pipeline.syncOperations
        guard let head = try? operations.context(handlerType: FlushOncePerTick.self) else {
            return channel.close(promise: nil)
        }
        head.close(promise: nil)
    }

    /// Reads nothing from the connection for some time, so that the client's window fills.
    func pauseReading(milliseconds: Int64) {
        try? channel.syncOptions?.setOption(.autoRead, value: false)
        channel.eventLoop.scheduleTask(in: .milliseconds(milliseconds)) { [channel] in
            try? channel.syncOptions?.setOption(.autoRead, value: true)
        }
    }
}

/// A request as it arrives on a connection, until it is complete. Used on the connection's event loop.
final class ArrivingRequest {
    private(set) var request: GatewayRequest
    private let registry: ConnectionRegistry
    private let bodyBytes: Int
    private var received = 0
    private var held = 0
    /// False if the bodies of all requests together left no room for this one.
    private(set) var hasRoom = true

    init(_ request: GatewayRequest, on connection: GatewayConnection) {
        var request = request
        request.sender = connection.sender
        self.request = request
        registry = connection.registry
        bodyBytes = registry.limits.bodyBytes(ofPath: request.path)
    }

    deinit { registry.release(held) }

    /// Adds a part of the body.
    ///
    /// - Returns: true to go on reading. If not, the request is complete as far as the gateway is concerned.
    func append(_ bytes: some Collection<UInt8>) -> Bool {
        let before = request.body.count
        received += bytes.count
        if received <= bodyBytes {
            request.body.append(contentsOf: bytes)
        } else {
            request.isTooLarge = true
            request.body = []
        }
        let more = request.body.count - before
        if registry.hold(more) {
            held += more
        } else {
            hasRoom = false
        }
        return received <= max(registry.limits.discardedBytes, 2 * bodyBytes) && hasRoom
    }
}

/// Reads and discards what a client sends after the last answer, until the client closes the connection.
///
/// Bytes that nobody reads would have the system end the connection with a reset, at which clients lose what they have not read yet.
final class DiscardHandler: ChannelInboundHandler {
    typealias InboundIn = ByteBuffer

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {}

    func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
        if event as? ChannelEvent == .inputClosed { return context.close(promise: nil) }
        context.fireUserInboundEventTriggered(event)
    }
}

/// Has a connection of HTTP/1.1 end in order when the gateway stops, whoever closes it after its last answer.
final class OrderlyCloseHandler: ChannelOutboundHandler, RemovableChannelHandler {
    typealias OutboundIn = ByteBuffer
    typealias OutboundOut = ByteBuffer

    private let connection: GatewayConnection

    init(_ connection: GatewayConnection) { self.connection = connection }

    func close(context: ChannelHandlerContext, mode: CloseMode, promise: EventLoopPromise<Void>?) {
        guard mode == .all, connection.registry.isStopping, context.channel.isActive else {
            return context.close(mode: mode, promise: promise)
        }
        if let promise { context.channel.closeFuture.cascade(to: promise) }
        connection.end()
    }
}

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

/// The shared state of a gateway's connections: their list, and what their requests take together. Used on all event loops.
final class ConnectionRegistry: Sendable {
    private struct State {
        var channels: [ObjectIdentifier: any Channel] = [:]
        var isStopping = false
        var added: UInt64 = 0
        /// The first error of accepting a connection.
        var refusal: SystemError?
        var isRefusalTaken = false
    }

    let queue: GatewayQueue
    let limits: GatewayLimits
    /// Nil to take only connections without TLS.
    let tls: (any GatewayTLS)?
    private let state = Mutex(State())
    private let heldBytes = Atomic(0)
    private let requests = Atomic(0)

    init(_ queue: GatewayQueue, _ limits: GatewayLimits, _ tls: (any GatewayTLS)?) {
        self.queue = queue
        self.limits = limits
        self.tls = tls
    }

    /// A number for a new connection, from 1; nil if there are too many, or no more are wanted.
    func add(_ channel: any Channel) -> UInt64? {
        state.withLock { state in
            guard !state.isStopping, state.channels.count < limits.connections else { return nil }
            state.channels[ObjectIdentifier(channel)] = channel
            state.added += 1
            return state.added
        }
    }

    func remove(_ channel: any Channel) {
        state.withLock { _ = $0.channels.removeValue(forKey: ObjectIdentifier(channel)) }
        queue.wake()
    }

    /// All of them; from now on none is added.
    func stop() -> [any Channel] {
        state.withLock { state in
            state.isStopping = true
            return Array(state.channels.values)
        }
    }

    /// How many clients are connected.
    var count: Int { state.withLock(\.channels.count) }

    // MARK: - Connections that cannot be accepted

    func noteRefusal(_ error: SystemError) {
        let isFirst = state.withLock { state in
            defer { state.refusal = state.refusal ?? error }
            return state.refusal == nil
        }
        if isFirst { queue.wake() }
    }

    /// Why a connection could not be accepted, the first time; nil from the second call on.
    func takeRefusal() -> SystemError? {
        state.withLock { state in
            guard let error = state.refusal, !state.isRefusalTaken else { return nil }
            state.isRefusalTaken = true
            return error
        }
    }

    var isStopping: Bool { state.withLock(\.isStopping) }

    // MARK: - What requests take

    /// Notes that a body grew by so many bytes, or shrank. False if all bodies together are too large; then nothing is noted.
    func hold(_ bytes: Int) -> Bool {
        let held = heldBytes.wrappingAdd(bytes, ordering: .relaxed).newValue
        if bytes <= 0 || held <= limits.receivingBytes { return true }
        release(bytes)
        return false
    }

    func release(_ bytes: Int) { _ = heldBytes.wrappingSubtract(bytes, ordering: .relaxed) }

    /// Counts a request that has begun to arrive.
    func beginRequest() { _ = requests.wrappingAdd(1, ordering: .relaxed) }

    /// Counts a request whose answer was sent, or that nobody waits for any more.
    func endRequest() {
        let left = requests.wrappingSubtract(1, ordering: .relaxed).newValue
        if left == 0, isStopping { queue.wake() }
    }

    /// How many requests have begun and are not answered.
    var requestsInFlight: Int { requests.load(ordering: .relaxed) }
}
