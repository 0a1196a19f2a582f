import PayloadJSON
import PushModel

/// The parts of a GCM or FCM request that determine the APNs payload for an iOS device.
struct DerivedParts {
    var notification: JSONView?
    var data: JSONView?
    /// `apns.payload`, which takes precedence.
    var payload: JSONView?
    /// The address of a picture, which Firebase's helper for service extensions reads under `fcm_options`.
    ///
    /// Sources: Firebase, "Send an image in the notification payload"; firebase-ios-sdk, `FIRMessagingExtensionHelper.m`.
    var image: JSONView?
    var isSilent = false
    var isMutable = false

    /// True if the payload for APNs is longer. Composes it only if it may be.
    func isLonger(than limit: Int) -> Bool {
        // Names and values from elsewhere, and whatever is put around them.
        let parts = [notification, data, payload].reduce(0) { $0 + ($1?.text.count ?? 0) }
        guard parts + 64 > limit else { return false }
        var out = ByteBuffer()
        compose(into: &out)
        return out.count > limit
    }

    fileprivate func compose(into out: inout ByteBuffer) {
        out.append("{")
        let aps = payload?["aps"]
        out.appendMemberName("aps")
        composeAps(aps, into: &out)
        if let payload { out.appendMembers(of: payload) { !($0 == "aps") } }
        let image = payload?["fcm_options"] == nil ? image : nil
        if let image {
            out.appendMemberName("fcm_options")
            out.append("{")
            out.appendMember("image", image)
            out.append("}")
        }
        if let data {
            out.appendMembers(of: data) { key in
                !(key == "aps") && payload?[key] == nil && (image == nil || !(key == "fcm_options"))
            }
        }
        out.append("}")
    }

    private func composeAps(_ aps: JSONView?, into out: inout ByteBuffer) {
        out.append("{")
        if let aps { out.appendMembers(of: aps) }
        func isFree(_ name: StaticString) -> Bool { aps?[name] == nil }

        if let notification {
            if isFree("alert"), Self.hasAlertText(notification) {
                out.appendMemberName("alert")
                Self.composeAlert(notification, into: &out)
            }
            if isFree("sound"), let sound = notification["sound"], sound.kind != .null {
                out.appendMember("sound", sound)
            }
            if isFree("badge"), let badge = Self.badge(notification["badge"]) {
                out.appendMemberName("badge")
                out.append(badge)
            }
            if isFree("category"), let action = notification["click_action"], action.kind != .null {
                out.appendMember("category", action)
            }
        }
        if isSilent, isFree("content-available") { out.appendMember("content-available", 1) }
        if isMutable, isFree("mutable-content") { out.appendMember("mutable-content", 1) }
        out.append("}")
    }

    /// Names in a request, and their names in `alert`.
    private static let alertNames: [(request: StaticString, alert: StaticString)] = [
        ("title", "title"), ("subtitle", "subtitle"), ("body", "body"), ("title_loc_key", "title-loc-key"),
        ("title_loc_args", "title-loc-args"), ("body_loc_key", "loc-key"), ("body_loc_args", "loc-args"),
    ]

    private static func hasAlertText(_ notification: JSONView) -> Bool {
        alertNames.contains { notification[$0.request]?.string.map { $0.count > 0 } ?? false }
    }

    private static func composeAlert(_ notification: JSONView, into out: inout ByteBuffer) {
        out.append("{")
        for name in alertNames {
            if let value = notification[name.request], value.kind != .null { out.appendMember(name.alert, value) }
        }
        out.append("}")
    }

    /// The legacy protocol writes the badge as a string.
    private static func badge(_ value: JSONView?) -> Int64? {
        // SOUND: the bytes live until the closure returns.
        guard let value else { return nil }
        return value.int64 ?? value.string?.withDecoded { unsafe JSONNumber.int64($0.buffer) }
    }
}

extension RecordDecoder {
    /// Gives the messages from index `first` on the APNs payload that FCM would send: the members of `apns.payload`
    /// unchanged, an alert from `notification` if they have none, and `data` next to `aps`.
    mutating func deriveForIOS(
        _ parts: DerivedParts, _ origin: RecordOrigin, from first: Int, into batch: inout MessageBatch
    ) -> DecodeFailure? {
        // SOUND: every index is below `messageCount`, and nothing is appended in the loop.
        let decodeFailure = withDerived(origin, into: &batch) { out in
            parts.compose(into: &out)
        } _: { decoder, root, _, batch in
            guard var model = unsafe batch.messages.last else { return nil }
            decoder.readAPNsContent(root, into: &model, &batch)
            for index in first..<batch.messageCount {
                unsafe batch.messages[index].headers.text = batch.messages[index].payload
                unsafe batch.messages[index].payload = root.text
                unsafe batch.messages[index].isDerived = true
                unsafe batch.messages[index].byteCount = root.text.count
                unsafe batch.messages[index].content = model.content
            }
            return nil
        }
        if decodeFailure != nil { batch.removeMessages(from: first) }
        return decodeFailure
    }
}
