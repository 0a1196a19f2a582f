import PayloadJSON
import PushModel

/// A request to APNs as a whole.
struct APNsRequestRules: RuleCheck {
    static let rules = [headerOutside]
    let run: LintRun

    /// `{"device":…,"headers":{…},"payload":…}`.
    func checkEnvelope(_ root: LintNode, _ payload: LintNode) {
        var around = APNsSurroundings(source: .request)
        if let headers = root["headers"], headers.kind != .null {
            around = APNsHeaderRules(run: run).check(headers, source: .request)
        }
        root.forEachMember { member in
            guard member.key.begins(with: "apns-") else { return }
            report(Self.headerOutside, "\(member.name) belongs in headers; here it is not read", at: member)
        }
        if let device = root["device"], device.isString { DeviceTokenRules(run: run).check(device) }
        guard let body = payload.isString ? JSONRules(run: run).open(payload) : payload, body.isObject else { return }
        check(body, around)
    }

    static let headerOutside = Rule(
        "apns.header-outside", .error, "a header beside headers",
        "In an envelope the request's headers are in headers. Beside it they are not read.", source: .format,
        failing: #"{"apns-topic":"org.example.news","payload":{"aps":{"alert":"Late count"}}}"#,
        passing: Example.alertRequest)

    /// A payload, and how it fits its headers.
    func check(_ payload: LintNode, _ around: APNsSurroundings) {
        PayloadRules(run: run).check(payload, around)
        guard let headers = around.headers else { return }
        if around.isBroadcast { return APNsBroadcastRules(run: run).check(headers, around) }
        // Updates of Wallet passes come with an empty payload.
        if around.isForPass { return }
        var typed = around
        if LiveActivityRules.isMeant(by: payload["aps"], around) { typed.pushType = .liveactivity }
        APNsTopicRules(run: run).check(typed)
        APNsPushTypeRules(run: run).check(payload, headers, around)
    }
}
