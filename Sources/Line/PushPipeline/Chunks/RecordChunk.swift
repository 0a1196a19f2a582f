package import PayloadJSON
package import PushDecoding
import PushModel
import PushStore
import RecordFraming

/// A part of an input: complete records, and the results of decoding and the record-local stages. Valid for the duration of the call that
/// provides it.
package struct RecordChunk: ~Copyable {
    /// The position of a record in `input`.
    enum Frame {
        case record(Range<Int>)
        /// A record whose text is not in `input` as it is, and where it begins there.
        case copied(BorrowedText, start: Int)
        /// A line without a record (`RecordLocation`), and where it begins.
        case nothing(start: Int)
        /// A record over the limit, of which only the limit and the position where it was exceeded are known.
        case tooLong(start: Int, offset: Int, position: TextPosition)
    }

    /// The contents of a record's line, where records are located.
    enum Location {
        case record
        /// Something else than the record, which is reported.
        case other
        case nothing
    }

    var input = InputBuffer()
    var frames: [Frame] = []
    /// The contents of each line, where records are located. Lines from a division on are not counted.
    var locations: [Location] = []
    /// Lines without a record, and those with one, where records are located.
    package var emptyLines: Int { locations.prefix(frames.count).count { $0 == .nothing } }
    package var locatedRecords: Int { locations.prefix(frames.count).count { $0 == .record } }
    /// Borrows from `input`.
    package var batch = MessageBatch()
    /// The error of a record stage, which ends the run when it is the chunk's turn.
    var stageFailure: StageFailure?
    /// The results of delivery.
    let lines = ReportLines()
    /// The report, if it is composed before the chunk is taken, and its counts.
    var report = ByteBuffer()
    var summary = RunSummary()
    /// Where the input continues after this chunk; nil unless checkpoints are kept.
    var end: InputProgress?
    /// How its records were found, if they may have to be found again, and the lines in which records were located.
    var beginning: Beginning?
    var lineFrames: [Frame] = []
    /// The records that another transaction delivers; nil unless the chunk was divided.
    var rest: Rest?
    /// The input, if places in it are reported, and where the chunk begins there.
    var source: InputSource?
    var start = InputPlace()
    /// The number of its first record in the report.
    package var firstSequence: UInt64 { lines.firstSequence }
    /// The number of its first record in the input, from 1 on.
    package var firstNumber: Int { Int(truncatingIfNeeded: start.records) &+ 1 }
    /// How its records are told apart.
    var framing = Framing.auto
    /// True if the texts of records are needed after the record stages.
    var keepsRecords = false
    /// The texts of records without what is hidden, if there is a `RedactionStage` and they are needed. Empty for a record whose contents
    /// are unknown.
    var redactedRecords: [Int: BorrowedText] = [:]
    /// True if the input is a part of a divided one, and what the places of the records say.
    var isPlaced = false
    var places: ChunkPlaces?
    /// Filled only when messages are traced.
    var traces = ChunkTraces()
    /// The data that a `ChunkWork` keeps for the chunk. It stays when the chunk is emptied, so that its memory is used again.
    package var attachment: AnyObject?

    /// Number of records, including malformed ones and events.
    package var recordCount: Int { frames.count }

    /// The position of its last record in the run.
    ///
    /// - Parameter before: the number of records before it, unless they have places.
    func lastPosition(after before: UInt64) -> UInt64 {
        places?.positions.last ?? before &+ UInt64(frames.count)
    }

    /// The input bytes of a record; nil for one over the limit. Valid for the duration of the stage's call.
    package func text(ofRecord record: Int) -> BorrowedText? {
        // SOUND: a frame's range is within the input, which the chunk owns.
        if case .copied(let text, _) = frames[record] { return text }
        guard let bytes = unsafe bytes(ofRecord: record), let base = bytes.baseAddress else { return nil }
        return unsafe BorrowedText(start: base.assumingMemoryBound(to: UInt8.self), count: bytes.count)
    }

    /// The same as untyped bytes.
    package func bytes(ofRecord record: Int) -> UnsafeRawBufferPointer? {
        // SOUND: a frame's range is within the input, which the chunk owns.
        switch frames[record] {
        case .record(let range): return unsafe UnsafeRawBufferPointer(rebasing: input.bytes[range])
        case .copied(let text, _): return unsafe text.bytes
        case .nothing, .tooLong: return nil
        }
    }

    /// Where a record over the limit exceeded it: in bytes from its first byte, and as a line and a column. Nil for any other record.
    package func excess(ofRecord record: Int) -> (offset: Int, position: TextPosition)? {
        guard case .tooLong(_, let offset, let position) = frames[record] else { return nil }
        return (offset, position)
    }

    /// The composed report. Valid until the next chunk is composed.
    var reportText: BorrowedText? {
        // SOUND: the bytes stay as they are until then.
        let bytes = unsafe report.bytes
        return unsafe bytes.baseAddress.map {
            unsafe BorrowedText(start: $0.assumingMemoryBound(to: UInt8.self), count: bytes.count)
        }
    }

    /// Composes the report lines of a delivered chunk, without traces.
    mutating func compose(_ composer: LineComposer) {
        report.removeAll()
        summary.removeAll()
        // SOUND: without traces, the lines borrow only from the batch.
        unsafe lines.forEach(of: batch, traces: nil, sources: SourceFinder(self)) { line in
            summary.add(line)
            composer.append(line, to: &report)
        }
    }

    /// Removes the records. Their results stay until `removeResults`.
    mutating func removeRecords() {
        frames.removeAll(keepingCapacity: true)
        input.removeAll()
        beginning = nil
        end = nil
        rest = nil
        if isPlaced { (isPlaced, places, lineFrames) = (false, nil, []) }
    }

    /// Removes the results of the records.
    mutating func removeResults() {
        batch.removeAll()
        stageFailure = nil
        lines.removeAll()
        if !locations.isEmpty { (locations, lineFrames) = ([], []) }
        if !redactedRecords.isEmpty { redactedRecords.removeAll(keepingCapacity: true) }
        traces.removeAll()
    }
}

