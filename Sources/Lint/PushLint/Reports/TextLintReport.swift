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

/// Leaves out the findings of a rule after the first ones, and counts them.
///
/// Only the text form is folded, and never what decides the exit status: an error, and of a strict run a warning, is always shown. What is kept
/// is a few numbers for each rule, however long the input is.
struct FindingFold: Sendable {
    /// The most findings of a rule that are shown when it is folded.
    static let mostShown = 10

    /// The findings of one rule.
    private struct Count {
        var shown = 0
        var folded = 0
        /// Files with findings that were folded.
        var files = 0
        /// The last of these files.
        var lastFile: Int?
    }

    /// The least severity that is always shown.
    private let kept: Finding.Severity
    private var counts: [RuleID: Count] = [:]
    /// Number of files that have ended.
    private var file = 0

    /// - Parameter isStrict: true if warnings decide the exit status, too.
    init(isStrict: Bool) { kept = isStrict ? .warning : .error }

    /// Number of findings that were left out.
    var folded: Int { counts.values.reduce(0) { $0 + $1.folded } }

    /// True if a finding may be left out.
    func mayFold(_ finding: Diagnostic) -> Bool { finding.severity < kept }

    /// Counts a finding that may be left out, and returns true to show it.
    mutating func shows(_ rule: RuleID) -> Bool {
        guard counts[rule, default: Count()].shown == Self.mostShown else {
            counts[rule, default: Count()].shown += 1
            return true
        }
        fold(1, of: rule)
        return false
    }

    /// Counts findings that were left out.
    mutating func fold(_ number: Int, of rule: RuleID) {
        var count = counts[rule] ?? Count()
        count.folded += number
        if count.lastFile != file { count.files += 1 }
        count.lastFile = file
        counts[rule] = count
    }

    mutating func endFile() { file += 1 }

    /// The findings left out, the most frequent rule first.
    var rules: [(rule: RuleID, findings: Int, files: Int)] {
        counts.filter { $1.folded > 0 }.map { ($0, $1.folded, $1.files) }.sorted { ($1.1, $0.0) < ($0.1, $1.0) }
    }
}

/// Where the findings that may be left out stand in a composed text: any thread composes the text of a part, and one shows the parts in order.
package struct FoldableFindings: Sendable {
    /// In the order of the text, with ranges of its bytes.
    var passages: [(rule: RuleID, range: Range<Int>)] = []
    /// By rule, how many further findings are not in the text, because there are as many before them as are shown at most.
    var others: [RuleID: Int] = [:]
    /// The finding that a text has once.
    package var once: Range<Int>?
    /// True if an earlier part has it, so that it is left out.
    package var isRepeated = false

    /// Adds what stands after it in the text.
    package mutating func append(_ next: FoldableFindings) {
        passages += next.passages
        others.merge(next.others, uniquingKeysWith: +)
    }

    package init() {}

    /// Appends the text without the passages that are left out.
    ///
    /// - Parameter shows: true to show a finding of this rule that may be left out. Called in their order.
    func append(_ text: borrowing ByteBuffer, to out: inout ByteBuffer, shows: (RuleID) -> Bool) {
        // SOUND: the passages are parts of the text, which does not change during the call.
        let bytes = unsafe text.bytes
        var start = 0
        func append(upTo end: Int, to out: inout ByteBuffer) {
            guard end > start, let base = bytes.baseAddress else { return }
            unsafe out.append(
                BorrowedText(start: base.assumingMemoryBound(to: UInt8.self) + start, count: end - start))
        }
        func leaveOut(_ range: Range<Int>, of out: inout ByteBuffer) {
            append(upTo: range.lowerBound, to: &out)
            start = range.upperBound
        }
        var repeated = isRepeated ? once : nil
        for passage in passages {
            if let once = repeated, once.lowerBound <= passage.range.lowerBound {
                leaveOut(once, of: &out)
                repeated = nil
                if once == passage.range { continue }
            }
            if !shows(passage.rule) { leaveOut(passage.range, of: &out) }
        }
        if let repeated { leaveOut(repeated, of: &out) }
        append(upTo: bytes.count, to: &out)
    }
}
