import PayloadJSON

/// Where a report line stands among those of its record, which may be in several parts.
///
/// A record's time comes first: what it triggers at other devices has its lines before the record's own line, ordered by what was sent when
/// and to whom. Only an event that advances the clock comes before what it triggers. See `Documentation/reference/placed-records.md`.
struct ReportLineKey: Comparable {
    enum Stage: Int, Comparable {
        /// The line of an event that advances the clock.
        case clock
        /// A queued message whose time has come.
        case queued
        /// A token whose time has come.
        case token
        /// The line of a record, or of one of its targets. What follows from it comes after it.
        case own

        static func < (left: Self, right: Self) -> Bool { left.rawValue < right.rawValue }
    }

    var stage: Stage
    /// The number of the record that a queued message came in, or the index of the target.
    var number: UInt64 = 0
    var device = ""
    var app = ""

    /// True if the line follows from another one.
    var isConsequence: Bool { stage == .queued || stage == .token }

    static func < (left: Self, right: Self) -> Bool {
        (left.stage, left.number, left.device, left.app) < (right.stage, right.number, right.device, right.app)
    }

    init(_ line: JSONView) {
        let original = line["original"]?.int64.flatMap { UInt64(exactly: $0) }
        let event = line["event"]?.string?.string
        switch event {
        case "clock": stage = .clock
        case "token_deleted", "token_disabled", "deleted_messages": stage = .token
        // After the line of the message, whose time may have come.
        case "posted", "withdrawn": stage = original == nil ? .token : .queued
        case nil where original != nil: stage = .queued
        default:
            stage = .own
            number = line["target"]?.int64.flatMap { UInt64(exactly: $0) } ?? 0
        }
        guard isConsequence else { return }
        number = original ?? 0
        device = line["device"]?.string?.string ?? ""
        app = line[event == nil ? "topic" : "app"]?.string?.string ?? ""
    }
}
