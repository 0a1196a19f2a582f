import PushModel

extension Rule {
    private static let silent = #"{"aps":{"content-available":1}}"#

    static let apnsMisspelledHeader = Rule(
        "apns.misspelled-header", .error, "a header of APNs in another spelling",
        why:
            "APNs ignores headers that it does not know, and uses its default: priority 10, no collapse id, storage for up to 30 days.",
        source: .sending,
        failing: Example.request(#""apns-push-type":"alert","apns_collapse_id":"count""#, Example.alert),
        passing: Example.request(#""apns-push-type":"alert","apns-collapse-id":"count""#, Example.alert),
        isFixable: true)
    static let apnsUnknownHeader = Rule(
        "apns.unknown-header", .warning, "a header that APNs does not know", why: "APNs ignores it.",
        source: .communicating,
        failing: Example.request(#""apns-push-type":"alert","x-request":"7""#, Example.alert),
        passing: Example.alertRequest)
    static let apnsPayloadKeyInHeaders = Rule(
        "apns.payload-key-in-headers", .error, "a key of the payload among the headers",
        why: "mutable-content and similar names are keys of aps. APNs ignores them as headers, and still answers 200.",
        source: .communicating,
        failing: Example.request(#""apns-push-type":"alert","mutable-content":"1""#, Example.alert),
        passing: Example.request(#""apns-push-type":"alert""#, #"{"aps":{"alert":"Late count","mutable-content":1}}"#))
    static let apnsPushTypeMissing = Rule(
        "apns.push-type-missing", .warning, "no apns-push-type",
        why:
            "watchOS 6 and later require it, and Apple advises it everywhere: without it, or with one that does not fit, a push may be delayed, dropped or refused.",
        source: .sending,
        failing:
            #"{"device":"\#(Example.token)","headers":{"apns-topic":"org.example.news"},"payload":\#(Example.alert)}"#,
        passing: Example.alertRequest)
    static let apnsPushTypeMismatch = Rule(
        "apns.push-type-mismatch", .error, "an apns-push-type that does not fit the payload",
        why:
            "The type must agree with the contents: alert for what is seen or heard, background for content-available alone. Apple says that APNs may answer an error, delay or drop the push; which error is not documented.",
        source: .sending,
        failing: Example.request(#""apns-push-type":"background","apns-priority":"5""#, Example.alert),
        passing: Example.alertRequest)
    static let apnsBackgroundPriority = Rule(
        "apns.background-priority", .error, "a background push with a priority other than 5",
        why:
            "Apple: always use priority 5; 10 is an error. Without the header the priority is 10. Which error APNs answers is not documented.",
        source: .sending, failing: Example.request(#""apns-push-type":"background","apns-priority":"10""#, silent),
        passing: Example.request(#""apns-push-type":"background","apns-priority":"5""#, silent), isFixable: true)
    static let apnsTopicSuffix = Rule(
        "apns.topic-suffix", .error, "a topic that does not fit the push type",
        why:
            "Most special push types add a suffix to the bundle identifier, such as .voip or .push-type.liveactivity; alert and background take it bare. Which error APNs answers is not documented.",
        source: .sending, failing: Example.request(#""apns-push-type":"voip","apns-expiration":"0""#, #"{"call":7}"#),
        passing: Example.request(
            #""apns-push-type":"voip","apns-expiration":"0""#, #"{"call":7}"#, topic: "org.example.news.voip"),
        isFixable: true)
    static let apnsExpirationMilliseconds = Rule(
        "apns.expiration-milliseconds", .warning, "an expiration in milliseconds",
        why:
            "apns-expiration is a time in seconds since 1970. In milliseconds it lies millennia ahead, and the push is kept for as long as APNs keeps any, 30 days.",
        source: .sending,
        failing: Example.request(#""apns-push-type":"alert","apns-expiration":"1730761200000""#, Example.alert),
        passing: Example.request(#""apns-push-type":"alert","apns-expiration":"1730761200""#, Example.alert),
        isFixable: true)
    static let apnsExpirationRelative = Rule(
        "apns.expiration-relative", .warning, "an expiration that looks like a duration",
        why:
            "apns-expiration is a time in seconds since 1970, not a time to live. What APNs does with a time long past is not documented.",
        source: .sending,
        failing: Example.request(#""apns-push-type":"alert","apns-expiration":"3600""#, Example.alert),
        passing: Example.request(#""apns-push-type":"alert","apns-expiration":"0""#, Example.alert))
    static let apnsTokenForm = Rule(
        "apns.token-form", .error, "a device token that is not the hexadecimal form of bytes",
        why:
            "The token in the path is the hexadecimal form of its bytes. Printed as data it has < > and spaces; Base64 and FCM's tokens are something else. APNs answers 400 BadDeviceToken.",
        source: .responses,
        failing: Example.request(
            #""apns-push-type":"alert""#, Example.alert,
            device: "<00fc13ad ff785122 b4ad2880 9a342098 23412414 21348097 878e577c 991de8f0>"),
        passing: Example.alertRequest, isFixable: true)
    static let apnsTokenLength = Rule(
        "apns.token-length", .info, "a device token of an unusual length",
        why:
            "Device tokens have 64 digits today, those of Live Activities more. Apple says not to assume a length; libraries do.",
        source: .sending,
        failing: Example.request(#""apns-push-type":"alert""#, Example.alert, device: "00fc13adff785122"),
        passing: Example.alertRequest)
    static let apnsIDUppercase = Rule(
        "apns.id-uppercase", .warning, "an apns-id in upper case",
        why: "Apple defines the UUID in lower case. Whether APNs accepts upper case is not documented.",
        source: .sending,
        failing: Example.request(
            #""apns-push-type":"alert","apns-id":"EABEAE54-14A8-11E5-B60B-1697F925EC7B""#, Example.alert),
        passing: Example.request(
            #""apns-push-type":"alert","apns-id":"eabeae54-14a8-11e5-b60b-1697f925ec7b""#, Example.alert))
    static let apnsProviderToken = Rule(
        "apns.provider-token", .error, "a provider token that APNs does not accept",
        why:
            "authorization is bearer and a JSON Web Token: alg ES256, kid and iss of 10 characters, iat in seconds and at most an hour old. APNs answers 403 InvalidProviderToken to a token that is not valid. Age and signature are not checked here.",
        source: .token,
        failing: Example.request(
            #""apns-push-type":"alert","authorization":"eyJhbGciOiJFUzI1NiJ9.e30.c2ln""#, Example.alert),
        passing: Example.alertRequest)

    static let apnsTopicSuffixUnexpected = Rule(
        "apns.topic-suffix-unexpected", .warning, "a topic with the suffix of another push type",
        why:
            "alert and background take the bundle identifier as it is. A suffix such as .voip belongs to another type, unless the "
            + "identifier itself ends so.",
        source: .sending,
        failing: Example.request(#""apns-push-type":"alert""#, Example.alert, topic: "org.example.news.voip"),
        passing: Example.alertRequest)
    static let apnsWidgetContent = Rule(
        "apns.widget-content", .warning, "a push to widgets or controls without content-changed",
        why:
            "The payload is {\"aps\":{\"content-changed\":true}}. Without it nothing says that there is anything to reload.",
        source: .widgets,
        failing: Example.request(
            #""apns-push-type":"widgets""#, #"{"aps":{}}"#, topic: "org.example.news.push-type.widgets"),
        passing: Example.request(
            #""apns-push-type":"widgets""#, #"{"aps":{"content-changed":true}}"#,
            topic: "org.example.news.push-type.widgets"))
    static let apnsHeaderType = Rule(
        "apns.header-type", .error, "headers that are not text",
        why:
            "The headers are an object whose values are strings; a number counts as its text. Anything else is not sent.",
        source: .format, failing: Example.request(#""apns-push-type":["alert"]"#, Example.alert),
        passing: Example.alertRequest)
    static let apnsHeaderEmpty = Rule(
        "apns.header-empty", .warning, "a header without a value",
        why:
            "It is often a variable that was not set. pushpipe reads it as if the header were not there, so notifications without "
            + "their collapse id are not replaced. What APNs makes of it is not documented.",
        source: .sending, failing: Example.request(#""apns-push-type":"alert","apns-collapse-id":"""#, Example.alert),
        passing: Example.alertRequest)
    static let apnsHeaderOutside = Rule(
        "apns.header-outside", .error, "a header beside headers",
        why: "In an envelope the request's headers are in headers. Beside it they are not read.", source: .format,
        failing: #"{"apns-topic":"org.example.news","payload":{"aps":{"alert":"Late count"}}}"#,
        passing: Example.alertRequest)
    static let apnsBroadcast = Rule(
        "apns.broadcast", .error, "a broadcast without what it needs",
        why:
            "A push through a channel is only for Live Activities, and needs apns-push-type liveactivity, apns-expiration and "
            + "apns-priority. APNs answers 400 InvalidPushType to another type.",
        source: Source(
            "Apple, Sending broadcast push notification requests to APNs",
            "https://developer.apple.com/documentation/usernotifications/sending-broadcast-push-notification-requests-to-apns"
        ),
        failing:
            #"{"headers":{"apns-channel-id":"dHN0LXNyY2gtY2hubA==","apns-push-type":"alert","apns-expiration":"0","apns-priority":"10"},"payload":{"aps":{"alert":"Late count"}}}"#,
        passing:
            #"{"headers":{"apns-channel-id":"dHN0LXNyY2gtY2hubA==","apns-push-type":"liveactivity","apns-expiration":"0","apns-priority":"10"},"payload":{"aps":{"timestamp":1730761200,"event":"update","content-state":{"counted":12}}}}"#
    )

    static let requestRules = [
        apnsMisspelledHeader, apnsUnknownHeader, apnsPayloadKeyInHeaders, apnsPushTypeMissing, apnsPushTypeMismatch,
        apnsBackgroundPriority, apnsTopicSuffix, apnsTopicSuffixUnexpected, apnsHeaderType, apnsHeaderEmpty,
        apnsHeaderOutside,
        apnsBroadcast, apnsExpirationMilliseconds, apnsExpirationRelative, apnsTokenForm,
        apnsTokenLength,
        apnsIDUppercase, apnsProviderToken, apnsWidgetContent,
    ]
}
