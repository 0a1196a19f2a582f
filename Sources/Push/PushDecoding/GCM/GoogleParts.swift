import CPushBlockScan
package import PushJSON
package import PushModel

/// The parts of a GCM request, or of an FCM v1 message, that reach an Android device or a browser and are measured or shown.
package struct GoogleParts {
    let notification: JSONView?
    let data: JSONView?
    /// The notification in the block of the platform, whose texts take precedence.
    private(set) var ownNotification: JSONView?
    private var ownData: JSONView?
    private let isForWeb: Bool
    /// True for `android_v2`, whose texts override those of the message one by one.
    private var overridesTexts = false
    private var isShownInFront = false
    /// True if a tap depends on more than the click action of Android's own notification: there are parts for other platforms alone, or options
    /// of `android_v2`.
    private var needsPayload = false
    /// True if the common notification is Android's own, too.
    private var isOwnCommon = false

    /// True if a text of the common notification is sent beside the platform's own, which may be missing.
    func sendsCommonText(beside own: JSONView?) -> Bool { !overridesTexts || !Self.isGiven(own) }

    /// JSON Pointer in the payload to a text of the platform's own notification.
    func pointer(to text: JSONView, _ name: AlertText, in payload: JSONView) -> String {
        if overridesTexts { return payload.pointer(to: text.index) }
        return "/\(isForWeb ? "webpush" : "android")/notification/\(name.rawValue)"
    }

    init(_ payload: JSONView, of provider: Provider, on platform: Platform) {
        if provider == .fcm {
            self.init(FCMMessage(payload), on: platform)
        } else {
            self.init(LegacyRequest(payload), on: platform)
        }
    }

    @inline(__always)
    init(_ message: FCMMessage, on platform: Platform) {
        isForWeb = platform == .web
        let isForOthersAlone = message.android == nil && (message.apns != nil || message.webpush != nil)
        needsPayload = platform != .android || isForOthersAlone
        if platform == .android, let block = message.androidV2 {
            let android = AndroidV2(block)
            notification = android.isBackgroundSync ? nil : message.notification
            data = android.data ?? message.data
            ownNotification = android.notification
            overridesTexts = true
            isShownInFront = android.isRemoteNotification
            return
        }
        notification = message.notification
        data = message.data
        ownNotification = isForWeb ? message.webNotification : message.androidNotification
        ownData = isForWeb ? message.webData : message.androidData
    }

    @inline(__always)
    init(_ request: LegacyRequest, on platform: Platform) {
        isForWeb = platform == .web
        needsPayload = isForWeb
        isOwnCommon = platform == .android
        notification = request.notification
        data = request.data
    }

    /// The size that counts towards the limit.
    var byteCount: Int {
        @inline(__always) get {
            (overridesTexts ? overriddenBytes : Self.countedBytes(notification)) + Self.countedBytes(data)
                + Self.countedBytes(ownNotification)
                + Self.countedBytes(ownData)
        }
    }

    /// The size of `data` alone.
    var dataByteCount: Int { Self.countedBytes(data) + Self.countedBytes(ownData) }

    /// The size of the members of the common notification that the platform's own does not have.
    @inline(never)
    private var overriddenBytes: Int {
        var count = 0
        var members = notification?.members
        while let (key, value) = members?.next() {
            if !Self.isGiven(ownNotification?[key]) { count += Self.countedBytes(key, value) }
        }
        return count
    }

    /// False for a value that is absent in proto3, and so overrides none: null, and an empty string.
    package static func isGiven(_ value: JSONView?) -> Bool {
        value.map { $0.kind != .null && $0.string?.count != 0 } ?? false
    }

    private static func countedBytes(_ key: JSONString, _ value: JSONView) -> Int {
        key.decodedCount + (value.string?.decodedCount ?? value.text.count)
    }

    /// Size of an object's names and values in UTF-8 bytes: strings without quotes and escapes, other values as JSON
    /// text.
    static func countedBytes(_ object: JSONView?) -> Int {
        guard let object else { return 0 }
        var count = 0
        for (key, value) in object.members {
            count += countedBytes(key, value)
        }
        return count
    }

    @inline(__always)
    func read(into content: inout NotificationContent, _ batch: inout MessageBatch) {
        content = NotificationContent()
        if notification == nil, ownNotification == nil { content.silence = .dataOnly }
        if needsPayload { content.tapOptions = .payload }
        if isForWeb { return content.readWeb(notification, ownNotification, &batch) }
        content.readAndroid(notification, &batch)
        if !isOwnCommon, !content.tapOptions.isEmpty { content.tapOptions = .payload }
        content.readAndroid(ownNotification, &batch)
        if overridesTexts, !content.tapOptions.isEmpty { content.tapOptions = .payload }
        content.isShownInFront = isShownInFront
        content.hasAlert = content.title?.nonEmpty != nil || content.body?.nonEmpty != nil
    }
}

