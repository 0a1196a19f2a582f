import PayloadJSON
public import PushDecoding
package import PushModel
public import RecordFraming

/// Lints and fixes whole texts: files, or what was read from a stream.
///
/// It splits a text into records, lints each, applies the configuration, and reports places as bytes of the text. One linter handles one text
/// at a time.
public struct TextLinter {
    /// 1 MiB.
    public static let defaultMaximumRecordBytes = 1 << 20

    private let linter: Linter
    private let filter: RuleFilter
    let cutter: RecordCutter

    /// - Parameters:
    ///   - configuration: which rules apply, and how severe they are.
    ///   - decoding: how records are read. Its budget takes precedence over the configuration's.
    ///   - framing: how records are told apart.
    ///   - maximumRecordBytes: a longer record is a finding, and is not linted.
    public init(
        _ configuration: LintConfiguration = LintConfiguration(), decoding: DecodingOptions = DecodingOptions(),
        framing: Framing = .auto, maximumRecordBytes: Int = Self.defaultMaximumRecordBytes
    ) {
        self.init(
            configuration,
            LintOptions(decoding: decoding, framing: framing, maximumRecordBytes: maximumRecordBytes))
    }

    /// - Parameter options: take precedence over the configuration.
    package init(_ configuration: LintConfiguration, _ options: LintOptions) {
        var decoding = options.decoding
        decoding.budget = decoding.budget ?? configuration.budget
        linter = Linter(decoding)
        filter = RuleFilter(
            [configuration.rules, options.rules],
            least: options.severity ?? configuration.severity ?? LintConfiguration.defaultSeverity)
        cutter = RecordCutter(framing: options.framing, maximumRecordBytes: options.maximumRecordBytes)
    }

    /// Lints every record of a text.
    public func lint(_ text: String) -> LintResult { lint(Array(text.utf8)) }

    /// Lints every record of a text, which need not be UTF-8.
    public func lint(_ text: [UInt8]) -> LintResult {
        // SOUND: the ranges are of these bytes, which live until the closure returns.
        unsafe text.withUnsafeBytes { bytes in
            var result = LintResult()
            for (index, piece) in unsafe cutter.pieces(of: bytes).enumerated() {
                switch piece {
                case .record(let range):
                    let found = unsafe lint(record: UnsafeRawBufferPointer(rebasing: bytes[range]))
                    result.append(found, offset: range.lowerBound, record: index + 1)
                case .tooLong(let start):
                    result.append(tooLong(), offset: start, record: index + 1)
                }
            }
            return result
        }
    }

    /// Lints one record. Offsets count from its first byte.
    func lint(record: UnsafeRawBufferPointer) -> LintResult {
        // SOUND: the caller vouches for the bytes.
        var result = LintResult()
        for found in unsafe linter.lint(record) {
            add(
                LintFinding(
                    rule: found.rule, severity: found.rule.severity, message: found.message, pointer: found.pointer,
                    record: 1, range: found.range, edits: found.edits),
                to: &result)
        }
        var scanner = JSONScanner()
        var tape = JSONTape()
        if !result.findings.isEmpty, unsafe scanner.scan(record, into: &tape) != nil { result.badness.malformed = 1 }
        return result
    }

    /// The budgets of each record, with the record's first byte. A malformed record has none.
    package func budgets(of text: [UInt8]) -> [(offset: Int, reports: [BudgetReport])] {
        // SOUND: the ranges are of these bytes, which live until the closure returns.
        unsafe text.withUnsafeBytes { bytes in
            unsafe cutter.pieces(of: bytes).compactMap { piece in
                guard case .record(let range) = piece else { return nil }
                return unsafe (range.lowerBound, linter.budgets(of: UnsafeRawBufferPointer(rebasing: bytes[range])))
            }
        }
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
            result.findings.append(shown)
        }
        // By the rule's own severity: a configuration changes what is shown, not how bad the text is.
        switch finding.rule.severity {
        case .error: result.badness.errors += 1
        case .warning: result.badness.warnings += 1
        case .info: result.badness.infos += 1
        }
    }
}

/// What the caller says beyond the configuration of a file.
package struct LintOptions {
    package var decoding = DecodingOptions()
    package var framing = Framing.auto
    package var maximumRecordBytes = TextLinter.defaultMaximumRecordBytes
    /// The least severity to show; nil for the configuration's.
    package var severity: Finding.Severity?
    package var rules = RuleChoice()

    package init(
        decoding: DecodingOptions = DecodingOptions(), framing: Framing = .auto,
        maximumRecordBytes: Int = TextLinter.defaultMaximumRecordBytes
    ) {
        self.decoding = decoding
        self.framing = framing
        self.maximumRecordBytes = maximumRecordBytes
    }
}
