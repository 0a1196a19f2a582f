package import PushJSON
package import PushModel

/// The body of FCM's answer to a message that it refuses, as far as it is known.
///
///     {"error":{"code":400,"message":"…","status":"INVALID_ARGUMENT","details":[…]}}
///
/// Sources: Firebase, "FCM error codes" and `ErrorCode`; the threads at `FCMViolation`. Google does not promise an order of
/// the details.
package struct FCMAnswer {
    /// Google's status and message besides the error code of FCM. The statuses are those of pushiko, "FCM responses", and of `google.rpc.Code`. The
    /// message of UNREGISTERED is observed; the others are the general ones of Google's APIs, and not confirmed of FCM.
    package struct Words: Sendable {
        package let rejection: Rejection
        package let status: StaticString
        package let message: StaticString
    }

    package static let words = [
        Words(
            rejection: .invalidArgument, status: "INVALID_ARGUMENT", message: "Request contains an invalid argument."),
        Words(rejection: .fcmUnregistered, status: "NOT_FOUND", message: "Requested entity was not found."),
        Words(rejection: .senderIdMismatch, status: "PERMISSION_DENIED", message: "SenderId mismatch"),
        Words(
            rejection: .quotaExceeded, status: "RESOURCE_EXHAUSTED",
            message: "Resource has been exhausted (e.g. check quota)."),
        Words(
            rejection: .fcmUnavailable, status: "UNAVAILABLE", message: "The service is currently unavailable."),
        Words(rejection: .fcmInternal, status: "INTERNAL", message: "Internal error encountered."),
        Words(
            rejection: .thirdPartyAuthError, status: "UNAUTHENTICATED",
            message: "Auth error from APNS or Web Push Service"),
        Words(rejection: .fcmUnspecified, status: "UNKNOWN", message: "Unknown Error."),
        Words(
            rejection: .fcmUnauthenticated, status: "UNAUTHENTICATED",
            message: """
                Request had invalid authentication credentials. Expected OAuth 2 access token, login cookie or other valid \
                authentication credential.
                """),
    ]

    /// The general status of Google's APIs in the answer, such as `NOT_FOUND`; nil for a rejection that is not FCM's.
    static func googleStatus(of rejection: Rejection) -> StaticString? {
        words.first { $0.rejection == rejection }?.status
    }

    /// One that FCM itself gives.
    private let rejection: Rejection
    private let violations: [Violation]
    private let errors: [Finding.Detail]
    /// In place of the general one.
    private let message: String?
    /// Parser and access control come before FCM, and know nothing of its error codes.
    private let isFromFCM: Bool

    /// A sentence in the message, and in the list of `google.rpc.BadRequest`.
    private struct Violation {
        var field: String
        var description: String
        /// False for a sentence of FCM that names no field: the list is left out. Source: reown-com/push-server pull request 346.
        var isListed = true
    }

    /// - Parameters:
    ///   - rejection: one of FCM's. Another, which a check of the payload for APNs may give, is an invalid argument to FCM.
    ///   - findings: about the message.
    ///   - message: in place of the general one; nil for that.
    ///   - isFromFCM: false for an answer of Google's access control.
    package init(
        _ rejection: Rejection, _ findings: ArraySlice<Finding>, message: String? = nil, isFromFCM: Bool = true
    ) {
        self.isFromFCM = isFromFCM && rejection != .fcmUnauthenticated
        self.rejection = Self.words.contains { $0.rejection == rejection } ? rejection : .invalidArgument
        self.message = message
        var violations: [Violation] = []
        var errors: [Finding.Detail] = []
        for finding in findings where rejection == .invalidArgument || rejection == .thirdPartyAuthError {
            switch finding.detail {
            case .fieldViolation(let field):
                violations.append(Violation(field: field, description: finding.message))
            case .fcmError(let field, let description):
                violations.append(Violation(field: field, description: description, isListed: !field.isEmpty))
                errors.append(.fcmError(field: field, description: description))
            case .apnsError(let rejection): errors.append(.apnsError(rejection))
            case nil: break
            }
        }
        self.violations = violations
        self.errors = errors
    }

    /// An answer to a request that Google's parser does not read.
    package init(violation description: String, field: String = "") {
        rejection = .invalidArgument
        violations = [Violation(field: field, description: description)]
        errors = []
        message = nil
        isFromFCM = true
    }

    /// True if the findings say what is wrong in FCM's own words.
    var saysWhy: Bool { !violations.isEmpty || !errors.isEmpty }

    /// The status of HTTP.
    package var status: Int { rejection.row.status }

    /// Appends `{"error":{…}}`.
    package func append(to out: inout ByteBuffer) {
        let row = rejection.row
        let words = Self.words.first { $0.rejection == rejection }
        out.append("{\"error\":{\"code\":")
        out.append(UInt64(row.status))
        out.appendMember(
            "message",
            violations.isEmpty
                ? message ?? words?.message.description ?? "" : violations.map(\.description).joined(separator: "\n"))
        out.appendMember("status", words?.status.description ?? row.reason.description)
        if isFromFCM || saysWhy || rejection == .quotaExceeded {
            out.append(",\"details\":[")
            appendDetails(to: &out)
            out.append("]")
        }
        out.append("}}")
    }

    private func appendDetails(to out: inout ByteBuffer) {
        if !errors.isEmpty || (violations.isEmpty && isFromFCM) {
            out.append("{\"@type\":\"type.googleapis.com/google.firebase.fcm.v1.FcmError\"")
            out.appendMember("errorCode", rejection.reason)
            out.append("}")
        }
        for case .apnsError(let rejection) in errors {
            out.separate()
            out.append("{\"@type\":\"type.googleapis.com/google.firebase.fcm.v1.ApnsError\"")
            out.appendMember("statusCode", rejection.row.status)
            // In FCM's answers it has this spelling: tests in Ruby and TypeScript.
            let isEnvironment = rejection == .badEnvironmentKeyIdInToken
            out.appendMember("reason", isEnvironment ? "BadEnvironmentKeyInToken" : rejection.reason)
            out.append("}")
        }
        if rejection == .quotaExceeded {
            out.separate()
            out.append("{\"@type\":\"type.googleapis.com/google.rpc.QuotaFailure\",\"violations\":[{\"description\":")
            out.appendJSONString(rejection.row.cause.description)
            out.append("}]}")
        }
        if !violations.isEmpty { appendViolations(to: &out) }
    }

    private func appendViolations(to out: inout ByteBuffer) {
        out.separate()
        out.append("{\"@type\":\"type.googleapis.com/google.rpc.BadRequest\"")
        let listed = violations.filter(\.isListed)
        if !listed.isEmpty {
            out.appendMember("fieldViolations", listed) { out, violation in
                out.append("{\"description\":")
                out.appendJSONString(violation.description)
                if !violation.field.isEmpty { out.appendMember("field", violation.field) }
                out.append("}")
            }
        }
        out.append("}")
    }
}
