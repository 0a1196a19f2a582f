import NIOCore
import NIOHTTP1
import NIOHTTP2
import NIOPosix
import NIOSSL
import Synchronization
import SystemSupport

/// The sockets of a gateway: accepts connections, and puts the requests that come over them into the queue.
final class GatewayServer: Sendable {
    /// What is connected. Shared with the event loops.
    private final class Connections: Sendable {
        private struct State {
            var channels: [ObjectIdentifier: any Channel] = [:]
            var isStopping = false
        }

        private let state = Mutex(State())

        /// False if there are too many, or no more are wanted.
        func add(_ channel: any Channel, limit: Int) -> Bool {
            state.withLock { state in
                guard !state.isStopping, state.channels.count < limit else { return false }
                state.channels[ObjectIdentifier(channel)] = channel
                return true
            }
        }

        func remove(_ channel: any Channel) {
            state.withLock { _ = $0.channels.removeValue(forKey: ObjectIdentifier(channel)) }
        }

        /// All of them; from now on none is added.
        func stop() -> [any Channel] {
            state.withLock { state in
                state.isStopping = true
                return Array(state.channels.values)
            }
        }

        var isEmpty: Bool { state.withLock(\.channels.isEmpty) }

        var isStopping: Bool { state.withLock(\.isStopping) }
    }

    /// Where it listens, with the port that the system chose.
    let address: ListenAddress
    private let connections: Connections
    private let group: MultiThreadedEventLoopGroup
    private let listener: any Channel

    /// Starts to accept connections.
    ///
    /// - Throws: `SystemError` and errors of name resolution, if nothing can listen there.
    init(_ address: ListenAddress, _ queue: GatewayQueue, _ limits: GatewayLimits, _ identity: GatewayIdentity?) throws
    {
        let connections = Connections()
        self.connections = connections
        group = MultiThreadedEventLoopGroup(numberOfThreads: min(CurrentProcess.processorCount, Self.maximumThreads))
        let bootstrap = ServerBootstrap(group: group)
            .serverChannelOption(.backlog, value: Self.backlog)
            .serverChannelOption(.socketOption(.so_reuseaddr), value: 1)
            .childChannelOption(.tcpOption(.tcp_nodelay), value: 1)
            .childChannelInitializer { channel in
                channel.eventLoop.makeCompletedFuture {
                    guard connections.add(channel, limit: limits.connections) else {
                        return channel.close(promise: nil)
                    }
                    channel.closeFuture.whenComplete { _ in
                        connections.remove(channel)
                        queue.wake()
                    }
                    let isStopping = { @Sendable in connections.isStopping }
                    try Self.begin(on: channel, queue, limits, identity, isStopping)
                }
            }
        do {
            listener = try bootstrap.bind(host: address.host, port: address.port).wait()
        } catch {
            try? group.syncShutdownGracefully()
            // NIO's description names the function that failed, too.
            if let error = error as? IOError { throw SystemError(code: error.errnoCode) }
            throw error
        }
        self.address = ListenAddress(host: address.host, port: listener.localAddress?.port ?? address.port)
    }

    /// The pipeline is one thread, so more than a few only wait for it.
    private static let maximumThreads = 4
    private static let backlog: Int32 = 1024

    // MARK: - Connections

    private static func begin(
        on channel: any Channel, _ queue: GatewayQueue, _ limits: GatewayLimits, _ identity: GatewayIdentity?,
        _ isStopping: @escaping @Sendable () -> Bool
    ) throws {
        try channel.pipeline.syncOperations.addHandler(FlushOncePerTick())
        try addSniffer(to: channel, queue, limits, identity, isStopping)
    }

    /// - Parameter identity: nil if TLS may not begin here.
    private static func addSniffer(
        to channel: any Channel, _ queue: GatewayQueue, _ limits: GatewayLimits, _ identity: GatewayIdentity?,
        _ isStopping: @escaping @Sendable () -> Bool
    ) throws {
        let deadline = TimeAmount.seconds(Int64(limits.secondsToBegin))
        let sniffer = ProtocolSniffer(acceptsTLS: identity != nil, deadline: deadline) { result, channel in
            switch result {
            case .tls:
                guard let identity else { return }
                try channel.pipeline.syncOperations.addHandler(NIOSSLServerHandler(context: identity.context))
                try addSniffer(to: channel, queue, limits, nil, isStopping)
            case .http2: try addHTTP2(to: channel, queue, limits)
            case .http1, .needsMore: try addHTTP1(to: channel, queue, limits, isStopping)
            }
        }
        try channel.pipeline.syncOperations.addHandler(sniffer)
    }

    private static func addHTTP1(
        to channel: any Channel, _ queue: GatewayQueue, _ limits: GatewayLimits,
        _ isStopping: @escaping @Sendable () -> Bool
    ) throws {
        // NIO's answer to errors would come after the last one of a connection that is being closed, and stop the process.
        try channel.pipeline.syncOperations.configureHTTPServerPipeline(
            withPipeliningAssistance: true, withErrorHandling: false)
        try channel.pipeline.syncOperations.addHandler(HTTP1Handler(queue, limits, isStopping: isStopping))
    }

    private static func addHTTP2(to channel: any Channel, _ queue: GatewayQueue, _ limits: GatewayLimits) throws {
        var connection = NIOHTTP2Handler.ConnectionConfiguration()
        connection.initialSettings = [
            HTTP2Setting(parameter: .maxConcurrentStreams, value: limits.streams),
            HTTP2Setting(parameter: .maxHeaderListSize, value: limits.headerBytes),
        ]
        connection.targetWindowSize = connectionWindow
        let manager = NIOHTTP2ServerConnectionManagementHandler(
            eventLoop: channel.eventLoop,
            configuration: .init(maxIdleTime: nil, maxAge: nil, maxGraceTime: nil, keepalive: nil))
        let http2 = NIOHTTP2Handler(
            mode: .server, eventLoop: channel.eventLoop, connectionConfiguration: connection,
            streamDelegate: manager.http2StreamDelegate
        ) { stream in
            stream.eventLoop.makeCompletedFuture {
                try stream.pipeline.syncOperations.addHandler(HTTP2StreamHandler(queue, limits))
            }
        }
        try channel.pipeline.syncOperations.addHandlers([CloseAfterError(), http2, GoAwayReason(), manager])
    }

    /// 1 MiB, so that hundreds of requests can come without waiting for the gateway.
    private static let connectionWindow = 1 << 20

    // MARK: - The end

    /// Whether nobody is connected.
    var isIdle: Bool { connections.isEmpty }

    /// Accepts no more connections, and tells those that there are to send no more requests. Each closes after its answers.
    func stopAccepting() {
        listener.close(promise: nil)
        for channel in connections.stop() {
            channel.pipeline.fireUserInboundEventTriggered(ChannelShouldQuiesceEvent())
        }
    }

    /// Closes everything, and returns when nothing of it runs any more.
    func shutDown() {
        listener.close(promise: nil)
        for channel in connections.stop() { channel.close(promise: nil) }
        try? group.syncShutdownGracefully()
    }
}
