import PushModel

extension Rule {
    private static func rule(
        _ id: String, _ severity: Finding.Severity, _ title: String, why: String, failing: String,
        passing: String = Example.update, isFixable: Bool = false
    ) -> Rule {
        Rule(
            "live-activity.\(id)", severity, title, why: why, source: .liveActivity, failing: failing, passing: passing,
            isFixable: isFixable)
    }

    static let liveActivityTimestamp = rule(
        "timestamp", .error, "a push to a Live Activity without a timestamp",
        why: "The system shows the state with the newest timestamp, so each push needs one.",
        failing: Example.liveActivity(#"{"event":"update","content-state":{"counted":12}}"#))
    static let liveActivityDateUnit = rule(
        "date-unit", .error, "a date in milliseconds",
        why: "timestamp, stale-date and dismissal-date are seconds since 1970.",
        failing: Example.liveActivity(#"{"timestamp":1730761200000,"event":"update","content-state":{"counted":12}}"#),
        isFixable: true)
    static let liveActivityEvent = rule(
        "event", .error, "no event, or one that does not exist", why: "event is start, update or end.",
        failing: Example.liveActivity(#"{"timestamp":1730761200,"event":"finish","content-state":{"counted":12}}"#))
    static let liveActivityStartIncomplete = rule(
        "start-incomplete", .error, "a start without what an activity needs",
        why:
            "A push that starts an activity has alert, attributes-type, attributes and content-state, from iOS 17.2 on. Without one of them it does not start.",
        failing: Example.liveActivity(#"{"timestamp":1730761200,"event":"start","content-state":{"counted":0}}"#),
        passing: Example.start)
    static let liveActivityContentState = rule(
        "content-state", .error, "an update without a content-state", why: "The content-state is what an update shows.",
        failing: Example.liveActivity(#"{"timestamp":1730761200,"event":"update"}"#))
    static let liveActivityFinalState = rule(
        "final-state", .info, "an end without a final content-state",
        why:
            "The activity stays on the lock screen for up to four hours, with the last state it had. Apple advises to send a final one.",
        failing: Example.liveActivity(#"{"timestamp":1730761200,"event":"end"}"#),
        passing: Example.liveActivity(#"{"timestamp":1730761200,"event":"end","content-state":{"counted":98}}"#))
    static let liveActivityAttributesLater = rule(
        "attributes-later", .warning, "attributes in an update or an end",
        why: "The attributes are static: they count when the activity starts.",
        failing: Example.liveActivity(
            #"{"timestamp":1730761200,"event":"update","content-state":{"counted":12},"attributes":{"district":4}}"#))
    static let liveActivityInputLater = rule(
        "input-later", .warning, "input-push-token or input-push-channel in an update or an end",
        why: "They say how an activity that starts will be updated: by a token of its own, or through a channel.",
        failing: Example.liveActivity(
            #"{"timestamp":1730761200,"event":"update","content-state":{"counted":12},"input-push-token":1}"#))
    static let liveActivityBroadcastStart = rule(
        "broadcast-start", .error, "a broadcast that starts an activity",
        why: "A push through a channel can update and end activities, but cannot start one.",
        failing: Example.liveActivity(
            #"{"timestamp":1730761200,"event":"start","content-state":{"counted":0},"attributes-type":"CountAttributes","attributes":{"district":4},"alert":{"title":"District 4"}}"#,
            headers: #""apns-priority":"10","apns-channel-id":"dHN0LXNyY2gtY2hubA==","apns-expiration":"0""#),
        passing: Example.start)
    static let liveActivityPriority = rule(
        "priority", .warning, "a priority that Live Activities do not take",
        why:
            "Apple names 5 and 10 for Live Activities. 10 counts against a budget, 5 does not. Broadcasts may have 1, too.",
        failing: Example.liveActivity(
            #"{"timestamp":1730761200,"event":"update","content-state":{"counted":12}}"#,
            headers: #""apns-priority":"1""#))
    static let liveActivityPushType = rule(
        "push-type", .warning, "keys of a Live Activity in another push",
        why:
            "event, content-state and similar keys are read in pushes of type liveactivity. Apple does not say what others do with them.",
        failing: Example.request(
            #""apns-push-type":"alert""#,
            #"{"aps":{"alert":"Late count","event":"update","content-state":{"counted":12}}}"#))

    static let liveActivityRules = [
        liveActivityTimestamp, liveActivityDateUnit, liveActivityEvent, liveActivityStartIncomplete,
        liveActivityContentState,
        liveActivityFinalState, liveActivityAttributesLater, liveActivityInputLater, liveActivityBroadcastStart,
        liveActivityPriority,
        liveActivityPushType,
    ]
}
