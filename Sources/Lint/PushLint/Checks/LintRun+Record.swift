import PayloadJSON
import PushDecoding
import PushModel

extension LintRun {
    /// Checks a whole record: recognizes its format as the decoder does, and then checks its parts.
    func checkRecord(_ root: LintNode) {
        guard root.isObject else { return }
        let keys = TopLevelKeys(of: root.view)
        // The decoder reports what is wrong with an event.
        if keys.event != nil { return }
        var format = options.format ?? keys.format
        if !keys.hasAps, let named = root["provider"]?.swiftString {
            format = RecordFormat(rawValue: named)
            if let format, format != .apns, let payload = root["payload"] {
                if let inner = payload.isString ? open(payload) : payload { check(inner, as: format) }
                return
            }
        }
        if let format { check(root, as: format, isRecord: true) } else { checkUnknownShape(root) }
    }

    /// Checks a record that is sent.
    func checkSampleMember(_ root: LintNode) {
        guard root.isObject else { return }
        root.forEachMember { member in
            guard member.key == SampleMember.name else { return }
            report(
                .sentSuppression, "pushpipe-ignore is sent with the record, to a service that does not know it",
                at: .key(member))
        }
    }

    private func check(_ root: LintNode, as format: RecordFormat, isRecord: Bool = false) {
        guard root.isObject else { return }
        switch format {
        case .apns:
            if let payload = root["payload"], root["aps"] == nil {
                checkEnvelope(root, payload)
            } else {
                checkPayload(root, APNsSurroundings(.bare))
            }
        case .fcm: checkFCM(root, isRecord: isRecord)
        case .gcm: checkGCM(root)
        case .sns: checkSNS(root)
        case .airnotifier: checkAirnotifier(root)
        case .wikimedia, .moodle: break
        }
    }

    /// A record that is not recognized because its only name is misspelled.
    private func checkUnknownShape(_ root: LintNode) {
        root.forEachMember { member in
            guard member.value.isObject else { return }
            if Self.isMeantAsAps(member.key) {
                report(
                    .payloadMisspelledAps, "\"\(member.name)\" is not \"aps\", so the device finds nothing to show",
                    at: .key(member), edits: Self.rename(member, to: "aps", in: root))
            }
        }
    }

    // MARK: - Values of the wrong kind

    /// Reports a value of the wrong kind, with an edit if only the quotes are wrong.
    func reportKind(_ rule: Rule, _ node: LintNode, _ name: String, expected: String, answer: String = "") {
        report(
            rule, "\(name) must be \(expected), not \(node.kindName)\(answer)", at: .value(node),
            edits: Self.edits(of: node, toMake: expected))
    }

    private static func edits(of node: LintNode, toMake expected: String) -> [TextEdit] {
        switch node.kind {
        case .number where expected == "a string": return [TextEdit(node.range, "\"\(node.source)\"")]
        case .string where expected == "a number":
            let text = node.swiftString ?? ""
            return isPlainNumber(text) && fitsNumber(text) ? [TextEdit(node.range, text)] : []
        default: return []
        }
    }

    /// True if every reader preserves the number: fifteen digits fit a double.
    private static func fitsNumber(_ text: String) -> Bool { text.utf8.count { $0 &- 48 < 10 } <= 15 }

    /// True if the text is a JSON number without exponent.
    static func isPlainNumber(_ text: String) -> Bool {
        var digits = text[...]
        if digits.first == "-" { digits = digits.dropFirst() }
        let parts = digits.split(separator: ".", omittingEmptySubsequences: false)
        guard (1...2).contains(parts.count), parts.allSatisfy({ !$0.isEmpty && $0.utf8.allSatisfy { $0 &- 48 < 10 } })
        else { return false }
        return parts[0].utf8.count == 1 || parts[0].utf8.first != UInt8(ascii: "0")
    }
}
