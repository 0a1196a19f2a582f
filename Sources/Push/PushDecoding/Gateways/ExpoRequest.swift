package import PushJSON
package import PushModel

/// A request to Expo's push service: a message, or an array of messages, each to one token or to several.
///
/// Source: Expo, "Send notifications with Expo's Push API".
package struct ExpoRequest {
    /// Messages that a request may have. Whether each token of a message counts is UNCONFIRMED: Expo's SDKs for Node.js and Ruby send at most
    /// 100 tokens at a time, and that for Python sends more.
    static let mostMessages = 100

    private let root: JSONView

    init(_ root: JSONView) { self.root = root }

    /// True for an array whose first message is for a token of Expo's.
    package static func isList(_ root: JSONView) -> Bool {
        guard root.kind == .array else { return false }
        var elements = root.elements
        return elements.next().map { TopLevelKeys(of: $0).isForExpo } ?? false
    }

    func decode(
        _ origin: RecordOrigin, by decoder: inout RecordDecoder, into batch: inout MessageBatch
    ) -> DecodeFailure? {
        let isList = root.kind == .array
        let messages = isList ? Array(root.elements) : [root]
        var count = 0
        // Before anything is appended, so that a request is read as a whole or not at all.
        for message in messages {
            if let failure = Self.add(message, to: &count) { return failure }
        }
        guard count > 0 else {
            return DecodeFailure(.nothingToSend, "the Expo request has no token", at: root)
        }
        let first = batch.messageCount
        for (position, message) in messages.enumerated() {
            var inner = origin
            if isList { inner.pointer += "/\(position)" }
            let message = ExpoMessage(message)
            let failure = message.decode(
                inner, isRefused: messages.count > Self.mostMessages, by: &decoder, into: &batch)
            if let failure { return failure }
        }
        guard messages.count > Self.mostMessages else { return nil }
        for index in first..<batch.messageCount {
            batch.reject(
                .expoTooManyNotifications, pointer: origin.pointer,
                "request of \(messages.count) messages, over the limit of \(Self.mostMessages)", message: index)
        }
        return nil
    }

    /// Counts the tokens of a message.
    private static func add(_ message: JSONView, to count: inout Int) -> DecodeFailure? {
        guard message.isObject else {
            return DecodeFailure(.payloadType, "an Expo message must be a JSON object", at: message)
        }
        let target = message["to"]
        if target?.isString ?? false {
            count += 1
        } else if let target, target.kind == .array {
            for _ in target.elements { count += 1 }
        } else {
            return DecodeFailure(
                .nothingToSend, "\"to\" must be an Expo token as a string, or a list of them", at: target ?? message)
        }
        return nil
    }
}

/// A token of Expo's push service, which stands for an app on a device.
package enum ExpoToken {
    /// True if a text has the form of a token.
    ///
    /// Source: Expo, "Send notifications with Expo's Push API". Expo's SDKs also take a UUID alone.
    package static func isToken(_ text: String) -> Bool {
        isMarked(text) && text.hasSuffix("]") || APNsAcceptance.isUUID(text)
    }

    /// True if a text begins as the tokens do by which a request is recognized.
    package static func isMarked(_ text: String) -> Bool {
        text.hasPrefix("ExponentPushToken[") || text.hasPrefix("ExpoPushToken[")
    }
}

