import NotificationStore
import PushDecoding
import PushModel
import PushPipeline

/// The feedback service of APNs: names each client the tokens that died since they were named last.
///
/// Source: Apple (archived), "Binary Provider API", "The Feedback Service".
final class FeedbackService: GatewayService {
    private weak var pipeline: Pipeline?
    /// Tokens that were named, and when each died: one that dies again is named again.
    private var named: [Token: Int64] = [:]

    private struct Token: Hashable {
        var device: String
        var app: String
    }

    /// What one connection is told at most; the rest comes with the next. 100,000 take 3.8 MB.
    private static let maximumCount = 100_000

    func begin(_ pipeline: Pipeline) { self.pipeline = pipeline }

    func plan(_ request: GatewayRequest, _ records: inout RecordComposer) -> RequestPlan? {
        guard request.binary?.content == .feedback else { return nil }
        return .answer(GatewayAnswer(status: 0, body: tuples(for: request.sender.certificate)))
    }

    /// Time of death in epoch seconds (4), length of the token (2), token.
    private func tuples(for certificate: ClientCertificate?) -> [UInt8] {
        var bytes: [UInt8] = []
        var count = 0
        let now = pipeline?.now ?? .max
        // A store that cannot be read ends the gateway with the next record.
        try? pipeline?.forEachDeadToken { token in
            guard count < Self.maximumCount, token.platform == .ios, let at = token.unregisteredAt, at <= now,
                certificate?.covers(token.app) ?? true, let device = Self.bytes(token.device)
            else { return }
            let key = Token(device: token.device, app: token.app)
            guard named[key] != at else { return }
            named[key] = at
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
        let digits = Array(device.utf8)
        guard !digits.isEmpty, digits.count.isMultiple(of: 2), digits.count / 2 <= Int(UInt16.max) else { return nil }
        var bytes: [UInt8] = []
        for index in stride(from: 0, to: digits.count, by: 2) {
            let pair = String(decoding: digits[index...(index + 1)], as: UTF8.self)
            // A sign would be taken for a digit.
            guard pair.utf8.first != UInt8(ascii: "+"), let byte = UInt8(pair, radix: 16) else { return nil }
            bytes.append(byte)
        }
        return bytes
    }
}

extension ClientCertificate {
    /// Whether it is for an app; a certificate that names none is for all, and so is an entry without a name.
    fileprivate func covers(_ app: String) -> Bool {
        app.isEmpty || topics.isEmpty || topics.contains(app) || bundle == app
    }
}
