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
        case .badCollapseId, .badDeviceToken, .badExpirationDate, .badMessageId, .badPriority, .badTopic,
            .deviceTokenNotForTopic, .duplicateHeaders, .idleTimeout, .invalidPushType, .missingDeviceToken,
            .missingTopic, .payloadEmpty, .topicDisallowed, .badCertificate, .badCertificateEnvironment,
            .expiredProviderToken, .forbidden, .invalidProviderToken, .missingProviderToken, .unrelatedKeyIdInToken,
            .badPath, .methodNotAllowed, .expiredToken, .unregistered, .payloadTooLarge, .tooManyProviderTokenUpdates,
            .tooManyRequests, .internalServerError, .serviceUnavailable, .shutdown:
            .documented("Apple, \"Handling notification responses from APNs\"")
        case .badEnvironmentKeyIdInToken:
            .documented(
                "Apple, newer copies of \"Handling notification responses from APNs\"; observed as BadEnvironmentKeyInToken (APNSwift pull request 229)"
            )
        case .featureNotEnabled, .missingChannelId, .badChannelId, .channelNotRegistered, .badRequestParams,
            .badRequestPayload, .missingPushType, .cannotCreateChannelConfig, .topicMismatch:
            .documented("Apple, \"Handling error responses from Apple Push Notification service\"")
        case .missingRegistration, .invalidRegistration, .notRegistered, .invalidPackageName, .mismatchSenderId,
            .invalidParameters, .messageTooBig, .invalidDataKey, .invalidTtl, .gcmUnavailable, .gcmInternalServerError,
            .deviceMessageRateExceeded, .topicsMessageRateExceeded, .invalidApnsCredential:
            .documented("Firebase, \"Firebase Cloud Messaging HTTP protocol\", downstream message error response codes")
        case .gcmInvalidKey: .documented("Google, \"HTTP Connection Server\" of GCM")
        case .invalidArgument, .fcmUnregistered, .senderIdMismatch, .quotaExceeded, .fcmUnavailable, .fcmInternal,
            .thirdPartyAuthError:
            .documented("Firebase, FCM v1 ErrorCode")
        case .fcmUnauthenticated: .observed("firebase-php issue 277; the status is that of google.rpc.Code")
        case .invalidDeviceType, .airnotifierInvalidToken, .appNameRequired, .appKeyRequired, .invalidApplicationName,
            .invalidAccessKey, .noPermissionToSend, .noPermissionToBroadcast, .unknownTokenWithoutPermission,
            .blockedIP:
            .documented("Airnotifier's source, api/__init__.py, api/push.py and api/broadcast.py")
        case .unknownHook:
            .assumed(
                "Airnotifier answers with the text of Python's exception (api/push.py), which depends on its version")
        case .snsInvalidParameter: .documented("Amazon SNS API reference, Publish, \"Errors\"")
        case .expoDeviceNotRegistered, .expoTooManyNotifications, .expoTooManyExperienceIDs, .expoTooManyRequests,
            .expoUnauthorized:
            .documented("Expo, \"Send notifications with Expo's Push API\"; the status of request errors is assumed")
        case .expoInternalServerError, .expoServiceUnavailable:
            .assumed(
                "Expo, \"Send notifications with Expo's Push API\", has \"5xx error (Server Errors)\" without a code")
        case .binaryProcessingError, .binaryMissingDeviceToken, .binaryMissingPayload, .binaryInvalidPayloadSize,
            .binaryInvalidToken, .binaryInvalidTokenSize:
            .documented("Apple (archived), \"Binary Provider API\"")
        }
    }
}

