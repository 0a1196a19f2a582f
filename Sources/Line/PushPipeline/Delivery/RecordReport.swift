import AppSimulation
import PushDecoding
package import PushDevices
import PushFraming
package import PushJSON
public import PushModel

/// A line of the report, lent for the duration of a call: it cannot be copied or kept, and reading a property copies that only. `PushReport(_:)`
/// makes a value to keep.
@safe  // SOUND: whoever unsafely creates one keeps the message alive while it is lent.
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
    final class Details {
        fileprivate(set) var findings: ArraySlice<Finding>
        let decodeFailure: DecodeFailure?
        let note: ReportNote?
        let obstacle: ExtensionObstacle?
        let source: RecordSource?
        /// Has the trace of the message at an index; nil unless messages are traced.
        fileprivate let trace: (tracer: Tracer, index: Int)?

        /// Nil if there are none.
        init?(
            findings: ArraySlice<Finding>, decodeFailure: DecodeFailure? = nil, note: ReportNote? = nil,
            obstacle: ExtensionObstacle? = nil, source: RecordSource? = nil,
            trace: (tracer: Tracer, index: Int)? = nil
        ) {
            let isEmpty =
                findings.isEmpty && decodeFailure == nil && note == nil && obstacle == nil && source == nil
                && trace == nil
            if isEmpty { return nil }
            self.findings = findings
            self.decodeFailure = decodeFailure
            self.note = note
            self.obstacle = obstacle
            self.source = source
            self.trace = trace
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

    /// The place of its record in the input, when there are several inputs, when there is a finding, and when it is malformed. Nil
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
            return unsafe cleared == 0 ? ofTooMany : Details(findings: [self.cleared(cleared)])
        }
        details.findings.append(cleared == 0 ? tooMany : self.cleared(cleared))
        return details
    }

    /// The details of every line that has only this finding: a stream may have many of them.
    // SOUND: it never changes, and has no trace.
    private nonisolated(unsafe) static let ofTooMany = Details(findings: [tooMany])

    static let tooMany = Finding(
        rule: "android.too-many", severity: .warning, pointer: "",
        message:
            "the app already shows as many notifications as Android allows, \(Platform.mostNotificationsOnAndroid) unless the run sets another limit, so this one is dropped; an update of a tag that is shown passes"
    )

    static func cleared(_ count: Int) -> Finding {
        Finding(
            rule: "aps.badge-clears", severity: .info, pointer: "",
            message:
                "the badge was not 0 before, so 0 removes \(count) notification\(count == 1 ? "" : "s") of the app from the screen; UNCONFIRMED for iOS 18 and later"
        )
    }

    /// The message's trace; nil unless `PipelineConfiguration.traces` is set.
    package var trace: MessageTrace? {
        details?.trace.map { $0.tracer.traces[$0.index] }
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

    /// The provider's word for a rejection, or why nothing was delivered or shown, without a copy. The text is valid for good.
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

    /// Why a notification in a browser makes no sound: `silent`, as its sender wants, or `no-renotify`, because it replaces another one. Source:
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