extension NotificationContent {
    /// Reads what Android's drawer shows of a notification; its texts take precedence over those already read.
    fileprivate mutating func readAndroid(_ notification: JSONView?, _ batch: inout MessageBatch) {
        guard let notification else { return }
        var title: JSONString?
        var body: JSONString?
        var tag: JSONString?
        var titleKey: JSONString?
        var bodyKey: JSONString?
        for (key, value) in notification.members {
            switch key {
            case "title": title = value.string
            case "body": body = value.string
            case "tag": tag = value.string
            case "title_loc_key", "titleLocKey": titleKey = value.string
            case "body_loc_key", "bodyLocKey": bodyKey = value.string
            case "click_action": tapOptions.add(action: value)
            case "notification_count", "notificationCount": badge = value.int64.flatMap { Int(exactly: $0) }
            case "clickAction", "sticky", "visibility", "group": tapOptions = .payload
            default: break
            }
        }
        // An empty string is an absent one in proto3, and so does not hide the text beside it.
        self.title = title?.nonEmpty ?? self.title ?? titleKey
        self.body = body?.nonEmpty ?? self.body ?? bodyKey
        if let tag, tag.count > 0 { self.tag = batch.scratch.text(tag) }
    }
}

extension JSONString {
    /// The text; nil for an empty one.
    var nonEmpty: JSONString? { count > 0 ? self : nil }
}

/// A registration token of Google's.
enum RegistrationToken {
    /// Tokens are opaque. Rejects only what cannot be one: empty text, white space, control characters.
    static func isPlausible(_ token: BorrowedText) -> Bool {
        // SOUND: reads exactly `token.count` bytes.
        unsafe !token.isEmpty && blockscan_is_unspaced(token.start, token.count)
    }
}

extension GoogleParts {
    /// The payload of a message of FCM with the data that a device of the platform gets in place of the common data; nil if these are the same.
    ///
    /// Sources: FCM v1, `AndroidConfig.data` and `WebpushConfig.data`, which override `Message.data`.
    package static func payloadWithOwnData(_ payload: JSONView, on platform: Platform) -> [UInt8]? {
        let message = FCMMessage(payload)
        let ofAndroid = message.androidV2.map { AndroidV2($0).data } ?? message.androidData
        guard let own = platform == .web ? message.webData : ofAndroid else { return nil }
        return .composed { out in
            out.appendObject { out in
                out.appendMember("data", own)
                out.appendMembers(of: payload) { !($0 == "data") }
            }
        }
    }
}

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
        out.appendObject { out in
            out.appendMember("aps") { out in composeAps(payload?["aps"], into: &out) }
            if let payload { out.appendMembers(of: payload) { !($0 == "aps") } }
            let image = payload?["fcm_options"] == nil ? image : nil
            if let image { out.appendMember("fcm_options") { out in out.appendMember("image", image) } }
            guard let data else { return }
            out.appendMembers(of: data) { key in
                !(key == "aps") && payload?[key] == nil && (image == nil || !(key == "fcm_options"))
            }
        }
    }

    private func composeAps(_ aps: JSONView?, into out: inout ByteBuffer) {
        if let aps { out.appendMembers(of: aps) }
        func isFree(_ name: StaticString) -> Bool { aps?[name] == nil }

        if let notification {
            if isFree("alert"), Self.hasAlertText(notification) {
                out.appendMember("alert") { out in Self.composeAlert(notification, into: &out) }
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
        if isSilent, isFree("content-available") { out.appendMember("content-available", json: "1") }
        if isMutable, isFree("mutable-content") { out.appendMember("mutable-content", json: "1") }
    }

    /// Names in a request, and their names in `alert`.
    private static let alertNames: [(request: StaticString, alert: StaticString)] = [
        ("title", "title"), ("subtitle", "subtitle"), ("body", "body"), ("title_loc_key", "title-loc-key"),
        ("title_loc_args", "title-loc-args"), ("body_loc_key", "loc-key"), ("body_loc_args", "loc-args"),
    ]

    private static func hasAlertText(_ notification: JSONView) -> Bool {
        alertNames.contains { notification[$0.request]?.string?.nonEmpty != nil }
    }

    private static func composeAlert(_ notification: JSONView, into out: inout ByteBuffer) {
        for name in alertNames {
            if let value = notification[name.request], value.kind != .null { out.appendMember(name.alert, value) }
        }
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
        let decodeFailure = withDerived(origin, into: &batch) { out in
            parts.compose(into: &out)
        } _: { decoder, root, _, batch in
            guard batch.messageCount > 0 else { return nil }
            var model = batch[batch.messageCount - 1]
            decoder.readAPNsContent(root, into: &model, &batch)
            for index in first..<batch.messageCount {
                batch[index].headers.text = batch[index].payload
                batch[index].payload = root.text
                batch[index].isDerived = true
                batch[index].byteCount = root.text.count
                batch[index].content = model.content
            }
            return nil
        }
        if decodeFailure != nil { batch.removeMessages(from: first) }
        return decodeFailure
    }
}
