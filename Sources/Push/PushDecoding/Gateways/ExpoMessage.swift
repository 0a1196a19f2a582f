import PayloadJSON
import PushModel

/// A message of Expo's push service, and what Expo hands on to APNs or FCM for it.
///
/// Expo does not document what it hands on. `data` under `body`, as an object for APNs and as a text for FCM, is where Expo's library for apps
/// and the service extensions of its users read it; everything else here is UNCONFIRMED, and stands in this file alone.
///
/// Source of fields and their meaning: Expo, "Send notifications with Expo's Push API"; `collapseId` and `tag` are in the types of Expo's SDK for
/// Node.js, 6.1.
struct ExpoMessage {
    private let view: JSONView
    private var to: JSONView?
    private var title: JSONView?
    private var subtitle: JSONView?
    private var body: JSONView?
    private var data: JSONView?
    private var sound: JSONView?
    private var badge: JSONView?
    private var channel: JSONView?
    private var category: JSONView?
    private var level: JSONView?
    private var image: JSONView?
    private var collapseID: JSONView?
    private var tag: JSONView?
    private var isMutable = false
    private var wakesApp = false
    /// True for `high`, false for `normal`; nil for `default`.
    private var isUrgent: Bool?
    private var timeToLive: Int64?
    private var expiration: BorrowedText?

    init(_ view: JSONView) {
        self.view = view
        for (key, value) in view.members {
            // Null stands for a field that is missing.
            if value.kind != .null { note(key, value) }
        }
    }

    private mutating func note(_ key: JSONString, _ value: JSONView) {
        switch key {
        case "to": to = value
        case "title": title = Self.text(value)
        case "subtitle": subtitle = Self.text(value)
        case "body": body = Self.text(value)
        case "data": data = value.isObject ? value : nil
        case "sound": sound = value.isString || value.isObject ? value : nil
        case "badge": badge = value.kind == .number ? value : nil
        case "channelId": channel = Self.text(value)
        case "categoryId": category = Self.text(value)
        case "mutableContent": isMutable = value.kind == .true
        case "priority": isUrgent = Self.urgency(value)
        case "ttl": timeToLive = value.int64.flatMap { $0 >= 0 ? $0 : nil }
        case "expiration": expiration = Self.time(value)
        // Of newer copies of the document: UNCONFIRMED.
        case "interruptionLevel": level = Self.text(value)
        case "richContent": image = value["image"].flatMap(Self.text)
        case "collapseId": collapseID = Self.text(value)
        case "tag": tag = Self.text(value)
        case "_contentAvailable": wakesApp = value.kind == .true
        default: break
        }
    }

    private static func text(_ value: JSONView) -> JSONView? {
        value.string.map { $0.count > 0 } ?? false ? value : nil
    }

    private static func urgency(_ value: JSONView) -> Bool? {
        guard let word = value.string else { return nil }
        return word == "high" ? true : word == "normal" ? false : nil
    }

    /// Epoch seconds as digits, as a header has them.
    private static func time(_ value: JSONView) -> BorrowedText? {
        guard let seconds = value.int64, seconds >= 0, Int64(value.text.string) == seconds else { return nil }
        return value.text
    }

    // MARK: - Messages

    /// Appends a message for each token.
    ///
    /// - Parameter isRefused: true if Expo refuses the whole request, whatever the tokens are.
    func decode(
        _ origin: RecordOrigin, isRefused: Bool, by decoder: inout RecordDecoder, into batch: inout MessageBatch
    ) -> DecodeFailure? {
        // SOUND: every index is below `messageCount`.
        guard let to else { return nil }
        let isList = to.kind == .array
        let tokens = isList ? Array(to.elements) : [to]
        if tokens.isEmpty { return nil }
        let first = batch.messageCount
        if let failure = derive(origin, by: &decoder, into: &batch) { return failure }
        guard batch.messageCount > first else { return nil }
        var message = unsafe batch.messages[first]
        for (position, token) in tokens.enumerated() {
            message.device = decoder.text(of: token, in: &batch)
            // The first one stays in place: there may be findings about it.
            if position == 0 { unsafe batch.messages[first] = message } else { batch.append(message) }
            guard !isRefused, !(token.string.map { ExpoToken.isToken($0.string) } ?? false) else { continue }
            batch.reject(
                .expoDeviceNotRegistered, pointer: "\(origin.pointer)/to" + (isList ? "/\(position)" : ""),
                "the token is not one of Expo's, such as ExponentPushToken[…]", message: batch.messageCount - 1)
        }
        return nil
    }

