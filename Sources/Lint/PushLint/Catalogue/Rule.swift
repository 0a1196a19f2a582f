public import PushModel

/// A rule that the linter checks. It is printed as its id, and equals no rule with another id.
public struct Rule: Sendable, Identifiable, Equatable, CustomStringConvertible {
    /// The document that states the rule.
    public struct Source: Sendable, Equatable {
        /// The document's title and author.
        public let title: String
        /// Its address.
        public let url: String

        init(_ title: String, _ url: String) {
            self.title = title
            self.url = url
        }
    }

    /// Who reports the rule.
    package enum Scope: Sendable {
        /// `pushpipe lint`, and `pushpipe run --rules`.
        case lint
        /// Something that a text cannot show as an example: `pushpipe run` with an option, a service extension, or bytes that are not text.
        case run
        /// `pushpipe run`, about what a device does with a push.
        case device
        /// `pushpipe lint` with a schema of the user's.
        case schema
    }

    /// The name in configurations and reports.
    public let id: RuleID
    /// How much it matters: `error` if a service refuses the message, or if what was meant is certainly lost; `warning` if it has no
    /// effect or is unreliable; `info` if it is worth a look.
    public let severity: Finding.Severity
    /// One line without a full stop.
    public let title: String
    /// The problem and its solution, in plain sentences.
    public let explanation: String
    /// The document that states the rule.
    public let source: Source
    /// A record that breaks the rule.
    public let failing: String
    /// A record that breaks no rule.
    public let passing: String
    /// True if a fix is known for the failing example.
    public let isFixable: Bool
    /// Who reports it.
    package let scope: Scope

    init(
        _ id: String, _ severity: Finding.Severity, _ title: String, _ explanation: String, source: Source,
        failing: String, passing: String, isFixable: Bool = false, scope: Scope = .lint
    ) {
        self.id = RuleID(known: id)
        self.severity = severity
        self.title = title
        self.explanation = explanation
        self.source = source
        self.failing = failing
        self.passing = passing
        self.isFixable = isFixable
        self.scope = scope
    }

    /// The id.
    public var description: String { id.text }

    /// True if both have the same id.
    public static func == (left: Rule, right: Rule) -> Bool { left.id == right.id }

    /// The address of the rule's page in the documentation: that of the main branch, whatever the release.
    public var page: String { "\(ToolVersion.repository)/blob/main/Documentation/reference/rules/\(id).md" }

    /// The first part of its id.
    var group: String { Self.group(of: id) }

    /// The first part of an id.
    static func group(of id: RuleID) -> String { String(id.text.prefix { $0 != "." }) }
}

extension Rule {
    /// A rule about what an emulated service refuses. The reasons themselves stand in `Rejection.table`.
    static func refusal(_ rejection: Rejection, _ why: String, source: Source, failing: String, passing: String) -> Rule
    {
        Rule(
            rejection.rule, .error, rejection.row.cause.description, "\(why) \(rejection.answer).", source: source,
            failing: failing, passing: passing)
    }

    private static var families: [any RuleFamily.Type] {
        [
            JSONRules.self, RecordRules.self, EventRules.self, FitRules.self, DeviceRules.self, ExtensionRules.self,
            PayloadRules.self,
            APSNeighborRules.self, SimulatorRules.self, APSRules.self, SoundRules.self, APSCombinationRules.self,
            AlertRules.self,
            AlertTextRules.self, LiveActivityRules.self, APNsRequestRules.self, APNsHeaderRules.self,
            APNsExpirationRules.self, APNsTopicRules.self, APNsPushTypeRules.self, APNsBroadcastRules.self,
            APNsRefusalRules.self, DeviceTokenRules.self, ProviderTokenRules.self, BinaryRules.self,
            FCMRequestRules.self, FCMFieldRules.self, FCMNameRules.self, FCMAndroidRules.self, FCMAppleRules.self,
            FCMImageRules.self, FCMWebRules.self, FCMContentRules.self, GCMRules.self, GCMNameRules.self,
            SNSRules.self, AirnotifierRules.self, ExpoRules.self, SchemaRules.self, ConfigurationRules.self,
        ]
    }

    /// True if it is reported once in a text, because it is about what all records of a file are for.
    package var isOncePerText: Bool { id == GCMRules.switchedOff.id }

    /// Every rule, sorted by id.
    public static let all: [Rule] = families.flatMap { $0.rules }.sorted { $0.id < $1.id }

    private static let positions: [String: Int] = Dictionary(
        all.enumerated().map { ($1.id.text, $0) }, uniquingKeysWith: { first, _ in first })

    /// The rule with this id; nil if there is none.
    package static func named(_ id: String) -> Rule? { positions[id].map { all[$0] } }

    /// The position in `all` of the rule with this id.
    static func position(of id: RuleID) -> Int { positions[id.text] ?? 0 }
}
