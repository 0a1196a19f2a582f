/// A provider's rejection of a message, with the provider's own wording.
///
/// Only documented rejections are listed. Sources: Apple, "Handling notification responses from APNs", and for broadcasts
/// "Handling error responses from Apple Push Notification service"; Firebase,
/// "Firebase Cloud Messaging HTTP protocol", downstream message error response codes; Firebase, FCM v1 `ErrorCode`;
/// Airnotifier's source; Apple (archived), "Binary Provider API"; Amazon SNS API Reference, `Publish`; Expo, "Send notifications with
/// Expo's Push API".
#if hasAttribute(nonexhaustive)
    @nonexhaustive
#endif
public enum Rejection: UInt8, Sendable, CaseIterable {
    // APNs

    /// 400: the collapse identifier is longer than 64 bytes.
    case badCollapseId
    /// 400: the device token is invalid, or belongs to the other environment.
    case badDeviceToken
    /// 400: `apns-expiration` is not a number of seconds since the epoch.
    case badExpirationDate
    /// 400: `apns-id` is not a UUID.
    case badMessageId
    /// 400: `apns-priority` is none of 10, 5 and 1.
    case badPriority
    /// 400: `apns-topic` is invalid.
    case badTopic
    /// 400: the device token is that of another app than the topic's.
    case deviceTokenNotForTopic
    /// 400: a header is repeated.
    case duplicateHeaders
    /// 400: the connection was idle for too long.
    case idleTimeout
    /// 400: `apns-push-type` is none of Apple's values.
    case invalidPushType
    /// 400: `:path` names no device token.
    case missingDeviceToken
    /// 400: `apns-topic` is missing, and the credentials do not tell the topic.
    case missingTopic
    /// 400: the request has no payload.
    case payloadEmpty
    /// 400: the sender may not push to this topic.
    case topicDisallowed
    /// 403: the certificate is invalid.
    case badCertificate
    /// 403: the certificate is for the other environment.
    case badCertificateEnvironment
    /// 403: the provider token is more than an hour old; the sender needs a new one.
    case expiredProviderToken
    /// 403: the action is not allowed.
    case forbidden
    /// 403: the provider token is invalid, or its signature cannot be verified.
    case invalidProviderToken
    /// 403: the connection has no certificate, and the request no provider token.
    case missingProviderToken
    /// 403: the provider token's key is not that of the first push on this connection.
    case unrelatedKeyIdInToken
    /// 403: the provider token's key is for the other environment.
    case badEnvironmentKeyIdInToken
    /// 404: `:path` is invalid.
    case badPath
    /// 405: the method is not `POST`.
    case methodNotAllowed
    /// 410: the device token has expired.
    case expiredToken
    /// 410: the device token is no longer active for the topic. The sender deletes it.
    case unregistered
    /// 413: the payload is over its budget: 4,096 bytes, or 5,120 for VoIP.
    case payloadTooLarge
    /// 429: the sender changes its provider token more than once in 20 minutes.
    case tooManyProviderTokenUpdates
    /// 429: too many requests in a row for one device token.
    case tooManyRequests
    /// 500: a fault in APNs.
    case internalServerError
    /// 503: APNs is not available; the sender tries again later.
    case serviceUnavailable
    /// 503: this server of APNs shuts down; the sender connects to another one.
    case shutdown

    // APNs, broadcasts and their channels

    /// 400: broadcasts are not enabled for the app.
    case featureNotEnabled
    /// 400: the request has no `apns-channel-id`.
    case missingChannelId
    /// 400: `apns-channel-id` is not Base64.
    case badChannelId
    /// 400: there is no such channel.
    case channelNotRegistered
    /// 400: a parameter of the request is invalid.
    case badRequestParams
    /// 400: the payload is not JSON.
    case badRequestPayload
    /// 400: the request has no `apns-push-type`.
    case missingPushType
    /// 400: the app has as many channels as it may have.
    case cannotCreateChannelConfig
    /// 403: the certificate is for another topic.
    case topicMismatch

    // GCM and FCM legacy: most errors are in the body of a 200

    /// 200: the request names no registration token.
    case missingRegistration
    /// 200: the registration token is malformed.
    case invalidRegistration
    /// 200: the registration token is no longer valid, since the app was uninstalled or has another one.
    case notRegistered
    /// 200: the token's app is not the one in `restricted_package_name`.
    case invalidPackageName
    /// 200: the registration token belongs to another sender.
    case mismatchSenderId
    /// 400: a parameter has a wrong name, type or value.
    case invalidParameters
    /// 200: the message is over its budget: 4,096 bytes, or 2,048 for topics.
    case messageTooBig
    /// 200: `data` has a key that is reserved, such as `from` or one that begins with `google`.
    case invalidDataKey
    /// 200: `time_to_live` is not a whole number of seconds from 0 to 2,419,200, four weeks.
    case invalidTtl
    /// 200: the service could not process the request in time; the sender tries again.
    case gcmUnavailable
    /// 200: a fault in the service.
    case gcmInternalServerError
    /// 200: too many messages for one device.
    case deviceMessageRateExceeded
    /// 200: too many messages for one topic.
    case topicsMessageRateExceeded
    /// 200: the project's credentials for APNs are missing or have expired.
    case invalidApnsCredential
    /// 401: the server key is missing or invalid.
    case gcmInvalidKey

