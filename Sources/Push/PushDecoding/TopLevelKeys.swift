package import PushJSON
package import PushModel
import PushSystem

/// The members of a record that identify its format.
package struct TopLevelKeys {
    var provider: JSONView?
    var payload: JSONView?
    var device: JSONView?
    var headers: JSONView?
    var refused: JSONView?
    var budget: JSONView?
    /// True if there is a member that is not in every envelope.
    private(set) var hasOtherMembers = false
    private var eventName: JSONView?
    package private(set) var hasAps = false
    private var hasMessageObject = false
    private var to: JSONView?
    /// `registration_ids` or `notification_key`, which only the legacy protocol has.
    private var hasLegacyTarget = false
    /// An option of the legacy protocol, which a message of FCM v1 does not have.
    private var hasLegacyOption = false
    private var hasCondition = false
    private var hasToken = false
    private var hasAirnotifierPart = false
    /// True for a part that only Airnotifier has, with nothing in it.
    private var hasEmptyAirnotifierPart = false
    private var apns: JSONView?
    /// True if there is a target as in a message of FCM v1, or a list of them as in a multicast message of an Admin SDK.
    package private(set) var hasMessageTarget = false
    private var hasNotification = false
    private var hasData = false
    /// True for a block that the legacy protocol has, too.
    private var hasCommonBlock: Bool { hasNotification || hasData }
    /// A text at a place where the legacy protocol has none.
    private var hasText = false
    private var hasSubject = false
    /// A block of FCM v1 that no other format has.
    private var hasMessageBlock = false
    private var hasPlatformText = false
    private var hasSNSMessage = false
    private var hasMessageStructure = false
    /// True for a text that SNS publishes as it is.
    private var isPlainSNSMessage = false
    private var hasDeviceTokens = false
    private var hasMessageType = false
    private var hasType = false
    private var hasUserFrom = false
    private var hasAlert = false

    package init(of root: JSONView) {
        for (key, value) in root.members {
            switch key {
            case "payload": payload = value
            case "device": device = value
            case "headers": headers = value
            case "aps": hasAps = true
            case "provider": provider = value
            default:
                hasOtherMembers = true
                note(key, value)
            }
        }
        if hasSNSMessage, !hasMessageStructure { isPlainSNSMessage = SNSRequest.plainText(of: root) != nil }
    }

    private mutating func note(_ key: JSONString, _ value: JSONView) {
        switch key {
        case "message":
            hasMessageObject = value.isObject
            hasText = hasText || value.isString
        case "to": to = value
        case "registration_ids", "notification_key": hasLegacyTarget = true
        case "priority", "collapse_key", "time_to_live", "content_available", "mutable_content", "dry_run",
            "delay_while_idle", "restricted_package_name":
            hasLegacyOption = true
        case "title", "body": hasText = hasText || value.isString
        case "subject": hasSubject = value.isString
        case "notification": hasNotification = value.isObject
        case "data": hasData = value.isObject
        case "condition":
            hasCondition = true
            hasMessageTarget = hasMessageTarget || value.isString
        case "token":
            hasToken = value.isString
            hasMessageTarget = hasMessageTarget || value.isString
        case "alert": hasAlert = true
        case "apns": apns = value
        case "extra", "fcm", "wns":
            // Null stands for a part that is missing.
            var members = value.members
            let isEmpty = value.kind == .null || (value.isObject && members.next() == nil)
            hasEmptyAirnotifierPart = hasEmptyAirnotifierPart || isEmpty
            hasAirnotifierPart = hasAirnotifierPart || (value.isObject && !isEmpty)
        case _ where SNSPlatform(key) != nil: hasPlatformText = true
        case "Message": hasSNSMessage = value.isString
        case "MessageStructure": hasMessageStructure = value.string.map { $0 == "json" } ?? false
        case "deviceTokens": hasDeviceTokens = true
        case "messageType": hasMessageType = true
        case "type": hasType = true
        case "userfrom": hasUserFrom = true
        case "event": eventName = value
        case "refused": refused = value
        case "budget": budget = value
        case "topic", "fid": hasMessageTarget = hasMessageTarget || value.isString
        case "tokens", "fids": hasMessageTarget = hasMessageTarget || value.kind == .array
        case "android", "android_v2", "androidV2", "webpush", "fcm_options", "fcmOptions":
            hasMessageBlock = hasMessageBlock || value.isObject
        default: break
        }
    }

    /// The name of an event: a string under `event` in a record of no other format. In a payload, `event` is the app's
    /// own key.
    package var event: JSONView? {
        guard let eventName, eventName.isString, format == nil else { return nil }
        return eventName
    }

    /// The format that the keys identify; nil when they identify none.
    ///
    /// A record is of the first of these formats that has all it must have. What tells it from those after it is in
    /// Documentation/reference/formats.md; a name that a format does not know decides nothing.
    ///
    /// | Format | Must have | Cannot have |
    /// |---|---|---|
    /// | `apns` | `aps`, or `payload` | without both `aps` and headers, `message` or `notification`, an object, in `payload` |
    /// | `fcm` | `message`, an object | |
    /// | `wikimedia` | `deviceTokens` and `messageType` | |
    /// | `sns` | a platform's name, or `Message` with `MessageStructure`, or with `TopicArn` or `TargetArn` | in `Message`, without `MessageStructure`, an object |
    /// | `expo` | `to`, a token of Expo's or a list of them | |
    /// | `gcm` | `to`, `registration_ids`, `notification_key`; or `condition` | with `to`, see `isOfLegacyProtocol`; with `condition` alone, a block of FCM v1, or `notification` or `data` without an option of the legacy protocol |
    /// | `moodle` | `type`, `userfrom` and `alert` | |
    /// | `airnotifier` | `token`, and `alert`, `extra`, `fcm` or `wns`; or `apns` with `device` | with nothing but empty parts, `notification` and `data` |
    /// | `fcm` without a request | a target, and an object under a name that `message` has | `event` |
    package var format: RecordFormat? {
        if hasAps { return .apns }
        if let payload { return !describesAPNsRequest && Self.isForGoogle(payload) ? nil : .apns }
        if hasMessageObject { return .fcm }
        if hasDeviceTokens && hasMessageType { return .wikimedia }
        if hasPlatformText || (hasSNSMessage && hasMessageStructure) || isPlainSNSMessage { return .sns }
        if isForExpo { return .expo }
        if isOfLegacyProtocol { return .gcm }
        // Moodle's form has a token too.
        if hasType && hasUserFrom && hasAlert { return .moodle }
        if hasToken && (hasAlert || isOfAirnotifier) { return .airnotifier }
        if hasMessageTarget, hasCommonBlock || isBlockOfFCM, !(eventName?.isString ?? false) { return .fcm }
        return nil
    }

    /// True for a message of Google's by names alone that objects of all kinds have: `to`, or `topic` and `data`.
    var hasCommonNamesAlone: Bool {
        switch format {
        case .gcm: !hasLegacyTarget && !hasCommonBlock
        case .fcm: !hasMessageObject && !hasToken && !hasNotification && !isBlockOfFCM
        default: false
        }
    }

    private var isBlockOfFCM: Bool { hasMessageBlock || apns?.isObject ?? false }

    /// True if a part of the record is one that only Airnotifier has.
    private var isOfAirnotifier: Bool {
        if hasAirnotifierPart || (hasEmptyAirnotifierPart && (!hasCommonBlock || device != nil)) { return true }
        // Airnotifier reads this part for `ios` alone, and a message of FCM v1 has no device.
        guard device != nil, let apns, apns.isObject || apns.kind == .null else { return false }
        return !hasCommonBlock && !hasMessageBlock
    }

    // MARK: - Names that many formats have

    /// True if the legacy protocol has the record's target. Many services have a target under `to`: a title, a body or a message beside
    /// it, and nothing else that the legacy protocol has, is one of theirs, and so is a subject, also with `data`.
    private var isOfLegacyProtocol: Bool {
        if hasLegacyTarget { return true }
        // Google has switched the protocol off, so what a message of FCM v1 may be is one.
        guard let to else { return hasCondition && !isBlockOfFCM && (hasLegacyOption || !hasCommonBlock) }
        guard hasSubject || (hasText && !hasData), !hasNotification, !hasLegacyOption else { return true }
        return to.string?.withDecoded { $0.hasPrefix("/topics/") } ?? false
    }

    /// True for a message of Expo's push service: `to` is a token of Expo's, or a list of them.
    ///
    /// Source: Expo, "Send notifications with Expo's Push API".
    var isForExpo: Bool {
        var elements = to?.elements
        // The object that the app gets, with the token as its data, is refused as one of Expo's.
        let token = to?.kind == .array ? elements?.next() : to?["data"] ?? to
        return token?.string?.withDecoded {
            $0.hasPrefix("ExponentPushToken[") || $0.hasPrefix("ExpoPushToken[")
        } ?? false
    }

    /// True for a notification without anybody whom it is for.
    fileprivate var hasNotificationAlone: Bool { hasNotification && to == nil && !hasMessageTarget }

    /// True if the record says more of a request to APNs than its device.
    var describesAPNsRequest: Bool { headers != nil || refused != nil || budget != nil }

    /// True for a payload that has no `aps`, but a message or a notification of Google's.
    static func isForGoogle(_ payload: JSONView) -> Bool {
        guard payload.isObject, payload["aps"] == nil else { return false }
        return payload["message"]?.isObject ?? false || payload["notification"]?.isObject ?? false
    }
}

