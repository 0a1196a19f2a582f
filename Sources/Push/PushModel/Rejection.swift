/// A provider's rejection of a message, with the provider's own wording.
///
/// `table` says what each of them means, as does `Documentation/reference/answers.md`. Only documented rejections are listed. Sources: Apple,
/// "Handling notification responses from APNs", and for broadcasts "Handling error responses from Apple Push Notification service"; Firebase,
/// "Firebase Cloud Messaging HTTP protocol", downstream message error response codes; Firebase, FCM v1 `ErrorCode`; Airnotifier's source; Apple
/// (archived), "Binary Provider API"; Amazon SNS API Reference, `Publish`; Expo, "Send notifications with Expo's Push API".
#if hasAttribute(nonexhaustive)
    @nonexhaustive
#endif
public enum Rejection: UInt8, Sendable, CaseIterable {
    /// APNs' answers to a push: 400, 403, 404, 405, 410, 413, 429, 500 and 503.
    case badCollapseId, badDeviceToken, badExpirationDate, badMessageId, badPriority, badTopic,
        deviceTokenNotForTopic, duplicateHeaders, idleTimeout, invalidPushType, missingDeviceToken, missingTopic,
        payloadEmpty, topicDisallowed, badCertificate, badCertificateEnvironment, expiredProviderToken, forbidden,
        invalidProviderToken, missingProviderToken, unrelatedKeyIdInToken, badEnvironmentKeyIdInToken,
        badEnvironmentKeyInToken, badPath, methodNotAllowed, expiredToken, unregistered, payloadTooLarge,
        tooManyProviderTokenUpdates, tooManyRequests, internalServerError, serviceUnavailable, shutdown

    /// APNs' answers to broadcasts, and to requests about their channels: 400 and 403.
    case featureNotEnabled, missingChannelId, badChannelId, channelNotRegistered, badRequestParams,
        badRequestPayload, missingPushType, cannotCreateChannelConfig, topicMismatch

    /// The answers of GCM and of FCM's legacy protocol: most are in the body of a 200.
    case missingRegistration, invalidRegistration, notRegistered, invalidPackageName, mismatchSenderId,
        invalidParameters, messageTooBig, invalidDataKey, invalidTtl, gcmUnavailable, gcmInternalServerError,
        deviceMessageRateExceeded, topicsMessageRateExceeded, invalidApnsCredential, gcmInvalidKey

    /// FCM v1's answers: 400, 401, 403, 404, 429, 500 and 503.
    case invalidArgument, fcmUnregistered, senderIdMismatch, quotaExceeded, fcmUnavailable, fcmInternal,
        thirdPartyAuthError, fcmUnauthenticated, fcmUnspecified

    /// Airnotifier's answers: 400, 403 and 423.
    case invalidDeviceType, appNameRequired, appKeyRequired, airnotifierInvalidToken, invalidApplicationName,
        invalidAccessKey, noPermissionToSend, noPermissionToBroadcast, unknownTokenWithoutPermission, blockedIP,
        unknownHook

    /// The answers of APNs' binary interface: the status is the number in its error packet.
    case binaryProcessingError, binaryMissingDeviceToken, binaryMissingPayload, binaryInvalidPayloadSize,
        binaryInvalidToken, binaryInvalidTokenSize

    /// The answer of Amazon SNS: 400.
    case snsInvalidParameter

    /// The answers of Expo's push service: the first is in a ticket, in the body of a 200.
    case expoDeviceNotRegistered, expoTooManyNotifications, expoTooManyExperienceIDs, expoTooManyRequests,
        expoUnauthorized, expoInternalServerError, expoServiceUnavailable

    /// The answers of APNs, GCM and FCM v1 for one reason each.
    private static let meanings: [[Rejection]] = [
        [.badDeviceToken, .invalidRegistration, .invalidArgument], [.unregistered, .notRegistered, .fcmUnregistered],
        [.deviceTokenNotForTopic, .mismatchSenderId, .senderIdMismatch],
        [.payloadTooLarge, .messageTooBig, .invalidArgument],
        [.tooManyRequests, .deviceMessageRateExceeded, .quotaExceeded],
        [.internalServerError, .gcmInternalServerError, .fcmInternal],
        [.serviceUnavailable, .gcmUnavailable, .fcmUnavailable],
        [.badRequestPayload, .invalidParameters, .invalidArgument],
    ]

