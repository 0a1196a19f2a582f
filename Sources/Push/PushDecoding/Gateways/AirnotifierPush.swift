import PushJSON
import PushModel

/// The body of Airnotifier's `POST /api/v2/push`, converted to what Airnotifier 3 sends to FCM or APNs.
///
/// Source: airnotifier, `api/push.py`, `pushservices/apns.py`, `hooks/moodle.py`.
struct AirnotifierPush {
    private let root: JSONView
    private let token: JSONView?
    private let alert: JSONView?
    private let extra: JSONView?
    private let fcm: JSONView?
    private let apns: JSONView?
    /// True if `extra.processor` names the hook for Moodle.
    private let isMoodle: Bool

    init(_ root: JSONView) {
        self.root = root
        token = root["token"]
        alert = root["alert"]
        extra = root["extra"]
        fcm = root["fcm"]
        apns = root["apns"]
        isMoodle = extra?["processor"]?.string.map { $0 == "moodle" } ?? false
    }

    /// The type of the target's device, in lower case.
    private var device: String { root["device"]?.string?.string.lowercased() ?? "fcm" }

    /// The service that sends to a device of this type, and the platform that the type names; nil for a type that none sends to.
    var service: (provider: Provider, platform: Platform)? {
        let device = self.device
        if device.hasSuffix("fcm") { return (.fcm, device.hasPrefix("ios") ? .ios : .android) }
        return device == "ios" ? (.apns, .ios) : nil
    }

    func decode(
        _ origin: RecordOrigin, by decoder: inout RecordDecoder, into batch: inout MessageBatch
    ) -> DecodeFailure? {
        var origin = origin
        origin.gateway = .airnotifier
        if let token = token?.string { origin.device = batch.scratch.text(token) }
        let service = self.service
        if service?.provider == .fcm {
            if service?.platform == .ios { origin.platform = .ios }
            return decoder.decodeDerived(origin, as: .fcm, into: &batch) { out in composeFCM(into: &out) }
        }
        if service?.provider == .apns {
            let type = apns?["push_type"]?.string.flatMap { PushType(wireName: batch.scratch.text($0)) }
            origin.pushType = type ?? .alert
            if origin.device == nil { origin.device = BorrowedText("") }
            let first = batch.messageCount
            let decodeFailure = decoder.decodeDerived(origin, as: .apns, into: &batch) { out in
                composeAPNs(into: &out)
            }
            for index in first..<batch.messageCount {
                batch[index].headers.isTargetNamed = true
                // Airnotifier always sets it, whatever the push says.
                batch[index].headers.expiration = BorrowedText("0")
            }
            return decodeFailure
        }
        // Of the other types that Airnotifier knows, `mpns` and `sms`, it sends nothing any more: source as above.
        let device = self.device
        if device == "wns" {
            return DecodeFailure(
                .nothingToSend, "the device type \"\(device)\" is not emulated", at: root["device"] ?? root)
        }
        var message = decoder.newMessage(.fcm, origin, &batch)
        message.payload = root.text
        message.byteLimit = (decoder.options.budget ?? .fcm).bytes
        batch.append(message)
        batch.reject(.invalidDeviceType, pointer: origin.pointer + "/device", message: batch.messageCount - 1)
        return nil
    }

    /// `{"message":{…}}` for FCM v1.
    private func composeFCM(into out: inout ByteBuffer) {
        out.appendObject { out in
            out.appendMember("message") { out in
                out.appendMember("token", token)
                composeNotification(into: &out)
                if let data = isMoodle ? extra : fcm?["data"], data.isObject {
                    out.appendMemberName("data")
                    composeStrings(data, into: &out)
                }
                guard !isMoodle else { return }
                for name: StaticString in ["android", "apns", "webpush"] {
                    if let block = fcm?[name], block.kind != .null { out.appendMember(name, block) }
                }
            }
        }
    }

    private func composeNotification(into out: inout ByteBuffer) {
        if isMoodle, alert == nil {
            // The hook writes title and body from Moodle's fields, but not if `alert` is present, even as
            // `"alert":null`.
            out.appendMember("notification") { out in
                if let title = extra?["sitefullname"], title.isString {
                    out.appendMember("title", title)
                } else {
                    out.appendMember("title", json: "\"Notification\"")
                }
                if let body = extra?["smallmessage"] ?? extra?["fullmessage"], body.isString {
                    out.appendMember("body", body)
                }
            }
        } else if let alert, let text = alert.string, text.count > 0 {
            out.appendMember("notification") { out in
                out.appendMember("title", alert)
                out.appendMember("body", alert)
            }
        } else if let alert, alert.isObject {
            out.appendMemberName("notification")
            composeStrings(alert, into: &out)
        }
    }

    /// Writes an object with its values converted to strings: booleans as "1" and "0", everything else as its text,
    /// without nulls.
    private func composeStrings(_ object: JSONView, into out: inout ByteBuffer) {
        out.appendObject { out in
            for (key, value) in object.members where value.kind != .null {
                out.appendMemberName(key)
                switch value.kind {
                case .string: out.append(value.text)
                case .true: out.append("\"1\"")
                case .false: out.append("\"0\"")
                default: out.appendJSONString(value.text)
                }
            }
        }
    }

    /// The payload for APNs. Only these names of `apns` are passed on; a missing `badge` is sent as null.
    private func composeAPNs(into out: inout ByteBuffer) {
        out.appendObject { out in
            out.appendMember("aps") { out in
                out.appendMemberName("alert")
                composeAlert(into: &out)
                for name: StaticString in ["thread-id", "category", "content-available"] {
                    out.appendMember(name, apns?[name])
                }
                out.appendMemberName("badge")
                out.append(apns?["badge"]?.text ?? BorrowedText("null"))
                out.appendMemberName("sound")
                out.append(apns?["sound"]?.text ?? BorrowedText("\"default\""))
            }
        }
    }

    private func composeAlert(into out: inout ByteBuffer) {
        let alert = apns?["alert"] ?? alert
        if let alert, !alert.isString { return out.append(alert.text) }
        // Without an alert Airnotifier uses the empty string.
        let text = alert?.string?.string ?? ""
        let oneLine = String(String.UnicodeScalarView(text.unicodeScalars.filter { $0 != "\n" }))
        out.appendObject { out in
            for name: StaticString in ["body", "title"] {
                out.appendMemberName(name)
                out.appendJSONString(oneLine)
            }
        }
    }
}

/// Moodle's form of 2013: fields from which Airnotifier 1 made an APNs payload of at most 256 bytes, with `alert` in `aps` and the
/// others next to it.
struct MoodleForm {
    let root: JSONView

    func decode(
        _ origin: RecordOrigin, by decoder: inout RecordDecoder, into batch: inout MessageBatch
    ) -> DecodeFailure? {
        var origin = origin
        origin.gateway = .moodle
        origin.budget = .apnsBinary
        return decoder.decodeDerived(origin, as: .apns, into: &batch) { out in
            out.appendObject { out in
                out.appendMember("aps") { out in out.appendMember("alert", root["alert"]) }
                out.appendMembers(of: root) { key in
                    !(key == "alert" || key == "aps" || key == "token" || key == "device")
                }
            }
        }
    }
}
