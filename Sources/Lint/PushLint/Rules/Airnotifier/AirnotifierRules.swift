import PayloadJSON
import PushModel

/// Requests to Airnotifier, a gateway for APNs and FCM. Source: its api/push.py and pushservices/apns.py.
struct AirnotifierRules: RuleCheck {
    static let rules = [droppedKey, invalidDeviceType]
    let run: LintRun

    func check(_ root: LintNode) {
        let device = root["device"]?.swiftString?.lowercased() ?? "fcm"
        if device.hasSuffix("fcm") { return checkGoogle(root) }
        guard device == "ios" else { return }
        if let apns = root["apns"], apns.isObject {
            apns.forEachMember { member in
                if !member.key.isOne(of: Self.keys) {
                    let meant = Self.names.spelled(like: member.name).map { "; \($0) is meant" } ?? ""
                    report(Self.droppedKey, "Airnotifier does not hand \(member.name) on to APNs\(meant)", at: member)
                } else if !(member.key == "push_type"), member.value.kind != .null {
                    APSRules(run: run, isInAirnotifier: true).checkKey(member, in: apns, isLiveActivity: false)
                }
            }
        }
        if let alert = root["alert"], alert.isObject {
            AlertRules(run: run, isInAirnotifier: true).check(alert, isLiveActivity: false)
        }
        checkText(root)
    }

    /// Without an alert Airnotifier sends empty texts and the default sound.
    private func checkText(_ root: LintNode) {
        guard root["alert"].map({ $0.kind == .null || $0.string?.count == 0 }) ?? true else { return }
        let apns = root["apns"]
        guard apns?["alert"] == nil, apns?["badge"] == nil, apns?["content-available"] == nil else { return }
        report(
            AlertRules.empty, "without an alert Airnotifier sends empty texts, which show nothing",
            at: root["alert"] ?? root)
    }

    /// A request that Airnotifier passes on to FCM. Of Moodle's it composes the message itself.
    private func checkGoogle(_ root: LintNode) {
        FCMContentRules(run: run).checkToken(root["token"])
        guard root["extra"]?["processor"]?.swiftString != "moodle", let fcm = root["fcm"], fcm.isObject else { return }
        let alert = root["alert"]
        let hasText = (alert?.string?.count ?? 0) > 0 || FCMContentRules.hasText(alert)
        FCMRequestRules(run: run).checkBlocks(fcm, nil, hasText: hasText)
    }

    /// The members of `apns` that are passed on.
    static let keys: [StaticString] = [
        "thread-id", "category", "content-available", "sound", "badge", "alert", "push_type",
    ]

    private static let names = NameList(keys)

    static let droppedKey = Rule(
        "airnotifier.dropped-key", .warning, "a key that Airnotifier does not pass on",
        "Of the apns part Airnotifier passes on alert, badge, sound, category, thread-id, content-available and push_type. Everything else is lost, including mutable-content and custom data.",
        source: .airnotifier,
        failing: #"{"device":"ios","token":"\#(Example.token)","alert":"Hi","apns":{"mutable-content":1}}"#,
        passing: #"{"device":"ios","token":"\#(Example.token)","alert":"Hi","apns":{"badge":1}}"#)

    /// The decoder reports it.
    private static let invalidDeviceType = Rule.refusal(
        .invalidDeviceType, "Airnotifier sends to ios, and to devices whose name ends with fcm.", source: .airnotifier,
        failing: #"{"device":"blackberry","token":"\#(Example.token)","alert":"Hi"}"#,
        passing: #"{"device":"ios","token":"\#(Example.token)","alert":"Hi"}"#)
}
