package import PushJSON
package import PushModel
import PushSystem
package import PushText

/// A linted text, as reports see it.
public struct LintedFile: Sendable {
    /// The name in reports: a path, or `<stdin>`.
    public let name: String
    /// The text.
    public private(set) var bytes: [UInt8]
    /// The diagnostics about it, in the order of the text.
    public private(set) var diagnostics: [Diagnostic]
    /// The positions of both ends of all diagnostics and their edits.
    let positions: PositionTable
    /// Offset in the text of the first of `bytes`, of which a part of a file has not all.
    let offset: Int
}

extension LintedFile {
    /// - Parameters:
    ///   - name: as reports name it.
    ///   - bytes: the text that was linted.
    ///   - diagnostics: what the linter says about it.
    public init(name: String, bytes: some Collection<UInt8>, diagnostics: [Diagnostic]) {
        let bytes = Array(bytes)
        let positions = PositionTable(of: Self.offsets(of: diagnostics), in: bytes)
        self.init(name: name, bytes: bytes, diagnostics: diagnostics, positions: positions, offset: 0)
    }

    /// A part of a file, with the diagnostics about its records.
    package init(name: String, part: TextPart, diagnostics: [Diagnostic]) {
        let positions = PositionTable(
            of: Self.offsets(of: diagnostics), in: part.bytes, at: part.offset, from: part.place)
        self.init(name: name, bytes: part.bytes, diagnostics: diagnostics, positions: positions, offset: part.offset)
    }

    /// The file without its text, for a report that shows nothing of it.
    package var withoutText: LintedFile {
        var file = self
        file.bytes = []
        return file
    }

    /// The file without the diagnostics that an earlier part has for the whole text.
    package var withoutOnce: LintedFile {
        var file = self
        file.diagnostics.removeAll { $0.rule.isOncePerText }
        return file
    }

    private static func offsets(of diagnostics: [Diagnostic]) -> [Int] {
        diagnostics.flatMap { [$0.range] + $0.edits.map(\.range) }.flatMap { [$0.lowerBound, $0.upperBound] }
    }

    /// Line and column at which a diagnostic begins. Both count from 1, columns in Unicode scalars.
    ///
    /// - Parameter diagnostic: one of the file's.
    public func position(of diagnostic: Diagnostic) -> (line: Int, column: Int) {
        let position = positions[diagnostic.range.lowerBound]
        return (position.line, position.column)
    }
}

/// Writes diagnostics in one of several formats.
///
/// Call `add` for each file, in order, and `finish` once at the end. What they return or append, one after another, is the report.
public struct LintReport: Sendable {
    /// How a report is written.
    public enum Format: String, Sendable, CaseIterable {
        /// Text for people: place, message, source line and help.
        case text
        /// One line per diagnostic: place, severity, message and rule, as compilers write them.
        case concise
        /// One JSON object per line for each diagnostic.
        case ndjson
        /// SARIF 2.1.0, for code hosts and editors.
        case sarif
        /// Commands for GitHub Actions, which annotate the changed lines.
        case github
        /// Commands for Azure Pipelines, which do the same.
        case azure
        /// GitLab's Code Quality report.
        case gitlab
        /// JUnit's XML, for CI servers.
        case junit
    }

    package var form: any LintReportForm

    /// The most findings of a report that is kept until its end, which is what GitHub takes; a report counts the others.
    static let mostKept = 25_000

    /// - Parameters:
    ///   - format: how the report is written.
    ///   - isStrict: true if warnings fail in JUnit's report too.
    public init(_ format: Format, isStrict: Bool = false) {
        self.init(format, isStrict: isStrict, style: TextStyle(hasColors: false), width: 120)
    }

