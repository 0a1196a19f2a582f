import PayloadJSON
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

/// An SNS message, `{"default":"…","APNS":"{…}","GCM":"{…}"}`, or a `Publish` request with one as its `Message`.
struct SNSRequest {
    private let root: JSONView
    private let attributes: SNSAttributes

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
                        "SNS takes each platform's payload as text: a string that contains the JSON",
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
            return DecodeFailure(
                rule: "record.nothing-to-send", message: "the SNS message has no text for APNs or GCM",
                offset: root.offset)
        }
        return refused
    }

    private func decodePlatform(
        _ root: JSONView, _ platform: SNSPlatform, _ origin: RecordOrigin, by decoder: inout RecordDecoder,
        into batch: inout MessageBatch
    ) -> DecodeFailure? {
        guard root.isObject else {
            return DecodeFailure(
                rule: "record.payload-type", message: "the platform's text must hold a JSON object", offset: root.offset
            )
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
