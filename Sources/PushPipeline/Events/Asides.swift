import AppSimulation
import DeviceRegistry
import DeviceScreens
import NotificationStore
import PayloadJSON
import PushDecoding
import PushModel

/// What became of one message of a chunk, or of an event.
struct Delivered {
    var seq: UInt64
    var outcome: Outcome
    var replaces: UInt64?
}

/// The side of a chunk that most chunks have not: who cannot be reached, what events do, and the lines about messages that were held.
///
/// Touched by the thread that delivers alone. What it says about a chunk is valid until the next one begins.
final class Asides {
    /// A line behind that of a message of the chunk.
    private struct Line {
        /// The message of the chunk behind which it comes.
        var behind: Int
        var result: Delivered
        /// What it is about, in `messages`.
        var message: PushMessage
        var findings: [Finding]
        var note: ReportNote
    }

    private let policy: DevicePolicy
    private var reader: QueuedMessageReader
    private var platforms: PlatformReader
    private var session: (any DeliverySession)?
    private var registry = DeviceRegistry()
    /// Whether messages need not be looked at.
    private(set) var isIdle = true
    private var lines: [Line] = []
    private var notes: [Int: ReportNote] = [:]
    private var nextEvent = 0
    /// Messages that arrive now, and the line behind which they come.
    private var released: [(message: QueuedMessage, behind: Int, seq: UInt64)] = []

    init(_ configuration: PipelineConfiguration) {
        policy = configuration.devicePolicy
        reader = QueuedMessageReader(options: configuration.decoding)
        platforms = PlatformReader(options: configuration.decoding)
    }

    /// Begins a chunk.
    func begin(_ session: any DeliverySession) {
        self.session = session
        registry = session.registry
        registry.policy = policy
        isIdle = registry.isIdle
        nextEvent = 0
        if !lines.isEmpty { lines.removeAll() }
        if !notes.isEmpty { notes.removeAll() }
        if !released.isEmpty { released.removeAll() }
        reader.reset()
        platforms.reset()
    }

    /// Whether there is nothing to say but what the messages say.
    var isEmpty: Bool { lines.isEmpty && notes.isEmpty }

    // MARK: - Messages

    /// Messages that are made ready for at a time.
    private static let prefetchCount = 256

    /// Makes ready for the decisions about the messages from a multiple of that number on.
    func prefetch(_ index: Int, of batch: borrowing MessageBatch) {
        guard index.isMultiple(of: Self.prefetchCount) else { return }
        registry.prefetch(batch.messages, index..<min(index + Self.prefetchCount, batch.messages.count))
    }

    /// Finds out whether an accepted message of the chunk reaches its device, and sets its verdict when it does not.
    func decide(_ index: Int, of batch: inout MessageBatch, seq: UInt64, at: Int64) throws {
        let messages = batch.messages
        if messages[index].platform == .android, try registry.platform(of: messages[index].device) == .ios,
            let message = platforms.messageForIOS(messages[index])
        {
            messages[index] = message
        }
        let answer = try registry.decide(&messages[index], seq: seq, at: at)
        if case .accepted = messages[index].verdict, answer.isEmpty, !registry.hasFollowUps { return }
        if !answer.isEmpty {
            var note = ReportNote()
            note.timestamp = answer.unregisteredAt
            note.canonical = answer.canonical
            note.steps = answer.steps.map(\.text)
            if answer.isThrottled { note.reason = "throttled" }
            notes[index] = note
        }
        try record(messages[index], seq: seq, at: at)
        try record(answer.steps, messages[index], seq: seq, at: at)
        if case .rejected(let rejection) = messages[index].verdict {
            let finding = Finding(
                rule: rejection.rule, severity: .error, pointer: "", message: rejection.row.cause.description)
            batch.report(finding, message: index)
        }
        try takeFollowUps(behind: index, seq: seq, at: at)
    }

    /// Takes down in the journal what keeps a message from its device.
    private func record(_ message: PushMessage, seq: UInt64, at: Int64) throws {
        let event: JournalKind
        switch message.verdict {
        case .held: event = .held
        case .suppressed: event = .suppressed
        case .expired: event = .expired
        case .discarded: event = .discarded
        case .accepted, .rejected, .malformed, .event: return
        }
        try session?.record(event, for: message, seq: seq, at: at)
    }

    /// Takes down in the journal what the app does.
    private func record(_ steps: [AppStateMachine.Step], _ message: PushMessage, seq: UInt64, at: Int64) throws {
        for step in steps {
            if let event = JournalKind?.some(step.kind) { try session?.record(event, for: message, seq: seq, at: at) }
        }
    }

    private func takeFollowUps(behind index: Int, seq: UInt64, at: Int64) throws {
        for followUp in registry.takeFollowUps() {
            switch followUp {
            case .release(let held): released.append((held, index, seq))
            case .expired(let held): try add(held, .expired("expired"), .expired, behind: index, seq: seq, at: at)
            case .discarded(let held, let reason):
                try add(held, .discarded(reason.name), .discarded, behind: index, seq: seq, at: at)
            case .token(let device, let app, let fate):
                var note = ReportNote()
                note.event = fate.event.description
                note.isConsequence = true
                note.reason = fate.reason
                add(Delivered(seq: seq, outcome: .applied), reader.event(device: device, app: app), note, behind: index)
            case .deletedMessages(let device, let app, let count):
                var note = ReportNote()
                note.event = "deleted_messages"
                note.isConsequence = true
                note.totalDeleted = count
                add(Delivered(seq: seq, outcome: .applied), reader.event(device: device, app: app), note, behind: index)
            }
        }
    }