    /// - Parameters:
    ///   - style: of the formats text and concise.
    ///   - width: columns of the text format.
    ///   - folds: true if the text format leaves out the findings of a rule after the first ones.
    ///   - advice: for the text format.
    package init(
        _ format: Format, isStrict: Bool, style: TextStyle, width: Int, folds: Bool = false,
        advice: @escaping Advice.Wording = Advice.unsaid
    ) {
        form =
            switch format {
            case .text:
                TextLintReport(
                    style: style, width: width, advice: advice, fold: folds ? FindingFold(isStrict: isStrict) : nil)
            case .concise: FindingLines { $0.appendConcise($1, style, to: &$2) }
            case .ndjson: FindingLines { $0.appendJSON($1, to: &$2) }
            case .sarif: SARIFLintReport()
            case .github: FindingLines { $0.appendAnnotation(.github, $1, to: &$2) }
            case .azure: FindingLines { $0.appendAnnotation(.azure, $1, to: &$2) }
            case .gitlab: GitLabLintReport()
            case .junit: JUnitLintReport(isStrict: isStrict)
            }
    }

    /// How often each rule is broken, in place of the findings: as text, or as JSON objects on lines.
    package init(statisticsAsJSON isJSON: Bool, style: TextStyle) {
        form = StatisticsLintReport(style: style, isJSON: isJSON)
    }

    /// Adds a file, and returns what can be written so far.
    public mutating func add(_ file: LintedFile) -> String { .composed { add(file, to: &$0) } }

    /// Returns the end of the report.
    ///
    /// - Parameter unreadable: problems of unreadable inputs, one line each, such as `a.json: No such file or directory`.
    public mutating func finish(unreadable: [String] = []) -> String {
        .composed { out in form.finish(unreadable: unreadable) { $0(&out) } }
    }

    package mutating func add(_ file: LintedFile, to out: inout ByteBuffer) {
        form.add(file, to: &out)
        form.endFile(named: file.name, bytes: file.bytes.count)
    }
}

/// Writes findings in one format.
///
/// For each file, in order, `add` is called with its parts, at least once, and then `endFile`. `finish` is called at the end. If `keepsNothing`,
/// `add` may be called on any thread with a copy of the form as it was at the beginning, and what it appends is written in order.
package protocol LintReportForm: Sendable {
    /// Appends what `body` appends to the report.
    typealias Writer = (_ body: (inout ByteBuffer) -> Void) throws -> Void

    /// True if `add` appends all that is reported, and keeps no finding.
    var keepsNothing: Bool { get }

    /// True if the text around a finding is shown.
    var showsText: Bool { get }

    /// Number of findings that were left out.
    var folded: Int { get }

    mutating func add(_ part: LintedFile, to out: inout ByteBuffer)

    mutating func endFile(named name: String, bytes: Int)

    /// - Parameter unreadable: problems of unreadable inputs, one line each.
    func finish(unreadable: [String], to write: Writer) rethrows
}

extension LintReportForm {
    var keepsNothing: Bool { true }

    var showsText: Bool { false }

    var folded: Int { 0 }

    mutating func endFile(named name: String, bytes: Int) {}

    func finish(unreadable: [String], to write: Writer) rethrows {}
}

/// A report that has one text for each finding, and nothing else.
struct FindingLines: LintReportForm {
    let append: @Sendable (LintedFile, Diagnostic, inout ByteBuffer) -> Void

    func add(_ file: LintedFile, to out: inout ByteBuffer) {
        for finding in file.diagnostics { append(file, finding, &out) }
    }
}

extension LintedFile {
    /// A line as compilers write it: `a.json:2:5: error: message [rule] [*]`, with a star if `--fix` fixes it.
    fileprivate func appendConcise(_ finding: Diagnostic, _ style: TextStyle, to out: inout ByteBuffer) {
        let (line, column) = position(of: finding)
        let severity = style.severity(finding.severity, finding.severity.rawValue)
        let rule = style.dim("[\(style.link(finding.rule.id.text, to: finding.rule.page))]")
        out.appendText(style.bold("\(TextStyle.clean(name)):\(line):\(column):"))
        out.appendText(" \(severity): \(TextStyle.clean(finding.message)) \(rule)")
        out.appendText(finding.edits.isEmpty ? "\n" : " [*]\n")
    }

