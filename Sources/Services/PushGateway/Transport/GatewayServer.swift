package import NIOCore
import NIOHTTP1
import NIOHTTP2
import NIOPosix
package import PushServices
import PushSystem

/// The sockets of a gateway: accepts connections, and puts the requests that come over them into the queue.
final class GatewayServer: Sendable {
    /// The addresses on which it listens, with the ports that the system chose.
    let ports: GatewayPorts
    private let registry: ConnectionRegistry
    private let group: MultiThreadedEventLoopGroup
    private let listeners: [any Channel]

    /// Starts to accept connections.
    ///
    /// - Throws: `PlainError` if nothing can listen there.
    init(
        _ wanted: GatewayPorts, _ queue: GatewayQueue, _ limits: GatewayLimits, _ identity: (any GatewayTLS)?
    ) throws(PlainError) {
        let registry = ConnectionRegistry(queue, limits, identity)
        self.registry = registry
        let threads = min(CurrentProcess.processorCount, Self.maximumThreads)
        let group = MultiThreadedEventLoopGroup(numberOfThreads: threads)
        self.group = group
        var listeners: [any Channel] = []
        // Returns the address with the port that the system chose.
        func listen(
            on address: ListenAddress, _ begin: @escaping @Sendable (GatewayConnection) throws -> Void
        ) throws(PlainError) -> ListenAddress {
            let listener = try Self.bind(Self.bootstrap(group, registry, begin), to: address)
            listeners.append(listener)
            return ListenAddress(host: address.host, port: listener.localAddress?.port ?? address.port)
        }
        var bound = wanted
        do throws(PlainError) {
            bound.main = try listen(on: wanted.main) { try Self.addSniffer(to: $0, identity) }
            if let proxy = wanted.proxy {
                bound.proxy = try listen(on: proxy) { connection in
                    let handler = ConnectHandler(connection) { try Self.addSniffer(to: connection, identity) }
                    try connection.channel.pipeline.syncOperations.addHandler(handler)
                }
            }
            if let binary = wanted.binary {
                bound.binary = try listen(on: binary) { try Self.addBinarySniffer(to: $0, identity) }
            }
            if let feedback = wanted.feedback {
                bound.feedback = try listen(on: feedback) { try Self.addFeedbackSniffer(to: $0, identity) }
            }
        } catch {
            for listener in listeners { listener.close(promise: nil) }
            try? group.syncShutdownGracefully()
            throw error
        }
        ports = bound
        self.listeners = listeners
    }

    private static func bootstrap(
        _ group: MultiThreadedEventLoopGroup, _ registry: ConnectionRegistry,
        _ begin: @escaping @Sendable (GatewayConnection) throws -> Void
    ) -> ServerBootstrap {
        ServerBootstrap(group: group)
            .serverChannelOption(.backlog, value: backlog)
            .serverChannelOption(.socketOption(.so_reuseaddr), value: 1)
            .serverChannelInitializer { channel in
                channel.eventLoop.makeCompletedFuture {
                    try channel.pipeline.syncOperations.addHandler(AcceptPause(note: registry.noteRefusal))
                }
            }
            .childChannelOption(.tcpOption(.tcp_nodelay), value: 1)
            .childChannelOption(
                .writeBufferWaterMark,
                value: .init(low: max(registry.limits.unreadBytes / 2, 1), high: max(registry.limits.unreadBytes, 1))
            )
            // A client of HTTP/1.1 may say that it sends no more, and wait for its answer.
            .childChannelOption(.allowRemoteHalfClosure, value: true)
            .childChannelInitializer { channel in
                channel.eventLoop.makeCompletedFuture {
                    guard let number = registry.add(channel) else { return channel.close(promise: nil) }
                    channel.closeFuture.whenComplete { _ in registry.remove(channel) }
                    try channel.pipeline.syncOperations.addHandler(FlushOncePerTick())
                    try begin(GatewayConnection(registry, channel, number: number))
                }
            }
    }

    private static func bind(
        _ bootstrap: ServerBootstrap, to address: ListenAddress
    ) throws(PlainError) -> any Channel {
        do { return try bootstrap.bind(host: address.host, port: address.port).wait() } catch {
            // NIO's description names the function that failed, too.
            let cause: any Error = (error as? IOError).map { SystemError(code: $0.errnoCode) } ?? error
            throw PlainError("cannot listen on \(address): \(cause); choose another address or port")
        }
    }

