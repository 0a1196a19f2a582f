import PushDecoding
import PushModel

extension LintJob {
    /// What is done besides linting, or instead of it.
    package struct Work: OptionSet, Sendable {
        package let rawValue: Int
        package init(rawValue: Int) { self.rawValue = rawValue }

        package static let budgets = Work(rawValue: 1)
        package static let watching = Work(rawValue: 2)
        package static let addingIgnores = Work(rawValue: 4)
    }

    /// Why these options cannot be combined: a sentence; nil if they can.
    ///
    /// - Parameter usesPager: whether a pager shows the output.
    package func conflict(with work: Work, usesPager: Bool) -> String? {
        let isFixing = fixing != .none
        if isFixing, options.decoding.location != nil {
            return "--fix takes files of payloads, and cannot be combined with --at or --skip-prefix."
        }
        if !isFixing, options.fitting != nil { return "--fit needs --fix." }
        if countsRules, format != .text && format != .ndjson || isFixing || work.contains(.budgets) {
            return "--statistics takes --format text or ndjson, and cannot be combined with --fix or --budget-report."
        }
        if work.contains(.budgets) {
            if format != .text, format != .ndjson { return "--budget-report takes --format text or ndjson." }
            if isFixing { return "--budget-report and --fix cannot be combined." }
        }
        if work.contains(.watching) {
            if isFixing || work.contains(.budgets) || usesPager || format == .sarif || format == .junit {
                return "--watch takes --format text, ndjson or github, and none of --fix, --budget-report and --pager."
            }
            if paths.contains(nil) { return "--watch cannot watch standard input." }
        }
        let hasOther = isFixing || work != .addingIgnores || configuration == .none
        if work.contains(.addingIgnores),
            hasOther || options.rules.selected != nil || !options.rules.enabled.isEmpty || paths.contains(nil)
        {
            return
                "--add-ignores takes files, and none of --fix, --budget-report, --no-config, --watch, --select, --extend."
        }
        return nil
    }

    /// Why the fixed text cannot be written: a sentence; nil if it can.
    ///
    /// - Parameter files: as they were typed.
    package func conflict(ofFiles files: [String]) -> String? {
        guard fixing == .write else { return nil }
        if files.isEmpty { return "--fix needs a file name, or - to write the fixed text to standard output." }
        guard files.count > 1, files.contains("-") else { return nil }
        return "--fix cannot combine - with files, because the fixed text goes to standard output."
    }
}
