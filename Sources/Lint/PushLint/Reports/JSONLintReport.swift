import PayloadJSON
import PushModel

/// One JSON object per line for each finding.
struct JSONLintReport: LintReportForm {
    func add(_ file: LintedFile, to out: inout ByteBuffer) {
        for finding in file.diagnostics {
            let start = file.positions[finding.range.lowerBound]
            let end = file.positions[finding.range.upperBound]
            out.append("{\"file\":")
            out.appendJSONString(file.name)
            out.appendMember("line", start.line)
            out.appendMember("column", start.column)
            out.appendMember("endLine", end.line)
            out.appendMember("endColumn", end.column)
            out.appendMember("offset", finding.range.lowerBound)
            out.appendMember("length", finding.range.count)
            out.appendMember("rule", finding.rule.id.text)
            out.appendMember("severity", finding.severity.rawValue)
            out.appendMember("message", finding.message)
            out.appendMember("pointer", finding.pointer)
            out.appendMember("record", finding.record)
            out.appendMember("fixable", !finding.edits.isEmpty)
            out.appendMember("page", finding.rule.page)
            out.append("}\n")
        }
    }
}
