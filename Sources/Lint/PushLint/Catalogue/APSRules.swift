import PushModel

extension Rule {
    private static func aps(_ members: String) -> String { #"{"aps":{"# + members + "}}" }

    static let apsWrongType = Rule(
        "aps.wrong-type", .error, "a key of aps with a value of the wrong type",
        why: "Apple's table gives each key one type. A value of another is ignored, or the whole notification is.",
        source: .generating,
        failing: aps(#""alert":"Late count","thread-id":7"#), passing: aps(#""alert":"Late count","thread-id":"7""#),
        isFixable: true)
    static let apsMisspelledKey = Rule(
        "aps.misspelled-key", .error, "a key of aps in another spelling",
        why:
            "A key in another spelling has no effect. mutable_content and mutableContent are spellings of FCM and of libraries.",
        source: .generating, failing: aps(#""alert":"Late count","mutable_content":1"#),
        passing: aps(#""alert":"Late count","mutable-content":1"#),
        isFixable: true)
    static let apsCustomKeyInside = Rule(
        "aps.custom-key-inside", .warning, "data for the app inside aps",
        why: "Apple ignores custom keys inside aps. Data for the app goes beside it, at the top of the payload.",
        source: .generating,
        failing: aps(#""alert":"Late count","article":7"#), passing: #"{"aps":{"alert":"Late count"},"article":7}"#)
    static let apsAlertKeyInAps = Rule(
        "aps.alert-key-in-aps", .error, "a part of the alert directly inside aps",
        why:
            "title, subtitle, body and their loc keys are members of the alert object. Directly in aps they show nothing.",
        source: .generating,
        failing: aps(#""title":"District 4","alert":"Late count""#),
        passing: aps(#""alert":{"title":"District 4","body":"Late count"}"#))
    static let apsKeyInsideAlert = Rule(
        "aps.key-inside-alert", .warning, "a key of aps inside alert",
        why:
            "badge, sound, thread-id, category and the flags are members of aps. Inside alert they have no effect; the sound of a Live Activity's alert is the exception.",
        source: .generating, failing: aps(#""alert":{"body":"Late count","thread-id":"counts"}"#),
        passing: aps(#""alert":{"body":"Late count"},"thread-id":"counts""#))
    static let apsFlagValue = Rule(
        "aps.flag-value", .warning, "content-available or mutable-content with a value other than the number 1",
        why:
            "Apple documents the number 1. What devices make of true or \"1\" is not documented; 0 and false switch nothing on.",
        source: .generating, failing: aps(#""alert":"Late count","mutable-content":"1""#),
        passing: aps(#""alert":"Late count","mutable-content":1"#),
        isFixable: true)
    static let apsBadgeType = Rule(
        "aps.badge-type", .error, "a badge in a string",
        why: "The badge is a number. Libraries drop a string, and the icon keeps its number.",
        source: .generating, failing: aps(#""alert":"Late count","badge":"3""#),
        passing: aps(#""alert":"Late count","badge":3"#), isFixable: true)
    static let apsBadgeValue = Rule(
        "aps.badge-value", .warning, "a badge that is not a whole number from 0",
        why: "The badge is the number on the icon; 0 removes it.",
        source: .generating, failing: aps(#""alert":"Late count","badge":-1"#),
        passing: aps(#""alert":"Late count","badge":0"#))
    static let apsSoundName = Rule(
        "aps.sound-name", .error, "a sound object without a name",
        why:
            "The sound of a critical alert is an object of critical, name and volume. Without a name there is no sound to play.",
        source: .generating, failing: aps(#""alert":"Storm","sound":{"critical":1,"volume":0.8}"#),
        passing: aps(#""alert":"Storm","sound":{"critical":1,"name":"siren.caf","volume":0.8}"#))
    static let apsSoundVolume = Rule(
        "aps.sound-volume", .warning, "a volume outside 0 to 1",
        why: "The volume of a critical alert is from 0, silent, to 1, full.", source: .generating,
        failing: aps(#""alert":"Storm","sound":{"critical":1,"name":"siren.caf","volume":80}"#),
        passing: aps(#""alert":"Storm","sound":{"critical":1,"name":"siren.caf","volume":0.8}"#))
    static let apsSoundNotCritical = Rule(
        "aps.sound-not-critical", .warning, "a sound object that is not critical",
        why:
            "The object is for critical alerts, with \"critical\": 1 and Apple's entitlement. For every other push sound is a string. What a device makes of the object is not documented.",
        source: .generating, failing: aps(#""alert":"Storm","sound":{"name":"siren.caf","volume":0.8}"#),
        passing: aps(#""alert":"Storm","sound":"siren.caf""#))
    static let apsSoundKey = Rule(
        "aps.sound-key", .warning, "a key that a sound object does not have",
        why: "A sound object has critical, name and volume.", source: .generating,
        failing: aps(#""alert":"Storm","sound":{"critical":1,"name":"siren.caf","loudness":1}"#),
        passing: aps(#""alert":"Storm","sound":{"critical":1,"name":"siren.caf","volume":1}"#))
    static let apsSoundFormat = Rule(
        "aps.sound-format", .warning, "a sound file of a format that is not played",
        why: "Sounds are aiff, wav or caf files, under 30 seconds. With any other the default sound is played.",
        source: .sound,
        failing: aps(#""alert":"Storm","sound":"siren.mp3""#), passing: aps(#""alert":"Storm","sound":"siren.caf""#))
    static let apsInterruptionLevel = Rule(
        "aps.interruption-level", .error, "an interruption level that does not exist",
        why:
            "The levels are passive, active, time-sensitive and critical. With any other text the notification is an ordinary one.",
        source: .generating, failing: aps(#""alert":"Storm","interruption-level":"timeSensitive""#),
        passing: aps(#""alert":"Storm","interruption-level":"time-sensitive""#), isFixable: true)
    static let apsRelevanceScore = Rule(
        "aps.relevance-score", .warning, "a relevance score outside 0 to 1",
        why: "The score sorts the summary, from 0 to 1. Only a Live Activity takes other numbers.", source: .generating,
        failing: aps(#""alert":"Storm","relevance-score":75"#), passing: aps(#""alert":"Storm","relevance-score":0.75"#)
    )
    static let apsNothingVisible = Rule(
        "aps.nothing-visible", .warning, "nothing to show, hear or wake",
        why:
            "To be seen or heard a payload needs alert, badge or sound; to wake the app, content-available. APNs is known to accept others with 200, and nothing happens.",
        source: .generating, failing: #"{"aps":{"thread-id":"counts"},"article":7}"#,
        passing: #"{"aps":{"content-available":1},"article":7}"#)
    static let apsContentAvailableWithAlert = Rule(
        "aps.content-available-with-alert", .info, "content-available together with an alert",
        why:
            "The user sees an alert, and the app is woken in the background too. It is not a silent push: send it as an alert.",
        source: .background,
        failing: aps(#""alert":"Late count","content-available":1"#), passing: aps(#""content-available":1"#))
    static let apsSilentWithSoundOrBadge = Rule(
        "aps.silent-with-sound-or-badge", .warning, "content-available together with a sound or a badge",
        why:
            "A silent push has content-available and nothing else in aps. With a badge or sound it is a notification, with another push type and priority.",
        source: .background, failing: aps(#""content-available":1,"sound":"""#), passing: aps(#""content-available":1"#)
    )
    static let apsMutableWithoutAlert = Rule(
        "aps.mutable-without-alert", .warning, "mutable-content without an alert",
        why:
            "The Notification Service Extension runs only for a push with mutable-content 1 and a title, subtitle or body; not for sounds, badges or silent pushes.",
        source: .modifying, failing: aps(#""mutable-content":1,"badge":2"#),
        passing: aps(#""mutable-content":1,"alert":"Late count""#))
    static let apsCategoryWithoutAlert = Rule(
        "aps.category-without-alert", .info, "a category without an alert",
        why:
            "A category brings buttons to an alert. Without one there is nothing to put them on. Apple does not spell this out.",
        source: .generating,
        failing: aps(#""category":"COUNT","badge":2"#), passing: aps(#""category":"COUNT","alert":"Late count""#))

    static let apsRules = [
        apsWrongType, apsMisspelledKey, apsCustomKeyInside, apsAlertKeyInAps, apsKeyInsideAlert, apsFlagValue,
        apsBadgeType,
        apsBadgeValue, apsSoundName, apsSoundVolume, apsSoundNotCritical, apsSoundKey, apsSoundFormat,
        apsInterruptionLevel,
        apsRelevanceScore, apsNothingVisible, apsContentAvailableWithAlert, apsSilentWithSoundOrBadge,
        apsMutableWithoutAlert,
        apsCategoryWithoutAlert,
    ]
}
