public import PushModel

/// Counts over a run.
public struct RunSummary: Sendable, Equatable {
    /// Records read, including malformed ones.
    public internal(set) var records: UInt64 = 0
    /// Those that have nothing where `DecodingOptions.location` says.
    package internal(set) var emptyLines: UInt64 = 0
    /// Those that have something there.
    package internal(set) var locatedRecords: UInt64 = 0
    /// Records that the store had already, of an engine's stream.
    package internal(set) var skippedRecords: UInt64 = 0
    /// Messages by outcome, indexed by raw value.
    private var byOutcome = [UInt64](repeating: 0, count: Outcome.allCases.count)
    /// Rejected messages by rejection, indexed by raw value.
    private var byRejection = [UInt64](repeating: 0, count: Rejection.allCases.count)
    /// Malformed records by rule.
    package private(set) var malformedByRule: [String: UInt64] = [:]
    /// Malformed records that the linter fixes.
    package private(set) var fixableRecords: UInt64 = 0
    /// Lines of messages and events with a finding of each severity, indexed by the severity's position.
    private var bySeverity = [UInt64](repeating: 0, count: Finding.Severity.allCases.count)
    /// Messages without a service extension by obstacle, indexed by raw value.
    private var byObstacle = [UInt64](repeating: 0, count: ExtensionObstacle.allCases.count)
    /// The answers of senders, in a run that compares them.
    package private(set) var answers = AnswerCounts()
    /// Measured bytes of all messages.
    public private(set) var payloadBytes: UInt64 = 0

    /// Messages with this outcome. A queued message counts again with its later outcome.
    public func count(_ outcome: Outcome) -> UInt64 { byOutcome[Int(outcome.rawValue)] }

    /// Messages rejected for this reason.
    public func count(_ rejection: Rejection) -> UInt64 { byRejection[Int(rejection.rawValue)] }

    /// Messages for which no service extension was started for this reason. A queued message counts again with its later
    /// outcome.
    package func count(_ obstacle: ExtensionObstacle) -> UInt64 { byObstacle[Int(obstacle.rawValue)] }

    /// Messages and events with a finding of this severity. A queued message counts again for findings of its later outcome.
    public func count(_ severity: Finding.Severity) -> UInt64 {
        Finding.Severity.allCases.firstIndex(of: severity).map { bySeverity[$0] } ?? 0
    }

    /// All messages: a record with several targets counts once per target, an event or a malformed record not at all.
    public private(set) var messages: UInt64 = 0

    mutating func add(_ report: borrowing RecordReport) {
        byOutcome[Int(report.outcome.rawValue)] &+= 1
        if let details = report.details {
            countFindings(details.findings)
            if let obstacle = details.obstacle { byObstacle[Int(obstacle.rawValue)] &+= 1 }
            // One member after the other: a note is large.
            if let answer = details.note?.answer { answers.add(answer, report) }
            if details.note?.event != nil || details.note?.original != nil || details.note?.sentTo != nil { return }
            if let failure = details.decodeFailure {
                malformedByRule[failure.rule, default: 0] &+= 1
                if failure.isFixable { fixableRecords &+= 1 }
                return
            }
        }
        messages &+= 1
        payloadBytes &+= UInt64(report.message.byteCount)
        if case .rejected(let rejection) = report.message.verdict { byRejection[Int(rejection.rawValue)] &+= 1 }
    }

    /// Adds the counts of a part of the run.
    mutating func add(_ part: RunSummary) {
        for index in byOutcome.indices { byOutcome[index] &+= part.byOutcome[index] }
        for index in byRejection.indices { byRejection[index] &+= part.byRejection[index] }
        for index in bySeverity.indices { bySeverity[index] &+= part.bySeverity[index] }
        for index in byObstacle.indices { byObstacle[index] &+= part.byObstacle[index] }
        for (rule, count) in part.malformedByRule { malformedByRule[rule, default: 0] &+= count }
        if part.answers.compared &+ part.answers.unreadable > 0 { answers.add(part.answers) }
        fixableRecords &+= part.fixableRecords
        records &+= part.records
        emptyLines &+= part.emptyLines
        locatedRecords &+= part.locatedRecords
        skippedRecords &+= part.skippedRecords
        messages &+= part.messages
        payloadBytes &+= part.payloadBytes
    }

    private mutating func countFindings(_ findings: ArraySlice<Finding>) {
        guard !findings.isEmpty else { return }
        for (position, severity) in Finding.Severity.allCases.enumerated()
        where findings.contains(where: { $0.severity == severity }) {
            bySeverity[position] &+= 1
        }
    }
}
