import PayloadJSON
import PushDecoding
import PushModel

/// Names that the objects of a message for FCM do not have.
struct FCMNameRules: RuleCheck {
    static let rules = [unknownKey, legacyKey, misplacedKey]
    let run: LintRun

    func check(_ member: LintMember, in object: LintNode, of type: FCMObject) {
        let name = member.name
        if type == .message, let hint = FCMPlaces.legacyHint(name) {
            refuse(Self.legacyKey, "\(name) is not a field of message; \(hint)", at: member)
        } else if type == .apns, name == "aps" {
            refuse(Self.legacyKey, "aps belongs in apns.payload", at: member)
        } else if type == .notification, name == "badge" {
            refuse(
                Self.misplacedKey,
                "badge belongs to apns.payload.aps, or to android.notification as notification_count",
                at: member)
        } else if type == .notification, FCMFieldIndex.shared.field(member.key, of: .androidNotification) != nil {
            refuse(
                Self.misplacedKey,
                "\(name) belongs to android.notification\(Self.applePlace(of: name)); notification has title, body and image",
                at: member)
        } else {
            checkUnknown(member, in: object, of: type)
        }
    }

    /// Where the same is said for Apple devices.
    private static func applePlace(of name: String) -> String {
        let key =
            APSRules.keys.spelled(like: name)?.description
            ?? AlertRules.shownKeys.spelled(like: name).map { "alert.\($0)" }
        return key.map { ", and for Apple devices to apns.payload.aps.\($0)" } ?? ""
    }

    static let legacyKey = Rule.fcm(
        "fcm.legacy-key", .error, "a name of the legacy protocol in a v1 message",
        "to, registration_ids, priority, time_to_live and similar names have other places in v1. In message they are unknown names, and FCM answers 400 INVALID_ARGUMENT.",
        failing: #""data":{"score":"12"},"priority":"high""#,
        passing: #""data":{"score":"12"},"android":{"priority":"HIGH"}"#)
    static let misplacedKey = Rule.fcm(
        "fcm.misplaced-key", .error, "a field of android.notification in the common notification",
        "notification has title, body and image, which every platform understands. Icon, sound, tag and similar fields belong to android.notification, a badge to apns.payload.aps. FCM answers 400 INVALID_ARGUMENT.",
        failing: #""notification":{"title":"Late count","sound":"default"}"#,
        passing: #""notification":{"title":"Late count"},"android":{"notification":{"sound":"default"}}"#)

    /// The names of each type, for finding the one that was meant.
    private static let names = FCMObject.allCases.map {
        // FCM sets name itself.
        NameList(FCMField.all(of: $0).map(\.name), rare: $0 == .message ? ["name"] : [])
    }
    static let unknownKey = Rule.fcm(
        "fcm.unknown-key", .error, "a field that does not exist",
        "FCM's parser knows every field, and answers 400 INVALID_ARGUMENT to another name: Cannot find field. Data for the app belongs in data.",
        source: .fcmUnknownName, failing: #""datas":{"score":"12"}"#, passing: #""data":{"score":"12"}"#)

    private func checkUnknown(_ member: LintMember, in object: LintNode, of type: FCMObject) {
        let hint = FCMPlaces.hint(member.name, in: type)
        let meant = hint == nil ? Self.names[Int(type.rawValue)].lookAlike(member.name) : nil
        refuse(
            Self.unknownKey,
            "\(Self.place(of: type)) has no field \"\(member.name)\"\(hint.map { "; \($0)" } ?? meant?.hint ?? "")",
            at: member, edits: meant?.renaming(member, in: object) ?? [])
    }

    /// The field that holds a type, as people know it.
    private static func place(of type: FCMObject) -> String {
        switch type {
        case .request: "the request"
        case .androidNotification: "android.notification"
        case .notificationV2: "remote_notification.notification"
        case .fcmOptions, .androidOptions, .webpushOptions, .apnsOptions: "fcm_options"
        default: FCMField.table.first { $0.type == .message(type) }?.name.description ?? "message"
        }
    }
}
