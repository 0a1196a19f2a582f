import AppSimulation
package import PayloadJSON
import PushDecoding
package import PushDevices
public import PushModel
import RecordFraming

/// The outcome of a message or an event.
struct Delivered {
    var seq: UInt64
    var outcome: Outcome
    var replaces: UInt64?
    /// Number of notifications that the badge removed.
    var cleared = 0

    /// The same as lanes write it.
    var kept: LaneResult { LaneResult(outcome: outcome, replaces: replaces ?? 0, cleared: cleared) }
}

/// The report of a chunk: a result per message, and rare details. Valid until the next chunk begins.
@safe  // SOUND: owns the results, of which the first `count` are initialized.
final class ReportLines {
    /// By message. Lanes write to them, each to its own.
    private(set) var results: UnsafeMutablePointer<LaneResult>
    /// The lanes' view of each message; initialized by `begin` if it gets lanes.
    private(set) var keys: UnsafeMutablePointer<DeliveryKey>
    private var capacity = 256
    /// The number of results.
    private(set) var count = 0
    /// Number of the chunk's first record.
    var firstSequence: UInt64 = 0
    /// Places of the records; nil unless they have any.
    var places: ChunkPlaces?
    /// True if lines say why no service extension was started.
    var notesObstacles = false
    private(set) var consequences: [Consequence] = []
    /// Room for more additional lines than this, which few chunks have, is given back.
    private static var mostKept: Int { 1024 }
    private var notes: [ReportNote] = []
    /// One more than the place of its note for each message, or 0; after that of the message with the index -1, which is none of the chunk.
    /// Ends with the last one that has a note.
    private var notePlaces: [Int] = []

    init() {
        // SOUND: `deinit` or `makeRoom` frees them.
        unsafe results = .allocate(capacity: capacity)
        unsafe keys = .allocate(capacity: capacity)
    }

    deinit {
        // SOUND: both were allocated here.
        unsafe results.deallocate()
        unsafe keys.deallocate()
    }

    /// Begins with the results of messages that do not reach their devices; the others are silent until they are delivered.
    ///
    /// - Parameter lanes: the hash function of the store's keys, and its number of lanes; nil if no keys are needed.
    func begin(_ messages: UnsafeMutableBufferPointer<DecodedMessage>, lanes: (hasher: SeededHash, count: Int)?) {
        // SOUND: there is room for a result and a key per message.
        makeRoom(for: messages.count)
        count = messages.count
        guard let start = messages.baseAddress else { return }
        for index in messages.indices {
            if case .accepted = unsafe start[index].verdict {
                unsafe (results + index).initialize(to: LaneResult(outcome: .silent))
                guard let lanes else { continue }
                unsafe DeliveryKey.write(start + index, lanes.hasher, lanes: lanes.count, to: keys + index)
            } else {
                let outcome = unsafe start[index].verdict.undeliveredOutcome
                unsafe (results + index).initialize(to: LaneResult(outcome: outcome))
                unsafe (keys + index).initialize(to: DeliveryKey(record: start[index].record))
            }
        }
    }

    private func makeRoom(for count: Int) {
        guard count > capacity else { return }
        // SOUND: nothing refers to the results and keys of an earlier chunk.
        unsafe results.deallocate()
        unsafe keys.deallocate()
        capacity = max(count, capacity * 2)
        unsafe results = .allocate(capacity: capacity)
        unsafe keys = .allocate(capacity: capacity)
    }

    func removeAll() {
        count = 0
        places = nil
        if !consequences.isEmpty { consequences.removeAll(keepingCapacity: consequences.count <= Self.mostKept) }
        if !notes.isEmpty {
            notes.removeAll(keepingCapacity: true)
            notePlaces.removeAll(keepingCapacity: true)
        }
    }

    /// Removes the results of the messages from an index on, which have not been delivered.
    func keepFirst(_ count: Int) { self.count = min(self.count, count) }

