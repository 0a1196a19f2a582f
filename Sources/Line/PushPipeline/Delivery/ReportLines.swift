import DeviceScreens
import PayloadJSON
import PushDecoding
import PushModel

/// The outcome of a message or an event.
struct Delivered {
    var seq: UInt64
    var outcome: Outcome
    var replaces: UInt64?
    /// Number of notifications that the badge removed.
    var cleared = 0
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
        unsafe results[index] = LaneResult(
            outcome: result.outcome, replaces: result.replaces ?? 0, cleared: result.cleared)
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

    /// Passes the notes of the chunk's messages, in their order.
    func forEachNote(_ body: (_ index: Int, ReportNote) -> Void) {
        for place in notePlaces.indices.dropFirst() where notePlaces[place] > 0 {
            body(place - 1, notes[notePlaces[place] - 1])
        }
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
        let texts = findings.map(\.finding)
        let isPlain = consequences.isEmpty && notes.isEmpty
        var sources = sources
        let reportsAll = places?.reportsSources ?? sources?.isAlwaysReported ?? false
        if unsafe places == nil && isPlain && !notesObstacles && !reportsAll && findings.isEmpty
            && batch.decodeFailures.isEmpty
            && traces == nil
        {
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
            if !isPlain { try handOutConsequences(of: index, isBefore: true) }
            let result = unsafe results[index]
            let first = nextFinding
            while nextFinding < texts.count, findings[nextFinding].message == index { nextFinding += 1 }
            let isMalformed =
                nextFailure < batch.decodeFailures.count && batch.decodeFailures[nextFailure].message == index
            // Most lines have no details even if others do, and to make sure of that would copy empty ones several times.
            if unsafe places == nil && !notesObstacles && !reportsAll && traces == nil, first == nextFinding,
                !isMalformed, notePlace(of: index) == nil
            {
                let seq = unsafe firstSequence &+ UInt64(truncatingIfNeeded: messages[index].record)
                try unsafe body(RecordReport(seq: seq, result, borrowing: messages + index))
                if !isPlain { try handOutConsequences(of: index, isBefore: false) }
                continue
            }
            var decodeFailure: DecodeFailure?
            if isMalformed {
                decodeFailure = batch.decodeFailures[nextFailure].decodeFailure
                nextFailure += 1
            }
            if let places, places.hidden.contains(index) {
                if !isPlain { try handOutConsequences(of: index, isBefore: false) }
                continue
            }
            let note = note(of: index)
            let isDifferent = unsafe note?.answer?.difference(from: messages[index]) != nil
            let hasSource = reportsAll || first < nextFinding || decodeFailure != nil || isDifferent
            let record = unsafe messages[index].record
            let line = unsafe RecordReport(
                seq: places?.sequences[record] ?? firstSequence &+ UInt64(truncatingIfNeeded: record),
                outcome: result.outcome,
                replaces: result.replaces == 0 ? nil : result.replaces, cleared: Int(result.cleared),
                borrowing: messages + index,
                findings: texts[first..<nextFinding], decodeFailure: decodeFailure,
                trace: traces.map { unsafe $0 + index }, note: note,
                obstacle: notesObstacles ? messages[index].extensionObstacle : nil,
                source: hasSource ? source(ofRecord: record, &sources) : nil)
            try body(line)
            if !isPlain { try handOutConsequences(of: index, isBefore: false) }
        }
        try handOutConsequences(of: count, isBefore: true)
    }

    func note(of index: Int) -> ReportNote? { notePlace(of: index).map { notes[$0] } }

    /// Where a record stands in the original input, if it has a place there; its place in a part says nothing.
    private func source(ofRecord record: Int, _ sources: inout SourceFinder?) -> RecordSource? {
        guard let place = places?.places[record], place.seq != nil else { return sources?.source(ofRecord: record) }
        return place.source
    }

    private func handOut(_ line: Consequence, _ body: (borrowing RecordReport) throws -> Void) rethrows {
        // SOUND: the message lives until `body` returns.
        try unsafe withUnsafePointer(to: line.message) { message in
            try unsafe body(
                RecordReport(
                    seq: line.result.seq, outcome: line.result.outcome, replaces: line.result.replaces,
                    cleared: line.result.cleared, borrowing: message, findings: line.findings[...], decodeFailure: nil,
                    note: line.note,
                    obstacle: notesObstacles ? line.message.extensionObstacle : nil))
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
