import PayloadJSON
import PushModel

/// Texts of an alert that are not shown as they were meant.
struct AlertTextRules: RuleCheck {
    static let rules = [jsonText, percent]
    let run: LintRun

    /// An alert that is a string.
    func check(_ alert: LintNode) {
        checkFormats(alert)
        checkJSON(alert)
    }

    static let jsonText = Rule(
        "alert.json-text", .error, "an alert that is JSON in a string",
        "A string is the body, and is shown as it is, braces included. An alert with a title is an object.",
        source: .generating, failing: #"{"aps":{"alert":"{\"title\":\"Result\",\"body\":\"Late count\"}"}}"#,
        passing: Example.alert(#""title":"Result","body":"Late count""#))

    /// An alert that was serialized once too often.
    private func checkJSON(_ alert: LintNode) {
        guard let string = alert.string, string.raw.hasPrefix("{"), let inner = alert.inner?.root, inner.isObject,
            inner["title"] != nil || inner["body"] != nil || inner["loc-key"] != nil
        else { return }
        report(
            Self.jsonText, "the alert is a string that contains JSON, and is shown as text; an object is meant",
            at: alert)
    }

    static let percent = Rule(
        "alert.percent", .info, "a percent sign that looks like a printf format",
        "Apple strips printf-style escapes from the body before it is shown. %% writes one percent sign.",
        source: .body, failing: Example.alert(#""body":"Turnout at 44%d""#),
        passing: Example.alert(#""body":"Turnout at 44%%""#))

    /// Reports what `printf` would read as a format in a text. The system removes it before it shows the text.
    func checkFormats(_ node: LintNode) {
        // SOUND: the node keeps the text alive, and with it the bytes.
        guard let string = node.string, unsafe string.raw.buffer.contains(UInt8(ascii: "%")) else { return }
        var rest = string.decodedBytes[...]
        while let percent = rest.firstIndex(of: UInt8(ascii: "%")) {
            rest = rest[(percent + 1)...]
            if rest.first == UInt8(ascii: "%") {
                rest.removeFirst()
            } else if let count = Self.formatBytes(rest) {
                let format = String(decoding: rest.prefix(count), as: UTF8.self)
                return report(
                    Self.percent,
                    "the system may take \"%\(format)\" for a printf format and strip it; %% writes a percent sign",
                    at: node)
            }
        }
    }

    /// The number of bytes of a printf conversion after its percent sign; nil if there is none. A space is not a flag here: "50 % of" is prose.
    private static func formatBytes(_ text: ArraySlice<UInt8>) -> Int? {
        let flags = text.prefix(16).prefix { "0123456789$.-+#lhqzt".utf8.contains($0) }.count
        guard flags < 16, let type = text.dropFirst(flags).first, "@diusfxXcgepo".utf8.contains(type) else {
            return nil
        }
        return flags + 1
    }
}
