import PayloadJSON
import PushDecoding
import PushModel

/// What FCM's parser refuses, as findings. The decoder finds it, so both refuse the same messages.
extension LintRun {
    static let refusedByFCM = "; FCM answers 400 INVALID_ARGUMENT"

    /// Names of the legacy request, and where their values belong now.
    private static let legacyNames: [(name: StaticString, place: StaticString)] = [
        ("to", "message.token"), ("registration_ids", "message.token, one request a token"),
        ("collapse_key", "message.android.collapse_key"), ("priority", "message.android.priority"),
        ("time_to_live", "message.android.ttl, as in \"3600s\""), ("ttl", "message.android.ttl"),
        ("restricted_package_name", "message.android.restricted_package_name"),
        ("dry_run", "validate_only, beside message"),
        ("validate_only", "validate_only, beside message"),
        ("content_available", "message.apns.payload.aps, as content-available: 1"),
        ("mutable_content", "message.apns.payload.aps, as mutable-content: 1"),
        ("delay_while_idle", "nothing: it is gone"), ("aps", "message.apns.payload.aps"),
        ("headers", "message.apns.headers or message.webpush.headers"), ("payload", "message.apns.payload"),
    ]

    /// The names of each type, for finding the one that was meant.
    private static let names = FCMObject.allCases.map { NameList(FCMField.all(of: $0).map(\.name)) }

    /// Reports what FCM's parser refuses in a request.
    ///
    /// - Parameter isRecord: whether the request is a record of its own, which may name its provider.
    func checkFCMSchema(_ root: LintNode, isRecord: Bool) {
        let request = FCMMessage(request: root.view, isRecord: isRecord)
        for violation in request.violations {
            let value = LintNode(text: root.text, view: violation.value)
            let parent = LintNode(text: root.text, view: violation.parent)
            switch violation.problem {
            // The decoder says it.
            case .secondTarget: break
            case .unknownName:
                guard let key = violation.key else { continue }
                reportUnknown(LintMember(key: key, value: value), in: parent, of: violation.object)
            case .wrongMapValue:
                let name = violation.key?.string ?? ""
                if violation.field.map({ $0.name.description == "headers" }) ?? false {
                    let place = violation.object == .apns ? "apns" : "webpush"
                    report(
                        .fcmHeaderNotString, "every value of \(place).headers is a string\(Self.refusedByFCM)",
                        at: .value(value), edits: value.kind == .number ? Self.quoted(value) : [])
                } else {
                    report(
                        .fcmDataNotString,
                        "every value of data is a string, and \(name) is \(value.kindName)\(Self.refusedByFCM)",
                        at: .value(value), edits: Self.quoted(value))
                }
            case .wrongValue, .wrongElement:
                if let field = violation.field {
                    reportWrong(value, field, isElement: violation.problem == .wrongElement)
                }
            }
        }
    }

    // MARK: - Names

    private func reportUnknown(_ member: LintMember, in object: LintNode, of type: FCMObject) {
        let name = member.name
        if type == .message, let row = Self.legacyNames.first(where: { member.key == $0.name }) {
            report(
                .fcmLegacyKey, "\(name) is not a field of message; it belongs to \(row.place)\(Self.refusedByFCM)",
                at: .key(member))
        } else if type == .apns, name == "aps" {
            report(.fcmLegacyKey, "aps belongs in apns.payload\(Self.refusedByFCM)", at: .key(member))
        } else if type == .notification, name == "badge" {
            report(.fcmMisplacedKey, "badge belongs to apns.payload.aps\(Self.refusedByFCM)", at: .key(member))
        } else if type == .notification, FCMFieldIndex.shared.field(member.key, of: .androidNotification) != nil {
            report(
                .fcmMisplacedKey,
                "\(name) belongs to android.notification; notification has title, body and image\(Self.refusedByFCM)",
                at: .key(member))
        } else {
            reportUnknownField(member, in: object, of: type)
        }
    }

