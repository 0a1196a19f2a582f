import PayloadJSON
import PushLint

/// Applies the edits of findings, over and over until there is nothing left to mend, and never so that a record gets worse.
struct Mender {
    /// Mending a text may bring to light what could not be seen before; more often than this is a circle.
    static let maximumPasses = 10

    /// A text after mending.
    struct Result {
        var bytes: [UInt8]
        /// Number of findings whose edits were applied.
        var mended = 0
        /// What is left to say about it.
        var left: LintResult
    }

    let linter: TextLinter

    func mend(_ bytes: [UInt8]) -> Result {
        var result = Result(bytes: bytes, left: linter.lint(bytes))
        for _ in 0..<Self.maximumPasses {
            let (mended, count) = pass(over: result)
            guard count > 0 else { break }
            let left = linter.lint(mended)
            // Records are mended one by one; together they might be framed otherwise.
            guard left.badness <= result.left.badness else { break }
            result = Result(bytes: mended, mended: result.mended + count, left: left)
        }
        return result
    }

    /// Mends each record once.
    private func pass(over text: Result) -> (bytes: [UInt8], count: Int) {
        let mendable = text.left.shown.filter { !$0.edits.isEmpty }
        guard !mendable.isEmpty else { return (text.bytes, 0) }
        let byRecord = Dictionary(grouping: mendable, by: \.record)
        var bytes: [UInt8] = []
        bytes.reserveCapacity(text.bytes.count)
        var copied = 0
        var count = 0
        let pieces = text.bytes.withUnsafeBytes { linter.cutter.pieces(of: $0) }
        for (index, piece) in pieces.enumerated() {
            guard case .record(let range) = piece, let findings = byRecord[index + 1] else { continue }
            let local = findings.map { $0.moved(by: -range.lowerBound) }
            let (record, applied) = mend(Array(text.bytes[range]), local)
            guard applied > 0 else { continue }
            bytes += text.bytes[copied..<range.lowerBound] + record
            copied = range.upperBound
            count += applied
        }
        return (bytes + text.bytes[copied...], count)
    }

    /// Applies as much as can be applied at once: all that does not overlap, or, where that makes it worse, one by one.
    private func mend(_ record: [UInt8], _ findings: [LintFinding]) -> (record: [UInt8], count: Int) {
        let before = badness(of: record)
        let (edits, count) = Self.compatible(findings)
        let mended = Self.apply(edits, to: record)
        if mended != record, isNoWorse(mended, than: before) { return (mended, count) }

        var accepted: [LintFinding] = []
        var result = record
        for finding in findings {
            let (edits, count) = Self.compatible(accepted + [finding])
            guard count > accepted.count else { continue }
            let mended = Self.apply(edits, to: record)
            guard mended != result, isNoWorse(mended, than: before) else { continue }
            accepted.append(finding)
            result = mended
        }
        return (result, accepted.count)
    }

    private func isNoWorse(_ record: [UInt8], than before: Badness) -> Bool {
        let after = badness(of: record)
        // Only so many findings are kept, so beyond that their number says nothing.
        let isFull = before.errors + before.warnings + before.infos >= Linter.maximumFindings
        return isFull ? after.malformed <= before.malformed : after <= before
    }

    private func badness(of record: [UInt8]) -> Badness {
        record.withUnsafeBytes { linter.lint(record: $0).badness }
    }

    // MARK: - Edits

    /// The edits of as many findings, first come first served, as do not get in each other's way. All edits of a finding, or none.
    /// O(findings × edits).
    static func compatible(_ findings: [LintFinding]) -> (edits: [TextEdit], count: Int) {
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

    /// - Parameter edits: sorted, and not overlapping.
    static func apply(_ edits: [TextEdit], to text: [UInt8]) -> [UInt8] {
        var result: [UInt8] = []
        result.reserveCapacity(text.count)
        var copied = 0
        for edit in edits where edit.range.lowerBound >= copied && edit.range.upperBound <= text.count {
            result += text[copied..<edit.range.lowerBound] + edit.replacement
            copied = edit.range.upperBound
        }
        return result + text[copied...]
    }
}
