import PushDecoding
import PushLint
import PushLintFiles

extension LintPlan {
    struct Work: OptionSet, Sendable {
        let rawValue: Int

        static let budgets = Work(rawValue: 1)
        static let watching = Work(rawValue: 2)
        static let addingIgnores = Work(rawValue: 4)
        static let listingFiles = Work(rawValue: 8)
    }

    /// Why options cannot be combined: a sentence; nil if they can.
    ///
    /// - Parameter isForLater: true if a pager or a file takes the output.
    static func conflict(in job: LintJob, with work: Work, isForLater: Bool) -> String? {
        let isFixing = job.fixing != .none
        let isForLines = job.format == .text || job.format == .ndjson
        if isFixing, job.options.decoding.location != nil {
            return "--fix takes files of payloads, and cannot be combined with --at or --skip-prefix."
        }
        if !isFixing, job.options.fitting != nil { return "--fit needs --fix." }
        if job.countsRules, !isForLines || isFixing || work.contains(.budgets) {
            return "--statistics takes --format text or ndjson, and cannot be combined with --fix or --budget-report."
        }
        if work.contains(.budgets) {
            if !isForLines, job.format != .concise { return "--budget-report takes --format text, concise or ndjson." }
            if isFixing { return "--budget-report and --fix cannot be combined." }
        }
        if work.contains(.watching) {
            if isFixing || work.contains(.budgets) || isForLater || [.sarif, .gitlab, .junit].contains(job.format) {
                return
                    "--watch takes --format text, concise, ndjson, github or azure, and none of --fix, --budget-report, "
                    + "--output-file and --pager."
            }
            if job.paths.contains(nil) { return "--watch cannot watch standard input." }
        }
        if work.contains(.listingFiles), isFixing || job.countsRules || work != .listingFiles {
            return
                "--show-files cannot be combined with --fix, --statistics, --budget-report, --watch and --add-ignores."
        }
        if job.inputName != nil, !job.paths.contains(nil) {
            return "--stdin-filename names standard input, so it needs - or no file."
        }
        let rules = job.options.rules
        let selects = rules.selected != nil || !rules.enabled.isEmpty
        let hasOther = isFixing || work != .addingIgnores || job.configuration == .none
        if work.contains(.addingIgnores), hasOther || selects || job.paths.contains(nil) {
            return
                "--add-ignores takes files, and none of --fix, --budget-report, --no-config, --watch, --select, --extend."
        }
        return nil
    }

    /// Why the fixed text cannot be written: a sentence; nil if it can.
    ///
    /// - Parameter files: as they were typed.
    static func conflict(in job: LintJob, ofFiles files: [String]) -> String? {
        guard job.fixing == .write else { return nil }
        if files.isEmpty { return "--fix needs a file name, or - to write the fixed text to standard output." }
        guard files.count > 1, files.contains("-") else { return nil }
        return "--fix cannot combine - with files, because the fixed text goes to standard output."
    }
}
