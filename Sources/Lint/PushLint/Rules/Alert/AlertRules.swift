import PushJSON
import PushModel

/// The member `alert` of `aps`, and its keys.
struct AlertRules: RuleCheck {
    static let rules = [
        wrongType, misspelledKey, unknownKey, keyInsideAlert, empty, argumentsType, argumentsWithoutKey, textAndKey,
        summaryArgument,
    ]

    /// The keys of `alert`. Sources: Apple, "Generating a remote notification"; the archived Payload Key Reference.
    static let keys = NameList(shownKeys.names + oldKeys, rare: oldKeys)
    /// Those that decide what is shown.
    static let shownKeys = NameList([
        "title", "subtitle", "body", "launch-image", "title-loc-key", "title-loc-args", "subtitle-loc-key",
        "subtitle-loc-args", "loc-key", "loc-args",
    ])
    /// Those of old systems and of Safari, which a similar name hardly means.
    private static let oldKeys: [StaticString] = ["action-loc-key", "action", "summary-arg", "summary-arg-count"]

    let run: LintRun
    /// True for the alert of a request to Airnotifier.
    var isInAirnotifier = false

    func check(_ alert: LintNode, isLiveActivity: Bool) {
        if let string = alert.string {
            if string.count == 0 { report(Self.empty, "an empty alert shows nothing", at: alert) }
            return AlertTextRules(run: run).check(alert)
        }
        guard alert.isObject else {
            return reportKind(APSRules.wrongType, alert, "alert", expected: "a string or an object")
        }
        alert.forEachMember { checkKey($0, in: alert, isLiveActivity: isLiveActivity) }
        checkTexts(alert)
        if !APSContent.hasText(alert) {
            report(Self.empty, "an alert without a title, subtitle or body shows nothing", at: alert)
        }
    }

