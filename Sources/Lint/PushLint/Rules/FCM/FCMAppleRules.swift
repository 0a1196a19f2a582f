import PayloadJSON
import PushModel

/// The block `apns` of a message for FCM.
struct FCMAppleRules: RuleCheck {
    static let rules = [fieldInPayload, backgroundDelivery, liveActivityToken]
    let run: LintRun

    /// - Parameters:
    ///   - message: the object that it is in.
    ///   - hasText: true if the message has a text that FCM puts into the payload.
    ///   - isBare: true for a message as an Admin SDK takes it.
    func check(_ apns: LintNode, in message: LintNode, hasText: Bool, isBare: Bool = false) {
        guard apns.isObject else { return }
        var around = APNsSurroundings(source: .fcm)
        if let headers = apns["headers"], headers.isObject {
            around = APNsHeaderRules(run: run).check(headers, source: .fcm)
            APNsRefusalRules(run: run).checkHandedOn(headers, around)
        }
        around.hasTextElsewhere = hasText
        if !around.hasPushType, (apns.either("live_activity_token", "liveActivityToken")?.string?.count ?? 0) > 0 {
            around.pushType = .liveactivity
        }
        if let payload = apns["payload"], payload.isObject {
            payload.forEachMember(checkMember)
            // The payload that the Admin SDK sends has other names.
            if isBare, AdminNames.areIn(payload: payload.view) {
                return checkSilentDelivery(payload["aps"], apns, in: message, around)
            }
            APNsRequestRules(run: run).check(payload, around)
        } else if Self.isOnlyContent(of: message), around.isForNotification {
            report(PayloadRules.apsMissing, "without apns.payload.aps the device has nothing to show", at: apns)
        }
        let aps = apns["payload"]?["aps"].flatMap { $0.isObject ? $0 : nil }
        if around.pushType == .liveactivity || LiveActivityRules.isMeant(by: aps, around) {
            checkLiveActivity(aps, apns, around)
        } else if around.isForNotification, message["notification"]?.kind ?? .null == .null {
            checkDelivery(aps, apns, around, hasData: message["data"]?.hasMembers ?? false)
        }
    }

    /// True if a message has nothing but `apns` that could reach a device.
    private static func isOnlyContent(of message: LintNode) -> Bool {
        (["notification", "data", "android", "webpush"] as [StaticString]).allSatisfy { message[$0] == nil }
    }

    private static let fields = NameList(["headers", "payload", "live_activity_token", "fcm_options"])

    static let fieldInPayload = Rule.fcm(
        "fcm.apns-field-in-payload", .warning, "a field of apns inside apns.payload",
        "apns has headers, payload, live_activity_token and fcm_options. Inside payload they are data for the app: no header is sent, and no Live Activity is addressed.",
        failing: #""apns":{"payload":{"aps":{"alert":"Late count"},"headers":{"apns-priority":"5"}}}"#,
        passing: #""apns":{"payload":{"aps":{"alert":"Late count"}},"headers":{"apns-priority":"5"}}"#)

    /// True if a member inside `payload` is a field of `apns`. The app may have data of these names.
    static func isField(_ member: LintMember) -> Bool {
        switch fields.spelled(like: member.name)?.description {
        case nil: return false
        case "live_activity_token": return true
        case "payload": return member.value["aps"] != nil
        case "headers":
            var hasHeader = false
            member.value.forEachMember { if APNsHeader.named($0.key) != nil { hasHeader = true } }
            return hasHeader
        default: return member.value.isObject
        }
    }

    private func checkMember(_ member: LintMember) {
        guard Self.isField(member) else { return }
        report(
            Self.fieldInPayload, "\(member.name) belongs in apns, beside payload; in payload it is data for the app",
            at: member)
    }

    static let liveActivityToken = Rule.fcm(
        "fcm.live-activity-token", .error, "a push to a Live Activity without its live_activity_token",
        "apns.live_activity_token has the token of the activity, or to start one the app's push-to-start token. FCM sends a message without it to the app, and no activity is started, updated or ended.",
        source: .fcmLiveActivity,
        failing:
            #""apns":{"headers":{"apns-priority":"10"},"payload":{"aps":{"timestamp":1730761200,"event":"update","content-state":{"counted":12}}}}"#,
        passing:
            #""apns":{"live_activity_token":"\#(Example.token)","headers":{"apns-priority":"10"},"payload":{"aps":{"timestamp":1730761200,"event":"update","content-state":{"counted":12}}}}"#
    )

    private func checkLiveActivity(_ aps: LintNode?, _ apns: LintNode, _ around: APNsSurroundings) {
        guard let aps, (apns.either("live_activity_token", "liveActivityToken")?.string?.count ?? 0) == 0 else {
            return
        }
        // With a push type of its own the sender does something else, which is not documented; but nothing starts so.
        guard !around.hasPushType || aps["event"]?.swiftString == "start" else { return }
        report(
            Self.liveActivityToken, "FCM reaches a Live Activity by apns.live_activity_token alone",
            at: aps["event"] ?? aps)
    }

    static let backgroundDelivery = Rule.fcm(
        "fcm.background-delivery", .warning, "a data message that iOS does not hand to an app in the background",
        "To wake an app of iOS a message without an alert needs content-available 1 in apns.payload.aps, and apns-priority 5 in apns.headers: without the header FCM sends priority 10, which Apple calls an error for a background push.",
        failing: #""data":{"score":"12"},"apns":{"headers":{"apns-priority":"5"},"payload":{"aps":{}}}"#,
        passing:
            #""data":{"score":"12"},"apns":{"headers":{"apns-priority":"5"},"payload":{"aps":{"content-available":1}}}"#,
        isFixable: true)

    /// Source of the default priority: Firebase, REST Resource: projects.messages, `ApnsConfig.headers`.
    private func checkDelivery(_ aps: LintNode?, _ apns: LintNode, _ around: APNsSurroundings, hasData: Bool) {
        let content = APSContent(aps)
        guard !content.isVisible, !around.hasTextElsewhere else { return }
        if content.isContentAvailable {
            guard hasData, around.priorityNode == nil else { return }
            reportPriority(apns, around)
        } else if hasData, around.pushType != .background, !run.hasReported(APSRules.misspelledKey.id),
            !run.hasReported(PayloadRules.apsMissing.id)
        {
            report(
                Self.backgroundDelivery,
                "without \"content-available\": 1 in apns.payload.aps the data waits until the app is opened",
                at: aps ?? apns,
                edits: aps.map { $0["content-available"] == nil ? [$0.adding("content-available", "1")] : [] } ?? [])
        }
    }

    /// The same for a silent push in the names of an Admin SDK, which sets no header.
    private func checkSilentDelivery(
        _ aps: LintNode?, _ apns: LintNode, in message: LintNode, _ around: APNsSurroundings
    ) {
        guard around.isForNotification, !around.hasTextElsewhere, around.priorityNode == nil,
            message["notification"]?.kind ?? .null == .null, message["data"]?.hasMembers ?? false,
            let flag = aps?.either("content-available", "contentAvailable"), APSContent.isMeantAsOne(flag),
            !APSContent(aps).isVisible
        else { return }
        reportPriority(apns, around)
    }

    private func reportPriority(_ apns: LintNode, _ around: APNsSurroundings) {
        report(
            Self.backgroundDelivery, "a silent push needs apns-priority 5, and without the header FCM sends 10",
            at: around.headers ?? apns, edits: around.headers.map { [$0.adding("apns-priority", "\"5\"")] } ?? [])
    }
}