    /// The pipeline is one thread, so more than a few only wait for it.
    private static let maximumThreads = 4
    private static let backlog: Int32 = 1024

    // MARK: - Connections

    /// - Parameter identity: nil if TLS may not begin here.
    private static func addSniffer(
        to connection: GatewayConnection, _ identity: (any GatewayTLS)?, isSecure: Bool = false
    ) throws {
        let seconds = connection.limits.secondsToBegin
        let sniffer = ProtocolSniffer(acceptsTLS: identity != nil, seconds: seconds) { result, channel in
            switch result {
            case .tls:
                _ = try addTLS(to: channel, identity, ofBinaryInterface: false)
                try addSniffer(to: connection, nil, isSecure: true)
            case .http2:
                if isSecure { connection.readCertificate() }
                try addHTTP2(to: connection)
            case .http1, .needsMore:
                if isSecure { connection.readCertificate() }
                try addHTTP1(to: connection, upgrades: !isSecure)
            }
        }
        try connection.channel.pipeline.syncOperations.addHandler(sniffer)
    }

    /// - Parameter upgrades: true if a request may turn the connection into one of HTTP/2.
    private static func addHTTP1(to connection: GatewayConnection, upgrades: Bool) throws {
        let operations = connection.channel.pipeline.syncOperations
        let encoder = HTTPResponseEncoder()
        var limits = NIOHTTPDecoderLimitConfiguration()
        limits.maxHeaderFieldSize = connection.limits.headerBytes
        limits.maxHeaderListSize = connection.limits.headerBytes
        let decoder = ByteToMessageHandler(
            HTTPRequestDecoder(leftOverBytesStrategy: .forwardBytes, limitConfiguration: limits))
        // NIO's answer to errors would come after the last one of a connection that is being closed, and stop the process; so it is left out.
        let pipelining = HTTPServerPipelineHandler()
        var others: [any RemovableChannelHandler] = [pipelining, decoder, encoder]
        let handler = HTTP1Handler(
            connection,
            upgrade: !upgrades
                ? nil
                : { request in
                    for other in others { operations.removeHandler(other, promise: nil) }
                    others = []
                    do {
                        try operations.addHandler(UpgradeInjector(request))
                        try addHTTP2(to: connection)
                    } catch {
                        connection.channel.close(promise: nil)
                    }
                })
        let notifier = ArrivalNotifier { [weak handler] in handler?.bytesArrived() }
        let closer = OrderlyCloseHandler(connection)
        others += [handler, notifier, closer]
        try operations.addHandlers([closer, notifier, encoder, decoder, pipelining, handler])
    }

    private static func addHTTP2(to connection: GatewayConnection) throws {
        let channel = connection.channel
        let limits = connection.limits
        // A client that sends no more can acknowledge nothing, and is gone.
        try channel.syncOptions?.setOption(.allowRemoteHalfClosure, value: false)
        var configuration = NIOHTTP2Handler.ConnectionConfiguration()
        configuration.initialSettings = [
            HTTP2Setting(parameter: .maxConcurrentStreams, value: limits.streamsBeforeToken ?? limits.streams),
            HTTP2Setting(parameter: .maxHeaderListSize, value: limits.headerBytes),
        ]
        // `RequestHead` checks them.
        configuration.headerBlockValidation = .disabled
        var streams = NIOHTTP2Handler.StreamConfiguration()
        streams.streamResetFrameRateLimit.maximumCount = limits.resetStreams
        streams.streamResetFrameRateLimit.windowLength = .milliseconds(100)
        let http2 = NIOHTTP2Handler(
            mode: .server, frameDelegate: CloseAfterError(channel), connectionConfiguration: configuration,
            streamConfiguration: streams)
        let operations = channel.pipeline.syncOperations
        try operations.handler(type: FlushOncePerTick.self).isNeeded = false
        try operations.addHandlers([http2, HTTP2Streams(connection), GoAwayHandler(connection)])
    }

    /// Why a connection could not be accepted, for people; nil unless it is to be said, which is once.
    func takeNote() -> String? {
        registry.takeRefusal().map { error in
            "pushpipe: a connection cannot be accepted: \(error); it waits until others are closed, "
                + "or for more file descriptors (ulimit -n)\n"
        }
    }

    /// An event loop for connections that the gateway opens itself.
    var loop: any EventLoop { group.next() }

    // MARK: - The end

    /// How many connections there are.
    var connectionCount: Int { registry.count }