    /// The answer of a service in place of another's with the same meaning, or for a bad request. The answers of gateways stay as they are.
    package func answer(of provider: Provider) -> Rejection {
        let speaker = row.speaker.description
        guard speaker != provider.description, Provider.allCases.contains(where: { $0.description == speaker }) else {
            return self
        }
        let meaning = Self.meanings.first { $0.contains(self) } ?? Self.meanings[Self.meanings.count - 1]
        return meaning[Int(provider.rawValue)]
    }

    package struct Row: Sendable {
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
        Row(.badExpirationDate, "apns", 400, "BadExpirationDate", "apns-expiration is not a number of seconds"),
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
            "a certificate for the other environment"),
        Row(.expiredProviderToken, "apns", 403, "ExpiredProviderToken", "the provider token is older than an hour"),
        Row(.forbidden, "apns", 403, "Forbidden", "the action is not allowed"),
        Row(.invalidProviderToken, "apns", 403, "InvalidProviderToken", "the provider token is invalid"),
        Row(.missingProviderToken, "apns", 403, "MissingProviderToken", "neither a certificate nor a provider token"),
        Row(
            .unrelatedKeyIdInToken, "apns", 403, "UnrelatedKeyIdInToken",
            "a key not related to the first on this connection"),
        Row(.badEnvironmentKeyIdInToken, "apns", 403, "BadEnvironmentKeyIdInToken", "a key for the other environment"),
        Row(.badEnvironmentKeyInToken, "apns", 403, "BadEnvironmentKeyInToken", "a key for the other environment"),
        Row(.badPath, "apns", 404, "BadPath", "the path is invalid"),
        Row(.methodNotAllowed, "apns", 405, "MethodNotAllowed", "the method is not POST"),
        Row(.expiredToken, "apns", 410, "ExpiredToken", "the device token has expired"),
        Row(.unregistered, "apns", 410, "Unregistered", "the device token is no longer active for the topic"),
        Row(.payloadTooLarge, "apns", 413, "PayloadTooLarge", "the payload is over its limit"),
        Row(
            .tooManyProviderTokenUpdates, "apns", 429, "TooManyProviderTokenUpdates",
            "the token was updated more than once in 20 minutes"),
        Row(.tooManyRequests, "apns", 429, "TooManyRequests", "too many requests in a row to one device token"),
        Row(.internalServerError, "apns", 500, "InternalServerError", "a server fault"),
        Row(.serviceUnavailable, "apns", 503, "ServiceUnavailable", "the service is unavailable"),
        Row(.shutdown, "apns", 503, "Shutdown", "the server is shutting down"),

        Row(.featureNotEnabled, "apns", 400, "FeatureNotEnabled", "broadcasts are not enabled for the app"),
        Row(.missingChannelId, "apns", 400, "MissingChannelId", "the broadcast names no apns-channel-id"),
        Row(.badChannelId, "apns", 400, "BadChannelId", "apns-channel-id is not Base64"),
        Row(.channelNotRegistered, "apns", 400, "ChannelNotRegistered", "no channel has this id"),
        Row(.badRequestParams, "apns", 400, "BadRequestParams", "a request parameter is invalid"),
        Row(.badRequestPayload, "apns", 400, "BadRequestPayload", "the payload is not JSON"),
        Row(.missingPushType, "apns", 400, "MissingPushType", "the broadcast has no apns-push-type"),
        Row(
            .cannotCreateChannelConfig, "apns", 400, "CannotCreateChannelConfig",
            "the app already has the maximum number of channels"),
        Row(.topicMismatch, "apns", 403, "TopicMismatch", "the certificate is for another topic"),

        Row(.missingRegistration, "gcm", 200, "MissingRegistration", "the request names no target"),
        Row(.invalidRegistration, "gcm", 200, "InvalidRegistration", "the registration token is malformed"),
        Row(.notRegistered, "gcm", 200, "NotRegistered", "the registration token is no longer valid"),
        Row(.invalidPackageName, "gcm", 200, "InvalidPackageName", "restricted_package_name does not match the token"),
        Row(.mismatchSenderId, "gcm", 200, "MismatchSenderId", "the token belongs to another sender"),
        Row(.invalidParameters, "gcm", 400, "InvalidParameters", "a value or its type is invalid"),
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
        Row(.fcmUnspecified, "fcm", 500, "UNSPECIFIED_ERROR", "FCM gives no details"),

