import PushDecoding
import PushDevices
import PushModel
import PushStore
import RecordFraming

/// Where a run of placed records is: which part of the original input it reads, and at which record.
///
/// See `Documentation/reference/placed-records.md`.
struct PartDelivery {
    /// The first line of the input; nil without one.
    private(set) var header: ChunkPlaces.Header?
    /// True if rows get the places of their records as ids.
    var placesRows: Bool { header != nil }
    /// True if the last line of the part has been read.
    private(set) var isComplete = false
    private let configuration: PipelineConfiguration

    init(_ configuration: PipelineConfiguration) {
        self.configuration = configuration
    }

    /// Continues with an input whose first line an earlier run has read.
    mutating func resume(_ header: ChunkPlaces.Header) { self.header = header }

    /// Checks that a chunk may be delivered to a store: that of another part would mix two.
    ///
    /// - Parameter name: the input's, for messages.
    func check(isPlaced: Bool, _ progress: any ProgressKeeper, _ name: String) throws {
        guard let mark = try progress.part() ?? (isPlaced ? nil : header?.part) else { return }
        guard isPlaced else {
            throw InputError.unfit(name, "the store holds \(mark.name) of a divided input; use another store")
        }
        guard let header else {
            guard configuration.resumes else {
                throw InputError.unfit(
                    name,
                    "the store holds \(mark.name), and the input does not say which part it is; "
                        + "begin with the first line of the part, or resume the run")
            }
            return
        }
        guard (mark.part, mark.parts) == (header.part.part, header.part.parts) else {
            throw InputError.unfit(name, "the store holds \(mark.name), and this is \(header.part.name)")
        }
    }

    /// Checks that a run which resumes an earlier one can tell what of a chunk the store has.
    ///
    /// - Throws: `InputError`.
    func checkResumption(_ chunk: borrowing RecordChunk) throws(InputError) {
        guard configuration.resumes, chunk.end == nil else { return }
        if let places = chunk.places?.places, places.allSatisfy({ !$0.isRecord || $0.offset != nil }) { return }
        throw .unfit(
            chunk.source?.title ?? "input",
            "cannot be resumed: not a regular file, and its records have no place.stream and place.offset; run it from the beginning"
        )
    }

    /// Resolves the numbers of a chunk's records, and says in the store what they say about their part.
    ///
    /// - Parameter last: position of the last record before the chunk.
    /// - Returns: the position of the last record.
    mutating func resolve(
        _ chunk: inout RecordChunk, after last: UInt64, _ times: ChunkTimes, _ store: StoreTransaction
    ) throws -> UInt64 {
        guard var places = chunk.places else { return last }
        // The first line of a stream does not come again.
        if header == nil, configuration.resumes, let mark = try store.progress.part() {
            header = ChunkPlaces.Header(part: PartMark(part: mark.part, of: mark.parts), reportsSources: false)
        }
        let name = chunk.source?.title ?? "input"
        var last = last
        var offsets: [String: String] = [:]
        places.positions.reserveCapacity(places.places.count)
        for record in places.places.indices {
            let place = places.places[record]
            // Of what comes after it nobody knows which part it is.
            if let failure = place.failure, failure == PlacedRecordReader.damagedHeader {
                throw InputError.unfit(name, failure.message)
            }
            let isStored = try place.offset.map { offset in
                try configuration.resumes && self.isStored(offset, &offsets, store.progress)
            }
            if let header = place.header {
                try begin(header, at: last, store.progress, name)
            } else if isStored == true {
                places.places[record].isSkipped = true
            } else if let seq = place.seq {
                try checkOrder(of: place, seq, after: last, name)
                last = seq
            } else if place.isRecord {
                last &+= 1
            }
            if let offset = place.offset, isStored == false { offsets[offset.stream] = offset.offset }
            if header != nil, times.seq(ofPosition: last) > RecordPlace.greatestSequence {
                throw InputError.unfit(
                    name, "record \(last): the store of a part takes numbers up to \(RecordPlace.greatestSequence)")
            }
            places.positions.append(last)
            places.sequences.append(times.seq(ofPosition: last))
            if place.isEnd { try end(store.progress) }
        }
        try check(isPlaced: true, store.progress, name)
        for (stream, offset) in offsets.sorted(by: { $0.key < $1.key }) {
            try store.progress.setOffset(StreamOffset(stream: stream, offset: offset))
        }
        places.reportsSources = header?.reportsSources ?? chunk.source?.isAlwaysReported ?? false
        hide(&places, chunk)
        chunk.places = places
        return last
    }

    /// Checks that a record comes after the one before. One of an engine's stream may come again: its offset says whether the store has it.
    private func checkOrder(
        of place: ChunkPlaces.Place, _ seq: UInt64, after last: UInt64, _ name: String
    ) throws(InputError) {
        guard seq >= last else {
            throw .unfit(name, "record \(seq) comes after record \(last): sort the part by place.seq")
        }
        guard header != nil, place.isRecord, place.offset == nil else { return }
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
            throw InputError.unfit(
                name, "\(header.part.name) after \(known.part.name): run each part with its own store")
        }
        if configuration.devicePolicy.pushesPerMinuteOfSender != nil {
            throw InputError.unfit(
                name,
                "a limit of an app's pushes per minute counts over all devices, and this is \(header.part.name); run the whole input"
            )
        }
        let mark = try progress.part()
        guard mark != nil || progress.lastSequence == 0 else {
            throw InputError.unfit(
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
