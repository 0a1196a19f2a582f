import PushDecoding
import PushDevices
import PushFraming
import PushJSON
import PushModel
import PushSystem

/// The place of a run of placed records: which part of the original input it reads, and at which record.
///
/// See `Samples/scale-out/README.md`.
struct PartDelivery {
    /// The first line of the input, which an earlier run may have read; nil without one.
    var header: ChunkPlaces.Header?
    /// True if the last line of the part has been read.
    private(set) var isComplete = false
    private let configuration: PipelineConfiguration
    /// The progress of the store of a part, while a chunk of it is delivered; nil for any other store.
    private var rows: (any ProgressKeeper)?
    private var recordsBefore: UInt64 = 0

    init(_ configuration: PipelineConfiguration) {
        self.configuration = configuration
    }

    // MARK: - Rows

    /// True if rows get the places of their records as ids.
    var placesRows: Bool { rows != nil }

    /// Says where the rows that a message causes belong.
    func placeRows(of message: borrowing DecodedMessage, _ seq: UInt64, isAhead: Bool = false) {
        guard let rows else { return }
        if configuration.decoding.readsDevices {
            let first = configuration.readsPreferences ? RowPlace.firstOfPreferences : 0
            let low = first &+ recordsBefore &+ UInt64(truncatingIfNeeded: message.record)
            return rows.setRowPlace(RowPlace(seq: rows.lastSequence, low: low))
        }
        // What an event of the clock brings about is ordered by time in all parts.
        let isClock = if case .event = message.verdict { message.device.isEmpty } else { false }
        let place = isClock ? RowPlace(seq: seq, isBefore: true) : RowPlace(seq: seq, target: message.target)
        // A notification is placed in its turn: orders ascend.
        isAhead ? rows.setPlaceOfDevices(place) : rows.setRowPlace(place)
    }

    /// Says where the rows that time brings about at a record belong.
    func placeRowsOfTime(atRecord seq: UInt64) {
        if !configuration.decoding.readsDevices { rows?.setRowPlace(RowPlace(seq: seq, isBefore: true)) }
    }

    // MARK: - Chunks

    /// Checks that a chunk may be delivered to a store.
    ///
    /// - Parameter isFirst: true for the first chunk of a run.
    /// - Throws: `PlainError`.
    func check(_ chunk: borrowing RecordChunk, _ progress: any ProgressKeeper, isFirst: Bool) throws {
        let name = chunk.source?.title ?? "input"
        if chunk.isPlaced, configuration.recordTime != nil {
            throw PlainError.unfit(name, "is a part, which does not have the times of its lines; run the whole input")
        }
        // A run that resumes an earlier one must be able to tell what of a chunk the store has.
        if configuration.resumes, chunk.end == nil,
            !(chunk.places?.places.allSatisfy { !$0.isRecord || $0.read.streamOffset != nil } ?? false)
        {
            throw PlainError.unfit(
                name,
                "cannot be resumed: not a regular file, and its records have no place.stream and place.offset; run it from the beginning"
            )
        }
        if !chunk.isPlaced, isFirst || header != nil { try check(isPlaced: false, progress, name) }
    }

    /// Begins with a chunk: gives its records their numbers, if they have places.
    mutating func begin(
        _ chunk: inout RecordChunk, _ times: inout ChunkTimes, _ progress: any ProgressKeeper
    ) throws {
        recordsBefore = times.recordsBefore
        if chunk.isPlaced {
            try resolve(&chunk, times, progress)
            times.positions = chunk.places?.positions ?? []
            chunk.lines.places = chunk.places
        }
        if configuration.decoding.readsDevices ? configuration.part != nil : chunk.isPlaced && header != nil {
            rows = progress
        }
    }

    mutating func endChunk() { rows = nil }

    /// How far a run of streams has come that may be resumed; nil for another one. After the last line of a part another input may follow.
    func end(records: UInt64, clockOffset: Int64) -> InputProgress? {
        guard configuration.resumes else { return nil }
        var end = InputProgress(path: InputProgress.streams)
        if !isComplete { (end.records, end.clockOffset) = (records, clockOffset) }
        return end
    }

    /// Checks that the store is not that of another part, which would mix two.
    ///
    /// - Parameter name: the input's, for messages.
    private func check(isPlaced: Bool, _ progress: any ProgressKeeper, _ name: String) throws {
        guard let mark = try progress.part() ?? (isPlaced ? nil : header?.part) else { return }
        guard isPlaced else {
            throw PlainError.unfit(name, "the store holds \(mark.name) of a divided input; use another store")
        }
        guard let header else {
            guard configuration.resumes else {
                throw PlainError.unfit(
                    name,
                    "the store holds \(mark.name), and the input does not say which part it is; "
                        + "begin with the first line of the part, or resume the run")
            }
            return
        }
        guard (mark.part, mark.parts) == (header.part.part, header.part.parts) else {
            throw PlainError.unfit(name, "the store holds \(mark.name), and this is \(header.part.name)")
        }
    }

