package import PushDecoding
import PushFiles
public import PushModel

/// The settings that apply to a file: its configurations, and the caller's options.
package final class LintProfile: Sendable {
    /// The configurations, the nearest one last, after those that it extends; each with the positions of its settings for single files that
    /// apply.
    package let layers: [(configuration: LintConfiguration, applied: [Int])]
    package let options: LintOptions
    /// The file that the profile is for, absolute; nil if it is for all.
    private let file: String?

    /// - Parameter path: the file that it is for, absolute; nil for all.
    package init(_ configurations: [LintConfiguration], _ options: LintOptions, forFile path: String? = nil) {
        layers = configurations.map { configuration in
            guard let path, !configuration.perFile.isEmpty else { return (configuration, []) }
            let relative = configuration.relative(path)
            return (
                configuration,
                configuration.perFile.indices.filter { configuration.perFile[$0].files.applies(to: relative) }
            )
        }
        self.options = options
        file = path
    }

    package var configurations: [LintConfiguration] { layers.map(\.configuration) }

    /// The profile with the settings for a file, or itself if there are none.
    ///
    /// - Parameter path: absolute.
    func profile(forFile path: String) -> LintProfile {
        let configurations = configurations
        if configurations.allSatisfy(\.perFile.isEmpty) { return self }
        return LintProfile(configurations, options, forFile: path)
    }

    /// Rules that the configurations leave out of this file alone, so that it is noticed when there is nothing left.
    package var suppressions: [SuppressionFile] {
        guard let file else { return [] }
        return layers.compactMap { configuration, applied in
            let path = configuration.relative(file)
            let ignored = applied.map { configuration.perFile[$0] }.filter { $0.files.names(path) }.flatMap(\.ignored)
            return ignored.isEmpty
                ? nil : SuppressionFile(FilePaths.shown(configuration.path), configuration.text, ignored)
        }
    }

    /// Schemas that payloads must fit.
    package var contracts: [PayloadContract] { configurations.flatMap(\.contracts) + options.contracts }

    /// No rule at all.
    package static var nothing: LintProfile {
        var options = LintOptions()
        options.rules.selected = []
        return LintProfile([], options)
    }

    /// True if a configuration excludes a file, or a directory above it.
    package func excludes(_ path: String) -> Bool { layers.contains { $0.configuration.excludes(path) } }

    /// True if a configuration says that a file is one of payloads.
    package func includes(_ path: String) -> Bool { layers.contains { $0.configuration.includes(path) } }

    /// The settings in the order of their precedence, lowest first.
    package var settings: [RuleSettings] {
        layers.flatMap { configuration, applied in
            [RuleSettings(severity: configuration.severity, rules: configuration.rules)]
                + applied.map { configuration.perFile[$0].settings }
        } + [RuleSettings(severity: options.severity, rules: options.rules)]
    }

    /// Rules about what a service extension does in a run that a configuration ignores. Choosing other rules for texts leaves none out.
    package var ignoredOfExtensions: Set<String> {
        let filter = RuleFilter(
            settings.map { settings in
                var settings = settings
                settings.rules.selected = nil
                return settings
            })
        let ignored = Rule.all.filter { rule in
            guard rule.isOfExtension, case .off = filter.verdict(on: rule) else { return false }
            return true
        }
        return Set(ignored.map(\.id.text))
    }

    /// The profile for a text whose records are at a place in its lines.
    package func reading(at location: RecordLocation) -> LintProfile {
        var options = options
        options.decoding.location = location
        if location.skipsPrefix { options.framing = .ndjson }
        return LintProfile(configurations, options, forFile: file)
    }

    /// True if a linter for one of them serves the other.
    package func isEquivalent(to other: LintProfile) -> Bool {
        self === other
            || options.decoding.location == other.options.decoding.location
                && layers.map(\.applied) == other.layers.map(\.applied)
                && layers.map(\.configuration.directory) == other.layers.map(\.configuration.directory)
    }

    package func makeWorker() -> TextWorker {
        let budget = layers.last { $0.configuration.budget != nil }?.configuration.budget
        return TextWorker(settings, budget: budget, contracts: contracts, options)
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

/// Which rules to show, and how severe they are: one configuration's choice, or the command line's.
///
/// A choice for a rule takes precedence over one for its group, and that over one for all. A severity is no choice against `enabled`: what is
/// shown whatever its severity stays so.
public struct RuleChoice: Sendable {
    /// Severities that replace the rules' own.
    public var severities: [RulePattern: Finding.Severity] = [:]
    /// Rules to leave out.
    public var disabled: Set<RulePattern> = []
    /// Rules to show whatever their severity. Takes precedence over `disabled`.
    public var enabled: Set<RulePattern> = []
    /// The only rules to show besides `enabled`, whatever their severity; nil for those that are severe enough. `disabled` takes precedence.
    public var selected: Set<RulePattern>?

    /// Chooses nothing.
    public init() {}

    fileprivate enum State {
        /// Left out.
        case off
        /// Shown whatever its severity.
        case wanted
        /// Shown if it is severe enough.
        case plain
    }

    /// The choice for the rule itself, else for its group, else for all; nil for none.
    fileprivate func state(of id: RuleID) -> State? {
        var hasSeverity = false
        for pattern in RulePattern.all(for: id) {
            if enabled.contains(pattern) { return .wanted }
            if disabled.contains(pattern) { return hasSeverity ? .plain : .off }
            if let selected {
                if selected.contains(pattern) { return .wanted }
            } else if severities[pattern] != nil {
                hasSeverity = true
            }
        }
        if selected != nil { return .off }
        return hasSeverity ? .plain : nil
    }

    fileprivate func severity(of id: RuleID) -> Finding.Severity? {
        RulePattern.all(for: id).lazy.compactMap { severities[$0] }.first
    }
}

/// Decides what is shown, and how severe it is.
final class RuleFilter {
    enum Verdict {
        /// Left out, and not counted.
        case off
        /// A rule that is not severe enough to be shown.
        case below(Finding.Severity)
        case shown(Finding.Severity)
    }

    private let choices: [RuleChoice]
    private let least: Finding.Severity
    private var verdicts: [RuleID: Verdict] = [:]

    /// - Parameter settings: a later one takes precedence over those before it.
    init(_ settings: [RuleSettings]) {
        choices = settings.map(\.rules)
        least = settings.last { $0.severity != nil }?.severity ?? LintConfiguration.defaultSeverity
    }

    func verdict(on rule: Rule) -> Verdict {
        if let verdict = verdicts[rule.id] { return verdict }
        let verdict = decide(rule)
        verdicts[rule.id] = verdict
        return verdict
    }

    private func decide(_ rule: Rule) -> Verdict {
        var severity = rule.severity
        var state = RuleChoice.State.plain
        for choice in choices {
            severity = choice.severity(of: rule.id) ?? severity
            if let next = choice.state(of: rule.id), next != .plain || state != .wanted { state = next }
        }
        switch state {
        case .off: return .off
        case .wanted: return .shown(severity)
        case .plain: return severity < least ? .below(severity) : .shown(severity)
        }
    }
}
