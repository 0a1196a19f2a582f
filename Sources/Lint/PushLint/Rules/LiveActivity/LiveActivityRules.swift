import PushDecoding
import PushJSON
import PushModel

/// Pushes that start, update and end Live Activities.
struct LiveActivityRules: RuleCheck {
    static let rules = [
        timestamp, dateUnit, event, startIncomplete, contentState, finalState, attributesLater, inputLater, inputBoth,
        channelID, broadcastStart, priority, pushType, dismissalDate, nullInState,
    ]
    let run: LintRun

    private static func rule(
        _ id: String, _ severity: Finding.Severity, _ title: String, _ explanation: String, failing: String,
        passing: String = update, isFixable: Bool = false
    ) -> Rule {
        Rule(
            id, severity, title, explanation, source: .liveActivity, failing: failing, passing: passing,
            isFixable: isFixable)
    }

    private static func example(_ aps: String, headers: String = #""apns-priority":"10""#) -> String {
        Example.request(
            #""apns-push-type":"liveactivity",\#(headers)"#, #"{"aps":\#(aps)}"#,
            topic: "org.example.news.push-type.liveactivity")
    }

    private static func startExample(_ input: String) -> String {
        example(
            #"{"timestamp":1730761200,"event":"start","content-state":{"counted":0},"attributes-type":"CountAttributes","attributes":{"district":4},"alert":{"title":"District 4","body":"Counting begins"},\#(input)}"#
        )
    }

