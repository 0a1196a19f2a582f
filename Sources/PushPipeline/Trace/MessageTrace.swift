public import ExtensionHost
public import NotificationStore
public import PayloadJSON
import PushDecoding
public import PushModel

/// What happened to one message on its way. Valid for the duration of the call that hands it out.
public struct MessageTrace {
    /// What a mutation made of the message's payload. The two are the same text when it changed nothing.
    public struct Step {
        /// `RecordStage.name`.
        public let stage: String
        /// The payload as the stage got it.
        public let before: BorrowedText
        /// The payload as the stage left it.
        public let after: BorrowedText

        /// Whether any byte is another one.
        public var isChange: Bool { !(before == after) }
    }

    /// What a service extension had to do with the message.
    public enum Extension {
        /// Nothing, and why.
        case notStarted(StaticString)
        /// It was started.
        case started(ExtensionTrace)
    }

    /// The record as it stands in the input; empty when it was too long to be kept, or when it is broken and redacted.
    public let record: BorrowedText
    /// The payload as it was decoded from the record.
    public let payload: BorrowedText
    /// What the payload said then.
    public let decoded: NotificationContent
    /// What the payload said when the mutations were done, and before a service extension was asked.
    public let sent: NotificationContent
    /// What the mutations did, in their order. None behind one that refused the message.
    public internal(set) var steps: [Step] = []
    /// Nil when the pipeline has no extension.
    public internal(set) var serviceExtension: Extension?
    /// What happened on the screen of the app because of the message, in the order in which it happened.
    public internal(set) var events: [JournalEntry] = []
    /// What the app shows now; nil when the message did not get to its device.
    public internal(set) var screen: ScreenState?
}

/// What the record-local stages leave behind for a trace, beside a chunk's messages.
struct ChunkTraces {
    /// By message.
    var decoded: [(content: NotificationContent, payload: BorrowedText)] = []
    /// By message, in the order of the messages; the steps of one message in the order of the stages.
    private(set) var steps: [(message: Int, step: MessageTrace.Step)] = []
    /// What is shown in the place of records that are redacted.
    var records: [Int: BorrowedText] = [:]

    /// Notes the messages that came since the last call, before anything changes them.
    mutating func noteDecoded(_ messages: UnsafeMutableBufferPointer<PushMessage>) {
        for index in decoded.count..<messages.count {
            decoded.append((messages[index].content, messages[index].payload))
        }
    }

    /// The payloads as a stage finds them; nil for messages that it is not called for.
    func payloads(of messages: UnsafeMutableBufferPointer<PushMessage>) -> [BorrowedText?] {
        messages.map { if case .accepted = $0.verdict { $0.payload } else { nil } }
    }

    /// Notes what a stage made of payloads.
    mutating func noteChanges(
        by stage: String, _ before: [BorrowedText?], _ messages: UnsafeMutableBufferPointer<PushMessage>
    ) {
        let isFirst = steps.isEmpty
        for (index, before) in before.enumerated() {
            guard let before else { continue }
            steps.append((index, MessageTrace.Step(stage: stage, before: before, after: messages[index].payload)))
        }
        if isFirst { return }
        // The position settles ties, because `sort` does not promise to keep the order of equals.
        steps = steps.enumerated().sorted { ($0.element.message, $0.offset) < ($1.element.message, $1.offset) }
            .map(\.element)
    }

    /// Replaces a step's payloads by others.
    mutating func setStep(_ position: Int, _ step: MessageTrace.Step) { steps[position].step = step }

    mutating func removeAll() {
        if !decoded.isEmpty { decoded.removeAll(keepingCapacity: true) }
        if !steps.isEmpty { steps.removeAll(keepingCapacity: true) }
        if !records.isEmpty { records.removeAll(keepingCapacity: true) }
    }
}

/// Keeps the traces of a chunk's messages while they are delivered.
final class Tracer {
    let log = DeliveryLog()
    private var traces: UnsafeMutableBufferPointer<MessageTrace> = .init(start: nil, count: 0)

    deinit { removeAll() }

    /// The traces by message, valid until the next chunk.
    var base: UnsafePointer<MessageTrace>? { UnsafePointer(traces.baseAddress) }

    private func removeAll() {
        traces.deinitialize()
        traces.deallocate()
        traces = .init(start: nil, count: 0)
    }

    /// Makes ready for the messages of a chunk, which has been through the record-local stages.
    func begin(_ chunk: borrowing RecordChunk) {
        removeAll()
        _ = log.take()
        let messages = chunk.batch.messages
        let made = UnsafeMutableBufferPointer<MessageTrace>.allocate(capacity: messages.count)
        for index in messages.indices {
            let (content, payload) = chunk.traces.decoded[index]
            let trace = MessageTrace(
                record: Self.record(messages[index].record, in: chunk), payload: payload, decoded: content,
                sent: messages[index].content)
            made.initializeElement(at: index, to: trace)
        }
        for (index, step) in chunk.traces.steps { made[index].steps.append(step) }
        traces = made
    }

    private static func record(_ number: Int, in chunk: borrowing RecordChunk) -> BorrowedText {
        if let redacted = chunk.traces.records[number] { return redacted }
        guard case .record(let range) = chunk.frames[number], let base = chunk.input.bytes.baseAddress else {
            return .empty
        }
        return BorrowedText(start: (base + range.lowerBound).assumingMemoryBound(to: UInt8.self), count: range.count)
    }

    /// Takes down what came of a message.
    func didDeliver(_ message: PushMessage, _ index: Int, _ session: any DeliverySession) throws {
        traces[index].events = log.take()
        let hasScreen =
            switch message.verdict {
            case .accepted: true
            // It may be about a device with all of its apps, or about none.
            case .event: !traces[index].events.isEmpty && !message.app.isEmpty
            case .malformed, .rejected, .suppressed, .held, .expired, .discarded: !traces[index].events.isEmpty
            }
        if hasScreen { traces[index].screen = try session.screen(for: message) }
    }

    /// Changes the trace of a message of the chunk.
    func update(_ index: Int, _ change: (inout MessageTrace) -> Void) {
        if traces.indices.contains(index) { change(&traces[index]) }
    }
}
