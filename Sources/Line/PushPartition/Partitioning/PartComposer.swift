import PushDecoding
import PushFraming
import PushJSON
import PushModel
import PushPipeline

/// The placed records of a chunk: lines that any thread composes, and the part of each.
final class PlacedChunk {
    struct Entry {
        var part: Int
        /// The other parts that the record concerns, too.
        var others: [Int] = []
        /// The position of the record in the chunk.
        var record: Int
        /// Why no part alone can say what becomes of the record; nil for nearly all.
        var obstacle: String?
        /// The end of its line in `lines`, where the next one begins. Each ends with a line feed.
        var end = 0
    }

    /// The number of the chunk's first record.
    fileprivate(set) var firstSequence: UInt64 = 0
    fileprivate(set) var lines = ByteBuffer()
    fileprivate(set) var entries: [Entry] = []
    /// Malformed records that look as if they had been placed before.
    fileprivate(set) var placedBefore: UInt64 = 0
    fileprivate var scanner = JSONScanner()
    fileprivate var tape = JSONTape()

    func begin(at firstSequence: UInt64) {
        self.firstSequence = firstSequence
        placedBefore = 0
        lines.removeAll()
        entries.removeAll(keepingCapacity: true)
    }
}

/// Says which parts each record of a chunk is for, and composes its line. Knows nothing of other records.
struct PartComposer: ChunkComposer {
    /// The number of parts, at least 1.
    let parts: Int
    /// The number of the record before the first one.
    let before: UInt64
    /// True if records may be something else than JSON and decode all the same.
    let acceptsRelaxedJSON: Bool
    /// True if places say where in its input a record stands.
    let writesSources: Bool

    func compose(_ chunk: inout RecordChunk) {
        let placed = chunk.attachment as? PlacedChunk ?? PlacedChunk()
        chunk.attachment = placed
        placed.begin(at: before &+ chunk.firstSequence)
        var sources = writesSources ? SourceFinder(chunk) : nil
        // SOUND: the messages stay where they are while the chunk is composed.
        let messages = unsafe chunk.batch.messages
        let failures = chunk.batch.decodeFailures
        let events = chunk.batch.events
        var nextFailure = 0
        var nextEvent = 0
        var end = 0
        while end < messages.count {
            let first = end
            let record = unsafe messages[first].record
            repeat { end += 1 } while unsafe end < messages.count && messages[end].record == record
            let isMalformed = nextFailure < failures.count && failures[nextFailure].message < end
            while nextFailure < failures.count, failures[nextFailure].message < end { nextFailure += 1 }
            if isMalformed, chunk.text(ofRecord: record)?.hasPrefix("{\"place\":{") ?? false {
                placed.placedBefore &+= 1
            }
            var entry = PlacedChunk.Entry(part: Int(placed.firstSequence &+ UInt64(record)) % parts, record: record)
            unsafe place(UnsafeMutableBufferPointer(rebasing: messages[first..<end]), in: &entry)
            while nextEvent < events.count, events[nextEvent].message < end {
                if events[nextEvent].event.name == .clock { (entry.part, entry.others) = (0, Array(1..<parts)) }
                entry.obstacle = Self.obstacle(to: events[nextEvent].event)
                nextEvent += 1
            }
            let isJSON = !isMalformed && !acceptsRelaxedJSON || isJSON(record, in: chunk, placed)
            append(record, of: chunk, isJSON: isJSON, &sources, to: placed)
            entry.end = placed.lines.count
            placed.entries.append(entry)
        }
    }

    /// Sets the parts of a record by the devices of its messages. A record of which nothing can be read stays in the part of its number.
    private func place(_ messages: UnsafeMutableBufferPointer<DecodedMessage>, in entry: inout PlacedChunk.Entry) {
        // SOUND: the messages are those of the chunk that is composed.
        for index in messages.indices {
            guard case .accepted = unsafe messages[index].verdict else { continue }
            if unsafe messages[index].headers.channelID != nil {
                entry.obstacle = "is a broadcast to a channel, which may have subscribers in several parts"
            } else if unsafe messages[index].headers.pushType == .liveactivity {
                entry.obstacle =
                    "is a push to a Live Activity, and its token may be that of an activity on another device"
            }
        }
        if messages.count == 1 {
            if case .malformed = unsafe messages[0].verdict { return }
            entry.part = unsafe RecordPlace.part(of: messages[0].device, among: parts)
            return
        }
        let known = unsafe Set(RecordPlace.hashes(of: messages).map { Int($0 % UInt64(parts)) }).sorted()
        guard let first = known.first else { return }
        entry.part = first
        entry.others = Array(known.dropFirst())
    }

    private static func obstacle(to event: DeviceEvent) -> String? {
        guard event.concernsSeveralDevices else { return nil }
        if event.rare.topic != nil || event.settings.topics != nil {
            return "subscribes to topics, or ends subscriptions"
        }
        return "gives a device a token that may have been another one's"
    }

    private func isJSON(_ record: Int, in chunk: borrowing RecordChunk, _ placed: PlacedChunk) -> Bool {
        // SOUND: the record's bytes live as long as the chunk.
        guard let bytes = unsafe chunk.bytes(ofRecord: record) else { return false }
        return unsafe placed.scanner.scan(bytes, into: &placed.tape) == nil
    }

    /// Appends a record with its place, and a line feed.
    ///
    /// - Parameter record: its position in the chunk, which is not before the last one.
    private func append(
        _ record: Int, of chunk: borrowing RecordChunk, isJSON: Bool, _ sources: inout SourceFinder?,
        to placed: PlacedChunk
    ) {
        // SOUND: the record's bytes live as long as the chunk.
        var place = RecordPlace(seq: placed.firstSequence &+ UInt64(record))
        if let excess = chunk.excess(ofRecord: record) {
            place.excess = RecordPlace.Excess(offset: excess.offset, position: excess.position)
        }
        let bytes = unsafe chunk.bytes(ofRecord: record)
        let source = sources?.source(ofRecord: record)
        BorrowedText.with(source?.file ?? "") { file in
            place.source = source.map {
                RecordPlace.Source(file: file, record: $0.record, position: $0.position, offset: $0.offset)
            }
            unsafe PlacedRecordWriter.append(place, record: bytes, isJSON: isJSON, to: &placed.lines)
        }
        placed.lines.append(UInt8(ascii: "\n"))
    }
}
