import PushDecoding
import PushFaults
import PushJSON
import PushModel
import PushPipeline
import PushSystem

/// FCM HTTP v1: `POST /v1/projects/<project>/messages:send`.
///
/// Source: Firebase, FCM v1 `projects.messages`.
final class FCMService: GatewayService {
    override var speaker: String? { "fcm" }
    private let access: GoogleAccess
    private let groups: DeviceGroups
    private var names = MessageNames()

    init(_ access: GoogleAccess, _ groups: DeviceGroups = DeviceGroups()) {
        self.access = access
        self.groups = groups
    }

    override func plan(_ request: GatewayRequest, _ records: inout RecordComposer) -> RequestPlan? {
        guard request.path.hasPrefix("/v1/projects/") else { return nil }
        let path = RequestTarget(request.path).segments
        // Topics: see `InstanceIDService`.
        if path.count > 3, path[3] == "registrations" { return nil }
        guard path.count == 4, !path[2].isEmpty, path[3] == "messages:send", request.method == "POST" else {
            return .answer(GoogleAnswer.notFound)
        }
        let fault = request.fault?.refusal(by: "fcm")
        let denial = fault == nil ? access.denial(of: request, to: path[2]) : nil
        let refusal = fault ?? denial?.rejection ?? (request.isTooLarge ? .invalidArgument : nil)
        if refusal == nil, let requests = groups.expandVersion1(request.body) {
            for body in requests { records.append(body, to: .fcm) }
        } else {
            records.append(request.body, to: .fcm, refusal: refusal)
        }
        return .report(FCMSendAnswer(request: request, project: path[2], message: names.next(), denial: denial))
    }
}

/// Generated ids of messages, in the form that FCM's have: `0:1500415314455276%31bd1c9631bd1c96`.
private struct MessageNames {
    private var last = UInt64.random(in: 0..<1_000_000_000) + 1_500_000_000_000_000

    mutating func next() -> String {
        last &+= 1
        let tail = String(UInt64.random(in: .min ... .max), radix: 16)
        return "0:\(last)%\(String(repeating: "0", count: 16 - tail.utf8.count))\(tail)"
    }
}

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
            result = GatewayAnswer(status: 200, json: #"{"name":\#(name)}"#)
        }
    }

    private func refusal(_ rejection: Rejection, _ findings: ArraySlice<Finding>) -> FCMAnswer {
        if let denial, denial.rejection == rejection { return FCMAnswer(denial) }
        let reason = request.fault?.refusal(by: "fcm") == rejection ? request.fault?.reason ?? "" : ""
        var finding = Finding(rule: rejection.rule, severity: .error, pointer: "", message: "")
        switch rejection {
        case .invalidArgument where reason == FaultEffect.deadAppleToken:
            finding.detail = .apnsError(.unregistered)
            return FCMAnswer(rejection, [finding], message: reason)
        case .thirdPartyAuthError:
            // Source: tests in Ruby and TypeScript; an answer of 2020 has no such detail.
            finding.detail = .apnsError(Rejection.ofAPNs(reason) ?? .invalidProviderToken)
            return FCMAnswer(rejection, [finding])
        case .fcmUnregistered where reason == Rejection.notRegistered.reason:
            // Source: answers of August 2026, in four public projects.
            return FCMAnswer(rejection, findings, message: reason)
        case .invalidArgument where request.isTooLarge:
            finding.detail = FCMSentence.tooBig.detail()
            return FCMAnswer(rejection, [finding])
        default: return FCMAnswer(rejection, findings)
        }
    }

    func answer() -> GatewayAnswer { result ?? Self.answer(FCMAnswer(.fcmInternal, [])) }

    static func answer(_ body: FCMAnswer) -> GatewayAnswer {
        GatewayAnswer(status: body.status, json: JSONText { body.append(to: &$0) })
    }

    private var malformedRequest: FCMAnswer {
        if let offset = request.offsetOfFault, !request.body.isEmpty {
            return FCMAnswer(violation: GoogleAnswer.syntaxError(in: request.body, at: offset))
        }
        let isObject = request.body.isEmpty || request.body.withJSON(\.isObject) ?? false
        // Observed of other services of Google with the same parser.
        let words = #"Invalid JSON payload received. Unknown name "": Root element must be a message."#
        // What FCM says to an empty request is not known.
        return isObject ? FCMAnswer(.invalidArgument, []) : FCMAnswer(violation: words)
    }
}

extension FCMAnswer {
    /// The answer to a request without the access that it needs.
    init(_ denial: GoogleAccess.Denial) { self.init(denial.rejection, [], message: denial.words, isFromFCM: false) }
}
