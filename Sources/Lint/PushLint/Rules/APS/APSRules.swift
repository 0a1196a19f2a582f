import PushJSON
import PushModel

/// The keys of `aps` and their values.
struct APSRules: RuleCheck {
    static let rules = [
        wrongType, misspelledKey, customKeyInside, alertKeyInAps, flagValue, badgeType, badgeValue, interruptionLevel,
        relevanceScore,
    ]

    /// The keys of `aps`. Source: Apple, "Generating a remote notification".
    static let keys = NameList(names)
    /// The keys for notifications: a name that only resembles a key of Live Activities or widgets is hardly meant as one.
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
            } else if around.pushType == .background, AlertRules.shownKeys.spelled(like: member.name) != nil {
                // The push shows nothing, so this is no part of an alert, but the app's own.
            } else if around.isForAps || member.key.isOne(of: Self.keys.names) {
                // In a payload that is free JSON, other keys are the app's own.
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
                report(Self.relevanceScore, "relevance-score must be from 0 to 1", at: value)
            }
        case "thread-id", "category", "target-content-id", "filter-criteria", "attributes-type", "input-push-channel":
            expect(value.isString, "a string")
            if value.string?.withDecoded({ $0.isPadded }) ?? false {
                PayloadRules(run: run).reportPadded("the \(member.name)", at: value)
            }
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
        "aps.wrong-type", .error, "an aps key whose value has the wrong type",
        "Apple's table gives each key one type. A value of another type is ignored, or makes iOS ignore the whole notification.",
        source: .generating, failing: Example.aps(#""alert":"Late count","thread-id":7"#),
        passing: Example.aps(#""alert":"Late count","thread-id":"7""#), isFixable: true)
    static let relevanceScore = Rule(
        "aps.relevance-score", .warning, "a relevance score outside 0 to 1",
        "The score, from 0 to 1, sorts the summary. Only a Live Activity takes other numbers.", source: .generating,
        failing: Example.aps(#""alert":"Storm","relevance-score":75"#),
        passing: Example.aps(#""alert":"Storm","relevance-score":0.75"#))

    static let misspelledKey = Rule(
        "aps.misspelled-key", .error, "a misspelled aps key",
        "A misspelled key has no effect. mutable_content and mutableContent are the spellings of FCM and of libraries.",
        source: .generating, failing: Example.aps(#""alert":"Late count","mutable_content":1"#),
        passing: Example.aps(#""alert":"Late count","mutable-content":1"#), isFixable: true)
    static let customKeyInside = Rule(
        "aps.custom-key-inside", .warning, "app data inside aps",
        "Apple ignores custom keys inside aps. Put app data next to aps, at the top level of the payload.",
        source: .generating, failing: Example.aps(#""alert":"Late count","article":7"#),
        passing: #"{"aps":{"alert":"Late count"},"article":7}"#)
    static let alertKeyInAps = Rule(
        "aps.alert-key-in-aps", .error, "part of the alert directly inside aps",
        "title, subtitle, body and their loc keys belong in the alert object. Directly in aps, they show nothing.",
        source: .generating, failing: Example.aps(#""title":"District 4","alert":"Late count""#),
        passing: Example.aps(#""alert":{"title":"District 4","body":"Late count"}"#))

    /// Names of other interfaces, and what has their effect.
    private static let hints = NameHints([
        (["click_action", "category_id", "category_identifier"], "did you mean category?"),
        (["thread_identifier"], "did you mean thread-id?"), (["badge_count"], "did you mean badge?"),
        (["target_content_identifier"], "did you mean target-content-id?"), (["action_loc_key"], "it belongs in alert"),
        (["sound_name"], "did you mean sound?"), (["text", "message"], "the text belongs in alert.body"),
        (["critical"], #"for a critical alert, send "sound": {"critical": 1, "name": "default", "volume": 1}"#),
        (["volume"], "the volume of a critical alert belongs in sound.volume"),
        (["actions", "buttons"], "the buttons come from the category, which the app registers"),
        (["collapse_key", "collapse_id"], "did you mean the header apns-collapse-id?"),
        (["priority"], "did you mean the header apns-priority (10, 5 or 1)?"),
        (["push_type"], "did you mean the header apns-push-type?"),
        (
            ["expiration", "expiry", "ttl", "time_to_live"],
            "did you mean the header apns-expiration (in seconds since 1970)?"
        ),
    ])

    private func checkUnknownKey(_ member: LintMember, in aps: LintNode, isLiveActivity: Bool) {
        let name = member.name
        if APNsHeader.isMeant(by: member.key) {
            report(
                PayloadRules.headerInPayload,
                "\(name) \(PayloadRules.headerWords(member)), and has no effect in the payload", at: member)
        } else if isInFCM, FCMAppleRules.isField(member) {
            report(
                FCMAppleRules.fieldInPayload, "\(name) belongs in apns, next to payload; in aps it is ignored",
                at: member)
        } else if let hint = Self.hints[name] {
            report(
                Self.customKeyInside, "Apple ignores the unknown key \"\(name)\" in aps; \(hint)", at: member)
        } else if let meant = (isLiveActivity ? Self.keys : Self.notificationKeys).suggestion(for: name) {
            report(
                Self.misspelledKey, "unknown key \"\(name)\" in aps\(meant.hint(in: aps))", at: member,
                edits: meant.renaming(member, in: aps))
        } else if let meant = AlertRules.shownKeys.spelled(like: name) {
            report(Self.alertKeyInAps, "\(name) belongs in alert: {\"alert\": {\"\(meant)\": …}}", at: member)
        } else {
            report(
                Self.customKeyInside,
                "Apple ignores the unknown key \"\(name)\" in aps; put app data next to aps", at: member)
        }
    }

    static let badgeType = Rule(
        "aps.badge-type", .error, "a badge that is a string",
        "badge must be a number. Libraries drop a string, and the icon keeps its number.", source: .generating,
        failing: Example.aps(#""alert":"Late count","badge":"3""#),
        passing: Example.aps(#""alert":"Late count","badge":3"#), isFixable: true)
    static let badgeValue = Rule(
        "aps.badge-value", .warning, "a badge that is not a whole number from 0",
        "badge is the number on the app icon. 0 removes it.", source: .generating,
        failing: Example.aps(#""alert":"Late count","badge":-1"#),
        passing: Example.aps(#""alert":"Late count","badge":0"#))

    private func checkBadge(_ value: LintNode) {
        switch value.kind {
        case .number:
            guard let number = value.view.double else { return }
            if number != number.rounded() || number < 0 {
                report(Self.badgeValue, "badge must be a whole number, 0 or greater", at: value)
            }
        case .string: reportKind(Self.badgeType, value, "badge", expected: "a number")
        default: reportKind(Self.wrongType, value, "badge", expected: "a number")
        }
    }

    static let flagValue = Rule(
        "aps.flag-value", .warning,
        "content-available, mutable-content or critical with a value other than the number 1",
        "Apple documents the number 1. How devices treat true or \"1\" is not documented. 0 and false turn nothing on.",
        source: .generating, failing: Example.aps(#""alert":"Late count","mutable-content":"1""#),
        passing: Example.aps(#""alert":"Late count","mutable-content":1"#), isFixable: true)

    func checkFlag(_ member: LintMember, _ value: LintNode) {
        guard !value.view.isOne else { return }
        let name = member.name
        let isMeant = APSContent.isMeantAsOne(value)
        report(
            Self.flagValue,
            isMeant
                ? "Apple documents the number 1 for \(name); it does not say whether \(value.source) works"
                : "only the number 1 turns \(name) on; to leave it off, omit it", at: value,
            edits: isMeant ? [TextEdit(value.range, "1")] : [])
    }

    private static let interruptionLevels = NameList(["passive", "active", "time-sensitive", "critical"])

    static let interruptionLevel = Rule(
        "aps.interruption-level", .error, "an unknown interruption level",
        "The levels are passive, active, time-sensitive and critical. With any other value, the notification is delivered as an ordinary one.",
        source: .generating, failing: Example.aps(#""alert":"Storm","interruption-level":"timeSensitive""#),
        passing: Example.aps(#""alert":"Storm","interruption-level":"time-sensitive""#), isFixable: true)

    private func checkInterruptionLevel(_ value: LintNode) {
        guard let string = value.string else {
            // A number in quotes is no level.
            return report(Self.wrongType, "interruption-level must be a string, not \(value.kindName)", at: value)
        }
        guard !string.isOne(of: Self.interruptionLevels.names) else { return }
        let level = string.string
        let meant = Self.interruptionLevels.suggestion(for: level)
        report(
            Self.interruptionLevel,
            "\"\(level)\" is not passive, active, time-sensitive or critical\(meant?.hint ?? "")", at: value,
            edits: meant?.replacing(value) ?? [])
    }
}

/// Combinations of keys in the `aps` of a notification.
struct APSCombinationRules: RuleCheck {
    static let rules = [
        nothingVisible, contentAvailableWithAlert, silentWithSoundOrBadge, mutableWithoutAlert, categoryWithoutAlert,
        soundAlone,
    ]
    let run: LintRun

    func check(_ aps: LintNode, _ around: APNsSurroundings) {
        guard around.isForNotification else { return }
        let content = APSContent(aps)
        var available: LintMember?
        var mutable: LintMember?
        var category: LintMember?
        aps.forEachMember { member in
            switch member.key {
            case "content-available": available = member.value.kind == .null ? nil : member
            case "mutable-content": mutable = member
            case "category": category = member
            default: break
            }
        }
        let hasAlert = content.hasAlert || around.hasTextElsewhere
        if let available, content.isContentAvailable, around.pushType != .background || !hasAlert {
            checkSilent(available, content, hasAlert: hasAlert)
        }
        if let mutable, content.isMutable, !hasAlert {
            report(
                Self.mutableWithoutAlert, "without a title, subtitle or body, the service extension does not run",
                at: mutable)
        }
        if let category, !hasAlert {
            report(Self.categoryWithoutAlert, "without an alert, there are no actions to show", at: category)
        }
        if !content.isVisible, available == nil { checkNothingVisible(aps, around) }
        if content.firstVisible == "sound", !hasAlert, available == nil, mutable == nil,
            let sound = aps.member("sound"),
            aps["badge"]?.kind ?? .null == .null, aps["alert"] == nil, !run.hasReported(APSRules.alertKeyInAps.id)
        {
            report(Self.soundAlone, "without an alert, the sound plays but nothing is shown", at: sound)
        }
    }

    static let soundAlone = Rule(
        "aps.sound-alone", .info, "a sound with nothing to show",
        "A push with only a sound is allowed. The sound plays, but nothing appears on the screen or in Notification Center.",
        source: .generating, failing: Example.aps(#""sound":"default""#),
        passing: Example.aps(#""alert":"Late count","sound":"default""#))

    static let mutableWithoutAlert = Rule(
        "aps.mutable-without-alert", .warning, "mutable-content without an alert",
        "The notification service extension runs only for a push with mutable-content 1 and a title, subtitle or body. It does not run for sounds, badges or silent pushes.",
        source: .modifying, failing: Example.aps(#""mutable-content":1,"badge":2"#),
        passing: Example.aps(#""mutable-content":1,"alert":"Late count""#))
    static let categoryWithoutAlert = Rule(
        "aps.category-without-alert", .info, "a category without an alert",
        "A category adds buttons to an alert. Without an alert, there is nothing to add them to. Apple does not spell this out.",
        source: .generating, failing: Example.aps(#""category":"COUNT","badge":2"#),
        passing: Example.aps(#""category":"COUNT","alert":"Late count""#))

    static let contentAvailableWithAlert = Rule(
        "aps.content-available-with-alert", .info, "content-available with an alert",
        "The user sees an alert, and the app is also woken in the background. This is not a silent push: send it as an alert.",
        source: .background, failing: Example.aps(#""alert":"Late count","content-available":1"#),
        passing: Example.aps(#""content-available":1"#))
    static let silentWithSoundOrBadge = Rule(
        "aps.silent-with-sound-or-badge", .warning, "content-available with a sound or a badge",
        "A silent push has only content-available in aps. With a badge or sound it is a notification, which has another push type and priority.",
        source: .background, failing: Example.aps(#""content-available":1,"sound":"""#),
        passing: Example.aps(#""content-available":1"#))

    private func checkSilent(_ available: LintMember, _ content: APSContent, hasAlert: Bool) {
        if hasAlert {
            report(
                Self.contentAvailableWithAlert,
                "with an alert, this is not a silent push: the user sees it, and the app is also woken", at: available
            )
        } else if let visible = content.firstVisible, visible != "alert" {
            report(Self.silentWithSoundOrBadge, "with \"\(visible)\", this is no longer a silent push", at: available)
        }
    }

    static let nothingVisible = Rule(
        "aps.nothing-visible", .warning, "nothing to show, play or wake",
        "To be seen or heard, a payload needs alert, badge or sound. To wake the app, it needs content-available. APNs is known to answer 200 to other payloads, but nothing happens. FCM answered 400 to an empty aps in 2018 and 2019. According to a report of 2025, it no longer does.",
        source: .generating, failing: #"{"aps":{"thread-id":"counts"},"article":7}"#,
        passing: #"{"aps":{"content-available":1},"article":7}"#)

    private func checkNothingVisible(_ aps: LintNode, _ around: APNsSurroundings) {
        var members = aps.view.members
        let isEmpty = members.next() == nil
        if isEmpty, around.source == .fcm {
            let answer = "Value of [aps] must be a non-empty dictionary."
            return report(Self.nothingVisible, "aps is empty; FCM is known to have answered 400 \"\(answer)\"", at: aps)
        }
        // VoIP and complication pushes have nothing but an empty aps.
        guard !(isEmpty && around.source == .bare), !around.hasTextElsewhere, aps["content-changed"] == nil,
            aps["url-args"] == nil,
            around.pushType != .background, !run.hasReported(APSRules.misspelledKey.id)
        else { return }
        report(
            Self.nothingVisible, "no alert, badge, sound or content-available: nothing happens on the device", at: aps)
    }
}

/// The parts of an `aps` that the device shows.
struct APSContent {
    var hasAlert = false
    var isContentAvailable = false
    var isMutable = false
    /// `alert`, `badge` or `sound`, whichever comes first.
    var firstVisible: String?

    /// True if there is an alert, a badge or a sound.
    var isVisible: Bool { firstVisible != nil }

    init(_ aps: LintNode?) {
        guard let aps, aps.isObject else { return }
        aps.forEachMember { member in
            switch member.key {
            case "alert":
                hasAlert = Self.hasText(member.value)
                if member.value.kind != .null { firstVisible = firstVisible ?? "alert" }
            case "badge": if member.value.kind != .null { firstVisible = firstVisible ?? "badge" }
            case "sound": if member.value.kind != .null { firstVisible = firstVisible ?? "sound" }
            case "content-available": isContentAvailable = Self.isMeantAsOne(member.value)
            case "mutable-content": isMutable = Self.isMeantAsOne(member.value)
            default: break
            }
        }
    }

    /// True if a flag is set, or was meant to be. It is not documented how devices read `true` and `"1"`.
    static func isMeantAsOne(_ value: LintNode) -> Bool {
        if value.view.isOne || value.kind == .true { return true }
        guard let string = value.string else { return false }
        return string.isInAnyCase("1") || string.isInAnyCase("true") || string.isInAnyCase("yes")
    }

    /// True if an alert has text.
    static func hasText(_ alert: LintNode) -> Bool {
        if let string = alert.string { return string.count > 0 }
        var found = false
        alert.forEachMember { member in
            switch member.key {
            case "title", "subtitle", "body", "loc-key", "title-loc-key", "subtitle-loc-key":
                if member.value.isObject || (member.value.string?.count ?? 0) > 0 { found = true }
            default: break
            }
        }
        return found
    }
}

/// The member `sound` of `aps`.
struct SoundRules: RuleCheck {
    static let rules = [soundName, soundVolume, soundNotCritical, soundKey, soundFormat]
    let run: LintRun

    func check(_ sound: LintNode) {
        if sound.isString { return checkFile(sound) }
        guard sound.isObject else {
            return reportKind(APSRules.wrongType, sound, "sound", expected: "a string or an object")
        }
        sound.forEachMember(checkKey)
        if sound["name"] == nil { report(Self.soundName, "a sound object must have a name", at: sound) }
        // Observed: pushy issue 686 writes true. What devices make of it is not documented.
        if let critical = sound.member("critical"), APSContent.isMeantAsOne(critical.value) {
            APSRules(run: run).checkFlag(critical, critical.value)
        } else if !hasMisspelledFlag(sound) {
            report(
                Self.soundNotCritical,
                "only a critical alert takes an object, with \"critical\": 1; otherwise send a string", at: sound)
        }
    }

    /// True if `critical` is meant by a key that is reported as misspelled.
    private func hasMisspelledFlag(_ sound: LintNode) -> Bool {
        guard sound["critical"] == nil else { return false }
        var isMisspelled = false
        sound.forEachMember { if Self.keys.suggestion(for: $0.name)?.name == "critical" { isMisspelled = true } }
        return isMisspelled
    }

    static let soundName = Rule(
        "aps.sound-name", .error, "a sound object without a name",
        "The sound of a critical alert is an object with critical, name and volume. Without a name, there is no sound to play.",
        source: .generating, failing: Example.aps(#""alert":"Storm","sound":{"critical":1,"volume":0.8}"#),
        passing: Example.aps(#""alert":"Storm","sound":{"critical":1,"name":"siren.caf","volume":0.8}"#))
    static let soundNotCritical = Rule(
        "aps.sound-not-critical", .warning, "a sound object that is not critical",
        "A sound object is for critical alerts, with \"critical\": 1 and Apple's entitlement. For every other push, sound is a string. What a device does with the object then is not documented.",
        source: .generating, failing: Example.aps(#""alert":"Storm","sound":{"name":"siren.caf","volume":0.8}"#),
        passing: Example.aps(#""alert":"Storm","sound":"siren.caf""#))

    private static let keys = NameList(["critical", "name", "volume"])

    static let soundKey = Rule(
        "aps.sound-key", .warning, "an unknown key in a sound object",
        "A sound object has the keys critical, name and volume.", source: .generating,
        failing: Example.aps(#""alert":"Storm","sound":{"critical":1,"name":"siren.caf","loudness":1}"#),
        passing: Example.aps(#""alert":"Storm","sound":{"critical":1,"name":"siren.caf","volume":1}"#))
    static let soundVolume = Rule(
        "aps.sound-volume", .warning, "a volume outside 0 to 1",
        "The volume of a critical alert is from 0 (silent) to 1 (full).", source: .generating,
        failing: Example.aps(#""alert":"Storm","sound":{"critical":1,"name":"siren.caf","volume":80}"#),
        passing: Example.aps(#""alert":"Storm","sound":{"critical":1,"name":"siren.caf","volume":0.8}"#))

    private func checkKey(_ member: LintMember) {
        let value = member.value
        switch member.key {
        case "critical": break
        case "name":
            if value.isString {
                checkFile(value)
            } else {
                reportKind(APSRules.wrongType, value, "name", expected: "a string")
            }
        case "volume":
            if value.kind != .number {
                reportKind(APSRules.wrongType, value, "volume", expected: "a number")
            } else if let volume = value.view.double, !(0...1).contains(volume) {
                report(Self.soundVolume, "volume must be from 0 to 1", at: value)
            }
        default:
            report(
                Self.soundKey,
                "unknown key \"\(member.name)\" in sound\(Self.keys.suggestion(for: member.name)?.hint ?? "")",
                at: member)
        }
    }

    private static let otherFormats = [".mp3", ".m4a", ".aac", ".ogg", ".flac", ".wma", ".opus"]

    static let soundFormat = Rule(
        "aps.sound-format", .warning, "a sound file that is not found, or whose format does not play",
        "Sounds are aiff, wav or caf files of less than 30 seconds, directly in the app's bundle or in Library/Sounds, not in a subfolder. Otherwise the default sound plays.",
        source: .sound, failing: Example.aps(#""alert":"Storm","sound":"siren.mp3""#),
        passing: Example.aps(#""alert":"Storm","sound":"siren.caf""#))

    private func checkFile(_ node: LintNode) {
        // SOUND: each byte is one of the string's.
        guard let string = node.string else { return }
        if string.withDecoded({ $0.isPadded }) { PayloadRules(run: run).reportPadded("the sound", at: node) }
        guard unsafe string.raw.buffer.contains(where: { "./".utf8.contains($0) }) || string.hasEscapes else { return }
        let name = string.string
        if name.contains("/") {
            report(Self.soundFormat, "sound must be a file name alone; files in folders are not found", at: node)
        }
        guard let format = Self.otherFormats.first(where: { name.lowercased().hasSuffix($0) }) else { return }
        report(Self.soundFormat, "\(format) files do not play; use an aiff, wav or caf file", at: node)
    }
}
