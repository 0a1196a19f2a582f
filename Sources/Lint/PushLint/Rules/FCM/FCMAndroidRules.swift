import PayloadJSON
import PushDecoding
import PushModel
import PushSystem

/// The block `android` of a message for FCM.
struct FCMAndroidRules: RuleCheck {
    static let rules = [timeToLive, messageKind, color, argumentsWithoutKey, negativeDuration, lightSettings]
    let run: LintRun

    /// - Parameter isBare: true if it is that of a message for an Admin SDK, where `ttl` is a number of milliseconds.
    func check(_ android: LintNode, isBare: Bool = false) {
        guard android.isObject else { return }
        FCMRequestRules(run: run).checkReservedNames(android["data"])
        if let ttl = android["ttl"], ttl.kind != .null, !(isBare && ttl.kind == .number),
            !FCMMessage.isTimeToLive(ttl.view), !run.hasError(at: ttl.pointer)
        {
            reportTimeToLive(ttl)
        }
        check(notification: android["notification"])
    }

    /// `android_v2`, the preview that replaces it. The decoder reports a `ttl` out of range.
    func checkV2(_ block: LintNode) {
        guard block.isObject else { return }
        FCMRequestRules(run: run).checkReservedNames(block["data"])
        func member(_ name: StaticString, _ camel: StaticString) -> LintNode? {
            block.either(name, camel).flatMap { $0.kind == .null ? nil : $0 }
        }
        let remote = member("remote_notification", "remoteNotification")
        if (remote == nil) == (member("background_sync", "backgroundSync") == nil) {
            report(Self.messageKind, "android_v2 has exactly one of remote_notification and background_sync", at: block)
        }
        check(notification: remote?["notification"])
    }