        Row(.invalidDeviceType, "airnotifier", 400, "Invalid device type", "device is neither ios nor ends with fcm"),
        Row(.appNameRequired, "airnotifier", 400, "app name is required", "the request has no x-an-app-name"),
        Row(.appKeyRequired, "airnotifier", 400, "app key is required", "the request has no x-an-app-key"),
        Row(.airnotifierInvalidToken, "airnotifier", 400, "Invalid token", "the token is not 64 hexadecimal digits"),
        Row(.invalidApplicationName, "airnotifier", 400, "Invalid application name", "no app has this name"),
        Row(.invalidAccessKey, "airnotifier", 400, "Invalid access key", "no app has this access key"),
        Row(
            .noPermissionToSend, "airnotifier", 403, "No permission to send notification",
            "the access key may not send to this token"),
        Row(
            .noPermissionToBroadcast, "airnotifier", 403, "No permission to send broadcast",
            "the access key may not send broadcasts"),
        Row(
            .unknownTokenWithoutPermission, "airnotifier", 400, "Unknow token and you have no permission to create",
            "the token is unknown, and the access key may not create tokens"),
        Row(.blockedIP, "airnotifier", 423, "Blocked IP", "the sender's address is on the block list"),
        Row(.unknownHook, "airnotifier", 400, "No module named hooks", "extra.processor names an unknown hook"),

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
        Row(.expoTooManyRequests, "expo", 429, "TOO_MANY_REQUESTS", "more than 600 notifications per second"),
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
        // A reason is ASCII.
        var kebab: [UInt8] = []
        var previousIsLower = false
        for byte in reason.description.utf8 {
            let isUpper = UInt8(ascii: "A")...UInt8(ascii: "Z") ~= byte
            let isWordBreak = byte == UInt8(ascii: "_") || byte == UInt8(ascii: " ")
            if isWordBreak || isUpper && previousIsLower { kebab.append(UInt8(ascii: "-")) }
            if !isWordBreak { kebab.append(isUpper ? byte | 0x20 : byte) }
            previousIsLower = UInt8(ascii: "a")...UInt8(ascii: "z") ~= byte
        }
        return "\(speaker).\(String(decoding: kebab, as: UTF8.self))"
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

/// How it is known that a service gives an answer.
package struct AnswerSource: Sendable {
    /// How certain it is.
    package enum Certainty: String, Sendable, CaseIterable {
        /// The vendor's document, or the service's own source code, says so.
        case documented
        /// Somebody got this answer, and no document says so.
        case observed
        /// Neither is known: it is what seems likely, or does the least harm.
        case assumed
    }

    package let certainty: Certainty
    /// The document, the report, or the reason for an assumption.
    package let text: StaticString

    static func documented(_ text: StaticString) -> Self { Self(certainty: .documented, text: text) }
    static func observed(_ text: StaticString) -> Self { Self(certainty: .observed, text: text) }
    static func assumed(_ text: StaticString) -> Self { Self(certainty: .assumed, text: text) }
}

extension Rejection {
    /// How the status and the reason are known. When a service gives them is another matter: `AnswerCase`.
    package var source: AnswerSource {
        switch self {
        case .badEnvironmentKeyIdInToken:
            .documented("Apple, newer copies of \"Handling notification responses from APNs\"")
        case .badEnvironmentKeyInToken:
            .observed("APNSwift pull request 229, and in FCM's ApnsError; Apple's page has BadEnvironmentKeyIdInToken")
        case .featureNotEnabled, .missingChannelId, .badChannelId, .channelNotRegistered, .badRequestParams,
            .badRequestPayload, .missingPushType, .cannotCreateChannelConfig, .topicMismatch:
            .documented("Apple, \"Handling error responses from Apple Push Notification service\"")
        case .gcmInvalidKey: .documented("Google, \"HTTP Connection Server\" of GCM")
        case .fcmUnauthenticated: .observed("firebase-php issue 277; the status is that of google.rpc.Code")
        case .unknownHook:
            .assumed(
                "Airnotifier answers with the text of Python's exception (api/push.py), which depends on its version")
        case .expoInternalServerError, .expoServiceUnavailable:
            .assumed(
                "Expo, \"Send notifications with Expo's Push API\", has \"5xx error (Server Errors)\" without a code")
        default: .documented(Self.documents[row.speaker.description] ?? "")
        }
    }

