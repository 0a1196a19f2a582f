public import PushModel

/// One thing that the linter looks for.
public struct Rule: Sendable {
    /// Where it is written down.
    public struct Source: Sendable, Equatable {
        /// The document's title, and who it is by.
        public let title: String
        /// Its address.
        public let url: String

        /// Makes a source.
        public init(_ title: String, _ url: String) {
            self.title = title
            self.url = url
        }
    }

    /// Who reports the rule.
    public enum Scope: Sendable {
        /// `pushpipe lint`, and `pushpipe run --rules`.
        case lint
        /// Something that an example of text cannot show: `pushpipe run` with an option, a service extension, or bytes that are no text.
        case run
    }

    /// Dotted kebab-case, such as `aps.misspelled-key`: what a configuration and a report call it.
    public let id: String
    /// How much it matters: `error` when a service refuses the message or what was meant is certainly lost, `warning` when
    /// it has no effect or is unreliable, `info` when it is worth a look.
    public let severity: Finding.Severity
    /// One line without a full stop.
    public let title: String
    /// What happens, and what to do instead. Plain sentences.
    public let explanation: String
    /// The document that says so; nil for rules of JSON readers that no vendor writes down.
    public let source: Source
    /// A record that breaks the rule.
    public let failing: String
    /// A record that breaks no rule.
    public let passing: String
    /// Whether `--fix` can mend what the failing example shows.
    public let isFixable: Bool
    /// Who reports it.
    public let scope: Scope

    init(
        _ id: String, _ severity: Finding.Severity, _ title: String, why explanation: String, source: Source,
        failing: String, passing: String, isFixable: Bool = false, scope: Scope = .lint
    ) {
        self.id = id
        self.severity = severity
        self.title = title
        self.explanation = explanation
        self.source = source
        self.failing = failing
        self.passing = passing
        self.isFixable = isFixable
        self.scope = scope
    }
}

extension Rule {
    /// Every rule, sorted by id.
    public static let all: [Rule] =
        [
            jsonRules, recordRules, eventRules, extensionRules, payloadRules, apsRules, alertRules, requestRules,
            liveActivityRules,
            googleRules,
            gatewayRules, refusalRules,
        ]
        .flatMap(\.self).sorted { $0.id < $1.id }

    private static let positions: [String: Int] = Dictionary(
        all.enumerated().map { ($1.id, $0) }, uniquingKeysWith: { first, _ in first })

    /// The rule with this id.
    public static func named(_ id: String) -> Rule? { positions[id].map { all[$0] } }
}