    /// Sets the result of the message at an index.
    func set(_ result: Delivered, at index: Int) {
        precondition(index < count)
        // SOUND: the index was checked.
        unsafe results[index] = result.kept
    }

    func append(_ consequence: Consequence) { consequences.append(consequence) }

    /// Puts lines about what time has brought about in the order of the report, which is not that of the times.
    ///
    /// - Parameter first: index of the first line; all from there on are about the same record.
    func order(from first: Int) {
        guard consequences.count - first > 1 else { return }
        let keys = consequences.indices[first...].map { (key: consequences[$0].orderInTime, index: $0) }
        let sorted = keys.sorted { $0.key == $1.key ? $0.index < $1.index : $0.key < $1.key }
        consequences.replaceSubrange(first..., with: sorted.map { consequences[$0.index] })
    }

    func updateNote(of index: Int, _ change: (inout ReportNote) -> Void) {
        if let place = notePlace(of: index) { return change(&notes[place]) }
        while notePlaces.count <= index + 1 { notePlaces.append(0) }
        notes.append(ReportNote())
        notePlaces[index + 1] = notes.count
        change(&notes[notes.count - 1])
    }

    private func notePlace(of index: Int) -> Int? {
        guard index + 1 < notePlaces.count, notePlaces[index + 1] > 0 else { return nil }
        return notePlaces[index + 1] - 1
    }

    /// True if any message has a note.
    var hasNotes: Bool { !notes.isEmpty }

    /// Changes the notes that messages have.
    func changeNotes(of messages: Range<Int>, _ change: (inout ReportNote) -> Void) {
        for index in messages {
            if let place = notePlace(of: index) { change(&notes[place]) }
        }
    }

    /// Removes and returns the note of an index.
    func takeNote(of index: Int) -> ReportNote? {
        guard let place = notePlace(of: index) else { return nil }
        notePlaces[index + 1] = 0
        return place == notes.count - 1 ? notes.removeLast() : notes[place]
    }

    /// Passes the lines in input order. Each is valid for the duration of the call.
    func forEach(
        of batch: borrowing MessageBatch, traces: UnsafePointer<MessageTrace>?, sources: SourceFinder?,
        _ body: (borrowing RecordReport) throws -> Void
    ) rethrows {
        // SOUND: there is one result, and one trace if any, for each message of the batch, which is borrowed until the
        // last call.
        guard let messages = unsafe batch.messages.baseAddress else { return }
        let findings = batch.findings
        let failures = batch.decodeFailures
        let texts = findings.map(\.finding)
        var sources = sources
        let reportsAll = places?.reportsSources ?? sources?.isAlwaysReported ?? false
        // True if no line has details but by what is found or noted about it.
        let isPlain = unsafe places == nil && !notesObstacles && !reportsAll && traces == nil
        if isPlain, consequences.isEmpty, notes.isEmpty, findings.isEmpty, failures.isEmpty {
            for index in 0..<count {
                let seq = unsafe firstSequence &+ UInt64(truncatingIfNeeded: messages[index].record)
                try unsafe body(RecordReport(seq: seq, results[index], borrowing: messages + index))
            }
            return
        }
        var nextFinding = 0
        var nextFailure = 0
        var nextConsequence = 0
        func handOutConsequences(of index: Int, isBefore: Bool) throws {
            while nextConsequence < consequences.count, consequences[nextConsequence].index == index,
                consequences[nextConsequence].isBefore == isBefore
            {
                try handOut(consequences[nextConsequence], body)
                nextConsequence += 1
            }
        }
        for index in 0..<count {
            try handOutConsequences(of: index, isBefore: true)
            let result = unsafe results[index]
            let record = unsafe messages[index].record
            let first = nextFinding
            while nextFinding < texts.count, findings[nextFinding].message == index { nextFinding += 1 }
            let isMalformed = nextFailure < failures.count && failures[nextFailure].message == index
            if isMalformed { nextFailure += 1 }
            // Most lines have no details even if others do, and to make sure of that would copy empty ones several times.
            if isPlain, first == nextFinding, !isMalformed, notePlace(of: index) == nil {
                let seq = firstSequence &+ UInt64(truncatingIfNeeded: record)
                try unsafe body(RecordReport(seq: seq, result, borrowing: messages + index))
            } else if !(places?.hidden.contains(index) ?? false) {
                let note = note(of: index)
                let isDifferent = unsafe note?.answer?.difference(from: messages[index]) != nil
                let hasSource = reportsAll || first < nextFinding || isMalformed || isDifferent
                let details = unsafe RecordReport.Details(
                    findings: texts[first..<nextFinding],
                    decodeFailure: isMalformed ? failures[nextFailure - 1].decodeFailure : nil, note: note,
                    obstacle: notesObstacles ? messages[index].extensionObstacle : nil,
                    source: hasSource ? source(ofRecord: record, &sources) : nil,
                    trace: traces.map { unsafe $0 + index })
                let seq = places?.sequences[record] ?? firstSequence &+ UInt64(truncatingIfNeeded: record)
                try unsafe body(RecordReport(seq: seq, result, borrowing: messages + index, details))
            }
            try handOutConsequences(of: index, isBefore: false)
        }
        try handOutConsequences(of: count, isBefore: true)
    }