/// A case in which it is another question than in `Rejection.source` whether the service gives this answer.
package struct AnswerCase: Sendable {
    /// As in `Rejection.Row`.
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

    /// By service.
    package static let table: [AnswerCase] = [
        AnswerCase(
            "apns", "that of the first check that fails", "several things are wrong",
            .assumed("Apple documents no order; the order is that of pushy's mock server")),
        AnswerCase(
            "apns", "400 BadRequestPayload",
            "the body of a push is not a JSON object (`serve`; in `run` it is malformed)",
            .assumed("Apple names this reason for broadcasts only")),
        AnswerCase(
            "apns", "400 PayloadEmpty", "the payload of an envelope is `null`",
            .assumed("it stands for a request without a body")),
        AnswerCase(
            "apns", "413 PayloadTooLarge",
            "a body over the limit that is not JSON, also if other headers or the token are wrong",
            .assumed("the size can be checked without parsing; pushy's mock server checks nothing else of a body")),
        AnswerCase(
            "apns", "200", "a payload without alert, badge and sound, or with keys that Apple does not define",
            .observed("node-apn issue 344, net-core-push-notifications issue 71: accepted, and nothing is shown")),
        AnswerCase(
            "apns", "200", "a background push with priority 10",
            .assumed("Apple calls it an error, and names no reason; the linter reports it")),
        AnswerCase(
            "apns", "200", "an `apns-id` in upper case, or an `apns-expiration` in the past",
            .assumed("Apple documents no refusal")),
        AnswerCase(
            "apns", "200", "a broadcast without an expiration or a priority",
            .assumed("Apple requires both, and names no reason")),
        AnswerCase(
            "apns", "400 InvalidPushType", "a topic that ends with `.voip`, and `apns-push-type` alert or background",
            .observed("AndrewBarba/apns2 issue 23; Pr0Ger/PyAPNs2 issue 87; sideshow/apns2 issue 149")),
        AnswerCase(
            "apns", "400 InvalidPushType",
            "a topic with the suffix of a push type, such as `.complication`, and an `apns-push-type` of another",
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
            .assumed("Apple asks for the bundle identifier in the path, and names no reason")),
        AnswerCase(
            "apns", "400 BadRequestParams", "an attribute of a channel that Apple does not define (`serve`)",
            .assumed("Apple describes the reason as an invalid parameter, and names no case")),
        AnswerCase(
            "apns", "429 TooManyRequests", "more pushes for a device than `--pushes-per-minute` allows",
            .assumed("Apple documents the reason, and no number")),
        AnswerCase(
            "apns", "429 TooManyProviderTokenUpdates",
            "the second new token of a connection within 20 minutes (`serve`)",
            .assumed("Apple does not document how it counts")),
        AnswerCase(
            "binary", "1 Processing error", "an invalid priority or expiration",
            .assumed("Apple's document does not say which number it has")),
        AnswerCase(
            "binary", "the nearest number, 8, 10 or 255", "a reason for which the interface has no number",
            .assumed("the interface had ended before Apple had most of these reasons")),
        AnswerCase(
            "airnotifier", "400 Invalid token", "Moodle's format of 2013 without `token`, or in JSON",
            .assumed("what the server of 2013 answered is not known")),
        AnswerCase(
            "expo", "200", "at most 100 messages whose tokens are more than 100 together",
            .assumed("Expo's SDKs for Node.js and Ruby send fewer tokens at a time, and that for Python does not")),
        AnswerCase(
            "expo", "200 DeviceNotRegistered", "a token of APNs or FCM, or any other text, under `to`",
            .assumed("it is no registered recipient; Expo does not document a refusal of its own")),
        AnswerCase(
            "gcm", "200 NotRegistered", "a registration token that was never issued (`--unknown-devices reject`)",
            .assumed("the service cannot tell it from one that is no longer valid, if it is well-formed")),
        AnswerCase(
            "gcm", "200 DeviceMessageRateExceeded", "a sender that is too fast (`--app-pushes-per-minute`)",
            .assumed("the documents have no other word for it")),
        AnswerCase(
            "gcm", "200 MessageTooBig", "a message close to its limit",
            .assumed("Google does not document how the service counts")),
        AnswerCase(
            "gcm", "400 with a text", "a body that is not JSON, or has a wrong type (`serve`)",
            .assumed("the status is documented, and the texts are not")),
        AnswerCase(
            "fcm", "404 UNREGISTERED", "a registration token that was never issued (`--unknown-devices reject`)",
            .assumed("as for GCM")),
        AnswerCase(
            "fcm", "400 INVALID_ARGUMENT, `Android message is too big`", "a message over its limit",
            .observed("firebase-admin-go issue 580, reown-com/push-server pull request 346")),
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
            .assumed("the words are those of the parser's published ancestor in protocolbuffers/protobuf")),
        AnswerCase(
            "fcm", "200", "a `Topic` of web push that RFC 8030 does not allow",
            .assumed("no document says what FCM answers")),
    ]
}
