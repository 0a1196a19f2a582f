// `make rules` writes this file from the rules, and a test compares them.

extension RuleID {
    /// `airnotifier.dropped-key`: a key that Airnotifier does not pass on.
    public static let airnotifierDroppedKey = RuleID(known: "airnotifier.dropped-key")
    /// `airnotifier.invalid-device-type`: device is neither ios nor ends with fcm.
    public static let airnotifierInvalidDeviceType = RuleID(known: "airnotifier.invalid-device-type")
    /// `alert.empty`: an alert without text.
    public static let alertEmpty = RuleID(known: "alert.empty")
    /// `alert.json-text`: an alert that is JSON in a string.
    public static let alertJSONText = RuleID(known: "alert.json-text")
    /// `alert.loc-args-type`: loc-args that are not an array of strings.
    public static let alertLocArgsType = RuleID(known: "alert.loc-args-type")
    /// `alert.loc-args-without-key`: loc-args without the loc-key that they belong to.
    public static let alertLocArgsWithoutKey = RuleID(known: "alert.loc-args-without-key")
    /// `alert.misspelled-key`: a key of alert in another spelling.
    public static let alertMisspelledKey = RuleID(known: "alert.misspelled-key")
    /// `alert.percent`: a percent sign that looks like a printf format.
    public static let alertPercent = RuleID(known: "alert.percent")
    /// `alert.summary-argument`: summary-arg, which is no longer read.
    public static let alertSummaryArgument = RuleID(known: "alert.summary-argument")
    /// `alert.text-and-loc-key`: a text and a loc-key for the same line.
    public static let alertTextAndLocKey = RuleID(known: "alert.text-and-loc-key")
    /// `alert.unknown-key`: a key that alert does not have.
    public static let alertUnknownKey = RuleID(known: "alert.unknown-key")
    /// `alert.wrong-type`: a key of alert with a value of the wrong type.
    public static let alertWrongType = RuleID(known: "alert.wrong-type")
    /// `android.no-activity`: a tap that opens nothing, because no activity takes its click_action.
    public static let androidNoActivity = RuleID(known: "android.no-activity")
    /// `android.too-many`: a notification beyond those that Android lets an app show.
    public static let androidTooMany = RuleID(known: "android.too-many")
    /// `android.unknown-channel`: a notification channel that the app has not created on the device.
    public static let androidUnknownChannel = RuleID(known: "android.unknown-channel")
    /// `apns.background-priority`: a background push with a priority other than 5.
    public static let apnsBackgroundPriority = RuleID(known: "apns.background-priority")
    /// `apns.bad-channel-id`: apns-channel-id is not Base64.
    public static let apnsBadChannelID = RuleID(known: "apns.bad-channel-id")
    /// `apns.bad-collapse-id`: the collapse id is longer than 64 bytes.
    public static let apnsBadCollapseID = RuleID(known: "apns.bad-collapse-id")
    /// `apns.bad-device-token`: the device token is malformed.
    public static let apnsBadDeviceToken = RuleID(known: "apns.bad-device-token")
    /// `apns.bad-expiration-date`: apns-expiration is not a number of epoch seconds.
    public static let apnsBadExpirationDate = RuleID(known: "apns.bad-expiration-date")
    /// `apns.bad-message-id`: apns-id is not a UUID of the form 8-4-4-4-12.
    public static let apnsBadMessageID = RuleID(known: "apns.bad-message-id")
    /// `apns.bad-path`: the path is invalid.
    public static let apnsBadPath = RuleID(known: "apns.bad-path")
    /// `apns.bad-priority`: apns-priority is not 10, 5 or 1.
    public static let apnsBadPriority = RuleID(known: "apns.bad-priority")
    /// `apns.broadcast`: a broadcast without what it needs.
    public static let apnsBroadcast = RuleID(known: "apns.broadcast")
    /// `apns.duplicate-headers`: a header is repeated.
    public static let apnsDuplicateHeaders = RuleID(known: "apns.duplicate-headers")
    /// `apns.expiration-milliseconds`: an expiration in milliseconds.
    public static let apnsExpirationMilliseconds = RuleID(known: "apns.expiration-milliseconds")
    /// `apns.expiration-past`: an expiration before there was APNs.
    public static let apnsExpirationPast = RuleID(known: "apns.expiration-past")
    /// `apns.expiration-relative`: an expiration that looks like a duration.
    public static let apnsExpirationRelative = RuleID(known: "apns.expiration-relative")
    /// `apns.header-empty`: a header without a value.
    public static let apnsHeaderEmpty = RuleID(known: "apns.header-empty")
    /// `apns.header-outside`: a header beside headers.
    public static let apnsHeaderOutside = RuleID(known: "apns.header-outside")
    /// `apns.header-type`: headers that are not text.
    public static let apnsHeaderType = RuleID(known: "apns.header-type")
    /// `apns.id-uppercase`: an apns-id in upper case.
    public static let apnsIDUppercase = RuleID(known: "apns.id-uppercase")
    /// `apns.invalid-push-type`: apns-push-type is not one of Apple's values.
    public static let apnsInvalidPushType = RuleID(known: "apns.invalid-push-type")
    /// `apns.missing-channel-id`: the broadcast names no apns-channel-id.
    public static let apnsMissingChannelID = RuleID(known: "apns.missing-channel-id")
    /// `apns.missing-device-token`: the request names no device token.
    public static let apnsMissingDeviceToken = RuleID(known: "apns.missing-device-token")
    /// `apns.missing-topic`: the headers name no apns-topic.
    public static let apnsMissingTopic = RuleID(known: "apns.missing-topic")
    /// `apns.misspelled-header`: a header of APNs in another spelling.
    public static let apnsMisspelledHeader = RuleID(known: "apns.misspelled-header")
    /// `apns.payload-empty`: the request has no body.
    public static let apnsPayloadEmpty = RuleID(known: "apns.payload-empty")
    /// `apns.payload-key-in-headers`: a key of the payload among the headers.
    public static let apnsPayloadKeyInHeaders = RuleID(known: "apns.payload-key-in-headers")
    /// `apns.payload-too-large`: the payload is over its limit.
    public static let apnsPayloadTooLarge = RuleID(known: "apns.payload-too-large")
    /// `apns.provider-token`: a provider token that APNs does not accept.
    public static let apnsProviderToken = RuleID(known: "apns.provider-token")
    /// `apns.push-type-mismatch`: an apns-push-type that does not fit the payload.
    public static let apnsPushTypeMismatch = RuleID(known: "apns.push-type-mismatch")
    /// `apns.push-type-missing`: no apns-push-type.
    public static let apnsPushTypeMissing = RuleID(known: "apns.push-type-missing")
    /// `apns.request-id`: an apns-request-id that is not a UUID.
    public static let apnsRequestID = RuleID(known: "apns.request-id")
    /// `apns.token-form`: a device token that is not the hexadecimal form of bytes.
    public static let apnsTokenForm = RuleID(known: "apns.token-form")
    /// `apns.token-length`: a device token of an unusual length.
    public static let apnsTokenLength = RuleID(known: "apns.token-length")
    /// `apns.topic-disallowed`: pushing to this topic is not allowed.
    public static let apnsTopicDisallowed = RuleID(known: "apns.topic-disallowed")
    /// `apns.topic-suffix`: a topic that does not fit the push type.
    public static let apnsTopicSuffix = RuleID(known: "apns.topic-suffix")
    /// `apns.topic-suffix-unexpected`: a topic with the suffix of another push type.
    public static let apnsTopicSuffixUnexpected = RuleID(known: "apns.topic-suffix-unexpected")
    /// `apns.unknown-header`: a header that APNs does not know.
    public static let apnsUnknownHeader = RuleID(known: "apns.unknown-header")
    /// `apns.widget-alert`: an alert, badge or sound in a push to widgets or controls.
    public static let apnsWidgetAlert = RuleID(known: "apns.widget-alert")
    /// `apns.widget-content`: a push to widgets or controls without content-changed.
    public static let apnsWidgetContent = RuleID(known: "apns.widget-content")
    /// `aps.alert-key-in-aps`: a part of the alert directly inside aps.
    public static let apsAlertKeyInAps = RuleID(known: "aps.alert-key-in-aps")
    /// `aps.badge-clears`: a badge of 0 that removes the app's notifications.
    public static let apsBadgeClears = RuleID(known: "aps.badge-clears")
    /// `aps.badge-type`: a badge in a string.
    public static let apsBadgeType = RuleID(known: "aps.badge-type")
    /// `aps.badge-value`: a badge that is not a whole number from 0.
    public static let apsBadgeValue = RuleID(known: "aps.badge-value")
    /// `aps.category-without-alert`: a category without an alert.
    public static let apsCategoryWithoutAlert = RuleID(known: "aps.category-without-alert")
    /// `aps.content-available-with-alert`: content-available together with an alert.
    public static let apsContentAvailableWithAlert = RuleID(known: "aps.content-available-with-alert")
    /// `aps.custom-key-inside`: data for the app inside aps.
    public static let apsCustomKeyInside = RuleID(known: "aps.custom-key-inside")
    /// `aps.flag-value`: content-available, mutable-content or critical with a value other than the number 1.
    public static let apsFlagValue = RuleID(known: "aps.flag-value")
    /// `aps.interruption-level`: an interruption level that does not exist.
    public static let apsInterruptionLevel = RuleID(known: "aps.interruption-level")
    /// `aps.key-inside-alert`: a key of aps inside alert.
    public static let apsKeyInsideAlert = RuleID(known: "aps.key-inside-alert")
    /// `aps.misspelled-key`: a key of aps in another spelling.
    public static let apsMisspelledKey = RuleID(known: "aps.misspelled-key")
    /// `aps.mutable-without-alert`: mutable-content without an alert.
    public static let apsMutableWithoutAlert = RuleID(known: "aps.mutable-without-alert")
    /// `aps.nothing-visible`: nothing to show, hear or wake.
    public static let apsNothingVisible = RuleID(known: "aps.nothing-visible")
    /// `aps.relevance-score`: a relevance score outside 0 to 1.
    public static let apsRelevanceScore = RuleID(known: "aps.relevance-score")
    /// `aps.silent-with-sound-or-badge`: content-available together with a sound or a badge.
    public static let apsSilentWithSoundOrBadge = RuleID(known: "aps.silent-with-sound-or-badge")
    /// `aps.sound-alone`: a sound, and nothing to show.
    public static let apsSoundAlone = RuleID(known: "aps.sound-alone")
    /// `aps.sound-format`: a sound file of a format that is not played.
    public static let apsSoundFormat = RuleID(known: "aps.sound-format")
    /// `aps.sound-key`: a key that a sound object does not have.
    public static let apsSoundKey = RuleID(known: "aps.sound-key")
    /// `aps.sound-name`: a sound object without a name.
    public static let apsSoundName = RuleID(known: "aps.sound-name")
    /// `aps.sound-not-critical`: a sound object that is not critical.
    public static let apsSoundNotCritical = RuleID(known: "aps.sound-not-critical")
    /// `aps.sound-volume`: a volume outside 0 to 1.
    public static let apsSoundVolume = RuleID(known: "aps.sound-volume")
    /// `aps.wrong-type`: a key of aps with a value of the wrong type.
    public static let apsWrongType = RuleID(known: "aps.wrong-type")
    /// `binary.invalid-payload-size`: the payload is over its limit.
    public static let binaryInvalidPayloadSize = RuleID(known: "binary.invalid-payload-size")
    /// `binary.invalid-token`: the device token is malformed.
    public static let binaryInvalidToken = RuleID(known: "binary.invalid-token")
    /// `binary.invalid-token-size`: the device token does not have 32 bytes.
    public static let binaryInvalidTokenSize = RuleID(known: "binary.invalid-token-size")
    /// `binary.missing-device-token`: the notification has no device token.
    public static let binaryMissingDeviceToken = RuleID(known: "binary.missing-device-token")
    /// `binary.missing-payload`: the notification has no payload.
    public static let binaryMissingPayload = RuleID(known: "binary.missing-payload")
    /// `binary.processing-error`: the notification has an invalid item.
    public static let binaryProcessingError = RuleID(known: "binary.processing-error")
    /// `config.sent-suppression`: pushpipe-ignore in a record that is sent.
    public static let configSentSuppression = RuleID(known: "config.sent-suppression")
    /// `config.unused-suppression`: a rule that is ignored although nothing breaks it.
    public static let configUnusedSuppression = RuleID(known: "config.unused-suppression")
    /// `event.missing-member`: an event without a member that it needs.
    public static let eventMissingMember = RuleID(known: "event.missing-member")
    /// `event.unknown`: not an event.
    public static let eventUnknown = RuleID(known: "event.unknown")
    /// `event.unknown-member`: a member that an event does not have.
    public static let eventUnknownMember = RuleID(known: "event.unknown-member")
    /// `event.value`: a member of an event with a value that it cannot take.
    public static let eventValue = RuleID(known: "event.value")
    /// `expo.device-not-registered`: the token is not registered with Expo.
    public static let expoDeviceNotRegistered = RuleID(known: "expo.device-not-registered")
    /// `expo.many-tokens`: a request to Expo with more than 100 tokens.
    public static let expoManyTokens = RuleID(known: "expo.many-tokens")
    /// `expo.push-too-many-notifications`: the request has more than 100 messages.
    public static let expoPushTooManyNotifications = RuleID(known: "expo.push-too-many-notifications")
    /// `expo.unknown-field`: a field that Expo's push service does not have.
    public static let expoUnknownField = RuleID(known: "expo.unknown-field")
    /// `expo.wrong-type`: a field of Expo's with a value of the wrong type.
    public static let expoWrongType = RuleID(known: "expo.wrong-type")
    /// `extension.attachment-lost`: an attachment whose file cannot be moved.
    public static let extensionAttachmentLost = RuleID(known: "extension.attachment-lost")
    /// `extension.communication`: a communication notification of an app that may not send them.
    public static let extensionCommunication = RuleID(known: "extension.communication")
    /// `extension.content`: a changed content with a member that means nothing.
    public static let extensionContent = RuleID(known: "extension.content")
    /// `extension.crashed`: an extension whose process ended before its push was done with.
    public static let extensionCrashed = RuleID(known: "extension.crashed")
    /// `extension.empty-text`: an extension that hands over content without text.
    public static let extensionEmptyText = RuleID(known: "extension.empty-text")
    /// `extension.expired`: a content handler that is called only when the time is up.
    public static let extensionExpired = RuleID(known: "extension.expired")
    /// `extension.handler-called-twice`: a content handler that is called again.
    public static let extensionHandlerCalledTwice = RuleID(known: "extension.handler-called-twice")
    /// `extension.handler-not-called`: a content handler that is never called.
    public static let extensionHandlerNotCalled = RuleID(known: "extension.handler-not-called")
    /// `extension.handler-too-late`: a content handler that is called after the time was up.
    public static let extensionHandlerTooLate = RuleID(known: "extension.handler-too-late")
    /// `extension.memory-limit`: an extension that uses more memory than it may (--extension-memory).
    public static let extensionMemoryLimit = RuleID(known: "extension.memory-limit")
    /// `extension.not-started`: an extension that cannot be started.
    public static let extensionNotStarted = RuleID(known: "extension.not-started")
    /// `extension.removal-race`: a content handler that is called right after a removal.
    public static let extensionRemovalRace = RuleID(known: "extension.removal-race")
    /// `extension.reported`: what an extension has to say itself.
    public static let extensionReported = RuleID(known: "extension.reported")
    /// `extension.stand-in`: work that a stand-in for an SDK did in its place.
    public static let extensionStandIn = RuleID(known: "extension.stand-in")
    /// `extension.stray-output`: an extension that writes lines to standard output that are not messages.
    public static let extensionStrayOutput = RuleID(known: "extension.stray-output")
    /// `extension.unfinished-work`: a request that is still in progress after the content handler.
    public static let extensionUnfinishedWork = RuleID(known: "extension.unfinished-work")
    /// `extension.unreadable-payload`: a payload that the extension's Foundation cannot read.
    public static let extensionUnreadablePayload = RuleID(known: "extension.unreadable-payload")
    /// `fcm.analytics-label`: an analytics label in another form.
    public static let fcmAnalyticsLabel = RuleID(known: "fcm.analytics-label")
    /// `fcm.android-v2-kind`: an android_v2 that is not exactly one of its two kinds of message.
    public static let fcmAndroidV2Kind = RuleID(known: "fcm.android-v2-kind")
    /// `fcm.apns-field-in-payload`: a field of apns inside apns.payload.
    public static let fcmApnsFieldInPayload = RuleID(known: "fcm.apns-field-in-payload")
    /// `fcm.apns-token`: a device token of APNs as the target of a message for FCM.
    public static let fcmApnsToken = RuleID(known: "fcm.apns-token")
    /// `fcm.background-delivery`: a data message that iOS does not hand to an app in the background.
    public static let fcmBackgroundDelivery = RuleID(known: "fcm.background-delivery")
    /// `fcm.bare-message`: a message without the request around it.
    public static let fcmBareMessage = RuleID(known: "fcm.bare-message")
    /// `fcm.color`: a color that is not #rrggbb.
    public static let fcmColor = RuleID(known: "fcm.color")
    /// `fcm.data-not-string`: a value of data that is not a string.
    public static let fcmDataNotString = RuleID(known: "fcm.data-not-string")
    /// `fcm.discouraged-data-key`: a name in data that begins with google or gcm.
    public static let fcmDiscouragedDataKey = RuleID(known: "fcm.discouraged-data-key")
    /// `fcm.duration-form`: a duration that is not seconds with an s.
    public static let fcmDurationForm = RuleID(known: "fcm.duration-form")
    /// `fcm.event-time`: an event time that is not RFC 3339.
    public static let fcmEventTime = RuleID(known: "fcm.event-time")
    /// `fcm.header-not-string`: a value of apns.headers that is not a string.
    public static let fcmHeaderNotString = RuleID(known: "fcm.header-not-string")
    /// `fcm.image-address`: an image without a whole address.
    public static let fcmImageAddress = RuleID(known: "fcm.image-address")
    /// `fcm.image-not-mutable`: an image for Apple devices without mutable-content.
    public static let fcmImageNotMutable = RuleID(known: "fcm.image-not-mutable")
    /// `fcm.invalid-argument`: a field, target, size, data key or ttl is invalid.
    public static let fcmInvalidArgument = RuleID(known: "fcm.invalid-argument")
    /// `fcm.legacy-key`: a name of the legacy protocol in a v1 message.
    public static let fcmLegacyKey = RuleID(known: "fcm.legacy-key")
    /// `fcm.light-settings`: settings of the light that are not complete.
    public static let fcmLightSettings = RuleID(known: "fcm.light-settings")
    /// `fcm.link-https`: a link that is not HTTPS.
    public static let fcmLinkHTTPS = RuleID(known: "fcm.link-https")
    /// `fcm.live-activity-token`: a push to a Live Activity without its live_activity_token.
    public static let fcmLiveActivityToken = RuleID(known: "fcm.live-activity-token")
    /// `fcm.loc-args-without-key`: loc-args without the loc-key that they belong to.
    public static let fcmLocArgsWithoutKey = RuleID(known: "fcm.loc-args-without-key")
    /// `fcm.misplaced-key`: a field of android.notification in the common notification.
    public static let fcmMisplacedKey = RuleID(known: "fcm.misplaced-key")
    /// `fcm.negative-duration`: a negative duration of vibration or light.
    public static let fcmNegativeDuration = RuleID(known: "fcm.negative-duration")
    /// `fcm.nothing-visible`: a notification without title and body.
    public static let fcmNothingVisible = RuleID(known: "fcm.nothing-visible")
    /// `fcm.output-only`: a name in message.
    public static let fcmOutputOnly = RuleID(known: "fcm.output-only")
    /// `fcm.reserved-data-key`: a name in data that FCM keeps for itself.
    public static let fcmReservedDataKey = RuleID(known: "fcm.reserved-data-key")
    /// `fcm.topic-apns-size`: more than 4096 bytes for APNs in a message to a topic.
    public static let fcmTopicApnsSize = RuleID(known: "fcm.topic-apns-size")
    /// `fcm.topic-prefix`: a topic with /topics/ before its name.
    public static let fcmTopicPrefix = RuleID(known: "fcm.topic-prefix")
    /// `fcm.topic-size`: more than 2048 bytes for a topic.
    public static let fcmTopicSize = RuleID(known: "fcm.topic-size")
    /// `fcm.ttl-form`: a ttl that is not a duration.
    public static let fcmTTLForm = RuleID(known: "fcm.ttl-form")
    /// `fcm.unknown-key`: a field that does not exist.
    public static let fcmUnknownKey = RuleID(known: "fcm.unknown-key")
    /// `fcm.unknown-value`: a value that the enumeration does not have.
    public static let fcmUnknownValue = RuleID(known: "fcm.unknown-value")
    /// `fcm.web-direction`: a direction of text that browsers do not know.
    public static let fcmWebDirection = RuleID(known: "fcm.web-direction")
    /// `fcm.web-header`: a header that push services of browsers do not take.
    public static let fcmWebHeader = RuleID(known: "fcm.web-header")
    /// `fcm.web-notification`: options of a notification that browsers refuse.
    public static let fcmWebNotification = RuleID(known: "fcm.web-notification")
    /// `fcm.web-silent-push`: a push for which a site shows nothing.
    public static let fcmWebSilentPush = RuleID(known: "fcm.web-silent-push")
    /// `fcm.wrong-type`: a field with a value of the wrong type.
    public static let fcmWrongType = RuleID(known: "fcm.wrong-type")
    /// `fit.cannot`: a message that cannot be cut to fit.
    public static let fitCannot = RuleID(known: "fit.cannot")
    /// `fit.cut`: a text that was cut to fit the budget.
    public static let fitCut = RuleID(known: "fit.cut")
    /// `gcm.color`: a color that is not #rrggbb.
    public static let gcmColor = RuleID(known: "gcm.color")
    /// `gcm.confusing-data-key`: a name of the request in data.
    public static let gcmConfusingDataKey = RuleID(known: "gcm.confusing-data-key")
    /// `gcm.data-not-string`: a value of data that is not a string.
    public static let gcmDataNotString = RuleID(known: "gcm.data-not-string")
    /// `gcm.deprecated-key`: a key that is deprecated.
    public static let gcmDeprecatedKey = RuleID(known: "gcm.deprecated-key")
    /// `gcm.invalid-data-key`: data has a reserved key.
    public static let gcmInvalidDataKey = RuleID(known: "gcm.invalid-data-key")
    /// `gcm.invalid-parameters`: a wrong type or value.
    public static let gcmInvalidParameters = RuleID(known: "gcm.invalid-parameters")
    /// `gcm.invalid-registration`: the registration token is malformed.
    public static let gcmInvalidRegistration = RuleID(known: "gcm.invalid-registration")
    /// `gcm.invalid-ttl`: time_to_live is not a whole number from 0 to 2419200.
    public static let gcmInvalidTTL = RuleID(known: "gcm.invalid-ttl")
    /// `gcm.loc-args-without-key`: loc-args without the loc-key that they belong to.
    public static let gcmLocArgsWithoutKey = RuleID(known: "gcm.loc-args-without-key")
    /// `gcm.message-too-big`: the message is over its limit.
    public static let gcmMessageTooBig = RuleID(known: "gcm.message-too-big")
    /// `gcm.missing-registration`: the request names no target.
    public static let gcmMissingRegistration = RuleID(known: "gcm.missing-registration")
    /// `gcm.misspelled-key`: a key of the request in another spelling.
    public static let gcmMisspelledKey = RuleID(known: "gcm.misspelled-key")
    /// `gcm.nothing-visible`: a notification without title and body.
    public static let gcmNothingVisible = RuleID(known: "gcm.nothing-visible")
    /// `gcm.notification-type`: a value of notification that is not a string.
    public static let gcmNotificationType = RuleID(known: "gcm.notification-type")
    /// `gcm.switched-off`: a request of the legacy protocol.
    public static let gcmSwitchedOff = RuleID(known: "gcm.switched-off")
    /// `gcm.topic-form`: a topic that is not addressed as /topics/name.
    public static let gcmTopicForm = RuleID(known: "gcm.topic-form")
    /// `gcm.unknown-key`: a key that the request does not have.
    public static let gcmUnknownKey = RuleID(known: "gcm.unknown-key")
    /// `json.bad-escape`: an escape that JSON does not have.
    public static let jsonBadEscape = RuleID(known: "json.bad-escape")
    /// `json.bare-key`: a member name without quotes.
    public static let jsonBareKey = RuleID(known: "json.bare-key")
    /// `json.byte-order-mark`: a byte-order mark before the first record.
    public static let jsonByteOrderMark = RuleID(known: "json.byte-order-mark")
    /// `json.comment`: a comment.
    public static let jsonComment = RuleID(known: "json.comment")
    /// `json.control-character`: a line break, tab or other control character inside a string.
    public static let jsonControlCharacter = RuleID(known: "json.control-character")
    /// `json.duplicate-key`: a name occurs more than once in its object.
    public static let jsonDuplicateKey = RuleID(known: "json.duplicate-key")
    /// `json.extra-content`: something after the value.
    public static let jsonExtraContent = RuleID(known: "json.extra-content")
    /// `json.invalid-utf8`: bytes that are not UTF-8.
    public static let jsonInvalidUTF8 = RuleID(known: "json.invalid-utf8")
    /// `json.literal`: a word that JSON does not have.
    public static let jsonLiteral = RuleID(known: "json.literal")
    /// `json.lone-surrogate`: half of a surrogate pair.
    public static let jsonLoneSurrogate = RuleID(known: "json.lone-surrogate")
    /// `json.missing-colon`: no colon between a name and its value.
    public static let jsonMissingColon = RuleID(known: "json.missing-colon")
    /// `json.missing-comma`: no comma between two values.
    public static let jsonMissingComma = RuleID(known: "json.missing-comma")
    /// `json.nul-in-key`: a NUL in a member name.
    public static let jsonNulInKey = RuleID(known: "json.nul-in-key")
    /// `json.number-form`: a number in a form that JSON does not have.
    public static let jsonNumberForm = RuleID(known: "json.number-form")
    /// `json.number-out-of-range`: a number that fits neither 64 bits nor a double.
    public static let jsonNumberOutOfRange = RuleID(known: "json.number-out-of-range")
    /// `json.relaxed`: read as JSON although it is not.
    public static let jsonRelaxed = RuleID(known: "json.relaxed")
    /// `json.single-quotes`: a string in single quotes.
    public static let jsonSingleQuotes = RuleID(known: "json.single-quotes")
    /// `json.smart-quotes`: typographic quotes in place of straight ones.
    public static let jsonSmartQuotes = RuleID(known: "json.smart-quotes")
    /// `json.syntax`: the text is not JSON.
    public static let jsonSyntax = RuleID(known: "json.syntax")
    /// `json.too-deep`: more than 512 levels of arrays and objects.
    public static let jsonTooDeep = RuleID(known: "json.too-deep")
    /// `json.trailing-comma`: a comma before a closing bracket.
    public static let jsonTrailingComma = RuleID(known: "json.trailing-comma")
    /// `json.unclosed`: a string, object or array that is not closed.
    public static let jsonUnclosed = RuleID(known: "json.unclosed")
    /// `json.unescaped-quotes`: JSON inside a string whose quotes are not escaped.
    public static let jsonUnescapedQuotes = RuleID(known: "json.unescaped-quotes")
    /// `live-activity.attributes-later`: attributes in an update or an end.
    public static let liveActivityAttributesLater = RuleID(known: "live-activity.attributes-later")
    /// `live-activity.broadcast-start`: a broadcast that starts an activity.
    public static let liveActivityBroadcastStart = RuleID(known: "live-activity.broadcast-start")
    /// `live-activity.budget`: more pushes of priority 10 to a Live Activity than the system may allow.
    public static let liveActivityBudget = RuleID(known: "live-activity.budget")
    /// `live-activity.channel-id`: an input-push-channel that is not the id of a channel.
    public static let liveActivityChannelID = RuleID(known: "live-activity.channel-id")
    /// `live-activity.content-state`: an update without a content-state.
    public static let liveActivityContentState = RuleID(known: "live-activity.content-state")
    /// `live-activity.date-unit`: a date in milliseconds.
    public static let liveActivityDateUnit = RuleID(known: "live-activity.date-unit")
    /// `live-activity.event`: no event, or one that does not exist.
    public static let liveActivityEvent = RuleID(known: "live-activity.event")
    /// `live-activity.final-state`: an end without a final content-state.
    public static let liveActivityFinalState = RuleID(known: "live-activity.final-state")
    /// `live-activity.input-both`: both input-push-token and input-push-channel.
    public static let liveActivityInputBoth = RuleID(known: "live-activity.input-both")
    /// `live-activity.input-later`: input-push-token or input-push-channel in an update or an end.
    public static let liveActivityInputLater = RuleID(known: "live-activity.input-later")
    /// `live-activity.priority`: a priority that Live Activities do not take.
    public static let liveActivityPriority = RuleID(known: "live-activity.priority")
    /// `live-activity.push-type`: keys of a Live Activity in another push.
    public static let liveActivityPushType = RuleID(known: "live-activity.push-type")
    /// `live-activity.size`: a Live Activity with more data than the system allows.
    public static let liveActivitySize = RuleID(known: "live-activity.size")
    /// `live-activity.start-incomplete`: a start without what an activity needs.
    public static let liveActivityStartIncomplete = RuleID(known: "live-activity.start-incomplete")
    /// `live-activity.start-token`: an update or an end that is sent to a token that starts activities.
    public static let liveActivityStartToken = RuleID(known: "live-activity.start-token")
    /// `live-activity.timestamp`: a push to a Live Activity without a timestamp.
    public static let liveActivityTimestamp = RuleID(known: "live-activity.timestamp")
    /// `payload.aps-key-outside`: a key of aps beside aps.
    public static let payloadApsKeyOutside = RuleID(known: "payload.aps-key-outside")
    /// `payload.aps-missing`: a payload without aps.
    public static let payloadApsMissing = RuleID(known: "payload.aps-missing")
    /// `payload.aps-name-outside`: a name beside aps that is probably meant for aps.
    public static let payloadApsNameOutside = RuleID(known: "payload.aps-name-outside")
    /// `payload.google-key`: a name of Google's requests in an APNs payload.
    public static let payloadGoogleKey = RuleID(known: "payload.google-key")
    /// `payload.header-in-payload`: a header of the request inside the payload.
    public static let payloadHeaderInPayload = RuleID(known: "payload.header-in-payload")
    /// `payload.misspelled-aps`: aps under another name.
    public static let payloadMisspelledAps = RuleID(known: "payload.misspelled-aps")
    /// `payload.null-value`: a null in the payload.
    public static let payloadNullValue = RuleID(known: "payload.null-value")
    /// `record.answer`: an answer of a service that cannot be read.
    public static let recordAnswer = RuleID(known: "record.answer")
    /// `record.not-an-object`: a record that is not a JSON object.
    public static let recordNotAnObject = RuleID(known: "record.not-an-object")
    /// `record.not-text`: compressed data, another encoding than UTF-8, or binary data.
    public static let recordNotText = RuleID(known: "record.not-text")
    /// `record.nothing-to-send`: a gateway's message without a part for any push service.
    public static let recordNothingToSend = RuleID(known: "record.nothing-to-send")
    /// `record.payload-type`: a payload that is not a JSON object.
    public static let recordPayloadType = RuleID(known: "record.payload-type")
    /// `record.too-long`: a record over the limit of --max-record.
    public static let recordTooLong = RuleID(known: "record.too-long")
    /// `record.unknown-shape`: an object in none of the known formats.
    public static let recordUnknownShape = RuleID(known: "record.unknown-shape")
    /// `schema.mismatch`: a payload that does not fit its schema.
    public static let schemaMismatch = RuleID(known: "schema.mismatch")
    /// `schema.unfinished`: a payload that was not checked to the end against its schema.
    public static let schemaUnfinished = RuleID(known: "schema.unfinished")
    /// `simulator.bundle-type`: a Simulator Target Bundle that is not a string.
    public static let simulatorBundleType = RuleID(known: "simulator.bundle-type")
    /// `simulator.key-in-request`: Simulator Target Bundle in a payload for APNs.
    public static let simulatorKeyInRequest = RuleID(known: "simulator.key-in-request")
    /// `sns.background-alert`: an alert that SNS sends as a background push.
    public static let snsBackgroundAlert = RuleID(known: "sns.background-alert")
    /// `sns.default-missing`: an SNS message without default.
    public static let snsDefaultMissing = RuleID(known: "sns.default-missing")
    /// `sns.fcm-wrapper`: a message of FCM v1 without its wrapper.
    public static let snsFCMWrapper = RuleID(known: "sns.fcm-wrapper")
    /// `sns.platform-key`: a platform's payload under a key that SNS does not have.
    public static let snsPlatformKey = RuleID(known: "sns.platform-key")
    /// `sns.too-large`: an SNS message over 256 KiB.
    public static let snsTooLarge = RuleID(known: "sns.too-large")
    /// `sns.value-not-text`: a platform's payload that is not a string.
    public static let snsValueNotText = RuleID(known: "sns.value-not-text")
}