    func note(of index: Int) -> ReportNote? { notePlace(of: index).map { notes[$0] } }

    /// Where a record stands in the original input, if it has a place there; its place in a part says nothing.
    private func source(ofRecord record: Int, _ sources: inout SourceFinder?) -> RecordSource? {
        guard let place = places?.places[record].read, place.seq != nil else {
            return sources?.source(ofRecord: record)
        }
        return place.source.map {
            RecordSource(file: $0.file.string, record: $0.record, position: $0.position, offset: $0.offset)
        }
    }

    private func handOut(_ line: Consequence, _ body: (borrowing RecordReport) throws -> Void) rethrows {
        // SOUND: the message lives until `body` returns.
        try unsafe withUnsafePointer(to: line.message) { message in
            let details = unsafe RecordReport.Details(
                findings: line.findings[...], note: line.note,
                obstacle: notesObstacles ? line.message.extensionObstacle : nil, trace: nil)
            try unsafe body(RecordReport(seq: line.result.seq, line.result.kept, borrowing: message, details))
        }
    }
}

extension ReportLines {
    /// An additional line, about a queued message or a token.
    struct Consequence {
        /// That of the chunk's message whose line it follows, or before whose line it stands; then it may be one more than the last.
        var index: Int
        /// True if time has brought it about, and not the message.
        var isBefore = false
        var result: Delivered
        var message: DecodedMessage
        var findings: [Finding]
        var note: ReportNote
    }
}

extension ReportLines.Consequence {
    /// The place of a line among those that time brings about at one record: messages by record, device and app, then tokens by device and app.
    struct OrderInTime: Comparable {
        var isToken: Bool
        var seq: UInt64
        var device: String
        var app: String
        var target: Int

        static func < (left: Self, right: Self) -> Bool {
            if left.isToken != right.isToken { return right.isToken }
            return (left.seq, left.device, left.app, left.target) < (right.seq, right.device, right.app, right.target)
        }
    }

    var orderInTime: OrderInTime {
        OrderInTime(
            isToken: note.original == nil, seq: note.original ?? 0, device: message.device.string,
            app: message.topic.string, target: message.target ?? 0)
    }
}

extension Verdict {
    /// True if the message is to be delivered.
    @inline(__always)
    var isAccepted: Bool { if case .accepted = self { true } else { false } }

    /// The result of a message that does not reach its device.
    var undeliveredOutcome: Outcome {
        switch self {
        case .malformed: .malformed
        case .rejected, .refused: .rejected
        case .suppressed, .withheld: .suppressed
        case .fannedOut: .fannedOut
        case .held: .held
        case .expired: .expired
        case .discarded: .discarded
        case .event: .applied
        case .accepted: .delivered
        }
    }
}

