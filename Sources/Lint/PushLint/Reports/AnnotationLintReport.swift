import PayloadJSON
import PushModel
import PushText

/// Lines of a CI job that its server turns into annotations of the changed lines.
struct AnnotationLintReport: LintReportForm {
    let dialect: Annotation.Dialect

    func add(_ file: LintedFile, to out: inout ByteBuffer) {
        for finding in file.diagnostics {
            let end = file.positions[finding.range.upperBound]
            let annotation = Annotation(
                finding.severity == .error ? .error : finding.severity == .warning ? .warning : .notice,
                file: file.name, start: file.position(of: finding), end: (end.line, end.column),
                title: finding.rule.id.text, message: "\(finding.message)\n\(finding.rule.page)")
            out.appendText(annotation.line(in: dialect))
        }
    }
}
