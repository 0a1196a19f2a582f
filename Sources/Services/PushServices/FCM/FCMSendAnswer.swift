import PayloadJSON
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
    private(set) var result: GatewayAnswer?

    /// The first line decides; of a device group, that of the first member that is reached.
    mutating func add(_ line: borrowing RecordReport, record: Int) {
        if let result, result.status == 200 || line.status != 200 { return }
        if line.decodeFailure != nil {
            result = Self.answer(malformedRequest)
        } else if case .rejected(let rejection) = line.message.verdict {
            let isTooLarge = request.isTooLarge || line.message.byteCount > line.message.byteLimit
            result = Self.answer(
                FCMAnswer(rejection, line.findings, namesError: !isTooLarge || rejection != .invalidArgument))
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
        // What FCM says to a request without a message is not known.
        return isObject ? FCMAnswer(.invalidArgument, []) : FCMAnswer(violation: words)
    }
}