    /// Appends the message that Expo hands on.
    func derive(
        _ origin: RecordOrigin, by decoder: inout RecordDecoder, into batch: inout MessageBatch
    ) -> DecodeFailure? {
        // SOUND: there is a message at the index, and nothing is appended meanwhile.
        var origin = origin
        origin.gateway = .expo
        origin.impliesTarget = true
        // The tokens of the provider are Expo's secret, so none of them is judged.
        if origin.device == nil { origin.device = BorrowedText("ExponentPushToken[]") }
        let isForApple = (decoder.options.platform ?? origin.platform ?? .ios) == .ios
        if isForApple {
            origin.pushType = hasText ? .alert : wakesApp ? .background : nil
        } else {
            origin.platform = .android
        }
        let first = batch.messageCount
        let failure = decoder.withDerived(origin, into: &batch) { out in
            if isForApple { composeAPNs(into: &out) } else { composeFCM(into: &out) }
        } _: { decoder, root, origin, batch in
            isForApple
                ? decoder.decodeAPNsBody(root, origin, into: &batch) : decoder.decodeFCM(root, origin, into: &batch)
        }
        guard failure == nil, batch.messageCount > first else { return failure }
        unsafe setOptions(of: &batch.messages[first])
        if isForApple, let collapseID {
            let text = decoder.text(of: collapseID, in: &batch)
            unsafe batch.messages[first].headers.collapseID = text
        }
        return nil
    }

    private func setOptions(of message: inout DecodedMessage) {
        message.headers.text = view.text
        let isForApple = message.platform == .ios
        if let timeToLive {
            message.secondsKept = Int32(clamping: timeToLive)
        } else if let expiration {
            message.headers.expiration = expiration
        } else if isForApple {
            // The documented default for APNs. FCM has its own.
            message.secondsKept = 0
        }
        if isForApple { message.headers.priority = BorrowedText(isUrgent ?? true ? "10" : "5") }
    }

    // MARK: - For Apple

    private var hasText: Bool { title != nil || subtitle != nil || body != nil }

    private func composeAPNs(into out: inout ByteBuffer) {
        out.append("{\"aps\":{")
        if hasText {
            out.appendMemberName("alert")
            out.append("{")
            out.appendMember("title", title)
            out.appendMember("subtitle", subtitle)
            out.appendMember("body", body)
            out.append("}")
        }
        out.appendMember("badge", badge)
        if let sound {
            out.appendMemberName("sound")
            composeSound(sound, into: &out)
        }
        out.appendMember("category", category)
        out.appendMember("interruption-level", level)
        if isMutable { out.appendMember("mutable-content", 1) }
        if wakesApp { out.appendMember("content-available", 1) }
        out.append("}")
        out.appendMember("body", data)
        out.append("}")
    }

    /// The sound of a critical alert is an object, in which APNs wants a number where Expo has a boolean.
    private func composeSound(_ sound: JSONView, into out: inout ByteBuffer) {
        guard sound.isObject else { return out.append(sound.text) }
        out.append("{")
        for (key, value) in sound.members where value.kind != .null {
            out.appendMemberName(key)
            if key == "critical", value.kind == .true || value.kind == .false {
                out.append(value.kind == .true ? "1" : "0")
            } else {
                out.append(value.text)
            }
        }
        out.append("}")
    }

    // MARK: - For Google

    private func composeFCM(into out: inout ByteBuffer) {
        out.append("{\"message\":{")
        let isNotification = title != nil || body != nil
        if isNotification {
            out.appendMemberName("notification")
            out.append("{")
            out.appendMember("title", title)
            out.appendMember("body", body)
            out.appendMember("image", image)
            out.append("}")
        }
        if data != nil || category != nil {
            out.appendMemberName("data")
            out.append("{")
            if let data {
                out.appendMemberName("body")
                out.appendJSONString(data.text)
            }
            out.appendMember("categoryId", category)
            out.append("}")
        }
        out.appendMemberName("android")
        out.append("{\"priority\":")
        out.append(isUrgent ?? false ? "\"HIGH\"" : "\"NORMAL\"")
        if let timeToLive {
            out.appendMemberName("ttl")
            out.append("\"")
            // More than FCM takes is as much as it takes.
            out.append(min(timeToLive, TransitOptions.longestOfFCM / 1000))
            out.append("s\"")
        }
        if isNotification, channel != nil || tag != nil {
            out.appendMemberName("notification")
            out.append("{")
            out.appendMember("channel_id", channel)
            out.appendMember("tag", tag)
            out.append("}")
        }
        out.append("}}}")
    }
}
