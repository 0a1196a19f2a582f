/// A Live Activity of an app on a device, as pushes have left it. Times are milliseconds since the epoch.
///
/// Sources: Apple, "Displaying live data with Live Activities" and "Starting and updating Live Activities with ActivityKit
/// push notifications".
public struct LiveActivity: Sendable, Equatable {
    /// The state on the lock screen. Source of the words: Apple, `ActivityState`.
    #if hasAttribute(nonexhaustive)
        @nonexhaustive
    #endif
    public enum State: String, Sendable, CaseIterable {
        /// On the lock screen, with its latest content.
        case active
        /// On the lock screen, with content that is out of date.
        case stale
        /// On the lock screen for a while, with its final content.
        case ended
        /// No longer on the lock screen.
        case dismissed
    }

    /// The longest time that an activity is active: 8 hours, in milliseconds.
    package static let longestActive: Int64 = 8 * 3_600_000
    /// The longest time that an ended activity stays on the lock screen: 4 hours, in milliseconds. Source: Apple,
    /// `ActivityUIDismissalPolicy`.
    package static let longestEnded: Int64 = 4 * 3_600_000

    /// Number of the record that started it; for one that its app started, of its first push.
    public var seq: UInt64
    /// Token, registration id, or the device of records that name none.
    public var device: String
    /// Bundle identifier; empty when the records named none.
    public var app: String
    /// `activity-SEQ`, or `activity-SEQ.TARGET` for a request with several targets.
    public var identifier: String
    /// The token that its pushes are sent to.
    public var token: String
    /// The channel that updates it; nil when it has none.
    public var channel: String?
    /// The name of the type of its attributes; nil when its app started it.
    public var attributesType: String?
    /// The JSON object of its attributes; nil when its app started it.
    public var attributes: String?
    /// The JSON object of its latest content.
    public var contentState: String?
    /// When the sender made that content.
    public var timestamp: Int64?
    /// When that content is out of date.
    public var staleAt: Int64?
    /// The number as sent; the lock screen shows a greater one first.
    public var relevanceScore: String?
    /// The title of its latest alert.
    public var alertTitle: String?
    /// The body of its latest alert.
    public var alertBody: String?
    /// When it started; for one that its app started, its first push.
    public var startedAt: Int64
    /// When the last push changed it.
    public var updatedAt: Int64
    /// When a push ended it.
    public var endedAt: Int64?
    /// When it leaves the lock screen, if a push has ended it; when it left, if the user has swiped it away.
    public var dismissedAt: Int64?
    /// Its state after the last record.
    public var state = State.active

    /// True if `token` is its own: false while only the token that started it is known.
    package var hasOwnToken: Bool
    /// The token that started it, once it has got another one.
    package var startToken: String?
    /// The hour in which pushes of priority 10 are counted, and how many there were.
    package var hourStart: Int64 = 0
    package var hourCount = 0
    /// Its row in a store; nil for one without.
    package var row: Int64?
    package init(
        seq: UInt64, device: String, app: String, identifier: String, token: String, hasOwnToken: Bool, startedAt: Int64
    ) {
        self.seq = seq
        self.device = device
        self.app = app
        self.identifier = identifier
        self.token = token
        self.hasOwnToken = hasOwnToken
        self.startedAt = startedAt
        updatedAt = startedAt
    }

    /// Its state at a time, in milliseconds since the epoch.
    ///
    /// Nobody has to end it: after 8 hours the system does, and it leaves the lock screen 4 hours later.
    public func state(at time: Int64) -> State {
        let limit = startedAt &+ Self.longestActive
        let end = endedAt ?? Int64.max
        let endsAt = min(end, limit)
        if let dismissedAt, dismissedAt <= time { return .dismissed }
        guard endsAt <= time else { return staleAt.map { $0 <= time } ?? false ? .stale : .active }
        let goneAt = end <= limit ? dismissedAt ?? end &+ Self.longestEnded : limit &+ Self.longestEnded
        return goneAt <= time ? .dismissed : .ended
    }

    /// Activities as the lock screen lists them: a greater relevance score first, and the earlier start of two equal ones.
    /// Source: Apple, "Displaying live data with Live Activities".
    package static func inOrderOfRelevance(_ activities: [LiveActivity]) -> [LiveActivity] {
        // The position breaks ties, because `sort` does not guarantee to be stable.
        activities.enumerated().sorted { left, right in
            let scores = (left.element.score, right.element.score)
            return scores.0 != scores.1 ? scores.0 > scores.1 : left.offset < right.offset
        }.map(\.element)
    }

    private var score: Double { relevanceScore.flatMap(Double.init) ?? 0 }
}
