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
            var line = FlowingLine(style, indent: 4)
            line.appendCell("\(name):\(start.line):\(start.column):", to: 0, style.bold)
            let severity = finding.severity.rawValue
            line.appendCell("\(severity):", to: 0) { _ in style.severity(finding.severity, severity) + ":" }
            line.appendWords(TextStyle.clean(finding.message))
            line.append("[\(finding.rule.id)]", gap: 1) { _ in
                style.dim("[\(style.link(finding.rule.id, to: finding.rule.page))]")
            }
            out.appendText(line.text + "\n")
            let place = finding.range.lowerBound - file.offset..<finding.range.upperBound - file.offset
            let excerpt = SourceExcerpt(of: place, in: file.bytes, width: width)
            out.appendText(excerpt.source + "\n")
            out.appendText(excerpt.blanks + style.severity(finding.severity, excerpt.marks) + "\n")
            var help = FlowingLine(style, indent: 8, startingAt: 2)
            help.appendWords("help: \(self.help(for: finding))", style.dim)
            out.appendText(help.text + "\n")
        }
    }

    /// The first sentence of the explanation.
    private func help(for finding: LintFinding) -> String {
        let explanation = finding.rule.explanation
        let sentence = explanation.firstRange(of: ". ").map { explanation[..<$0.lowerBound] } ?? explanation.dropLast()
        return sentence + (finding.edits.isEmpty ? "" : "; fixable with --fix")
    }
}
