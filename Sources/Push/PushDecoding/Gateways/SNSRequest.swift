package import PushJSON
import PushModel

/// A key of an SNS message whose value is a platform's payload as a string.
///
/// Source: Amazon SNS developer guide, platform-specific payloads for mobile devices.
enum SNSPlatform {
    case apns, apnsVoIP, gcm

    /// How long SNS makes a service queue a message by default, in seconds. Source: Amazon SNS developer guide, TTL.
    static let defaultTimeToLive: Int32 = 2_419_200

    init?(_ key: JSONString) {
        switch key {
        case "APNS", "APNS_SANDBOX": self = .apns
        case "APNS_VOIP", "APNS_VOIP_SANDBOX": self = .apnsVoIP
        case "GCM", "FCM": self = .gcm
        default: return nil
        }
    }
}

/// An SNS message, `{"default":"…","APNS":"{…}","GCM":"{…}"}`, or a `Publish` request with one, or with a plain text, as its `Message`.
package struct SNSRequest {
    private let root: JSONView
    private let attributes: SNSAttributes

    /// The text of a `Publish` request that has no `MessageStructure`, so that SNS sends the text to every platform; nil for any other
    /// record, such as one in which SNS delivers a message, and for a text that begins as an object: it is hardly meant to be shown.
    ///
    /// Source: Amazon SNS API Reference, `Publish`.
    package static func plainText(of root: JSONView) -> JSONView? {
        guard root["MessageStructure"] == nil, root["Type"] == nil, root["MessageId"] == nil,
            (root["TargetArn"] ?? root["TopicArn"])?.isString ?? false,
            let message = root["Message"], let text = message.string,
            text.string.first(where: { !$0.isWhitespace }) != "{"
        else { return nil }
        return message
    }

    init(_ root: JSONView) {
        self.root = root
        attributes = SNSAttributes(root)
    }

    func decode(
        _ origin: RecordOrigin, by decoder: inout RecordDecoder, into batch: inout MessageBatch
    ) -> DecodeFailure? {
        var origin = origin
        origin.gateway = .sns
        origin.impliesTarget = true
        if let target = (root["TargetArn"] ?? root["TopicArn"])?.string { origin.device = batch.scratch.text(target) }
        if let text = Self.plainText(of: root) {
            return decodeDefault(text, at: "/Message", origin, by: &decoder, into: &batch)
        }
        if let message = root["Message"], let string = message.string {
            var inner = origin
            inner.pointer += "/Message"
            return decoder.withText(in: string, at: message.offset, inner, into: &batch) {
                decoder, root, inner, batch in
                decodeMessage(root, inner, by: &decoder, into: &batch)
            }
        }
        return decodeMessage(root, origin, by: &decoder, into: &batch)
    }

    private func decodeMessage(
        _ root: JSONView, _ origin: RecordOrigin, by decoder: inout RecordDecoder, into batch: inout MessageBatch
    ) -> DecodeFailure? {
        var count = 0
        var refused: DecodeFailure?
        // Of duplicate keys the last one is used. They are found in one pass: there may be as many as a record can hold.
        var last: [String: Int] = [:]
        var members = root.members
        while let (key, value) = members.next() {
            if SNSPlatform(key) != nil { last[key.string] = value.offset }
        }
        members = root.members
        while let (key, value) = members.next() {
            guard let platform = SNSPlatform(key), last[key.string] == value.offset else { continue }
            count += 1
            var inner = origin
            inner.pointer += "/" + key.string
            if platform == .apnsVoIP { inner.pushType = .voip }
            let name = key.string
            inner.secondsKept = attributes.secondsKept(name)
            // In requests to FCM the body can also set it.
            if platform != .gcm { inner.secondsKept = inner.secondsKept ?? SNSPlatform.defaultTimeToLive }
            let first = batch.messageCount
            let decodeFailure: DecodeFailure?
            if let string = value.string {
                decodeFailure = decoder.withText(in: string, at: value.offset, inner, into: &batch) {
                    decoder, root, inner, batch in
                    decodePlatform(root, platform, inner, by: &decoder, into: &batch)
                }
            } else {
                decodeFailure = decodePlatform(value, platform, inner, by: &decoder, into: &batch)
                // Source: Amazon SNS API Reference, `Publish`; observed: aws-sdk-java issue 1991.
                for index in first..<batch.messageCount where decodeFailure == nil {
                    batch.reject(
                        .snsInvalidParameter, pointer: inner.pointer,
                        "SNS needs each platform's payload as a string that contains the JSON",
                        rule: "sns.value-not-text", message: index)
                }
            }
            if platform != .gcm, decodeFailure == nil, first < batch.messageCount {
                attributes.setHeaders(ofMessage: first, of: name, in: &batch)
            }
            // The platforms of a message are independent, so the others are still read.
            refused = refused ?? decodeFailure
        }
        if count == 0 {
            guard let text = root["default"], text.isString else {
                return DecodeFailure(.nothingToSend, "the SNS message has no text for APNs or GCM", at: root)
            }
            return decodeDefault(text, at: "/default", origin, by: &decoder, into: &batch)
        }
        return refused
    }

    /// Decodes a text that SNS sends to every platform without a text of its own, as the push that it makes of it: an alert of APNs, or
    /// a GCM message with the text as its data. The ARN of an endpoint names the platform. What the subscribers of a topic have is not
    /// known here: that is the platform of the options, or APNs.
    ///
    /// Sources: Amazon SNS developer guide, "Publishing Amazon SNS notifications with platform-specific payloads". Which payload SNS makes is
    /// not documented; observed: aws-sdk-ruby issue 497 (an alert), phonegap-build/PushPlugin issues 322 and 356 (`default` in `data`).
    private func decodeDefault(
        _ text: JSONView, at pointer: String, _ origin: RecordOrigin, by decoder: inout RecordDecoder,
        into batch: inout MessageBatch
    ) -> DecodeFailure? {
        let platform = decoder.options.platform ?? .ios
        let name = Self.platform(ofEndpoint: origin.device) ?? (platform == .ios ? "APNS" : "GCM")
        let isForApple = name.hasPrefix("APNS")
        guard isForApple || name == "GCM" || name == "FCM" else {
            return DecodeFailure(
                .nothingToSend, "the target is an endpoint of \(name), not of APNs or GCM", at: text)
        }
        var origin = origin
        origin.pointer += pointer
        origin.secondsKept = attributes.secondsKept(name) ?? (isForApple ? SNSPlatform.defaultTimeToLive : nil)
        if isForApple { origin.pushType = name.hasPrefix("APNS_VOIP") ? .voip : .alert }
        let first = batch.messageCount
        let decodeFailure = decoder.decodeDerived(origin, as: isForApple ? .apns : .gcm, into: &batch) { out in
            out.appendObject {
                $0.appendMember(isForApple ? "aps" : "data") { $0.appendMember(isForApple ? "alert" : "default", text) }
            }
        }
        if isForApple, decodeFailure == nil { attributes.setHeaders(ofMessage: first, of: name, in: &batch) }
        return decodeFailure
    }

    /// The platform in the ARN of an endpoint, `arn:aws:sns:eu-west-1:123456789012:endpoint/APNS/app/id`; nil for any other target.
    private static func platform(ofEndpoint target: BorrowedText?) -> String? {
        let parts = target?.string.split(separator: ":").last?.split(separator: "/") ?? []
        return parts.count == 4 && parts[0] == "endpoint" ? String(parts[1]) : nil
    }

    private func decodePlatform(
        _ root: JSONView, _ platform: SNSPlatform, _ origin: RecordOrigin, by decoder: inout RecordDecoder,
        into batch: inout MessageBatch
    ) -> DecodeFailure? {
        guard root.isObject else {
            return DecodeFailure(.payloadType, "the platform's text must hold a JSON object", at: root)
        }
        guard platform == .gcm else {
            var origin = origin
            origin.pushType = origin.pushType ?? Self.pushType(of: root)
            return decoder.decodeAPNsBody(root, origin, into: &batch)
        }
        if let request = root["fcmV1Message"], request.isObject {
            var inner = origin
            inner.pointer += "/fcmV1Message"
            return decoder.decodeFCM(request, inner, into: &batch)
        }
        return decoder.decodeGCM(root, origin, into: &batch)
    }

    /// The push type that SNS infers when no attribute has one: `background` for `content-available` 1 without anything that
    /// the user would notice, otherwise `alert`. Source: Amazon SNS developer guide, "Inferring the APNs push type header
    /// from the payload".
    private static func pushType(of payload: JSONView) -> PushType {
        guard let aps = payload["aps"], let available = aps["content-available"],
            available.isOne || available.kind == .true
        else { return .alert }
        let isNoticed = (["alert", "badge", "sound"] as [StaticString]).contains { name in
            aps[name].map { $0.kind != .null } ?? false
        }
        return isNoticed ? .alert : .background
    }
}