    /// A JSON object on a line.
    fileprivate func appendJSON(_ finding: Diagnostic, to out: inout ByteBuffer) {
        let start = positions[finding.range.lowerBound]
        let end = positions[finding.range.upperBound]
        out.append("{\"file\":")
        out.appendJSONString(name)
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

    /// A line of a CI job that its server turns into an annotation of the changed lines.
    fileprivate func appendAnnotation(_ dialect: Annotation.Dialect, _ finding: Diagnostic, to out: inout ByteBuffer) {
        let end = positions[finding.range.upperBound]
        let annotation = Annotation(
            finding.severity == .error ? .error : finding.severity == .warning ? .warning : .notice,
            file: name, start: position(of: finding), end: (end.line, end.column),
            title: finding.rule.id.text, message: "\(finding.message)\n\(finding.rule.page)")
        out.appendText(annotation.line(in: dialect))
    }
}

/// GitLab's Code Quality report: one JSON array of findings.
///
/// A fingerprint has no line, so that GitLab takes a finding in a line that moved for the same. Findings that would share one are counted,
/// because GitLab shows only the first of them.
struct GitLabLintReport: LintReportForm {
    /// The number of findings with a fingerprint, without a number in it.
    private var counts: [UInt64: Int] = [:]

    var keepsNothing: Bool { false }

    mutating func add(_ file: LintedFile, to out: inout ByteBuffer) {
        // GitLab compares paths with those of the repository, which have no dot at their beginning.
        let path = file.name.hasPrefix("./") ? String(file.name.dropFirst(2)) : file.name
        for finding in file.diagnostics {
            out.append(counts.isEmpty ? "[\n  {\"description\":" : ",\n  {\"description\":")
            out.appendJSONString(finding.message)
            out.appendMember("check_name", finding.rule.id.text)
            out.appendMember("fingerprint", fingerprint(of: finding, in: path))
            out.appendMember("severity", Self.severity(finding.severity))
            out.append(",\"location\":{\"path\":")
            out.appendJSONString(path)
            out.append(",\"lines\":{\"begin\":")
            out.append(Int64(file.position(of: finding).line))
            out.append("}}}")
        }
    }

    func finish(unreadable: [String], to write: Writer) rethrows {
        try write { $0.append(counts.isEmpty ? "[]\n" : "\n]\n") }
    }

    private mutating func fingerprint(of finding: Diagnostic, in path: String) -> String {
        var hash = FNV1a()
        for part in [path, finding.rule.id.text, finding.pointer, finding.message] { hash.addPart(part.utf8) }
        let number = counts[hash.value, default: 0]
        counts[hash.value] = number + 1
        if number > 0 { hash.addPart("\(number)".utf8) }
        return hash.hexadecimal
    }

    /// Three of GitLab's five severities: `critical` and `blocker` are for what the linter cannot know.
    private static func severity(_ severity: Finding.Severity) -> String {
        switch severity {
        case .error: "major"
        case .warning: "minor"
        case .info: "info"
        }
    }
}

/// JUnit's XML: one suite per file, one case per finding. A case fails if the finding makes the command fail. Other findings are cases that
/// pass and print something. A file without findings is one case that passes.
///
/// Findings after the first `LintReport.mostKept` are counted: one case of a file for each rule.
struct JUnitLintReport: LintReportForm {
    let isStrict: Bool
    private var document = JUnitDocument("pushpipe lint", suites: [.skipped])
    private var cases = 0
    /// Findings of the current file that have no case, by rule and severity.
    private var others: [String: (finding: Diagnostic, count: Int)] = [:]

    init(isStrict: Bool) { self.isStrict = isStrict }

    var keepsNothing: Bool { false }

    mutating func add(_ file: LintedFile, to out: inout ByteBuffer) {
        for finding in file.diagnostics {
            if cases < LintReport.mostKept {
                cases += 1
                add(finding, in: file)
            } else {
                let key = "\(finding.rule.id.text) \(finding.severity.rawValue)"
                others[key] = (finding, (others[key]?.count ?? 0) + 1)
            }
        }
    }

    mutating func endFile(named name: String, bytes: Int) {
        for (_, (finding, count)) in others.sorted(by: { $0.key < $1.key }) {
            let words = "\(count) more of this rule"
            document.addCase(
                ["name": "\(finding.rule.id.text): \(words)", "classname": name, "file": name],
                [element(of: finding, words, ["\(name): \(finding.severity.rawValue): \(words)", finding.rule.page])])
        }
        others.removeAll()
        if document.isSuiteEmpty { document.addCase(["name": "no findings", "classname": name]) }
        document.endSuite(["name": name])
    }

