import AppSimulation
import PushDecoding
import PushDevices
import PushFraming
import PushJSON
import PushModel

/// The report of a chunk: a result per message, and rare details. Valid until the next chunk begins.
@safe  // SOUND: owns the results, of which the first `count` are initialized.
final class ReportLines {
    /// The result of each message. Lanes write to them, each to its own.
    private(set) var results: UnsafeMutablePointer<LaneResult>
    /// The lanes' view of each message; initialized by `begin` if it gets lanes.
    private(set) var keys: UnsafeMutablePointer<DeliveryKey>
    private var capacity = 256
    private(set) var count = 0
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

    func set(_ result: LaneResult, at index: Int) {
        precondition(index < count)
        // SOUND: the index was checked.
        unsafe results[index] = result
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

    var hasNotes: Bool { !notes.isEmpty }

    /// Changes the notes that messages have.
    func changeNotes(of messages: Range<Int>, _ change: (inout ReportNote) -> Void) {
        for index in messages {
            if let place = notePlace(of: index) { change(&notes[place]) }
        }
    }

    func takeNote(of index: Int) -> ReportNote? {
        guard let place = notePlace(of: index) else { return nil }
        notePlaces[index + 1] = 0
        return place == notes.count - 1 ? notes.removeLast() : notes[place]
    }

    /// Passes the lines in input order. Each is valid for the duration of the call.
    func forEach(
        of batch: borrowing MessageBatch, tracer: Tracer?, sources: SourceFinder?,
        _ body: (borrowing RecordReport) throws -> Void
    ) rethrows {
        // SOUND: there is one result for each message of the batch, which is borrowed until the last call.
        guard let messages = unsafe batch.messages.baseAddress else { return }
        let findings = batch.findings
        let failures = batch.decodeFailures
        let texts = findings.map(\.finding)
        var sources = sources
        let reportsAll = places?.reportsSources ?? sources?.isAlwaysReported ?? false
        // True if no line has details but by what is found or noted about it.
        let isPlain = places == nil && !notesObstacles && !reportsAll && tracer == nil
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
                    trace: tracer.map { ($0, index) })
                let seq = places?.sequences[record] ?? firstSequence &+ UInt64(truncatingIfNeeded: record)
                try unsafe body(RecordReport(seq: seq, result, borrowing: messages + index, details))
            }
            try handOutConsequences(of: index, isBefore: false)
        }
        try handOutConsequences(of: count, isBefore: true)
    }

    func note(of index: Int) -> ReportNote? { notePlace(of: index).map { notes[$0] } }

    /// The place of a record in the original input, if it has one there; its place in a part says nothing.
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
            let details = RecordReport.Details(
                findings: line.findings[...], note: line.note,
                obstacle: notesObstacles ? line.message.extensionObstacle : nil)
            try unsafe body(RecordReport(seq: line.seq, line.result, borrowing: message, details))
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
        /// Number of the record that has brought it about.
        var seq: UInt64
        var result: LaneResult
        var message: DecodedMessage
        var findings: [Finding]
        var note: ReportNote

        /// The place of the line among those that time brings about at one record: messages by record, device and app, then tokens by device
        /// and app.
        var orderInTime: (isToken: Int, seq: UInt64, device: String, app: String, target: Int) {
            (
                note.original == nil ? 1 : 0, note.original ?? 0, message.device.string, message.topic.string,
                message.target ?? 0
            )
        }
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
