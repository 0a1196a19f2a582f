import PayloadJSON
import PushDecoding
import PushModel
import PushStore
import RecordFraming

/// Reads the places of a chunk's records, and narrows its frames to the records themselves.
struct PlacedChunkReader: ~Copyable {
    private let maximumRecordBytes: Int
    private var reader = PlacedRecordReader()
    /// The last file of a source, and the last stream: most records have the same.
    private var lastFile = ""
    private var lastStream = ""
    /// The ranges of the lines of the chunk.
    private var lines: [Range<Int>?] = []
    private var unscanned: Set<Int> = []

    init(maximumRecordBytes: Int) { self.maximumRecordBytes = maximumRecordBytes }

    mutating func read(_ chunk: inout RecordChunk) {
        var places = ChunkPlaces()
        places.places.reserveCapacity(chunk.frames.count)
        lines.removeAll(keepingCapacity: true)
        unscanned.removeAll()
        for record in chunk.frames.indices {
            var place = ChunkPlaces.Place()
            if case .record(let range) = chunk.frames[record] {
                lines.append(range)
                read(record, range, scansLine: false, &place, &chunk)
            } else {
                lines.append(nil)
            }
            places.places.append(place)
        }
        chunk.places = places
    }

    /// Reads a record's line once more, in which another program may have added a member after the record.
    ///
    /// - Returns: true if the record is another one than before.
    mutating func readAgain(_ record: Int, in chunk: inout RecordChunk) -> Bool {
        guard unscanned.remove(record) != nil, let range = lines[record], var place = chunk.places?.places[record]
        else { return false }
        let before = chunk.frames[record]
        read(record, range, scansLine: true, &place, &chunk)
        guard place.failure == nil, case .record(let old) = before, case .record(let new) = chunk.frames[record],
            old != new
        else {
            chunk.frames[record] = before
            return false
        }
        chunk.places?.places[record] = place
        return true
    }

    private mutating func read(
        _ record: Int, _ range: Range<Int>, scansLine: Bool, _ place: inout ChunkPlaces.Place,
        _ chunk: inout RecordChunk
    ) {
        // SOUND: a frame's range is within the input, which the chunk owns; the scratch memory lives as long as its batch.
        let line = unsafe UnsafeRawBufferPointer(rebasing: chunk.input.bytes[range])
        switch unsafe reader.read(line, scansLine: scansLine, &chunk.batch.scratch) {
        case .failure(let failure):
            place.failure = failure
            place.isRecord = false
        case .success(let placed):
            if placed.isUnscanned { unscanned.insert(record) }
            take(placed.place, &place)
            chunk.frames[record] = unsafe frame(placed, line, at: range.lowerBound)
        }
    }

    private mutating func take(_ read: RecordPlace, _ place: inout ChunkPlaces.Place) {
        place.seq = read.seq
        place.target = read.target
        if let source = read.source {
            if !Self.isEqual(source.file, lastFile) { lastFile = source.file.string }
            place.source = RecordSource(
                file: lastFile, record: source.record, position: source.position, offset: source.offset)
        }
        if let recipient = read.recipient {
            place.recipient = (recipient.device.string, recipient.app.string, read.target ?? 0)
        }
        place.recipients = read.recipients
        place.owner = read.owner?.string
        place.isCopy = read.isCopy
        if let offset = read.streamOffset {
            if !Self.isEqual(offset.stream, lastStream) { lastStream = offset.stream.string }
            place.offset = StreamOffset(stream: lastStream, offset: offset.offset.string)
        }
        if let part = read.part {
            place.header = ChunkPlaces.Header(
                part: PartMark(part: part.part, of: part.parts), reportsSources: read.reportsSources,
                limits: read.limits)
        }
        place.isEnd = read.isEnd
        place.isRecord = read.part == nil && !read.isEnd
    }

    private static func isEqual(_ text: BorrowedText, _ string: String) -> Bool {
        BorrowedText.with(string) { $0 == text }
    }

    private func frame(
        _ placed: PlacedRecord, _ line: UnsafeRawBufferPointer, at start: Int
    ) -> RecordChunk.Frame {
        // SOUND: a record that stands in the line is compared with its bounds; only addresses are.
        if let excess = placed.place.excess {
            return .tooLong(start: start, offset: excess.offset, position: excess.position)
        }
        guard !placed.place.hasNoRecord, let record = placed.record else { return .nothing(start: start) }
        guard record.count <= maximumRecordBytes else {
            let position = unsafe TextPosition(of: maximumRecordBytes, in: record.bytes)
            return .tooLong(start: start, offset: maximumRecordBytes, position: position)
        }
        if let base = line.baseAddress {
            let offset = unsafe UnsafeRawPointer(record.start) - base
            if offset >= 0, offset + record.count <= line.count {
                return .record(start + offset..<start + offset + record.count)
            }
        }
        return .copied(record, start: start)
    }

    /// Keeps the message that a place selects, of those that its record was decoded to.
    ///
    /// - Parameter first: index of the record's first message.
    static func select(_ record: Int, from first: Int, in chunk: inout RecordChunk) {
        // SOUND: the indices are those of messages of the batch.
        guard let place = chunk.places?.places[record] else { return }
        let count = chunk.batch.messageCount - first
        guard count > 0 else { return }
        let device = unsafe chunk.batch.messages[first].device
        if unsafe chunk.batch.messages[first].headers.channelID != nil {
            chunk.places?.places[record].deviceHash = BorrowedText.with(
                DeviceToken.canonical(device.string), RecordPlace.hash)
        }
        if place.recipient != nil {
            let topic = unsafe chunk.batch.messages[first...].firstIndex { $0.isForTopic }
            chunk.batch.keepOnly(topic ?? first, from: first)
            chunk.places?.hidden.insert(first)
            return
        }
        if let target = place.target {
            if count > 1 { chunk.batch.keepOnly(first + min(target, count - 1), from: first) }
            unsafe chunk.batch.messages[first].target = target
        }
        guard place.isCopy else { return }
        if let last = chunk.batch.events.last, last.message >= first, last.event.device != nil {
            chunk.batch.events[chunk.batch.events.count - 1].event = last.event.elsewhere ?? last.event
        }
        for index in first..<chunk.batch.messageCount {
            let message = unsafe chunk.batch.messages[index]
            if case .event = message.verdict {
                chunk.places?.hidden.insert(index)
            } else {
                // What a broadcast changes is in the lines of several parts.
                chunk.places?.uncounted.insert(index)
            }
        }
    }
}