    static let messageKind = Rule.fcm(
        "fcm.android-v2-kind", .warning, "an android_v2 that is not exactly one of its two kinds of message",
        "A message is a remote_notification, which is shown, or a background_sync, which is data. Firebase's Admin SDKs refuse a message that is both or neither; what FCM answers is not documented.",
        source: .fcmAndroidV2,
        failing: #""android_v2":{"remote_notification":{"notification":{"title":"Late count"}},"background_sync":{}}"#,
        passing: #""android_v2":{"remote_notification":{"notification":{"title":"Late count"}}}"#)

    private func check(notification: LintNode?) {
        guard let notification, notification.isObject else { return }
        if let color = notification["color"], color.isString { checkColor(color, Self.color, FCMRequestRules.refusal) }
        FCMRequestRules(run: run).checkImage(notification)
        notification.either("vibrate_timings", "vibrateTimings")?.forEachElement(checkNotNegative)
        if let light = notification.either("light_settings", "lightSettings") { checkLight(light) }
        checkArguments(notification)
    }

    static let timeToLive = Rule.fcm(
        "fcm.ttl-form", .error, "a ttl that is not a duration",
        "ttl is a string of seconds that ends with s, from 0s to 2419200s, with up to nine decimals. FCM answers 400 INVALID_ARGUMENT.",
        failing: #""android":{"ttl":3600}"#, passing: #""android":{"ttl":"3600s"}"#, isFixable: true)

    func reportTimeToLive(_ ttl: LintNode) {
        let text = ttl.swiftString ?? ttl.source
        if ttl.isString, text.hasSuffix("s"), String(text.dropLast()).isPlainNumber {
            return refuse(
                Self.timeToLive, "ttl is from 0s to 2419200s, four weeks, with at most nine decimals", at: ttl)
        }
        let isNumber = text.isPlainNumber && !text.hasPrefix("-")
        if isNumber, let number = Double(text), number > 2_419_200 {
            return refuse(
                Self.timeToLive,
                "ttl is a string of seconds from 0s to 2419200s, four weeks\(Self.millisecondsHint(text))", at: ttl)
        }
        refuse(
            Self.timeToLive, "ttl is a string of seconds that ends with s, as in \"3600s\"", at: ttl,
            edits: isNumber ? [TextEdit(ttl.range, "\"\(text)s\"")] : [])
    }

    /// The end of a message about a number that is too large. As milliseconds it is whole minutes, which 30 days in seconds are not.
    private static func millisecondsHint(_ text: String) -> String {
        guard let number = Int(text), number % 60_000 == 0, number / 1000 <= 2_419_200 else { return "" }
        return "; \(text) looks like milliseconds, and \"\(number / 1000)s\" is meant"
    }

    static let color = Rule.fcm(
        "fcm.color", .error, "a color that is not #rrggbb",
        "The icon's color is # and six hexadecimal digits. FCM answers 400 INVALID_ARGUMENT.",
        failing: #""android":{"notification":{"title":"Late count","color":"ff0000"}}"#,
        passing: ##""android":{"notification":{"title":"Late count","color":"#ff0000"}}"##, isFixable: true)

    /// `#rrggbb`.
    func checkColor(_ node: LintNode, _ rule: Rule, _ answer: String) {
        guard node.kind != .null, !FCMValue.isColor(node.view) else { return }
        let text = node.swiftString ?? ""
        let isBare = text.utf8.count == 6 && text.utf8.allSatisfy { $0.hexadecimalDigit != nil }
        report(
            rule, "a color is written #rrggbb\(answer)", at: node,
            edits: isBare ? [TextEdit(node.range.lowerBound + 1..<node.range.lowerBound + 1, "#")] : [])
    }

    static let argumentsWithoutKey = Rule.fcm(
        "fcm.loc-args-without-key", .warning, "loc-args without the loc-key that they belong to",
        "Arguments fill the text that the key names. The Admin SDK refuses them without it.", source: .fcmAdmin,
        failing: #""android":{"notification":{"body":"Late count","body_loc_args":["4"]}}"#,
        passing: #""android":{"notification":{"body_loc_key":"COUNT","body_loc_args":["4"]}}"#)

    private func checkArguments(_ notification: LintNode) {
        for (arguments, camel, key, camelKey) in [
            ("body_loc_args", "bodyLocArgs", "body_loc_key", "bodyLocKey"),
            ("title_loc_args", "titleLocArgs", "title_loc_key", "titleLocKey"),
        ] as [(StaticString, StaticString, StaticString, StaticString)] {
            guard let member = notification.member(arguments) ?? notification.member(camel),
                notification.either(key, camelKey) == nil
            else { continue }
            report(Self.argumentsWithoutKey, "\(arguments) has no effect without \(key)", at: member)
        }
    }

    static let negativeDuration = Rule.fcm(
        "fcm.negative-duration", .warning, "a negative duration of vibration or light",
        "A duration cannot be negative. Firebase's Admin SDK refuses it.", source: .fcmAdmin,
        failing: #""android":{"notification":{"title":"Late count","vibrate_timings":["0s","-0.5s"]}}"#,
        passing: #""android":{"notification":{"title":"Late count","vibrate_timings":["0s","0.5s"]}}"#)

    private func checkNotNegative(_ duration: LintNode) {
        guard FCMValue.isNegative(duration.view), !run.hasError(at: duration.pointer) else { return }
        report(Self.negativeDuration, "a duration of vibration or light is not negative", at: duration)
    }

    static let lightSettings = Rule.fcm(
        "fcm.light-settings", .warning, "settings of the light that are not complete",
        "color, light_on_duration and light_off_duration are required, and the components of the color are from 0 to 1. Whether FCM refuses others is not documented.",
        failing:
            #""android":{"notification":{"title":"Late count","light_settings":{"color":{"red":1},"light_on_duration":"1s"}}}"#,
        passing:
            #""android":{"notification":{"title":"Late count","light_settings":{"color":{"red":1},"light_on_duration":"1s","light_off_duration":"2s"}}}"#
    )

    /// The reference calls all three fields required; that FCM refuses a message without them is not documented.
    private func checkLight(_ light: LintNode) {
        guard light.isObject else { return }
        for (name, camel) in [
            ("color", "color"), ("light_on_duration", "lightOnDuration"), ("light_off_duration", "lightOffDuration"),
        ] as [(StaticString, StaticString)] {
            guard let value = light.either(name, camel), value.kind != .null else {
                report(Self.lightSettings, "light_settings needs \(name)", at: light)
                continue
            }
            if value.isString { checkNotNegative(value) }
            guard value.isObject else { continue }
            value.forEachMember { component in
                guard let share = component.value.view.double, !(0...1).contains(share) else { return }
                report(
                    Self.lightSettings, "\(component.name) is a share of the color, from 0 to 1", at: component.value)
            }
        }
    }
}
