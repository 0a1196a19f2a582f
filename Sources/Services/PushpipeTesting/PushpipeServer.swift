public import Foundation
import PushGateway
import PushJSON
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

    /// The address that senders have to send to: `http://127.0.0.1:PORT`, without TLS. Over HTTP/2 with prior knowledge, or HTTP/1.1.
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

    /// The number on an app's icon; nil if neither a push nor an event has set it.
    ///
    /// - Parameters:
    ///   - device: a token, or a registration id.
    ///   - app: its bundle identifier or package name.
    /// - Throws: `Failure` with the code `stopped`.
    public func badge(of device: String, app: String) async throws -> Int? {
        try await running(await gateway.badge(device: device, app: app), for: "badge(of:app:)")
    }

    /// Registers devices, or changes what is known of them.
    ///
    /// - Returns: a line for each, and for what it brings about.
    /// - Throws: `Failure`, as `add(records:)` does.
    @discardableResult
    public func register(_ devices: Device...) async throws -> [PushReport] { try await register(devices) }

    /// Registers the devices of a list, which may be empty, as `register` does for those that are named.
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

extension PushpipeServer {
    /// An error of a server or a message.
    public struct Failure: Error, Equatable, CustomStringConvertible {
        /// The kinds of failure.
        #if hasAttribute(nonexhaustive)
            @nonexhaustive
        #endif
        public enum Code: Sendable {
            /// The server cannot listen on its port, or cannot read its key.
            case notStarted
            /// The server does not run any more: `stop` was called, or it failed.
            case stopped
            /// The time of `next` is over, and no message matched.
            case notReceived
            /// A record is malformed, or has a member that its event does not have.
            case invalidRecords
            /// A fault rule cannot be read.
            case invalidFaults
            /// The body of a message does not have the form of a type.
            case invalidPayload
        }

        /// The kind of failure.
        public let code: Code
        /// The problem, its place, and what to do, for people.
        public let description: String
    }
}

extension PushpipeServer {
    /// A device with an app, or a change of one: what is nil keeps its value.
    ///
    ///     try await server.register(
    ///         .init("ab12", app: "org.example.news", isOnline: false),
    ///         .init("cd34", app: "org.example.news", isUnregistered: true))
    ///
    /// `add(records:)` takes the rest of what is known of a device.
    public struct Device: Sendable, Equatable {
        /// The token, or the registration id.
        public var token: String
        /// The bundle identifier or package name; nil for the first app of the device, or for any app on a new one.
        public var app: String?
        /// The kind of device. APNs' tokens are of iOS, and others of Android, unless it is given.
        public var platform: Platform?
        /// True if the device can be reached, with all of its apps. Messages wait for one that cannot.
        public var isOnline: Bool?
        /// True if the token is dead: APNs answers 410 `Unregistered`.
        public var isUnregistered: Bool?
        /// The registration id that replaces the token.
        public var canonical: String?
        /// The user's permission to show notifications.
        public var authorization: DeviceEvent.Authorization?
        /// The state of the app. One in the foreground shows no notification unless its delegate says so.
        public var appState: DeviceEvent.AppState?
        /// The topics of GCM and FCM that the app is subscribed to, and no others.
        public var topics: [String]?

        /// Creates a device.
        public init(
            _ token: String, app: String? = nil, platform: Platform? = nil, isOnline: Bool? = nil,
            isUnregistered: Bool? = nil, canonical: String? = nil, authorization: DeviceEvent.Authorization? = nil,
            appState: DeviceEvent.AppState? = nil, topics: [String]? = nil
        ) {
            self.token = token
            self.app = app
            self.platform = platform
            self.isOnline = isOnline
            self.isUnregistered = isUnregistered
            self.canonical = canonical
            self.authorization = authorization
            self.appState = appState
            self.topics = topics
        }

        var event: DeviceEvent {
            var event = DeviceEvent(.device, device: token, app: app)
            event.platform = platform
            event.isOnline = isOnline
            event.isUnregistered = isUnregistered
            event.settings.canonical = canonical
            event.authorization = authorization
            event.appState = appState
            event.settings.topics = topics.map { Set($0) }
            return event
        }
    }
}

