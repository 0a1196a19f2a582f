public import DeviceScreens
public import GherkinRunner
import NotificationStore
import PushDecoding
import PushLint
public import PushModel
public import PushPipeline

/// What a scenario happens in: a store of its own, in memory, and what has become of the pushes so far.
///
/// Steps stand in files by subject, each an extension of `StepVocabulary`; what they need to know of each other stands here.
public struct ScenarioWorld {
    /// What became of one message or event: a line of the report that `pushpipe run` would write.
    public struct ReportLine: Sendable {
        /// Number of the record, from 1.
        public let seq: UInt64
        /// What became of it.
        public let outcome: Outcome
        /// HTTP status of the provider's answer, if there was one.
        public let status: Int?
        /// The provider's word for a refusal, or why nothing was delivered.
        public let reason: String?
        /// The identifier of a notification that is, or was, on a screen.
        public let identifier: String?
        /// Number of the record whose notification it replaced.
        public let replaces: UInt64?
        /// Why there is no message in the record.
        let fault: String?
        /// The held message that the line is about.
        let original: UInt64?
        /// The event that the line is about; nil for a message.
        public let event: String?
        /// What the app does about it, in order.
        public let steps: [String]
        /// Since when the token is dead, in milliseconds since the epoch.
        let timestamp: Int64?
        /// The token that the provider should go on with.
        let canonical: String?
        /// Messages that the app is told were dropped.
        let totalDeleted: Int?

        /// For people: `rejected (413 PayloadTooLarge)`.
        public var text: String {
            let details = [event, status.flatMap { $0 == 200 ? nil : String($0) }, reason, fault].compactMap(\.self)
            return "\(outcome.name)" + (details.isEmpty ? "" : " (\(details.joined(separator: " ")))")
        }
    }

    /// Every scenario begins at the same time, so that it goes the same way on every run: 2026-01-01T12:00:00Z.
    static let start: Int64 = 1_767_268_800_000  // milliseconds since the epoch

    let store = MemoryStore()
    /// The settings screen of an app, and what is around it.
    var settings = SettingsScene()
    /// How records are read and delivered from the next step on.
    public var configuration = PipelineConfiguration()
    /// All report lines so far.
    public private(set) var lines: [ReportLine] = []
    /// Lines of the last step that sent any records.
    private(set) var latest: Range<Int> = 0..<0

    init() { configuration.clock = .fixed(milliseconds: Self.start) }

    /// Lets events happen; one that cannot be read is the step's failure.
    mutating func happen(_ events: String) throws {
        try receive(events)
        if let fault = lines[latest].lazy.compactMap(\.fault).first { throw StepFailure(fault) }
    }

    /// What has become of a message that was held.
    func laterLines(ofRecord number: Int) throws(StepFailure) -> [ReportLine] {
        let lines = self.lines.filter { $0.original.map { $0 == UInt64(exactly: number) } ?? false }
        guard !lines.isEmpty else { throw StepFailure("nothing has come of record \(number) yet") }
        return lines
    }

    /// Lets records arrive, in any form that `pushpipe run` reads. Each step is an input of its own, over the same store, at the time at
    /// which the one before ended.
    ///
    /// - Throws: `StepFailure` too when an event has what it cannot have. The stream goes on over that with a finding, which no step would
    ///   ask for: the scenario would go another way than it reads.
    public mutating func receive(_ records: String) throws {
        let first = lines.count
        var slip: String?
        let pipeline = Pipeline(configuration, store: store)
        try pipeline.process(records) { report in
            let fault = report.decodeFailure.map { "\($0.rule): \($0.message)" }
            lines.append(
                ReportLine(
                    seq: report.seq, outcome: report.outcome, status: report.status,
                    reason: report.reason.map { "\($0)" }, identifier: report.identifier, replaces: report.replaces,
                    fault: fault, original: report.note?.original, event: report.note?.event,
                    steps: report.note?.steps ?? [], timestamp: report.note?.timestamp,
                    canonical: report.note?.canonical,
                    totalDeleted: report.note?.totalDeleted))
            if slip == nil, let event = report.note?.event, let finding = report.findings.first(where: \.isSlip) {
                slip = "record \(report.seq): \(finding.words(of: event))"
            }
        }
        if case .fixed(let start) = configuration.clock {
            configuration.clock = .fixed(milliseconds: start &+ pipeline.elapsedMilliseconds)
        }
        guard lines.count > first else { throw StepFailure("there is no record in the text below the step") }
        latest = first..<lines.count
        if let slip { throw StepFailure(slip) }
    }

    /// The report line that came last.
    ///
    /// - Throws: `StepFailure` when no record has arrived yet.
    public func last() throws(StepFailure) -> ReportLine {
        guard let last = lines.last else { throw StepFailure("no push has arrived yet") }
        return last
    }

    /// The messages of a record, from 1.
    func messages(ofRecord number: Int) throws(StepFailure) -> [ReportLine] {
        let messages = lines.filter { $0.seq == UInt64(exactly: number) }
        guard !messages.isEmpty else {
            throw StepFailure("there is no record \(number); records so far: \(lines.last?.seq ?? 0)")
        }
        return messages
    }

    /// What is on a device's screen, newest first, as `store show` has it.
    public func screen(of device: String) throws -> [DeliveredNotification] {
        try store.notifications(device: device).reversed()
    }
}

extension Finding {
    fileprivate var isSlip: Bool { severity >= .warning }

    /// With what comes near a member that there is not, or all that there are.
    fileprivate func words(of event: String) -> String {
        guard rule == "event.unknown-member" else { return "\(pointer): \(message) (\(rule))" }
        let token = String(pointer.split(separator: "/", omittingEmptySubsequences: false).last ?? "")
        let typed = token.replacing("~1", with: "/").replacing("~0", with: "~")
        let members = EventMember.table.filter { $0.events.contains { $0.rawValue == event } }.map(\.name.description)
        let near = NameSuggestion.nearest(to: typed, among: members)
        return "\(event) events have no member \"\(typed.prefix(NameSuggestion.longest))\""
            + (near.map { "; did you mean \"\($0)\"?" } ?? "; they have \(members.joined(separator: ", "))")
    }
}
