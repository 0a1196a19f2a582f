import PushDecoding
import PushFaults
import PushModel
import PushPipeline
import RecordFraming

/// The binary interface of APNs that ended in 2021. Each notification is a record of a push, with the limits of the interface.
///
/// Source: Apple (archived), "Binary Provider API" and "Legacy Notification Format".
final class BinaryService: GatewayService {
    private weak var pipeline: Pipeline?

    func begin(_ pipeline: Pipeline) { self.pipeline = pipeline }

    func plan(_ request: GatewayRequest, _ records: inout RecordComposer) -> RequestPlan? {
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
                request, device: device, path: nil, refusal: refusal, budget: notification.budget)
            let answer = BinaryAnswer(
                notification, connection, endsConnection: request.fault?.transport.endsConnection ?? false)
            // What follows a notification on its connection is delivered only if this one is accepted.
            let app = request.header(.topic).flatMap { $0.isEmpty ? nil : $0 }
            let isSure =
                refusal == nil && !answer.endsConnection && isObject && !records.hasEvents
                && notification.payload.count <= (pipeline?.configuration.decoding.budget ?? notification.budget).bytes
                && (try? pipeline?.surelyAccepts(device, app: app ?? pipeline?.configuration.decoding.topic ?? ""))
                    == true
            return isSure ? .report(answer) : .reportAndWait(answer)
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
    /// Of a client of the binary interface. What its frame and its certificate say is in headers, under the names that HTTP has for it.
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
