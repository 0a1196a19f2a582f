import PayloadJSON
import PushModel
import PushText

/// How often each rule is broken, the most frequent first, in place of the findings.
struct StatisticsLintReport: LintReportForm {
    private struct Count {
        var rule: Rule
        var findings = 0
        var fixable = 0
    }

    let style: TextStyle
    /// True if a rule is a JSON object on a line, and not text for people.
    let isJSON: Bool
    private var counts: [RuleID: Count] = [:]

    init(style: TextStyle, isJSON: Bool) {
        self.style = style
        self.isJSON = isJSON
    }

    var keepsNothing: Bool { false }

    mutating func add(_ part: LintedFile, to out: inout ByteBuffer) {
        for finding in part.diagnostics {
            counts[finding.rule.id, default: Count(rule: finding.rule)].findings += 1
            if !finding.edits.isEmpty { counts[finding.rule.id]?.fixable += 1 }
        }
    }

    func finish(unreadable: [String], to write: Writer) rethrows {
        let sorted = counts.values.sorted { ($1.findings, $0.rule.id) < ($0.findings, $1.rule.id) }
        let digits = sorted.first.map { String($0.findings).utf8.count } ?? 0
        let width = sorted.map(\.rule.id.text.utf8.count).max() ?? 0
        for count in sorted {
            try write { isJSON ? appendJSON(count, to: &$0) : append(count, digits, width, to: &$0) }
        }
    }

    /// As ruff has it: `14  aps.misspelled-key  [*] a key of aps in another spelling`, with a star if all can be fixed, and a dash if some.
    private func append(_ count: Count, _ digits: Int, _ width: Int, to out: inout ByteBuffer) {
        var line = FlowingLine(style, indent: 4)
        line.appendCell(TerminalText.padded(String(count.findings), to: digits, right: true), to: digits + 2)
        line.appendCell(count.rule.id.text, to: width + 2) {
            style.severity(count.rule.severity, style.link($0, to: count.rule.page))
        }
        line.appendCell(count.fixable == 0 ? "[ ]" : count.fixable == count.findings ? "[*]" : "[-]", to: 4)
        line.appendWords(count.rule.title)
        out.appendText(line.text + "\n")
    }

    private func appendJSON(_ count: Count, to out: inout ByteBuffer) {
        out.append("{\"rule\":")
        out.appendJSONString(count.rule.id.text)
        out.appendMember("severity", count.rule.severity.rawValue)
        out.appendMember("count", count.findings)
        out.appendMember("fixable", count.fixable)
        out.appendMember("title", count.rule.title)
        out.appendMember("page", count.rule.page)
        out.append("}\n")
    }
}
