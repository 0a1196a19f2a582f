import PayloadJSON
import PushModel
import TerminalStyle

/// Findings for people: place and message, the line with the place marked, and what to do.
struct TextLintReport: LintReportForm {
    let style: TextStyle
    /// Columns of the source line.
    let width: Int

    func add(_ file: LintedFile, to out: inout ByteBuffer) {
        let name = TextStyle.clean(file.name)
        for finding in file.findings {
            let start = file.positions[finding.range.lowerBound]
            out.appendText(style.bold("\(name):\(start.line):\(start.column):"))
            out.appendText(" \(style.severity(finding.severity, finding.severity.rawValue)): ")
            out.appendText(TextStyle.clean(finding.message))
            out.appendText(style.dim(" [\(finding.rule.id)]") + "\n")
            let place = finding.range.lowerBound - file.offset..<finding.range.upperBound - file.offset
            let excerpt = SourceExcerpt(of: place, in: file.bytes, width: width)
            out.appendText(excerpt.source + "\n")
            out.appendText(excerpt.blanks + style.severity(finding.severity, excerpt.marks) + "\n")
            out.appendText(style.dim("  help: \(help(for: finding))") + "\n")
        }
    }

    /// The first sentence of the explanation.
    private func help(for finding: LintFinding) -> String {
        let explanation = finding.rule.explanation
        let sentence = explanation.firstRange(of: ". ").map { explanation[..<$0.lowerBound] } ?? explanation.dropLast()
        return sentence + (finding.edits.isEmpty ? "" : "; fixable with --fix")
    }
}