extension RecordDecoder {
    /// Reads a message of Expo's again, for a device of another platform.
    ///
    /// - Parameters:
    ///   - text: the message as it is in the record. It lives as long as the batch.
    ///   - message: as it was decoded before, with the device that it is for.
    package mutating func decodeExpo(
        _ text: BorrowedText, like message: DecodedMessage, for platform: Platform, into batch: inout MessageBatch
    ) {
        // SOUND: the caller keeps the text alive.
        var origin = RecordOrigin(record: message.record)
        origin.pointer = message.place.string
        origin.platform = platform
        origin.device = message.device
        _ = unsafe withScan(of: text.bytes, origin, into: &batch) { decoder, root, origin, batch in
            ExpoMessage(root).derive(origin, by: &decoder, into: &batch)
        }
    }
}

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
        value.string?.nonEmpty == nil ? nil : value
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
        guard let to else { return nil }
        let isList = to.kind == .array
        let tokens = isList ? Array(to.elements) : [to]
        if tokens.isEmpty { return nil }
        let first = batch.messageCount
        if let failure = derive(origin, by: &decoder, into: &batch) { return failure }
        guard batch.messageCount > first else { return nil }
        var message = batch[first]
        for (position, token) in tokens.enumerated() {
            message.device = decoder.text(of: token, in: &batch)
            // The first one stays in place: there may be findings about it.
            if position == 0 { batch[first] = message } else { batch.append(message) }
            guard !isRefused, !(token.string.map { ExpoToken.isToken($0.string) } ?? false) else { continue }
            batch.reject(
                .expoDeviceNotRegistered, pointer: "\(origin.pointer)/to" + (isList ? "/\(position)" : ""),
                "the token is not an Expo token, such as ExponentPushToken[…]", message: batch.messageCount - 1)
        }
        return nil
    }

    /// Appends the message that Expo hands on.
    func derive(
        _ origin: RecordOrigin, by decoder: inout RecordDecoder, into batch: inout MessageBatch
    ) -> DecodeFailure? {
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
        let failure = decoder.decodeDerived(origin, as: isForApple ? .apns : .fcm, into: &batch) { out in
            if isForApple { composeAPNs(into: &out) } else { composeFCM(into: &out) }
        }
        guard failure == nil, batch.messageCount > first else { return failure }
        setOptions(of: &batch[first])
        if isForApple, let collapseID {
            let text = decoder.text(of: collapseID, in: &batch)
            batch[first].headers.collapseID = text
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
        out.appendObject { out in
            out.appendMember("aps") { out in
                if hasText {
                    out.appendMember("alert") { out in
                        out.appendMember("title", title)
                        out.appendMember("subtitle", subtitle)
                        out.appendMember("body", body)
                    }
                }
                out.appendMember("badge", badge)
                if let sound {
                    out.appendMemberName("sound")
                    composeSound(sound, into: &out)
                }
                out.appendMember("category", category)
                out.appendMember("interruption-level", level)
                if isMutable { out.appendMember("mutable-content", json: "1") }
                if wakesApp { out.appendMember("content-available", json: "1") }
            }
            out.appendMember("body", data)
        }
    }

    /// The sound of a critical alert is an object, in which APNs wants a number where Expo has a boolean.
    private func composeSound(_ sound: JSONView, into out: inout ByteBuffer) {
        guard sound.isObject else { return out.append(sound.text) }
        out.appendObject { out in
            for (key, value) in sound.members where value.kind != .null {
                out.appendMemberName(key)
                if key == "critical", value.kind == .true || value.kind == .false {
                    out.append(value.kind == .true ? "1" : "0")
                } else {
                    out.append(value.text)
                }
            }
        }
    }

    // MARK: - For Google

    private func composeFCM(into out: inout ByteBuffer) {
        out.appendObject { out in
            out.appendMember("message") { out in
                let isNotification = title != nil || body != nil
                if isNotification {
                    out.appendMember("notification") { out in
                        out.appendMember("title", title)
                        out.appendMember("body", body)
                        out.appendMember("image", image)
                    }
                }
                if data != nil || category != nil {
                    out.appendMember("data") { out in
                        if let data {
                            out.appendMemberName("body")
                            out.appendJSONString(data.text)
                        }
                        out.appendMember("categoryId", category)
                    }
                }
                out.appendMember("android") { out in composeAndroid(isNotification, into: &out) }
            }
        }
    }

    private func composeAndroid(_ isNotification: Bool, into out: inout ByteBuffer) {
        out.appendMember("priority", json: isUrgent ?? false ? "\"HIGH\"" : "\"NORMAL\"")
        if let timeToLive {
            out.appendMemberName("ttl")
            out.append("\"")
            // More than FCM takes is as much as it takes.
            out.append(min(timeToLive, TransitOptions.longestOfFCM / 1000))
            out.append("s\"")
        }
        guard isNotification, channel != nil || tag != nil else { return }
        out.appendMember("notification") { out in
            out.appendMember("channel_id", channel)
            out.appendMember("tag", tag)
        }
    }
}