/// A line of the report, lent for the duration of a call: it cannot be copied or kept, and reading a property copies that only. `PushReport(_:)`
/// makes a value to keep.
@safe  // SOUND: whoever unsafely creates one keeps the message and its trace alive while it is lent.
public struct RecordReport: ~Copyable {
    /// Number of the record, from 1; continues the numbering of a store that was used before.
    public let seq: UInt64
    /// The outcome of the message.
    public let outcome: Outcome
    /// `seq` of the replaced notification.
    public let replaces: UInt64?
    /// Points into the pipeline's memory, because a message is large.
    let base: UnsafePointer<DecodedMessage>
    /// The values that most lines do not have; nil for those lines.
    let details: Details?

    /// The values that most lines do not have. In a class, because a line is passed on several times.
    @safe  // SOUND: as for the report.
    final class Details {
        fileprivate(set) var findings: ArraySlice<Finding>
        let decodeFailure: DecodeFailure?
        let note: ReportNote?
        let obstacle: ExtensionObstacle?
        let source: RecordSource?
        /// Points into the pipeline's memory; nil unless messages are traced.
        fileprivate let trace: UnsafePointer<MessageTrace>?

        /// Nil if there are none.
        init?(
            findings: ArraySlice<Finding>, decodeFailure: DecodeFailure? = nil, note: ReportNote? = nil,
            obstacle: ExtensionObstacle? = nil, source: RecordSource? = nil, trace: UnsafePointer<MessageTrace>?
        ) {
            // SOUND: stores the address.
            let isEmpty =
                unsafe findings.isEmpty && decodeFailure == nil && note == nil && obstacle == nil && source == nil
                && trace == nil
            if isEmpty { return nil }
            self.findings = findings
            self.decodeFailure = decodeFailure
            self.note = note
            self.obstacle = obstacle
            self.source = source
            unsafe self.trace = unsafe trace
        }
    }

    /// Findings, in the order they were added.
    public var findings: ArraySlice<Finding> { details?.findings ?? [] }
    /// Why there is no message, when the outcome is `malformed`.
    public var decodeFailure: DecodeFailure? { details?.decodeFailure }
    /// Rare details; nil for most lines.
    package var note: ReportNote? { details?.note }
    /// Why no service extension was started; nil if one was, if the message never left its provider, and if the run has no
    /// extension.
    package var extensionObstacle: ExtensionObstacle? { details?.obstacle }

    /// Where its record is in the input, when there are several inputs, when there is a finding, and when it is malformed. Nil
    /// for a line that is not about its record itself, and for an input without a name.
    package var source: RecordSource? { details?.source }

    /// - Parameter details: those that do not follow from the result.
    init(
        seq: UInt64, _ result: LaneResult, borrowing message: UnsafePointer<DecodedMessage>, _ details: Details? = nil
    ) {
        // SOUND: stores the address; the creator keeps what it points to alive.
        self.seq = seq
        outcome = result.outcome
        replaces = result.replaces == 0 ? nil : result.replaces
        unsafe base = unsafe message
        // False for most deliveries, which then need no list of findings.
        guard result.cleared != 0 || outcome == .suppressed else {
            self.details = details
            return
        }
        self.details = unsafe Self.withFinding(details, cleared: Int(result.cleared), message)
    }

    /// Adds the finding about a delivery, which the store does not report itself.
    @inline(never)
    private static func withFinding(
        _ details: Details?, cleared: Int, _ message: UnsafePointer<DecodedMessage>
    ) -> Details? {
        // SOUND: the caller keeps the message alive.
        // If Android drops a message, it is suppressed although it is accepted.
        if cleared == 0, unsafe !message.pointee.verdict.isAccepted { return details }
        guard let details else {
            return unsafe cleared == 0 ? ofTooMany : Details(findings: [self.cleared(cleared)], trace: nil)
        }
        details.findings.append(cleared == 0 ? tooMany : self.cleared(cleared))
        return details
    }

