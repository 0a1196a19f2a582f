package import PayloadJSON

/// The members of an FCM v1 message. Names can be in snake_case or, as in proto3's JSON mapping, in lowerCamelCase.
package struct FCMMessage {
    /// Four weeks in seconds. Source: FCM v1, `AndroidConfig.ttl`.
    static let maximumTimeToLive: Int64 = 2_419_200

    var token: JSONView?
    var topic: JSONView?
    var condition: JSONView?
    var data: JSONView?
    var notification: JSONView?
    var android: JSONView?
    var webpush: JSONView?
    var apns: JSONView?
    var androidNotification: JSONView?
    var androidData: JSONView?
    var packageName: JSONView?
    var apnsHeaders: JSONView?
    var apnsPayload: JSONView?
    private var targetCount = 0
    private var fid: JSONView?
    private var tokenName = "token"
    private(set) var timeToLive: JSONView?
    private var priority: JSONView?

    init(_ message: JSONView) {
        var members = message.members
        while let (key, value) = members.next() {
            guard value.kind != .null else { continue }
            if key == "token" {
                token = value
            } else if key == "fid" {
                fid = value
            } else if key == "topic" {
                topic = value
            } else if key == "condition" {
                condition = value
            } else if key == "data" {
                data = value
            } else if key == "notification" {
                notification = value
            } else if key == "android" {
                android = value
            } else if key == "apns" {
                apns = value
            } else if key == "webpush" {
                webpush = value
            }
        }
        targetCount =
            (token == nil ? 0 : 1) + (fid == nil ? 0 : 1) + (topic == nil ? 0 : 1) + (condition == nil ? 0 : 1)
        if token == nil, fid != nil {
            token = fid
            tokenName = "fid"
        }
        readAndroid()
        apnsHeaders = apns?["headers"]
        apnsPayload = apns?["payload"].flatMap { $0.isObject ? $0 : nil }
    }

    private mutating func readAndroid() {
        guard let android else { return }
        var members = android.members
        while let (key, value) = members.next() {
            guard value.kind != .null else { continue }
            if key == "notification" {
                androidNotification = value
            } else if key == "data" {
                androidData = value
            } else if key == "ttl" {
                timeToLive = value
            } else if key == "priority" {
                priority = value
            } else if key == "restricted_package_name" || key == "restrictedPackageName" {
                packageName = value
            }
        }
    }

    /// Whether it names no target: its origin implies one.
    var hasNoTarget: Bool { targetCount == 0 }

    /// The first reason for which FCM answers INVALID_ARGUMENT. Sources: FCM v1 `projects.messages`, `ErrorCode`.
    func failure(impliesTarget: Bool, device: BorrowedText) -> (pointer: String, message: String)? {
        if targetCount > 1 || (targetCount == 0 && !impliesTarget) {
            return ("", "exactly one of token, topic and condition must be given")
        }
        return targetFailure(device) ?? shapeFailure() ?? dataFailure() ?? androidFailure() ?? apnsFailure()
    }

    private func targetFailure(_ device: BorrowedText) -> (pointer: String, message: String)? {
        if let token, !token.isString || !RecordDecoder.isPlausibleToken(device) {
            return ("/" + tokenName, "the registration token is malformed")
        }
        if let topic, !(topic.string.map(TopicName.isValid) ?? false) {
            return ("/topic", "a topic name is made of letters, digits and -_.~%, without /topics/")
        }
        if let condition, !(condition.string.map(TopicCondition.isValid) ?? false) {
            return ("/condition", TopicCondition.rule)
        }
        return nil
    }

    private func shapeFailure() -> (pointer: String, message: String)? {
        func isWrong(_ view: JSONView?) -> Bool { view.map { !$0.isObject && $0.kind != .null } ?? false }
        let expected = "must be an object"
        if isWrong(data) { return ("/data", expected) }
        if isWrong(notification) { return ("/notification", expected) }
        if isWrong(android) { return ("/android", expected) }
        if isWrong(apns) { return ("/apns", expected) }
        if isWrong(webpush) { return ("/webpush", expected) }
        if isWrong(androidNotification) { return ("/android/notification", expected) }
        if isWrong(androidData) { return ("/android/data", expected) }
        if isWrong(apnsHeaders) { return ("/apns/headers", expected) }
        if isWrong(apns?["payload"]) { return ("/apns/payload", expected) }
        return Self.textFailure(in: notification, at: "/notification")
            ?? Self.textFailure(in: androidNotification, at: "/android/notification")
    }

    /// String fields of both kinds of notification. Source: FCM v1, `Notification` and `AndroidNotification`.
    private static let textFields: [StaticString] = [
        "title", "body", "image", "icon", "color", "sound", "tag", "click_action", "clickAction", "body_loc_key",
        "bodyLocKey", "title_loc_key", "titleLocKey", "channel_id", "channelId", "ticker", "event_time", "eventTime",
    ]

    private static func textFailure(
        in notification: JSONView?, at pointer: StaticString
    ) -> (pointer: String, message: String)? {
        guard let notification else { return nil }
        var members = notification.members
        while let (key, value) = members.next() {
            guard !value.isString, value.kind != .null, textFields.contains(where: { key == $0 }) else { continue }
            return ("\(pointer)/\(key.string)", "must be a string")
        }
        return nil
    }

    private func dataFailure() -> (pointer: String, message: String)? {
        Self.dataFailure(in: data, at: "/data") ?? Self.dataFailure(in: androidData, at: "/android/data")
    }

    private static func dataFailure(in object: JSONView?, at pointer: StaticString) -> (
        pointer: String, message: String
    )? {
        if let key = firstNonString(in: object) {
            return ("\(pointer)/\(JSONPointer.escape(key))", "every value of data must be a string")
        }
        if let key = DataKeys.firstReserved(in: object) {
            return ("\(pointer)/\(JSONPointer.escape(key))", "the name \"\(key)\" is reserved")
        }
        return nil
    }

    private func androidFailure() -> (pointer: String, message: String)? {
        if let timeToLive, !Self.isDuration(timeToLive) {
            return ("/android/ttl", "must be seconds from 0 to 2419200 as a string that ends with s, such as \"3600s\"")
        }
        if let priority, !FCMEnumeration.priority.contains(priority) {
            return ("/android/priority", "must be NORMAL or HIGH")
        }
        guard let androidNotification else { return nil }
        var members = androidNotification.members
        while let (key, value) = members.next() {
            guard value.kind != .null else { continue }
            if key == "color", !Self.isColor(value) {
                return ("/android/notification/color", "must be #rrggbb")
            }
            for enumeration in FCMEnumeration.ofNotification
            where enumeration.isNamed(key) && !enumeration.contains(value) {
                return ("/android/notification/\(key.string)", "must be one of \(enumeration.list)")
            }
        }
        return nil
    }

    private func apnsFailure() -> (pointer: String, message: String)? {
        Self.firstNonString(in: apnsHeaders).map {
            ("/apns/headers/\(JSONPointer.escape($0))", "every value of apns.headers must be a string")
        }
    }

    /// Whether it has the form `#rrggbb`.
    package static func isColor(_ value: JSONView) -> Bool {
        // SOUND: the text has seven bytes.
        guard let text = value.string?.raw, text.count == 7, unsafe text.start[0] == UInt8(ascii: "#") else {
            return false
        }
        return unsafe text.buffer.dropFirst().allSatisfy { hexadecimalDigit($0) != nil }
    }

    /// Whether it is a proto3 Duration in JSON: seconds with up to nine fractional digits, and `s`.
    package static func isDuration(_ value: JSONView) -> Bool {
        // SOUND: reads only through the buffer's own iterator.
        guard let text = value.string?.raw, unsafe text.buffer.last == UInt8(ascii: "s") else { return false }
        var seconds: Int64 = 0
        var fractionDigits: Int?
        var hasFraction = false
        let digits = unsafe text.buffer.dropLast()
        var bytes = unsafe digits.makeIterator()
        while let byte = unsafe bytes.next() {
            if byte == UInt8(ascii: "."), fractionDigits == nil, unsafe byte != digits.first {
                fractionDigits = 0
            } else if byte &- UInt8(ascii: "0") < 10 {
                if let count = fractionDigits {
                    fractionDigits = count + 1
                    hasFraction = hasFraction || byte != UInt8(ascii: "0")
                } else {
                    seconds = seconds * 10 + Int64(byte - UInt8(ascii: "0"))
                }
                if seconds > maximumTimeToLive { return false }
            } else {
                return false
            }
        }
        guard unsafe !digits.isEmpty, fractionDigits != 0, fractionDigits ?? 0 <= 9 else { return false }
        return seconds < maximumTimeToLive || !hasFraction
    }

    private static func firstNonString(in object: JSONView?) -> String? {
        guard let object else { return nil }
        var members = object.members
        while let (key, value) = members.next() {
            if !value.isString { return key.string }
        }
        return nil
    }
}

