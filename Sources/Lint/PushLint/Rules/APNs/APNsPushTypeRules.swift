import PayloadJSON
import PushModel

/// `apns-push-type` and the priority of background pushes, compared with the payload.
struct APNsPushTypeRules: RuleCheck {
    static let rules = [pushTypeMissing, pushTypeMismatch, widgetContent, widgetAlert, backgroundPriority]
    let run: LintRun

    func check(_ payload: LintNode, _ headers: LintNode, _ around: APNsSurroundings) {
        checkSpecialContent(payload, around)
        if !around.hasPushType, around.source == .request {
            report(
                Self.pushTypeMissing,
                "no apns-push-type: watchOS 6 and later require it, and APNs may delay or drop the push", at: headers)
        }
        let content = APSContent(payload["aps"])
        let isSilent = content.isContentAvailable && !content.isVisible && !around.hasTextElsewhere
        switch around.pushType {
        case .background:
            checkBackground(content, headers, around)
            checkBackgroundPriority(headers, around)
        case .alert where isSilent:
            reportMismatch(
                "a silent push needs apns-push-type background, not alert, and apns-priority 5",
                at: around.pushTypeNode ?? headers)
        case nil where !around.hasPushType && isSilent: checkBackgroundPriority(headers, around)
        default: break
        }
    }

    static let pushTypeMissing = Rule(
        "apns.push-type-missing", .warning, "no apns-push-type",
        "watchOS 6 and later require it, and Apple advises it everywhere: without it, or with one that does not fit, a push may be delayed, dropped or refused.",
        source: .sending,
        failing:
            #"{"device":"\#(Example.token)","headers":{"apns-topic":"org.example.news"},"payload":\#(Example.alert)}"#,
        passing: Example.alertRequest)
    static let pushTypeMismatch = Rule(
        "apns.push-type-mismatch", .error, "an apns-push-type that does not fit the payload",
        "The type must agree with the contents: alert for what is seen or heard, background for content-available alone. Apple says that APNs may answer an error, delay or drop the push; which error is not documented.",
        source: .sending,
        failing: Example.request(#""apns-push-type":"background","apns-priority":"5""#, Example.alert),
        passing: Example.alertRequest)

    private func reportMismatch(_ message: String, at node: LintNode) {
        report(Self.pushTypeMismatch, message, at: node)
    }

    static let widgetContent = Rule(
        "apns.widget-content", .warning, "a push to widgets or controls without content-changed",
        "The payload is {\"aps\":{\"content-changed\":true}}. Without it nothing says that there is anything to reload.",
        source: .widgets,
        failing: Example.request(
            #""apns-push-type":"widgets""#, #"{"aps":{}}"#, topic: "org.example.news.push-type.widgets"),
        passing: Example.request(
            #""apns-push-type":"widgets""#, #"{"aps":{"content-changed":true}}"#,
            topic: "org.example.news.push-type.widgets"))

    static let widgetAlert = Rule(
        "apns.widget-alert", .warning, "an alert, badge or sound in a push to widgets or controls",
        "A push to widgets or controls makes them reload, and nothing else: its payload is {\"aps\":{\"content-changed\":true}}. Send an alert as a push of its own.",
        source: .widgets,
        failing: Example.request(
            #""apns-push-type":"widgets""#, #"{"aps":{"content-changed":true,"alert":"Late count"}}"#,
            topic: "org.example.news.push-type.widgets"),
        passing: Example.request(
            #""apns-push-type":"widgets""#, #"{"aps":{"content-changed":true}}"#,
            topic: "org.example.news.push-type.widgets"))

    /// Reports content that a push to widgets or controls does not show. Without a push type `content-changed` says that it is one.
    func checkReload(_ aps: LintNode, _ around: APNsSurroundings) {
        let isReload =
            around.pushType == .widgets || around.pushType == .controls
            || around.pushType == nil && !around.hasPushType && aps["content-changed"] != nil
        guard isReload, let visible = APSContent(aps).firstVisible else { return }
        report(
            Self.widgetAlert, "a push to widgets or controls reloads them; its \"\(visible)\" has no effect", at: aps)
    }

    private func checkSpecialContent(_ payload: LintNode, _ around: APNsSurroundings) {
        guard let type = around.pushType, let node = around.pushTypeNode else { return }
        if payload["mdm"] != nil, type != .mdm {
            reportMismatch("a payload with mdm needs apns-push-type mdm", at: node)
        } else if payload["mdm"] == nil, type == .mdm {
            reportMismatch("an MDM push is {\"mdm\": \"…\"}", at: node)
        } else if payload["aps"]?["content-changed"] != nil, type != .widgets, type != .controls {
            reportMismatch(
                "a payload with content-changed needs apns-push-type widgets or controls, and that type's suffix in the topic",
                at: node)
        } else if type == .widgets || type == .controls, payload["aps"]?["content-changed"] == nil {
            report(
                Self.widgetContent, "a push to \(type.row.wireName) has content-changed: true in aps",
                at: payload["aps"] ?? payload)
        }
    }

    private func checkBackground(_ content: APSContent, _ headers: LintNode, _ around: APNsSurroundings) {
        let place = around.pushTypeNode ?? headers
        if let visible = content.firstVisible {
            reportMismatch(
                "apns-push-type is background, and the payload has \"\(visible)\": that is an alert", at: place)
        } else if around.hasTextElsewhere {
            reportMismatch(
                "apns-push-type is background, and FCM adds the notification's text: that is an alert", at: place)
        } else if !content.isContentAvailable, !run.hasReported(APSRules.misspelledKey.id) {
            reportMismatch("a background push needs \"content-available\": 1 in aps", at: place)
        }
    }

    static let backgroundPriority = Rule(
        "apns.background-priority", .error, "a background push with a priority other than 5",
        "Apple: always use priority 5; 10 is an error. Without the header the priority is 10. Which error APNs answers is not documented.",
        source: .sending, failing: Example.request(#""apns-push-type":"background","apns-priority":"10""#, silent),
        passing: Example.request(#""apns-push-type":"background","apns-priority":"5""#, silent), isFixable: true)
    private static let silent = #"{"aps":{"content-available":1}}"#

    private func checkBackgroundPriority(_ headers: LintNode, _ around: APNsSurroundings) {
        if let node = around.priorityNode {
            guard around.priority != "5" else { return }
            report(
                Self.backgroundPriority, "a background push needs apns-priority 5, not \(around.priority ?? "")",
                at: node, edits: around.priority == "10" ? [TextEdit(node.range, node.isString ? "\"5\"" : "5")] : [])
        } else if around.source == .request {
            // It is not documented what FCM sends without one.
            report(
                Self.backgroundPriority, "a background push needs apns-priority 5, and without the header it is 10",
                at: headers, edits: [headers.adding("apns-priority", "\"5\"")])
        }
    }
}
