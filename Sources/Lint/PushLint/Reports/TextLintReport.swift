import PayloadJSON
import PushModel
import PushText

/// Findings for people: place and message, the line with the place marked, and what to do.
struct TextLintReport: LintReportForm {
    let style: TextStyle
    /// Columns of the source line.
    let width: Int
    let advice: Advice.Wording
    /// Nil if all findings are shown.
    private(set) var fold: FindingFold?

    var folded: Int { fold?.folded ?? 0 }

    mutating func add(_ file: LintedFile, to out: inout ByteBuffer) {
        var text = ByteBuffer()
        let foldable = compose(file, to: &text)
        append(text, foldable, to: &out)
    }

    mutating func append(_ text: borrowing ByteBuffer, _ foldable: FoldableFindings, to out: inout ByteBuffer) {
        guard var fold else { return foldable.append(text, to: &out) { _ in true } }
        foldable.append(text, to: &out) { fold.shows($0) }
        for (rule, number) in foldable.others { fold.fold(number, of: rule) }
        self.fold = fold
    }

    mutating func endFile(named name: String, bytes: Int) { fold?.endFile() }

    func finish(unreadable: [String], to write: Writer) rethrows {
        for (rule, findings, files) in fold?.rules ?? [] {
            let place = files > 1 ? " in \(files) files" : ""
            try write {
                $0.appendText(style.dim("… and \(findings) more like these\(place)"))
                $0.appendText(" [\(linked(rule))]\n")
            }
        }
    }

    func compose(_ file: LintedFile, to out: inout ByteBuffer) -> FoldableFindings {
        var found = FoldableFindings()
        var counts: [RuleID: Int] = [:]
        for finding in file.diagnostics {
            guard fold?.mayFold(finding) == true else {
                append(finding, of: file, to: &out)
                continue
            }
            let rule = finding.rule.id
            counts[rule, default: 0] += 1
            if counts[rule, default: 0] > FindingFold.mostShown {
                found.others[rule, default: 0] += 1
            } else {
                let start = out.count
                append(finding, of: file, to: &out)
                found.passages.append((rule, start..<out.count))
            }
        }
        return found
    }

    private func append(_ finding: Diagnostic, of file: LintedFile, to out: inout ByteBuffer) {
        let start = file.positions[finding.range.lowerBound]
        var line = FlowingLine(style, indent: 4)
        line.appendCell("\(TextStyle.clean(file.name)):\(start.line):\(start.column):", to: 0, style.bold)
        let severity = finding.severity.rawValue
        line.appendCell("\(severity):", to: 0) { _ in style.severity(finding.severity, severity) + ":" }
        line.appendWords(TextStyle.clean(finding.message))
        line.append("[\(finding.rule.id)]", gap: 1) { _ in style.dim("[\(linked(finding.rule.id))]") }
        out.appendText(line.text + "\n")
        if finding.rule == RecordRules.notText { return appendHelp(for: finding, to: &out) }
        let place = finding.range.lowerBound - file.offset..<finding.range.upperBound - file.offset
        let excerpt = SourceExcerpt(of: place, in: file.bytes, width: width)
        out.appendText(excerpt.source + "\n")
        out.appendText(excerpt.blanks + style.severity(finding.severity, excerpt.marks) + "\n")
        appendHelp(for: finding, to: &out)
    }

    private func appendHelp(for finding: Diagnostic, to out: inout ByteBuffer) {
        var help = FlowingLine(style, indent: 8, startingAt: 2)
        help.appendWords("help: \(self.help(for: finding))", style.dim)
        out.appendText(help.text + "\n")
    }

    /// A rule's id, which leads to its page where links are known.
    private func linked(_ id: RuleID) -> String { style.link(id.text, to: id.rule.page) }

    /// The first sentence of the explanation.
    private func help(for finding: Diagnostic) -> String {
        let explanation = finding.rule.explanation
        let sentence = explanation.firstRange(of: ". ").map { explanation[..<$0.lowerBound] } ?? explanation.dropLast()
        return sentence + (finding.edits.isEmpty ? "" : "; fixable" + advice(.fix))
    }
}
