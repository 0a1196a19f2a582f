import PushLint
import PushModel
import PushPipeline

/// The numbers behind a run of the linter.
struct LintSummary {
    private let mending: LintPlan.Mending
    private var files = 0
    private var shown: [Finding.Severity: Int] = [:]
    private var hidden: [Finding.Severity: Int] = [:]
    private var fixable = 0
    private var mended = 0
    private var mendedFiles = 0
    /// Files that a configuration excludes.
    var excluded = 0

    init(mending: LintPlan.Mending) { self.mending = mending }

    func count(_ severity: Finding.Severity) -> Int { shown[severity] ?? 0 }

    /// - Parameter mended: number of findings that are gone.
    mutating func add(_ result: LintResult, mended: Int) {
        files += 1
        for finding in result.shown { shown[finding.severity, default: 0] += 1 }
        fixable += result.shown.count { !$0.edits.isEmpty }
        hidden.merge(result.hidden, uniquingKeysWith: +)
        self.mended += mended
        if mended > 0 { mendedFiles += 1 }
    }

    /// `2 errors, 1 warning in 3 files; 1 finding of severity info not shown (--severity info)`, with a line feed.
    var text: String {
        var counts: [String] = []
        if count(.error) > 0 { counts.append(Self.counted(count(.error), "error")) }
        if count(.warning) > 0 { counts.append(Self.counted(count(.warning), "warning")) }
        if count(.info) > 0 { counts.append("\(count(.info)) info") }
        let isMending = mending != .none
        let found = counts.isEmpty ? "nothing" : counts.joined(separator: ", ")
        var parts = [
            "\(found)\(isMending ? " left" : counts.isEmpty ? " found" : "") in \(Self.counted(files, "file"))"
        ]
        if mended > 0 {
            let verb = mending == .show ? "would be mended" : "mended"
            parts.insert("\(Self.counted(mended, "finding")) \(verb) in \(Self.counted(mendedFiles, "file"))", at: 0)
        }
        if !isMending, fixable > 0 { parts.append("--fix mends \(fixable)") }
        if let hiddenText { parts.append(hiddenText) }
        if excluded > 0 { parts.append("\(Self.counted(excluded, "file")) excluded by the configuration") }
        return parts.joined(separator: "; ") + "\n"
    }

    private var hiddenText: String? {
        let severities = hidden.keys.sorted(by: >)
        guard let least = severities.last else { return nil }
        let count = hidden.values.reduce(0, +)
        let names = severities.map(\.rawValue).joined(separator: " and ")
        return "\(Self.counted(count, "finding")) of severity \(names) not shown (--severity \(least.rawValue))"
    }

    private static func counted(_ count: Int, _ noun: String) -> String { "\(count) \(noun)\(count == 1 ? "" : "s")" }
}
