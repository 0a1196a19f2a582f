import PayloadJSON
import PushPipeline
import PushRules

/// A JSON object a line for each finding.
struct JSONLintReport: LintReport {
    func add(_ file: LintedFile, to out: inout ByteBuffer) {
        for finding in file.findings {
            let start = file.positions[finding.range.lowerBound]
            let end = file.positions[finding.range.upperBound]
            out.append("{\"file\":")
            out.appendJSONString(file.name)
            Self.append("line", start.line, to: &out)
            Self.append("column", start.column, to: &out)
            Self.append("endLine", end.line, to: &out)
            Self.append("endColumn", end.column, to: &out)
            Self.append("offset", finding.range.lowerBound, to: &out)
            Self.append("length", finding.range.count, to: &out)
            NotificationLine.append("rule", finding.rule.id, to: &out)
            NotificationLine.append("severity", finding.severity.rawValue, to: &out)
            NotificationLine.append("message", finding.message, to: &out)
            NotificationLine.append("pointer", finding.pointer, to: &out)
            Self.append("record", finding.record, to: &out)
            out.append(",\"fixable\":")
            out.appendText(finding.edits.isEmpty ? "false}\n" : "true}\n")
        }
    }

    private static func append(_ name: StaticString, _ number: Int, to out: inout ByteBuffer) {
        out.append(",\"")
        out.append(name)
        out.append("\":")
        out.append(Int64(number))
    }
}