/// A chunk that takes more than one transaction, because its records have too many consequences. A few thousand messages to a topic may have a
/// million subscribers.
extension RecordChunk {
    /// How the records of a chunk were found.
    struct Beginning {
        /// Before the first of them.
        var framer: Framer
        /// The same place in the input; nil unless checkpoints are kept.
        var progress: InputProgress?
    }

    /// The records of a divided chunk that are delivered next.
    struct Rest {
        /// As they were cut, within the bytes of the whole chunk.
        var frames: [Frame]
        /// Number of bytes before them.
        var start: Int
        var framer: Framer
        var end: InputProgress?
    }

    /// Leaves the records from that of a message on to another transaction: the chunk ends before them, as if it had been cut there.
    /// O(bytes).
    ///
    /// - Parameter index: that of the message.
    /// - Returns: true if it was possible. It is not for a part of a divided input, whose records have numbers of their own.
    mutating func divide(beforeMessage index: Int) -> Bool {
        // SOUND: the index is that of a message, and the framer is given the bytes that it was given before.
        let record = unsafe batch.messages[index].record
        guard !isPlaced, let beginning, record > 0, record < frames.count else { return false }
        var framer = beginning.framer
        var found = 0
        var length = 0
        while found < record {
            let bytes = unsafe UnsafeRawBufferPointer(rebasing: input.bytes[length...])
            switch unsafe framer.next(in: bytes, isEnd: false) {
            case .record(_, let consumed), .tooLong(_, let consumed):
                found += 1
                length += consumed
            case .skip(let consumed): length += consumed
            case .needsMore, .end: return false
            }
        }
        rest = Rest(
            frames: Array((lineFrames.isEmpty ? frames : lineFrames)[record...]), start: length, framer: framer,
            end: end)
        frames.removeLast(frames.count - record)
        batch.removeMessages(from: index)
        lines.keepFirst(index)
        guard var progress = beginning.progress else { return true }
        unsafe progress.advance(
            over: UnsafeRawBufferPointer(rebasing: input.bytes[..<length]), records: record, framer.standing)
        end = progress
        return true
    }

    /// Turns to the records that were left to another transaction. They must be decoded again.
    mutating func continueWithRest() {
        // SOUND: the rest begins within the input.
        guard let rest else { return }
        start.records &+= UInt64(frames.count)
        if source != nil { unsafe start.advance(by: rest.start, in: input.bytes) }
        beginning = Beginning(framer: rest.framer, progress: end)
        end = rest.end
        removeResults()
        input.drop(rest.start)
        frames = rest.frames.map { $0.moved(by: -rest.start) }
        self.rest = nil
    }
}

extension RecordChunk.Frame {
    /// The same record in an input with more or fewer bytes before it.
    func moved(by distance: Int) -> RecordChunk.Frame {
        switch self {
        case .record(let range): .record(range.lowerBound + distance..<range.upperBound + distance)
        case .copied(let text, let start): .copied(text, start: start + distance)
        case .nothing(let start): .nothing(start: start + distance)
        case .tooLong(let start, let offset, let position):
            .tooLong(start: start + distance, offset: offset, position: position)
        }
    }
}
