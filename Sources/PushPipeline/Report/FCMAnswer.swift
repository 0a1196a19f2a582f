import PayloadJSON
import PushModel

/// The body of FCM's answer to a message that it refuses, as far as it is known.
///
///     {"error":{"code":400,"message":"…","status":"INVALID_ARGUMENT","details":[…]}}
///
/// Sources: Firebase, "FCM error codes" and `ErrorCode`; the threads at `FCMViolation`. Google does not promise an order of
/// the details.
struct FCMAnswer {
    private let violations: [(field: String, description: String)]
    private let errors: [Finding.Detail]

    /// Nil if none of the findings says what the answer says.
    init?(_ findings: ArraySlice<Finding>) {
        var violations: [(field: String, description: String)] = []
        var errors: [Finding.Detail] = []
        for finding in findings {
            switch finding.detail {
            case .fieldViolation(let field): violations.append((field, finding.message))
            case .fcmError(let field, let description):
                violations.append((field, description))
                errors.append(.fcmError(field: field, description: description))
            case .apnsError(let rejection): errors.append(.apnsError(rejection))
            case nil: break
            }
        }
        guard !violations.isEmpty || !errors.isEmpty else { return nil }
        self.violations = violations
        self.errors = errors
    }

    /// Appends `,"answer":{…}`.
    func append(to out: inout ByteBuffer) {
        let row = Rejection.invalidArgument.row
        out.append(",\"answer\":{\"error\":{\"code\":")
        out.append(UInt64(row.status))
        out.appendMember(
            "message",
            violations.isEmpty
                ? "Request contains an invalid argument." : violations.map(\.description).joined(separator: "\n"))
        out.appendMember("status", row.reason.description)
        out.append(",\"details\":[")
        if !errors.isEmpty {
            out.append("{\"@type\":\"type.googleapis.com/google.firebase.fcm.v1.FcmError\"")
            out.appendMember("errorCode", row.reason.description)
            out.append("}")
        }
        for case .apnsError(let rejection) in errors {
            out.append(",{\"@type\":\"type.googleapis.com/google.firebase.fcm.v1.ApnsError\"")
            out.appendMember("statusCode", rejection.row.status)
            out.appendMember("reason", rejection.row.reason.description)
            out.append("}")
        }
        if !violations.isEmpty { appendViolations(to: &out) }
        out.append("]}}")
    }

    private func appendViolations(to out: inout ByteBuffer) {
        if !errors.isEmpty { out.append(",") }
        out.append("{\"@type\":\"type.googleapis.com/google.rpc.BadRequest\",\"fieldViolations\":[")
        for (position, violation) in violations.enumerated() {
            if position > 0 { out.append(",") }
            out.append("{\"description\":")
            out.appendJSONString(violation.description)
            if !violation.field.isEmpty { out.appendMember("field", violation.field) }
            out.append("}")
        }
        out.append("]}")
    }
}
