import PayloadJSON
import PushDecoding
import PushModel

/// The block `webpush` of a message for FCM.
struct FCMWebRules: RuleCheck {
    static let rules = [webDirection, webNotification, webHeader, link]
    let run: LintRun

    func check(_ webpush: LintNode) {
        guard webpush.isObject else { return }
        if let notification = webpush["notification"], notification.isObject { checkNotification(notification) }
        webpush["headers"]?.forEachMember(checkHeader)
        if let options = webpush.either("fcm_options", "fcmOptions"), let link = options["link"] { checkLink(link) }
    }

    static let webDirection = Rule.fcm(
        "fcm.web-direction", .warning, "a direction of text that browsers do not know",
        "webpush.notification.dir is auto, ltr or rtl, as in the browsers' Notification. With another value showNotification throws a TypeError, and nothing is shown.",
        source: .webNotification, failing: #""webpush":{"notification":{"title":"Late count","dir":"left"}}"#,
        passing: #""webpush":{"notification":{"title":"Late count","dir":"ltr"}}"#)
    static let webNotification = Rule.fcm(
        "fcm.web-notification", .warning, "options of a notification that browsers refuse",
        "renotify needs a tag, a silent notification has no vibrate, and actions is an array of objects with action and title. Otherwise showNotification throws a TypeError, and nothing is shown.",
        source: .webShow, failing: #""webpush":{"notification":{"title":"Late count","renotify":true}}"#,
        passing: #""webpush":{"notification":{"title":"Late count","renotify":true,"tag":"count"}}"#)

    private func checkNotification(_ notification: LintNode) {
        for fault in WebNotification.faults(notification.view) {
            guard let node = notification[fault.member] else { continue }
            report(fault.isDirection ? Self.webDirection : Self.webNotification, fault.message.description, at: node)
        }
    }

    static let webHeader = Rule.fcm(
        "fcm.web-header", .warning, "a header that push services of browsers do not take",
        "TTL is a number of seconds, Urgency is very-low, low, normal or high, and Topic is at most 32 letters, digits, - and _. Push services refuse a Topic in another form; what FCM answers is not documented.",
        source: .webPush, failing: #""data":{"score":"12"},"webpush":{"headers":{"Urgency":"urgent"}}"#,
        passing: #""data":{"score":"12"},"webpush":{"headers":{"Urgency":"high"}}"#)

    private func checkHeader(_ member: LintMember) {
        // FCM refuses other types.
        guard member.value.kind == .string, let name = WebHeaders.Name(member.key),
            let fault = WebHeaders.fault(member.value.view, of: name)
        else { return }
        report(Self.webHeader, fault.description, at: member.value)
    }

    static let link = Rule.fcm(
        "fcm.link-https", .warning, "a link that is not HTTPS", "webpush.fcm_options.link must be an HTTPS address.",
        failing: #""webpush":{"fcm_options":{"link":"http://news.example.org"}}"#,
        passing: #""webpush":{"fcm_options":{"link":"https://news.example.org"}}"#)

    private func checkLink(_ link: LintNode) {
        guard let address = link.swiftString, !address.lowercased().hasPrefix("https://") else { return }
        report(Self.link, "FCM takes links that begin with https:// alone", at: link)
    }
}