    /// The details of every line that has only this finding: a stream may have many of them.
    // SOUND: it never changes, and has no trace.
    private nonisolated(unsafe) static let ofTooMany = unsafe Details(findings: [tooMany], trace: nil)

    /// The finding about a notification that Android drops.
    static let tooMany = Finding(
        rule: "android.too-many", severity: .warning, pointer: "",
        message:
            "the app shows as many notifications as Android lets it, \(Platform.mostNotificationsOnAndroid) unless --android-notifications says otherwise, so this one is dropped; an update of a tag that is shown passes"
    )

    /// The finding about a push whose badge has removed notifications.
    static func cleared(_ count: Int) -> Finding {
        Finding(
            rule: "aps.badge-clears", severity: .info, pointer: "",
            message:
                "the badge was not 0 before, so 0 removes \(count) notification\(count == 1 ? "" : "s") of the app from the screen; UNCONFIRMED for iOS 18 and later"
        )
    }

    /// The message's trace; nil unless `PipelineConfiguration.traces` is set.
    package var trace: MessageTrace? {
        // SOUND: the trace is initialized, and alive while the report is valid.
        unsafe details?.trace?.pointee
    }

    /// The message; meaningless if the outcome is `malformed`. Reading a field copies only that field.
    package var message: DecodedMessage {
        // SOUND: the message is initialized, and alive while the report is lent.
        unsafe base.pointee
    }

    /// The service that answers; meaningless for an event.
    public var provider: Provider { message.provider }
    /// Token, registration id, topic or condition.
    public var device: String { message.device.string }
    /// The app as the request names it; empty when it names none.
    public var app: String { message.topic.string }
    /// The bytes that count towards the budget.
    public var byteCount: Int { message.byteCount }
    /// The budget in bytes.
    public var byteLimit: Int { message.byteLimit }
    /// The name of the event; nil for a message.
    public var event: String? { note?.event }

    /// HTTP status of the provider's answer; nil if there is none, or if it was reported before.
    public var status: Int? {
        if note?.original != nil || note?.sentTo != nil { return nil }
        return switch message.verdict {
        case .rejected(let rejection): rejection.row.status
        case .malformed, .event, .refused: nil
        case .accepted, .fannedOut, .suppressed, .withheld, .held, .expired, .discarded: 200
        }
    }

    /// The provider's word for a rejection, or why nothing was delivered or shown.
    public var reason: String? { reasonText?.string }

    /// The same without a copy. The text is valid for good.
    package var reasonText: BorrowedText? {
        switch message.verdict {
        case .rejected(let rejection): BorrowedText(rejection.row.reason)
        case .suppressed(let reason), .expired(let reason), .discarded(let reason): BorrowedText(reason)
        case .refused(let reason), .withheld(let reason): reason
        case .event, .held: (note?.reason).map { BorrowedText($0) }
        case .accepted:
            switch outcome {
            case .suppressed: BorrowedText(Delivery.tooMany)
            case .silent: BorrowedText(message.silenceReason.row.name)
            default: nil
            }
        case .fannedOut, .malformed: nil
        }
    }

    /// The answer that the sender got, if it is not the one here; nil in a run that does not compare answers.
    package var differingAnswer: SenderAnswer? {
        guard let answer = details?.note?.answer else { return nil }
        return answer.difference(from: message)?.theirs
    }

    /// True if the message is or was on a device's screen, and so has an identifier there.
    public var isShown: Bool {
        switch outcome {
        case .delivered, .replaced, .reposted, .presented: true
        case .silent, .fannedOut, .held, .suppressed, .rejected, .malformed, .expired, .discarded, .applied, .ignored,
            .started, .updated, .ended:
            false
        }
    }

