import PayloadJSON

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
        // SOUND: the bytes live until the closure returns.
        unsafe record.withUnsafeBytes { unsafe linter.lint(record: $0).badness }
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
