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
        summary = RunSummary()
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
