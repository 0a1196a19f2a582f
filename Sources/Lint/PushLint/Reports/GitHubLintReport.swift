import PayloadJSON
import PushModel
import PushText

/// Commands that GitHub Actions turns into annotations of the changed lines.
struct GitHubLintReport: LintReportForm {
    func add(_ file: LintedFile, to out: inout ByteBuffer) {
        for finding in file.diagnostics {
            let start = file.positions[finding.range.lowerBound]
            let end = file.positions[finding.range.upperBound]
            let command = finding.severity == .info ? "notice" : finding.severity.rawValue
            var properties = ["file=" + Self.property(file.name), "line=\(start.line)", "endLine=\(end.line)"]
            // The runner takes columns within one line only.
            if start.line == end.line { properties += ["col=\(start.column)", "endColumn=\(end.column)"] }
            properties.append("title=" + Self.property(finding.rule.id.text))
            let message = Self.message("\(finding.message)\n\(finding.rule.page)")
            out.appendText("::\(command) \(properties.joined(separator: ","))::\(message)\n")
        }
    }

    /// Escapes what would end the command.
    private static func message(_ text: String) -> String {
        TextStyle.clean(escaped(text, ["%": "%25", "\r": "%0D", "\n": "%0A"]))
    }

    /// Escapes what would end the property, too.
    private static func property(_ text: String) -> String { escaped(message(text), [":": "%3A", ",": "%2C"]) }

    private static func escaped(_ text: String, _ escapes: [Unicode.Scalar: String]) -> String {
        text.unicodeScalars.map { escapes[$0] ?? String($0) }.joined()
    }
}
