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
        /// The line of a record, or of one of its targets.
        case own
        /// The line of a subscriber to a topic.
        case subscriber

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
        let target = line["target"]?.int64.flatMap { UInt64(exactly: $0) } ?? 0
        if let event = line["event"]?.string {
            switch event {
            case "clock": stage = .clock
            case "posted", "withdrawn":
                // After the line of the message, whose time may have come.
                let original = line["original"]?.int64.flatMap { UInt64(exactly: $0) }
                stage = original == nil ? .token : .queued
                number = original ?? 0
                device = line["device"]?.string?.string ?? ""
                app = line["app"]?.string?.string ?? ""
            case "token_deleted", "token_disabled", "deleted_messages":
                stage = .token
                device = line["device"]?.string?.string ?? ""
                app = line["app"]?.string?.string ?? ""
            default: stage = .own
            }
        } else if let original = line["original"]?.int64 {
            stage = .queued
            number = UInt64(exactly: original) ?? 0
            device = line["device"]?.string?.string ?? ""
            app = line["topic"]?.string?.string ?? ""
        } else {
            stage = line["sent_to"] == nil ? .own : .subscriber
            number = target
        }
    }
}
