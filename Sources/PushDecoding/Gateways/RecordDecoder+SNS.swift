import PayloadJSON
import PushModel

/// How long each service queues what an SNS request publishes: `AWS.SNS.MOBILE.APNS.TTL` and related attributes in
/// `MessageAttributes`.
///
/// Source: Amazon SNS developer guide, TTL message attributes for mobile push notifications.
struct SNSTimesToLive {
    private static let prefix = "AWS.SNS.MOBILE."
    private static let suffix = ".TTL"
    /// Seconds by the key of the platform, without values that are not numbers of seconds.
    private var seconds: [String: Int32] = [:]

    init(_ request: JSONView) {
        // SOUND: the bytes of the text live as long as the request.
        guard let attributes = request["MessageAttributes"] else { return }
        var members = attributes.members
        while let (key, value) = members.next() {
            let name = key.string
            guard name.hasPrefix(Self.prefix), name.hasSuffix(Self.suffix), let text = value["StringValue"]?.string,
                let number = unsafe JSONNumber.int64(text.raw.buffer), let number = Int32(exactly: number), number >= 0
            else { continue }
            seconds[String(name.dropFirst(Self.prefix.count).dropLast(Self.suffix.count))] = number
        }
    }

    /// FCM's attribute applies to both of its keys, and so does the older attribute of that name.
    subscript(key: String) -> Int32? {
        key == "GCM" || key == "FCM" ? seconds["FCM"] ?? seconds["GCM"] : seconds[key]
    }
}

/// A key of an SNS message whose value is a platform's payload as a string.
///
/// Source: Amazon SNS developer guide, platform-specific payloads for mobile devices.
enum SNSPlatform {
    case apns, apnsVoIP, gcm

    /// How long SNS makes a service queue a message by default, in seconds. Source: Amazon SNS developer guide, TTL.
    static let defaultTimeToLive: Int32 = 2_419_200

    init?(_ key: JSONString) {
        if key == "APNS" || key == "APNS_SANDBOX" {
            self = .apns
        } else if key == "APNS_VOIP" || key == "APNS_VOIP_SANDBOX" {
            self = .apnsVoIP
        } else if key == "GCM" || key == "FCM" {
            self = .gcm
        } else {
            return nil
        }
    }
}

extension RecordDecoder {
    /// An SNS message, `{"default":"…","APNS":"{…}","GCM":"{…}"}`, or a `Publish` request with one as its `Message`.
    mutating func decodeSNS(
        _ root: JSONView, _ origin: RecordOrigin, into batch: inout MessageBatch
    ) -> DecodeFailure? {
        var origin = origin
        origin.gateway = .sns
        origin.impliesTarget = true
        let times = SNSTimesToLive(root)
        if let target = (root["TargetArn"] ?? root["TopicArn"])?.string { origin.device = batch.scratch.text(target) }
        if let message = root["Message"], let string = message.string {
            var inner = origin
            inner.pointer += "/Message"
            return withText(in: string, at: message.offset, inner, into: &batch) { decoder, root, inner, batch in
                decoder.decodeSNSMessage(root, times, inner, into: &batch)
            }
        }
        return decodeSNSMessage(root, times, origin, into: &batch)
    }

    private mutating func decodeSNSMessage(
        _ root: JSONView, _ times: SNSTimesToLive, _ origin: RecordOrigin, into batch: inout MessageBatch
    ) -> DecodeFailure? {
        var count = 0
        var refused: DecodeFailure?
        var members = root.members
        while let (key, value) = members.next() {
            // Of duplicate keys the last one is used.
            guard let platform = SNSPlatform(key), root[key]?.offset == value.offset else { continue }
            count += 1
            var inner = origin
            inner.pointer += "/" + key.string
            if platform == .apnsVoIP { inner.pushType = .voip }
            inner.secondsKept = times[key.string]
            // In requests to FCM the body can also set it.
            if platform != .gcm { inner.secondsKept = inner.secondsKept ?? SNSPlatform.defaultTimeToLive }
            let first = batch.messageCount
            let decodeFailure: DecodeFailure?
            if let string = value.string {
                decodeFailure = withText(in: string, at: value.offset, inner, into: &batch) {
                    decoder, root, inner, batch in
                    decoder.decodeSNSPlatform(root, platform, inner, into: &batch)
                }
            } else {
                decodeFailure = decodeSNSPlatform(value, platform, inner, into: &batch)
                if decodeFailure == nil, first < batch.messageCount {
                    let finding = Finding(
                        rule: "sns.value-not-text", severity: .error, pointer: inner.pointer,
                        message: "SNS wants each platform's payload as text: a string that holds the JSON")
                    batch.report(finding, message: first)
                }
            }
            // The platforms of a message are independent, so the others are still read.
            refused = refused ?? decodeFailure
        }
        if count == 0 {
            return DecodeFailure(
                rule: "record.nothing-to-send", message: "the SNS message has no text for APNs or GCM",
                offset: root.offset)
        }
        return refused
    }

    private mutating func decodeSNSPlatform(
        _ root: JSONView, _ platform: SNSPlatform, _ origin: RecordOrigin, into batch: inout MessageBatch
    ) -> DecodeFailure? {
        guard root.isObject else {
            return DecodeFailure(
                rule: "record.payload-type", message: "the platform's text must hold a JSON object", offset: root.offset
            )
        }
        guard platform == .gcm else {
            var origin = origin
            origin.pushType = origin.pushType ?? Self.pushTypeOfSNS(root)
            return decodeAPNsBody(root, origin, into: &batch)
        }
        if let request = root["fcmV1Message"], request.isObject {
            var inner = origin
            inner.pointer += "/fcmV1Message"
            return decodeFCM(request, inner, into: &batch)
        }
        return decodeGCM(root, origin, into: &batch)
    }

    /// SNS sets `background` if `content-available` is present as a number or boolean, otherwise `alert`.
    private static func pushTypeOfSNS(_ payload: JSONView) -> PushType {
        switch payload["aps"]?["content-available"]?.kind {
        case .number, .true, .false: .background
        default: .alert
        }
    }
}
