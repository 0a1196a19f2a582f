import PayloadJSON
import PushModel

extension LintRun {
    private static let events = NameList(["start", "update", "end"])
    private static let dates: [StaticString] = ["timestamp", "stale-date", "dismissal-date"]
    private static let startKeys: [StaticString] = ["alert", "attributes-type", "attributes", "content-state"]
    private static let ownKeys = NameTable([
        "event", "content-state", "stale-date", "dismissal-date", "attributes-type", "attributes", "timestamp",
        "input-push-channel", "input-push-token",
    ])

    /// The `aps` of a push to a Live Activity.
    func checkLiveActivity(_ aps: LintNode, _ around: APNsSurroundings) {
        for name in Self.dates {
            guard let date = aps[name], let seconds = date.view.double, seconds > 100_000_000_000 else { continue }
            let edits = date.view.int64.map { [TextEdit(date.range, "\($0 / 1000)")] } ?? []
            report(
                .liveActivityDateUnit,
                "\(name) is in seconds since the epoch, and \(date.source) looks like milliseconds",
                at: .value(date), edits: edits)
        }
        if aps["timestamp"].map({ $0.kind == .null }) ?? true {
            report(
                .liveActivityTimestamp, "without a timestamp the system cannot tell which push is the newest",
                at: .value(aps))
        }
        guard let event = aps["event"] else {
            return report(.liveActivityEvent, "event is missing: start, update or end", at: .value(aps))
        }
        switch event.swiftString {
        case "start": checkStart(aps, around)
        case "update":
            if aps["content-state"] == nil {
                report(.liveActivityContentState, "an update needs a content-state", at: .value(aps))
            }
            checkStaticParts(aps)
        case "end":
            if aps["content-state"] == nil {
                report(
                    .liveActivityFinalState, "without a final content-state the last one stays on the screen",
                    at: .value(aps))
            }
            checkStaticParts(aps)
        case .some(let name):
            let meant = Self.lookAlike(name, among: Self.events)
            report(
                .liveActivityEvent, "\"\(name)\" is not start, update or end", at: .value(event),
                edits: meant.map { $0.differsInStyleOnly ? [TextEdit(event.range, "\"\($0.name)\"")] : [] } ?? [])
        case nil: break  // Reported as a value of the wrong type.
        }
        // A broadcast takes 1, too. Source: Apple, "Sending broadcast push notification requests to APNs".
        if around.priority == "1", !around.isBroadcast, let node = around.priorityNode {
            report(.liveActivityPriority, "a Live Activity takes apns-priority 5 or 10", at: .value(node))
        }
    }

    private func checkStart(_ aps: LintNode, _ around: APNsSurroundings) {
        if around.isBroadcast {
            report(
                .liveActivityBroadcastStart, "a broadcast can update and end activities, and not start one",
                at: .value(aps["event"] ?? aps))
        }
        let missing = Self.startKeys.filter { aps[$0] == nil }.map(\.description)
        guard !missing.isEmpty else { return }
        report(
            .liveActivityStartIncomplete, "an activity does not start without \(missing.joined(separator: ", "))",
            at: .value(aps["event"] ?? aps))
    }

    /// Keys that belong to the start of an activity.
    private func checkStaticParts(_ aps: LintNode) {
        aps.forEachMember { member in
            let text = "\(member.name) counts at the start of an activity only"
            if member.key == "attributes" || member.key == "attributes-type" {
                report(.liveActivityAttributesLater, text, at: .key(member))
            } else if member.key == "input-push-token" || member.key == "input-push-channel" {
                report(.liveActivityInputLater, text, at: .key(member))
            }
        }
    }

    /// Keys of Live Activities in a push of another type.
    func checkLiveActivityKeys(_ aps: LintNode, _ around: APNsSurroundings) {
        guard around.pushType == nil || around.pushType == .alert || around.pushType == .background else { return }
        var first: LintMember?
        aps.forEachMember { member in
            if first == nil, Self.ownKeys.position(of: member.key) != nil { first = member }
        }
        guard let first else { return }
        report(
            .liveActivityPushType, "\(first.name) has an effect only with apns-push-type liveactivity", at: .key(first))
    }
}
