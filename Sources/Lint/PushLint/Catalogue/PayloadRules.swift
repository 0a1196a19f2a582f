import PushModel

extension Rule {
    static let payloadMisspelledAps = Rule(
        "payload.misspelled-aps", .error, "aps under another name",
        why:
            "The name is aps, in lower case. Under any other name its contents are data for the app, and the device shows nothing.",
        source: .generating, failing: #"{"payload":{"APS":{"alert":"Polls close at 18:00"}}}"#,
        passing: #"{"payload":{"aps":{"alert":"Polls close at 18:00"}}}"#,
        isFixable: true)
    static let payloadApsMissing = Rule(
        "payload.aps-missing", .warning, "a payload without aps",
        why:
            "An alert or background push is what aps says. VoIP, MDM and file provider pushes do without; name their apns-push-type.",
        source: .generating, failing: #"{"payload":{"article":7}}"#,
        passing: #"{"payload":{"aps":{"alert":"Late count"},"article":7}}"#)
    static let payloadHeaderInPayload = Rule(
        "payload.header-in-payload", .error, "a header of the request inside the payload",
        why:
            "apns-priority, apns-collapse-id, apns-push-type and similar names are HTTP headers. In the JSON they are data for the app, and APNs uses its defaults.",
        source: .sending, failing: #"{"aps":{"alert":"Late count"},"apns-collapse-id":"count"}"#,
        passing: Example.request(
            #""apns-push-type":"alert","apns-collapse-id":"count""#, #"{"aps":{"alert":"Late count"}}"#))
    static let payloadApsKeyOutside = Rule(
        "payload.aps-key-outside", .error, "a key of aps beside aps",
        why:
            "Beside aps it is data for the app: the extension is not run, the app is not woken, the notification is not grouped.",
        source: .generating, failing: #"{"aps":{"alert":"Late count"},"mutable-content":1}"#,
        passing: #"{"aps":{"alert":"Late count","mutable-content":1}}"#)
    static let payloadGoogleKey = Rule(
        "payload.google-key", .warning, "a name of Google's requests in an APNs payload",
        why:
            "content_available, mutable_content and click_action are read by FCM, which writes content-available, mutable-content and category for them. APNs hands them to the app.",
        source: .legacy, failing: #"{"aps":{"alert":"Late count"},"click_action":"OPEN"}"#,
        passing: #"{"aps":{"alert":"Late count","category":"OPEN"}}"#)
    static let payloadNullValue = Rule(
        "payload.null-value", .warning, "a null in the payload",
        why:
            "Apple does not list null among the values of custom keys, and some libraries lose the entry. For a key of aps it means nothing: leave it out.",
        source: .generating, failing: #"{"aps":{"alert":"Late count","badge":null}}"#,
        passing: #"{"aps":{"alert":"Late count"}}"#)

    static let payloadRules = [
        payloadMisspelledAps, payloadApsMissing, payloadHeaderInPayload, payloadApsKeyOutside, payloadGoogleKey,
        payloadNullValue,
    ]
}