    private mutating func add(_ finding: Diagnostic, in file: LintedFile) {
        let (line, column) = file.position(of: finding)
        let lines = [
            "\(file.name):\(line):\(column): \(finding.severity.rawValue): \(finding.message)", finding.rule.page,
        ]
        document.addCase(
            [
                "name": "\(finding.rule.id.text) at \(line):\(column)", "classname": file.name, "file": file.name,
                "line": "\(line)",
            ], [element(of: finding, finding.message, lines)])
    }

    private func element(of finding: Diagnostic, _ message: String, _ lines: [String]) -> JUnitDocument.Element {
        let fails = finding.severity == .error || (isStrict && finding.severity == .warning)
        return fails ? .failure(type: finding.rule.id.text, message: message, lines) : .output(lines)
    }

    func finish(unreadable: [String], to write: Writer) rethrows {
        var document = document
        for line in unreadable {
            document.addCase(["name": "readable", "classname": line], [.error(line)])
            document.endSuite(["name": line])
        }
        try document.write { text in try write { $0.appendText(text) } }
    }
}

/// Lines and columns of some offsets in a text, found in one pass.
package struct PositionTable: Sendable {
    private var positions: [Int: TextPosition] = [:]

    /// O(text + offsets log offsets). A byte-order mark takes no column, as in an editor.
    package init(of offsets: [Int], in text: [UInt8]) {
        // SOUND: the bytes live until the closure returns.
        let place = unsafe text.withUnsafeBytes { unsafe TextPlace(beginningOf: $0) }
        self.init(of: offsets, in: text, at: 0, from: place)
    }

    /// Positions in a part of a text.
    ///
    /// - Parameters:
    ///   - start: offset in the text of the part's first byte.
    ///   - place: of a byte of the part, at or before all offsets.
    package init(of offsets: [Int], in part: [UInt8], at start: Int, from place: TextPlace) {
        // SOUND: the bytes live until the closure returns.
        guard !offsets.isEmpty else { return }
        var place = place
        unsafe part.withUnsafeBytes { part in
            for offset in offsets.sorted() {
                unsafe place.advance(to: offset - start, in: part)
                positions[offset] = place.position
            }
        }
    }

    /// The position of one of the offsets that the table was made for.
    package subscript(offset: Int) -> TextPosition { positions[offset] ?? TextPosition(line: 1, column: 1) }
}

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

    /// A line as ruff has it: `14  aps.misspelled-key  [*] a key of aps in another spelling`, with a star if all can be fixed, and a dash if some.
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

/// Findings for people: place and message, the line with the place marked, and what to do.
struct TextLintReport: LintReportForm {
    let style: TextStyle
    /// Columns of the source line.
    let width: Int
    let advice: Advice.Wording
    /// Nil if all findings are shown.
    private(set) var fold: FindingFold?

    var folded: Int { fold?.folded ?? 0 }

    var keepsNothing: Bool { fold == nil }

    var showsText: Bool { true }

    mutating func add(_ file: LintedFile, to out: inout ByteBuffer) {
        for finding in file.diagnostics where fold?.shows(finding) ?? true { append(finding, of: file, to: &out) }
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

    /// Returns true to show a finding, and counts one that may be left out.
    mutating func shows(_ finding: Diagnostic) -> Bool {
        guard finding.severity < kept else { return true }
        var count = counts[finding.rule.id] ?? Count()
        defer { counts[finding.rule.id] = count }
        if count.shown < Self.mostShown {
            count.shown += 1
            return true
        }
        count.folded += 1
        if count.lastFile != file { count.files += 1 }
        count.lastFile = file
        return false
    }

    mutating func endFile() { file += 1 }

    /// The findings left out, the most frequent rule first.
    var rules: [(rule: RuleID, findings: Int, files: Int)] {
        counts.filter { $1.folded > 0 }.map { ($0, $1.folded, $1.files) }.sorted { ($1.1, $0.0) < ($0.1, $1.0) }
    }
}
