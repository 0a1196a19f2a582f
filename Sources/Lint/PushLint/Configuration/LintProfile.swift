import PushFiles
package import PushModel

/// The settings that apply to a file: its configurations, and the caller's options.
package final class LintProfile: Sendable {
    /// The nearest one last, after those that it extends.
    package let configurations: [LintConfiguration]
    package let options: LintOptions
    /// The settings of the configurations for single files that apply: positions of a configuration and of a setting of it.
    private let applied: [[Int]]

    /// The file that the profile is for, absolute; nil if it is for all.
    private let file: String?

    package init(
        _ configurations: [LintConfiguration], _ options: LintOptions, applied: [[Int]] = [], file: String? = nil
    ) {
        self.configurations = configurations
        self.options = options
        self.applied = applied
        self.file = file
    }

    /// The same profile with the settings for a file, or itself if there are none.
    ///
    /// - Parameter path: absolute.
    func profile(forFile path: String) -> LintProfile {
        if configurations.allSatisfy(\.perFile.isEmpty) { return self }
        let applied = configurations.map { configuration in
            let relative = configuration.relative(path)
            return configuration.perFile.indices.filter { configuration.perFile[$0].files.applies(to: relative) }
        }
        return LintProfile(configurations, options, applied: applied, file: path)
    }

    /// Rules that the configurations leave out of this file alone, so that it is noticed when there is nothing left.
    package var suppressions: [SuppressionFile] {
        guard let file else { return [] }
        return zip(configurations, applied).compactMap { configuration, applied in
            let path = configuration.relative(file)
            let ignored = applied.map { configuration.perFile[$0] }.filter { $0.files.names(path) }.flatMap(\.ignored)
            return ignored.isEmpty
                ? nil : SuppressionFile(FilePaths.shown(configuration.path), configuration.text, ignored)
        }
    }

    /// The configurations, each with the positions of its settings for single files that apply.
    package var layers: [(configuration: LintConfiguration, applied: [Int])] {
        configurations.enumerated().map { ($1, applied.indices.contains($0) ? applied[$0] : []) }
    }

    /// Schemas that payloads must fit.
    var contracts: [any PayloadContract] { configurations.flatMap(\.contracts) + options.contracts }

    /// No rule at all.
    package static var nothing: LintProfile {
        var options = LintOptions()
        options.rules.selected = []
        return LintProfile([], options)
    }

    /// True if a configuration excludes a file, or a directory above it.
    package func excludes(_ path: String) -> Bool { configurations.contains { $0.excludes(path) } }

    /// True if a configuration says that a file is one of payloads.
    package func includes(_ path: String) -> Bool { configurations.contains { $0.includes(path) } }

    /// The settings in the order of their precedence, lowest first.
    package var settings: [RuleSettings] {
        var settings: [RuleSettings] = []
        for (index, configuration) in configurations.enumerated() {
            settings.append(RuleSettings(severity: configuration.severity, rules: configuration.rules))
            if applied.indices.contains(index) {
                settings += applied[index].map { configuration.perFile[$0].settings }
            }
        }
        return settings + [RuleSettings(severity: options.severity, rules: options.rules)]
    }

    /// True if a linter for one of them serves the other.
    package func isEquivalent(to other: LintProfile) -> Bool {
        self === other
            || (applied == other.applied && configurations.map(\.directory) == other.configurations.map(\.directory))
    }

    package func makeWorker() -> TextWorker {
        TextWorker(
            settings, budget: configurations.last { $0.budget != nil }?.budget,
            contracts: contracts, options)
    }
}

/// Which rules are shown, from one place.
package struct RuleSettings: Sendable {
    /// The least severity that is shown; nil for what those of lower precedence say.
    package var severity: Finding.Severity?
    package var rules = RuleChoice()

    package init(severity: Finding.Severity? = nil, rules: RuleChoice = RuleChoice()) {
        self.severity = severity
        self.rules = rules
    }
}
