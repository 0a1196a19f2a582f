/// A provider's rejection of a message, with the provider's own wording.
///
/// Only documented rejections are listed. Sources: Apple, "Handling notification responses from APNs", and for broadcasts
/// "Handling error responses from Apple Push Notification service"; Firebase,
/// "Firebase Cloud Messaging HTTP protocol", downstream message error response codes; Firebase, FCM v1 `ErrorCode`;
/// Airnotifier's source; Apple (archived), "Binary Provider API".
#if hasAttribute(nonexhaustive)
    @nonexhaustive
#endif
public enum Rejection: UInt8, Sendable, CaseIterable {
    // APNs
    case badCollapseId, badDeviceToken, badExpirationDate, badMessageId, badPriority, badTopic, deviceTokenNotForTopic
    case duplicateHeaders, idleTimeout, invalidPushType, missingDeviceToken, missingTopic, payloadEmpty, topicDisallowed
    case badCertificate, badCertificateEnvironment, expiredProviderToken, forbidden, invalidProviderToken
    case missingProviderToken, unrelatedKeyIdInToken, badEnvironmentKeyIdInToken, badPath, methodNotAllowed
    case expiredToken, unregistered, payloadTooLarge, tooManyProviderTokenUpdates, tooManyRequests
    case internalServerError, serviceUnavailable, shutdown
    // APNs, broadcasts and their channels
    case featureNotEnabled, missingChannelId, badChannelId, channelNotRegistered, badRequestParams, badRequestPayload
    case missingPushType, cannotCreateChannelConfig, topicMismatch
    // GCM and FCM legacy
    case missingRegistration, invalidRegistration, notRegistered, invalidPackageName, mismatchSenderId
    case invalidParameters, messageTooBig, invalidDataKey, invalidTtl, gcmUnavailable, gcmInternalServerError
    case deviceMessageRateExceeded, topicsMessageRateExceeded, invalidApnsCredential, gcmInvalidKey
    // FCM v1
    case invalidArgument, fcmUnregistered, senderIdMismatch, quotaExceeded, fcmUnavailable, fcmInternal
    case thirdPartyAuthError, fcmUnauthenticated
    // Airnotifier
    case invalidDeviceType, appNameRequired, appKeyRequired, airnotifierInvalidToken, invalidApplicationName,
        invalidAccessKey
    case noPermissionToSend, noPermissionToBroadcast, unknownTokenWithoutPermission, blockedIP, unknownHook
    // The binary interface of APNs
    case binaryProcessingError, binaryMissingDeviceToken, binaryMissingPayload, binaryInvalidPayloadSize
    case binaryInvalidToken, binaryInvalidTokenSize

    /// One row per rejection.
    public struct Row: Sendable {
        /// The rejection.
        public let rejection: Rejection
        /// Who sends it; also the first part of its finding's rule.
        public let speaker: StaticString
        /// HTTP status of the response. GCM reports most errors inside a 200. Of the binary interface, the status in the
        /// error packet.
        public let status: Int
        /// The text on the wire.
        public let reason: StaticString
        /// The cause in plain words.
        public let cause: StaticString

        init(
            _ rejection: Rejection, _ speaker: StaticString, _ status: Int, _ reason: StaticString,
            _ cause: StaticString
        ) {
            self.rejection = rejection
            self.speaker = speaker
            self.status = status
            self.reason = reason
            self.cause = cause
        }
    }

