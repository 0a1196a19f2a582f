public import PushDecoding
public import PushFraming
import PushJSON
public import PushModel

/// Lints and fixes whole texts: files, or what was read from a stream.
///
/// It splits a text into records, lints each, applies the configuration, and reports places as bytes of the text. Tasks may share a linter.
public struct TextLinter: Sendable {
    /// 1 MiB.
    public static let defaultMaximumRecordBytes = 1 << 20

    private let profile: LintProfile

    /// - Parameters:
    ///   - configuration: which rules apply, and how severe they are.
    ///   - decoding: how records are read. Its budget takes precedence over the configuration's.
    ///   - framing: how records are told apart.
    ///   - maximumRecordBytes: a longer record is a diagnostic, and is not linted.
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
        profile = LintProfile([configuration], options)
    }

    /// Lints every record of a text.
    public func lint(_ text: String) -> LintResult { lint(text.utf8) }

    /// Lints every record of a text, which need not be UTF-8.
    public func lint(_ text: some Collection<UInt8>) -> LintResult { profile.makeWorker().lint(Array(text)) }

    /// Applies the edits of all diagnostics until nothing changes. Every other byte stays.
    ///
    /// An edit that would make its record worse is not applied.
    public func fix(_ text: String) -> FixResult { fix(text.utf8) }

    /// Applies the edits of all diagnostics until nothing changes. Every other byte stays.
    ///
    /// An edit that would make its record worse is not applied.
    public func fix(_ text: some Collection<UInt8>) -> FixResult { profile.makeWorker().fix(Array(text)) }

    /// The budgets of the records of a text. A malformed record has none.
    package func budgets(of text: [UInt8]) -> [BudgetReport] {
        let worker = profile.makeWorker()
        var cutter = TextCutter(worker.cutter, margin: 0)
        cutter.append(text[...])
        return cutter.cut(isEnd: true, isPaused: false).map { worker.budgets(of: $0).flatMap(\.reports) } ?? []
    }
}

/// The diagnostics about a text, printed one a line.
public struct LintResult: Sendable, CustomStringConvertible {
    /// The diagnostics to show, in the order of the text.
    public internal(set) var diagnostics: [Diagnostic] = []
    /// Number of diagnostics below the least severity, by severity.
    public internal(set) var hidden: [Finding.Severity: Int] = [:]
    /// Records that are where options say (`RecordLocation`).
    package var located = 0
    /// Lines that have none there.
    package var empty = 0
    /// True if a record is JSON.
    package var hasValidRecord = false
    /// Positions of the suppressions that left something out.
    package var used: Set<Int> = []
    var badness = Badness()
    /// Records that are not JSON.
    package var malformed: Int { badness.malformed }
    /// The finding of a rule that is reported once in a text (`Rule.isOncePerText`), if there is one.
    package var once: OnceFinding?

    /// The diagnostics to show, one a line.
    public var description: String { diagnostics.map(\.description).joined(separator: "\n") }
}

/// The finding of a rule that is reported once in a text.
package struct OnceFinding: Sendable {
    package var severity: Finding.Severity
    /// False if it is only counted.
    package var isShown: Bool
}

