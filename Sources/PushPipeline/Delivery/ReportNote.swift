/// What only few report lines say: those of events, of messages that were held, and of tokens that a provider has news about.
public struct ReportNote: Sendable {
    /// The event that the line is about; nil for a message.
    public internal(set) var event: String?
    /// Why nothing came of the event.
    public internal(set) var reason: StaticString?
    /// `seq` of the message that the line is about: it was held, and something has come of it.
    public internal(set) var original: UInt64?
    /// Since when the token is dead, in milliseconds since the epoch.
    public internal(set) var timestamp: Int64?
    /// The token that the provider should go on with.
    public internal(set) var canonical: String?
    /// What the app does, in that order: `come-to-front`, `dismiss-modal compose`, `push-centre`.
    public internal(set) var steps: [String] = []
    /// Whether the line comes of another one, of a message that was held or of a token, and not of a record.
    package internal(set) var isConsequence = false
    /// Messages that were dropped, which the app is told of.
    public internal(set) var totalDeleted: Int?

    init() {}
}