/// A JSON object in a format that pushpipe does not know.
enum UnknownShape {
    /// The failure, with advice for what is often sent by mistake.
    static func failure(_ root: JSONView, _ wording: Advice.Wording) -> DecodeFailure {
        // Source: W3C, Push API, "Declarative push message".
        if root["web_push"]?.int64 == 8030 {
            return failure(root, ": a declarative web push goes through Web Push, not through APNs or FCM")
        }
        let keys = TopLevelKeys(of: root)
        if keys.device?.isString == true, keys.payload == nil, root["event"] == nil, root["apns"] == nil {
            return failure(root, ": a device event needs the member event with the value device")
        }
        return failure(root, lack(of: root, keys) + advice(root, keys, wording))
    }

    /// The words about what a message for FCM or SNS lacks; empty for another record.
    private static func lack(of root: JSONView, _ keys: TopLevelKeys) -> String {
        if let gcm = root["gcm"], gcm.isString || gcm["notification"] != nil || gcm["data"] != nil {
            return ": SNS needs GCM in capitals, with a string that contains the JSON"
        }
        var members = root.members
        let isData =
            members.next().map { $0.0 == "data" && $0.1.isObject && $0.1.members.allSatisfy(\.value.isString) } ?? false
        guard keys.hasNotificationAlone || isData && members.next() == nil else { return "" }
        return ": an FCM message needs a token, topic or condition, and belongs in message"
    }

