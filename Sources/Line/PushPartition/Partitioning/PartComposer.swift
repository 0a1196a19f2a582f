import PayloadJSON
import PushDecoding
import PushModel
import PushPipeline
import RecordFraming

/// Says which part each record of a chunk is for, and composes its line. Knows nothing of other chunks.
struct PartComposer: ChunkComposer {
    let function: PartFunction
    /// True if records may be something else than JSON and decode all the same.
    let acceptsRelaxedJSON: Bool
    /// True if places say where in its input a record stands.
    let writesSources: Bool

    func compose(_ chunk: inout RecordChunk) {
        guard let placed = chunk.attachment as? PlacedChunk else { return }
        var writer = RecordWriter(chunk, placed.firstSequence, writesSources: writesSources)
        // SOUND: the messages stay where they are while the chunk is composed.
        let messages = unsafe chunk.batch.messages
        let failures = chunk.batch.decodeFailures
        var nextFailure = 0
        var end = 0
        while end < messages.count {
            let first = end
            let record = unsafe messages[first].record
            repeat { end += 1 } while unsafe end < messages.count && messages[end].record == record
            let isMalformed = nextFailure < failures.count && failures[nextFailure].message < end
            if isMalformed, Self.looksPlaced(record, in: chunk) { placed.placedBefore &+= 1 }
            while nextFailure < failures.count, failures[nextFailure].message < end { nextFailure += 1 }
            let (role, part) = unsafe role(messages, first..<end, placed.firstSequence &+ UInt64(record))
            if role != .targets {
                let isJSON = !isMalformed && !acceptsRelaxedJSON || Self.isJSON(record, in: chunk, placed)
                writer.append(record, of: chunk, isJSON: isJSON, to: &placed.lines) { _ in }
            }
            placed.entries.append(
                PlacedChunk.Entry(
                    role: role, part: part, record: record, messages: first..<end, end: placed.lines.count))
        }
    }

    private static func looksPlaced(_ record: Int, in chunk: borrowing RecordChunk) -> Bool {
        chunk.text(ofRecord: record)?.hasPrefix("{\"place\":{") ?? false
    }

    private static func isJSON(_ record: Int, in chunk: borrowing RecordChunk, _ placed: PlacedChunk) -> Bool {
        // SOUND: the record's bytes live as long as the chunk.
        guard let bytes = unsafe chunk.bytes(ofRecord: record) else { return false }
        return unsafe placed.scanner.scan(bytes, into: &placed.tape) == nil
    }

    private func role(
        _ messages: UnsafeMutableBufferPointer<DecodedMessage>, _ range: Range<Int>, _ seq: UInt64
    ) -> (PlacedChunk.Role, Int) {
        // SOUND: the range is within the messages.
        let message = unsafe messages.baseAddress.map { unsafe $0 + range.lowerBound }
        guard let message = unsafe message else { return (.line, 0) }
        guard range.count == 1 else { return unsafe roleOfMany(messages, range, seq) }
        switch unsafe message.pointee.verdict {
        case .malformed: return (.line, function.part(ofRecord: seq))
        case .event:
            if unsafe message.pointee.device.isEmpty { return (.everywhere, 0) }
            return unsafe (.event, function.part(of: message.pointee.device))
        case .accepted:
            let part = unsafe function.part(of: message.pointee.device)
            // Only what came before says which device such a token leads to.
            let hasOtherToken =
                unsafe message.pointee.headers.pushType == .liveactivity || message.pointee.gateway == .expo
            if hasOtherToken { return (.activity, part) }
            return unsafe (message.pointee.isForTopic ? .topic : .line, part)
        case .rejected, .refused, .suppressed, .withheld, .fannedOut, .held, .expired, .discarded:
            return unsafe (.line, function.part(of: message.pointee.device))
        }
    }

    /// A request to devices of one part stays whole, and so does one that concerns no device, because it is refused for each of its targets.
    private func roleOfMany(
        _ messages: UnsafeMutableBufferPointer<DecodedMessage>, _ range: Range<Int>, _ seq: UInt64
    ) -> (PlacedChunk.Role, Int) {
        // SOUND: the range is within the messages.
        var first: Int?
        var isDivided = false
        var isAccepted = false
        for index in range {
            switch unsafe messages[index].verdict {
            case .malformed: continue
            case .accepted:
                isAccepted = true
                let needsTurn =
                    unsafe messages[index].isForTopic || messages[index].headers.pushType == .liveactivity
                    || messages[index].gateway == .expo
                if needsTurn { isDivided = true }
            default: break
            }
            let part = unsafe function.part(of: messages[index].device)
            isDivided = isDivided || part != first ?? part
            first = first ?? part
        }
        let part = first ?? function.part(ofRecord: seq)
        return (isDivided && isAccepted ? .targets : .line, part)
    }
}

struct RecordWriter {
    private var sources: SourceFinder?
    private let firstSequence: UInt64

    init(_ chunk: borrowing RecordChunk, _ firstSequence: UInt64, writesSources: Bool) {
        sources = writesSources ? SourceFinder(chunk) : nil
        self.firstSequence = firstSequence
    }

    /// Appends a record with its place, and a line feed.
    ///
    /// - Parameters:
    ///   - record: its position in the chunk, which is not before the last one.
    ///   - text: the bytes to write instead of its own.
    ///   - change: completes the place.
    mutating func append(
        _ record: Int, of chunk: borrowing RecordChunk, _ text: UnsafeRawBufferPointer? = nil, isJSON: Bool,
        to out: inout ByteBuffer, _ change: (inout RecordPlace) -> Void
    ) {
        // SOUND: the record's bytes live as long as the chunk.
        var place = RecordPlace(seq: firstSequence &+ UInt64(record))
        change(&place)
        if let excess = chunk.excess(ofRecord: record) {
            place.excess = RecordPlace.Excess(offset: excess.offset, position: excess.position)
        }
        let bytes = unsafe text ?? chunk.bytes(ofRecord: record)
        guard !place.isCopy, let source = sources?.source(ofRecord: record) else {
            unsafe PlacedRecordWriter.append(place, record: bytes, isJSON: isJSON, to: &out)
            return out.append(UInt8(ascii: "\n"))
        }
        BorrowedText.with(source.file) { file in
            place.source = RecordPlace.Source(
                file: file, record: source.record, position: source.position, offset: source.offset)
            unsafe PlacedRecordWriter.append(place, record: bytes, isJSON: isJSON, to: &out)
        }
        out.append(UInt8(ascii: "\n"))
    }
}
