import PayloadJSON
import PushModel

/// The keys of `aps` and their values.
struct APSRules: RuleCheck {
    static let rules = [
        wrongType, misspelledKey, customKeyInside, alertKeyInAps, flagValue, badgeType, badgeValue, interruptionLevel,
        relevanceScore,
    ]

    /// The keys of `aps`. Source: Apple, "Generating a remote notification".
    static let keys = NameList(names)
    /// The same for notifications: a name that only resembles a key of Live Activities or widgets is hardly meant as one.
    private static let notificationKeys = NameList(
        names,
        rare: [
            "timestamp", "event", "content-state", "stale-date", "dismissal-date", "attributes-type", "attributes",
            "input-push-channel", "input-push-token", "content-changed", "url-args",
        ])
    private static let names: [StaticString] = [
        "alert", "badge", "sound", "thread-id", "category", "content-available", "mutable-content", "target-content-id",
        "interruption-level", "relevance-score", "filter-criteria", "timestamp", "event", "content-state", "stale-date",
        "dismissal-date", "attributes-type", "attributes", "input-push-channel", "input-push-token", "content-changed",
        "url-args",
    ]

    let run: LintRun
    /// True for the `apns` of a request to Airnotifier.
    var isInAirnotifier = false
    /// True for the payload in the block `apns` of a message for FCM.
    var isInFCM = false

    func check(_ aps: LintNode, _ around: APNsSurroundings) {
        guard aps.isObject else { return report(Self.wrongType, "aps must be an object, not \(aps.kindName)", at: aps) }
        let isLiveActivity = around.pushType == .liveactivity || LiveActivityRules.isMeant(by: aps, around)
        aps.forEachMember { member in
            if member.value.kind == .null, member.key.isOne(of: Self.keys.names) {
                PayloadRules(run: run).reportNull(member)
            } else {
                checkKey(member, in: aps, isLiveActivity: isLiveActivity)
            }
        }
        if isLiveActivity {
            LiveActivityRules(run: run).check(aps, around)
        } else {
            LiveActivityRules(run: run).checkOtherPush(aps, around)
            APSCombinationRules(run: run).check(aps, around)
            APNsPushTypeRules(run: run).checkReload(aps, around)
        }
    }

    func checkKey(_ member: LintMember, in aps: LintNode, isLiveActivity: Bool) {
        let value = member.value
        func expect(_ isRight: Bool, _ expected: String) {
            if !isRight { reportKind(Self.wrongType, value, member.name, expected: expected) }
        }
        switch member.key {
        case "alert":
            AlertRules(run: run, isInAirnotifier: isInAirnotifier).check(value, isLiveActivity: isLiveActivity)
        case "badge": checkBadge(value)
        case "sound": SoundRules(run: run).check(value)
        case "content-available", "mutable-content": checkFlag(member, value)
        case "interruption-level": checkInterruptionLevel(value)
        case "relevance-score":
            expect(value.kind == .number, "a number")
            if !isLiveActivity, let score = value.view.double, !(0...1).contains(score) {
                report(Self.relevanceScore, "the score of a notification is from 0 to 1", at: value)
            }
        case "thread-id", "category", "target-content-id", "filter-criteria", "attributes-type", "input-push-channel":
            expect(value.isString, "a string")
        case "event": expect(value.isString, "start, update or end")
        case "timestamp", "stale-date", "dismissal-date": expect(value.kind == .number, "a number")
        case "content-state", "attributes": expect(value.isObject, "an object")
        case "input-push-token": expect(value.view.isOne, "the number 1")
        case "content-changed": expect(value.kind == .true, "true")
        case "url-args": expect(value.kind == .array, "an array of strings")
        default: checkUnknownKey(member, in: aps, isLiveActivity: isLiveActivity)
        }
    }

