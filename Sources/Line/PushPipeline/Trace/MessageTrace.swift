package import ExtensionHosting
import PushDecoding
package import PushDevices
package import PushJSON
package import PushModel

/// The history of one message, stage by stage. Valid for the duration of the call that provides it.
package struct MessageTrace {
    /// A mutation's effect on the payload. Both texts are the same if it changed nothing.
    package struct Step {
        /// `RecordStage.name`.
        package let stage: String
        package let before: BorrowedText
        package let after: BorrowedText

        package var isChange: Bool { !(before == after) }
    }

    /// The service extension's run for the message.
    package enum Extension {
        /// It was not started, with the reason.
        case notStarted(StaticString)
        /// It was started.
        case started(ExtensionTrace)
    }

    /// How an earlier notification differs from one that the message would replace, the nearest first: it has left the screen, its identifier
    /// is spelled differently, it is of another app or on another device, it shares nothing but the `thread-id`, it has another identifier, it
    /// was sent without one, the message has none, or neither has.
    package enum Difference: Int { case gone, spelling, app, device, thread, other, missing, missingHere, neither }

    /// Such a notification, by the last line of the journal about it.
    package typealias NearMiss = (difference: Difference, entry: JournalEntry)

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
    /// The time at which the record arrived, in milliseconds since the epoch, by the run's clock.
    package internal(set) var at: Int64 = 0
    /// Nil if the pipeline has no extension.
    package internal(set) var serviceExtension: Extension?
    /// The changes to the app's screen caused by the message, in order.
    package internal(set) var events: [JournalEntry] = []
    /// The app's notifications afterwards; nil if the message did not reach its device.
    package internal(set) var screen: ScreenState?
    /// Nil if it replaced something, or nothing comes near.
    package internal(set) var nearMiss: NearMiss?

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
    /// The content and the payload of each message as decoded.
    var decoded: [(content: NotificationContent, payload: BorrowedText)] = []
    /// The steps with the indices of their messages, in the order of these; the steps of one message in the order of the stages.
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

    mutating func setStep(_ position: Int, _ step: MessageTrace.Step) { steps[position].step = step }
}

/// The last event of each notification, by the digits of its identifier and, in any order and case, its letters.
struct ReplacementHistory {
    /// Identifiers that are remembered, at most, and notifications of each.
    private static let mostIdentifiers = 10_000
    private static let mostNotifications = 100
    private static let ends: Set<JournalKind> = [.removed, .cleared, .withdrawn, .tapped, .dismissed]

    private var entries: [String: [JournalEntry]] = [:]
    /// The latest notification of each thread, by the names of device, app and thread, and of each app, by the names of device and app.
    private var latest: [[String]: (entry: JournalEntry, isNamed: Bool)] = [:]

    private static func key(_ entry: JournalEntry) -> String {
        let text = entry.identifier.lowercased()
        return text.filter(\.isNumber) + " " + text.filter(\.isLetter).sorted()
    }

    mutating func add(_ entry: JournalEntry) {
        guard !entry.identifier.isEmpty, Self.ends.union([.delivered, .replaced]).contains(entry.kind) else { return }
        if entries.count >= Self.mostIdentifiers { entries.removeAll() }
        let known = entries[Self.key(entry)] ?? []
        let old = known.firstIndex {
            ($0.identifier, $0.app, $0.device) == (entry.identifier, entry.app, entry.device)
        }
        // What is dismissed is removed, too.
        if let old, Self.ends.contains(known[old].kind), Self.ends.contains(entry.kind) { return }
        let others = known.enumerated().filter { $0.offset != old }.map(\.element)
        entries[Self.key(entry)] = others.suffix(Self.mostNotifications) + [entry]
    }

    /// Records a notification as the latest of its app and thread.
    ///
    /// - Parameter isNamed: false if its sender gave it no identifier.
    /// - Returns: the latest notification on the screen from which it differs in its identifier, or the lack of one: one of its thread, or
    ///   else one whose identifier has the same letters, or else one of its app.
    mutating func addLatest(_ new: JournalEntry, thread: String?, isNamed: Bool) -> MessageTrace.NearMiss? {
        let ofThread = thread.flatMap { exchange(new, [new.device, new.app, "thread", $0], isNamed) }
        let letters = new.identifier.lowercased().filter(\.isLetter)
        let alike = isNamed && !letters.isEmpty ? exchange(new, [new.device, new.app, "letters", letters], true) : nil
        let ofApp = exchange(new, [new.device, new.app], isNamed)
        if let ofThread, !isNamed, !ofThread.isNamed { return (.thread, ofThread.entry) }
        guard let old = ofThread ?? alike ?? ofApp, !old.entry.identifier.utf8.elementsEqual(new.identifier.utf8) else {
            return nil
        }
        switch (isNamed, old.isNamed) {
        case (true, true): return (.other, old.entry)
        case (true, false): return (.missing, old.entry)
        case (false, true): return (.missingHere, old.entry)
        case (false, false): return (.neither, old.entry)
        }
    }

