package import PushJSON
public import PushModel
package import PushSystem

/// Messages and events with one outcome and reason.
package struct ReasonCount: @unchecked Sendable, Equatable {  // SOUND: a reason is valid for good, and never changes.
    package let outcome: Outcome
    package let reason: BorrowedText
    package fileprivate(set) var count: UInt64

    package static func == (count: ReasonCount, other: ReasonCount) -> Bool {
        count.outcome == other.outcome && count.reason == other.reason && count.count == other.count
    }
}

/// Counts over a run.
public struct RunSummary: Sendable, Equatable {
    /// Records read, including malformed ones.
    public internal(set) var records: UInt64 = 0
    /// Those that have nothing where `DecodingOptions.location` says.
    package internal(set) var emptyLines: UInt64 = 0
    /// Those that have something there.
    package internal(set) var locatedRecords: UInt64 = 0
    /// Those whose line does not say when they are delivered, if `PipelineConfiguration.recordTime` is to be there.
    package internal(set) var untimedRecords: UInt64 = 0
    /// Records that the store had already, of an engine's stream.
    package internal(set) var skippedRecords: UInt64 = 0
    /// All messages: a record with several targets counts once per target, an event or a malformed record not at all.
    public private(set) var messages: UInt64 = 0
    /// Measured bytes of all messages.
    public private(set) var payloadBytes: UInt64 = 0
    /// Malformed records that the linter fixes.
    package private(set) var fixableRecords: UInt64 = 0
    /// Malformed records by rule.
    package private(set) var malformedByRule: [String: UInt64] = [:]
    /// Messages and events that changed no screen, by outcome and reason, in the order in which they were seen.
    package private(set) var reasons: [ReasonCount] = []
    /// The answers of senders, in a run that compares them.
    package private(set) var answers = AnswerCounts()
    /// Messages by outcome, then those by rejection and by obstacle to a service extension, each in the order of their raw values, then lines with
    /// a finding of each severity.
    private var counts = [UInt64](repeating: 0, count: Self.firstSeverity + Finding.Severity.allCases.count)

    private static let firstRejection = Outcome.allCases.count
    private static let firstObstacle = firstRejection + Rejection.allCases.count
    private static let firstSeverity = firstObstacle + ExtensionObstacle.allCases.count

    /// Messages with this outcome. A queued message counts again with its later outcome.
    public func count(_ outcome: Outcome) -> UInt64 { counts[Int(outcome.rawValue)] }

    /// Messages rejected for this reason.
    public func count(_ rejection: Rejection) -> UInt64 { counts[Self.firstRejection + Int(rejection.rawValue)] }

    /// Messages for which no service extension was started for this reason. A queued message counts again with its later
    /// outcome.
    package func count(_ obstacle: ExtensionObstacle) -> UInt64 {
        counts[Self.firstObstacle + Int(obstacle.rawValue)]
    }

    /// Messages and events with a finding of this severity. A queued message counts again for findings of its later outcome.
    public func count(_ severity: Finding.Severity) -> UInt64 {
        Finding.Severity.allCases.firstIndex(of: severity).map { counts[Self.firstSeverity + $0] } ?? 0
    }

    mutating func add(_ report: borrowing RecordReport) {
        counts[Int(report.outcome.rawValue)] &+= 1
        switch report.outcome {
        case .silent, .suppressed, .held, .expired, .discarded, .ignored:
            if let reason = report.reasonText { add(ReasonCount(outcome: report.outcome, reason: reason, count: 1)) }
        default: break
        }
        if let details = report.details {
            countFindings(details.findings)
            if let obstacle = details.obstacle { counts[Self.firstObstacle + Int(obstacle.rawValue)] &+= 1 }
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
        if case .rejected(let rejection) = report.message.verdict {
            counts[Self.firstRejection + Int(rejection.rawValue)] &+= 1
        }
    }

    private mutating func add(_ part: ReasonCount) {
        let position = reasons.firstIndex { $0.outcome == part.outcome && $0.reason == part.reason }
        if let position { reasons[position].count &+= part.count } else { reasons.append(part) }
    }

    mutating func add(_ part: RunSummary) {
        for index in counts.indices { counts[index] &+= part.counts[index] }
        for reason in part.reasons { add(reason) }
        for (rule, count) in part.malformedByRule { malformedByRule[rule, default: 0] &+= count }
        if part.answers.compared &+ part.answers.unreadable > 0 { answers.add(part.answers) }
        fixableRecords &+= part.fixableRecords
        records &+= part.records
        emptyLines &+= part.emptyLines
        locatedRecords &+= part.locatedRecords
        untimedRecords &+= part.untimedRecords
        skippedRecords &+= part.skippedRecords
        messages &+= part.messages
        payloadBytes &+= part.payloadBytes
    }

    /// Sets everything to 0, and keeps the memory: a chunk has a summary of its own.
    mutating func removeAll() {
        var (counts, reasons) = ([] as [UInt64], [] as [ReasonCount])
        swap(&counts, &self.counts)
        swap(&reasons, &self.reasons)
        for index in counts.indices { counts[index] = 0 }
        reasons.removeAll(keepingCapacity: true)
        self = RunSummary(reasons: reasons, counts: counts)
    }

    private mutating func countFindings(_ findings: ArraySlice<Finding>) {
        guard !findings.isEmpty else { return }
        for (position, severity) in Finding.Severity.allCases.enumerated()
        where findings.contains(where: { $0.severity == severity }) {
            counts[Self.firstSeverity + position] &+= 1
        }
    }
}

/// The conditions that make a run fail, from the rarest to the most common. Each includes those before it.
package enum FailureCondition: String, Sendable, CaseIterable {
    /// A record contains no message.
    case malformed
    /// A service would have refused a message.
    case rejected
    /// There is a finding of severity `error`.
    case error
    /// There is a finding of severity `warning`.
    case warning

    /// True if any record of a run meets the condition or one before it. O(1).
    package func isMet(by summary: RunSummary) -> Bool {
        let counts: [(condition: FailureCondition, count: UInt64)] = [
            (.malformed, summary.count(.malformed)), (.rejected, summary.count(.rejected)),
            (.error, summary.count(Finding.Severity.error)), (.warning, summary.count(Finding.Severity.warning)),
        ]
        return counts.contains { $0.count > 0 && $0.condition.rank <= rank }
    }

    private var rank: Int { Self.allCases.firstIndex(of: self) ?? 0 }

    /// The conditions of a list, such as `malformed,error`.
    package static func list(_ text: String) throws(PlainError) -> [FailureCondition] {
        var conditions: [FailureCondition] = []
        for name in text.split(separator: ",", omittingEmptySubsequences: false) {
            guard let condition = FailureCondition(rawValue: String(name)) else {
                throw PlainError("'\(name)' is not one of \(allCases.map(\.rawValue).joined(separator: ", "))")
            }
            conditions.append(condition)
        }
        return conditions
    }
}
