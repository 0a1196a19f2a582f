import PayloadJSON
package import PushModel
import PushPipeline
import PushSystem

/// How APNs answers, from what became of the request's record.
///
/// Source: Apple, "Handling notification responses from APNs".
package struct APNsAnswer: AnswerDraft {
    /// The header that names the request.
    private let identifier: HeaderField
    private let hasValidToken: Bool
    /// The first report line of the record; nil while there is none.
    private var outcome: Outcome?

    private struct Outcome {
        var status: Int
        var reason: String?
        var timestamp: Int64?
    }

    /// - Parameters:
    ///   - isBroadcast: true if the request was one, or about its channel.
    ///   - hasValidToken: true if it had a valid provider token.
    init(to request: GatewayRequest, isBroadcast: Bool, hasValidToken: Bool = false) {
        identifier = Self.identifier(of: request, isBroadcast: isBroadcast)
        self.hasValidToken = hasValidToken
    }

    /// The first line decides.
    mutating func add(_ line: borrowing RecordReport, record: Int) {
        guard outcome == nil else { return }
        if let failure = line.decodeFailure {
            // Apple names no reason for a push whose body is not JSON. For a broadcast it does.
            let rejection: Rejection = failure.rule == "record.too-long" ? .payloadTooLarge : .badRequestPayload
            outcome = Outcome(status: rejection.row.status, reason: rejection.reason)
        } else if let rejection = line.refusal {
            // The binary interface has numbers of its own.
            let status = rejection.row.status < 200 ? Rejection.badRequestPayload.row.status : rejection.row.status
            outcome = Outcome(
                status: status, reason: rejection.reason,
                timestamp: rejection.hasTimestamp
                    ? line.note?.timestamp ?? SystemClock.wallMilliseconds() : nil)
        } else {
            outcome = Outcome(status: 200)
        }
    }

    func answer() -> GatewayAnswer {
        let outcome =
            outcome
            ?? Outcome(
                status: Rejection.internalServerError.row.status,
                reason: Rejection.internalServerError.reason)
        var answer = Self.answer(
            status: outcome.status, reason: outcome.reason, timestamp: outcome.timestamp, identifier)
        answer.hasValidToken = hasValidToken
        return answer
    }

    /// The header that names a request. Clients find their request by it, so it comes back byte for byte, also if it is invalid.
    static func identifier(of request: GatewayRequest, isBroadcast: Bool = true) -> HeaderField {
        let header = isBroadcast ? APNsHeader.requestID : .id
        let sent = request.header(header) ?? ""
        return HeaderField(header, sent.isEmpty ? RandomUUID.text() : sent)
    }

    /// A refusal without a report line.
    package static func refusal(_ rejection: Rejection, of request: GatewayRequest) -> GatewayAnswer {
        let isBroadcast = request.path.hasPrefix("/1/") || request.path.hasPrefix("/4/")
        return answer(
            status: rejection.row.status, reason: rejection.reason, timestamp: nil,
            identifier(of: request, isBroadcast: isBroadcast))
    }

    private static func answer(
        status: Int, reason: String?, timestamp: Int64?, _ identifier: HeaderField
    ) -> GatewayAnswer {
        guard let reason else {
            // For the delivery log of Apple's console: of broadcasts, and of pushes in the development environment.
            let unique = HeaderField("apns-unique-id", RandomUUID.text())
            return GatewayAnswer(status: status, headers: [identifier, unique])
        }
        return GatewayAnswer(status: status, headers: [identifier], reason: reason, timestamp: timestamp)
    }
}

extension GatewayAnswer {
    /// With APNs' body for an error.
    ///
    /// - Parameter timestamp: epoch milliseconds; nil for none.
    package init(status: Int, headers: [HeaderField] = [], reason: String, timestamp: Int64? = nil) {
        var body = ByteBuffer()
        body.append("{\"reason\":")
        body.appendJSONString(reason)
        if let timestamp {
            body.append(",\"timestamp\":")
            body.append(timestamp)
        }
        body.append("}")
        self.init(
            status: status, headers: [HeaderField("content-type", "application/json")] + headers, body: body.copy)
    }
}