extension PushpipeServer {
    /// A rule by which requests go wrong. All that is given has to match.
    ///
    ///     try await server.setFaults([
    ///         .init(device: "dead*", reason: "Unregistered"),
    ///         .init(every: 3, status: 503, retryAfter: .seconds(5)),
    ///         .init(times: 1, ending: .cut),
    ///     ])
    ///
    /// `Documentation/reference/gateway-faults.md` explains each part, and has more of them for the text form.
    public struct Fault: Sendable, Equatable {
        /// An end of the connection, with an answer or in place of one.
        #if hasAttribute(nonexhaustive)
            @nonexhaustive
        #endif
        public enum Ending: Sendable, Equatable {
            /// The request is answered, and the connection goes away with this reason.
            case goAway(reason: String = "Shutdown")
            /// The push is delivered, and the stream is reset in place of an answer. The code is one of HTTP/2, such as `REFUSED_STREAM`.
            case reset(code: String = "INTERNAL_ERROR")
            /// The push is delivered, and the connection is closed in place of an answer.
            case cut
            /// The push is delivered, and never answered.
            case silence
            /// The request is answered, and nothing is read from the connection for this time.
            case pause(Duration)
        }

        /// A pattern of the token, with `*` and `?`; nil for any.
        public var device: String?
        /// A pattern of the header `apns-topic`; nil for any.
        public var topic: String?
        /// A pattern of the path; nil for any.
        public var path: String?
        /// The share of these requests: with 3, every third, from 1; nil for all.
        public var every: Int?
        /// How many requests it matches at most, from 1; nil for any number.
        public var times: Int?
        /// The reason of a rejection, in the words of APNs, FCM, GCM or Expo; nothing is delivered then.
        public var reason: String?
        /// The HTTP status from 400 to 599, in place of that of the reason. 410, 429, 500 and 503 need no reason.
        public var status: Int?
        /// The header `retry-after` of a rejection. Rounded up to seconds, at most a day.
        public var retryAfter: Duration?
        /// How long the answer is delayed. Rounded to milliseconds.
        public var delay: Duration?
        /// How the connection ends; nil to keep it.
        public var ending: Ending?

        /// Creates a rule. It has to say what happens: a reason, a status, a delay or an ending.
        public init(
            device: String? = nil, topic: String? = nil, path: String? = nil, every: Int? = nil, times: Int? = nil,
            reason: String? = nil, status: Int? = nil, retryAfter: Duration? = nil, delay: Duration? = nil,
            ending: Ending? = nil
        ) {
            self.device = device
            self.topic = topic
            self.path = path
            self.every = every
            self.times = times
            self.reason = reason
            self.status = status
            self.retryAfter = retryAfter
            self.delay = delay
            self.ending = ending
        }

        /// The rule as an element of a list in YAML, on one line.
        fileprivate var line: String {
            var members: [(name: String, value: String?)] = [
                ("device", device), ("topic", topic), ("path", path), ("every", every.map(String.init)),
                ("times", times.map(String.init)), ("reason", reason), ("status", status.map(String.init)),
                ("retry_after", retryAfter.map { Self.text(($0 / .seconds(1)).rounded(.up)) }),
                ("delay", delay.map(Self.text)),
            ]
            if let ending { members.append(Self.member(ending)) }
            // YAML reads a string of JSON.
            let texts = members.compactMap { name, value in value.map { "\"\(name)\":\($0.jsonQuoted)" } }
            return "- {\(texts.joined(separator: ","))}\n"
        }

        private static func member(_ ending: Ending) -> (name: String, value: String?) {
            switch ending {
            case .goAway(let reason): ("goaway", reason)
            case .reset(let code): ("reset", code)
            case .cut: ("cut", "true")
            case .silence: ("silence", "true")
            case .pause(let time): ("pause", text(time))
            }
        }

        private static func text(_ time: Duration) -> String { text((time / .milliseconds(1)).rounded()) + "ms" }

        private static func text(_ number: Double) -> String { Int(exactly: number).map(String.init) ?? "\(number)" }
    }

    /// The rules as text.
    static func text(of faults: [Fault]) -> String { faults.map(\.line).joined() }
}

extension PushpipeServer {
    /// A request of a sender, and what became of it.
    public struct Message: Sendable, Equatable {
        /// A header of a request.
        public struct Header: Sendable, Equatable {
            /// The name in lower case.
            public let name: String
            /// The value as it was sent.
            public let value: String

            /// Creates a header.
            ///
            /// - Parameters:
            ///   - name: in lower case.
            ///   - value: as it was sent.
            public init(name: String, value: String) {
                self.name = name
                self.value = value
            }
        }

        /// Grows by 1 with each message of a server, from 1.
        public let id: UInt64
        /// Who answered, such as `apns`; `none` for a path that is nobody's.
        public let service: String
        /// The method of the request.
        public let method: String
        /// The path of the request, with its query.
        public let path: String
        /// The headers of the request, in the order in which they came.
        public let headers: [Header]
        /// The body of the request. Empty if it was larger than the service reads.
        public let body: [UInt8]
        /// The HTTP status of the answer.
        public let status: Int
        /// The report: a line for each target, and for each consequence, up to 64 KiB of JSON. Empty if the request became no record.
        public let report: [PushReport]

