import PayloadJSON
import PushDecoding
import PushModel
import PushSystem

/// Parts of a message for FCM that have no effect as they are.
struct FCMContentRules: RuleCheck {
    static let rules = [analyticsLabel, nothingVisible, apnsToken]
    let run: LintRun

    static let analyticsLabel = Rule.fcm(
        "fcm.analytics-label", .warning, "an analytics label in another form",
        "A label has 1 to 50 characters: letters of ASCII, digits and -_.~%. Firebase's Admin SDKs refuse another one; what FCM does with it is not documented.",
        source: .fcmLabels, failing: #""data":{"score":"12"},"fcm_options":{"analytics_label":"late count"}"#,
        passing: #""data":{"score":"12"},"fcm_options":{"analytics_label":"late-count"}"#)

    /// Checks the label of a message, or of one of its blocks.
    func checkLabel(_ block: LintNode?) {
        guard let options = block?.either("fcm_options", "fcmOptions"), options.isObject,
            let label = options.either("analytics_label", "analyticsLabel"), let text = label.swiftString
        else { return }
        let isLabel =
            (1...50).contains(text.utf8.count)
            && text.utf8.allSatisfy { $0.isLetter || $0.isDigit || "-_.~%".utf8.contains($0) }
        guard !isLabel else { return }
        report(Self.analyticsLabel, "an analytics label is 1 to 50 letters, digits and -_.~%", at: label)
    }

    static let nothingVisible = Rule.fcm(
        "fcm.nothing-visible", .warning, "a notification without title and body",
        "A sound, a tag or a click_action is part of a notification that has a title or a body. Android has nothing to show for one without both.",
        failing: #""android":{"notification":{"sound":"default","tag":"count"}}"#,
        passing: #""android":{"notification":{"title":"Late count","sound":"default","tag":"count"}}"#)

    /// - Parameter hasOtherText: true if another platform's block has a text, and the message none for Android.
    func checkNotification(_ common: LintNode?, _ android: LintNode?, hasOtherText: Bool) {
        guard let shown = android ?? common, shown.hasMembers, !hasOtherText || android != nil,
            !Self.hasText(common), !Self.hasText(android), !run.hasReported(FCMNameRules.unknownKey.id)
        else { return }
        report(Self.nothingVisible, "without a title or a body there is nothing to show", at: shown)
    }

    private static let texts: [StaticString] = [
        "title", "body", "title_loc_key", "titleLocKey", "body_loc_key", "bodyLocKey",
    ]

    /// True if a notification has a text, or a key of one. A value of the wrong type has its own finding.
    static func hasText(_ notification: LintNode?) -> Bool {
        var found = false
        notification?.forEachMember { member in
            guard member.key.isOne(of: texts), member.value.kind != .null else { return }
            if member.value.string?.count != 0 { found = true }
        }
        return found
    }

    static let apnsToken = Rule(
        "fcm.apns-token", .error, "a device token of APNs as the target of a message for FCM",
        "64 or more hexadecimal digits are a device token of APNs. FCM wants the registration token that its SDK gives to the app, and answers INVALID_ARGUMENT or InvalidRegistration to another one.",
        source: .fcmErrors, failing: #"{"message":{"token":"\#(Example.token)","data":{"score":"12"}}}"#,
        passing: Example.fcmData)

    /// A target of FCM or GCM.
    func checkToken(_ target: LintNode?) {
        guard let target, let string = target.string, string.count >= 64, !string.hasEscapes,
            DeviceToken.isHexadecimalBytes(string.raw)
        else { return }
        report(
            Self.apnsToken, "this looks like a device token of APNs, not a registration token of FCM", at: target)
    }
}

/// Images in messages for FCM that no Apple device shows: only a service extension puts them there.
struct FCMImageRules: RuleCheck {
    static let rules = [notMutable]
    let run: LintRun

    static let notMutable = Rule.fcm(
        "fcm.image-not-mutable", .warning, "an image for Apple devices without mutable-content",
        "iOS shows no image by itself, and FCM does not add mutable-content. A service extension finds the address under fcm_options, and the system starts it only if mutable-content is 1.",
        source: .fcmImage,
        failing:
            #""notification":{"title":"Late count"},"apns":{"payload":{"aps":{"sound":"default"}},"fcm_options":{"image":"https://media.example.org/count.png"}}"#,
        passing:
            #""notification":{"title":"Late count"},"apns":{"payload":{"aps":{"mutable-content":1}},"fcm_options":{"image":"https://media.example.org/count.png"}}"#
    )

    /// - Parameter isBare: true if it is a message for an Admin SDK.
    func check(_ message: LintNode, isBare: Bool) {
        let apns = message["apns"]
        // Without the block, nothing says that it is for an Apple device.
        guard apns?.isObject ?? (run.options.platform == .ios) else { return }
        let aps = apns?["payload"]?["aps"]
        if aps?["mutable-content"]?.view.isOne ?? false { return }
        if isBare, (aps?["mutableContent"] ?? aps?["mutable-content"])?.kind == .true { return }
        func image(_ block: LintNode?) -> LintNode? {
            let image = block?["image"] ?? (isBare ? block?["imageUrl"] : nil)
            return image?.swiftString.flatMap { $0.isEmpty ? nil : image }
        }
        let options = apns?.either("fcm_options", "fcmOptions")
        guard let image = image(options) ?? image(message["notification"]) else { return }
        report(
            Self.notMutable, "no service extension gets the image: apns.payload.aps has no mutable-content 1", at: image
        )
    }
}

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
