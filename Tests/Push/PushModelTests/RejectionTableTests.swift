import PushModel
import Testing

@Suite struct RejectionTableTests {
    /// What a vendor documents about one rejection.
    struct Fact: Sendable, CustomTestStringConvertible {
        let speaker: String
        let status: Int
        let reason: String
        let rule: String

        init(_ speaker: String, _ status: Int, _ reason: String, _ rule: String) {
            self.speaker = speaker
            self.status = status
            self.reason = reason
            self.rule = "\(speaker).\(rule)"
        }

        var testDescription: String { "\(speaker) \(reason)" }
    }

    /// Apple, "Handling notification responses from APNs".
    static let apns = [
        Fact("apns", 400, "BadCollapseId", "bad-collapse-id"),
        Fact("apns", 400, "BadDeviceToken", "bad-device-token"),
        Fact("apns", 400, "BadExpirationDate", "bad-expiration-date"),
        Fact("apns", 400, "BadMessageId", "bad-message-id"),
        Fact("apns", 400, "BadPriority", "bad-priority"),
        Fact("apns", 400, "BadTopic", "bad-topic"),
        Fact("apns", 400, "DeviceTokenNotForTopic", "device-token-not-for-topic"),
        Fact("apns", 400, "DuplicateHeaders", "duplicate-headers"),
        Fact("apns", 400, "IdleTimeout", "idle-timeout"),
        Fact("apns", 400, "InvalidPushType", "invalid-push-type"),
        Fact("apns", 400, "MissingDeviceToken", "missing-device-token"),
        Fact("apns", 400, "MissingTopic", "missing-topic"),
        Fact("apns", 400, "PayloadEmpty", "payload-empty"),
        Fact("apns", 400, "TopicDisallowed", "topic-disallowed"),
        Fact("apns", 403, "BadCertificate", "bad-certificate"),
        Fact("apns", 403, "BadCertificateEnvironment", "bad-certificate-environment"),
        Fact("apns", 403, "ExpiredProviderToken", "expired-provider-token"),
        Fact("apns", 403, "Forbidden", "forbidden"),
        Fact("apns", 403, "InvalidProviderToken", "invalid-provider-token"),
        Fact("apns", 403, "MissingProviderToken", "missing-provider-token"),
        Fact("apns", 403, "UnrelatedKeyIdInToken", "unrelated-key-id-in-token"),
        Fact("apns", 403, "BadEnvironmentKeyIdInToken", "bad-environment-key-id-in-token"),
        // Observed: APNSwift pull request 229.
        Fact("apns", 403, "BadEnvironmentKeyInToken", "bad-environment-key-in-token"),
        Fact("apns", 404, "BadPath", "bad-path"),
        Fact("apns", 405, "MethodNotAllowed", "method-not-allowed"),
        Fact("apns", 410, "ExpiredToken", "expired-token"),
        Fact("apns", 410, "Unregistered", "unregistered"),
        Fact("apns", 413, "PayloadTooLarge", "payload-too-large"),
        Fact("apns", 429, "TooManyProviderTokenUpdates", "too-many-provider-token-updates"),
        Fact("apns", 429, "TooManyRequests", "too-many-requests"),
        Fact("apns", 500, "InternalServerError", "internal-server-error"),
        Fact("apns", 503, "ServiceUnavailable", "service-unavailable"),
        Fact("apns", 503, "Shutdown", "shutdown"),
    ]

    /// Apple, "Handling error responses from Apple Push Notification service": those that only broadcasts and channels get.
    static let broadcast = [
        Fact("apns", 400, "FeatureNotEnabled", "feature-not-enabled"),
        Fact("apns", 400, "MissingChannelId", "missing-channel-id"),
        Fact("apns", 400, "BadChannelId", "bad-channel-id"),
        Fact("apns", 400, "ChannelNotRegistered", "channel-not-registered"),
        Fact("apns", 400, "BadRequestParams", "bad-request-params"),
        Fact("apns", 400, "BadRequestPayload", "bad-request-payload"),
        Fact("apns", 400, "MissingPushType", "missing-push-type"),
        Fact("apns", 400, "CannotCreateChannelConfig", "cannot-create-channel-config"),
        Fact("apns", 403, "TopicMismatch", "topic-mismatch"),
    ]

    /// Firebase, "Firebase Cloud Messaging HTTP protocol", downstream message error response codes.
    static let gcm = [
        Fact("gcm", 200, "MissingRegistration", "missing-registration"),
        Fact("gcm", 200, "InvalidRegistration", "invalid-registration"),
        Fact("gcm", 200, "NotRegistered", "not-registered"),
        Fact("gcm", 200, "InvalidPackageName", "invalid-package-name"),
        Fact("gcm", 200, "MismatchSenderId", "mismatch-sender-id"),
        Fact("gcm", 400, "InvalidParameters", "invalid-parameters"),
        Fact("gcm", 200, "MessageTooBig", "message-too-big"),
        Fact("gcm", 200, "InvalidDataKey", "invalid-data-key"),
        Fact("gcm", 200, "InvalidTtl", "invalid-ttl"),
        Fact("gcm", 200, "Unavailable", "unavailable"),
        Fact("gcm", 200, "InternalServerError", "internal-server-error"),
        Fact("gcm", 200, "DeviceMessageRateExceeded", "device-message-rate-exceeded"),
        Fact("gcm", 200, "TopicsMessageRateExceeded", "topics-message-rate-exceeded"),
        Fact("gcm", 200, "InvalidApnsCredential", "invalid-apns-credential"),
        // The body of the answer to a server key that is missing or wrong.
        Fact("gcm", 401, "INVALID_KEY", "invalid-key"),
    ]