/// The `MessageAttributes` of an SNS request that concern a push: `AWS.SNS.MOBILE.APNS.TTL`,
/// `AWS.SNS.MOBILE.APNS.PRIORITY` and related ones.
///
/// Amazon lists a time to live for each platform. The headers of APNs have attributes for `APNS` alone; they are applied to
/// `APNS_SANDBOX` too, which is the same app. An attribute with the platform's own name takes precedence, and is the only one
/// for VoIP pushes: it is not documented whether SNS applies those of alerts to them.
///
/// Source: Amazon SNS developer guide, "Reserved message attributes for mobile push notifications".
package struct SNSAttributes {
    private static let prefix = "AWS.SNS.MOBILE."

    /// Reserved attributes by what follows the prefix; of those with the same name the last one.
    private var values: [String: JSONView] = [:]
    /// The attributes as written.
    private var text = BorrowedText.empty

    /// - Parameter request: a `Publish` request, or a message without attributes.
    package init(_ request: JSONView) { self.init(of: request["MessageAttributes"]) }

    private init(of attributes: JSONView?) {
        guard let attributes else { return }
        text = attributes.text
        for (key, value) in attributes.members {
            let name = key.string
            // A request has `StringValue`, and SNS's own notifications have `Value`.
            guard name.hasPrefix(Self.prefix), let value = value["StringValue"] ?? value["Value"] else { continue }
            values[String(name.dropFirst(Self.prefix.count))] = value
        }
    }

    // MARK: - Time to live

    /// How long a service queues a message, in seconds; nil without an attribute, or with one that is not a number of
    /// seconds.
    ///
    /// - Parameter key: the platform's name in the message. FCM's attribute applies to both of its keys, and so does the
    ///   older attribute of that name.
    func secondsKept(_ key: String) -> Int32? {
        guard key == "GCM" || key == "FCM" else { return seconds(key) }
        return seconds("FCM") ?? seconds("GCM")
    }

    private func seconds(_ key: String) -> Int32? {
        // SOUND: the bytes of the text live as long as the request.
        guard let text = values[key + ".TTL"]?.string, let seconds = unsafe JSONNumber.int64(text.raw.buffer),
            let seconds = Int32(exactly: seconds), seconds >= 0
        else { return nil }
        return seconds
    }

    // MARK: - Headers

    /// `apns-push-type` as an attribute has it; nil without one.
    package func pushType(_ key: String) -> JSONView? { value(.pushType, key)?.value }

    private func value(_ header: APNsHeader, _ key: String) -> (name: String, value: JSONView)? {
        let attribute = header.row.attribute
        guard attribute.utf8CodeUnitCount > 0 else { return nil }
        let name = "\(key).\(attribute)"
        // SNS takes no empty values.
        if let value = values[name], value.kind != .null, !(value.string?.count == 0) { return (name, value) }
        return key == "APNS_SANDBOX" ? value(header, "APNS") : nil
    }

    /// Gives a message to APNs the headers that SNS sends with it.
    func setHeaders(ofMessage index: Int, of key: String, in batch: inout MessageBatch) {
        guard !values.isEmpty else { return }
        batch[index].headers.text = text
        for header in APNsHeader.allCases {
            guard let (_, value) = value(header, key) else { continue }
            let text = value.string.map { batch.scratch.text($0) } ?? value.text
            batch[index][header] = text
        }
        if batch[index].headers.pushType == .liveactivity { batch.hasLiveActivities = true }
    }

    /// JSON Pointer to the attribute that a header of a message comes from.
    static func pointer(to header: APNsHeader, of message: DecodedMessage) -> String {
        let pointer = message.headers.text.withJSON { root -> String? in
            var place = message.place.string.split(separator: "/", omittingEmptySubsequences: false)
            let key = place.popLast().map(String.init) ?? ""
            guard let (name, _) = SNSAttributes(of: root).value(header, key) else { return nil }
            if place.last == "Message" { place.removeLast() }
            let member = root[named: prefix + name]?["StringValue"] == nil ? "Value" : "StringValue"
            return place.joined(separator: "/") + "/MessageAttributes/\(prefix)\(name)/\(member)"
        }
        return (pointer ?? nil) ?? message.place.string
    }
}
