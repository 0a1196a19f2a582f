import PayloadJSON
import PushLint
import PushPipeline
import TerminalStyle

/// A text that has been looked at, as reports see it.
struct LintedFile {
    let name: String
    let bytes: [UInt8]
    let findings: [LintFinding]
    /// Of both ends of all findings and their edits.
    let positions: PositionTable

    init(name: String, bytes: [UInt8], findings: [LintFinding]) {
        self.name = name
        self.bytes = bytes
        self.findings = findings
        let ranges = findings.flatMap { [$0.range] + $0.edits.map(\.range) }
        positions = PositionTable(of: ranges.flatMap { [$0.lowerBound, $0.upperBound] }, in: bytes)
    }
}

/// Writes findings in one form. `add` is called once a file, in the order of the files, and `finish` once, at the end.
protocol LintReport {
    mutating func add(_ file: LintedFile, to out: inout ByteBuffer)

    /// - Parameter troubles: what could not be read, a line each.
    mutating func finish(troubles: [String], to out: inout ByteBuffer)
}

extension LintReport {
    mutating func finish(troubles: [String], to out: inout ByteBuffer) {}
}

extension LintFormat {
    /// - Parameters:
    ///   - style: for text.
    ///   - width: of a terminal, in columns.
    ///   - isStrict: whether warnings fail a test of JUnit.
    func report(style: TextStyle, width: Int, isStrict: Bool) -> any LintReport {
        switch self {
        case .text: TextLintReport(style: style, width: width)
        case .json: JSONLintReport()
        case .sarif: SARIFLintReport()
        case .github: GitHubLintReport()
        case .junit: JUnitLintReport(isStrict: isStrict)
        }
    }
}
