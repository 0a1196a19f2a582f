package import PushDecoding
import PushModel

/// Lints records in a pipeline, with the rules that a file's configuration chooses.
package final class ProfileLinter {
    /// The settings; nil for the rules' own severities.
    package let profile: LintProfile?
    private let linter: RecordLinter
    private let filter: RuleFilter

    package init(_ profile: LintProfile?, _ options: DecodingOptions) {
        self.profile = profile
        linter = RecordLinter(options, isInPipeline: true, contracts: profile?.contracts ?? [])
        filter = RuleFilter(profile?.settings ?? [])
    }

    /// The findings about a record, with the severities of the configuration.
    ///
    /// - Parameters:
    ///   - number: the record's in its file, from 1.
    ///   - suppressions: findings to leave out.
    package func lint(
        _ record: UnsafeRawBufferPointer, number: Int = 1, without suppressions: [Suppression] = []
    ) -> [Diagnostic] {
        // SOUND: the caller vouches for the record.
        unsafe linter.lint(record).compactMap { diagnostic in
            let isIgnored = suppressions.contains {
                !$0.isSetting && $0.matches(diagnostic.rule, record: number, pointer: diagnostic.pointer)
            }
            guard !isIgnored, case .shown(let severity) = filter.verdict(on: diagnostic.rule) else { return nil }
            var shown = diagnostic
            shown.severity = severity
            return shown
        }
    }
}
