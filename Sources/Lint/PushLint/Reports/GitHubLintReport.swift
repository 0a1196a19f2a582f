import PayloadJSON
import PushModel
import PushText

/// Commands that GitHub Actions turns into annotations of the changed lines.
struct GitHubLintReport: LintReportForm {
    func add(_ file: LintedFile, to out: inout ByteBuffer) {
        for finding in file.findings {
            let start = file.positions[finding.range.lowerBound]
            let end = file.positions[finding.range.upperBound]
            let command =
                switch finding.severity {
                case .error: "error"
                case .warning: "warning"
                case .info: "notice"
                }
            var properties = ["file=" + Self.property(file.name), "line=\(start.line)", "endLine=\(end.line)"]
            // The runner takes columns within one line only.
            if start.line == end.line { properties += ["col=\(start.column)", "endColumn=\(end.column)"] }
            properties.append("title=" + Self.property(finding.rule.id))
            let message = Self.message("\(finding.message)\n\(finding.rule.page)")
            out.appendText("::\(command) \(properties.joined(separator: ","))::\(message)\n")
        }
    }

    /// Escapes what would end the command.
    private static func message(_ text: String) -> String {
        var escaped = ""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "%": escaped += "%25"
            case "\r": escaped += "%0D"
            case "\n": escaped += "%0A"
            default: escaped.unicodeScalars.append(scalar)
            }
        }
        return TextStyle.clean(escaped)
    }

    /// Escapes what would end the property, too.
    private static func property(_ text: String) -> String {
        var escaped = ""
        for scalar in message(text).unicodeScalars {
            switch scalar {
            case ":": escaped += "%3A"
            case ",": escaped += "%2C"
            default: escaped.unicodeScalars.append(scalar)
            }
        }
        return escaped
    }
}