    static let empty = Rule(
        "alert.empty", .warning, "an alert without text",
        "Without a title, subtitle or body, nothing is shown and no service extension runs.", source: .generating,
        failing: Example.alert(""), passing: Example.alert(#""body":"Late count""#))

    /// Text, its key, and the key's arguments.
    private static let texts: [(text: StaticString, key: StaticString, arguments: StaticString)] = [
        ("title", "title-loc-key", "title-loc-args"), ("subtitle", "subtitle-loc-key", "subtitle-loc-args"),
        ("body", "loc-key", "loc-args"),
    ]

    static let argumentsWithoutKey = Rule(
        "alert.loc-args-without-key", .warning, "loc-args without their loc-key",
        "The arguments fill in the string that the key names. They have no effect on a literal text. Firebase's Admin SDK refuses them.",
        source: .fcmAdmin, failing: Example.alert(#""body":"Late count","loc-args":["4"]"#),
        passing: Example.alert(#""loc-key":"COUNT","loc-args":["4"]"#))
    static let textAndKey = Rule(
        "alert.text-and-loc-key", .warning, "both a text and a loc-key for the same line",
        "Apple says that the key replaces the text, but not which one wins if both are present. Send one of them.",
        source: .generating, failing: Example.alert(#""body":"Late count","loc-key":"COUNT""#),
        passing: Example.alert(#""loc-key":"COUNT""#))

    private func checkTexts(_ alert: LintNode) {
        for row in Self.texts {
            if let arguments = alert.member(row.arguments), arguments.value.kind != .null, alert[row.key] == nil {
                report(Self.argumentsWithoutKey, "\(row.arguments) has no effect without \(row.key)", at: arguments)
            }
            if let key = alert.member(row.key), key.value.isString, let text = alert[row.text], text.isString {
                report(
                    Self.textAndKey, "\(row.key) and \(row.text) are both set; which one is shown is not documented",
                    at: key)
            }
        }
    }

    static let wrongType = Rule(
        "alert.wrong-type", .error, "an alert key whose value has the wrong type",
        "The texts and keys of an alert are strings. How a device treats another type is not documented. At best, the text is not shown.",
        source: .generating, failing: Example.alert(#""title":"Result","body":42"#),
        passing: Example.alert(#""title":"Result","body":"42""#), isFixable: true)
    static let argumentsType = Rule(
        "alert.loc-args-type", .error, "loc-args that are not an array of strings",
        "The arguments replace %@ in order, and each is a string. Firebase's Admin SDK refuses other types.",
        source: .generating, failing: Example.alert(#""loc-key":"COUNT","loc-args":[4,98]"#),
        passing: Example.alert(#""loc-key":"COUNT","loc-args":["4","98"]"#), isFixable: true)
    static let summaryArgument = Rule(
        "alert.summary-argument", .info, "summary-arg, which is no longer used",
        "summary-arg summarized a group in iOS 12. It is deprecated, and ignored since iOS 15.", source: .summary,
        failing: Example.alert(#""body":"Late count","summary-arg":"District 4""#),
        passing: Example.alert(#""body":"Late count""#))

    private func checkKey(_ member: LintMember, in alert: LintNode, isLiveActivity: Bool) {
        let value = member.value
        func expectString() {
            if !value.isString { reportKind(Self.wrongType, value, member.name, expected: "a string") }
        }
        if value.kind == .null {
            // The archived reference allows it for two keys.
            if !(member.key == "action-loc-key"), !(member.key == "title-loc-key") {
                PayloadRules(run: run).reportNull(member)
            }
            return
        }
        switch member.key {
        case "title", "subtitle", "body":
            if isLiveActivity, value.isObject { return }
            expectString()
            if member.key == "body" { AlertTextRules(run: run).checkFormats(value) }
        case "launch-image", "title-loc-key", "subtitle-loc-key", "loc-key", "action-loc-key", "action": expectString()
        case "title-loc-args", "subtitle-loc-args", "loc-args": checkArguments(Self.argumentsType, member.name, value)
        case "summary-arg", "summary-arg-count":
            reportSummary(member)
        case "sound" where isLiveActivity: break
        default: checkUnknownKey(member, in: alert)
        }
    }

    /// Keys of `aps` that people put into `alert`. Its other keys are rarely found there.
    private static let misplacedKeys = NameList([
        "badge", "sound", "thread-id", "category", "content-available", "mutable-content", "interruption-level",
        "relevance-score", "target-content-id", "filter-criteria", "url-args", "content-state", "stale-date",
        "dismissal-date", "attributes-type", "content-changed", "input-push-channel", "input-push-token",
    ])

    static let keyInsideAlert = Rule(
        "aps.key-inside-alert", .warning, "an aps key inside alert",
        "badge, sound, thread-id, category and the flags belong in aps. Inside alert they have no effect, except the sound in a Live Activity's alert.",
        source: .generating, failing: Example.aps(#""alert":{"body":"Late count","thread-id":"counts"}"#),
        passing: Example.aps(#""alert":{"body":"Late count"},"thread-id":"counts""#))
    static let misspelledKey = Rule(
        "alert.misspelled-key", .error, "a misspelled alert key",
        "Names must match exactly. titleLocKey and title_loc_key are the spellings of libraries and of FCM.",
        source: .generating, failing: Example.alert(#""title_loc_key":"RESULT","body":"Late count""#),
        passing: Example.alert(#""title-loc-key":"RESULT","body":"Late count""#), isFixable: true)
    static let unknownKey = Rule(
        "alert.unknown-key", .warning, "an unknown alert key",
        "Unknown keys have no effect. Put app data next to aps.", source: .generating,
        failing: Example.alert(#""body":"Late count","image":"map.png""#),
        passing: #"{"aps":{"alert":{"body":"Late count"}},"image":"map.png"}"#)

    private func reportSummary(_ member: LintMember) {
        report(Self.summaryArgument, "\(member.name) is ignored since iOS 15", at: member)
    }

    /// Names of other interfaces, and what has their effect.
    private static let hints = NameHints([
        (["text", "message"], "did you mean body?"),
        (["actions", "buttons"], "the buttons come from category, a key of aps"),
        (["click_action", "category_id", "category_identifier"], "did you mean category in aps?"),
        (["thread_identifier"], "did you mean thread-id in aps?"), (["badge_count"], "did you mean badge in aps?"),
    ])

    private func checkUnknownKey(_ member: LintMember, in alert: LintNode) {
        let name = member.name
        if let key = Self.misplacedKeys.spelled(like: name) {
            reportMisplaced(member, key)
        } else if !isInAirnotifier, let hint = Self.hints[name] {
            report(Self.unknownKey, "unknown key \"\(name)\" in alert; \(hint)", at: member)
        } else if Self.keys.spelled(like: name)?.description.hasPrefix("summary-") ?? false {
            reportSummary(member)
        } else if let meant = Self.keys.suggestion(for: name) {
            report(
                Self.misspelledKey, "unknown key \"\(name)\" in alert\(meant.hint(in: alert))", at: member,
                edits: meant.renaming(member, in: alert))
        } else {
            report(Self.unknownKey, "the unknown key \"\(name)\" in alert has no effect", at: member)
        }
    }

    private func reportMisplaced(_ member: LintMember, _ key: StaticString) {
        guard isInAirnotifier else {
            return report(Self.keyInsideAlert, "\(key) has an effect only in aps, next to alert", at: member)
        }
        let isHandedOn = AirnotifierRules.keys.contains { $0.description == key.description }
        report(
            Self.keyInsideAlert,
            isHandedOn
                ? "\(key) has an effect only in apns, a member of the request"
                : "\(key) has no effect in alert, and Airnotifier does not pass it on from apns", at: member)
    }
}

/// Texts of an alert that are not shown as they were meant.
struct AlertTextRules: RuleCheck {
    static let rules = [jsonText, percent]
    let run: LintRun

    /// An alert that is a string.
    func check(_ alert: LintNode) {
        checkFormats(alert)
        checkJSON(alert)
    }

    static let jsonText = Rule(
        "alert.json-text", .error, "an alert that is JSON in a string",
        "A string is the body. It is shown as it is, including the braces. To send a title, make the alert an object.",
        source: .generating, failing: #"{"aps":{"alert":"{\"title\":\"Result\",\"body\":\"Late count\"}"}}"#,
        passing: Example.alert(#""title":"Result","body":"Late count""#))

    /// An alert that was serialized once too often.
    private func checkJSON(_ alert: LintNode) {
        guard let string = alert.string, string.raw.hasPrefix("{"), let inner = alert.inner?.root, inner.isObject,
            inner["title"] != nil || inner["body"] != nil || inner["loc-key"] != nil
        else { return }
        report(
            Self.jsonText, "the alert is a string that contains JSON, and is shown as text; send an object",
            at: alert)
    }

    static let percent = Rule(
        "alert.percent", .info, "a percent sign that looks like a printf format",
        "Apple strips printf-style escapes from the body before showing it. Write %% for a percent sign.",
        source: .body, failing: Example.alert(#""body":"Turnout at 44%d""#),
        passing: Example.alert(#""body":"Turnout at 44%%""#))

    /// Reports what `printf` would read as a format in a text. The system removes it before it shows the text.
    func checkFormats(_ node: LintNode) {
        // SOUND: the node keeps the text alive, and with it the bytes.
        guard let string = node.string, unsafe string.raw.buffer.contains(UInt8(ascii: "%")) else { return }
        var rest = string.decodedBytes[...]
        while let percent = rest.firstIndex(of: UInt8(ascii: "%")) {
            rest = rest[(percent + 1)...]
            if rest.first == UInt8(ascii: "%") {
                rest.removeFirst()
            } else if let count = Self.formatBytes(rest) {
                let format = String(decoding: rest.prefix(count), as: UTF8.self)
                return report(
                    Self.percent,
                    "the system may strip \"%\(format)\" as a printf format; write %% for a percent sign",
                    at: node)
            }
        }
    }

    /// The number of bytes of a printf conversion after its percent sign; nil if there is none. A space is not a flag here: "50 % of" is prose.
    private static func formatBytes(_ text: ArraySlice<UInt8>) -> Int? {
        let flags = text.prefix(16).prefix { "0123456789$.-+#lhqzt".utf8.contains($0) }.count
        guard flags < 16, let type = text.dropFirst(flags).first, "@diusfxXcgepo".utf8.contains(type) else {
            return nil
        }
        return flags + 1
    }
}