    /// Sets the latest notification of a key. Returns the one before it, if it is on the screen.
    private mutating func exchange(
        _ new: JournalEntry, _ key: [String], _ isNamed: Bool
    ) -> (entry: JournalEntry, isNamed: Bool)? {
        if latest.count >= Self.mostIdentifiers { latest.removeAll() }
        guard let old = latest.updateValue((new, isNamed), forKey: key) else { return nil }
        let last = entries[Self.key(old.entry)]?.last {
            ($0.identifier, $0.app, $0.device) == (old.entry.identifier, old.entry.app, old.entry.device)
        }
        return last.flatMap { Self.ends.contains($0.kind) ? nil : old }
    }

    /// The notification that a new one nearly replaces; the latest of several that are equally near.
    func nearMiss(of new: JournalEntry) -> MessageTrace.NearMiss? {
        /// White space at an end is nearer than another case.
        func rank(_ miss: MessageTrace.NearMiss) -> (Int, Int) {
            let isTrimmed =
                miss.entry.identifier.filter { !$0.isWhitespace } == new.identifier.filter { !$0.isWhitespace }
            return (miss.difference.rawValue, isTrimmed ? 0 : 1)
        }
        return (entries[Self.key(new)] ?? []).reversed().compactMap { old -> MessageTrace.NearMiss? in
            let isGone = Self.ends.contains(old.kind)
            switch (
                new.identifier.utf8.elementsEqual(old.identifier.utf8), new.app == old.app, new.device == old.device,
                isGone
            ) {
            case (true, true, true, true): return (.gone, old)
            case (false, true, true, false): return (.spelling, old)
            case (true, false, true, false): return (.app, old)
            case (true, true, false, false): return (.device, old)
            default: return nil
            }
        }.min { rank($0) < rank($1) }
    }
}

/// Holds the traces of a chunk's messages during delivery.
final class Tracer {
    let log = DeliveryLog()
    /// True if replacement acts as a service extension.
    private let emulatesExtension: Bool
    /// The traces by message, until the next chunk.
    private(set) var traces: [MessageTrace] = []
    var history = ReplacementHistory()

    init(emulatesExtension: Bool) { self.emulatesExtension = emulatesExtension }

    /// Prepares for the messages of a chunk that has passed the record-local stages.
    func begin(_ chunk: borrowing RecordChunk) {
        // SOUND: `decoded` has an element for each message of the batch, which stays as it is during the call.
        _ = log.take()
        let messages = unsafe chunk.batch.messages
        traces.removeAll()
        for (index, decoded) in chunk.traces.decoded.enumerated() {
            let (number, content) = unsafe (messages[index].record, messages[index].content)
            let record = chunk.redactedRecords[number] ?? chunk.text(ofRecord: number) ?? .empty
            traces.append(
                MessageTrace(record: record, payload: decoded.payload, decoded: decoded.content, sent: content))
        }
        for (index, step) in chunk.traces.steps { traces[index].steps.append(step) }
    }

    /// Records the outcome of a message.
    func didDeliver(_ message: DecodedMessage, _ index: Int, at: Int64, _ session: any DeliverySession) throws {
        traces[index].at = at
        traces[index].events = log.take()
        let content = message.content
        let hasIdentifier = message.headers.collapseID != nil || content.tag != nil
        let hasCustomID =
            content.customID != nil && !(emulatesExtension && message.reasonForNoExtension != nil)
        let isEvent = if case .event = message.verdict { true } else { false }
        for entry in traces[index].events {
            if entry.kind == .delivered || entry.kind == .replaced {
                let isNamed = isEvent ? Self.hasChosenName(entry) : hasIdentifier || hasCustomID
                let other = history.addLatest(entry, thread: content.thread?.string, isNamed: isNamed)
                // A custom id is not in the journal.
                if entry.kind == .delivered, !hasCustomID {
                    traces[index].nearMiss = (isNamed ? history.nearMiss(of: entry) : nil) ?? other
                }
            }
            history.add(entry)
        }
        let hasScreen =
            switch message.verdict {
            case .accepted: true
            // It may concern all apps of a device, or none.
            case .event: !traces[index].events.isEmpty && !message.app.isEmpty
            case .malformed, .rejected, .refused, .suppressed, .withheld, .fannedOut, .held, .expired, .discarded:
                !traces[index].events.isEmpty
            }
        if emulatesExtension, let reason = message.reasonForNoExtension {
            traces[index].serviceExtension = .notStarted(reason)
        }
        if hasScreen { traces[index].screen = try session.screen(for: message) }
    }

    /// An event puts on the screen what an app posts, or a push that waited, and does not say whether that has a name of its own.
    private static func hasChosenName(_ entry: JournalEntry) -> Bool {
        GeneratedIdentifier(entry.identifier, seq: entry.seq) == nil
            && entry.identifier != LocalNotification.identifier(seq: entry.seq, target: nil)
    }

    func update(_ index: Int, _ change: (inout MessageTrace) -> Void) {
        if traces.indices.contains(index) { change(&traces[index]) }
    }
}
