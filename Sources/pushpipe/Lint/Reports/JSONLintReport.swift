import PayloadJSON
import PushLint
import PushModel
import PushPipeline

/// A JSON object a line for each finding.
struct JSONLintReport: LintReport {
    func add(_ file: LintedFile, to out: inout ByteBuffer) {
        for finding in file.findings {
            let start = file.positions[finding.range.lowerBound]
            let end = file.positions[finding.range.upperBound]
            out.append("{\"file\":")
            out.appendJSONString(file.name)
            NotificationLine.append("line", start.line, to: &out)
            NotificationLine.append("column", start.column, to: &out)
            NotificationLine.append("endLine", end.line, to: &out)
            NotificationLine.append("endColumn", end.column, to: &out)
            NotificationLine.append("offset", finding.range.lowerBound, to: &out)
            NotificationLine.append("length", finding.range.count, to: &out)
            NotificationLine.append("rule", finding.rule.id, to: &out)
            NotificationLine.append("severity", finding.severity.rawValue, to: &out)
            NotificationLine.append("message", finding.message, to: &out)
            NotificationLine.append("pointer", finding.pointer, to: &out)
            NotificationLine.append("record", finding.record, to: &out)
            out.append(",\"fixable\":")
            out.appendText(finding.edits.isEmpty ? "false}\n" : "true}\n")
        }
    }
}
