import PayloadJSON
import PushModel
import PushText

/// One line for each finding, as compilers write them: `a.json:2:5: error: message [rule] [*]`, with a star if `--fix` fixes it.
struct ConciseLintReport: LintReportForm {
    let style: TextStyle

    func add(_ file: LintedFile, to out: inout ByteBuffer) {
        let name = TextStyle.clean(file.name)
        for finding in file.diagnostics {
            let (line, column) = file.position(of: finding)
            let severity = style.severity(finding.severity, finding.severity.rawValue)
            let rule = style.dim("[\(style.link(finding.rule.id.text, to: finding.rule.page))]")
            out.appendText(style.bold("\(name):\(line):\(column):"))
            out.appendText(" \(severity): \(TextStyle.clean(finding.message)) \(rule)")
            out.appendText(finding.edits.isEmpty ? "\n" : " [*]\n")
        }
    }
}
