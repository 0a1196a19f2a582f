import PayloadJSON
import PushDecoding
import PushModel

/// Fields of a message for FCM with values that they do not take. The decoder finds them, so both refuse the same messages.
struct FCMFieldRules: RuleCheck {
    static let rules = [dataNotString, headerNotString, wrongType, unknownValue, eventTime, duration]
    let run: LintRun

    /// - Parameter root: the request, or the message if there is none around it.
    func check(_ message: FCMMessage, in root: LintNode) {
        for violation in message.violations {
            let value = LintNode(text: root.text, view: violation.value)
            let parent = LintNode(text: root.text, view: violation.parent)
            switch violation.problem {
            // The decoder says it.
            case .secondTarget: break
            case .unknownName:
                guard let key = violation.key else { continue }
                FCMNameRules(run: run).check(LintMember(key: key, value: value), in: parent, of: violation.object)
            case .wrongMapValue: checkMapValue(value, violation)
            case .wrongValue, .wrongElement:
                if let field = violation.field {
                    checkValue(value, field, isElement: violation.problem == .wrongElement)
                }
            }
        }
    }

    static let headerNotString = Rule.fcm(
        "fcm.header-not-string", .error, "a value of apns.headers that is not a string",
        "Headers are text: \"apns-priority\": \"5\". FCM answers 400 INVALID_ARGUMENT for a number.",
        failing: #""apns":{"headers":{"apns-priority":5},"payload":{"aps":{"alert":"Late count"}}}"#,
        passing: #""apns":{"headers":{"apns-priority":"5"},"payload":{"aps":{"alert":"Late count"}}}"#, isFixable: true)
    static let dataNotString = Rule.fcm(
        "fcm.data-not-string", .error, "a value of data that is not a string",
        "data maps strings to strings. FCM answers 400 INVALID_ARGUMENT for a number, a boolean or an object; write objects as JSON text.",
        failing: #""data":{"score":12}"#, passing: #""data":{"score":"12"}"#, isFixable: true)

    private func checkMapValue(_ value: LintNode, _ violation: FCMViolation) {
        if violation.field.map({ $0.name.description == "headers" }) ?? false {
            let place = violation.object == .apns ? "apns" : "webpush"
            refuse(
                Self.headerNotString, "every value of \(place).headers is a string", at: value,
                edits: value.quotedNumber)
        } else {
            let name = violation.key?.string ?? ""
            refuse(
                Self.dataNotString, "every value of data is a string, and \(name) is \(value.kindName)", at: value,
                edits: value.quotedScalar)
        }
    }

    private func checkValue(_ value: LintNode, _ field: FCMField, isElement: Bool) {
        let name = field.name.description
        if field.isRepeated, !isElement {
            return reportType(value, name, expected: field.type == .string ? "an array of strings" : "an array")
        }
        switch field.type {
        case .duration where name == "ttl": FCMAndroidRules(run: run).reportTimeToLive(value)
        case .duration:
            refuse(Self.duration, "a duration is a string of seconds that ends with s, as in \"0.5s\"", at: value)
        case .timestamp: refuse(Self.eventTime, "a time is a string as in 2024-11-05T18:00:00Z", at: value)
        case .enumeration(let enumeration): reportUnknown(value, name, enumeration)
        case .string where isElement:
            refuse(Self.wrongType, "\(name) takes strings, not \(value.kindName)", at: value, edits: value.quotedNumber)
        case .string: reportType(value, name, expected: "a string")
        case .bool:
            let text = value.swiftString ?? ""
            refuse(
                Self.wrongType, "\(name) must be true or false, not \(value.kindName)", at: value,
                edits: text == "true" || text == "false" ? [TextEdit(value.range, text)] : [])
        case .int32: reportType(value, name, expected: "a whole number of 32 bits")
        case .float: reportType(value, name, expected: "a number")
        case .message, .stringMap, .structure: reportType(value, name, expected: "an object")
        }
    }

    static let duration = Rule.fcm(
        "fcm.duration-form", .error, "a duration that is not seconds with an s",
        "Durations of vibrate_timings and light_settings are strings of seconds that end with s, as in \"0.5s\". FCM answers 400 INVALID_ARGUMENT.",
        failing: #""android":{"notification":{"title":"Late count","vibrate_timings":[500]}}"#,
        passing: #""android":{"notification":{"title":"Late count","vibrate_timings":["0.5s"]}}"#)
    static let eventTime = Rule.fcm(
        "fcm.event-time", .error, "an event time that is not RFC 3339",
        "event_time is written as 2024-11-05T18:00:00Z. FCM answers 400 INVALID_ARGUMENT.",
        failing: #""android":{"notification":{"title":"Late count","event_time":"5 November 2024"}}"#,
        passing: #""android":{"notification":{"title":"Late count","event_time":"2024-11-05T18:00:00.5Z"}}"#)

    static let wrongType = Rule.fcm(
        "fcm.wrong-type", .error, "a field with a value of the wrong type",
        "FCM's parser checks the type of each field, and answers 400 INVALID_ARGUMENT.",
        failing: #""android":{"notification":{"title":"Late count","sticky":"no"}}"#,
        passing: #""android":{"notification":{"title":"Late count","sticky":false}}"#)

    private func reportType(_ value: LintNode, _ name: String, expected: String) {
        reportKind(Self.wrongType, value, name, expected: expected, answer: FCMRequestRules.refusal)
    }

    static let unknownValue = Rule.fcm(
        "fcm.unknown-value", .error, "a value that the enumeration does not have",
        "priority, notification_priority, visibility and proxy take the names that the reference lists, whatever their case. FCM answers 400 INVALID_ARGUMENT to another one.",
        failing: #""data":{"score":"12"},"android":{"priority":"urgent"}"#,
        passing: #""data":{"score":"12"},"android":{"priority":"HIGH"}"#)

    private func reportUnknown(_ value: LintNode, _ name: String, _ enumeration: FCMEnumeration) {
        let meant = value.swiftString.flatMap { Self.meant($0, enumeration) }
        refuse(
            Self.unknownValue,
            "\(name) is one of \(enumeration.names.map(\.description).joined(separator: ", "))"
                + (meant.map { "; \($0) is meant" } ?? ""),
            at: value)
    }

    /// The value of an enumeration that a text is a misspelling of, or that it has a prefix more or less than: `HIGH` is `PRIORITY_HIGH`.
    private static func meant(_ text: String, _ enumeration: FCMEnumeration) -> String? {
        if let meant = NameList(enumeration.names).lookAlike(text) { return meant.name }
        let folded = text.uppercased()
        return enumeration.names.map(\.description).first { $0.hasSuffix("_" + folded) || folded.hasSuffix("_" + $0) }
    }
}