    /// True if no request is on its way or waits for its answer, and no answer waits for its client.
    var isQuiet: Bool { registry.requestsInFlight == 0 }

    /// Accepts no more connections, and tells those that there are to send no more requests. Each closes after its answers.
    func stopAccepting() {
        for listener in listeners { listener.close(promise: nil) }
        for channel in registry.stop() {
            channel.pipeline.fireUserInboundEventTriggered(ChannelShouldQuiesceEvent())
        }
    }

    /// Ends the connections on which nothing is in flight, so that their clients get what they were sent.
    func endConnections() {
        for channel in registry.stop() {
            // Until its event loop has come to it.
            registry.beginRequest()
            channel.eventLoop.execute { [registry] in
                channel.pipeline.fireUserInboundEventTriggered(ConnectionEndEvent())
                registry.endRequest()
            }
        }
    }

    /// Closes everything, and returns when nothing of it runs any more.
    func shutDown() {
        // Before the loops stop: one that is gone cannot take a connection that another has just accepted.
        for listener in listeners { try? listener.close().wait() }
        for channel in registry.stop() {
            // Not through TLS, which would wait for the client's end. Its own is sent, if it closed in order.
            channel.pipeline.context(handlerType: FlushOncePerTick.self).whenComplete { head in
                switch head {
                case .success(let head): head.close(promise: nil)
                case .failure: channel.close(promise: nil)
                }
            }
        }
        try? group.syncShutdownGracefully()
    }
}

/// The ports of APNs' binary interface. With TLS or without, as the first byte says: no frame begins like a handshake.
extension GatewayServer {
    /// A client may connect long before its first notification.
    static func addBinarySniffer(to connection: GatewayConnection, _ identity: (any GatewayTLS)?) throws {
        let seconds = connection.limits.secondsIdle
        let sniffer = ProtocolSniffer(acceptsTLS: identity != nil, seconds: seconds) { result, channel in
            let isSecure = try addTLS(to: channel, result == .tls ? identity : nil)
            try channel.pipeline.syncOperations.addHandler(BinaryHandler(connection, isSecure: isSecure))
        }
        try connection.channel.pipeline.syncOperations.addHandler(sniffer)
    }

    static func addFeedbackSniffer(to connection: GatewayConnection, _ identity: (any GatewayTLS)?) throws {
        let operations = connection.channel.pipeline.syncOperations
        guard let identity else { return try operations.addHandler(FeedbackHandler(connection, isSecure: false)) }
        try operations.addHandler(
            FeedbackSniffer(silence: connection.limits.secondsOfSilence) { isTLS, channel in
                let isSecure = try addTLS(to: channel, isTLS ? identity : nil)
                try channel.pipeline.syncOperations.addHandler(FeedbackHandler(connection, isSecure: isSecure))
            })
    }

    /// - Parameter identity: nil for a connection without TLS.
    /// - Returns: true if there is TLS.
    private static func addTLS(
        to channel: any Channel, _ identity: (any GatewayTLS)?, ofBinaryInterface: Bool = true
    ) throws -> Bool {
        guard let identity else { return false }
        // TLS has an end of its own.
        try channel.syncOptions?.setOption(.allowRemoteHalfClosure, value: false)
        try channel.pipeline.syncOperations.addHandler(identity.handler(ofBinaryInterface: ofBinaryInterface))
        return true
    }
}

/// Stops accepting for a moment when a connection cannot be accepted, because file descriptors or memory are exhausted.
///
/// NIO goes on with the next event of the poll, which comes at once as long as a connection waits. Its own `AcceptBackoffHandler` delays only
/// reads that NIO asks for, and here none is: the failed one counts as pending.
final class AcceptPause: ChannelInboundHandler {
    typealias InboundIn = any Channel

    /// A quarter of a second: connections that closed in between are soon made up for, and four attempts a second cost nothing.
    static let pause = TimeAmount.milliseconds(250)

    /// Called with each error, on the event loop.
    private let note: (SystemError) -> Void

    init(note: @escaping (SystemError) -> Void) { self.note = note }

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

/// TLS on the connections of a gateway: `GatewayIdentity` of PushGatewayTLS. A gateway without it builds no BoringSSL.
package protocol GatewayTLS: Sendable {
    /// The handler that ends TLS on a connection.
    func handler(ofBinaryInterface: Bool) -> any ChannelHandler

    /// The certificate that the client of a connection has shown; nil for none. Called on the connection's event loop.
    func certificate(on channel: any Channel) -> ClientCertificate?
}
