import PayloadJSON
import PushModel
import PushPipeline

/// The answer to a request for subscriptions: `{"results":[{},{"error":"NOT_FOUND"}]}`, in the order of the tokens.
struct SubscriptionAnswer: AnswerDraft {
    /// Nil for a subscription.
    private var errors: [StaticString?] = []
    /// The positions of those that depend on a record.
    private var positions: [Int] = []
    enum Form {
        case list
        /// The request names one token in its path, and so has no list to answer with.
        case one
        /// The same in FCM v1, with the subscription; nil if it ends.
        case version1(TopicSubscription?)
    }

    private let form: Form

    init(_ form: Form = .list) { self.form = form }

    mutating func append(error: StaticString) { errors.append(error) }

    /// For a token with a record.
    mutating func appendRecord() {
        positions.append(errors.count)
        errors.append("INTERNAL")
    }

    mutating func add(_ line: borrowing RecordReport, record: Int) {
        guard positions.indices.contains(record) else { return }
        errors[positions[record]] =
            switch line.note?.reason?.description {
            case nil: line.decodeFailure == nil ? nil : "INVALID_ARGUMENT"
            case "unknown-device"?: "NOT_FOUND"
            case "too-many-topics"?: "TOO_MANY_TOPICS"
            case _?: "INVALID_ARGUMENT"
            }
    }

    func answer() -> GatewayAnswer {
        switch form {
        case .list: return GatewayAnswer(status: 200, appendList)
        case .one:
            guard let error = errors.first ?? nil else { return GatewayAnswer(status: 200) { $0.append("{}") } }
            return InstanceIDService.error(error.description == "NOT_FOUND" ? 404 : 400, error)
        case .version1(let subscription):
            if let error = errors.first ?? nil { return Self.ofVersion1(error: error) }
            return GatewayAnswer(status: 200) { out in
                guard let subscription else { return out.append("{}") }
                subscription.append(to: &out)
            }
        }
    }

    /// The texts of FCM v1 are not known; these are the errors of its messages.
    static func ofVersion1(error: StaticString) -> GatewayAnswer {
        FCMSendAnswer.answer(FCMAnswer(error.description == "NOT_FOUND" ? .fcmUnregistered : .invalidArgument, []))
    }

    private func appendList(to out: inout ByteBuffer) {
        out.append("{\"results\":")
        out.appendArray(errors) { error, out in
            out.append("{")
            if let error {
                out.append("\"error\":\"")
                out.append(error)
                out.append("\"")
            }
            out.append("}")
        }
        out.append("}")
    }
}
