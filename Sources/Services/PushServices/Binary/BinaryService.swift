import PushDecoding
import PushDevices
import PushFaults
package import PushFraming
import PushModel
import PushPipeline
import PushSystem
import Synchronization

/// The binary interface of APNs that ended in 2021. Each notification is a record of a push, with the limits of the interface.
///
/// Source: Apple (archived), "Binary Provider API" and "Legacy Notification Format".
final class BinaryService: GatewayService {

    override func plan(_ request: GatewayRequest, _ records: inout RecordComposer) -> RequestPlan? {
        guard let binary = request.binary else { return nil }
        let connection = binary.connection
        switch binary.content {
        case .feedback: return nil
        case _ where connection.hasFailed: return .drop
        case .unreadable(let identifier):
            connection.fail()
            let status = BinaryError.Status.protocolError
            let frame = BinaryError.frame(status: status, identifier: identifier)
            return .answer(GatewayAnswer(status: status, body: connection.takesErrors ? frame : []))
        case .notification(let notification):
            connection.begin(notification.command)
            let refusal = request.fault?.refusal(by: "apns") ?? notification.problem?.rejection
            let device = notification.device
            let isObject = records.appendAPNs(
                request, device: device, refusal: refusal, budget: notification.budget)
            let answer = BinaryAnswer(
                notification, connection, endsConnection: request.fault?.transport.endsConnection ?? false)
            // What follows a notification on its connection is delivered only if this one is accepted.
            let app = request.header(.topic).flatMap { $0.isEmpty ? nil : $0 }
            let isSure =
                refusal == nil && !answer.endsConnection && isObject && !records.hasEvents
                && notification.payload.count <= (pipeline?.configuration.decoding.budget ?? notification.budget).bytes
                && (try? pipeline?.surelyAccepts(device, app: app ?? pipeline?.configuration.decoding.topic ?? ""))
                    == true
            return .report(answer, isAwaited: !isSure)
        }
    }
}

/// How the binary interface answers: nothing, if a notification is accepted.
private struct BinaryAnswer: AnswerDraft {
    private let identifier: UInt32
    private let takesErrors: Bool
    private let connection: BinaryConnection
    /// True if the connection ends after this notification in any case.
    let endsConnection: Bool
    /// Nil while there is no line.
    private var status: Int?

    init(_ notification: BinaryNotification, _ connection: BinaryConnection, endsConnection: Bool) {
        identifier = notification.identifier
        takesErrors = notification.command != .simple
        self.connection = connection
        self.endsConnection = endsConnection
    }

    /// The first line decides.
    mutating func add(_ line: borrowing RecordReport, record: Int) {
        guard status == nil else { return }
        if line.decodeFailure != nil {
            status = Rejection.binaryProcessingError.row.status
        } else if let rejection = line.refusal {
            status = rejection.binaryStatus
        } else {
            status = 0
        }
    }

    func answer() -> GatewayAnswer {
        let status = status ?? Rejection.binaryProcessingError.row.status
        if endsConnection || status != 0 { connection.fail() }
        guard status != 0 else {
            connection.accept(identifier)
            return GatewayAnswer(status: 0)
        }
        guard takesErrors else { return GatewayAnswer(status: status) }
        let identifier = status == BinaryError.Status.shutdown ? connection.lastIdentifier : identifier
        return GatewayAnswer(status: status, body: BinaryError.frame(status: status, identifier: identifier))
    }
}

extension TransportFault {
    /// True if nothing more comes over the connection.
    fileprivate var endsConnection: Bool {
        switch ending {
        case .goAway, .reset, .cut: true
        case .silence, .pause, nil: false
        }
    }
}

extension BinaryNotification {
    /// The token, in hexadecimal.
    var device: String {
        let digits = Array("0123456789abcdef".utf8)
        return String(decoding: token.flatMap { [digits[Int($0 >> 4)], digits[Int($0 & 15)]] }, as: UTF8.self)
    }

    /// Source: Apple (archived), "Legacy Notification Format": 256 bytes; "Binary Provider API" since iOS 8: 2048 bytes.
    var budget: Budget { command == .items ? .apnsBinary2014 : .apnsBinary }
}

extension BinaryNotification.Problem {
    fileprivate var rejection: Rejection {
        switch self {
        case .missingToken: .binaryMissingDeviceToken
        case .missingPayload: .binaryMissingPayload
        case .invalidTokenSize: .binaryInvalidTokenSize
        case .invalidPriority: .binaryProcessingError
        }
    }
}

extension GatewayRequest {
    /// A request of a client of the binary interface. What its frame and its certificate say is in headers, under the names of HTTP.
    ///
    /// The frame names no app: that is the certificate's. Without one, the app is the first on the device, or the default of records.
    package init(_ content: BinaryRequest.Content, over connection: BinaryConnection, from sender: RequestSender) {
        self.init(method: "BINARY", path: "/feedback")
        self.sender = sender
        binary = BinaryRequest(content: content, connection: connection)
        switch content {
        case .feedback: break
        case .unreadable: path = "/binary"
        case .notification(let notification):
            path = "/binary/" + notification.device
            body = notification.payload
            headers = [
                HeaderField("command", "\(notification.command.rawValue)"),
                HeaderField("identifier", "\(notification.identifier)"),
            ]
            let certificate = sender.certificate
            let topic = certificate?.bundle ?? certificate?.topics.first
            if let topic { headers.append(HeaderField(.topic, topic)) }
            if let expiry = notification.expiry { headers.append(HeaderField(.expiration, "\(expiry)")) }
            if let priority = notification.priority { headers.append(HeaderField(.priority, "\(priority)")) }
        }
    }
}