    static let wrongType = Rule(
        "aps.wrong-type", .error, "a key of aps with a value of the wrong type",
        "Apple's table gives each key one type. A value of another is ignored, or the whole notification is.",
        source: .generating, failing: Example.aps(#""alert":"Late count","thread-id":7"#),
        passing: Example.aps(#""alert":"Late count","thread-id":"7""#), isFixable: true)
    static let relevanceScore = Rule(
        "aps.relevance-score", .warning, "a relevance score outside 0 to 1",
        "The score sorts the summary, from 0 to 1. Only a Live Activity takes other numbers.", source: .generating,
        failing: Example.aps(#""alert":"Storm","relevance-score":75"#),
        passing: Example.aps(#""alert":"Storm","relevance-score":0.75"#))

    static let misspelledKey = Rule(
        "aps.misspelled-key", .error, "a key of aps in another spelling",
        "A key in another spelling has no effect. mutable_content and mutableContent are spellings of FCM and of libraries.",
        source: .generating, failing: Example.aps(#""alert":"Late count","mutable_content":1"#),
        passing: Example.aps(#""alert":"Late count","mutable-content":1"#), isFixable: true)
    static let customKeyInside = Rule(
        "aps.custom-key-inside", .warning, "data for the app inside aps",
        "Apple ignores custom keys inside aps. Data for the app goes beside it, at the top of the payload.",
        source: .generating, failing: Example.aps(#""alert":"Late count","article":7"#),
        passing: #"{"aps":{"alert":"Late count"},"article":7}"#)
    static let alertKeyInAps = Rule(
        "aps.alert-key-in-aps", .error, "a part of the alert directly inside aps",
        "title, subtitle, body and their loc keys are members of the alert object. Directly in aps they show nothing.",
        source: .generating, failing: Example.aps(#""title":"District 4","alert":"Late count""#),
        passing: Example.aps(#""alert":{"title":"District 4","body":"Late count"}"#))

    /// Names of other interfaces, and what has their effect.
    private static let hints = NameHints([
        (["click_action", "category_id", "category_identifier"], "category is meant"),
        (["thread_identifier"], "thread-id is meant"), (["badge_count"], "badge is meant"),
        (["target_content_identifier"], "target-content-id is meant"), (["action_loc_key"], "it is a key of alert"),
        (["sound_name"], "sound is meant"), (["text", "message"], "the text is alert.body"),
        (["critical"], #"a critical alert has "sound": {"critical": 1, "name": "default", "volume": 1}"#),
        (["volume"], "the volume of a critical alert is sound.volume"),
        (["actions", "buttons"], "buttons are those of the category, which the app registers"),
        (["collapse_key", "collapse_id"], "the header apns-collapse-id is meant"),
        (["priority"], "the header apns-priority is meant, which is 10, 5 or 1"),
        (["push_type"], "the header apns-push-type is meant"),
        (
            ["expiration", "expiry", "ttl", "time_to_live"],
            "the header apns-expiration is meant, in seconds since 1970"
        ),
    ])

    private func checkUnknownKey(_ member: LintMember, in aps: LintNode, isLiveActivity: Bool) {
        let name = member.name
        if APNsHeader.isMeant(by: member.key) {
            report(
                PayloadRules.headerInPayload,
                "\(name) \(PayloadRules.headerWords(member)); in the payload it has no effect", at: member)
        } else if isInFCM, FCMAppleRules.isField(member) {
            report(
                FCMAppleRules.fieldInPayload, "\(name) belongs in apns, beside payload; in aps it is ignored",
                at: member)
        } else if let hint = Self.hints[name] {
            report(
                Self.customKeyInside, "\"\(name)\" is not a key of aps, and Apple ignores it; \(hint)", at: member)
        } else if let meant = (isLiveActivity ? Self.keys : Self.notificationKeys).lookAlike(name) {
            report(
                Self.misspelledKey, "aps has no key \"\(name)\"\(meant.hint(in: aps))", at: member,
                edits: meant.renaming(member, in: aps))
        } else if let meant = AlertRules.shownKeys.spelled(like: name) {
            report(Self.alertKeyInAps, "\(name) belongs in alert: {\"alert\": {\"\(meant)\": …}}", at: member)
        } else {
            report(
                Self.customKeyInside,
                "\"\(name)\" is not a key of aps, and Apple ignores it; data for the app goes beside aps", at: member)
        }
    }

    static let badgeType = Rule(
        "aps.badge-type", .error, "a badge in a string",
        "The badge is a number. Libraries drop a string, and the icon keeps its number.", source: .generating,
        failing: Example.aps(#""alert":"Late count","badge":"3""#),
        passing: Example.aps(#""alert":"Late count","badge":3"#), isFixable: true)
    static let badgeValue = Rule(
        "aps.badge-value", .warning, "a badge that is not a whole number from 0",
        "The badge is the number on the icon; 0 removes it.", source: .generating,
        failing: Example.aps(#""alert":"Late count","badge":-1"#),
        passing: Example.aps(#""alert":"Late count","badge":0"#))

    private func checkBadge(_ value: LintNode) {
        switch value.kind {
        case .number:
            guard let number = value.view.double else { return }
            if number != number.rounded() || number < 0 {
                report(Self.badgeValue, "a badge is a whole number from 0 on", at: value)
            }
        case .string: reportKind(Self.badgeType, value, "badge", expected: "a number")
        default: reportKind(Self.wrongType, value, "badge", expected: "a number")
        }
    }

    static let flagValue = Rule(
        "aps.flag-value", .warning,
        "content-available, mutable-content or critical with a value other than the number 1",
        "Apple documents the number 1. What devices make of true or \"1\" is not documented; 0 and false switch nothing on.",
        source: .generating, failing: Example.aps(#""alert":"Late count","mutable-content":"1""#),
        passing: Example.aps(#""alert":"Late count","mutable-content":1"#), isFixable: true)

    func checkFlag(_ member: LintMember, _ value: LintNode) {
        guard !value.view.isOne else { return }
        let name = member.name
        let isMeant = APSContent.isMeantAsOne(value)
        report(
            Self.flagValue,
            isMeant
                ? "Apple documents the number 1 for \(name); whether \(value.source) works is not documented"
                : "only the number 1 switches \(name) on; to leave it off, leave it out", at: value,
            edits: isMeant ? [TextEdit(value.range, "1")] : [])
    }

    private static let interruptionLevels = NameList(["passive", "active", "time-sensitive", "critical"])

    static let interruptionLevel = Rule(
        "aps.interruption-level", .error, "an interruption level that does not exist",
        "The levels are passive, active, time-sensitive and critical. With any other text the notification is an ordinary one.",
        source: .generating, failing: Example.aps(#""alert":"Storm","interruption-level":"timeSensitive""#),
        passing: Example.aps(#""alert":"Storm","interruption-level":"time-sensitive""#), isFixable: true)

    private func checkInterruptionLevel(_ value: LintNode) {
        guard let string = value.string else {
            // A number in quotes is no level.
            return report(Self.wrongType, "interruption-level must be a string, not \(value.kindName)", at: value)
        }
        guard !string.isOne(of: Self.interruptionLevels.names) else { return }
        let level = string.string
        let meant = Self.interruptionLevels.lookAlike(level)
        report(
            Self.interruptionLevel,
            "\"\(level)\" is not passive, active, time-sensitive or critical\(meant?.hint ?? "")", at: value,
            edits: meant?.replacing(value) ?? [])
    }
}
