package import PayloadJSON
package import PushModel

/// The members of a record that identify its format.
package struct TopLevelKeys {
    var provider: JSONView?
    var payload: JSONView?
    var device: JSONView?
    var headers: JSONView?
    var refused: JSONView?
    var budget: JSONView?
    private var eventName: JSONView?
    package private(set) var hasAps = false
    private var hasMessageObject = false
    private var hasLegacyTarget = false
    private var hasCondition = false
    private var hasToken = false
    private var hasAirnotifierPart = false
    private var apns: JSONView?
    /// True if there is a target as in a message of FCM v1, or a list of them as in a multicast message of an Admin SDK.
    private(set) var hasMessageTarget = false
    /// `notification` or `data`, which the legacy protocol has too.
    private var hasCommonBlock = false
    /// A block of FCM v1 that no other format has.
    private var hasMessageBlock = false
    private var hasPlatformText = false
    private var hasSNSMessage = false
    private var hasMessageStructure = false
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
            default: note(key, value)
            }
        }
    }

    private mutating func note(_ key: JSONString, _ value: JSONView) {
        switch key {
        case "message": hasMessageObject = value.isObject
        case "to", "registration_ids", "notification_key": hasLegacyTarget = true
        case "notification", "data": hasCommonBlock = hasCommonBlock || value.isObject
        case "condition":
            hasCondition = true
            hasMessageTarget = hasMessageTarget || value.isString
        case "token":
            hasToken = value.isString
            hasMessageTarget = hasMessageTarget || value.isString
        case "alert": hasAlert = true
        case "apns": apns = value
        // Null stands for a part that is missing.
        case "extra", "fcm", "wns": hasAirnotifierPart = hasAirnotifierPart || value.isObject || value.kind == .null
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
    /// | `apns` | `aps`, or `payload` | next to `aps` every other name is the app's own |
    /// | `fcm` | `message`, an object | |
    /// | `wikimedia` | `deviceTokens` and `messageType` | |
    /// | `sns` | a platform's name, or `Message` with `MessageStructure` | |
    /// | `gcm` | `to`, `registration_ids`, `notification_key`; or `condition` | with `condition` alone, a block of FCM v1 |
    /// | `moodle` | `type`, `userfrom` and `alert` | |
    /// | `airnotifier` | `token`, and `alert`, `extra`, `fcm` or `wns`; or `apns` | with `apns` alone, what only FCM v1 has |
    /// | `fcm` without a request | a target, and an object under a name that `message` has | `event` |
    package var format: RecordFormat? {
        if hasAps || payload != nil { return .apns }
        if hasMessageObject { return .fcm }
        if hasDeviceTokens && hasMessageType { return .wikimedia }
        if hasPlatformText || (hasSNSMessage && hasMessageStructure) { return .sns }
        let isBlockOfFCM = hasMessageBlock || apns?.isObject ?? false
        if hasLegacyTarget || (hasCondition && !isBlockOfFCM) { return .gcm }
        // Moodle's form has a token too.
        if hasType && hasUserFrom && hasAlert { return .moodle }
        if hasToken && (hasAlert || hasAirnotifierPart || isApnsOfAirnotifier) { return .airnotifier }
        if hasMessageTarget, hasCommonBlock || isBlockOfFCM, !(eventName?.isString ?? false) { return .fcm }
        return nil
    }

    /// True if `apns` is Airnotifier's, which has the members of `aps`, and not that of an FCM v1 message.
    private var isApnsOfAirnotifier: Bool {
        guard let apns, apns.isObject || apns.kind == .null, !hasCommonBlock, !hasMessageBlock else { return false }
        // A message has no device.
        if device != nil { return true }
        var members = apns.members
        while let (key, _) = members.next() {
            if FCMFieldIndex.shared.field(key, of: .apns) != nil { return false }
        }
        return true
    }
}