    /// Why a notification that is shown makes no sound: on an Apple device as in `ReportNote.quiet`, or as in a browser.
    public var quiet: String? { note?.quiet ?? quietInBrowser?.description }

    /// The same for a browser: `silent`, as its sender wants, or `no-renotify`, because it replaces another one. Source:
    /// WHATWG, Notifications API, "Showing a notification".
    var quietInBrowser: StaticString? {
        guard isShown, message.platform == .web else { return nil }
        if message.content.isQuiet { return "silent" }
        return outcome == .replaced && !message.content.alertsAgain ? "no-renotify" : nil
    }

    /// Passes the identifier of a shown notification to `body`: the sender's, or a generated one.
    package func withIdentifier<Result>(_ body: (BorrowedText) -> Result) -> Result? {
        guard isShown else { return nil }
        if let identifier = message.identifier { return body(identifier) }
        var result: Result?
        GeneratedIdentifier(seq: note?.original ?? seq, target: message.target).withBorrowedText { result = body($0) }
        return result
    }

    /// The identifier of a shown notification; nil if nothing is shown.
    public var identifier: String? { withIdentifier { $0.string } }
}

/// Rare details of report lines: for events, for messages that were queued, and for tokens whose state changed.
package struct ReportNote: Sendable {
    /// The event that the line is about; nil for a message.
    package internal(set) var event: String?
    /// Why the event had no effect.
    package internal(set) var reason: StaticString?
    /// `seq` of the formerly queued message that the line is about.
    package internal(set) var original: UInt64?
    /// The topic or condition that the message was sent to, on the lines of its subscribers.
    package internal(set) var sentTo: String?
    /// The token of Expo's that the message was sent to, and that led to its device.
    package internal(set) var expoToken: String?
    /// Number of subscribers that a message to a topic was sent to.
    package internal(set) var recipients: Int?
    /// Since when the token is dead, in milliseconds since the epoch.
    package internal(set) var timestamp: Int64?
    /// The token that the provider should use from now on.
    package internal(set) var canonical: String?
    /// The app's actions, in order: `come-to-front`, `dismiss-modal compose`, `push-centre`.
    package internal(set) var steps: [String] = []
    /// Why the notification is in the list and made no sound: `focus`, `summary`, `passive`, `provisional`.
    package internal(set) var quiet: String?
    /// The token of a Live Activity that the message was sent to, if that is not its device. Not reported.
    var activityToken: String?
    /// The identifiers of the Live Activities that the message changed, in the order in which they began.
    package internal(set) var activities: [String] = []
    /// True for an event of a token or a device that follows from a record, instead of being one.
    var isDerivedEvent = false
    /// True if the line is not about a record itself, but about a queued message, a subscriber or a token.
    package var isConsequence: Bool { original != nil || sentTo != nil || isDerivedEvent }
    /// The notification that an app has posted or removed by itself, and `seq` of the one that it replaced.
    package internal(set) var identifier: String?
    package internal(set) var replaces: UInt64?
    /// Number of dropped messages that the app is notified of.
    package internal(set) var totalDeleted: Int?

    /// The notifications that became stale duplicates with this delivery: an extension asked for their removal, which comes later or
    /// is lost.
    package internal(set) var stale: [StaleNotification] = []

    /// The answer that the record's sender got; nil without one, and in a run that does not compare answers.
    var answer: ComparedAnswer?

    init() {}
}

extension ReportNote {
    /// Takes what the delivery of a message that is not in the chunk has noted.
    mutating func take(_ delivered: ReportNote) {
        activities = delivered.activities
        stale = delivered.stale
        if !delivered.steps.isEmpty { steps = delivered.steps }
        quiet = delivered.quiet ?? quiet
    }

    mutating func set(_ arrival: Arrival) {
        // It is presented later, which is noted by then.
        if arrival.isEmpty { return }
        steps = arrival.steps.map(\.text)
        quiet = arrival.quiet?.rawValue
    }
}
