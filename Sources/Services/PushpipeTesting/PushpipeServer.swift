public import Foundation
import PushGateway
import PushModel
import PushServices
import PushSystem
import Synchronization

/// A push service in the process of a test: it answers as Apple's does, and says what arrived and what the phone shows.
///
///     let server = try await PushpipeServer.start()
///     let sender = NewsSender(service: server.url)
///     try await sender.announce("12 of 98 districts", to: "ab12")
///     let push = try await server.next { $0.device == "ab12" }
///     #expect(push.outcome == .delivered)
///     #expect(try await server.screen(of: "ab12").first?.body == "12 of 98 districts")
///     await server.stop()
///
/// Each server has a port, devices and messages of its own, so tests can run at the same time. After `stop`, messages that have arrived
/// can still be read; everything else throws a `Failure` with the code `stopped`, and so does everything if the server fails.
public final class PushpipeServer: Sendable {
    /// How a server begins.
    public struct Options: Sendable {
        /// The port on the loopback address; 0 for any free one.
        public var port: UInt16 = 0
        /// Returns true if a signature of ES256 (64 bytes, RFC 7518) is that of a message: the header and the claims of a provider token.
        /// With swift-crypto, `key` a `P256.Signing.PublicKey`:
        ///
        ///     options.checksSignature = { signature, message in
        ///         (try? P256.Signing.ECDSASignature(rawRepresentation: signature))
        ///             .map { key.isValidSignature($0, for: message) } ?? false
        ///     }
        ///
        /// Nil to check no signature. With one, every request needs a token.
        public var checksSignature: (@Sendable (_ signature: [UInt8], _ message: [UInt8]) -> Bool)?
        /// True if provider tokens are not looked at. Otherwise one that is sent has to be well-formed and fresh.
        public var ignoresProviderTokens = false
        /// True if tokens that no record has registered are refused.
        public var rejectsUnknownDevices = false
        /// The token that requests to Expo's push service must have, or `@` and the name of a file that has it; nil to take every request.
        public var expoAccessToken: String?

        /// Takes every token and every device, on a free port.
        public init() {}
    }

    /// Where senders have to send to: `http://127.0.0.1:PORT`, without TLS. Over HTTP/2 with prior knowledge, or HTTP/1.1.
    public let url: URL
    private let gateway: InProcessGateway
    private let inbox = Inbox()

    /// Starts a server on a free port, or that of the options. It answers from now on.
    ///
    /// - Throws: `Failure` with the code `notStarted` if it cannot listen.
    public static func start(_ options: Options = Options()) async throws -> PushpipeServer {
        do { return try PushpipeServer(options) } catch {
            throw Failure(code: .notStarted, description: "\((error as? PlainError)?.message ?? "\(error)")")
        }
    }