    private func add(
        _ held: QueuedMessage, _ verdict: Verdict, _ outcome: Outcome, behind index: Int, seq: UInt64, at: Int64
    ) throws {
        var message = reader.message(held)
        message.verdict = verdict
        try record(message, seq: held.seq, at: at)
        var note = ReportNote()
        note.original = held.seq
        add(Delivered(seq: seq, outcome: outcome), message, note, behind: index)
    }

    private func add(
        _ result: Delivered, _ message: PushMessage, _ note: ReportNote, findings: [Finding] = [], behind index: Int
    ) {
        lines.append(Line(behind: index, result: result, message: message, findings: findings, note: note))
    }

    /// Delivers what was held until the event that was handled last.
    func deliverReleased(
        at: Int64, _ deliver: (inout PushMessage, _ original: UInt64, inout [Finding]) throws -> Delivered
    ) throws {
        guard !released.isEmpty else { return }
        for (held, behind, seq) in released {
            var message = reader.message(held)
            let steps = try registry.arrive(&message, seq: held.seq, at: at)
            try record(message, seq: held.seq, at: at)
            try record(steps, message, seq: held.seq, at: at)
            var findings: [Finding] = []
            var result = try deliver(&message, held.seq, &findings)
            result.seq = seq
            var note = ReportNote()
            note.original = held.seq
            note.steps = steps.map(\.text)
            add(result, message, note, findings: findings, behind: behind)
        }
        released.removeAll()
    }

    // MARK: - Events

    /// Lets something happen at a device.
    ///
    /// - Parameters:
    ///   - index: the message of the chunk that stands for the event.
    ///   - clockOffset: milliseconds by which events have moved the clock on.
    func handleEvent(
        _ index: Int, of batch: borrowing MessageBatch, seq: UInt64, at: Int64, clockOffset: inout Int64
    ) throws -> Delivered {
        while nextEvent < batch.events.count, batch.events[nextEvent].message < index { nextEvent += 1 }
        guard nextEvent < batch.events.count, batch.events[nextEvent].message == index, let session else {
            return Delivered(seq: seq, outcome: .ignored)
        }
        var event = batch.events[nextEvent].event
        var note = ReportNote()
        note.event = event.name.rawValue
        var answer = EventAnswer()
        let screens = ScreenEvent(event, batch.messages[index], session)
        switch event.name {
        case .device, .preference: answer = try registry.apply(event, at: at) { try screens.identifiers(of: $0) }
        case .clock:
            let (now, overflowed) = at.addingReportingOverflow(event.advance ?? 0)
            if overflowed || now > EventTime.writable.upperBound {
                answer.ignored = .clockAtItsEnd
            } else {
                clockOffset += event.advance ?? 0
                try registry.advance(to: now)
            }
        case .tap, .dismiss, .clear:
            try registry.advance(to: at)
            // What is tapped leaves the screen, and stays in the app's own list.
            let listed = event.name == .tap ? try screens.identifiersOfAllApps() : [:]
            if let app = try screens.apply(seq: seq, at: at) {
                event.app = app
                answer = try registry.applyToApp(event, at: at) { listed[$0] ?? [] }
                answer.ignored = nil
            } else {
                answer.ignored = .noSuchNotification
            }
        case .open, .back, .close, .edit, .save, .confirm, .read:
            try registry.advance(to: at)
            answer = try registry.applyToApp(event, at: at) { try screens.identifiers(of: $0) }
        }
        let steps = answer.steps
        if !steps.isEmpty {
            try BorrowedText.with(answer.app ?? event.app ?? "") { app in
                var subject = batch.messages[index]
                subject.topic = app
                // They are about no notification in particular.
                subject.platform = .ios
                subject.headers.collapseID = .empty
                try record(steps, subject, seq: seq, at: at)
            }
        }
        note.steps = steps.map(\.text)
        note.reason = answer.ignored?.name
        notes[index] = note
        try takeFollowUps(behind: index, seq: seq, at: at)
        isIdle = registry.isIdle
        return Delivered(seq: seq, outcome: answer.ignored == nil ? .applied : .ignored)
    }

    // MARK: - Lines

    /// What only the line of this message of the chunk says.
    func note(about index: Int) -> ReportNote? { notes.isEmpty ? nil : notes[index] }

    /// Hands out the lines behind that of a message. `next` is where the search goes on; 0 at a chunk's beginning.
    func forEachLine(behind index: Int, _ next: inout Int, _ body: (RecordReport) throws -> Void) rethrows {
        while next < lines.count, lines[next].behind == index {
            let line = lines[next]
            next += 1
            try withUnsafePointer(to: line.message) { message in
                try body(
                    RecordReport(
                        seq: line.result.seq, outcome: line.result.outcome, replaces: line.result.replaces,
                        borrowing: message, findings: line.findings[...], decodeFailure: nil, note: line.note))
            }
        }
    }
}
