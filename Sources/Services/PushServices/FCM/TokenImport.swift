import PayloadJSON
import PushDecoding
import PushModel
import PushPipeline
import PushSystem

/// Registration tokens for those of APNs.
///
/// Source: Google, Instance ID server reference, "Create registration tokens for APNs tokens".
extension InstanceIDService {
    /// Source: as above: "Maximum 100 tokens per request".
    private static let mostImported = 100

    /// `POST /iid/v1:batchImport` with `application`, `sandbox` and `apns_tokens`.
    func importTokens(_ request: GatewayRequest, _ records: inout RecordComposer) -> RequestPlan {
        let read = request.withJSON { root -> (app: String, isSandbox: Bool, tokens: [String])? in
            guard let root, let app = root["application"]?.string?.string, !app.isEmpty,
                let list = root["apns_tokens"], list.kind == .array
            else { return nil }
            let sandbox = root["sandbox"]?.kind ?? .false
            guard sandbox == .true || sandbox == .false else { return nil }
            let tokens = list.elements.prefix(Self.mostImported + 1).map { $0.string?.string ?? "" }
            return (app, sandbox == .true, tokens)
        }
        guard let (app, isSandbox, tokens) = read, !tokens.isEmpty, tokens.count <= Self.mostImported else {
            return .answer(Self.error(400, "INVALID_ARGUMENT"))
        }
        var draft = ImportAnswer()
        for (token, known) in zip(tokens, knownTokens(tokens.map(DeviceToken.canonical))) {
            guard !token.isEmpty, BorrowedText.with(token, DeviceToken.isHexadecimalBytes) else {
                draft.results.append((token, "INVALID_ARGUMENT", nil))
                continue
            }
            if let since = known?.unregisteredAt, since <= wallMilliseconds() {
                draft.results.append((token, "NOT_FOUND", nil))
                continue
            }
            let registration = Self.registrationToken(app, isSandbox, DeviceToken.canonical(token))
            var event = DeviceEvent(.device, device: registration)
            event.app = app
            event.platform = .ios
            records.append(event)
            draft.results.append((token, "OK", registration))
        }
        return .report(draft)
    }

    /// The same for the same app and token, whatever the gateway; in the form that those of FCM have.
    private static func registrationToken(_ app: String, _ isSandbox: Bool, _ token: String) -> String {
        var digest = SHA256()
        digest.update("\(app)\u{0}\(isSandbox)\u{0}\(token)".utf8)
        let digits = digest.finish().flatMap { [$0 >> 4, $0 & 15] }.map { String($0, radix: 16) }.joined()
        return "\(digits.prefix(11)):APA91b\(digits.dropFirst(11))"
    }
}

/// `{"results":[{"apns_token":"…","status":"OK","registration_token":"…"}]}`, in the order of the tokens. Which texts Google has for
/// the status of others is not documented.
private struct ImportAnswer: AnswerDraft {
    var results: [(token: String, status: StaticString, registration: String?)] = []

    mutating func add(_ line: borrowing RecordReport, record: Int) {}

    func answer() -> GatewayAnswer {
        GatewayAnswer(status: 200) { out in
            out.append("{\"results\":")
            out.appendArray(results) { result, out in
                out.append("{\"apns_token\":")
                out.appendJSONString(result.token)
                out.appendMember("status", result.status.description)
                out.appendMember("registration_token", result.registration)
                out.append("}")
            }
            out.append("}")
        }
    }
}