    /// Every rejection, in the order of the cases.
    public static let table: [Row] = [
        Row(.badCollapseId, "apns", 400, "BadCollapseId", "the collapse id is longer than 64 bytes"),
        Row(.badDeviceToken, "apns", 400, "BadDeviceToken", "the device token is malformed"),
        Row(.badExpirationDate, "apns", 400, "BadExpirationDate", "apns-expiration is not a number of epoch seconds"),
        Row(.badMessageId, "apns", 400, "BadMessageId", "apns-id is not a UUID of the form 8-4-4-4-12"),
        Row(.badPriority, "apns", 400, "BadPriority", "apns-priority is not 10, 5 or 1"),
        Row(.badTopic, "apns", 400, "BadTopic", "apns-topic is invalid"),
        Row(
            .deviceTokenNotForTopic, "apns", 400, "DeviceTokenNotForTopic", "the device token belongs to another topic"),
        Row(.duplicateHeaders, "apns", 400, "DuplicateHeaders", "a header is repeated"),
        Row(.idleTimeout, "apns", 400, "IdleTimeout", "the connection was idle"),
        Row(.invalidPushType, "apns", 400, "InvalidPushType", "apns-push-type is not one of Apple's values"),
        Row(.missingDeviceToken, "apns", 400, "MissingDeviceToken", "the request names no device token"),
        Row(.missingTopic, "apns", 400, "MissingTopic", "the headers name no apns-topic"),
        Row(.payloadEmpty, "apns", 400, "PayloadEmpty", "the request has no body"),
        Row(.topicDisallowed, "apns", 400, "TopicDisallowed", "pushing to this topic is not allowed"),
        Row(.badCertificate, "apns", 403, "BadCertificate", "the certificate is invalid"),
        Row(
            .badCertificateEnvironment, "apns", 403, "BadCertificateEnvironment",
            "a certificate of the other environment"),
        Row(.expiredProviderToken, "apns", 403, "ExpiredProviderToken", "the provider token is older than an hour"),
        Row(.forbidden, "apns", 403, "Forbidden", "the action is not allowed"),
        Row(.invalidProviderToken, "apns", 403, "InvalidProviderToken", "the provider token is invalid"),
        Row(.missingProviderToken, "apns", 403, "MissingProviderToken", "neither certificate nor provider token"),
        Row(
            .unrelatedKeyIdInToken, "apns", 403, "UnrelatedKeyIdInToken", "another key id than first on this connection"
        ),
        Row(.badEnvironmentKeyIdInToken, "apns", 403, "BadEnvironmentKeyIdInToken", "a key of the other environment"),
        Row(.badPath, "apns", 404, "BadPath", "the path is invalid"),
        Row(.methodNotAllowed, "apns", 405, "MethodNotAllowed", "the method is not POST"),
        Row(.expiredToken, "apns", 410, "ExpiredToken", "the device token has expired"),
        Row(.unregistered, "apns", 410, "Unregistered", "the device token is no longer active for the topic"),
        Row(.payloadTooLarge, "apns", 413, "PayloadTooLarge", "the payload is over its limit"),
        Row(
            .tooManyProviderTokenUpdates, "apns", 429, "TooManyProviderTokenUpdates",
            "more than one token in 20 minutes"),
        Row(.tooManyRequests, "apns", 429, "TooManyRequests", "too many requests in a row to one device token"),
        Row(.internalServerError, "apns", 500, "InternalServerError", "a server fault"),
        Row(.serviceUnavailable, "apns", 503, "ServiceUnavailable", "the service is unavailable"),
        Row(.shutdown, "apns", 503, "Shutdown", "the server is shutting down"),

        Row(.featureNotEnabled, "apns", 400, "FeatureNotEnabled", "broadcasts are not enabled for the app"),
        Row(.missingChannelId, "apns", 400, "MissingChannelId", "the broadcast names no apns-channel-id"),
        Row(.badChannelId, "apns", 400, "BadChannelId", "apns-channel-id is not Base64"),
        Row(.channelNotRegistered, "apns", 400, "ChannelNotRegistered", "there is no channel with this id"),
        Row(.badRequestParams, "apns", 400, "BadRequestParams", "a parameter of the request is invalid"),
        Row(.badRequestPayload, "apns", 400, "BadRequestPayload", "the payload is not JSON"),
        Row(.missingPushType, "apns", 400, "MissingPushType", "the broadcast has no apns-push-type"),
        Row(
            .cannotCreateChannelConfig, "apns", 400, "CannotCreateChannelConfig",
            "the app has the largest number of channels"),
        Row(.topicMismatch, "apns", 403, "TopicMismatch", "the certificate is for another topic"),

        Row(.missingRegistration, "gcm", 200, "MissingRegistration", "the request names no target"),
        Row(.invalidRegistration, "gcm", 200, "InvalidRegistration", "the registration token is malformed"),
        Row(.notRegistered, "gcm", 200, "NotRegistered", "the registration token is no longer valid"),
        Row(.invalidPackageName, "gcm", 200, "InvalidPackageName", "restricted_package_name does not fit the token"),
        Row(.mismatchSenderId, "gcm", 200, "MismatchSenderId", "the token belongs to another sender"),
        Row(.invalidParameters, "gcm", 400, "InvalidParameters", "a wrong type or value"),
        Row(.messageTooBig, "gcm", 200, "MessageTooBig", "the message is over its limit"),
        Row(.invalidDataKey, "gcm", 200, "InvalidDataKey", "data has a reserved key"),
        Row(.invalidTtl, "gcm", 200, "InvalidTtl", "time_to_live is not a whole number from 0 to 2419200"),
        Row(.gcmUnavailable, "gcm", 200, "Unavailable", "the service is unavailable"),
        Row(.gcmInternalServerError, "gcm", 200, "InternalServerError", "a server fault"),
        Row(.deviceMessageRateExceeded, "gcm", 200, "DeviceMessageRateExceeded", "too many messages to one device"),
        Row(.topicsMessageRateExceeded, "gcm", 200, "TopicsMessageRateExceeded", "too many messages to one topic"),
        Row(.invalidApnsCredential, "gcm", 200, "InvalidApnsCredential", "the APNs credential is missing or expired"),
        Row(.gcmInvalidKey, "gcm", 401, "INVALID_KEY", "the server key is missing or invalid"),

        Row(.invalidArgument, "fcm", 400, "INVALID_ARGUMENT", "a field, target, size, data key or ttl is invalid"),
        Row(.fcmUnregistered, "fcm", 404, "UNREGISTERED", "the token is gone"),
        Row(.senderIdMismatch, "fcm", 403, "SENDER_ID_MISMATCH", "the token belongs to another sender"),
        Row(.quotaExceeded, "fcm", 429, "QUOTA_EXCEEDED", "the rate is over its limit"),
        Row(.fcmUnavailable, "fcm", 503, "UNAVAILABLE", "the service is unavailable"),
        Row(.fcmInternal, "fcm", 500, "INTERNAL", "a server fault"),
        Row(.thirdPartyAuthError, "fcm", 401, "THIRD_PARTY_AUTH_ERROR", "the APNs or web push key is wrong"),
        Row(.fcmUnauthenticated, "fcm", 401, "UNAUTHENTICATED", "the access token is missing or invalid"),

        Row(.invalidDeviceType, "airnotifier", 400, "Invalid device type", "device is neither ios nor ends with fcm"),
        Row(.appNameRequired, "airnotifier", 400, "app name is required", "the request has no x-an-app-name"),
        Row(.appKeyRequired, "airnotifier", 400, "app key is required", "the request has no x-an-app-key"),
        Row(.airnotifierInvalidToken, "airnotifier", 400, "Invalid token", "the token is not 64 hexadecimal digits"),
        Row(.invalidApplicationName, "airnotifier", 400, "Invalid application name", "there is no app of this name"),
        Row(.invalidAccessKey, "airnotifier", 400, "Invalid access key", "the app has no such access key"),
        Row(
            .noPermissionToSend, "airnotifier", 403, "No permission to send notification",
            "the access key may not send to this token"),
        Row(
            .noPermissionToBroadcast, "airnotifier", 403, "No permission to send broadcast",
            "the access key may not send broadcasts"),
        Row(
            .unknownTokenWithoutPermission, "airnotifier", 400, "Unknow token and you have no permission to create",
            "the token is unknown, and the access key may not create tokens"),
        Row(.blockedIP, "airnotifier", 423, "Blocked IP", "the sender's address is in the block list"),
        Row(.unknownHook, "airnotifier", 400, "No module named hooks", "extra.processor names no hook that there is"),

        Row(.binaryProcessingError, "binary", 1, "Processing error", "the notification has an invalid item"),
        Row(.binaryMissingDeviceToken, "binary", 2, "Missing device token", "the notification has no device token"),
        Row(.binaryMissingPayload, "binary", 4, "Missing payload", "the notification has no payload"),
        Row(.binaryInvalidPayloadSize, "binary", 7, "Invalid payload size", "the payload is over its limit"),
        Row(.binaryInvalidToken, "binary", 8, "Invalid token", "the device token is malformed"),
        Row(.binaryInvalidTokenSize, "binary", 5, "Invalid token size", "the device token does not have 32 bytes"),
    ]

