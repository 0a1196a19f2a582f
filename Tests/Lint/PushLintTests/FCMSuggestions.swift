@testable import PushLint

/// Suggestions about messages of HTTP v1, by the object that the name stands in.
enum FCMSuggestions {
    private static func message(_ members: String) -> String { #"{"message":{"token":"t",\#(members)}}"# }

    private static func notification(_ members: String) -> String {
        message(#""android":{"notification":{"title":"x",\#(members)}}"#)
    }

    private static let android: [SuggestionCase] = [
        .init(
            notification(#""badge":3"#), says: "did you mean notification_count?",
            notification(#""notification_count":3"#),
            gains: "/message/android/notification/notification_count"),
        .init(
            notification(#""event_timestamp":"2024-11-05T18:00:00Z""#), says: "did you mean event_time, as in",
            notification(#""event_time":"2024-11-05T18:00:00Z""#), gains: "/message/android/notification/event_time"),
        .init(
            notification(#""imageUrl":"https://a.example/b.png""#), says: "did you mean image?",
            notification(#""image":"https://a.example/b.png""#), gains: "/message/android/notification/image"),
        .init(
            notification(#""priority":"high""#), says: "did you mean notification_priority, as in PRIORITY_HIGH",
            notification(#""notification_priority":"PRIORITY_HIGH""#),
            gains: "/message/android/notification/notification_priority"),
        .init(
            notification(#""priority":"high""#), says: "message.android.priority for the delivery, as in HIGH",
            message(#""android":{"priority":"HIGH","notification":{"title":"x"}}"#), gains: "/message/android/priority"),
        .init(
            notification(#""androidChannelId":"c""#), says: "did you mean channel_id?",
            notification(#""channel_id":"c""#),
            gains: "/message/android/notification/channel_id"),
        .init(
            notification(#""vibrateTimingsMillis":[500]"#), says: #"did you mean vibrate_timings, as in ["0.5s"]?"#,
            notification(#""vibrate_timings":["0.5s"]"#), gains: "/message/android/notification/vibrate_timings/0"),
        .init(
            notification(#""small_icon":"i""#), says: "did you mean icon?", notification(#""icon":"i""#),
            gains: "/message/android/notification/icon"),
        .init(
            notification(#""loc_key":"K""#), says: "did you mean body_loc_key?", notification(#""body_loc_key":"K""#),
            gains: "body K on android"),
        .init(
            notification(#""text":"y""#), says: "did you mean body?", notification(#""body":"y""#),
            gains: "body y on android"),
        .init(
            notification(#""ttl":"60s""#), says: "use message.android.ttl",
            message(#""android":{"ttl":"60s","notification":{"title":"x"}}"#), gains: "kept 60 on android"),
        .init(
            notification(#""data":{"a":"b"}"#), says: "use message.data",
            message(#""data":{"a":"b"},"android":{"notification":{"title":"x"}}"#), gains: "/message/data"),
        .init(
            notification(#""subtitle":"s""#), says: "use message.apns.payload.aps.alert.subtitle",
            message(#""apns":{"payload":{"aps":{"alert":{"title":"x","subtitle":"s"}}}}"#), gains: "subtitle s on ios"),
        .init(
            notification(#""content_available":1"#), says: "content-available: 1 in message.apns.payload.aps",
            message(#""apns":{"payload":{"aps":{"content-available":1}}},"android":{"notification":{"title":"x"}}"#),
            gains: "wakes"),
        .init(
            message(#""android":{"title":"x"}"#), says: "use message.notification.title",
            message(#""notification":{"title":"x"}"#), gains: "title x on android", "title x on ios"),
        .init(
            message(#""notification":{"title":"x"},"android":{"channelId":"c"}"#),
            says: "use message.android.notification.channel_id",
            message(#""notification":{"title":"x"},"android":{"notification":{"channel_id":"c"}}"#),
            gains: "/message/android/notification/channel_id"),
        .init(
            message(#""data":{"a":"b"},"android":{"time_to_live":60}"#), says: #"use ttl, as in "3600s""#,
            message(#""data":{"a":"b"},"android":{"ttl":"60s"}"#), gains: "kept 60 on android"),
        .init(
            message(#""data":{"a":"b"},"android":{"package_name":"a.b"}"#),
            says: "use restricted_package_name",
            message(#""data":{"a":"b"},"android":{"restricted_package_name":"a.b"}"#),
            gains: "/message/android/restricted_package_name"),
        .init(
            notification(
                #""light_settings":{"color":{"red":1},"light_on_duration_millis":500,"light_off_duration":"1s"}"#),
            says: #"did you mean light_on_duration, as in "0.5s"?"#,
            notification(#""light_settings":{"color":{"red":1},"light_on_duration":"0.5s","light_off_duration":"1s"}"#),
            gains: "/message/android/notification/light_settings/light_on_duration"),
        .init(
            notification(#""notification_priority":"high""#), says: "did you mean PRIORITY_HIGH?",
            notification(#""notification_priority":"PRIORITY_HIGH""#), gains: "title x on android"),
        .init(
            notification(#""visibility":"VISIBILITY_PUBLIC""#), says: "did you mean PUBLIC?",
            notification(#""visibility":"PUBLIC""#), gains: "title x on android"),
    ]

    private static let common: [SuggestionCase] = [
        .init(
            message(#""notification":{"title":"x","image_url":"https://a.example/b.png"}"#),
            says: "did you mean image?",
            message(#""notification":{"title":"x","image":"https://a.example/b.png"}"#),
            gains: "/message/notification/image"),
        .init(
            message(#""notification":{"title":"x","priority":"high"}"#), says: "use message.android.priority",
            message(#""notification":{"title":"x"},"android":{"priority":"high"}"#), gains: "/message/android/priority"),
        .init(
            message(#""notification":{"title":"x","android_channel_id":"c"}"#),
            says: "use message.android.notification.channel_id",
            message(#""notification":{"title":"x"},"android":{"notification":{"channel_id":"c"}}"#),
            gains: "/message/android/notification/channel_id"),
        .init(
            message(#""notification":{"title":"x","tag":"g"}"#),
            says: "tag belongs in android.notification; notification has",
            message(#""notification":{"title":"x"},"android":{"notification":{"tag":"g"}}"#), gains: "tag g on android"),
        .init(
            message(#""notification":{"title":"x","badge":3}"#), says: "badge belongs in apns.payload.aps",
            message(#""notification":{"title":"x"},"apns":{"payload":{"aps":{"badge":3}}}"#), gains: "badge 3 on ios"),
        .init(
            message(#""notification":{"title":"x","mutable_content":true}"#),
            says: "mutable-content: 1 in message.apns.payload.aps",
            message(#""notification":{"title":"x"},"apns":{"payload":{"aps":{"mutable-content":1}}}"#),
            gains: "extension"),
        .init(
            message(#""notification":{"title":"x","thread_id":"g"}"#),
            says: "use message.apns.payload.aps.thread-id",
            message(#""notification":{"title":"x"},"apns":{"payload":{"aps":{"thread-id":"g"}}}"#),
            gains: "thread g on ios"),
        .init(
            message(#""data":{"a":"b"},"contentAvailable":true"#),
            says: "content-available: 1 in message.apns.payload.aps",
            message(
                #""data":{"a":"b"},"apns":{"headers":{"apns-priority":"5"},"payload":{"aps":{"content-available":1}}}"#),
            gains: "wakes"),
        .init(
            message(#""data":{"a":"b"},"delay_while_idle":true"#), says: "it has no successor; omit it",
            message(#""data":{"a":"b"}"#)),
        .init(
            message(#""data":{"a":"b"},"priority":"high""#), says: "use message.android.priority",
            message(#""data":{"a":"b"},"android":{"priority":"high"}"#), gains: "/message/android/priority"),
        .init(
            message(#""data":{"a":"b"},"title":"x""#), says: "use message.notification.title",
            message(#""data":{"a":"b"},"notification":{"title":"x"}"#), gains: "title x on android"),
        .init(
            message(#""notification":{"title":"x"},"link":"https://a.example""#),
            says: "use message.webpush.fcm_options.link",
            message(#""notification":{"title":"x"},"webpush":{"fcm_options":{"link":"https://a.example"}}"#),
            gains: "/message/webpush/fcm_options/link"),
        .init(
            #"{"message":{"tokens":["u"],"data":{"a":"b"}}}"#, says: "use message.token, one request per token",
            #"{"message":{"token":"u","data":{"a":"b"}}}"#, gains: "for u"),
        .init(
            #"{"message":{"token":"t","data":{"a":"b"}},"dry_run":true}"#, says: "did you mean validate_only?",
            #"{"message":{"token":"t","data":{"a":"b"}},"validate_only":true}"#, gains: "dry run"),
        .init(
            #"{"message":{"token":"t","data":{"a":"b"}},"notification":{"title":"x"}}"#,
            says: "use message.notification",
            #"{"message":{"token":"t","data":{"a":"b"},"notification":{"title":"x"}}}"#, gains: "title x on android"),
        .init(
            #"{"message":{"token":"t","data":{"a":"b"}},"collapse_key":"c"}"#,
            says: "use message.android.collapse_key",
            #"{"message":{"token":"t","data":{"a":"b"},"android":{"collapse_key":"c"}}}"#,
            gains: "collapse c on android"),
    ]

    private static let both: [SuggestionCase] = [
        .init(
            message(#""notification":{"title":"x","sound":"s"}"#),
            says: "sound belongs in android.notification, and for Apple devices in apns.payload.aps.sound;",
            message(
                #""notification":{"title":"x"},"android":{"notification":{"sound":"s"}},"apns":{"payload":{"aps":{"sound":"s"}}}"#
            ), gains: "sound", "/message/android/notification/sound"),
        .init(
            message(#""notification":{"body":"x","titleLocKey":"K"}"#),
            says: "for Apple devices in apns.payload.aps.alert.title-loc-key;",
            message(#""apns":{"payload":{"aps":{"alert":{"body":"x","title-loc-key":"K"}}}}"#),
            gains: "/message/apns/payload/aps/alert/title-loc-key"),
        .init(
            message(#""notification":{"title":"x","badge":3}"#),
            says: "or in android.notification as notification_count",
            message(#""notification":{"title":"x"},"android":{"notification":{"notification_count":3}}"#),
            gains: "/message/android/notification/notification_count"),
    ]

    /// Values that have another form in the place where they belong.
    private static let forms: [SuggestionCase] = [
        .init(
            message(#""data":{"a":"b"},"android":{"ttl":3600000}"#),
            says: #"3600000 looks like milliseconds; did you mean "3600s"?"#,
            message(#""data":{"a":"b"},"android":{"ttl":"3600s"}"#), gains: "kept 3600 on android"),
        .init(
            message(#""data":{"a":"b"},"android":{"ttl":"3600000"}"#),
            says: #"3600000 looks like milliseconds; did you mean "3600s"?"#,
            message(#""data":{"a":"b"},"android":{"ttl":"3600s"}"#), gains: "kept 3600 on android"),
        .init(
            message(#""data":{"a":"b"},"android":{"ttl":2592000}"#), says: "from 0s to 2419200s (four weeks)",
            message(#""data":{"a":"b"},"android":{"ttl":"2419200s"}"#), gains: "kept 2419200 on android"),
        .init(
            message(#""data":{"a":"b"},"ttl":60"#), says: #"message.android.ttl, as in "3600s""#,
            message(#""data":{"a":"b"},"android":{"ttl":"60s"}"#), gains: "kept 60 on android"),
        .init(
            notification(#""event_timestamp":1730829600000"#),
            says: #"did you mean event_time, as in "2024-11-05T18:00:00Z"?"#,
            notification(#""event_time":"2024-11-05T18:00:00Z""#), gains: "/message/android/notification/event_time"),
        .init(
            message(#""notification":{"title":"x"},"apns":{"apns-priority":5}"#),
            says: "apns-priority in message.apns.headers, a string",
            message(#""notification":{"title":"x"},"apns":{"headers":{"apns-priority":"5"}}"#),
            gains: "priority 5 on ios"),
        .init(
            message(#""data":{"a":"b"},"webpush":{"ttl":60}"#), says: "TTL in message.webpush.headers, a string",
            message(#""data":{"a":"b"},"webpush":{"headers":{"TTL":"60"}}"#), gains: "kept 60 on web"),
    ]

    private static let platforms: [SuggestionCase] = [
        .init(
            message(#""apns":{"badge":3},"notification":{"title":"x"}"#),
            says: "use message.apns.payload.aps.badge",
            message(#""apns":{"payload":{"aps":{"badge":3}}},"notification":{"title":"x"}"#), gains: "badge 3 on ios"),
        .init(
            message(#""apns":{"aps":{"badge":3}},"notification":{"title":"x"}"#), says: "aps belongs in apns.payload",
            message(#""apns":{"payload":{"aps":{"badge":3}}},"notification":{"title":"x"}"#), gains: "badge 3 on ios"),
        .init(
            message(#""apns":{"title":"x"}"#), says: "use message.apns.payload.aps.alert.title",
            message(#""apns":{"payload":{"aps":{"alert":{"title":"x"}}}}"#), gains: "title x on ios"),
        .init(
            message(#""apns":{"apns-collapse-id":"c"},"notification":{"title":"x"}"#),
            says: "use apns-collapse-id in message.apns.headers",
            message(#""apns":{"headers":{"apns-collapse-id":"c"}},"notification":{"title":"x"}"#),
            gains: "identifier c on ios"),
        .init(
            message(#""apns":{"priority":"5"},"notification":{"title":"x"}"#),
            says: "use apns-priority in message.apns.headers",
            message(#""apns":{"headers":{"apns-priority":"5"}},"notification":{"title":"x"}"#),
            gains: "priority 5 on ios"),
        .init(
            message(
                #""apns":{"image":"https://a.example/b.png","payload":{"aps":{"mutable-content":1}}},"notification":{"title":"x"}"#
            ),
            says: "use message.apns.fcm_options.image",
            message(
                #""apns":{"fcm_options":{"image":"https://a.example/b.png"},"payload":{"aps":{"mutable-content":1}}},"notification":{"title":"x"}"#
            ),
            gains: "/message/apns/fcm_options/image"),
        .init(
            message(#""webpush":{"title":"x"},"data":{"a":"b"}"#),
            says: "use message.webpush.notification.title",
            message(#""webpush":{"notification":{"title":"x"}},"data":{"a":"b"}"#), gains: "title x on web"),
        .init(
            message(#""webpush":{"ttl":"60"},"data":{"a":"b"}"#), says: "use TTL in message.webpush.headers",
            message(#""webpush":{"headers":{"TTL":"60"}},"data":{"a":"b"}"#), gains: "kept 60 on web"),
        .init(
            message(#""webpush":{"link":"https://a.example"},"data":{"a":"b"}"#),
            says: "use message.webpush.fcm_options.link",
            message(#""webpush":{"fcm_options":{"link":"https://a.example"}},"data":{"a":"b"}"#),
            gains: "/message/webpush/fcm_options/link"),
        .init(
            message(#""fcm_options":{"link":"https://a.example"},"data":{"a":"b"}"#),
            says: "use message.webpush.fcm_options.link",
            message(#""webpush":{"fcm_options":{"link":"https://a.example"}},"data":{"a":"b"}"#),
            gains: "/message/webpush/fcm_options/link"),
    ]

    /// Addresses of pictures, by the place where they are written.
    private static let images: [SuggestionCase] = [
        .init(
            message(#""imageUrl":"https://a.example/b.png","notification":{"title":"x"}"#),
            says: "use message.notification.image",
            message(#""notification":{"title":"x","image":"https://a.example/b.png"}"#),
            gains: "/message/notification/image"),
        .init(
            message(#""fcm_options":{"image_url":"https://a.example/b.png"},"notification":{"title":"x"}"#),
            says: "use message.notification.image",
            message(#""notification":{"title":"x","image":"https://a.example/b.png"}"#),
            gains: "/message/notification/image"),
        .init(
            message(#""android":{"image_url":"https://a.example/b.png"},"notification":{"title":"x"}"#),
            says: "use message.android.notification.image",
            message(#""android":{"notification":{"image":"https://a.example/b.png"}},"notification":{"title":"x"}"#),
            gains: "/message/android/notification/image"),
        .init(
            message(
                #""apns":{"image_url":"https://a.example/b.png","payload":{"aps":{"mutable-content":1}}},"notification":{"title":"x"}"#
            ), says: "use message.apns.fcm_options.image",
            message(
                #""apns":{"fcm_options":{"image":"https://a.example/b.png"},"payload":{"aps":{"mutable-content":1}}},"notification":{"title":"x"}"#
            ), gains: "/message/apns/fcm_options/image"),
        .init(
            message(
                #""apns":{"fcm_options":{"image_url":"https://a.example/b.png"},"payload":{"aps":{"mutable-content":1}}},"notification":{"title":"x"}"#
            ), says: "did you mean image?",
            message(
                #""apns":{"fcm_options":{"image":"https://a.example/b.png"},"payload":{"aps":{"mutable-content":1}}},"notification":{"title":"x"}"#
            ), gains: "/message/apns/fcm_options/image"),
        .init(
            message(#""webpush":{"notification":{"title":"x"},"fcm_options":{"image_url":"https://a.example/b.png"}}"#),
            says: "use message.webpush.notification.image",
            message(#""webpush":{"notification":{"title":"x","image":"https://a.example/b.png"}}"#),
            gains: "/message/webpush/notification/image"),
    ]

    /// Names of other platforms and protocols in the blocks, and names of the blocks.
    private static let blocks: [SuggestionCase] = [
        .init(
            message(#""apns":{"ttl":60},"notification":{"title":"x"}"#),
            says: "use apns-expiration in message.apns.headers, as a string of seconds since 1970",
            message(#""apns":{"headers":{"apns-expiration":"1730761200"}},"notification":{"title":"x"}"#),
            gains: "/message/apns/headers/apns-expiration"),
        .init(
            message(#""apns":{"time_to_live":60},"notification":{"title":"x"}"#),
            says: "use apns-expiration in message.apns.headers",
            message(#""apns":{"headers":{"apns-expiration":"1730761200"}},"notification":{"title":"x"}"#),
            gains: "/message/apns/headers/apns-expiration"),
        .init(
            message(#""apns":{"collapse_key":"c"},"notification":{"title":"x"}"#),
            says: "use apns-collapse-id in message.apns.headers",
            message(#""apns":{"headers":{"apns-collapse-id":"c"}},"notification":{"title":"x"}"#),
            gains: "identifier c on ios"),
        .init(
            message(#""webpush":{"payload":{"title":"x"}},"data":{"a":"b"}"#),
            says: "its content belongs in message.webpush.notification or message.webpush.data",
            message(#""webpush":{"notification":{"title":"x"}},"data":{"a":"b"}"#), gains: "title x on web"),
        .init(
            message(#""webpush":{"collapse_key":"c"},"data":{"a":"b"}"#),
            says: "use Topic in message.webpush.headers",
            message(#""webpush":{"headers":{"Topic":"c"}},"data":{"a":"b"}"#), gains: "/message/webpush/headers/Topic"),
        .init(
            message(#""webpush":{"notification":{"title":"x"},"sound":"s"}"#),
            says: "a browser's notification has no sound; omit it",
            message(#""webpush":{"notification":{"title":"x"}}"#), gains: "title x on web"),
        .init(
            message(#""ios":{"payload":{"aps":{"badge":3}}},"notification":{"title":"x"}"#), says: "did you mean apns?",
            message(#""apns":{"payload":{"aps":{"badge":3}}},"notification":{"title":"x"}"#), gains: "badge 3 on ios"),
        .init(
            message(#""apple":{"payload":{"aps":{"badge":3}}},"notification":{"title":"x"}"#),
            says: "did you mean apns?",
            message(#""apns":{"payload":{"aps":{"badge":3}}},"notification":{"title":"x"}"#), gains: "badge 3 on ios"),
        .init(
            message(#""web":{"notification":{"title":"x"}},"data":{"a":"b"}"#), says: "did you mean webpush?",
            message(#""webpush":{"notification":{"title":"x"}},"data":{"a":"b"}"#), gains: "title x on web"),
    ]

    static let all = android + common + both + forms + platforms + images + blocks
}

/// Suggestions about requests to gateways.
enum GatewaySuggestions {
    private static func sns(_ text: String) -> String {
        let quoted = text.replacing("\"", with: "\\\"")
        return #"{"default":"d","GCM":"\#(quoted)"}"#
    }

    private static func airnotifier(_ members: String) -> String {
        #"{"device":"ios","token":"\#(Example.token)",\#(members)}"#
    }

    static let all: [SuggestionCase] = [
        // Expo, "Send notifications with Expo's Push API".
        .init(
            #"{"to":"ExponentPushToken[x]","title":"T","message":"B"}"#, says: "did you mean body?",
            #"{"to":"ExponentPushToken[x]","title":"T","body":"B"}"#, gains: "body B on ios"),
        .init(
            #"{"to":"ExponentPushToken[x]","title":"T","time_to_live":60}"#,
            says: "did you mean ttl (a number of seconds)?",
            #"{"to":"ExponentPushToken[x]","title":"T","ttl":60}"#, gains: "kept 60 on ios"),
        .init(
            #"{"to":"ExponentPushToken[x]","title":"T","channel_id":"c"}"#, says: "did you mean channelId?",
            #"{"to":"ExponentPushToken[x]","title":"T","channelId":"c"}"#, gains: "/channelId"),
        .init(
            #"{"to":"ExponentPushToken[x]","title":"T","mutable_content":true}"#, says: "did you mean mutableContent?",
            #"{"to":"ExponentPushToken[x]","title":"T","mutableContent":true}"#, gains: "extension"),
        .init(
            #"{"to":"ExponentPushToken[x]","title":"T","click_action":"C"}"#, says: "did you mean categoryId?",
            #"{"to":"ExponentPushToken[x]","title":"T","categoryId":"C"}"#, gains: "/categoryId"),
        .init(
            #"{"to":"ExponentPushToken[x]","title":"T","image":"https://example.org/a.png"}"#,
            says: #"{"richContent": {"image": …}}"#,
            #"{"to":"ExponentPushToken[x]","title":"T","richContent":{"image":"https://example.org/a.png"}}"#,
            gains: "/richContent/image"),
        .init(
            #"{"to":"ExponentPushToken[x]","title":"T","collapse_key":"k"}"#, says: "use collapseId on Apple devices",
            #"{"to":"ExponentPushToken[x]","title":"T","collapseId":"k"}"#, gains: "/collapseId"),
        .init(
            #"{"to":"ExponentPushToken[x]","title":"T","match":7}"#, says: "put app data in data",
            #"{"to":"ExponentPushToken[x]","title":"T","data":{"match":7}}"#, gains: "/data/match"),
        .init(
            #"{"provider":"expo","token":"ExponentPushToken[x]","title":"T"}"#, says: "did you mean to?",
            #"{"provider":"expo","to":"ExponentPushToken[x]","title":"T"}"#, gains: "for ExponentPushToken[x]"),
        .init(
            sns(#"{"data":{"a":"b"},"android":{"collapse_key":"c"}}"#),
            says: #"it belongs in an HTTP v1 message: {"fcmV1Message": {"message": {"android": …}}}"#,
            sns(#"{"fcmV1Message":{"message":{"data":{"a":"b"},"android":{"collapse_key":"c"}}}}"#),
            gains: "collapse c on android"),
        .init(
            sns(#"{"notification":{"title":"x","thread-id":"g"}}"#),
            says: "HTTP v1 takes it as fcmV1Message.message.apns.payload.aps.thread-id",
            sns(
                #"{"fcmV1Message":{"message":{"notification":{"title":"x"},"apns":{"payload":{"aps":{"thread-id":"g"}}}}}}"#
            ),
            gains: "thread g on ios"),
        .init(
            sns(#"{"message":{"notification":{"title":"x"}}}"#), says: #"{"fcmV1Message": {"message": {…}}}"#,
            sns(#"{"fcmV1Message":{"message":{"notification":{"title":"x"}}}}"#), gains: "title x on android"),
        .init(
            sns(#"{"aps":{"alert":"x"},"data":{"a":"b"}}"#),
            says: "HTTP v1 takes it as fcmV1Message.message.apns.payload.aps",
            sns(#"{"fcmV1Message":{"message":{"apns":{"payload":{"aps":{"alert":"x"}}},"data":{"a":"b"}}}}"#),
            gains: "body x on ios"),
        .init(
            #"{"default":"d","FCM":"{\"data\":{\"a\":\"b\"}}","GCM":"{\"data\":{\"a\":\"b\"}}"}"#,
            says: "did you mean GCM (also set)?", sns(#"{"data":{"a":"b"}}"#)),
        .init(
            #"{"default":"d","gcm":"{\"data\":{\"a\":\"b\"}}"}"#, says: "did you mean GCM?",
            sns(#"{"data":{"a":"b"}}"#), gains: "/GCM/data/a"),
        .init(
            sns(#"{"notification":{"title":"x","mutable-content":1}}"#), says: "as mutable_content: true",
            sns(#"{"mutable_content":true,"notification":{"title":"x"}}"#), gains: "extension"),
        .init(
            airnotifier(#""alert":{"body":"x","badge":3}"#),
            says: "badge has an effect only in apns, a member of the request",
            airnotifier(#""alert":{"body":"x"},"apns":{"badge":3}"#), gains: "badge 3 on ios"),
        .init(
            airnotifier(#""alert":"x","apns":{"thread_id":"g"}"#), says: "did you mean thread-id?",
            airnotifier(#""alert":"x","apns":{"thread-id":"g"}"#), gains: "thread g on ios"),
    ]
}
