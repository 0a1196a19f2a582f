import NotificationStore
public import PayloadJSON
import PushDecoding
import PushModel

/// A part of an input: whole records, and what decoding and the record-local stages made of them. Valid for the duration of the call that
/// hands it out.
public struct RecordChunk: ~Copyable {
    /// Where a record stands in `input`.
    enum Frame {
        case record(Range<Int>)
        /// A record over the limit, of which only this is known: the limit, and where in the record it was passed.
        case tooLong(offset: Int, position: TextPosition)
    }

    var input = InputBuffer()
    var frames: [Frame] = []
    /// Borrows from `input`.
    var batch = MessageBatch()
    /// Time its worker took, when stages are measured.
    var times = StageTimes()
    /// Where the input goes on after this chunk; nil unless checkpoints are kept.
    var end: InputProgress?
    /// Filled only when messages are traced.
    var traces = ChunkTraces()

    /// Number of records, malformed ones and events among them.
    public var recordCount: Int { frames.count }

    /// A record as it stands in the input; nil for one over the limit. Valid for the duration of the stage's call.
    public func text(ofRecord record: Int) -> BorrowedText? {
        // SOUND: a frame's range is within the input, which the chunk owns.
        guard let bytes = bytes(ofRecord: record), let base = bytes.baseAddress else { return nil }
        return BorrowedText(start: base.assumingMemoryBound(to: UInt8.self), count: bytes.count)
    }

    func bytes(ofRecord record: Int) -> UnsafeRawBufferPointer? {
        guard case .record(let range) = frames[record] else { return nil }
        return UnsafeRawBufferPointer(rebasing: input.bytes[range])
    }

    /// Forgets the records and what was made of them.
    mutating func removeAll() {
        batch.removeAll()
        frames.removeAll(keepingCapacity: true)
        input.removeAll()
        end = nil
        traces.removeAll()
    }
}