        /// Creates a message that no server received, for tests of functions that take one.
        ///
        ///     let push = PushpipeServer.Message(
        ///         headers: [.init(name: "apns-topic", value: "org.example.news")],
        ///         report: [try #require(PushReport(json: #"{"seq":1,"device":"ab12","outcome":"delivered"}"#))])
        public init(
            id: UInt64 = 1, service: String = "apns", method: String = "POST", path: String = "/3/device/ab12",
            headers: [Header] = [], body: [UInt8] = [], status: Int = 200, report: [PushReport] = []
        ) {
            self.id = id
            self.service = service
            self.method = method
            self.path = path
            self.headers = headers
            self.body = body
            self.status = status
            self.report = report
        }

        /// The body as text.
        public var text: String { String(decoding: body, as: UTF8.self) }

        /// The first value of a header; nil without one.
        ///
        /// - Parameter name: in lower case.
        public func header(_ name: String) -> String? { headers.first { $0.name == name }?.value }

        /// The outcome of the message; nil if the request became no record. Of several targets, the first.
        public var outcome: Outcome? { report.first?.outcome }
        /// Why it was refused or not delivered, in the provider's word; nil if it was delivered.
        public var reason: String? { report.first?.reason }
        /// The token, registration id or topic.
        public var device: String? { report.first?.device }
        /// The bundle identifier or package name.
        public var app: String? { report.first?.app }

        /// The body as a value: the payload of a push to APNs, the whole request of one to FCM.
        ///
        ///     struct News: Decodable { var article: Int }
        ///     #expect(try push.decodedPayload(as: News.self).article == 7)
        ///
        /// - Parameters:
        ///   - type: the type to decode.
        ///   - decoder: how dates, data and keys are read.
        /// - Throws: `Failure` with the code `invalidPayload`, which names the place in the body.
        public func decodedPayload<Payload: Decodable>(
            as type: Payload.Type = Payload.self, using decoder: JSONDecoder = JSONDecoder()
        ) throws -> Payload {
            do { return try decoder.decode(type, from: Data(body)) } catch {
                let fault = body.isEmpty ? "its body is empty" : (error as? DecodingError)?.place ?? "\(error)"
                let excerpt = body.isEmpty ? "" : "; the body is \(text.prefix(300))\(text.count > 300 ? "…" : "")"
                throw Failure(
                    code: .invalidPayload,
                    description: "message \(id) cannot be decoded as \(type): \(fault)\(excerpt)")
            }
        }
    }

    /// A notification on a device's screen.
    public struct ShownNotification: Sendable, Equatable {
        /// The bundle identifier or package name.
        public let app: String
        /// The sender's identifier, or a generated one.
        public let identifier: String
        /// The title that is shown; nil for none.
        public let title: String?
        /// The subtitle that is shown; nil for none.
        public let subtitle: String?
        /// The text that is shown; nil for none.
        public let body: String?
        /// The thread that groups it; nil for none.
        public let thread: String?
        /// The payload, as JSON.
        public let payload: String

        /// Creates a notification that no device shows, for tests of functions that take one.
        public init(
            app: String, identifier: String, title: String? = nil, subtitle: String? = nil, body: String? = nil,
            thread: String? = nil, payload: String = "{}"
        ) {
            self.app = app
            self.identifier = identifier
            self.title = title
            self.subtitle = subtitle
            self.body = body
            self.thread = thread
            self.payload = payload
        }
    }
}

extension PushpipeServer.Message {
    init(_ message: LoggedMessage) {
        self.init(
            id: message.id, service: message.service, method: message.request.method, path: message.request.path,
            headers: message.request.headers.map { Header(name: $0.name, value: $0.value) },
            body: message.request.body, status: message.answer.status, report: PushReport.list(message.report))
    }
}

extension PushpipeServer.ShownNotification {
    init(_ notification: DeliveredNotification) {
        let content = notification.content
        self.init(
            app: notification.app, identifier: notification.identifier, title: content.title,
            subtitle: content.subtitle, body: content.body, thread: content.thread, payload: notification.payload)
    }
}

extension DecodingError {
    /// The problem, with the JSON Pointer of its place.
    fileprivate var place: String {
        func pointer(_ context: Context) -> String {
            context.codingPath.map { "/" + ($0.intValue.map(String.init) ?? $0.stringValue) }.joined()
        }
        switch self {
        case .keyNotFound(let key, let context):
            let parent = pointer(context)
            return "\(parent.isEmpty ? "the object" : parent) has no \"\(key.stringValue)\""
        case .typeMismatch(_, let context), .valueNotFound(_, let context), .dataCorrupted(let context):
            let place = pointer(context)
            return (place.isEmpty ? "" : "\(place): ") + context.debugDescription
        @unknown default: return "\(self)"
        }
    }
}
