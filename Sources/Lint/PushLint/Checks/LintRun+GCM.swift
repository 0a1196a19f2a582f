import PayloadJSON
import PushDecoding
import PushModel

extension LintRun {
    /// Source: Firebase Cloud Messaging HTTP protocol.
    private static let legacyKeys = NameList([
        "to", "registration_ids", "condition", "notification_key", "collapse_key", "priority", "content_available",
        "mutable_content", "time_to_live", "delay_while_idle", "restricted_package_name", "dry_run", "data",
        "notification",
    ])
    private static let legacyNotificationKeys = NameList([
        "title", "body", "subtitle", "android_channel_id", "icon", "sound", "badge", "tag", "color", "click_action",
        "body_loc_key", "body_loc_args", "title_loc_key", "title_loc_args", "image",
    ])

    /// A request of GCM, or of FCM's legacy HTTP protocol.
    func checkGCM(_ root: LintNode) {
        report(
            .gcmSwitchedOff, "Google switched this protocol off in 2024; FCM HTTP v1 is in its place", at: .value(root))
        root.forEachMember { member in
            if member.key.isOne(of: Self.legacyKeys.names) {
                if member.key == "delay_while_idle" || member.key == "notification_key" {
                    report(.gcmDeprecatedKey, "\(member.name) is deprecated", at: .key(member))
                }
            } else if !(member.key == "provider"), !(member.key == "device") {
                reportUnknown(member, in: root, among: Self.legacyKeys, "the request")
            }
        }
        checkTargets(root)
        checkLegacyData(root["data"])
        if !readers.isEmpty { read(data: root["data"], of: root) }
        if let notification = root["notification"], notification.isObject { checkLegacyNotification(notification) }
    }

    /// Misspellings of the prefix of topics.
    private func checkTargets(_ root: LintNode) {
        if let to = root["to"], let string = to.string,
            string.hasEscapes || string.raw.hasPrefix("/topic/") || string.raw.hasPrefix("topic")
        {
            let name = string.string
            for form in ["/topic/", "topics/", "topic/"] where name.hasPrefix(form) {
                report(.gcmTopicForm, "a topic is addressed as /topics/ and its name", at: .value(to))
            }
        }
        root["registration_ids"]?.forEachElement { element in
            guard let string = element.string, string.hasEscapes || string.raw.hasPrefix("/topics/"),
                string.string.hasPrefix("/topics/")
            else { return }
            report(.gcmTopicForm, "registration_ids takes tokens; a topic is addressed with to", at: .value(element))
        }
    }

    private func reportUnknown(_ member: LintMember, in object: LintNode, among names: NameList, _ place: String) {
        if let meant = Self.lookAlike(member.name, among: names) {
            report(
                .gcmMisspelledKey, "\(place) has no key \"\(member.name)\"; \(meant.name) is meant", at: .key(member),
                edits: meant.differsInStyleOnly ? Self.rename(member, to: meant.name, in: object) : [])
        } else {
            report(
                .gcmUnknownKey, "\(place) has no key \"\(member.name)\"; data for the app belongs in data",
                at: .key(member))
        }
    }

    private func checkLegacyData(_ data: LintNode?) {
        guard let data, data.isObject else { return }
        data.forEachMember { member in
            if !member.value.isString {
                report(
                    .gcmDataNotString,
                    "\(member.name) is \(member.value.kindName); values of data are strings, and the server turns others into them",
                    at: .value(member.value), edits: Self.quoted(member.value))
            }
            if DataKeys.isReserved(member.key) {
                report(
                    .gcmInvalidDataKey,
                    "GCM keeps the name \"\(member.name)\" for itself; GCM answers 200 InvalidDataKey", at: .key(member)
                )
            } else if member.key.isOne(of: Self.legacyKeys.names),
                !["data", "notification", "to", "condition", "priority"].contains(member.name)
            {
                report(
                    .gcmConfusingDataKey,
                    "\(member.name) is a name of the request; in data it is the app's own, and Google advises against it",
                    at: .key(member))
            }
        }
    }

    private func checkLegacyNotification(_ notification: LintNode) {
        // Looked up once: a hostile object may repeat a name thousands of times.
        let bodyKey = notification["body_loc_key"]
        let titleKey = notification["title_loc_key"]
        notification.forEachMember { member in
            let value = member.value
            guard member.key.isOne(of: Self.legacyNotificationKeys.names) else {
                return reportUnknown(member, in: notification, among: Self.legacyNotificationKeys, "notification")
            }
            guard value.kind != .null else { return }
            switch member.key {
            case "body_loc_args", "title_loc_args":
                // In the reference they are a string that contains an array.
                if !value.isString { checkArguments(.gcmNotificationType, member.name, value) }
                if (member.key == "body_loc_args" ? bodyKey : titleKey) == nil {
                    report(
                        .gcmArgumentsWithoutKey, "\(member.name) has no effect without \(member.name.dropLast(4))key",
                        at: .key(member))
                }
            case "color": checkColor(value, .gcmColor, "")
            default:
                if !value.isString { reportKind(.gcmNotificationType, value, member.name, expected: "a string") }
            }
        }
    }
}