/// A message over the binary interface of APNs, or from a client of its feedback service, in place of a request of HTTP.
package struct BinaryRequest: Sendable {
    package enum Content: Sendable, Equatable {
        case notification(BinaryNotification)
        /// An invalid frame. The identifier is 0 if none was read.
        case unreadable(identifier: UInt32)
        /// A client of the feedback service has connected.
        case feedback
    }

    package var content: Content
    package var connection: BinaryConnection
}

/// The state that the pipeline's thread and the event loop of a connection share.
///
/// An error ends a connection, and nothing that follows the rejected notification is delivered. The error is found on the
/// pipeline's thread, when later notifications may be waiting there already.
package final class BinaryConnection: Sendable {
    private struct State {
        var hasFailed = false
        var lastIdentifier: UInt32?
        var takesErrors = true
    }

    private let state = Mutex(State())

    package init() {}

    /// True if nothing of what follows is delivered. Of a client of the feedback service: whether the tokens did not reach it.
    var hasFailed: Bool { state.withLock(\.hasFailed) }

    /// The identifier of the notification that was accepted last; 0 if there is none.
    package var lastIdentifier: UInt32 { state.withLock(\.lastIdentifier) ?? 0 }

    /// True if a notification was accepted.
    package var hasBegun: Bool { state.withLock { $0.lastIdentifier != nil } }

    /// True if the sender is sent errors: not if its last notification had command 0.
    ///
    /// Source: Apple (archived), "Legacy Notification Format": with the legacy format, APNs severs the connection and does not say
    /// why; error responses came with the enhanced format.
    package var takesErrors: Bool { state.withLock(\.takesErrors) }

    /// Takes note of a notification that has come.
    func begin(_ command: BinaryNotification.Command) { state.withLock { $0.takesErrors = command != .simple } }

    package func fail() { state.withLock { $0.hasFailed = true } }

    func accept(_ identifier: UInt32) { state.withLock { $0.lastIdentifier = identifier } }
}

/// The frame with which the binary interface answers, before it closes the connection.
///
/// Source: Apple (archived), "Binary Provider API".
package enum BinaryError {
    /// An error of the connection, and not of a notification.
    package enum Status {
        /// The gateway closes; the identifier is that of the notification that was accepted last.
        package static let shutdown = 10
        /// An invalid frame.
        package static let protocolError = 128
    }

    private static let command: UInt8 = 8

    package static func frame(status: Int, identifier: UInt32) -> [UInt8] {
        [command, UInt8(truncatingIfNeeded: status)]
            + (0..<4).map { UInt8(truncatingIfNeeded: identifier >> (24 - 8 * $0)) }
    }
}

/// The feedback service of APNs: sends each client the tokens that became invalid since the last report.
///
/// A token counts as reported from when it is on its way to a client, unless that connection fails.
///
/// Source: Apple (archived), "Binary Provider API", "The Feedback Service".
final class FeedbackService: GatewayService {
    /// True if clients without a certificate get the tokens of all apps; otherwise they get none.
    private let isOpen: Bool
    /// Tokens that were reported: one that becomes invalid again is reported again.
    private var reports: [Token: Report] = [:]

    private struct Token: Hashable {
        var device: String
        var app: String
    }

    private struct Report {
        /// The time at which the token became invalid, in epoch milliseconds.
        var unregisteredAt: Int64
        var connection: BinaryConnection
    }

    /// The most tokens that one connection gets; the next one gets the rest. 100,000 take 3.8 MB.
    private static let maximumCount = 100_000

    init(isOpen: Bool = true) { self.isOpen = isOpen }

    override func plan(_ request: GatewayRequest, _ records: inout RecordComposer) -> RequestPlan? {
        guard let binary = request.binary, binary.content == .feedback else { return nil }
        let certificate = request.sender.certificate
        guard isOpen || certificate?.namesApp == true else { return .answer(GatewayAnswer(status: 403)) }
        return .answer(GatewayAnswer(status: 0, body: tuples(for: certificate, over: binary.connection)))
    }

    /// The tuples of the tokens: the time at which each became invalid, in epoch seconds (4 bytes), its length (2), the token.
    private func tuples(for certificate: ClientCertificate?, over connection: BinaryConnection) -> [UInt8] {
        var bytes: [UInt8] = []
        var count = 0
        let now = pipeline?.now ?? .max
        // A store that cannot be read ends the gateway with the next record.
        try? pipeline?.forEachDeadToken { token in
            guard count < Self.maximumCount, token.platform == .ios, let at = token.unregisteredAt, at <= now,
                certificate?.covers(token.app) ?? true, let device = Self.bytes(token.device)
            else { return }
            let key = Token(device: token.device, app: token.app)
            if let report = reports[key], report.unregisteredAt == at, !report.connection.hasFailed { return }
            reports[key] = Report(unregisteredAt: at, connection: connection)
            count += 1
            let seconds = UInt32(clamping: at / 1000)
            bytes += (0..<4).map { UInt8(truncatingIfNeeded: seconds >> (24 - 8 * $0)) }
            bytes += [UInt8(truncatingIfNeeded: device.count >> 8), UInt8(truncatingIfNeeded: device.count)]
            bytes += device
        }
        return bytes
    }

    /// The bytes of a token of APNs; nil for any other name.
    private static func bytes(_ device: String) -> [UInt8]? {
        guard !device.isEmpty, device.utf8.count / 2 <= Int(UInt16.max) else { return nil }
        return Hexadecimal.bytes(device.utf8)
    }
}

extension ClientCertificate {
    /// True if it is for certain apps, and not for all.
    fileprivate var namesApp: Bool { bundle != nil || !topics.isEmpty }

    /// True if it is for an app; a certificate that names none is for all, and so is an entry without a name.
    fileprivate func covers(_ app: String) -> Bool {
        app.isEmpty || topics.isEmpty || topics.contains(app) || bundle == app
    }
}
