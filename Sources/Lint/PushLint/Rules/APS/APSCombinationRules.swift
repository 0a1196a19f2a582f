import PayloadJSON
import PushModel

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
        if let available, content.isContentAvailable, around.pushType != .background {
            checkSilent(available, content, hasAlert: hasAlert)
        }
        if let mutable, content.isMutable, !hasAlert {
            report(
                Self.mutableWithoutAlert, "without a title, subtitle or body to show, the extension is not run",
                at: mutable)
        }
        if let category, !hasAlert {
            report(Self.categoryWithoutAlert, "without an alert there are no actions to show", at: category)
        }
        if !content.isVisible, available == nil { checkNothingVisible(aps, around) }
        if content.firstVisible == "sound", !hasAlert, available == nil, mutable == nil,
            let sound = aps.member("sound"),
            aps["badge"]?.kind ?? .null == .null, aps["alert"] == nil, !run.hasReported(APSRules.alertKeyInAps.id)
        {
            report(Self.soundAlone, "without an alert the sound is played, and nothing is shown", at: sound)
        }
    }

    static let soundAlone = Rule(
        "aps.sound-alone", .info, "a sound, and nothing to show",
        "A push with a sound alone is allowed: it is heard, and leaves nothing on the screen and in Notification Center.",
        source: .generating, failing: Example.aps(#""sound":"default""#),
        passing: Example.aps(#""alert":"Late count","sound":"default""#))

    static let mutableWithoutAlert = Rule(
        "aps.mutable-without-alert", .warning, "mutable-content without an alert",
        "The Notification Service Extension runs only for a push with mutable-content 1 and a title, subtitle or body; not for sounds, badges or silent pushes.",
        source: .modifying, failing: Example.aps(#""mutable-content":1,"badge":2"#),
        passing: Example.aps(#""mutable-content":1,"alert":"Late count""#))
    static let categoryWithoutAlert = Rule(
        "aps.category-without-alert", .info, "a category without an alert",
        "A category brings buttons to an alert. Without one there is nothing to put them on. Apple does not spell this out.",
        source: .generating, failing: Example.aps(#""category":"COUNT","badge":2"#),
        passing: Example.aps(#""category":"COUNT","alert":"Late count""#))

    static let contentAvailableWithAlert = Rule(
        "aps.content-available-with-alert", .info, "content-available together with an alert",
        "The user sees an alert, and the app is woken in the background too. It is not a silent push: send it as an alert.",
        source: .background, failing: Example.aps(#""alert":"Late count","content-available":1"#),
        passing: Example.aps(#""content-available":1"#))
    static let silentWithSoundOrBadge = Rule(
        "aps.silent-with-sound-or-badge", .warning, "content-available together with a sound or a badge",
        "A silent push has content-available and nothing else in aps. With a badge or sound it is a notification, with another push type and priority.",
        source: .background, failing: Example.aps(#""content-available":1,"sound":"""#),
        passing: Example.aps(#""content-available":1"#))

    private func checkSilent(_ available: LintMember, _ content: APSContent, hasAlert: Bool) {
        if hasAlert {
            report(
                Self.contentAvailableWithAlert,
                "with an alert this is not a silent push: the user sees it, and the app is woken as well", at: available
            )
        } else if let visible = content.firstVisible, visible != "alert" {
            report(Self.silentWithSoundOrBadge, "with \"\(visible)\" this is not a silent push any more", at: available)
        }
    }

    static let nothingVisible = Rule(
        "aps.nothing-visible", .warning, "nothing to show, hear or wake",
        "To be seen or heard a payload needs alert, badge or sound; to wake the app, content-available. APNs is known to accept others with 200, and nothing happens.",
        source: .generating, failing: #"{"aps":{"thread-id":"counts"},"article":7}"#,
        passing: #"{"aps":{"content-available":1},"article":7}"#)

    private func checkNothingVisible(_ aps: LintNode, _ around: APNsSurroundings) {
        // VoIP and complication pushes have nothing but an empty aps.
        var members = aps.view.members
        let isFree = around.source == .bare && members.next() == nil
        guard !isFree, !around.hasTextElsewhere, aps["content-changed"] == nil, aps["url-args"] == nil,
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
