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

    init(maximumRecordBytes: Int) { self.maximumRecordBytes = maximumRecordBytes }

    mutating func read(_ chunk: inout RecordChunk) {
        var places = ChunkPlaces()
        places.places.reserveCapacity(chunk.frames.count)
        chunk.lineFrames = chunk.frames
        for record in chunk.frames.indices { places.places.append(read(record, scansLine: false, in: &chunk)) }
        chunk.places = places
    }

    /// Reads a record's line once more, in which another program may have added a member after the record.
    ///
    /// - Returns: true if the record is another one than before.
    mutating func readAgain(_ record: Int, in chunk: inout RecordChunk) -> Bool {
        let before = chunk.frames[record]
        let place = read(record, scansLine: true, in: &chunk)
        guard place.failure == nil, case .record(let old) = before, case .record(let new) = chunk.frames[record],
            old != new
        else {
            chunk.frames[record] = before
            return false
        }
        chunk.places?.places[record] = place
        return true
    }

    private mutating func read(_ record: Int, scansLine: Bool, in chunk: inout RecordChunk) -> ChunkPlaces.Place {
        // SOUND: a frame's range is within the input, which the chunk owns; the scratch memory lives as long as its batch.
        var place = ChunkPlaces.Place()
        guard case .record(let range) = chunk.lineFrames[record] else { return place }
        let line = unsafe UnsafeRawBufferPointer(rebasing: chunk.input.bytes[range])
        switch unsafe reader.read(line, scansLine: scansLine, &chunk.batch.scratch) {
        case .failure(let failure):
            place.failure = failure
            place.isRecord = false
        case .success(let placed):
            take(placed.place, &place)
            chunk.frames[record] = unsafe frame(placed, line, at: range.lowerBound)
        }
        return place
    }

    private mutating func take(_ read: RecordPlace, _ place: inout ChunkPlaces.Place) {
        place.seq = read.seq
        if let source = read.source {
            if !Self.isEqual(source.file, lastFile) { lastFile = source.file.string }
            place.source = RecordSource(
                file: lastFile, record: source.record, position: source.position, offset: source.offset)
        }
        if let offset = read.streamOffset {
            if !Self.isEqual(offset.stream, lastStream) { lastStream = offset.stream.string }
            place.offset = StreamOffset(stream: lastStream, offset: offset.offset.string)
        }
        if let part = read.part {
            place.header = ChunkPlaces.Header(
                part: PartMark(part: part.part, of: part.parts), reportsSources: read.reportsSources)
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
}
