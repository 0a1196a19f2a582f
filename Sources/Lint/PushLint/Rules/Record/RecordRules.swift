import PushModel

/// Records that cannot be read. The decoder reports them.
enum RecordRules: RuleFamily {
    private static func record(
        _ id: String, _ title: String, _ explanation: String, failing: String, passing: String = Example.alert,
        scope: Rule.Scope = .lint
    ) -> Rule {
        Rule(id, .error, title, explanation, source: .format, failing: failing, passing: passing, scope: scope)
    }

    /// Also reported for a text that is not JSON, by `JSONRules`.
    static let notText = record(
        "record.not-text", "compressed data, another encoding than UTF-8, or binary data",
        "Payloads are JSON text in UTF-8. The first bytes tell what this is instead, and the message says how to get at the text.",
        failing: "BZh91AY&SY")

    static let payloadType = record(
        "record.payload-type", "a payload that is not a JSON object",
        "The body of a request is one JSON object. In an envelope it is an object, or a string that contains one.",
        failing: #"{"payload":[{"aps":{"alert":"In an array"}}]}"#,
        passing: #"{"payload":{"aps":{"alert":"As it is"}}}"#)
    static let tooLong = record(
        "record.too-long", "a record over the limit of --max-record",
        "It is skipped, so that a stream without line breaks cannot fill the memory. No push is that long.",
        failing: "", scope: .run)

    static let rules = [
        notText,
        record(
            "record.not-an-object", "a record that is not a JSON object",
            "A provider takes one JSON object per request. Several in an array are not a request: run and lint read its elements, a provider does not.",
            failing: #"["In an array"]"#),
        record(
            "record.unknown-shape", "an object in none of the known formats",
            "Nothing says which provider it is for: there is neither aps nor payload, to, message, APNS or another key of a known format. --provider forces a format.",
            failing: #"{"title":"National result","text":"4 percent counted"}"#),
        payloadType,
        record(
            "record.nothing-to-send", "a gateway's message without a part for any push service",
            "The gateway takes the request, and no push goes out.",
            failing: #"{"MessageStructure":"json","Message":"{\"default\":\"Polls have closed\"}"}"#,
            passing:
                #"{"MessageStructure":"json","Message":"{\"default\":\"Polls have closed\",\"APNS\":\"{\\\"aps\\\":{\\\"alert\\\":\\\"Polls have closed\\\"}}\"}"}"#
        ),
        tooLong,
        Rule(
            "record.answer", .warning, "an answer of a service that cannot be read",
            "run --check-answers compares the answer that a sender got with the one here. It takes a status, a reason, both, or the body that APNs or FCM sent; Documentation/guides/answers.md shows them.",
            source: .format, failing: "", passing: Example.alert, scope: .run),
    ]
}

/// Events of devices and apps in the input of a run. The decoder reports them.
enum EventRules: RuleFamily {
    private static func event(
        _ id: String, _ severity: Finding.Severity, _ title: String, _ explanation: String, failing: String
    ) -> Rule {
        Rule(
            id, severity, title, explanation, source: .format, failing: failing,
            passing: #"{"event":"device","device":"ab54","online":false}"#)
    }

    static let rules = [
        event(
            "event.unknown", .error, "not an event",
            "An object with a string under event, and without the keys of a payload, says what happens on a device.",
            failing: #"{"event":"devices","device":"ab54","online":false}"#),
        event(
            "event.missing-member", .error, "an event without a member that it needs",
            "The event does not say for which device it is, or how far the clock advances.",
            failing: #"{"event":"device","online":false}"#),
        event(
            "event.value", .error, "a member of an event with a value that it cannot take",
            "A guess could change the meaning of the stream.",
            failing: #"{"event":"device","device":"ab54","online":"no"}"#),
        event(
            "event.unknown-member", .warning, "a member that an event does not have",
            "It changes nothing, which is hardly what was meant.",
            failing: #"{"event":"device","device":"ab54","onlin":false}"#),
    ]
}
