package import PushJSON
package import PushModel

struct LegacyRequest {
    /// Source: Firebase Cloud Messaging HTTP protocol, `registration_ids`.
    static let maximumTargets = 1000
    /// Four weeks in seconds. Source: as above, `time_to_live`.
    static let maximumTimeToLive: Int64 = 2_419_200

    var to: JSONView?
    var registrationIDs: JSONView?
    var condition: JSONView?
    var notificationKey: JSONView?
    var data: JSONView?
    var notification: JSONView?
    var packageName: JSONView?
    var timeToLive: JSONView?
    var dryRun: JSONView?
    var contentAvailable: JSONView?
    var mutableContent: JSONView?
    private var priority: JSONView?
    private(set) var collapseKey: JSONView?

    init(_ root: JSONView) {
        for (key, value) in root.members where value.kind != .null {
            switch key {
            case "to": to = value
            case "data": data = value
            case "notification": notification = value
            case "registration_ids": registrationIDs = value
            case "condition": condition = value
            case "notification_key": notificationKey = value
            case "collapse_key": collapseKey = value
            case "priority": priority = value
            case "time_to_live": timeToLive = value
            case "restricted_package_name": packageName = value
            case "dry_run": dryRun = value
            case "content_available": contentAvailable = value
            case "mutable_content": mutableContent = value
            default: break
            }
        }
    }

    /// The first reason to reject the whole request. Sources: the documents named at `Rejection`.
    func failure(
        targetCount: Int, impliesTarget: Bool
    ) -> (rejection: Rejection, pointer: String, message: String?)? {
        let named = (to == nil ? 0 : 1) + (registrationIDs == nil ? 0 : 1) + (condition == nil ? 0 : 1)
        if named > 1 {
            return (.invalidParameters, "", "only one of to, registration_ids and condition may be given")
        }
        if let wrong = wrongType() { return (.invalidParameters, "/\(wrong.name)", "must be \(wrong.expected)") }
        if let ids = registrationIDs, ids.kind == .array {
            let count = ids.elements.count { _ in true }
            if count > Self.maximumTargets {
                return (
                    .invalidParameters, "/registration_ids",
                    "\(count) targets, over the limit of \(Self.maximumTargets)"
                )
            }
        }
        if targetCount == 0, !impliesTarget { return (.missingRegistration, "", nil) }
        if let condition = condition?.string, !TopicCondition.isValid(condition) {
            return (.invalidParameters, "/condition", TopicCondition.rule)
        }
        if let timeToLive {
            guard let seconds = timeToLive.int64, (0...Self.maximumTimeToLive).contains(seconds) else {
                return (.invalidTtl, "/time_to_live", nil)
            }
        }
        if let key = DataKeys.firstReserved(in: data) {
            return (.invalidDataKey, "/data/" + JSONPointer.escape(key), "the name \"\(key)\" is reserved")
        }
        return nil
    }

    private func wrongType() -> (name: StaticString, expected: StaticString)? {
        func isNotText(_ view: JSONView?) -> Bool { view.map { !$0.isString } ?? false }
        func isNotFlag(_ view: JSONView?) -> Bool { view.map { $0.kind != .true && $0.kind != .false } ?? false }
        func isNotObject(_ view: JSONView?) -> Bool { view.map { !$0.isObject } ?? false }

        if isNotText(to) { return ("to", "a string") }
        if isNotText(condition) { return ("condition", "a string") }
        if isNotText(notificationKey) { return ("notification_key", "a string") }
        if isNotText(collapseKey) { return ("collapse_key", "a string") }
        if isNotText(packageName) { return ("restricted_package_name", "a string") }
        if let registrationIDs, registrationIDs.kind != .array { return ("registration_ids", "an array of strings") }
        if isNotObject(data) { return ("data", "an object") }
        if isNotObject(notification) { return ("notification", "an object") }
        if isNotFlag(dryRun) { return ("dry_run", "true or false") }
        if isNotFlag(contentAvailable) { return ("content_available", "true or false") }
        if isNotFlag(mutableContent) { return ("mutable_content", "true or false") }
        if let priority, !(priority.string.map { $0 == "normal" || $0 == "high" } ?? false) {
            return ("priority", "\"normal\" or \"high\"")
        }
        return nil
    }
}

/// Names that `data` must not use, or should not.
///
/// Firebase's pages disagree. `from` and `message_type` are reserved on all of them; the reference of the legacy protocol also reserves
/// whatever begins with `google` or `gcm`. FCM v1, `Message.data`, has prefixes with a period, in the REST reference and in Google's
/// generated clients; its `ErrorCode` page has the wider words of old. Which ones the server of FCM v1 follows is not confirmed, so
/// there the wider ones are advice.
package enum DataKeys {
    /// The rule of a name that should not be used.
    static let discouragedRule = "fcm.discouraged-data-key"

    static func firstReserved(in data: JSONView?) -> String? {
        data?.members.first { isReserved($0.key, by: .gcm) }?.key.string
    }

    /// True if a provider refuses a message with this name.
    package static func isReserved(_ key: JSONString, by provider: Provider) -> Bool {
        key.hasEscapes ? key.withDecoded { isReserved($0, by: provider) } : isReserved(key.raw, by: provider)
    }

    @inline(__always)
    private static func isReserved(_ name: BorrowedText, by provider: Provider) -> Bool {
        name == "from" || name == "message_type"
            || (provider == .fcm
                ? name.hasPrefix("google.") || name.hasPrefix("gcm.notification.")
                : name.hasPrefix("google") || name.hasPrefix("gcm"))
    }

    /// True if one of the pages on FCM v1 reserves a name, and the others do not.
    package static func isDiscouraged(_ key: JSONString) -> Bool {
        isReserved(key, by: .gcm) && !isReserved(key, by: .fcm)
    }

    /// The message of the finding about such a name.
    package static func advice(against name: String) -> String {
        "\"\(name)\" begins like FCM's own names; Firebase's page of error codes reserves google and gcm"
    }
}