    // FCM v1

    /// 400: a field, the target, the size, a key of `data` or the time to live is invalid.
    case invalidArgument
    /// 404: the registration token is no longer valid.
    case fcmUnregistered
    /// 403: the registration token belongs to another sender.
    case senderIdMismatch
    /// 429: too many messages from the sender, or for the device or topic.
    case quotaExceeded
    /// 503: the service is overloaded; the sender tries again.
    case fcmUnavailable
    /// 500: a fault in the service.
    case fcmInternal
    /// 401: the project's credentials for APNs or web push are missing or invalid.
    case thirdPartyAuthError
    /// 401: the access token is missing or invalid.
    case fcmUnauthenticated

    // Airnotifier

    /// 400: `device` is neither `ios` nor ends with `fcm`.
    case invalidDeviceType
    /// 400: the request has no `X-An-App-Name`.
    case appNameRequired
    /// 400: the request has no `X-An-App-Key`.
    case appKeyRequired
    /// 400: the token is not 64 hexadecimal digits.
    case airnotifierInvalidToken
    /// 400: there is no app of this name.
    case invalidApplicationName
    /// 400: the app has no such access key.
    case invalidAccessKey
    /// 403: the access key may not send to this token.
    case noPermissionToSend
    /// 403: the access key may not send to all devices.
    case noPermissionToBroadcast
    /// 400: the token is unknown, and the access key may not add it.
    case unknownTokenWithoutPermission
    /// 423: the sender's address is blocked.
    case blockedIP
    /// 400: `extra.processor` names a hook that does not exist.
    case unknownHook

    // The binary interface of APNs: the number is the status in its error packet

    /// 1: the notification has an invalid item.
    case binaryProcessingError
    /// 2: the notification has no device token.
    case binaryMissingDeviceToken
    /// 4: the notification has no payload.
    case binaryMissingPayload
    /// 7: the payload is over its limit.
    case binaryInvalidPayloadSize
    /// 8: the device token is invalid.
    case binaryInvalidToken
    /// 5: the device token does not have 32 bytes.
    case binaryInvalidTokenSize

    // Amazon SNS

    /// 400: a platform's payload is not a string.
    case snsInvalidParameter

    // Expo's push service: the first is in a ticket, in the body of a 200

    /// 200: the token is none of Expo's, or no longer valid.
    case expoDeviceNotRegistered
    /// 400: the request has more than 100 messages.
    case expoTooManyNotifications
    /// 400: the tokens of the request belong to several projects.
    case expoTooManyExperienceIDs
    /// 429: more than 600 notifications a second for a project.
    case expoTooManyRequests
    /// 401: the access token is missing or invalid.
    case expoUnauthorized
    /// 500: a server fault.
    case expoInternalServerError
    /// 503: the service is unavailable.
    case expoServiceUnavailable

