import PayloadJSON
import PushDecoding
import PushModel

extension LintRun {
    // MARK: - Amazon SNS

    private static let platforms: [(name: StaticString, pushType: PushType?, isGoogle: Bool)] = [
        ("APNS", nil, false), ("APNS_SANDBOX", nil, false), ("APNS_VOIP", .voip, false),
        ("APNS_VOIP_SANDBOX", .voip, false), ("GCM", nil, true), ("FCM", nil, true),
    ]

    /// Whole message. Source: Amazon SNS developer guide.
    private static let maximumSNSBytes = 256 << 10  // 256 KiB

    /// A message for SNS, or a `Publish` request that contains one.
    func checkSNS(_ root: LintNode) {
        var message = root
        let attributes = SNSAttributes(root.view)
        if let text = root["Message"], text.isString {
            guard let inner = open(text), inner.isObject else { return }
            if let size = text.string?.decodedCount, size > Self.maximumSNSBytes {
                report(
                    .snsTooLarge, "the message has \(size) bytes, and SNS takes \(Self.maximumSNSBytes)",
                    at: .value(text))
            }
            message = inner
        } else if root.view.text.count > Self.maximumSNSBytes {
            report(
                .snsTooLarge, "the message has \(root.view.text.count) bytes, and SNS takes \(Self.maximumSNSBytes)",
                at: .value(root))
        }
        if let text = message["default"], !text.isString {
            report(.snsValueNotText, "default must be a string, not \(text.kindName)", at: .value(text))
        }
        if message["default"] == nil {
            report(
                .snsDefaultMissing, "without a \"default\" text SNS refuses a message to a topic", at: .value(message))
        }
        message.forEachMember { member in
            guard var platform = Self.platforms.first(where: { member.key == $0.name }) else { return }
            if !platform.isGoogle, let type = attributes.pushType(member.name)?.string {
                platform.pushType = PushType(wireName: type.raw)
            }
            if member.value.isString {
                if let inner = open(member.value) { checkPlatform(inner, platform.pushType, platform.isGoogle) }
            } else if member.value.isObject {
                report(
                    .snsValueNotText, "SNS wants each platform's payload as text: a string that contains the JSON",
                    at: .value(member.value),
                    edits: [TextEdit(member.value.range, Self.escaped(member.value.source))])
                checkPlatform(member.value, platform.pushType, platform.isGoogle)
            } else {
                report(
                    .snsValueNotText, "SNS wants each platform's payload as text, not \(member.value.kindName)",
                    at: .value(member.value))
            }
        }
    }

    private func checkPlatform(_ payload: LintNode, _ pushType: PushType?, _ isGoogle: Bool) {
        guard payload.isObject else { return }
        if isGoogle {
            if let request = payload["fcmV1Message"] {
                checkFCM(request)
            } else if payload["message"]?.isObject ?? false {
                report(
                    .snsFCMWrapper, "SNS takes a message of FCM v1 as {\"fcmV1Message\": {\"message\": {…}}}",
                    at: .value(payload))
            } else {
                checkGCM(payload)
            }
            return
        }
        var around = APNsSurroundings(.gateway)
        // Without one SNS infers a type that fits.
        around.pushType = pushType
        checkPayload(payload, around)
        if pushType == .background, let visible = APSContent(payload["aps"]).firstVisible {
            report(
                .snsBackgroundAlert,
                "the attribute makes this a background push, and the payload has \"\(visible)\": it may not be shown",
                at: .value(payload))
        }
    }

    /// JSON text as a JSON string.
    private static func escaped(_ text: String) -> String {
        var escaped = "\""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "\"": escaped += "\\\""
            case "\\": escaped += "\\\\"
            case "\n": escaped += "\\n"
            case "\r": escaped += "\\r"
            case "\t": escaped += "\\t"
            default: escaped.unicodeScalars.append(scalar)
            }
        }
        return escaped + "\""
    }

    // MARK: - Airnotifier

    /// The members of `apns` that Airnotifier passes on. Source: its api/push.py and pushservices/apns.py.
    private static let airnotifierKeys: [StaticString] = [
        "thread-id", "category", "content-available", "sound", "badge", "alert", "push_type",
    ]

    func checkAirnotifier(_ root: LintNode) {
        if root["device"]?.string?.isInAnyCase("ios") ?? false, let apns = root["apns"], apns.isObject {
            apns.forEachMember { member in
                if !member.key.isOne(of: Self.airnotifierKeys) {
                    report(
                        .airnotifierDroppedKey, "Airnotifier does not hand \(member.name) on to APNs", at: .key(member))
                } else if !(member.key == "push_type"), member.value.kind != .null {
                    checkApsKey(member, in: apns, isLiveActivity: false)
                }
            }
        }
        if let alert = root["alert"], alert.isObject, root["device"]?.string?.isInAnyCase("ios") ?? false {
            checkAlert(alert, isLiveActivity: false)
        }
    }
}