    private init(_ options: Options) throws {
        var gatewayOptions = GatewayOptions()
        gatewayOptions.ignoresTokens = options.ignoresProviderTokens
        gatewayOptions.providerSignature = options.checksSignature
        gatewayOptions.expoAccessToken = options.expoAccessToken
        let address = ListenAddress(host: "127.0.0.1", port: Int(options.port))
        let gateway = InProcessGateway(
            gatewayOptions, rejectsUnknownDevices: options.rejectsUnknownDevices,
            over: try Gateway(GatewayPorts(address)))
        guard let url = URL(string: "http://\(gateway.address)") else {
            throw PlainError("no URL of \(gateway.address)")
        }
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
    /// If several calls wait, a message goes to the one that began first, of those that want it.
    ///
    /// - Parameters:
    ///   - isWanted: says whether it is the one. Asked once about each message, on any thread. It may use the server, but not block
    ///     until a request is answered. An error that it throws ends the wait.
    ///   - limit: how long to wait.
    /// - Returns: the oldest that matches.
    /// - Throws: `Failure` with the code `notReceived` at the end of the time, or `stopped` when the server stops, and with the messages
    ///   that arrived instead; `CancellationError`; errors of `isWanted`.
    public func next(
        where isWanted: @escaping @Sendable (Message) throws -> Bool = { _ in true },
        within limit: Duration = .seconds(5)
    ) async throws -> Message {
        try await inbox.next(where: isWanted, within: limit)
    }

    /// The notifications on a device, newest first. Empty for a device that nothing is known of.
    ///
    /// - Parameters:
    ///   - device: a token, or a registration id.
    ///   - app: a bundle identifier or package name; nil for all.
    /// - Throws: `Failure` with the code `stopped`.
    public func screen(of device: String, app: String? = nil) async throws -> [ShownNotification] {
        try await running(await gateway.notifications(device: device, app: app), for: "screen(of:)")
            .map(ShownNotification.init)
    }

    /// Registers devices, or changes what is known of them.
    ///
    /// - Returns: a line for each, and for what it brings about.
    /// - Throws: `Failure`, as `add(records:)` does.
    @discardableResult
    public func register(_ devices: Device...) async throws -> [PushReport] { try await register(devices) }

    /// The same for a list, which may be empty.
    @discardableResult
    public func register(_ devices: [Device]) async throws -> [PushReport] {
        guard !devices.isEmpty else { return [] }
        return try added(await running(await gateway.add(devices.map(\.event)), for: "register"))
    }

    /// Registers devices, makes events happen, or delivers messages: the records that `pushpipe run` reads.
    ///
    ///     try await server.add(records: #"{"event":"tap","device":"ab12"}"#)
    ///
    /// - Parameter records: a JSON object, an array of them, or one per line; 1 MiB at most.
    /// - Returns: a line for each, and for what it brings about. A message that the provider rejects is one of them, and no error.
    /// - Throws: `Failure` with the code `invalidRecords`, which names the records that are malformed, and the members that their events do
    ///   not have. A malformed record does nothing, and an unknown member changes nothing; all the rest has happened, and stays. Nothing
    ///   has happened if there is no record, or if the text is too long. With the code `stopped` if the server has stopped.
    @discardableResult
    public func add(records: String) async throws -> [PushReport] {
        try added(await running(await gateway.add(records: records), for: "add(records:)"))
    }

    private func added(_ result: Result<[PushReport], PlainError>) throws -> [PushReport] {
        try result.mapError { Failure(code: .invalidRecords, description: $0.message) }.get()
    }

    /// Has requests go wrong by rules, in place of those that were set before. The first rule that matches a request decides about it.
    ///
    /// - Parameter faults: empty for none.
    /// - Throws: `Failure` with the code `invalidFaults`, and the rules in force stay; with `stopped` if the server has stopped.
    public func setFaults(_ faults: [Fault]) async throws { try await setFaults(Self.text(of: faults), line: "fault") }

    /// Has requests go wrong by rules, in place of those that were set before. The first rule that matches a request decides about it.
    ///
    ///     try await server.setFaults("- {rate: 100/s, reason: TooManyRequests}")
    ///
    /// - Parameter rules: a list in YAML or JSON, as in a file of faults; empty for none.
    /// - Throws: `Failure` with the code `invalidFaults`, and the rules in force stay; with `stopped` if the server has stopped.
    public func setFaults(_ rules: String) async throws { try await setFaults(rules, line: "line") }

    private func setFaults(_ rules: String, line: String) async throws {
        try await running(await gateway.setFaults(rules, line: line), for: "setFaults")
            .mapError { Failure(code: .invalidFaults, description: $0.message) }.get()
    }

    /// Forgets messages, devices, screens and fault rules, so that the next test begins anew. Waiting calls of `next` go on waiting, and
    /// numbers of messages go on.
    ///
    /// - Throws: `Failure` with the code `stopped`.
    public func reset() async throws {
        try await running(await gateway.reset(), for: "reset")
        inbox.removeAll()
    }

    /// Answers what is in flight, closes all connections, and returns when nothing runs any more. Waiting calls of `next` fail. Does
    /// nothing if the server has stopped.
    public func stop() async {
        gateway.stop()
        await inbox.waitForEnd()
    }

    /// The result of a call, which is nil if the server has stopped.
    private func running<Value>(_ result: Value?, for call: String) async throws -> Value {
        if let result { return result }
        // The gateway is about to end, and then there is a reason.
        await inbox.waitForEnd()
        let reason = inbox.failure.map { "has failed: \($0)" } ?? "has stopped"
        throw Failure(code: .stopped, description: "\(call) needs a running server, and this one \(reason)")
    }
}
