import PayloadJSON
import PushModel

/// The parts of a GCM request, or of an FCM v1 message, that reach an Android device or a browser and are measured or shown.
struct GoogleParts {
    let notification: JSONView?
    let data: JSONView?
    /// The notification in the block of the platform, whose texts take precedence.
    private(set) var ownNotification: JSONView?
    private var ownData: JSONView?
    private let isForWeb: Bool

    var block: String { isForWeb ? "webpush" : "android" }

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
        notification = message.notification
        data = message.data
        ownNotification = isForWeb ? message.webNotification : message.androidNotification
        ownData = isForWeb ? message.webData : message.androidData
    }

    @inline(__always)
    init(_ request: LegacyRequest, on platform: Platform) {
        isForWeb = platform == .web
        notification = request.notification
        data = request.data
    }

    /// The size that counts towards the limit.
    var byteCount: Int {
        @inline(__always) get {
            Self.countedBytes(notification) + Self.countedBytes(data) + Self.countedBytes(ownNotification)
                + Self.countedBytes(ownData)
        }
    }

    /// Size of an object's names and values in UTF-8 bytes: strings without quotes and escapes, other values as JSON
    /// text.
    static func countedBytes(_ object: JSONView?) -> Int {
        guard let object else { return 0 }
        var count = 0
        for (key, value) in object.members {
            count += key.decodedCount + (value.string?.decodedCount ?? value.text.count)
        }
        return count
    }

    @inline(__always)
    func read(into content: inout NotificationContent, _ batch: inout MessageBatch) {
        content = NotificationContent()
        if isForWeb { return content.readWeb(notification, ownNotification, &batch) }
        content.readAndroid(notification, &batch)
        content.readAndroid(ownNotification, &batch)
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
        // SOUND: the bytes of the token are alive during the call.
        unsafe !token.isEmpty && !token.buffer.contains { $0 <= 0x20 || $0 == 0x7F }
    }
}