    /// One row per rejection.
    package struct Row: Sendable {
        /// The rejection.
        package let rejection: Rejection
        /// Who sends it; also the first part of its finding's rule.
        package let speaker: StaticString
        /// HTTP status of the response. GCM reports most errors inside a 200. Of the binary interface, the status in the
        /// error packet.
        package let status: Int
        /// The text on the wire.
        package let reason: StaticString
        /// The cause in plain words.
        package let cause: StaticString

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
    package static let table: [Row] = [
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

        Row(.snsInvalidParameter, "sns", 400, "InvalidParameter", "a platform's payload is not a string"),

        Row(.expoDeviceNotRegistered, "expo", 200, "DeviceNotRegistered", "the token is not registered with Expo"),
        Row(
            .expoTooManyNotifications, "expo", 400, "PUSH_TOO_MANY_NOTIFICATIONS",
            "the request has more than 100 messages"),
        Row(
            .expoTooManyExperienceIDs, "expo", 400, "PUSH_TOO_MANY_EXPERIENCE_IDS",
            "the tokens of the request belong to several projects"),
        Row(.expoTooManyRequests, "expo", 429, "TOO_MANY_REQUESTS", "more than 600 notifications a second"),
        Row(.expoUnauthorized, "expo", 401, "UNAUTHORIZED", "the access token is missing or invalid"),
        Row(.expoInternalServerError, "expo", 500, "INTERNAL_SERVER_ERROR", "a server fault"),
        Row(.expoServiceUnavailable, "expo", 503, "SERVICE_UNAVAILABLE", "the service is unavailable"),
    ]

    /// APNs' rejection with this reason; nil if it has none. O(number of rejections).
    package static func ofAPNs(_ reason: String) -> Rejection? { named(reason, by: "apns") }

    /// The rejection with this reason of a provider or gateway: `"fcm"`, `"airnotifier"`; nil if it has none. O(number of rejections).
    package static func named(_ reason: String, by speaker: String) -> Rejection? {
        table.first { $0.speaker.description == speaker && $0.reason.description == reason }?.rejection
    }

    /// The row of this rejection.
    package var row: Row { Self.table[Int(rawValue)] }

    /// The service's own word, as in its answer and in reports: `BadCollapseId`.
    public var reason: String { "\(row.reason)" }

    /// The HTTP status of the answer: 200 for most errors of GCM. Of the binary interface, the status in the error packet.
    public var status: Int { row.status }
}

extension Rejection: CustomStringConvertible {
    /// The reason, as reports write it.
    public var description: String { reason }
}

extension Rejection {
    /// True if the answer says since when the token is dead: 410 of APNs. Source: Apple, "Handling notification responses from APNs".
    package var hasTimestamp: Bool { self == .unregistered || self == .expiredToken }
}

extension Provider {
    /// The answers to a token that was never issued, to one that is no longer registered, to one of another app, which not every provider
    /// documents, and to too many messages for one. A sender that is too fast gets the last, because GCM documents no other.
    package var tokenRejections: (unknown: Rejection, unregistered: Rejection, otherApp: Rejection?, tooMany: Rejection)
    {
        switch self {
        case .apns: (.badDeviceToken, .unregistered, .deviceTokenNotForTopic, .tooManyRequests)
        case .gcm: (.notRegistered, .notRegistered, .invalidPackageName, .deviceMessageRateExceeded)
        case .fcm: (.fcmUnregistered, .fcmUnregistered, nil, .quotaExceeded)
        }
    }
}

extension Rejection {
    /// The rule of the finding that goes with the rejection: `apns.bad-collapse-id`, `fcm.invalid-argument`.
    public var rule: String { Self.rules[Int(rawValue)] }

    /// The rules, by raw value. Composing one takes as long as ten messages.
    private static let rules = table.map { $0.composeRule() }
}

extension Rejection.Row {
    fileprivate func composeRule() -> String {
        let reason = reason.description
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
        return "\(speaker).\(kebab)"
    }
}

extension Rejection {
    /// Expo's word for a token that leads nowhere.
    package static let expoNotRegistered = "DeviceNotRegistered"

    /// Expo's word in a ticket or a receipt; nil if Expo refuses the whole request.
    ///
    /// Expo's word for a reason of the provider. Expo documents the meaning of its words, and not the reasons that they stand for. A reason
    /// that none of them means is `InvalidCredentials` if the sender's key is at fault, and `ProviderError` otherwise (UNCONFIRMED).
    ///
    /// - Parameter isTooBig: true for a message over its limit, for which FCM has no word of its own.
    package func wordOfExpo(isTooBig: Bool) -> String? {
        if row.speaker.description == "expo", row.status != 200 { return nil }
        if isTooBig { return "MessageTooBig" }
        return switch self {
        case .expoDeviceNotRegistered, .unregistered, .expiredToken, .badDeviceToken, .deviceTokenNotForTopic,
            .fcmUnregistered:
            Self.expoNotRegistered
        case .payloadTooLarge, .messageTooBig: "MessageTooBig"
        case .tooManyRequests, .quotaExceeded: "MessageRateExceeded"
        case .senderIdMismatch: "MismatchSenderId"
        case .badCertificate, .badCertificateEnvironment, .expiredProviderToken, .forbidden, .invalidProviderToken,
            .missingProviderToken, .topicDisallowed, .thirdPartyAuthError, .fcmUnauthenticated:
            "InvalidCredentials"
        default: "ProviderError"
        }
    }
}

/// Answers of the binary interface of APNs.
extension Rejection {
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
}

/// The answer that a sender got from a service, as far as it is known.
package struct SenderAnswer: Sendable, Hashable {
    /// The status of HTTP, or of the binary interface; nil if it is not known.
    package var status: Int?
    /// The service's word; nil if it is not known, or if the service accepted the message.
    package var reason: String?

    package init(status: Int? = nil, reason: String? = nil) {
        self.status = status
        self.reason = reason
    }

    /// Adds what is not known yet.
    package mutating func add(_ other: SenderAnswer) {
        status = status ?? other.status
        reason = reason ?? other.reason
    }

    /// True if it says nothing.
    package var isEmpty: Bool { status == nil && reason == nil }
}

extension SenderAnswer: CustomStringConvertible {
    /// `410 Unregistered`, `400`, `BadTopic`.
    package var description: String { [status.map { String($0) }, reason].compactMap(\.self).joined(separator: " ") }
}