/// The names that a field of FCM's Android block accepts.
///
/// In JSON an enumeration is written as its name or its number. FCM's own samples write priorities in lower case, so
/// case is ignored. Source: FCM v1, `AndroidConfig` and `AndroidNotification`.
private struct FCMEnumeration {
    let snakeName: StaticString
    let camelName: StaticString
    let values: [StaticString]

    static let priority = FCMEnumeration(snakeName: "priority", camelName: "priority", values: ["NORMAL", "HIGH"])

    static let ofNotification = [
        FCMEnumeration(
            snakeName: "notification_priority", camelName: "notificationPriority",
            values: [
                "PRIORITY_UNSPECIFIED", "PRIORITY_MIN", "PRIORITY_LOW", "PRIORITY_DEFAULT", "PRIORITY_HIGH",
                "PRIORITY_MAX",
            ]),
        FCMEnumeration(
            snakeName: "visibility", camelName: "visibility",
            values: ["VISIBILITY_UNSPECIFIED", "PRIVATE", "PUBLIC", "SECRET"]),
        FCMEnumeration(
            snakeName: "proxy", camelName: "proxy",
            values: ["PROXY_UNSPECIFIED", "ALLOW", "DENY", "IF_PRIORITY_LOWERED"]),
    ]

    var list: String { values.map(\.description).joined(separator: ", ") }

    func isNamed(_ key: JSONString) -> Bool { key == snakeName || key == camelName }

    func contains(_ value: JSONView) -> Bool {
        // SOUND: the text and the name have as many bytes as are compared.
        guard let text = value.string?.raw else { return value.int64 != nil }
        return values.contains { name in
            guard text.count == name.utf8CodeUnitCount else { return false }
            for index in 0..<text.count {
                let byte = unsafe text.start[index]
                let isLower = byte &- UInt8(ascii: "a") < 26
                if unsafe (isLower ? byte & 0xDF : byte) != name.utf8Start[index] { return false }
            }
            return true
        }
    }
}
