import PayloadJSON
package import PushDecoding
package import PushModel
package import RecordFraming

/// Lints one text at a time, with scratch memory that is kept from one to the next.
package struct TextWorker {
    private let linter: RecordLinter
    private let filter: RuleFilter
    let cutter: RecordCutter
    /// Findings to leave out.
    package var suppressions: [Suppression] = []

    /// - Parameters:
    ///   - settings: a later one takes precedence over those before it.
    ///   - budget: for messages, unless the options have one.
    ///   - contracts: schemas that payloads must fit.
    init(_ settings: [RuleSettings], budget: Budget?, contracts: [any PayloadContract], _ options: LintOptions) {
        var decoding = options.decoding
        decoding.budget = decoding.budget ?? budget
        linter = RecordLinter(decoding, fitting: options.fitting, contracts: contracts)
        filter = RuleFilter(settings)
        cutter = RecordCutter(framing: options.framing, maximumRecordBytes: options.maximumRecordBytes)
    }

    /// Lints every record of a text, which need not be UTF-8.
    package func lint(_ text: [UInt8]) -> LintResult {
        // SOUND: the ranges are of these bytes, which live until the closure returns.
        unsafe text.withUnsafeBytes { bytes in
            var result = LintResult()
            for (index, piece) in unsafe cutter.pieces(of: bytes).enumerated() {
                if index == 0, Self.beginsWithMark(text) { reportMark(before: piece.range.lowerBound, to: &result) }
                let before = result.diagnostics.count
                unsafe lint(piece, of: bytes, at: 0, number: index + 1, to: &result)
                if let range = piece.record, result.diagnostics.count > before,
                    unsafe !JSONScanner.accepts(UnsafeRawBufferPointer(rebasing: bytes[range]))
                {
                    result.badness.malformed += 1
                }
            }
            return result
        }
    }

    /// Lints one record. Offsets count from its first byte.
    func lint(record: UnsafeRawBufferPointer) -> LintResult {
        // SOUND: the caller vouches for the bytes.
        var result = LintResult()
        unsafe lint(RecordCutter.Piece(range: 0..<record.count), of: record, at: 0, number: 1, to: &result)
        if !result.diagnostics.isEmpty, unsafe !JSONScanner.accepts(record) { result.badness.malformed = 1 }
        return result
    }

    /// Lints the records of a part of a text. The findings' offsets are of the text. How bad the records are is not fully measured.
    package func lint(_ part: TextPart) -> LintResult {
        // SOUND: the ranges are of these bytes, which live until the closure returns.
        unsafe part.bytes.withUnsafeBytes { bytes in
            var result = LintResult()
            if part.beginsWithMark, let first = part.pieces.first {
                reportMark(before: first.range.lowerBound, to: &result)
            }
            for (index, piece) in part.pieces.enumerated() {
                unsafe lint(piece, of: bytes, at: part.offset, number: part.firstRecord + index, to: &result)
            }
            return result
        }
    }

    /// True if a text begins with the byte-order mark of UTF-8.
    static func beginsWithMark(_ text: [UInt8]) -> Bool { text.starts(with: [0xEF, 0xBB, 0xBF]) }

    /// Reports the byte-order mark at the beginning of a text, at its first record.
    private func reportMark(before record: Int, to result: inout LintResult) {
        let found = Diagnostic(
            rule: JSONRules.byteOrderMark,
            message: "a byte-order mark, which JSON that is sent must not have, is before this record", pointer: "",
            range: record..<record + 1)
        add(found, record: 1, offset: 0, to: &result)
    }

    /// - Parameters:
    ///   - offset: of the bytes in the text.
    ///   - number: the record's, in the text.
    private func lint(
        _ piece: RecordCutter.Piece, of bytes: UnsafeRawBufferPointer, at offset: Int, number: Int,
        to result: inout LintResult
    ) {
        // SOUND: the piece is a range of these bytes, for which the caller vouches.
        guard let range = piece.record else {
            let advice = linter.advice(.acceptLongRecords)
            let message = "the record is longer than \(cutter.maximumRecordBytes) bytes\(advice)"
            let found = Diagnostic(rule: RecordRules.tooLong, message: message, pointer: "", range: 0..<1)
            return add(found, record: number, offset: offset + piece.range.lowerBound, to: &result)
        }
        let (diagnostics, isLocated) = unsafe linter.lint(line: UnsafeRawBufferPointer(rebasing: bytes[range]))
        if isLocated { result.located += 1 }
        for found in diagnostics { add(found, record: number, offset: offset + range.lowerBound, to: &result) }
    }

    /// The budgets of each record of a part of a text, with the offset in the text of its line's first byte. A malformed record has none.
    package func budgets(of part: TextPart) -> [(offset: Int, reports: [BudgetReport], isLocated: Bool)] {
        // SOUND: the ranges are of these bytes, which live until the closure returns.
        unsafe part.bytes.withUnsafeBytes { bytes in
            part.pieces.compactMap { piece in
                guard let range = piece.record else { return nil }
                let record = unsafe UnsafeRawBufferPointer(rebasing: bytes[range])
                return unsafe linter.withRecord(in: record) { record, place in
                    unsafe (part.offset + range.lowerBound, linter.budgets(of: record), linter.isLocated(place))
                }
            }
        }
    }

    /// Adds a finding about another text, unless its rule is off.
    func report(_ found: Diagnostic, to result: inout LintResult) { add(found, record: 1, offset: 0, to: &result) }

    private func add(_ found: Diagnostic, record: Int, offset: Int, to result: inout LintResult) {
        var isSuppressed = false
        for (index, suppression) in suppressions.enumerated()
        where suppression.matches(found.rule, record: record, pointer: found.pointer) {
            result.used.insert(index)
            if !suppression.isSetting { isSuppressed = true }
        }
        if isSuppressed || found.rule.isOncePerText && result.once != nil { return }
        switch filter.verdict(on: found.rule) {
        case .off: break
        case .below(let severity):
            if found.rule.isOncePerText { result.once = OnceFinding(severity: severity, isShown: false) }
            result.hidden[severity, default: 0] += 1
        case .shown(let severity):
            if found.rule.isOncePerText { result.once = OnceFinding(severity: severity, isShown: true) }
            var shown = found.moved(by: offset)
            shown.severity = severity
            shown.record = record
            result.diagnostics.append(shown)
        }
        // By the rule's own severity: a configuration changes what is shown, not how bad the text is.
        switch found.rule.severity {
        case .error: result.badness.errors += 1
        case .warning: result.badness.warnings += 1
        case .info: result.badness.infos += 1
        }
    }
}

/// The caller's settings beyond the configuration of a file.
package struct LintOptions: Sendable {
    package var decoding = DecodingOptions()
    package var framing = Framing.auto
    package var maximumRecordBytes = TextLinter.defaultMaximumRecordBytes
    /// The least severity to show; nil for the configuration's.
    package var severity: Finding.Severity?
    package var rules = RuleChoice()
    /// How a fix shortens texts; nil if it does not.
    package var fitting: TextFitting?
    /// Schemas that payloads must fit, besides the configuration's.
    package var contracts: [any PayloadContract] = []

    package init(
        decoding: DecodingOptions = DecodingOptions(), framing: Framing = .auto,
        maximumRecordBytes: Int = TextLinter.defaultMaximumRecordBytes
    ) {
        self.decoding = decoding
        self.framing = framing
        self.maximumRecordBytes = maximumRecordBytes
    }
}
