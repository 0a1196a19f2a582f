import PushModel

extension Rule {
    static let snsValueNotText = Rule(
        "sns.value-not-text", .error, "a platform's payload that is not a string",
        why:
            "Message is an object of strings: each platform's JSON is text there, with its quotes escaped. SNS refuses an object.",
        source: .sns,
        failing: #"{"default":"Hi","APNS":{"aps":{"alert":"Hi"}}}"#,
        passing: #"{"default":"Hi","APNS":"{\"aps\":{\"alert\":\"Hi\"}}"}"#, isFixable: true)
    static let snsDefaultMissing = Rule(
        "sns.default-missing", .warning, "an SNS message without default",
        why: "Subscribers whose platform has no text of its own get the default. For a topic it is required.",
        source: .sns,
        failing: #"{"APNS":"{\"aps\":{\"alert\":\"Hi\"}}"}"#,
        passing: #"{"default":"Hi","APNS":"{\"aps\":{\"alert\":\"Hi\"}}"}"#)
    static let snsTooLarge = Rule(
        "sns.too-large", .error, "an SNS message over 256 KiB",
        why: "SNS takes 256 KiB for the whole message. Each platform's own limit applies too.", source: .sns,
        failing:
            #"{"MessageStructure":"json","Message":"{\"default\":\"Hi\",\"APNS\":\"{\\\"aps\\\":{\\\"alert\\\":\\\"Hi\\\"}}\",\"email\":\""#
            + String(decoding: [UInt8](repeating: UInt8(ascii: "x"), count: 262_144), as: UTF8.self) + #"\"}"}"#,
        passing:
            #"{"MessageStructure":"json","Message":"{\"default\":\"Hi\",\"APNS\":\"{\\\"aps\\\":{\\\"alert\\\":\\\"Hi\\\"}}\"}"}"#
    )
    static let snsBackgroundAlert = Rule(
        "sns.background-alert", .warning, "an alert that SNS sends as a background push",
        why:
            "SNS sends the apns-push-type of the attribute AWS.SNS.MOBILE.APNS.PUSH_TYPE, and so background with an alert too. "
            + "A type that does not fit may be delayed, dropped or refused. Without the attribute SNS infers a type that fits.",
        source: .sns, failing: Example.publish(type: "background"), passing: Example.publish(type: "alert"))
    static let snsFCMWrapper = Rule(
        "sns.fcm-wrapper", .error, "a message of FCM v1 without its wrapper",
        why:
            "In the text for GCM, a v1 message is in fcmV1Message. Without it SNS reads the text as the legacy form, which has "
            + "no message.",
        source: .sns, failing: #"{"default":"Hi","GCM":"{\"message\":{\"data\":{\"n\":\"1\"}}}"}"#,
        passing: #"{"default":"Hi","GCM":"{\"fcmV1Message\":{\"message\":{\"data\":{\"n\":\"1\"}}}}"}"#)
    static let simulatorBundleType = Rule(
        "simulator.bundle-type", .error, "a Simulator Target Bundle that is not a string",
        why: "It is the bundle identifier of the app that a dropped .apns file is for.",
        source: .simulator, failing: #"{"Simulator Target Bundle":7,"aps":{"alert":"Hi"}}"#,
        passing: #"{"Simulator Target Bundle":"org.example.news","aps":{"alert":"Hi"}}"#)
    static let simulatorKeyInRequest = Rule(
        "simulator.key-in-request", .warning, "Simulator Target Bundle in a payload for APNs",
        why:
            "Only the simulator reads it. APNs counts its bytes and hands it to the app as data. The app's identifier goes into apns-topic.",
        source: .simulator,
        failing: Example.request(
            #""apns-push-type":"alert""#, #"{"Simulator Target Bundle":"org.example.news","aps":{"alert":"Hi"}}"#),
        passing: Example.alertRequest)
    static let airnotifierDroppedKey = Rule(
        "airnotifier.dropped-key", .warning, "a key that Airnotifier does not pass on",
        why:
            "Of the apns part Airnotifier passes on alert, badge, sound, category, thread-id, content-available and push_type. Everything else is lost, including mutable-content and custom data.",
        source: .airnotifier,
        failing: #"{"device":"ios","token":"\#(Example.token)","alert":"Hi","apns":{"mutable-content":1}}"#,
        passing: #"{"device":"ios","token":"\#(Example.token)","alert":"Hi","apns":{"badge":1}}"#)

    static let gatewayRules = [
        snsValueNotText, snsDefaultMissing, snsTooLarge, snsFCMWrapper, snsBackgroundAlert, simulatorBundleType,
        simulatorKeyInRequest,
        airnotifierDroppedKey,
    ]
}