    /// The failure of an envelope whose payload, a text, is for Google.
    static func failureOfPayload(_ payload: JSONView, _ wording: Advice.Wording) -> DecodeFailure {
        failure(payload, wording(.readPlace("payload")))
    }

    private static func failure(_ view: JSONView, _ advice: String) -> DecodeFailure {
        DecodeFailure(.unknownShape, "this object matches no known format\(advice)", at: view)
    }

    private static func advice(_ root: JSONView, _ keys: TopLevelKeys, _ wording: Advice.Wording) -> String {
        if let payload = keys.payload, TopLevelKeys.isForGoogle(payload) { return wording(.readPlace("payload")) }
        var members = 0
        var hasMessage = false
        for (key, value) in root.members {
            members += 1
            hasMessage = hasMessage || key == "message"
            guard value.isObject, TopLevelKeys(of: value).hasAps else { continue }
            let name = key.string
            return wording(.readPlace(isPlain(name) ? name : nil))
        }
        if members == 1, root["mdm"]?.isString ?? false { return wording(.readAsAPNs) }
        return wording(hasMessage && members == 1 ? .readAsFCM : .forceFormat)
    }

    /// The longest name in a message, in bytes.
    private static let longestName = 32

    /// True if a name may stand in a message and in a shell: it is anybody's text. In quotes, because redaction hides what stands in them.
    static func isPlain(_ name: String) -> Bool {
        !name.isEmpty && name.utf8.count <= longestName
            && name.utf8.allSatisfy { $0.isDigit || $0.isLetter || "-._".utf8.contains($0) }
    }

    /// A name in quotes, or words for one that may not stand in a message.
    static func named(_ name: String) -> String { isPlain(name) ? "\"\(name)\"" : "of this name" }

    /// True if a text that is no JSON has an object after something else, as a line of a log has. O(bytes).
    static func isObjectAfterText(_ text: UnsafeRawBufferPointer) -> Bool {
        // SOUND: the caller keeps the text alive during the call, and the slice is within it.
        guard let first = unsafe text.first(where: { !JSONScanner.isWhitespace($0) }),
            !Array("{['\"".utf8).contains(first),
            let brace = unsafe text.firstIndex(of: UInt8(ascii: "{"))
        else { return false }
        return unsafe text[(brace + 1)...].first { !JSONScanner.isWhitespace($0) } == UInt8(ascii: "\"")
    }
}