/// How bad a record or text is. A fix must not make it worse.
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
}

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
    init(_ settings: [RuleSettings], budget: Budget?, contracts: [PayloadContract], _ options: LintOptions) {
        var decoding = options.decoding
        decoding.budget = decoding.budget ?? budget
        linter = RecordLinter(decoding, fitting: options.fitting, contracts: contracts)
        filter = RuleFilter(settings)
        cutter = options.cutter
    }

    /// Lints every record of a text, which need not be UTF-8.
    package func lint(_ text: [UInt8]) -> LintResult {
        // SOUND: the bytes live until the closure returns.
        let pieces = unsafe text.withUnsafeBytes { unsafe cutter.pieces(of: $0) }
        return lint(pieces, of: text, hasMark: Self.beginsWithMark(text))
    }

    /// Lints the records of a part of a text. The findings' offsets are of the text.
    package func lint(_ part: TextPart) -> LintResult {
        lint(
            part.pieces, of: part.bytes, at: part.offset, firstRecord: part.firstRecord, hasMark: part.beginsWithMark)
    }

    /// Lints records.
    ///
    /// - Parameters:
    ///   - pieces: the records, as ranges of `bytes`.
    ///   - offset: of the bytes in the text.
    ///   - firstRecord: the number of the first record in its text, from 1.
    ///   - hasMark: true if there is a byte-order mark before it.
    func lint(
        _ pieces: [RecordCutter.Piece], of bytes: [UInt8], at offset: Int = 0, firstRecord: Int = 1,
        hasMark: Bool = false
    ) -> LintResult {
        // SOUND: the ranges are of these bytes, which live until the closure returns.
        unsafe bytes.withUnsafeBytes { bytes in
            var result = LintResult()
            if hasMark, let first = pieces.first { reportMark(before: first.range.lowerBound, to: &result) }
            for (index, piece) in pieces.enumerated() {
                let before = result.diagnostics.count
                unsafe lint(piece, of: bytes, at: offset, number: firstRecord + index, to: &result)
                if piece.record == nil { continue }
                if result.diagnostics.count > before, linter.isMalformed {
                    result.badness.malformed += 1
                } else {
                    result.hasValidRecord = true
                }
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
            message: "byte-order mark before this record; JSON sent to a service must not have one", pointer: "",
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
        if isLocated { result.located += 1 } else if diagnostics.isEmpty { result.empty += 1 }
        for found in diagnostics { add(found, record: number, offset: offset + range.lowerBound, to: &result) }
    }

    /// The budgets of each record of a part of a text, with the offset in the text of its line's first byte. A malformed record has none.
    package func budgets(of part: TextPart) -> [(
        offset: Int, reports: [BudgetReport], isLocated: Bool, isMalformed: Bool
    )] {
        // SOUND: the ranges are of these bytes, which live until the closure returns.
        unsafe part.bytes.withUnsafeBytes { bytes in
            part.pieces.compactMap { piece in
                guard let range = piece.record else { return nil }
                let record = unsafe UnsafeRawBufferPointer(rebasing: bytes[range])
                return unsafe linter.withRecord(in: record) { record, place in
                    let reports = unsafe linter.budgets(of: record)
                    return (part.offset + range.lowerBound, reports, linter.isLocated(place), linter.hasDecodeFailure)
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
    /// True to take records out of the lines of a log, if a text begins like one. For `LintJob`.
    package var recognizesLogs = false
    /// How a fix shortens texts; nil if it does not.
    package var fitting: TextFitting?
    /// Schemas that payloads must fit, besides the configuration's.
    package var contracts: [PayloadContract] = []

    package init(
        decoding: DecodingOptions = DecodingOptions(), framing: Framing = .auto,
        maximumRecordBytes: Int = TextLinter.defaultMaximumRecordBytes
    ) {
        self.decoding = decoding
        self.framing = framing
        self.maximumRecordBytes = maximumRecordBytes
    }

    /// Tells the records of a text apart.
    package var cutter: RecordCutter { RecordCutter(framing: framing, maximumRecordBytes: maximumRecordBytes) }
}

/// A text after fixing.
public struct FixResult: Sendable {
    /// The fixed text.
    public internal(set) var bytes: [UInt8]
    /// Number of diagnostics whose edits were applied.
    public internal(set) var fixed = 0
    /// The diagnostics about the fixed text.
    public internal(set) var remaining: LintResult

    /// The fixed text. Bytes that are not UTF-8 become U+FFFD.
    public var text: String { String(decoding: bytes, as: UTF8.self) }
}

extension TextWorker {
    /// Applies the edits of all findings until nothing changes. Every other byte stays.
    ///
    /// An edit that would make its record worse is not applied.
    package func fix(_ text: [UInt8]) -> FixResult { FixApplier(linter: self).fix(text) }
}

/// Applies the edits of findings until nothing is left to fix, and never makes a record worse.
struct FixApplier {
    /// A fix may reveal what could not be seen before. More passes than this are a cycle.
    static let maximumPasses = 10

    let linter: TextWorker

    func fix(_ bytes: [UInt8]) -> FixResult {
        var result = FixResult(bytes: bytes, remaining: linter.lint(bytes))
        for _ in 0..<Self.maximumPasses {
            let (fixed, count) = pass(over: result)
            guard count > 0 else { break }
            let remaining = linter.lint(fixed)
            // Records are fixed one by one; together they might be framed differently.
            guard remaining.badness <= result.remaining.badness else { break }
            result = FixResult(bytes: fixed, fixed: result.fixed + count, remaining: remaining)
        }
        return result
    }

    /// Fixes each record once.
    private func pass(over text: FixResult) -> (bytes: [UInt8], count: Int) {
        // SOUND: the bytes live until the closure returns.
        let fixable = text.remaining.diagnostics.filter { !$0.edits.isEmpty }
        guard !fixable.isEmpty else { return (text.bytes, 0) }
        let byRecord = Dictionary(grouping: fixable, by: \.record)
        var bytes: [UInt8] = []
        bytes.reserveCapacity(text.bytes.count)
        var copied = 0
        var count = 0
        let pieces = unsafe text.bytes.withUnsafeBytes { unsafe linter.cutter.pieces(of: $0) }
        for (index, piece) in pieces.enumerated() {
            guard let range = piece.record, let findings = byRecord[index + 1] else { continue }
            let local = findings.map { $0.moved(by: -range.lowerBound) }
            let (record, applied) = fix(Array(text.bytes[range]), local)
            guard applied > 0 else { continue }
            bytes += text.bytes[copied..<range.lowerBound] + record
            copied = range.upperBound
            count += applied
        }
        return (bytes + text.bytes[copied...], count)
    }

    /// Applies as many edits at once as possible: all that do not overlap, or, if that makes the record worse, one finding at a time.
    private func fix(_ record: [UInt8], _ findings: [Diagnostic]) -> (record: [UInt8], count: Int) {
        let before = badness(of: record)
        let (edits, count) = Self.compatible(findings)
        let fixed = Self.apply(edits, to: record)
        if fixed != record, isNoWorse(fixed, than: before) { return (fixed, count) }

        var accepted: [Diagnostic] = []
        var result = record
        for finding in findings {
            let (edits, count) = Self.compatible(accepted + [finding])
            guard count > accepted.count else { continue }
            let fixed = Self.apply(edits, to: record)
            guard fixed != result, isNoWorse(fixed, than: before) else { continue }
            accepted.append(finding)
            result = fixed
        }
        return (result, accepted.count)
    }

    private func isNoWorse(_ record: [UInt8], than before: Badness) -> Bool {
        let after = badness(of: record)
        // Only so many findings are kept. Beyond that their number means nothing.
        let isFull = before.errors + before.warnings + before.infos >= Linter.maximumDiagnostics
        return isFull ? after.malformed <= before.malformed : after <= before
    }

    private func badness(of record: [UInt8]) -> Badness {
        linter.lint([RecordCutter.Piece(range: 0..<record.count)], of: record).badness
    }

    // MARK: - Edits

    /// The edits of as many findings as do not overlap, first come first served: all edits of a finding, or none.
    /// O(findings × edits).
    private static func compatible(_ findings: [Diagnostic]) -> (edits: [TextEdit], count: Int) {
        var edits: [TextEdit] = []
        var count = 0
        for finding in findings {
            let merged = (edits + finding.edits).sorted { $0.range.lowerBound < $1.range.lowerBound }
            let clashes = zip(merged, merged.dropFirst()).contains { left, right in
                left.range.upperBound > right.range.lowerBound || left.range.lowerBound == right.range.lowerBound
            }
            guard !clashes else { continue }
            edits = merged
            count += 1
        }
        return (edits, count)
    }

    private static func apply(_ edits: [TextEdit], to text: [UInt8]) -> [UInt8] {
        // SOUND: the bytes live until the closure returns.
        unsafe text.withUnsafeBytes { unsafe TextEdit.apply(edits, to: $0) }
    }
}
