import PushModel

extension Rule {
    private static func alert(_ members: String) -> String { #"{"aps":{"alert":{"# + members + "}}}" }

    static let alertWrongType = Rule(
        "alert.wrong-type", .error, "a key of alert with a value of the wrong type",
        why:
            "The texts and keys of an alert are strings. What a device makes of another type is not documented; the text is lost at best.",
        source: .generating, failing: alert(#""title":"Result","body":42"#),
        passing: alert(#""title":"Result","body":"42""#), isFixable: true)
    static let alertMisspelledKey = Rule(
        "alert.misspelled-key", .error, "a key of alert in another spelling",
        why:
            "Names must match exactly. titleLocKey and title_loc_key are spellings of libraries and of FCM.",
        source: .generating,
        failing: alert(#""title_loc_key":"RESULT","body":"Late count""#),
        passing: alert(#""title-loc-key":"RESULT","body":"Late count""#), isFixable: true)
    static let alertUnknownKey = Rule(
        "alert.unknown-key", .warning, "a key that alert does not have",
        why: "It has no effect. Data for the app goes next to aps.", source: .generating,
        failing: alert(#""body":"Late count","image":"map.png""#),
        passing: #"{"aps":{"alert":{"body":"Late count"}},"image":"map.png"}"#)
    static let alertEmpty = Rule(
        "alert.empty", .warning, "an alert without text",
        why: "Without a title, subtitle or body nothing is shown, and no extension is run.", source: .generating,
        failing: alert(""), passing: alert(#""body":"Late count""#))
    static let alertArgumentsType = Rule(
        "alert.loc-args-type", .error, "loc-args that are not an array of strings",
        why:
            "The arguments replace %@ in order, and each is a string. Firebase's Admin SDK refuses others.",
        source: .generating,
        failing: alert(#""loc-key":"COUNT","loc-args":[4,98]"#),
        passing: alert(#""loc-key":"COUNT","loc-args":["4","98"]"#), isFixable: true)
    static let alertArgumentsWithoutKey = Rule(
        "alert.loc-args-without-key", .warning, "loc-args without the loc-key that they belong to",
        why:
            "Arguments fill the text that the key names. With a literal text they have no effect. Firebase's Admin SDK refuses them.",
        source: .fcmAdmin,
        failing: alert(#""body":"Late count","loc-args":["4"]"#), passing: alert(#""loc-key":"COUNT","loc-args":["4"]"#)
    )
    static let alertTextAndKey = Rule(
        "alert.text-and-loc-key", .warning, "a text and a loc-key for the same line",
        why: "Apple says that the key replaces the text, but not which one wins if both are there. Send one.",
        source: .generating,
        failing: alert(#""body":"Late count","loc-key":"COUNT""#), passing: alert(#""loc-key":"COUNT""#))
    static let alertJSONText = Rule(
        "alert.json-text", .error, "an alert that is JSON in a string",
        why: "A string is the body, and is shown as it is, braces included. An alert with a title is an object.",
        source: .generating,
        failing: #"{"aps":{"alert":"{\"title\":\"Result\",\"body\":\"Late count\"}"}}"#,
        passing: alert(#""title":"Result","body":"Late count""#))
    static let alertPercent = Rule(
        "alert.percent", .info, "a percent sign that looks like a printf format",
        why: "Apple strips printf-style escapes from the body before it is shown. %% writes one percent sign.",
        source: .body,
        failing: alert(#""body":"Turnout at 44%d""#), passing: alert(#""body":"Turnout at 44%%""#))
    static let alertSummaryArgument = Rule(
        "alert.summary-argument", .info, "summary-arg, which is no longer read",
        why: "iOS 12 used it for the summary of a group. It is deprecated, and ignored since iOS 15.", source: .summary,
        failing: alert(#""body":"Late count","summary-arg":"District 4""#), passing: alert(#""body":"Late count""#))

    static let alertRules = [
        alertWrongType, alertMisspelledKey, alertUnknownKey, alertEmpty, alertJSONText, alertArgumentsType,
        alertArgumentsWithoutKey,
        alertTextAndKey,
        alertPercent, alertSummaryArgument,
    ]
}