    /// Resolves the numbers of a chunk's records, and says in the store what they say about their part.
    private mutating func resolve(
        _ chunk: inout RecordChunk, _ times: ChunkTimes, _ progress: any ProgressKeeper
    ) throws {
        guard var places = chunk.places else { return }
        // The first line of a stream does not come again.
        if header == nil, configuration.resumes, let mark = try progress.part() {
            header = ChunkPlaces.Header(part: PartMark(part: mark.part, of: mark.parts), reportsSources: false)
        }
        let name = chunk.source?.title ?? "input"
        var last = times.recordsBefore
        var offsets: [String: String] = [:]
        places.positions.reserveCapacity(places.places.count)
        for record in places.places.indices {
            let place = places.places[record]
            // Of what comes after it nobody knows which part it is.
            if let failure = place.failure, failure == PlacedRecordReader.damagedHeader {
                throw PlainError.unfit(name, failure.message)
            }
            let offset = place.read.streamOffset.map {
                StreamOffset(stream: $0.stream.string, offset: $0.offset.string)
            }
            let isStored = try offset.map { try configuration.resumes && self.isStored($0, &offsets, progress) }
            if let header = ChunkPlaces.Header(place.read) {
                try begin(header, at: last, progress, name)
            } else if isStored == true {
                places.places[record].isSkipped = true
            } else if let seq = place.read.seq {
                try checkOrder(of: place, seq, after: last, name)
                last = seq
            } else if place.isRecord {
                last &+= 1
            }
            if let offset, isStored == false { offsets[offset.stream] = offset.offset }
            if header != nil, times.seq(ofPosition: last) > RecordPlace.greatestSequence {
                throw PlainError.unfit(
                    name, "record \(last): the store of a part takes numbers up to \(RecordPlace.greatestSequence)")
            }
            places.positions.append(last)
            places.sequences.append(times.seq(ofPosition: last))
            if place.read.isEnd { try end(progress) }
        }
        try check(isPlaced: true, progress, name)
        for (stream, offset) in offsets.sorted(by: { $0.key < $1.key }) {
            try progress.setOffset(StreamOffset(stream: stream, offset: offset))
        }
        places.reportsSources = header?.reportsSources ?? chunk.source?.isAlwaysReported ?? false
        hide(&places, chunk)
        chunk.places = places
    }

    /// Checks that a record comes after the one before. One of an engine's stream may come again: its offset says whether the store has it.
    private func checkOrder(
        of place: ChunkPlaces.Place, _ seq: UInt64, after last: UInt64, _ name: String
    ) throws(PlainError) {
        guard seq >= last else {
            throw .unfit(name, "record \(seq) comes after record \(last): sort the part by place.seq")
        }
        guard header != nil, place.isRecord, place.read.streamOffset == nil else { return }
        if isComplete { throw .unfit(name, "record \(seq) comes after the part's last line") }
        if seq == last {
            throw .unfit(name, "record \(seq) comes again: a part has it once, in ascending order of place.seq")
        }
    }

    /// Takes from the delivery the messages of records that the store has, and of devices in other parts. An event of the clock has its effects
    /// in every part, and its line in the report of part 0.
    private func hide(_ places: inout ChunkPlaces, _ chunk: borrowing RecordChunk) {
        // SOUND: the messages stay where they are.
        let messages = unsafe chunk.batch.messages
        var first = 0
        for index in messages.indices {
            let record = unsafe messages[index].record
            if unsafe messages[first].record != record { first = index }
            let isClock =
                if case .event = unsafe messages[index].verdict { unsafe messages[index].device.isEmpty } else { false }
            let isElsewhere = isClock ? header?.part.part ?? 0 > 0 : isOutside(places.places[record], index - first)
            let isSkipped = places.places[record].isSkipped
            guard isElsewhere || isSkipped else { continue }
            places.hidden.insert(index)
            if isElsewhere, index == first { places.places[record].isElsewhere = true }
            if isSkipped || !isClock {
                unsafe messages[index].verdict = .suppressed(isSkipped ? "skipped" : "other-part")
            }
        }
    }

    /// True if a message of a record, by its index there, is for a device in another part.
    private func isOutside(_ place: ChunkPlaces.Place, _ index: Int) -> Bool {
        guard let part = header?.part, index < place.deviceHashes.count else { return false }
        return place.deviceHashes[index] % UInt64(part.parts) != UInt64(part.part)
    }