    private static let update = example(#"{"timestamp":1730761200,"event":"update","content-state":{"counted":12}}"#)
    private static let start = example(
        #"{"timestamp":1730761200,"event":"start","content-state":{"counted":0},"attributes-type":"CountAttributes","attributes":{"district":4},"alert":{"title":"District 4","body":"Counting begins"}}"#
    )

    /// True if the keys of an `aps` say that a push is for a Live Activity. The decoder reads pushes without a type in the same way.
    static func isMeant(by aps: LintNode?, _ around: APNsSurroundings) -> Bool {
        guard let aps, !around.hasPushType, around.pushType == nil else { return false }
        return aps["event"] != nil && (aps["content-state"] != nil || aps["timestamp"] != nil)
    }

    /// The `aps` of a push to a Live Activity.
    func check(_ aps: LintNode, _ around: APNsSurroundings) {
        checkDates(aps)
        checkInput(aps)
        for name in ["content-state", "attributes"] as [StaticString] {
            aps[name]?.forEachMember { member in
                guard member.value.kind == .null else { return }
                report(Self.nullInState, "only an optional property can be null", at: member.value)
            }
        }
        guard let event = aps["event"] else {
            return report(Self.event, "event is missing; it must be start, update or end", at: aps)
        }
        checkEvent(event, of: aps, around)
        if let date = aps.member("dismissal-date"), date.value.kind != .null, let name = event.swiftString,
            name != "end"
        {
            report(
                Self.dismissalDate, "dismissal-date has an effect only with event end, not with \(name)", at: date)
        }
        // A broadcast takes 1, too. Source: Apple, "Sending broadcast push notification requests to APNs".
        if around.priority == "1", !around.isBroadcast, let node = around.priorityNode {
            report(Self.priority, "a Live Activity takes apns-priority 5 or 10", at: node)
        }
    }

    static let priority = rule(
        "live-activity.priority", .warning, "a priority that Live Activities do not take",
        "Apple names 5 and 10 for Live Activities. 10 counts against a budget, and 5 does not. Broadcasts can also have 1.",
        failing: example(
            #"{"timestamp":1730761200,"event":"update","content-state":{"counted":12}}"#,
            headers: #""apns-priority":"1""#))

    static let nullInState = rule(
        "live-activity.null", .info, "null in content-state or attributes",
        "ActivityKit decodes content-state and attributes into the app's types. Only an optional property can be null. With any other null, the state cannot be decoded, and the activity keeps its current one.",
        failing: example(#"{"timestamp":1730761200,"event":"update","content-state":{"counted":null}}"#))
    static let dismissalDate = rule(
        "live-activity.dismissal-date", .warning, "a dismissal-date without event end",
        "The date says when an activity that has ended leaves the screen. Apple documents it only for event end.",
        failing: example(
            #"{"timestamp":1730761200,"event":"update","content-state":{"counted":12},"dismissal-date":1730764800}"#))

    private static let dates: [StaticString] = ["timestamp", "stale-date", "dismissal-date"]

    static let dateUnit = rule(
        "live-activity.date-unit", .error, "a date in milliseconds",
        "timestamp, stale-date and dismissal-date are in seconds since 1970.",
        failing: example(#"{"timestamp":1730761200000,"event":"update","content-state":{"counted":12}}"#),
        isFixable: true)
    static let timestamp = rule(
        "live-activity.timestamp", .error, "a push to a Live Activity without a timestamp",
        "The system shows the state with the newest timestamp, so each push needs one.",
        failing: example(#"{"event":"update","content-state":{"counted":12}}"#))

    private func checkDates(_ aps: LintNode) {
        for name in Self.dates {
            guard let date = aps[name], let seconds = date.view.double, seconds > 100_000_000_000 else { continue }
            report(
                Self.dateUnit, "\(name) is in seconds since 1970, but \(date.source) looks like milliseconds",
                at: date, edits: date.view.int64.map { [TextEdit(date.range, "\($0 / 1000)")] } ?? [])
        }
        if aps["timestamp"].map({ $0.kind == .null }) ?? true {
            report(Self.timestamp, "without a timestamp the system cannot tell which push is the newest", at: aps)
        }
    }

    private static let events = NameList(["start", "update", "end"])

    static let event = rule(
        "live-activity.event", .error, "a missing or unknown event", "event must be start, update or end.",
        failing: example(#"{"timestamp":1730761200,"event":"finish","content-state":{"counted":12}}"#))
    static let contentState = rule(
        "live-activity.content-state", .error, "an update without a content-state",
        "An update shows the new content-state.", failing: example(#"{"timestamp":1730761200,"event":"update"}"#))
    static let finalState = rule(
        "live-activity.final-state", .info, "an end without a final content-state",
        "The activity stays on the Lock Screen for up to four hours, with its last state. Apple advises sending a final state.",
        failing: example(#"{"timestamp":1730761200,"event":"end"}"#),
        passing: example(#"{"timestamp":1730761200,"event":"end","content-state":{"counted":98}}"#))

    private func checkEvent(_ event: LintNode, of aps: LintNode, _ around: APNsSurroundings) {
        switch event.swiftString {
        case "start": checkStart(aps, event, around)
        case "update":
            if aps["content-state"] == nil { report(Self.contentState, "an update needs a content-state", at: aps) }
            checkStaticParts(aps)
        case "end":
            if aps["content-state"] == nil {
                report(Self.finalState, "without a final content-state, the last one stays on the screen", at: aps)
            }
            checkStaticParts(aps)
        case .some(let name):
            report(
                Self.event, "unknown event \"\(name)\"; use start, update or end", at: event,
                edits: Self.events.suggestion(for: name)?.replacing(event) ?? [])
        case nil: break  // Reported as a value of the wrong type.
        }
    }

    private static let startKeys: [StaticString] = ["alert", "attributes-type", "attributes", "content-state"]

    static let broadcastStart = rule(
        "live-activity.broadcast-start", .error, "a broadcast that starts an activity",
        "A push through a channel can update and end activities, but cannot start one.",
        failing: example(
            #"{"timestamp":1730761200,"event":"start","content-state":{"counted":0},"attributes-type":"CountAttributes","attributes":{"district":4},"alert":{"title":"District 4"}}"#,
            headers: #""apns-priority":"10","apns-channel-id":"dHN0LXNyY2gtY2hubA==","apns-expiration":"0""#),
        passing: start)
    static let startIncomplete = rule(
        "live-activity.start-incomplete", .error, "a start without a required key",
        "A push that starts an activity has alert, attributes-type, attributes and content-state, from iOS 17.2 on. If one of them is missing, the activity does not start.",
        failing: example(#"{"timestamp":1730761200,"event":"start","content-state":{"counted":0}}"#), passing: start)

    private func checkStart(_ aps: LintNode, _ event: LintNode, _ around: APNsSurroundings) {
        if around.isBroadcast {
            report(Self.broadcastStart, "a broadcast can update and end activities, but not start one", at: event)
        }
        let missing = Self.startKeys.filter { aps[$0] == nil }.map(\.description)
        guard !missing.isEmpty else { return }
        report(Self.startIncomplete, "an activity does not start without \(missing.joined(separator: ", "))", at: event)
    }

    static let attributesLater = rule(
        "live-activity.attributes-later", .warning, "attributes in an update or an end",
        "Attributes are static: they count only when the activity starts.",
        failing: example(
            #"{"timestamp":1730761200,"event":"update","content-state":{"counted":12},"attributes":{"district":4}}"#))
    static let inputLater = rule(
        "live-activity.input-later", .warning, "input-push-token or input-push-channel in an update or an end",
        "These keys say how the activity that starts will be updated: with its own token, or through a channel.",
        failing: example(
            #"{"timestamp":1730761200,"event":"update","content-state":{"counted":12},"input-push-token":1}"#))

    /// Keys that belong to the start of an activity.
    private func checkStaticParts(_ aps: LintNode) {
        aps.forEachMember { member in
            let text = "\(member.name) counts only at the start of an activity"
            if member.key == "attributes" || member.key == "attributes-type" {
                report(Self.attributesLater, text, at: member)
            } else if member.key == "input-push-token" || member.key == "input-push-channel" {
                report(Self.inputLater, text, at: member)
            }
        }
    }

    static let inputBoth = rule(
        "live-activity.input-both", .warning, "both input-push-token and input-push-channel",
        "An activity is updated with its own token, or through a channel. ActivityKit takes one push type for an activity. Which of the two keys wins is not documented.",
        failing: startExample(#""input-push-token":1,"input-push-channel":"dHN0LXNyY2gtY2hubA==""#),
        passing: startExample(#""input-push-channel":"dHN0LXNyY2gtY2hubA==""#))
    static let channelID = rule(
        "live-activity.channel-id", .warning, "an input-push-channel that is not a channel id",
        "The id is the Base64 text that APNs returned when the channel was created. With any other text, the activity gets no updates.",
        failing: startExample(#""input-push-channel":"results 2026""#),
        passing: startExample(#""input-push-channel":"dHN0LXNyY2gtY2hubA==""#))

    /// How an activity that starts is updated. Sources: Apple, as above, and ActivityKit, `PushType`.
    private func checkInput(_ aps: LintNode) {
        guard let channel = aps["input-push-channel"], let text = channel.swiftString else { return }
        if !APNsAcceptance.isChannelID(text) {
            report(Self.channelID, "a channel id is Base64, as APNs returned it", at: channel)
        }
        if aps["input-push-token"]?.view.isOne ?? false {
            report(Self.inputBoth, "an activity is updated with its token or through a channel, not both", at: channel)
        }
    }

    private static let ownKeys: [StaticString] = [
        "event", "content-state", "stale-date", "dismissal-date", "attributes-type", "attributes", "timestamp",
        "input-push-channel", "input-push-token",
    ]

    static let pushType = rule(
        "live-activity.push-type", .warning, "Live Activity keys in another push",
        "event, content-state and similar keys are read in pushes of type liveactivity. Apple does not say what happens to them in other pushes.",
        failing: Example.request(
            #""apns-push-type":"alert""#,
            #"{"aps":{"alert":"Late count","event":"update","content-state":{"counted":12}}}"#))

    /// Keys of Live Activities in a push of another type.
    func checkOtherPush(_ aps: LintNode, _ around: APNsSurroundings) {
        guard around.isForNotification else { return }
        var first: LintMember?
        aps.forEachMember { member in if first == nil, member.key.isOne(of: Self.ownKeys) { first = member } }
        guard let first else { return }
        report(Self.pushType, "\(first.name) has an effect only with apns-push-type liveactivity", at: first)
    }
}
