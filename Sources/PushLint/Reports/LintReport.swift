package import PayloadJSON
package import TerminalStyle

/// A linted text, as reports see it.
public struct LintedFile: Sendable {
    /// As reports name it: a path, or `<stdin>`.
    public let name: String
    /// The text.
    public let bytes: [UInt8]
    /// Its findings.
    public let findings: [LintFinding]
    /// Of both ends of all findings and their edits.
    let positions: PositionTable

    /// - Parameters:
    ///   - name: as reports name it.
    ///   - bytes: the text that was linted.
    ///   - findings: what was found in it.
    public init(name: String, bytes: [UInt8], findings: [LintFinding]) {
        self.name = name
        self.bytes = bytes
        self.findings = findings
        let ranges = findings.flatMap { [$0.range] + $0.edits.map(\.range) }
        positions = PositionTable(of: ranges.flatMap { [$0.lowerBound, $0.upperBound] }, in: bytes)
    }

    /// Where a finding begins. Both count from 1, columns in Unicode scalars.
    ///
    /// - Parameter finding: one of the file's.
    public func position(of finding: LintFinding) -> (line: Int, column: Int) {
        let position = positions[finding.range.lowerBound]
        return (position.line, position.column)
    }
}

/// Writes findings in one of five formats.
///
/// Call `add` for each file, in order, and `finish` once at the end. What they return or append, one after another, is the report.
public struct LintReport {
    /// How a report is written.
    public enum Format: String, Sendable, CaseIterable {
        /// For people: place, message, source line and help.
        case text
        /// One JSON object per line for each finding.
        case json
        /// SARIF 2.1.0, for code hosts and editors.
        case sarif
        /// Commands for GitHub Actions, which annotate the changed lines.
        case github
        /// JUnit's XML, for CI servers.
        case junit
    }

    private var form: any LintReportForm

    /// - Parameters:
    ///   - format: how the report is written.
    ///   - isStrict: whether warnings fail in JUnit's report too.
    public init(_ format: Format, isStrict: Bool = false) {
        self.init(format, isStrict: isStrict, style: TextStyle(hasColours: false), width: 120)
    }

    /// - Parameters:
    ///   - style: of the text format.
    ///   - width: columns of the text format.
    package init(_ format: Format, isStrict: Bool, style: TextStyle, width: Int) {
        form =
            switch format {
            case .text: TextLintReport(style: style, width: width)
            case .json: JSONLintReport()
            case .sarif: SARIFLintReport()
            case .github: GitHubLintReport()
            case .junit: JUnitLintReport(isStrict: isStrict)
            }
    }

    /// Adds a file, and returns what can be written so far.
    public mutating func add(_ file: LintedFile) -> String { Self.text { form.add(file, to: &$0) } }

    /// Returns the end of the report.
    ///
    /// - Parameter unreadable: what could not be read, one line each, such as `a.json: No such file or directory`.
    public mutating func finish(unreadable: [String] = []) -> String {
        Self.text { form.finish(unreadable: unreadable, to: &$0) }
    }

    package mutating func add(_ file: LintedFile, to out: inout ByteBuffer) { form.add(file, to: &out) }

    package mutating func finish(unreadable: [String], to out: inout ByteBuffer) {
        form.finish(unreadable: unreadable, to: &out)
    }

    private static func text(_ write: (inout ByteBuffer) -> Void) -> String {
        // SOUND: copies what the buffer holds.
        var buffer = ByteBuffer()
        write(&buffer)
        return unsafe String(decoding: buffer.bytes, as: UTF8.self)
    }
}

/// Writes findings in one format. `add` is called once for each file, in order, and `finish` once, at the end.
protocol LintReportForm {
    mutating func add(_ file: LintedFile, to out: inout ByteBuffer)

    /// - Parameter unreadable: what could not be read, one line each.
    mutating func finish(unreadable: [String], to out: inout ByteBuffer)
}

extension LintReportForm {
    mutating func finish(unreadable: [String], to out: inout ByteBuffer) {}
}
