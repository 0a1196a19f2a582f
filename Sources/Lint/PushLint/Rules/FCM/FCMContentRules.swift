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