    /// The answer of the binary interface for the same reason; nil for what it knows nothing of.
    package var overBinaryInterface: Rejection? {
        switch self {
        case .missingDeviceToken: .binaryMissingDeviceToken
        case .badDeviceToken: .binaryInvalidToken
        case .payloadEmpty: .binaryMissingPayload
        case .payloadTooLarge: .binaryInvalidPayloadSize
        case .badPriority, .badExpirationDate: .binaryProcessingError
        default: nil
        }
    }

    /// The rejection with a reason of the binary interface or, for what it has no word for, of APNs; nil if neither has it.
    /// O(number of rejections).
    package static func overBinaryInterface(_ reason: String) -> Rejection? {
        named(reason, by: "binary") ?? ofAPNs(reason).map { $0.overBinaryInterface ?? $0 }
    }

    /// The status with which the binary interface answers. That of reasons which it does not have is the nearest one.
    ///
    /// Source: Apple (archived), "Binary Provider API".
    package var binaryStatus: Int {
        let rejection = overBinaryInterface ?? self
        if rejection.row.speaker.description == "binary" { return rejection.row.status }
        switch self {
        case .missingTopic: return 3
        case .badTopic: return 6
        case .unregistered, .expiredToken, .deviceTokenNotForTopic, .topicDisallowed: return 8
        case .internalServerError, .badRequestPayload: return Rejection.binaryProcessingError.row.status
        // Shutdown: the sender may go on over another connection.
        case .shutdown, .serviceUnavailable, .idleTimeout: return 10
        // None of the others.
        default: return 255
        }
    }

    /// APNs' rejection with this reason; nil if it has none. O(number of rejections).
    package static func ofAPNs(_ reason: String) -> Rejection? { named(reason, by: "apns") }

    /// The rejection with this reason of a provider or gateway: `"fcm"`, `"airnotifier"`; nil if it has none. O(number of rejections).
    package static func named(_ reason: String, by speaker: String) -> Rejection? {
        table.first { $0.speaker.description == speaker && $0.reason.description == reason }?.rejection
    }

    /// The row of this rejection.
    public var row: Row { Self.table[Int(rawValue)] }

    /// The rule of the finding that goes with the rejection: `apns.bad-collapse-id`, `fcm.invalid-argument`.
    public var rule: String {
        let reason = row.reason.description
        var kebab = ""
        var previousIsLower = false
        for character in reason {
            if character == "_" || character == " " {
                kebab += "-"
                previousIsLower = false
            } else {
                if character.isUppercase, previousIsLower { kebab += "-" }
                kebab += character.lowercased()
                previousIsLower = character.isLowercase
            }
        }
        return "\(row.speaker).\(kebab)"
    }
}
