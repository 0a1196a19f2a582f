import PayloadJSON
import PushModel

extension LintRun {
    /// The keys of `alert`. Sources: Apple, "Generating a remote notification"; the archived Payload Key Reference.
    static let alertKeys = NameList([
        "title", "subtitle", "body", "launch-image", "title-loc-key", "title-loc-args", "subtitle-loc-key",
        "subtitle-loc-args", "loc-key", "loc-args", "action-loc-key", "action", "summary-arg", "summary-arg-count",
    ])

    /// Keys of `aps` that people put into `alert`. Its other keys are rarely found there.
    private static let misplacedKeys = NameList([
        "badge", "sound", "thread-id", "category", "content-available", "mutable-content", "interruption-level",
        "relevance-score", "target-content-id", "filter-criteria",
    ])

    /// Text, its key, and the key's arguments.
    private static let texts: [(text: StaticString, key: StaticString, arguments: StaticString)] = [
        ("title", "title-loc-key", "title-loc-args"), ("subtitle", "subtitle-loc-key", "subtitle-loc-args"),
        ("body", "loc-key", "loc-args"),
    ]

    func checkAlert(_ alert: LintNode, isLiveActivity: Bool) {
        if let string = alert.string {
            if string.count == 0 { report(.alertEmpty, "an empty alert shows nothing", at: .value(alert)) }
            checkFormats(alert)
            checkJSONText(alert)
            return
        }
        guard alert.isObject else {
            return reportKind(.apsWrongType, alert, "alert", expected: "a string or an object")
        }
        alert.forEachMember { checkAlertKey($0, in: alert, isLiveActivity: isLiveActivity) }
        for row in Self.texts {
            if let arguments = alert.member(row.arguments), arguments.value.kind != .null, alert[row.key] == nil {
                report(
                    .alertArgumentsWithoutKey, "\(row.arguments) has no effect without \(row.key)",
                    at: .key(arguments))
            }
            if let key = alert.member(row.key), key.value.isString, let text = alert[row.text], text.isString {
                report(
                    .alertTextAndKey, "\(row.key) and \(row.text) are both there; which one is shown is not documented",
                    at: .key(key))
            }
        }
        if !APSContent.hasText(alert) {
            report(.alertEmpty, "an alert without title, subtitle and body shows nothing", at: .value(alert))
        }
    }

    private func checkAlertKey(_ member: LintMember, in alert: LintNode, isLiveActivity: Bool) {
        let value = member.value
        /// Evaluated only for a finding.
        var name: String { member.name }
        if value.kind == .null {
            // The archived reference allows it for two keys.
            if !(member.key == "action-loc-key"), !(member.key == "title-loc-key") {
                report(
                    .payloadNullValue, "\(name) is null; some libraries lose the whole entry. Leave it out",
                    at: .value(value))
            }
            return
        }
        switch member.key {
        case "title", "subtitle", "body":
            if isLiveActivity, value.isObject { return }
            if value.isString {
                if member.key == "body" { checkFormats(value) }
            } else {
                reportKind(.alertWrongType, value, name, expected: "a string")
            }
        case "launch-image", "title-loc-key", "subtitle-loc-key", "loc-key", "action-loc-key", "action":
            if !value.isString { reportKind(.alertWrongType, value, name, expected: "a string") }
        case "title-loc-args", "subtitle-loc-args", "loc-args": checkArguments(.alertArgumentsType, name, value)
        case "summary-arg", "summary-arg-count":
            report(.alertSummaryArgument, "\(name) is ignored since iOS 15", at: .key(member))
        case "sound" where isLiveActivity: break
        default: checkUnknownAlertKey(member, in: alert)
        }
    }

    private func checkUnknownAlertKey(_ member: LintMember, in alert: LintNode) {
        let name = member.name
        if let key = Self.misplacedKeys.spelled(like: name) {
            report(.apsKeyInsideAlert, "\(key) has an effect only in aps, beside alert", at: .key(member))
        } else if let meant = Self.lookAlike(name, among: Self.alertKeys) {
            report(
                .alertMisspelledKey,
                "alert has no key \"\(name)\"; \(meant.name) is meant\(alert.hasMember(meant.name) ? ", which is there too" : "")",
                at: .key(member), edits: meant.differsInStyleOnly ? Self.rename(member, to: meant.name, in: alert) : []
            )
        } else {
            report(.alertUnknownKey, "alert has no key \"\(name)\", and it has no effect", at: .key(member))
        }
    }

    /// An array of strings.
    func checkArguments(
        _ rule: Rule, _ name: @autoclosure () -> String, _ value: LintNode, answer: @autoclosure () -> String = ""
    ) {
        guard value.kind == .array else {
            return reportKind(rule, value, name(), expected: "an array of strings", answer: answer())
        }
        value.forEachElement { element in
            guard !element.isString else { return }
            report(
                rule, "\(name()) takes strings, not \(element.kindName)\(answer())", at: .value(element),
                edits: element.kind == .number ? [TextEdit(element.range, "\"\(element.source)\"")] : [])
        }
    }

    /// An alert that was serialized once too often.
    private func checkJSONText(_ alert: LintNode) {
        guard let string = alert.string, string.raw.hasPrefix("{"), let inner = alert.inner?.root, inner.isObject,
            inner["title"] != nil || inner["body"] != nil || inner["loc-key"] != nil
        else { return }
        report(
            .alertJSONText, "the alert is a string that contains JSON, and is shown as text; an object is meant",
            at: .value(alert))
    }

    /// Reports what `printf` would read as a format in a text. The system removes it before it shows the text.
    private func checkFormats(_ node: LintNode) {
        // SOUND: the node keeps the text alive, and with it the bytes.
        guard let string = node.string, unsafe string.raw.buffer.contains(UInt8(ascii: "%")) else { return }
        let bytes = string.decodedBytes
        var index = 0
        while index < bytes.count {
            guard bytes[index] == UInt8(ascii: "%") else {
                index += 1
                continue
            }
            if index + 1 < bytes.count, bytes[index + 1] == UInt8(ascii: "%") {
                index += 2
                continue
            }
            if let end = Self.endOfFormat(bytes, from: index + 1) {
                let format = String(decoding: bytes[index..<end], as: UTF8.self)
                report(
                    .alertPercent,
                    "the system may take \"\(format)\" for a printf format and strip it; %% writes a percent sign",
                    at: .value(node))
                return
            }
            index += 1
        }
    }

    /// The end of a printf conversion whose percent sign is right before `start`; nil if there is none. A space is not a flag here:
    /// "50 % of" is prose.
    private static func endOfFormat(_ bytes: [UInt8], from start: Int) -> Int? {
        var index = start
        while index < bytes.count, index - start < 16 {
            switch bytes[index] {
            case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "$"), UInt8(ascii: "."), UInt8(ascii: "-"),
                UInt8(ascii: "+"), UInt8(ascii: "#"), UInt8(ascii: "l"), UInt8(ascii: "h"), UInt8(ascii: "q"),
                UInt8(ascii: "z"), UInt8(ascii: "t"):
                index += 1
            case UInt8(ascii: "@"), UInt8(ascii: "d"), UInt8(ascii: "i"), UInt8(ascii: "u"), UInt8(ascii: "s"),
                UInt8(ascii: "f"), UInt8(ascii: "x"), UInt8(ascii: "X"), UInt8(ascii: "c"), UInt8(ascii: "g"),
                UInt8(ascii: "e"), UInt8(ascii: "p"), UInt8(ascii: "o"):
                return index + 1
            default: return nil
            }
        }
        return nil
    }
}