    /// The documents that have nearly all answers of a service.
    private static let documents: [String: StaticString] = [
        "apns": "Apple, \"Handling notification responses from APNs\"",
        "gcm": "Firebase, \"Firebase Cloud Messaging HTTP protocol\", downstream message error response codes",
        "fcm": "Firebase, FCM v1 ErrorCode",
        "airnotifier": "Airnotifier's source, api/__init__.py, api/push.py and api/broadcast.py",
        "binary": "Apple (archived), \"Binary Provider API\"",
        "sns": "Amazon SNS API reference, Publish, \"Errors\"",
        "expo": "Expo, \"Send notifications with Expo's Push API\"; the status of request errors is assumed",
    ]
}

extension Rejection {
    /// The advice to a sender who gets this answer; nil where the cause says it. Sources: the documents of `source`, and Apple's pages on connections and requests.
    package var advice: StaticString? {
        switch self {
        case .badDeviceToken, .binaryInvalidToken:
            "send the token in hexadecimal, exactly as the app received it, to the host of its environment: api.sandbox.push.apple.com for a build from Xcode, api.push.apple.com for TestFlight and the App Store. A token of another app can also get this answer (UNCONFIRMED). Do not send to this token again"
        case .badTopic, .missingTopic:
            "send the app's bundle identifier as apns-topic, with the suffix of the push type, such as .voip"
        case .deviceTokenNotForTopic:
            "send to the topic of the app that received the token. Types such as voip have their own tokens. Do not send this pair again"
        case .topicDisallowed:
            "use a key or certificate of the app's team that covers this topic, and add the suffix of the push type to the topic, such as .voip. The path of a broadcast has the bundle identifier without a suffix"
        case .badCertificateEnvironment, .badEnvironmentKeyIdInToken, .badEnvironmentKeyInToken:
            "connect to api.sandbox.push.apple.com with a key or certificate for the sandbox, and to api.push.apple.com with one for production"
        case .expiredProviderToken, .tooManyProviderTokenUpdates:
            "sign a new token every 20 to 60 minutes, and use it on all connections. Set the sender's clock, and write iat in seconds"
        case .invalidProviderToken:
            "check that kid is the id of the key and iss that of the team, which are easily swapped. Sign with ES256 and the .p8 file of this key, which must not be revoked"
        case .badPath: "post to /3/device/ and the token, or to /4/broadcasts/apps/ and the bundle identifier"
        case .unregistered, .expiredToken:
            "delete the token, unless the app has registered it again since the timestamp of the answer"
        case .fcmUnregistered, .notRegistered, .expoDeviceNotRegistered:
            "delete the token. When the app runs again, it registers and receives a valid one"
        case .payloadTooLarge, .messageTooBig, .binaryInvalidPayloadSize:
            "shorten the texts, or send an identifier with which the app or its service extension downloads the rest"
        case .tooManyRequests, .deviceMessageRateExceeded, .topicsMessageRateExceeded, .quotaExceeded,
            .expoTooManyRequests:
            "wait, each time longer, and at least as long as Retry-After says. Then send less to this target"
        case .idleTimeout, .shutdown, .internalServerError, .serviceUnavailable, .gcmUnavailable,
            .gcmInternalServerError, .fcmUnavailable, .fcmInternal, .expoInternalServerError, .expoServiceUnavailable:
            "send the message again, over a new connection if the service has closed this one. Wait longer each time, and as long as Retry-After says (APNs after a 5xx: 15 minutes)"
        case .mismatchSenderId, .senderIdMismatch:
            "send with a service account of the Firebase project that the app is registered with"
        case .thirdPartyAuthError, .invalidApnsCredential:
            "upload the APNs key of the app's team in the Firebase console, with the key id and the team id. For browsers, check the VAPID key"
        case .invalidArgument:
            "read message and details of the answer, which name the field. A token from another service, a message over its limit and a reserved name in data also get this code"
        case .invalidRegistration: "send the token exactly as the app received it"
        case .gcmInvalidKey: "the protocol is shut down. Use HTTP v1 with an access token"
        case .fcmUnauthenticated:
            "get an access token for the service account with the scope https://www.googleapis.com/auth/firebase.messaging, which is valid for an hour"
        default: nil
        }
    }
}

/// A case in which it is another question than in `Rejection.source` whether the service gives this answer.
package struct AnswerCase: Sendable {
    /// The service, as in `Rejection.Row`.
    package let speaker: StaticString
    /// Status and reason, or what else there is to say.
    package let answer: StaticString
    /// The request, in plain words.
    package let request: StaticString
    package let source: AnswerSource

    private init(_ speaker: StaticString, _ answer: StaticString, _ request: StaticString, _ source: AnswerSource) {
        self.speaker = speaker
        self.answer = answer
        self.request = request
        self.source = source
    }

    /// All cases, by service.
    package static let table: [AnswerCase] = [
        AnswerCase(
            "apns", "the reason of the first check that fails", "several things are wrong",
            .assumed("Apple documents no order; pushpipe uses the order of pushy's mock server")),
        AnswerCase(
            "apns", "400 BadRequestPayload",
            "the body of a push is not a JSON object (`serve`; in `run` it is malformed)",
            .assumed("Apple names this reason for broadcasts only")),
        AnswerCase(
            "apns", "400 PayloadEmpty", "the payload of an envelope is `null`",
            .assumed("null stands for a request without a body")),
        AnswerCase(
            "apns", "413 PayloadTooLarge",
            "a body over the limit that is not JSON, also if other headers or the token are wrong",
            .assumed("the size can be checked without parsing; pushy's mock server makes no other check of a body")),
        AnswerCase(
            "apns", "200", "a payload without alert, badge and sound, or with keys that Apple does not define",
            .observed("node-apn issue 344, net-core-push-notifications issue 71: accepted, and nothing is shown")),
        AnswerCase(
            "apns", "200", "a background push with priority 10",
            .assumed("Apple calls it an error but names no reason; the linter reports it")),
        AnswerCase(
            "apns", "200", "an `apns-id` in upper case, or an `apns-expiration` in the past",
            .assumed("Apple documents no refusal")),
        AnswerCase(
            "apns", "200", "a second key of the team on a connection",
            .assumed("Apple refuses unrelated keys and those of another environment, and no token says which it is")),
        AnswerCase(
            "apns", "200", "a broadcast without an expiration or a priority",
            .assumed("Apple requires both but names no reason")),
        AnswerCase(
            "apns", "400 InvalidPushType", "a topic that ends with `.voip`, and `apns-push-type` alert or background",
            .observed("AndrewBarba/apns2 issue 23; Pr0Ger/PyAPNs2 issue 87; sideshow/apns2 issue 149")),
        AnswerCase(
            "apns", "400 InvalidPushType",
            "a topic with the suffix of a push type, such as `.complication`, and another `apns-push-type`",
            .assumed("as for `.voip` with alert and background; Apple names no reason")),
        AnswerCase(
            "apns", "200", "a topic without the suffix that its `apns-push-type` needs",
            .assumed("Apple names no reason; the linter reports it")),
        AnswerCase(
            "apns", "400 DeviceTokenNotForTopic", "a VoIP push to the app's token",
            .observed("Pr0Ger/PyAPNs2 issue 134")),
        AnswerCase(
            "apns", "400 DeviceTokenNotForTopic", "a push of another type to a token that is not of this type",
            .assumed("as for VoIP; Apple names no reason")),
        AnswerCase(
            "apns", "400 TopicDisallowed", "the path of a broadcast with a suffix such as `.push-type.liveactivity`",
            .assumed("Apple asks for the bundle identifier in the path but names no reason")),
        AnswerCase(
            "apns", "400 BadRequestParams", "an attribute of a channel that Apple does not define (`serve`)",
            .assumed("Apple describes the reason as an invalid parameter but names no case")),
        AnswerCase(
            "apns", "429 TooManyRequests", "more pushes for a device than `limits.pushes-per-minute` allows",
            .assumed("Apple documents the reason but no number")),
        AnswerCase(
            "apns", "429 TooManyProviderTokenUpdates",
            "the second new token on a connection within 20 minutes (`serve`)",
            .assumed("Apple does not document how it counts")),
        AnswerCase(
            "binary", "1 Processing error", "an invalid priority or expiration",
            .assumed("Apple's document does not say which number this case has")),
        AnswerCase(
            "binary", "the nearest number, 8, 10 or 255", "a reason for which the interface has no number",
            .assumed("the interface had ended before Apple introduced most of these reasons")),
        AnswerCase(
            "airnotifier", "400 Invalid token", "Moodle's format of 2013 without `token`, or in JSON",
            .assumed("the answer of the 2013 server is not known")),
        AnswerCase(
            "expo", "200", "at most 100 messages that have more than 100 tokens together",
            .assumed("Expo's SDKs for Node.js and Ruby send fewer tokens at a time; the SDK for Python does not")),
        AnswerCase(
            "expo", "200 DeviceNotRegistered", "an APNs or FCM token, or any other text, under `to`",
            .assumed("it is not a registered recipient; Expo documents no separate refusal")),
        AnswerCase(
            "gcm", "200 NotRegistered", "a registration token that was never issued (`devices.unknown: reject`)",
            .assumed("the service cannot tell a well-formed token of this kind from one that is no longer valid")),
        AnswerCase(
            "gcm", "200 DeviceMessageRateExceeded", "a sender that is too fast (`limits.app-pushes-per-minute`)",
            .assumed("the documents have no other word for this case")),
        AnswerCase(
            "gcm", "200 MessageTooBig", "a message close to its limit",
            .assumed("Google does not document how the service counts")),
        AnswerCase(
            "gcm", "400 with a text", "a body that is not JSON, or has a wrong type (`serve`)",
            .assumed("the status is documented, but the texts are not")),
        AnswerCase(
            "fcm", "404 UNREGISTERED", "a registration token that was never issued (`devices.unknown: reject`)",
            .assumed("as for GCM")),
        AnswerCase(
            "fcm", "400 INVALID_ARGUMENT, `Message is too large.`", "a message over its limit",
            .observed("reown-com/push-server pull request 346; before 2026, `Android message is too big`")),
        AnswerCase(
            "fcm", "400 INVALID_ARGUMENT, `Payload of Apple Push Notification Service must contain an [aps] key.`",
            "an `apns.payload` of other keys, also beside a notification",
            .observed("firebase-admin-dotnet issue 323, fcm-cloudflare-workers issue 10")),
        AnswerCase(
            "fcm", "200", "an empty `aps` in `apns.payload`",
            .assumed("firebase-admin-dotnet issue 39 has a refusal of 2019, but a report of 2025 has none")),
        AnswerCase(
            "fcm", "400 INVALID_ARGUMENT, `Value type for APS key [badge] is a number.`",
            "a `badge` or a `title` of a wrong type",
            .observed("async-firebase pull request 5; other keys are not known")),
        AnswerCase(
            "fcm", "400 INVALID_ARGUMENT, `Invalid registration token`",
            "data with APNs headers and without `content-available`, or a push of type voip or location, to an Apple device",
            .observed("firebase-ios-sdk issue 4605, firebase-admin-java issue 607; not for voip")),
        AnswerCase(
            "fcm", "404 UNREGISTERED, or 400 INVALID_ARGUMENT, `APNs device token is disabled.` (a fault rule)",
            "a dead APNs token behind the registration token", .observed("tests of five projects, 2022 to 2026")),
        AnswerCase(
            "fcm", "200, and delivered late with `limits.collapsible-bursts`",
            "a burst of more than 20 collapsible messages for an app",
            .documented("Firebase, \"FCM throttling and quotas\": 20 for each device, and one more every 3 minutes")),
        AnswerCase(
            "fcm", "429 QUOTA_EXCEEDED", "more messages for a device than `limits.pushes-per-minute` allows",
            .documented("Firebase, \"FCM throttling and quotas\": Android's limits are 240 a minute and 5,000 an hour")),
        AnswerCase(
            "fcm", "400 INVALID_ARGUMENT, `Invalid data payload key: from`", "a reserved name in `data`",
            .observed("firebase-php issue 574")),
        AnswerCase(
            "fcm", "400 INVALID_ARGUMENT with the limit of `apns-collapse-id`", "a collapse id of more than 64 bytes",
            .observed("ha-llmvision issue 545")),
        AnswerCase(
            "fcm", "400 INVALID_ARGUMENT, `Cannot find field.`", "a name that the message does not have",
            .observed("firebase-admin-node issue 2180, sygnal pull request 387, sylk-pushserver issue 16")),
        AnswerCase(
            "fcm", "400 INVALID_ARGUMENT with APNs' reason", "a header in `apns.headers` that APNs refuses",
            .assumed("observed for DeviceTokenNotForTopic only (fcm-django issue 201)")),
        AnswerCase(
            "fcm", "400 INVALID_ARGUMENT with words of the parser", "a body that is not JSON (`serve`)",
            .assumed("the words come from the parser's published ancestor in protocolbuffers/protobuf")),
        AnswerCase(
            "fcm", "200", "a `Topic` of web push that RFC 8030 does not allow",
            .assumed("no document says how FCM answers")),
    ]
}
