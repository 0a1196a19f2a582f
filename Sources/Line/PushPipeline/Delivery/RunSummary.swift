public import PushModel
import PushSystem

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

    /// Sets everything to 0, and keeps the memory: a chunk has a summary of its own.
    mutating func removeAll() {
        for index in byOutcome.indices { byOutcome[index] = 0 }
        for index in byRejection.indices { byRejection[index] = 0 }
        for index in bySeverity.indices { bySeverity[index] = 0 }
        for index in byObstacle.indices { byObstacle[index] = 0 }
        if !malformedByRule.isEmpty { malformedByRule.removeAll() }
        if answers.compared &+ answers.unreadable > 0 { answers = AnswerCounts() }
        fixableRecords = 0
        records = 0
        skippedRecords = 0
        emptyLines = 0
        locatedRecords = 0
        messages = 0
        payloadBytes = 0
    }

    private mutating func countFindings(_ findings: ArraySlice<Finding>) {
        guard !findings.isEmpty else { return }
        for (position, severity) in Finding.Severity.allCases.enumerated()
        where findings.contains(where: { $0.severity == severity }) {
            bySeverity[position] &+= 1
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

    /// True if any record of a run meets the condition. O(1).
    package func isMet(by summary: RunSummary) -> Bool {
        Self.allCases.prefix { $0 != self }.contains { $0.isMetAlone(by: summary) } || isMetAlone(by: summary)
    }

    private func isMetAlone(by summary: RunSummary) -> Bool {
        switch self {
        case .malformed: summary.count(.malformed) > 0
        case .rejected: summary.count(.rejected) > 0
        case .error: summary.count(Finding.Severity.error) > 0
        case .warning: summary.count(Finding.Severity.warning) > 0
        }
    }

    /// The conditions of a list, such as `malformed,error`.
    package static func list(_ text: String) throws(UnknownName) -> [FailureCondition] {
        var conditions: [FailureCondition] = []
        for name in text.split(separator: ",", omittingEmptySubsequences: false) {
            guard let condition = FailureCondition(rawValue: String(name)) else {
                throw UnknownName(name: String(name))
            }
            conditions.append(condition)
        }
        return conditions
    }

    /// A name in a list that is no condition.
    package struct UnknownName: Error, CustomStringConvertible {
        /// As it was typed.
        package var name: String

        /// `'rain' is not one of malformed, rejected, error, warning`
        package var description: String {
            "'\(name)' is not one of \(FailureCondition.allCases.map(\.rawValue).joined(separator: ", "))"
        }
    }
}

/// Per-stage timings of a run, with the number of records or messages that passed each stage.
///
/// Measured only if `PipelineConfiguration.measuresStages` is set; the clock is read twice per chunk and stage. With several jobs the times
/// of `decode` and `check` are sums over all cores.
public struct StageTimes: Sendable, Equatable {
    /// A part of the pipeline, in processing order.
    public enum Stage: Int, Sendable, CaseIterable {
        /// Reading the input.
        case read
        /// Splitting the input into records.
        case frame
        /// Scanning JSON and decoding records to messages.
        case decode
        /// Mutations, budgets, provider validation, and custom checks.
        case check
        /// Waiting for other cores.
        case wait
        /// Coordinating stages, replacement, and the store with its commit.
        case deliver
        /// Passing on reports: in the command, composing report lines.
        case report
        /// Writing the report, and waiting for its reader.
        case write
    }

    /// The measurements of a stage.
    public struct Time: Sendable, Equatable {
        /// Its duration.
        public var nanoseconds: UInt64 = 0
        /// The same as a duration.
        public var duration: Duration { .nanoseconds(Int64(clamping: nanoseconds)) }
        /// Records up to `wait`, messages after it: a record with several targets is several messages. 0 for `read` and `write`,
        /// which process only bytes.
        public var count: UInt64 = 0
    }

    /// Empty when nothing was measured.
    private var times: [Time] = []

    /// The time of a stage.
    public internal(set) subscript(_ stage: Stage) -> Time {
        get { times.isEmpty ? Time() : times[stage.rawValue] }
        set {
            if times.isEmpty { times = Array(repeating: Time(), count: Stage.allCases.count) }
            times[stage.rawValue] = newValue
        }
    }

    /// How chunks were delivered.
    package internal(set) var lanes = LaneUse()

    /// How many chunks were delivered in lanes, and why others were not.
    package struct LaneUse: Sendable, Equatable {
        /// Number of lanes; 0 for a store that has none.
        package internal(set) var count = 0
        /// Chunks that the lanes delivered, each its own part.
        package internal(set) var chunksInLanes: UInt64 = 0
        /// Chunks that were delivered one message at a time.
        package internal(set) var chunksInOrder: UInt64 = 0
        /// Why, in the order in which the reasons came up: `store`, `events`, `trace`, `journal`, or the names of device
        /// stages.
        package internal(set) var reasons: [String] = []

        mutating func addInOrder(_ reason: String) {
            chunksInOrder &+= 1
            if !reasons.contains(reason) { reasons.append(reason) }
        }
    }

    /// Counts the messages of a delivered chunk, if anything is measured.
    mutating func countDelivered(_ messages: Int, composed: Bool) {
        guard !times.isEmpty else { return }
        self[.deliver].count &+= UInt64(messages)
        if composed { self[.report].count &+= UInt64(messages) }
    }

    mutating func add(_ other: StageTimes) {
        guard !other.times.isEmpty else { return }
        for stage in Stage.allCases {
            self[stage].nanoseconds &+= other[stage].nanoseconds
            self[stage].count &+= other[stage].count
        }
    }
}

/// A clock that is read only if stages are measured.
struct Stopwatch {
    private var started: UInt64?

    init(isOn: Bool) { started = isOn ? Self.now() : nil }

    /// Adds the time since the last lap to a stage, and begins the next lap.
    mutating func lap(_ stage: StageTimes.Stage, count: Int, _ times: inout StageTimes) {
        guard let started else { return }
        let now = Self.now()
        times[stage].nanoseconds &+= now &- started
        times[stage].count &+= UInt64(count)
        self.started = now
    }

    private static func now() -> UInt64 { UInt64(bitPattern: SystemClock.monotonicNanoseconds()) }
}
