import PushDecoding
import PushModel
import PushStore
import RecordFraming

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
