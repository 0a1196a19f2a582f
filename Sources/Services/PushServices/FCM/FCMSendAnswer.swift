import PayloadJSON
import PushDecoding
import PushModel
import PushPipeline

/// How FCM answers `messages:send`, from what became of the request's record.
///
/// Sources: those of `FCMAnswer`.
struct FCMSendAnswer: AnswerDraft {
    let request: GatewayRequest
    let project: String
    /// The id of the message, if it is accepted.
    let message: String
    /// Why the request was refused for its access token; nil if it was not.
    var denial: GoogleAccess.Denial?
    private(set) var result: GatewayAnswer?

    /// The first line decides; of a device group, that of the first member that is reached.
    mutating func add(_ line: borrowing RecordReport, record: Int) {
        if let result, result.status == 200 || line.refusal != nil || line.status != 200 { return }
        if line.decodeFailure != nil {
            result = Self.answer(malformedRequest)
        } else if let rejection = line.refusal {
            result = Self.answer(refusal(rejection, line.findings))
        } else {
            // Source: pushiko, "FCM responses": the id of a message that was only validated.
            let name = "projects/\(project)/messages/\(line.message.isDryRun ? "fake_message_id" : message)"
            result = GatewayAnswer(status: 200) { out in
                out.append("{\"name\":")
                out.appendJSONString(name)
                out.append("}")
            }
        }
    }

    private func refusal(_ rejection: Rejection, _ findings: ArraySlice<Finding>) -> FCMAnswer {
        if let denial, denial.rejection == rejection { return FCMAnswer(denial) }
        guard request.isTooLarge, rejection == .invalidArgument else { return FCMAnswer(rejection, findings) }
        // Of a body that was not read, nothing says what it is for.
        var finding = Finding(rule: rejection.rule, severity: .error, pointer: "", message: "")
        finding.detail = FCMSentence.tooBig(for: .android)
        return FCMAnswer(rejection, [finding])
    }

    func answer() -> GatewayAnswer { result ?? Self.answer(FCMAnswer(.fcmInternal, [])) }

    static func answer(_ body: FCMAnswer) -> GatewayAnswer {
        GatewayAnswer(status: body.status) { body.append(to: &$0) }
    }

    private var malformedRequest: FCMAnswer {
        if let offset = request.offsetOfFault, !request.body.isEmpty {
            return FCMAnswer(violation: GoogleAnswer.syntaxError(in: request.body, at: offset))
        }
        let isObject = request.body.isEmpty || request.withJSON { $0?.isObject ?? false }
        // Observed of other services of Google with the same parser.
        let words = #"Invalid JSON payload received. Unknown name "": Root element must be a message."#
        // What FCM says to an empty request is not known.
        return isObject ? FCMAnswer(.invalidArgument, []) : FCMAnswer(violation: words)
    }
}

extension FCMAnswer {
    /// The answer to a request without the access that it needs.
    init(_ denial: GoogleAccess.Denial) { self.init(denial.rejection, [], message: denial.words) }
}