    /// FCM v1, `ErrorCode`. `UNSPECIFIED_ERROR` has no status and is never sent on purpose.
    static let fcm = [
        Fact("fcm", 400, "INVALID_ARGUMENT", "invalid-argument"),
        Fact("fcm", 404, "UNREGISTERED", "unregistered"),
        Fact("fcm", 403, "SENDER_ID_MISMATCH", "sender-id-mismatch"),
        Fact("fcm", 429, "QUOTA_EXCEEDED", "quota-exceeded"),
        Fact("fcm", 503, "UNAVAILABLE", "unavailable"),
        Fact("fcm", 500, "INTERNAL", "internal"),
        Fact("fcm", 401, "THIRD_PARTY_AUTH_ERROR", "third-party-auth-error"),
        // google.rpc.Code: a request without valid credentials.
        Fact("fcm", 401, "UNAUTHENTICATED", "unauthenticated"),
        // Firebase has no status for it.
        Fact("fcm", 500, "UNSPECIFIED_ERROR", "unspecified-error"),
    ]

    /// Airnotifier, `api/__init__.py`, `api/push.py`, `api/broadcast.py`; "Unknow" is its spelling.
    static let airnotifier = [
        Fact("airnotifier", 400, "Invalid device type", "invalid-device-type"),
        Fact("airnotifier", 400, "app name is required", "app-name-is-required"),
        Fact("airnotifier", 400, "app key is required", "app-key-is-required"),
        Fact("airnotifier", 400, "Invalid token", "invalid-token"),
        Fact("airnotifier", 400, "Invalid application name", "invalid-application-name"),
        Fact("airnotifier", 400, "Invalid access key", "invalid-access-key"),
        Fact("airnotifier", 403, "No permission to send notification", "no-permission-to-send-notification"),
        Fact("airnotifier", 403, "No permission to send broadcast", "no-permission-to-send-broadcast"),
        Fact(
            "airnotifier", 400, "Unknow token and you have no permission to create",
            "unknow-token-and-you-have-no-permission-to-create"),
        Fact("airnotifier", 423, "Blocked IP", "blocked-ip"),
        // Without the name of the hook, which Python puts into it.
        Fact("airnotifier", 400, "No module named hooks", "no-module-named-hooks"),
    ]

    /// Apple (archived), "Binary Provider API", the statuses of the error packet.
    static let binary = [
        Fact("binary", 1, "Processing error", "processing-error"),
        Fact("binary", 2, "Missing device token", "missing-device-token"),
        Fact("binary", 4, "Missing payload", "missing-payload"),
        Fact("binary", 7, "Invalid payload size", "invalid-payload-size"),
        Fact("binary", 8, "Invalid token", "invalid-token"),
        Fact("binary", 5, "Invalid token size", "invalid-token-size"),
    ]

    /// Amazon SNS API Reference, `Publish`, errors.
    static let sns = [Fact("sns", 400, "InvalidParameter", "invalid-parameter")]

    /// Expo, "Send notifications with Expo's Push API". Of request errors the document says 4xx and 5xx; 401 and 429 are what HTTP has for these,
    /// and the codes of 500 and 503 are assumed.
    static let expo = [
        Fact("expo", 200, "DeviceNotRegistered", "device-not-registered"),
        Fact("expo", 400, "PUSH_TOO_MANY_NOTIFICATIONS", "push-too-many-notifications"),
        Fact("expo", 400, "PUSH_TOO_MANY_EXPERIENCE_IDS", "push-too-many-experience-ids"),
        Fact("expo", 429, "TOO_MANY_REQUESTS", "too-many-requests"),
        Fact("expo", 401, "UNAUTHORIZED", "unauthorized"),
        Fact("expo", 500, "INTERNAL_SERVER_ERROR", "internal-server-error"),
        Fact("expo", 503, "SERVICE_UNAVAILABLE", "service-unavailable"),
    ]

    static let facts = apns + broadcast + gcm + fcm + airnotifier + binary + sns + expo

    @Test(arguments: facts)
    func `each documented refusal has one row with its status`(fact: Fact) throws {
        let rows = Rejection.table.filter {
            $0.speaker.description == fact.speaker && $0.reason.description == fact.reason
        }
        try #require(rows.count == 1)
        #expect(rows[0].status == fact.status)
        #expect(rows[0].rejection.rule == fact.rule)
        #expect(!rows[0].cause.description.isEmpty)
    }

    @Test func `there is no refusal that no vendor documents`() {
        let documented = Set(Self.facts.map { "\($0.speaker) \($0.reason)" })
        let rows = Rejection.table.map { "\($0.speaker) \($0.reason)" }
        #expect(Set(rows) == documented)
        #expect(rows.count == documented.count)
    }

    @Test(arguments: Rejection.allCases)
    func `a rejection's row stands at its raw value`(rejection: Rejection) throws {
        try #require(Int(rejection.rawValue) < Rejection.table.count)
        #expect(Rejection.table[Int(rejection.rawValue)].rejection == rejection)
        #expect(rejection.row.rejection == rejection)
    }

    @Test func `rules are unique, dotted and in kebab-case`() {
        let rules = Rejection.allCases.map(\.rule)
        #expect(Set(rules).count == Rejection.allCases.count)
        for rule in rules {
            #expect(rule.wholeMatch(of: /[a-z]+\.[a-z]+(-[a-z]+)*/) != nil, "\(rule)")
        }
    }

    @Test func `a rejection prints as reports write it`() {
        #expect("\(Rejection.payloadTooLarge)" == "PayloadTooLarge")
        #expect(Rejection.payloadTooLarge.status == 413)
        #expect(Rejection.fcmUnregistered.reason == "UNREGISTERED")
    }
}
