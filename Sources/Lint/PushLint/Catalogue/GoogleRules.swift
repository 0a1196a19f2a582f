import PushModel

extension Rule {
    private static func fcm(
        _ id: String, _ severity: Finding.Severity, _ title: String, why: String, source: Source = .fcm,
        failing: String, passing: String,
        isFixable: Bool = false
    ) -> Rule {
        Rule(
            "fcm.\(id)", severity, title, why: why, source: source, failing: Example.fcm(failing),
            passing: Example.fcm(passing),
            isFixable: isFixable)
    }

    static let fcmDataNotString = fcm(
        "data-not-string", .error, "a value of data that is not a string",
        why:
            "data maps strings to strings. FCM answers 400 INVALID_ARGUMENT for a number, a boolean or an object; write objects as JSON text.",
        failing: #""data":{"score":12}"#, passing: #""data":{"score":"12"}"#, isFixable: true)
    static let fcmReservedDataKey = fcm(
        "reserved-data-key", .error, "a name in data that FCM keeps for itself",
        why:
            "from, message_type, and names that begin with google or gcm are reserved. FCM answers 400 INVALID_ARGUMENT.",
        failing: #""data":{"from":"district 4"}"#, passing: #""data":{"sender":"district 4"}"#)
    static let fcmTimeToLive = fcm(
        "ttl-form", .error, "a ttl that is not a duration",
        why:
            "ttl is a string of seconds that ends with s, from 0s to 2419200s, with up to nine decimals. FCM answers 400 INVALID_ARGUMENT.",
        failing: #""android":{"ttl":3600}"#, passing: #""android":{"ttl":"3600s"}"#, isFixable: true)
    static let fcmTopicPrefix = Rule(
        "fcm.topic-prefix", .error, "a topic with /topics/ before its name",
        why: "The legacy protocol addressed /topics/name; v1 takes the bare name. FCM answers 400 INVALID_ARGUMENT.",
        source: .fcm,
        failing: #"{"message":{"topic":"/topics/results","data":{"score":"12"}}}"#,
        passing: #"{"message":{"topic":"results","data":{"score":"12"}}}"#, isFixable: true)
    static let fcmColor = fcm(
        "color", .error, "a color that is not #rrggbb",
        why: "The icon's color is # and six hexadecimal digits. FCM answers 400 INVALID_ARGUMENT.",
        failing: #""android":{"notification":{"title":"Late count","color":"ff0000"}}"#,
        passing: ##""android":{"notification":{"title":"Late count","color":"#ff0000"}}"##, isFixable: true)
    static let fcmArgumentsWithoutKey = fcm(
        "loc-args-without-key", .warning, "loc-args without the loc-key that they belong to",
        why: "Arguments fill the text that the key names. The Admin SDK refuses them without it.", source: .fcmAdmin,
        failing: #""android":{"notification":{"body":"Late count","body_loc_args":["4"]}}"#,
        passing: #""android":{"notification":{"body_loc_key":"COUNT","body_loc_args":["4"]}}"#)
    static let fcmHeaderNotString = fcm(
        "header-not-string", .error, "a value of apns.headers that is not a string",
        why: "Headers are text: \"apns-priority\": \"5\". FCM answers 400 INVALID_ARGUMENT for a number.",
        failing: #""apns":{"headers":{"apns-priority":5},"payload":{"aps":{"alert":"Late count"}}}"#,
        passing: #""apns":{"headers":{"apns-priority":"5"},"payload":{"aps":{"alert":"Late count"}}}"#, isFixable: true)
    static let fcmWrongType = fcm(
        "wrong-type", .error, "a field with a value of the wrong type",
        why: "FCM's parser checks the type of each field, and answers 400 INVALID_ARGUMENT.",
        failing: #""android":{"notification":{"title":"Late count","sticky":"no"}}"#,
        passing: #""android":{"notification":{"title":"Late count","sticky":false}}"#, isFixable: false)
    static let fcmUnknownKey = fcm(
        "unknown-key", .error, "a field that does not exist",
        why:
            "FCM's parser knows every field, and answers 400 INVALID_ARGUMENT to another name: Cannot find field. Data for the app belongs in data.",
        source: .fcmUnknownName, failing: #""datas":{"score":"12"}"#, passing: #""data":{"score":"12"}"#)
    static let fcmUnknownValue = fcm(
        "unknown-value", .error, "a value that the enumeration does not have",
        why:
            "priority, notification_priority, visibility and proxy take the names that the reference lists, whatever their case. FCM answers 400 INVALID_ARGUMENT to another one.",
        failing: #""data":{"score":"12"},"android":{"priority":"urgent"}"#,
        passing: #""data":{"score":"12"},"android":{"priority":"HIGH"}"#)
    static let fcmLegacyKey = fcm(
        "legacy-key", .error, "a name of the legacy protocol in a v1 message",
        why:
            "to, registration_ids, priority, time_to_live and similar names have other places in v1. In message they are unknown names, and FCM answers 400 INVALID_ARGUMENT.",
        failing: #""data":{"score":"12"},"priority":"high""#,
        passing: #""data":{"score":"12"},"android":{"priority":"HIGH"}"#)
    static let fcmMisplacedKey = fcm(
        "misplaced-key", .error, "a field of android.notification in the common notification",
        why:
            "notification has title, body and image, which every platform understands. Icon, sound, tag and similar fields belong to android.notification, a badge to apns.payload.aps. FCM answers 400 INVALID_ARGUMENT.",
        failing: #""notification":{"title":"Late count","sound":"default"}"#,
        passing: #""notification":{"title":"Late count"},"android":{"notification":{"sound":"default"}}"#)
    static let fcmLink = fcm(
        "link-https", .warning, "a link that is not HTTPS", why: "webpush.fcm_options.link must be an HTTPS address.",
        failing: #""webpush":{"fcm_options":{"link":"http://news.example.org"}}"#,
        passing: #""webpush":{"fcm_options":{"link":"https://news.example.org"}}"#)

    static let fcmOutputOnly = fcm(
        "output-only", .info, "a name in message",
        why: "message.name is set by FCM in its answer. In a request it is not read.",
        failing: #""name":"projects/news/messages/7","data":{"score":"12"}"#, passing: #""data":{"score":"12"}"#)
    static let fcmEventTime = fcm(
        "event-time", .error, "an event time that is not RFC 3339",
        why: "event_time is written as 2024-11-05T18:00:00Z. FCM answers 400 INVALID_ARGUMENT.",
        failing: #""android":{"notification":{"title":"Late count","event_time":"5 November 2024"}}"#,
        passing: #""android":{"notification":{"title":"Late count","event_time":"2024-11-05T18:00:00.5Z"}}"#)
    static let fcmDuration = fcm(
        "duration-form", .error, "a duration that is not seconds with an s",
        why: "Durations of vibrate_timings and light_settings are strings of seconds that end with s, as in \"0.5s\". "
            + "FCM answers 400 INVALID_ARGUMENT.",
        failing: #""android":{"notification":{"title":"Late count","vibrate_timings":[500]}}"#,
        passing: #""android":{"notification":{"title":"Late count","vibrate_timings":["0.5s"]}}"#)
    static let fcmNegativeDuration = fcm(
        "negative-duration", .warning, "a negative duration of vibration or light",
        why: "A duration cannot be negative. Firebase's Admin SDK refuses it.",
        source: .fcmAdmin,
        failing: #""android":{"notification":{"title":"Late count","vibrate_timings":["0s","-0.5s"]}}"#,
        passing: #""android":{"notification":{"title":"Late count","vibrate_timings":["0s","0.5s"]}}"#)
    static let fcmLightSettings = fcm(
        "light-settings", .warning, "settings of the light that are not complete",
        why:
            "color, light_on_duration and light_off_duration are required, and the components of the color are from 0 to 1. Whether FCM refuses others is not documented.",
        failing:
            #""android":{"notification":{"title":"Late count","light_settings":{"color":{"red":1},"light_on_duration":"1s"}}}"#,
        passing:
            #""android":{"notification":{"title":"Late count","light_settings":{"color":{"red":1},"light_on_duration":"1s","light_off_duration":"2s"}}}"#
    )
    static let fcmImageAddress = fcm(
        "image-address", .warning, "an image without a whole address",
        why:
            "The device fetches the image, and has nothing that a relative address could refer to. Firebase's Admin SDK refuses it.",
        source: .fcmAdmin, failing: #""notification":{"title":"Late count","image":"/count.png"}"#,
        passing: #""notification":{"title":"Late count","image":"https://media.example.org/count.png"}"#)
    static let fcmWebDirection = fcm(
        "web-direction", .warning, "a direction of text that browsers do not know",
        why:
            "webpush.notification.dir is auto, ltr or rtl, as in the browsers' Notification. With another value showNotification throws a TypeError, and nothing is shown.",
        source: .webNotification, failing: #""webpush":{"notification":{"title":"Late count","dir":"left"}}"#,
        passing: #""webpush":{"notification":{"title":"Late count","dir":"ltr"}}"#)

    static let fcmWebNotification = fcm(
        "web-notification", .warning, "options of a notification that browsers refuse",
        why:
            "renotify needs a tag, a silent notification has no vibrate, and actions is an array of objects with action and title. Otherwise showNotification throws a TypeError, and nothing is shown.",
        source: .webShow, failing: #""webpush":{"notification":{"title":"Late count","renotify":true}}"#,
        passing: #""webpush":{"notification":{"title":"Late count","renotify":true,"tag":"count"}}"#)
    static let fcmWebHeader = fcm(
        "web-header", .warning, "a header that push services of browsers do not take",
        why:
            "TTL is a number of seconds, Urgency is very-low, low, normal or high, and Topic is at most 32 letters, digits, - and _. Push services refuse a Topic in another form; what FCM answers is not documented.",
        source: .webPush, failing: #""data":{"score":"12"},"webpush":{"headers":{"Urgency":"urgent"}}"#,
        passing: #""data":{"score":"12"},"webpush":{"headers":{"Urgency":"high"}}"#)

    private static func gcm(
        _ id: String, _ severity: Finding.Severity, _ title: String, why: String, failing: String, passing: String,
        isFixable: Bool = false
    ) -> Rule {
        Rule(
            "gcm.\(id)", severity, title, why: why, source: .legacy, failing: Example.gcm(failing),
            passing: Example.gcm(passing),
            isFixable: isFixable)
    }

    static let gcmSwitchedOff = Rule(
        "gcm.switched-off", .info, "a request of the legacy protocol",
        why:
            "GCM ended in 2019, and FCM's legacy HTTP protocol was switched off from June 2024 on. FCM HTTP v1 is in its place.",
        source: .legacy, failing: Example.gcm(#""data":{"score":"12"}"#), passing: Example.fcmData)
    static let gcmDataNotString = gcm(
        "data-not-string", .warning, "a value of data that is not a string",
        why: "The values should be strings: the server turns others into strings, and the app gets text.",
        failing: #""data":{"score":12}"#, passing: #""data":{"score":"12"}"#, isFixable: true)
    static let gcmTopicForm = Rule(
        "gcm.topic-form", .error, "a topic that is not addressed as /topics/name",
        why: "to takes /topics/ and the name. registration_ids takes only tokens.", source: .legacy,
        failing: #"{"to":"/topic/results","data":{"score":"12"}}"#,
        passing: #"{"to":"/topics/results","data":{"score":"12"}}"#)
    static let gcmConfusingDataKey = gcm(
        "confusing-data-key", .warning, "a name of the request in data",
        why: "Google advises against names such as collapse_key in data. There they have no effect on the delivery.",
        failing: #""data":{"collapse_key":"score"}"#, passing: #""collapse_key":"score","data":{"score":"12"}"#)
    static let gcmMisspelledKey = gcm(
        "misspelled-key", .error, "a key of the request in another spelling",
        why: "The legacy protocol has names with underscores. In another spelling they are not read.",
        failing: #""collapseKey":"score","data":{"score":"12"}"#,
        passing: #""collapse_key":"score","data":{"score":"12"}"#, isFixable: true)
    static let gcmUnknownKey = gcm(
        "unknown-key", .warning, "a key that the request does not have",
        why: "It does not reach the app. Data for the app belongs in data.",
        failing: #""article":7,"data":{"score":"12"}"#, passing: #""data":{"score":"12","article":"7"}"#)
    static let gcmDeprecatedKey = gcm(
        "deprecated-key", .info, "a key that is deprecated",
        why: "delay_while_idle and notification_key are deprecated; a device group is addressed with to.",
        failing: #""delay_while_idle":true,"data":{"score":"12"}"#,
        passing: #""data":{"score":"12"}"#)
    static let gcmNotificationType = gcm(
        "notification-type", .warning, "a value of notification that is not a string",
        why: "The values of notification are strings, the badge too; the loc-args are an array of strings.",
        failing: #""notification":{"title":"Late count","badge":3}"#,
        passing: #""notification":{"title":"Late count","badge":"3"}"#, isFixable: true)
    static let gcmColor = gcm(
        "color", .warning, "a color that is not #rrggbb", why: "The icon's color is # and six hexadecimal digits.",
        failing: #""notification":{"title":"Late count","color":"red"}"#,
        passing: ##""notification":{"title":"Late count","color":"#ff0000"}"##)
    static let gcmArgumentsWithoutKey = gcm(
        "loc-args-without-key", .warning, "loc-args without the loc-key that they belong to",
        why: "Arguments fill the text that the key names.",
        failing: #""notification":{"body":"Late count","body_loc_args":["4"]}"#,
        passing: #""notification":{"body_loc_key":"COUNT","body_loc_args":["4"]}"#)

    static let googleRules = [
        fcmDataNotString, fcmReservedDataKey, fcmTimeToLive, fcmTopicPrefix, fcmColor, fcmArgumentsWithoutKey,
        fcmHeaderNotString,
        fcmWrongType, fcmUnknownKey, fcmUnknownValue, fcmNegativeDuration, fcmLightSettings, fcmImageAddress,
        fcmWebDirection, fcmWebNotification, fcmWebHeader, fcmLegacyKey, fcmMisplacedKey, fcmLink, fcmOutputOnly,
        fcmEventTime, fcmDuration,
        gcmSwitchedOff, gcmTopicForm, gcmDataNotString,
        gcmConfusingDataKey, gcmMisspelledKey, gcmUnknownKey, gcmDeprecatedKey, gcmNotificationType, gcmColor,
        gcmArgumentsWithoutKey,
    ]
}
