package import ExtensionHosting
package import PayloadJSON
import PushDecoding
package import PushDevices
package import PushModel

/// The history of one message, stage by stage. Valid for the duration of the call that provides it.
package struct MessageTrace {
    /// A mutation's effect on the payload. Both texts are the same if it changed nothing.
    package struct Step {
        /// `RecordStage.name`.
        package let stage: String
        /// The payload before the stage.
        package let before: BorrowedText
        /// The payload after the stage.
        package let after: BorrowedText

        /// True if any byte changed.
        package var isChange: Bool { !(before == after) }
    }

    /// The service extension's run for the message.
    package enum Extension {
        /// It was not started, with the reason.
        case notStarted(StaticString)
        /// It was started.
        case started(ExtensionTrace)
    }

    /// The record as received; empty if it was too long, or if it is malformed and redacted.
    package let record: BorrowedText
    /// The payload as it was decoded from the record.
    package private(set) var payload: BorrowedText
    /// The content of the decoded payload.
    package private(set) var decoded: NotificationContent
    /// The content after the mutations, before a service extension runs.
    package private(set) var sent: NotificationContent
    /// The mutations in order, up to one that rejected the message.
    package internal(set) var steps: [Step] = []
    /// When the record arrived, in milliseconds since the epoch, by the run's clock.
    package internal(set) var at: Int64 = 0
    /// Nil if the pipeline has no extension.
    package internal(set) var serviceExtension: Extension?
    /// The changes to the app's screen caused by the message, in order.
    package internal(set) var events: [JournalEntry] = []
    /// The app's notifications afterwards; nil if the message did not reach its device.
    package internal(set) var screen: ScreenState?

    /// Records that the message was decoded again, for a device of another platform.
    mutating func noteDecodedAgain(_ message: DecodedMessage) {
        payload = message.payload
        decoded = message.content
        sent = message.content
    }
}

extension DecodedMessage {
    /// Why no service extension was started, for people; nil if one was, or would be.
    var reasonForNoExtension: StaticString? {
        switch verdict {
        case .malformed: "there is no message"
        case .rejected: "the provider refuses the message"
        case .refused: "a stage refuses the message"
        case .fannedOut: "the message goes to each subscriber of its topic"
        case .event: "an event is not a message"
        case .accepted, .suppressed, .withheld, .held, .expired, .discarded: extensionObstacle?.description
        }
    }
}

/// Trace data of the record-local stages for a chunk's messages.
struct ChunkTraces {
    /// By message.
    var decoded: [(content: NotificationContent, payload: BorrowedText)] = []
    /// By message, in the order of the messages; the steps of one message in the order of the stages.
    private(set) var steps: [(message: Int, step: MessageTrace.Step)] = []

    /// Records the messages added since the last call, before anything changes them.
    mutating func noteDecoded(_ messages: UnsafeMutableBufferPointer<DecodedMessage>) {
        // SOUND: every index is below the number of messages.
        for index in decoded.count..<messages.count {
            unsafe decoded.append((messages[index].content, messages[index].payload))
        }
    }

    /// The payloads before a stage; nil for messages that it is not called for.
    func payloads(of messages: UnsafeMutableBufferPointer<DecodedMessage>) -> [BorrowedText?] {
        // SOUND: the batch keeps its messages during the call.
        unsafe messages.map { if case .accepted = $0.verdict { $0.payload } else { nil } }
    }

    /// Records how a stage changed payloads.
    mutating func noteChanges(
        by stage: String, _ before: [BorrowedText?], _ messages: UnsafeMutableBufferPointer<DecodedMessage>
    ) {
        // SOUND: `before` has a payload for each of these messages.
        let isFirst = steps.isEmpty
        for (index, before) in before.enumerated() {
            guard let before else { continue }
            unsafe steps.append(
                (index, MessageTrace.Step(stage: stage, before: before, after: messages[index].payload)))
        }
        if isFirst { return }
        // The position breaks ties, because `sort` is not guaranteed to be stable.
        steps = steps.enumerated().sorted { ($0.element.message, $0.offset) < ($1.element.message, $1.offset) }
            .map(\.element)
    }

    /// Replaces the payloads of a step.
    mutating func setStep(_ position: Int, _ step: MessageTrace.Step) { steps[position].step = step }
}

/// Holds the traces of a chunk's messages during delivery.
@safe  // SOUND: owns the traces, and initializes each of them before anyone can see it.
final class Tracer {
    let log = DeliveryLog()
    /// True if replacement acts as a service extension.
    private let emulatesExtension: Bool
    private var traces: UnsafeMutableBufferPointer<MessageTrace> = unsafe .init(start: nil, count: 0)

    init(emulatesExtension: Bool) { self.emulatesExtension = emulatesExtension }

    deinit { removeAll() }

    /// The traces by message, valid until the next chunk.
    var base: UnsafePointer<MessageTrace>? {
        // SOUND: all of the traces are initialized.
        unsafe UnsafePointer(traces.baseAddress)
    }

    private func removeAll() {
        // SOUND: all of the traces are initialized and were allocated here; both calls ignore an empty buffer.
        unsafe traces.deinitialize()
        unsafe traces.deallocate()
        unsafe traces = unsafe .init(start: nil, count: 0)
    }

    /// Prepares for the messages of a chunk that has passed the record-local stages.
    func begin(_ chunk: borrowing RecordChunk) {
        // SOUND: there is room for a trace of each message, and each is initialized once, before any gets its steps.
        removeAll()
        _ = log.take()
        let messages = unsafe chunk.batch.messages
        let made = UnsafeMutableBufferPointer<MessageTrace>.allocate(capacity: messages.count)
        for index in messages.indices {
            let (content, payload) = chunk.traces.decoded[index]
            let trace = unsafe MessageTrace(
                record: Self.record(messages[index].record, in: chunk), payload: payload, decoded: content,
                sent: messages[index].content)
            unsafe made.initializeElement(at: index, to: trace)
        }
        for (index, step) in chunk.traces.steps { unsafe made[index].steps.append(step) }
        unsafe traces = unsafe made
    }

    private static func record(_ number: Int, in chunk: borrowing RecordChunk) -> BorrowedText {
        chunk.redactedRecords[number] ?? chunk.text(ofRecord: number) ?? .empty
    }

    /// Records the outcome of a message.
    func didDeliver(_ message: DecodedMessage, _ index: Int, at: Int64, _ session: any DeliverySession) throws {
        // SOUND: `begin` made a trace for each message of the chunk, and `index` is that of one.
        unsafe traces[index].at = at
        unsafe traces[index].events = log.take()
        let hasScreen =
            switch message.verdict {
            case .accepted: true
            // It may concern all apps of a device, or none.
            case .event: unsafe !traces[index].events.isEmpty && !message.app.isEmpty
            case .malformed, .rejected, .refused, .suppressed, .withheld, .fannedOut, .held, .expired, .discarded:
                unsafe !traces[index].events.isEmpty
            }
        if emulatesExtension, let reason = message.reasonForNoExtension {
            unsafe traces[index].serviceExtension = .notStarted(reason)
        }
        if hasScreen { unsafe traces[index].screen = try session.screen(for: message) }
    }

    /// Changes the trace of a message of the chunk.
    func update(_ index: Int, _ change: (inout MessageTrace) -> Void) {
        // SOUND: the index was checked.
        if unsafe traces.indices.contains(index) { unsafe change(&traces[index]) }
    }
}
