import PayloadJSON
package import PushModel
package import PushText

/// A linted text, as reports see it.
public struct LintedFile: Sendable {
    /// As reports name it: a path, or `<stdin>`.
    public let name: String
    /// The text.
    public let bytes: [UInt8]
    /// The diagnostics about it, in the order of the text.
    public let diagnostics: [Diagnostic]
    /// Of both ends of all diagnostics and their edits.
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

    /// The same for a report that shows nothing of the text.
    package var withoutText: LintedFile {
        LintedFile(name: name, bytes: [], diagnostics: diagnostics, positions: positions, offset: offset)
    }

    /// The same with some of the diagnostics.
    package func only(_ range: some RangeExpression<Int>) -> LintedFile {
        LintedFile(
            name: name, bytes: bytes, diagnostics: Array(diagnostics[range]), positions: positions, offset: offset)
    }

    /// The same without what an earlier part has said for the whole text.
    package var withoutOnce: LintedFile {
        LintedFile(
            name: name, bytes: bytes, diagnostics: diagnostics.filter { !$0.rule.isOncePerText }, positions: positions,
            offset: offset)
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
        /// For people: place, message, source line and help.
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
            case .concise: ConciseLintReport(style: style)
            case .ndjson: JSONLintReport()
            case .sarif: SARIFLintReport()
            case .github: AnnotationLintReport(dialect: .github)
            case .azure: AnnotationLintReport(dialect: .azure)
            case .gitlab: GitLabLintReport()
            case .junit: JUnitLintReport(isStrict: isStrict)
            }
    }

    /// How often each rule is broken, in place of the findings: as text, or as JSON objects on lines.
    package init(statisticsAsJSON isJSON: Bool, style: TextStyle) {
        form = StatisticsLintReport(style: style, isJSON: isJSON)
    }

    /// Adds a file, and returns what can be written so far.
    public mutating func add(_ file: LintedFile) -> String { Self.text { add(file, to: &$0) } }

    /// Returns the end of the report.
    ///
    /// - Parameter unreadable: problems of unreadable inputs, one line each, such as `a.json: No such file or directory`.
    public mutating func finish(unreadable: [String] = []) -> String {
        Self.text { out in form.finish(unreadable: unreadable) { $0(&out) } }
    }

    package mutating func add(_ file: LintedFile, to out: inout ByteBuffer) {
        form.add(file, to: &out)
        form.endFile(named: file.name, bytes: file.bytes.count)
    }

    private static func text(_ write: (inout ByteBuffer) -> Void) -> String {
        // SOUND: copies what the buffer holds.
        var buffer = ByteBuffer()
        write(&buffer)
        return unsafe String(decoding: buffer.bytes, as: UTF8.self)
    }
}

/// Writes findings in one format.
///
/// For each file, in order, `add` is called with its parts, at least once, and then `endFile`. `finish` is called at the end. If `keepsNothing`,
/// `compose` may be called in place of `add` on any thread, with a copy of the form as it was at the beginning, and then `append` in order.
package protocol LintReportForm: Sendable {
    /// Appends what `body` appends to the report.
    typealias Writer = (_ body: (inout ByteBuffer) -> Void) throws -> Void

    /// True if `add` appends all that is reported, and keeps no finding.
    var keepsNothing: Bool { get }

    /// Number of findings that were left out.
    var folded: Int { get }

    mutating func add(_ part: LintedFile, to out: inout ByteBuffer)

    func compose(_ part: LintedFile, to out: inout ByteBuffer) -> FoldableFindings

    mutating func append(_ text: borrowing ByteBuffer, _ foldable: FoldableFindings, to out: inout ByteBuffer)

    mutating func endFile(named name: String, bytes: Int)

    /// - Parameter unreadable: problems of unreadable inputs, one line each.
    func finish(unreadable: [String], to write: Writer) rethrows
}

extension LintReportForm {
    var keepsNothing: Bool { true }

    var folded: Int { 0 }

    func compose(_ part: LintedFile, to out: inout ByteBuffer) -> FoldableFindings {
        var copy = self
        copy.add(part, to: &out)
        return FoldableFindings()
    }

    mutating func append(_ text: borrowing ByteBuffer, _ foldable: FoldableFindings, to out: inout ByteBuffer) {
        foldable.append(text, to: &out) { _ in true }
    }

    mutating func endFile(named name: String, bytes: Int) {}

    func finish(unreadable: [String], to write: Writer) rethrows {}
}