    private func reportUnknownField(_ member: LintMember, in object: LintNode, of type: FCMObject) {
        let place = Self.place(of: type)
        if let meant = Self.lookAlike(member.name, among: Self.names[Int(type.rawValue)]) {
            report(
                .fcmUnknownKey,
                "\(place) has no field \"\(member.name)\"; \(meant.name) is meant\(Self.refusedByFCM)",
                at: .key(member),
                edits: meant.differsInStyleOnly ? Self.rename(member, to: meant.name, in: object) : [])
        } else {
            report(.fcmUnknownKey, "\(place) has no field \"\(member.name)\"\(Self.refusedByFCM)", at: .key(member))
        }
    }

    /// The field that holds a type, as people know it.
    private static func place(of type: FCMObject) -> String {
        switch type {
        case .request: "the request"
        case .androidNotification: "android.notification"
        case .fcmOptions, .androidOptions, .webpushOptions, .apnsOptions: "fcm_options"
        default: FCMField.table.first { $0.type == .message(type) }?.name.description ?? "message"
        }
    }

    // MARK: - Values

    private func reportWrong(_ value: LintNode, _ field: FCMField, isElement: Bool) {
        let name = field.name.description
        if field.isRepeated, !isElement {
            return reportKind(
                .fcmWrongType, value, name, expected: field.type == .string ? "an array of strings" : "an array",
                answer: Self.refusedByFCM)
        }
        switch field.type {
        case .duration where name == "ttl": reportTimeToLive(value)
        case .duration:
            report(
                .fcmDuration,
                "a duration is a string of seconds that ends with s, as in \"0.5s\"\(Self.refusedByFCM)",
                at: .value(value))
        case .timestamp:
            report(
                .fcmEventTime, "a time is a string as in 2024-11-05T18:00:00Z\(Self.refusedByFCM)", at: .value(value))
        case .enumeration(let enumeration): reportUnknownValue(value, name, enumeration)
        case .string where isElement:
            report(
                .fcmWrongType, "\(name) takes strings, not \(value.kindName)\(Self.refusedByFCM)", at: .value(value),
                edits: value.kind == .number ? [TextEdit(value.range, "\"\(value.source)\"")] : [])
        case .string: reportKind(.fcmWrongType, value, name, expected: "a string", answer: Self.refusedByFCM)
        case .bool:
            let text = value.swiftString ?? ""
            report(
                .fcmWrongType, "\(name) must be true or false, not \(value.kindName)\(Self.refusedByFCM)",
                at: .value(value), edits: text == "true" || text == "false" ? [TextEdit(value.range, text)] : [])
        case .int32:
            reportKind(.fcmWrongType, value, name, expected: "a whole number of 32 bits", answer: Self.refusedByFCM)
        case .float: reportKind(.fcmWrongType, value, name, expected: "a number", answer: Self.refusedByFCM)
        case .message, .stringMap, .structure:
            reportKind(.fcmWrongType, value, name, expected: "an object", answer: Self.refusedByFCM)
        }
    }

    private func reportUnknownValue(_ value: LintNode, _ name: String, _ enumeration: FCMEnumeration) {
        let names = NameList(enumeration.names)
        let text = value.swiftString ?? value.source
        let meant = value.isString ? Self.lookAlike(text, among: names) : nil
        report(
            .fcmUnknownValue,
            "\(name) is one of \(enumeration.names.map(\.description).joined(separator: ", "))"
                + (meant.map { "; \($0.name) is meant" } ?? "") + Self.refusedByFCM, at: .value(value))
    }

    func reportTimeToLive(_ ttl: LintNode) {
        let text = ttl.swiftString ?? ttl.source
        if ttl.isString, text.hasSuffix("s"), Self.isPlainNumber(String(text.dropLast())) {
            return report(
                .fcmTimeToLive,
                "ttl is from 0s to 2419200s, four weeks, with at most nine decimals\(Self.refusedByFCM)",
                at: .value(ttl))
        }
        let isNumber = Self.isPlainNumber(text) && !text.hasPrefix("-")
        report(
            .fcmTimeToLive, "ttl is a string of seconds that ends with s, as in \"3600s\"\(Self.refusedByFCM)",
            at: .value(ttl), edits: isNumber ? [TextEdit(ttl.range, "\"\(text)s\"")] : [])
    }

    /// The edit that quotes a scalar. Not for null: no string is obviously meant.
    static func quoted(_ value: LintNode) -> [TextEdit] {
        switch value.kind {
        case .number, .true, .false: [TextEdit(value.range, "\"\(value.source)\"")]
        default: []
        }
    }
}
