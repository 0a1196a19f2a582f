import PushLint
package import PushModel

/// Numbers of findings.
struct LintCounts: Sendable {
    /// Findings that were shown, or messages over their budget.
    var shown: [Finding.Severity: Int] = [:]
    var hidden: [Finding.Severity: Int] = [:]
    var fixable = 0
    /// Records that are where options say (`RecordLocation`).
    var located = 0
    /// Lines that have none there.
    var empty = 0
    /// Records that are not JSON.
    var malformed = 0

    mutating func add(_ result: LintResult) {
        located += result.located
        empty += result.empty
        malformed += result.malformed
        for finding in result.diagnostics { shown[finding.severity, default: 0] += 1 }
        fixable += result.diagnostics.count { !$0.edits.isEmpty }
        hidden.merge(result.hidden, uniquingKeysWith: +)
    }

    /// Takes back a finding that an earlier part has for the whole text.
    mutating func remove(_ once: OnceFinding) {
        if once.isShown { shown[once.severity, default: 0] -= 1 } else { hidden[once.severity, default: 0] -= 1 }
    }

    mutating func add(_ other: LintCounts) {
        shown.merge(other.shown, uniquingKeysWith: +)
        hidden.merge(other.hidden, uniquingKeysWith: +)
        fixable += other.fixable
        located += other.located
        empty += other.empty
    }
}

/// The numbers of a run of the linter.
package struct LintSummary {
    private let fixing: FixMode
    private let advice: Advice.Wording
    /// Number of files that were read.
    private(set) var files = 0
    /// The numbers of all files.
    var counts = LintCounts()
    private var fixed = 0
    private var fixedFiles = 0
    /// Number of files that a configuration excludes.
    package var excluded = 0
    /// Number of files that were found but contain no payloads.
    package var others = 0

    /// Number of findings that were counted but not written, because there are many like them.
    package var folded = 0
    /// True to say which command describes a rule.
    package var namesExplain = false

    package init(fixing: FixMode, advice: @escaping Advice.Wording = Advice.unsaid) {
        self.fixing = fixing
        self.advice = advice
    }

    /// Number of findings that were shown.
    package func count(_ severity: Finding.Severity) -> Int { counts.shown[severity] ?? 0 }

    /// Adds a whole file.
    ///
    /// - Parameter fixed: number of findings that were fixed.
    mutating func add(_ result: LintResult, fixed: Int) {
        counts.add(result)
        endFile(fixed: fixed)
    }

    /// - Parameter fixed: number of findings that were fixed.
    mutating func endFile(fixed: Int = 0) {
        files += 1
        self.fixed += fixed
        if fixed > 0 { fixedFiles += 1 }
    }

    /// `2 errors, 1 warning in 3 files; 1 finding of severity info not shown`, with advice and a line feed.
    package var text: String {
        var numbers: [String] = []
        if count(.error) > 0 { numbers.append(Self.counted(count(.error), "error")) }
        if count(.warning) > 0 { numbers.append(Self.counted(count(.warning), "warning")) }
        if count(.info) > 0 { numbers.append("\(count(.info)) info") }
        let isFixing = fixing != .none
        let found = numbers.isEmpty ? "nothing" : numbers.joined(separator: ", ")
        let read = Self.counted(files, "file")
        var parts = [
            isFixing
                ? "\(found) left in \(read)" : numbers.isEmpty ? "\(read) checked, no findings" : "\(found) in \(read)"
        ]
        if fixed > 0 {
            let verb = fixing == .show ? "would be fixed" : "fixed"
            parts.insert("\(Self.counted(fixed, "finding")) \(verb) in \(Self.counted(fixedFiles, "file"))", at: 0)
        }
        if !isFixing, counts.fixable > 0 { parts.append("\(counts.fixable) fixable" + advice(.fix)) }
        if folded > 0 { parts.append("\(folded) of them folded" + advice(.unfold)) }
        if let hiddenText { parts.append(hiddenText) }
        if excluded > 0 { parts.append("\(Self.counted(excluded, "file")) excluded by the configuration") }
        if counts.empty > 0 { parts.append("\(Self.counted(counts.empty, "line")) without a payload") }
        if others > 0 {
            let what = others == 1 ? "1 file is not a payload" : "\(others) files are not payloads"
            parts.append(what + advice(.listOthers(areMany: others > 1)))
        }
        if namesExplain, !numbers.isEmpty { parts.append("pushpipe explain RULE says more") }
        return parts.joined(separator: "; ") + "\n"
    }

    private var hiddenText: String? {
        let hidden = counts.hidden
        let severities = hidden.keys.sorted(by: >)
        guard let least = severities.last else { return nil }
        let count = hidden.values.reduce(0, +)
        let names = severities.map(\.rawValue).joined(separator: " and ")
        return "\(Self.counted(count, "finding")) of severity \(names) not shown" + advice(.showSeverity(least))
    }

    private static func counted(_ count: Int, _ noun: String) -> String { "\(count) \(noun)\(count == 1 ? "" : "s")" }
}
