import DeviceScreens
public import Foundation
import PushGateway
import PushRuns
import PushServices
import Synchronization

/// A push service in the process of a test: it answers as Apple's does, and says what arrived and what the phone shows.
///
///     let server = try await PushpipeServer.start()
///     let sender = NewsSender(service: server.url)
///     try await sender.announce("12 of 98 districts", to: "ab12")
///     let push = try await server.next { $0.device == "ab12" }
///     #expect(push.outcome == "delivered")
///     #expect(await server.screen(of: "ab12").first?.body == "12 of 98 districts")
///     await server.stop()
///
/// Each server has a port, devices and messages of its own, so tests can run at the same time.
public final class PushpipeServer: Sendable {
    /// How a server begins.
    public struct Options: Sendable {
        /// The port on the loopback address; 0 for any free one.
        public var port: UInt16 = 0
        /// The file with the key that provider tokens are signed with, private (`.p8`) or public, in PEM; nil to check no signature.
        public var providerKeyPath: String?
        /// True if provider tokens are not looked at. Otherwise one that is sent has to be well-formed and fresh.
        public var ignoresProviderTokens = false
        /// True if tokens that no record has registered are refused.
        public var rejectsUnknownDevices = false

        /// Takes every token and every device, on a free port.
        public init() {}
    }

    /// Why `next` returns nothing.
    public struct NotReceived: Error, CustomStringConvertible {
        /// The awaited message, and those that arrived instead.
        public let description: String
    }

    /// Where senders have to send to: `http://127.0.0.1:PORT`, without TLS. Over HTTP/2 with prior knowledge, or HTTP/1.1.
    public let url: URL
    private let gateway: InProcessGateway
    private let inbox = Inbox()

    /// Starts a server on a free port, or that of the options. It answers from now on.
    ///
    /// - Throws: an error with a description for people if it cannot listen, or read the key.
    public static func start(_ options: Options = Options()) async throws -> PushpipeServer {
        try PushpipeServer(options)
    }

    private init(_ options: Options) throws {
        var gatewayOptions = GatewayOptions()
        gatewayOptions.ports.main = ListenAddress(host: "127.0.0.1", port: Int(options.port))
        gatewayOptions.ignoresTokens = options.ignoresProviderTokens
        gatewayOptions.providerKeyPath = options.providerKeyPath
        let gateway = try InProcessGateway(
            gatewayOptions, rejectsUnknownDevices: options.rejectsUnknownDevices, over: NIONetwork())
        guard let url = URL(string: "http://\(gateway.address)") else { throw RunError("no URL of \(gateway.address)") }
        self.gateway = gateway
        self.url = url
        let inbox = inbox
        Thread.detachNewThread {
            do {
                try gateway.run { inbox.add(Message($0)) }
                inbox.finish(nil)
            } catch {
                inbox.finish(error)
            }
        }
    }

    deinit { gateway.stop() }

    /// The messages since the start or the last reset, oldest first: the newest 10,000. A message is in it before its sender has
    /// the answer.
    public var messages: [Message] { inbox.messages }

    /// Waits for a message. One that has arrived already is returned at once, and none is returned twice.
    ///
    /// - Parameters:
    ///   - isWanted: says whether it is the one. Called on any thread; it may not use the server.
    ///   - limit: how long to wait.
    /// - Returns: the oldest that matches.
    /// - Throws: `NotReceived` at the end of the time, or when the server stops; `CancellationError`.
    public func next(
        where isWanted: @escaping @Sendable (Message) -> Bool = { _ in true }, within limit: Duration = .seconds(5)
    ) async throws -> Message {
        try await inbox.next(where: isWanted, within: limit)
    }

    /// The notifications on a device, newest first.
    ///
    /// - Parameters:
    ///   - device: a token, or a registration id.
    ///   - app: a bundle identifier or package name; nil for all.
    public func screen(of device: String, app: String? = nil) async -> [ShownNotification] {
        await gateway.notifications(device: device, app: app).map(ShownNotification.init)
    }

    /// Registers devices, makes events happen, or delivers messages: the records that `pushpipe run` reads.
    ///
    ///     try await server.add(records: #"{"event":"device","device":"ab12","app":"org.example.news","unregistered":true}"#)
    ///
    /// - Parameter records: a JSON object, an array of them, or one per line; 64 KiB at most.
    /// - Returns: a line for each, and for what it brings about.
    /// - Throws: `NotReceived` if there is no record, or the server has stopped.
    @discardableResult
    public func add(records: String) async throws -> [ReportLine] {
        guard let (status, lines) = await gateway.add(records: records) else {
            throw NotReceived(description: "the server has stopped")
        }
        guard status == 200 else { throw NotReceived(description: "there is no record in the text") }
        return lines.map(ReportLine.init)
    }

    /// Fault rules that cannot be read.
    public struct InvalidFaults: Error, CustomStringConvertible {
        /// The place and the reason.
        public let description: String
    }

    /// Has requests go wrong by rules, in place of those that were set before.
    ///
    ///     try await server.setFaults("- {every: 3, status: 503, retry_after: 5}")
    ///
    /// - Parameter rules: a list in YAML or JSON, as in a file of faults; empty for none.
    /// - Throws: `InvalidFaults`.
    public func setFaults(_ rules: String) async throws {
        if let reason = await gateway.setFaults(rules) { throw InvalidFaults(description: reason) }
    }

    /// Forgets messages, devices and screens, so that the next test begins anew.
    public func reset() async {
        await gateway.reset()
        inbox.removeAll()
    }

    /// Answers what is in flight, closes all connections, and returns when nothing runs any more. Waiting calls of `next` fail.
    public func stop() async {
        gateway.stop()
        await inbox.waitForEnd()
    }
}
