import PayloadJSON
import PushDecoding
import PushModel
import PushSystem

/// What is wrong with an FCM v1 request beyond the names and types of its fields.
extension LintRun {
    /// `{"message":{…},"validate_only":…}`.
    ///
    /// - Parameter isRecord: whether the request is a record of its own.
    func checkFCM(_ root: LintNode, isRecord: Bool = false) {
        guard root.isObject else { return }
        checkFCMSchema(root, isRecord: isRecord)
        guard let message = root["message"], message.isObject else { return }
        if let topic = message["topic"], let name = topic.swiftString, name.hasPrefix("/topics/") {
            report(
                .fcmTopicPrefix, "a topic is named without /topics/\(Self.refusedByFCM)", at: .value(topic),
                edits: [TextEdit(topic.range.lowerBound + 1..<topic.range.lowerBound + 1 + "/topics/".utf8.count, "")])
        }
        if let name = message.member("name"), name.value.kind != .null {
            report(.fcmOutputOnly, "name is set by FCM in its answer, and not read in a request", at: .key(name))
        }
        checkReservedNames(message["data"])
        if !readers.isEmpty { read(data: message["data"], of: message) }
        let notification = message["notification"]
        if let notification { checkImage(notification) }
        if let android = message["android"] { checkAndroid(android) }
        if let webpush = message["webpush"] { checkWebpush(webpush) }
        if let apns = message["apns"] {
            checkAPNsBlock(apns, hasText: notification?["title"] != nil || notification?["body"] != nil)
        }
    }

    /// Names that FCM keeps for itself.
    private func checkReservedNames(_ data: LintNode?) {
        guard let data, data.isObject else { return }
        data.forEachMember { member in
            if DataKeys.isReserved(member.key) {
                report(
                    .fcmReservedDataKey, "FCM keeps the name \"\(member.name)\" for itself\(Self.refusedByFCM)",
                    at: .key(member))
            }
        }
    }

    /// The address of a picture, which devices fetch.
    private func checkImage(_ block: LintNode) {
        guard let image = block["image"], let text = image.swiftString, !text.isEmpty else { return }
        let lower = text.lowercased()
        guard !lower.hasPrefix("https://"), !lower.hasPrefix("http://") else { return }
        report(
            .fcmImageAddress, "image is a whole address that begins with https://, which the device fetches",
            at: .value(image))
    }

    // MARK: - Android

    private func checkAndroid(_ android: LintNode) {
        guard android.isObject else { return }
        checkReservedNames(android["data"])
        if let ttl = android["ttl"], ttl.kind != .null, !FCMMessage.isTimeToLive(ttl.view), !hasError(at: ttl.pointer) {
            reportTimeToLive(ttl)
        }
        guard let notification = android["notification"], notification.isObject else { return }
        if let color = notification["color"], color.isString { checkColor(color, .fcmColor, Self.refusedByFCM) }
        checkImage(notification)
        notification.either("vibrate_timings", "vibrateTimings")?.forEachElement { checkNotNegative($0) }
        if let light = notification.either("light_settings", "lightSettings") { checkLight(light) }
        for (arguments, camel, key, camelKey) in [
            ("body_loc_args", "bodyLocArgs", "body_loc_key", "bodyLocKey"),
            ("title_loc_args", "titleLocArgs", "title_loc_key", "titleLocKey"),
        ] as [(StaticString, StaticString, StaticString, StaticString)] {
            guard let member = notification.member(arguments) ?? notification.member(camel),
                notification.either(key, camelKey) == nil
            else {
                continue
            }
            report(.fcmArgumentsWithoutKey, "\(arguments) has no effect without \(key)", at: .key(member))
        }
    }

    /// The reference calls all three fields required; that FCM refuses a message without them is not documented.
    private func checkLight(_ light: LintNode) {
        guard light.isObject else { return }
        for (name, camel) in [
            ("color", "color"), ("light_on_duration", "lightOnDuration"), ("light_off_duration", "lightOffDuration"),
        ] as [(StaticString, StaticString)] {
            guard let value = light.either(name, camel), value.kind != .null else {
                report(.fcmLightSettings, "light_settings needs \(name)", at: .value(light))
                continue
            }
            if value.isString { checkNotNegative(value) }
            guard value.isObject else { continue }
            value.forEachMember { component in
                guard let share = component.value.view.double, !(0...1).contains(share) else { return }
                report(
                    .fcmLightSettings, "\(component.name) is a share of the color, from 0 to 1",
                    at: .value(component.value))
            }
        }
    }

    private func checkNotNegative(_ duration: LintNode) {
        guard FCMValue.isNegative(duration.view), !hasError(at: duration.pointer) else { return }
        report(.fcmNegativeDuration, "a duration of vibration or light is not negative", at: .value(duration))
    }

    /// `#rrggbb`.
    func checkColor(_ node: LintNode, _ rule: Rule, _ answer: String) {
        guard node.kind != .null else { return }
        guard !FCMValue.isColor(node.view) else { return }
        let text = node.swiftString ?? ""
        let isBare = text.utf8.count == 6 && text.utf8.allSatisfy { $0.hexadecimalDigit != nil }
        report(
            rule, "a color is written #rrggbb\(answer)", at: .value(node),
            edits: isBare ? [TextEdit(node.range.lowerBound + 1..<node.range.lowerBound + 1, "#")] : [])
    }

    // MARK: - Web and APNs

    private func checkWebpush(_ webpush: LintNode) {
        guard webpush.isObject else { return }
        if let notification = webpush["notification"], notification.isObject {
            for fault in WebNotification.faults(notification.view) {
                guard let node = notification[fault.member] else { continue }
                report(
                    fault.isDirection ? .fcmWebDirection : .fcmWebNotification, fault.message.description,
                    at: .value(node))
            }
        }
        webpush["headers"]?.forEachMember { member in
            // FCM refuses other types.
            guard member.value.kind == .string, let name = WebHeaders.Name(member.key),
                let fault = WebHeaders.fault(member.value.view, of: name)
            else { return }
            report(.fcmWebHeader, fault.description, at: .value(member.value))
        }
        guard let options = webpush.either("fcm_options", "fcmOptions"),
            let link = options["link"], let address = link.swiftString, !address.lowercased().hasPrefix("https://")
        else { return }
        report(.fcmLink, "FCM takes links that begin with https:// alone", at: .value(link))
    }

    private func checkAPNsBlock(_ apns: LintNode, hasText: Bool) {
        guard apns.isObject else { return }
        if let options = apns.either("fcm_options", "fcmOptions") { checkImage(options) }
        var around = APNsSurroundings(.fcm)
        if let headers = apns["headers"], headers.isObject {
            around = readHeaders(headers, source: .fcm)
            checkHandedOnHeaders(headers, around)
        }
        around.hasTextElsewhere = hasText
        guard let payload = apns["payload"], payload.isObject else { return }
        checkPayload(payload, around)
        if around.headers != nil { checkRequest(payload, around) }
    }
}

extension LintNode {
    /// The member with either name.
    func either(_ name: StaticString, _ other: StaticString) -> LintNode? { self[name] ?? self[other] }
}