    /// True if the deliveries of a record are in the store. Remembers the offsets of the streams.
    private func isStored(
        _ offset: StreamOffset, _ offsets: inout [String: String], _ progress: any ProgressKeeper
    ) throws -> Bool {
        if offsets[offset.stream] == nil { offsets[offset.stream] = try progress.offset(ofStream: offset.stream) }
        guard let known = offsets[offset.stream] else { return false }
        return !StreamOffset(stream: offset.stream, offset: known).isBefore(offset)
    }

    private mutating func begin(
        _ header: ChunkPlaces.Header, at position: UInt64, _ progress: any ProgressKeeper, _ name: String
    ) throws {
        if let known = self.header, known.part != header.part {
            throw PlainError.unfit(
                name, "\(header.part.name) after \(known.part.name): run each part with its own store")
        }
        if configuration.devicePolicy.pushesPerMinuteOfSender != nil {
            throw PlainError.unfit(
                name,
                "a limit of an app's pushes per minute counts over all devices, and this is \(header.part.name); run the whole input"
            )
        }
        let mark = try progress.part()
        guard mark != nil || progress.lastSequence == 0 else {
            throw PlainError.unfit(
                name, "the store holds a whole input, and this is \(header.part.name); use another store")
        }
        self.header = header
        isComplete = false
        try check(isPlaced: true, progress, name)
        try progress.setPart(PartMark(part: header.part.part, of: header.part.parts))
    }

    private mutating func end(_ progress: any ProgressKeeper) throws {
        isComplete = true
        guard var part = header?.part else { return }
        part.isComplete = true
        try progress.setPart(part)
    }
}

/// The places of a chunk's records, if its input is a part of a divided one.
struct ChunkPlaces {
    /// The first line of a part.
    struct Header: Equatable {
        var part: PartMark
        /// True if every line of the report has a source, because the original input consists of several files.
        var reportsSources: Bool

        init(part: PartMark, reportsSources: Bool) {
            self.part = part
            self.reportsSources = reportsSources
        }

        /// Nil unless the place is that of the first line of a part.
        init?(_ place: RecordPlace) {
            guard let part = place.part else { return nil }
            self.init(part: PartMark(part: part.part, of: part.parts), reportsSources: place.reportsSources)
        }

        /// Nil unless the bytes begin with the first line of a part.
        init?(beginning bytes: UnsafeRawBufferPointer) {
            // SOUND: the line is a part of the bytes, which live during the call.
            guard let end = unsafe bytes.firstIndex(of: UInt8(ascii: "\n")) else { return nil }
            var reader = PlacedRecordReader()
            var scratch = ScratchArena()
            let line = unsafe UnsafeRawBufferPointer(rebasing: bytes[..<end])
            guard unsafe PartHeader.begins(line), case .success(let read) = unsafe reader.read(line, &scratch) else {
                return nil
            }
            self.init(read.place)
        }
    }

    struct Place {
        /// The place as the record's line gives it. Its texts live as long as the results of the chunk.
        var read = RecordPlace(seq: nil)
        var failure: DecodeFailure?
        /// The hash that decides the part of each message, of a record with several: before anything is redacted.
        var deviceHashes: [UInt64] = []
        /// True if the store has the record already.
        var isSkipped = false
        /// True if the first line about the record is in the report of another part.
        var isElsewhere = false
        /// False for the first and the last line of a part, and for a place that cannot be read.
        var isRecord: Bool { failure == nil && read.part == nil && !read.isEnd }
        /// True in one of the parts that have the record.
        var isCounted: Bool { isRecord && !isSkipped && !isElsewhere }
    }

    var places: [Place] = []
    /// Number of each record in the store, and its position in the run; set when the chunk is delivered.
    var sequences: [UInt64] = []
    var positions: [UInt64] = []
    /// Indices of messages whose lines are not reported.
    var hidden: Set<Int> = []
    /// True if every line has its source.
    var reportsSources = false

    /// Records of this part, and those that the store had already.
    var recordCount: Int { places.count { $0.isCounted } }
    var skippedCount: Int { places.count { $0.isSkipped } }
}

/// Reads the places of a chunk's records, and narrows its frames to the records themselves.
struct PlacedChunkReader: ~Copyable {
    private let maximumRecordBytes: Int
    private var reader = PlacedRecordReader()

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
        case .failure(let failure): place.failure = failure
        case .success(let placed):
            place.read = placed.place
            chunk.frames[record] = unsafe frame(placed, line, at: range.lowerBound)
        }
        return place
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
