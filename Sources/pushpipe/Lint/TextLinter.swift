import PayloadJSON
import PushLint
import PushModel
import PushPipeline

/// A finding in a text, after the configuration has had its say.
struct LintFinding {
    var rule: Rule
    var severity: Finding.Severity
    var message: String
    /// JSON Pointer into the record.
    var pointer: String
    /// Number of the record in its text, from 1.
    var record: Int
    /// Bytes of the text.
    var range: Range<Int>
    /// What mends it, in bytes of the text.
    var edits: [TextEdit]

    /// Where it stands in a text that has `offset` bytes before it.
    func moved(by offset: Int) -> LintFinding {
        var moved = self
        moved.range = range.lowerBound + offset..<range.upperBound + offset
        moved.edits = edits.map {
            TextEdit(
                range: $0.range.lowerBound + offset..<$0.range.upperBound + offset, replacement: $0.replacement)
        }
        return moved
    }
}

/// How bad a record or text is. Mending must not make it worse.
struct Badness: Comparable {
    /// Records that are not JSON.
    var malformed = 0
    var errors = 0
    var warnings = 0
    var infos = 0

    static func < (left: Badness, right: Badness) -> Bool {
        (left.malformed, left.errors, left.warnings, left.infos)
            < (right.malformed, right.errors, right.warnings, right.infos)
    }

    static func += (left: inout Badness, right: Badness) {
        left.malformed += right.malformed
        left.errors += right.errors
        left.warnings += right.warnings
        left.infos += right.infos
    }
}

/// What there is to say about some bytes.
struct LintResult {
    var shown: [LintFinding] = []
    /// What is not severe enough to be shown, by severity.
    var hidden: [Finding.Severity: Int] = [:]
    var badness = Badness()

    mutating func append(_ other: LintResult, offset: Int, record: Int) {
        for finding in other.shown {
            var moved = finding.moved(by: offset)
            moved.record = record
            shown.append(moved)
        }
        hidden.merge(other.hidden, uniquingKeysWith: +)
        badness += other.badness
    }
}

/// Looks at records, and at whole texts, with the rules of one configuration.
struct TextLinter {
    let linter: Linter
    let filter: RuleFilter
    let cutter: RecordCutter

    /// Looks at every record of a text.
    func lint(_ bytes: [UInt8]) -> LintResult {
        bytes.withUnsafeBytes { bytes in
            var result = LintResult()
            for (index, piece) in cutter.pieces(of: bytes).enumerated() {
                switch piece {
                case .record(let range):
                    let found = lint(record: UnsafeRawBufferPointer(rebasing: bytes[range]))
                    result.append(found, offset: range.lowerBound, record: index + 1)
                case .tooLong(let start):
                    result.append(tooLong(), offset: start, record: index + 1)
                }
            }
            return result
        }
    }

    /// Looks at one record; offsets count from its first byte.
    func lint(record: UnsafeRawBufferPointer) -> LintResult {
        var result = LintResult()
        for found in linter.lint(record) {
            add(
                LintFinding(
                    rule: found.rule, severity: found.rule.severity, message: found.message, pointer: found.pointer,
                    record: 1, range: found.range, edits: found.edits),
                to: &result)
        }
        var scanner = JSONScanner()
        var tape = JSONTape()
        if !result.shown.isEmpty, scanner.scan(record, into: &tape) != nil { result.badness.malformed = 1 }
        return result
    }

    private func tooLong() -> LintResult {
        var result = LintResult()
        if let rule = Rule.named("record.too-long") {
            let message = "the record is longer than \(cutter.maximumRecordBytes) bytes (--max-record)"
            add(
                LintFinding(
                    rule: rule, severity: rule.severity, message: message, pointer: "", record: 1, range: 0..<1,
                    edits: []),
                to: &result)
        }
        return result
    }

    private func add(_ finding: LintFinding, to result: inout LintResult) {
        switch filter.verdict(on: finding.rule) {
        case .off: break
        case .below(let severity): result.hidden[severity, default: 0] += 1
        case .shown(let severity):
            var shown = finding
            shown.severity = severity
            result.shown.append(shown)
        }
        // By the rule's own severity: a configuration changes what is shown, not what is bad.
        switch finding.rule.severity {
        case .error: result.badness.errors += 1
        case .warning: result.badness.warnings += 1
        case .info: result.badness.infos += 1
        }
    }
}
