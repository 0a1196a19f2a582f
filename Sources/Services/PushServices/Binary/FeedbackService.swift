import PushDecoding
import PushModel
import PushPipeline
import PushStore
import PushSystem

/// The feedback service of APNs: sends each client the tokens that became invalid since the last report.
///
/// A token counts as reported from when it is on its way to a client, unless that connection fails.
///
/// Source: Apple (archived), "Binary Provider API", "The Feedback Service".
final class FeedbackService: GatewayService {
    private weak var pipeline: Pipeline?
    /// True if clients without a certificate get the tokens of all apps; otherwise they get none.
    private let isOpen: Bool
    /// Tokens that were reported: one that becomes invalid again is reported again.
    private var reports: [Token: Report] = [:]

    private struct Token: Hashable {
        var device: String
        var app: String
    }

    private struct Report {
        /// When the token became invalid, in epoch milliseconds.
        var unregisteredAt: Int64
        var connection: BinaryConnection
    }

    /// The most tokens that one connection gets; the next one gets the rest. 100,000 take 3.8 MB.
    private static let maximumCount = 100_000

    /// - Parameter isOpen: true if clients without a certificate get the tokens of all apps; otherwise they get none.
    init(isOpen: Bool = true) { self.isOpen = isOpen }

    func begin(_ pipeline: Pipeline) { self.pipeline = pipeline }

    func plan(_ request: GatewayRequest, _ records: inout RecordComposer) -> RequestPlan? {
        guard let binary = request.binary, binary.content == .feedback else { return nil }
        let certificate = request.sender.certificate
        guard isOpen || certificate?.namesApp == true else { return .answer(GatewayAnswer(status: 403)) }
        return .answer(GatewayAnswer(status: 0, body: tuples(for: certificate, over: binary.connection)))
    }

    /// For each token: when it became invalid, in epoch seconds (4), its length (2), the token.
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
