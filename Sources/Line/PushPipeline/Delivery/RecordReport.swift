import DeviceScreens
package import PayloadJSON
public import PushModel

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
        let findings: ArraySlice<Finding>
        let decodeFailure: DecodeFailure?
        let note: ReportNote?
        let obstacle: ExtensionObstacle?
        let source: RecordSource?
        /// Points into the pipeline's memory; nil unless messages are traced.
        fileprivate let trace: UnsafePointer<MessageTrace>?

        init(
            _ findings: ArraySlice<Finding>, _ decodeFailure: DecodeFailure?, _ note: ReportNote?,
            _ obstacle: ExtensionObstacle?, _ source: RecordSource?, _ trace: UnsafePointer<MessageTrace>?
        ) {
            // SOUND: stores the address.
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

    package init(
        seq: UInt64, outcome: Outcome, replaces: UInt64?, cleared: Int = 0,
        borrowing message: UnsafePointer<DecodedMessage>,
        findings: ArraySlice<Finding>, decodeFailure: DecodeFailure?, trace: UnsafePointer<MessageTrace>? = nil,
        note: ReportNote? = nil, obstacle: ExtensionObstacle? = nil, source: RecordSource? = nil
    ) {
        // SOUND: stores the addresses; the creator keeps what they point to alive.
        self.seq = seq
        self.outcome = outcome
        self.replaces = replaces
        unsafe self.base = unsafe message
        let findings =
            Self.mayHaveFindings(outcome, cleared: cleared)
            ? unsafe findings + Self.findings(cleared: cleared, message) : findings
        let isPlain =
            unsafe findings.isEmpty && decodeFailure == nil && trace == nil && note == nil && obstacle == nil
            && source == nil
        details = unsafe isPlain ? nil : Details(findings, decodeFailure, note, obstacle, source, trace)
    }

    /// A line without details.
    init(seq: UInt64, _ result: LaneResult, borrowing message: UnsafePointer<DecodedMessage>) {
        // SOUND: as above.
        self.seq = seq
        outcome = result.outcome
        replaces = result.replaces == 0 ? nil : result.replaces
        unsafe base = unsafe message
        guard Self.mayHaveFindings(outcome, cleared: Int(result.cleared)) else {
            details = nil
            return
        }
        if result.cleared > 0 {
            details = unsafe Details([Self.cleared(Int(result.cleared))], nil, nil, nil, nil, nil)
        } else {
            details = unsafe Self.isDropped(message) ? Self.ofTooMany : nil
        }
    }

    /// False for most deliveries, which then need no list of findings.
    @inline(__always)
    private static func mayHaveFindings(_ outcome: Outcome, cleared: Int) -> Bool {
        cleared != 0 || outcome == .suppressed
    }

    /// The findings about a delivery, which lanes do not report themselves.
    @inline(never)
    private static func findings(
        cleared: Int, _ message: UnsafePointer<DecodedMessage>
    ) -> ArraySlice<Finding> {
        // SOUND: the caller keeps the message alive.
        guard cleared == 0 else { return [self.cleared(cleared)] }
        return unsafe isDropped(message) ? ofTooMany.findings : []
    }

    /// True if a message that is suppressed is so because Android drops it.
    private static func isDropped(_ message: UnsafePointer<DecodedMessage>) -> Bool {
        // SOUND: the caller keeps the message alive.
        unsafe message.pointee.verdict.isAccepted
    }

    /// The details of every line that has only this finding: a stream may have many of them.
    // SOUND: it never changes, and has no trace.
    private nonisolated(unsafe) static let ofTooMany = unsafe Details([tooMany], nil, nil, nil, nil, nil)

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
