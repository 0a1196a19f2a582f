import PayloadJSON
import PushModel
import PushPipeline

/// How FCM's legacy protocol answers, from what became of each target.
///
///     {"multicast_id":216,"success":1,"failure":1,"canonical_ids":0,"results":[{"message_id":"1:08"},{"error":"NotRegistered"}]}
///
/// Source: Firebase, "Firebase Cloud Messaging HTTP protocol", downstream response; for plain text, Google, "HTTP Connection Server" of GCM.
struct LegacyAnswer: AnswerDraft {
    private enum Result {
        case accepted(message: String, canonical: String?)
        case error(StaticString)
    }

    /// The targets, if the request names a device group.
    var groupMembers: [String]?
    private let request: GatewayRequest
    private let isJSON: Bool
    private let multicast: UInt64
    private let message: UInt64
    private var results: [Result] = []
    /// True if the target is a topic or a condition.
    private var isForTopic = false
    private var whole: GatewayAnswer?

    /// - Parameters:
    ///   - isJSON: true if the request is JSON; otherwise it is plain text.
    ///   - multicast: the id of the request.
    ///   - message: the prefix of its messages' ids.
    init(to request: GatewayRequest, isJSON: Bool, multicast: UInt64, message: UInt64) {
        self.request = request
        self.isJSON = isJSON
        self.multicast = multicast
        self.message = message
    }

    mutating func add(_ line: borrowing RecordReport, record: Int) {
        isForTopic = line.message.isForTopic
        if line.decodeFailure != nil {
            whole = malformed
        } else if let rejection = line.refusal {
            add(rejection, line)
        } else {
            let id = line.message.isDryRun ? "fake_message_id" : "0:\(message)%\(results.count)"
            results.append(.accepted(message: id, canonical: line.note?.canonical))
        }
    }

    private mutating func add(_ rejection: Rejection, _ line: borrowing RecordReport) {
        switch rejection.row.status {
        case 401: whole = LegacyFCMService.unauthorized
        case 400 where rejection == .invalidParameters && isJSON:
            let reason = line.findings.first { $0.rule == rejection.rule }
            let place = reason.map { $0.pointer.replacing("/payload", with: "", maxReplacements: 1) } ?? ""
            whole = Self.text(400, "InvalidParameters: \(place) \(reason?.message ?? "")\n")
        case 500...: whole = Self.text(rejection.row.status, "\(rejection.row.reason)\n")
        default:
            // A check of the payload for APNs has names of its own.
            results.append(
                .error(rejection.row.speaker.description == "gcm" ? rejection.row.reason : "InvalidParameters"))
        }
    }

    func answer() -> GatewayAnswer {
        if let whole { return whole }
        guard !results.isEmpty else { return Self.text(500, "InternalServerError\n") }
        if !isJSON { return plainText }
        if let groupMembers { return answer(for: groupMembers) }
        return GatewayAnswer(status: 200) { isForTopic ? appendTopicAnswer(to: &$0) : appendResults(to: &$0) }
    }

    private var counts: (success: Int, failure: Int, canonical: Int) {
        results.reduce(into: (0, 0, 0)) { counts, result in
            switch result {
            case .accepted(_, let canonical):
                counts.0 += 1
                counts.2 += canonical == nil ? 0 : 1
            case .error: counts.1 += 1
            }
        }
    }

    private func appendResults(to out: inout ByteBuffer) {
        let counts = counts
        out.append("{\"multicast_id\":")
        out.append(multicast)
        out.appendMember("success", counts.success)
        out.appendMember("failure", counts.failure)
        out.appendMember("canonical_ids", counts.canonical)
        out.appendArray(named: "results", results) { result, out in
            switch result {
            case .accepted(let message, let canonical):
                out.append("{\"message_id\":")
                out.appendJSONString(message)
                out.appendMember("registration_id", canonical)
            case .error(let reason):
                out.append("{\"error\":\"")
                out.append(reason)
                out.append("\"")
            }
            out.append("}")
        }
        out.append("}")
    }

    private func appendTopicAnswer(to out: inout ByteBuffer) {
        if case .error(let reason)? = results.first {
            out.append("{\"error\":\"")
            out.append(reason)
            out.append("\"}")
        } else {
            out.append("{\"message_id\":")
            out.append(message)
            out.append("}")
        }
    }

    /// Source: Firebase, "Send messages to device groups" of the legacy protocol.
    private func answer(for members: [String]) -> GatewayAnswer {
        var failed: [String] = []
        for (member, result) in zip(members, results) {
            if case .error = result { failed.append(member) }
        }
        return GatewayAnswer(status: 200) { out in
            out.append("{\"success\":")
            out.append(UInt64(results.count - failed.count))
            out.appendMember("failure", failed.count)
            if !failed.isEmpty { out.appendMember("failed_registration_ids", failed) }
            out.append("}")
        }
    }

    private var plainText: GatewayAnswer {
        switch results.first {
        case .accepted(let message, let canonical):
            Self.text(200, "id=\(message)\n" + (canonical.map { "registration_id=\($0)\n" } ?? ""))
        case .error(let reason): Self.text(200, "Error=\(reason)\n")
        case nil: Self.text(500, "InternalServerError\n")
        }
    }

    private var malformed: GatewayAnswer {
        guard let offset = request.offsetOfFault else {
            return Self.text(400, "InvalidParameters: the request must be a JSON object\n")
        }
        return Self.text(400, "JSON_PARSING_ERROR: Unexpected character at position \(offset).\n")
    }

    private static func text(_ status: Int, _ text: String) -> GatewayAnswer {
        GatewayAnswer(
            status: status, headers: [HeaderField("content-type", "text/plain; charset=UTF-8")], body: Array(text.utf8))
    }
}
