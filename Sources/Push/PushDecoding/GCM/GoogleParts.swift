import CBlockScan
package import PayloadJSON
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
        content.hasAlert = (content.title?.count ?? 0) > 0 || (content.body?.count ?? 0) > 0
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
            case "clickAction", "sticky", "visibility": tapOptions = .payload
            default: break
            }
        }
        // An empty string is an absent one in proto3, and so does not hide the text beside it.
        self.title = Self.nonEmpty(title) ?? self.title ?? titleKey
        self.body = Self.nonEmpty(body) ?? self.body ?? bodyKey
        if let tag, tag.count > 0 { self.tag = batch.scratch.text(tag) }
    }

    private static func nonEmpty(_ text: JSONString?) -> JSONString? { text.flatMap { $0.count > 0 ? $0 : nil } }
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
            out.append("{\"data\":")
            out.append(own.text)
            out.appendMembers(of: payload) { !($0 == "data") }
            out.append("}")
        }
    }
}
