import PushDecoding
import PushDevices
import PushFraming
import PushJSON
import PushModel
import PushSystem

/// Decodes the records of a chunk and runs the record-local stages on them. Processes one chunk at a time, on any core.
struct ChunkWorker: ~Copyable {
    private let configuration: PipelineConfiguration
    private let stages: [any ChunkStage]
    private let context: StageContext
    private var decoder: RecordDecoder
    /// Nil if the input's objects are its records.
    private var location: RecordLocation?
    private var locator: RecordLocator?
    /// Nil unless the lines say when their records are delivered.
    private var timeReader: RecordTimeReader?
    private var placedReader: PlacedChunkReader
    /// The hash function of the store's keys, and its number of lanes; nil if it has none.
    private let lanes: (hasher: SeededHash, count: Int)?

    init(_ configuration: PipelineConfiguration, _ lanes: MemoryStore?) {
        self.configuration = configuration
        stages = configuration.chunkStages
        self.lanes = lanes.map { ($0.hasher, $0.laneCount) }
        context = StageContext(options: configuration.decoding)
        decoder = RecordDecoder(options: configuration.decoding)
        if let place = configuration.recordTime {
            let start = if case .fixed(let milliseconds) = configuration.clock { milliseconds } else { nil as Int64? }
            timeReader = RecordTimeReader(place, now: start ?? SystemClock.wallMilliseconds())
        }
        placedReader = PlacedChunkReader(maximumRecordBytes: configuration.maximumRecordBytes)
    }

    /// Fills the chunk's batch from its frames, and resets this worker's memory.
    mutating func process(_ chunk: inout RecordChunk, _ times: inout StageTimes) {
        // SOUND: the messages stay where they are until the next record is decoded.
        context.reset()
        chunk.removeResults()
        if chunk.location != location {
            location = chunk.location
            locator = location.map { RecordLocator($0) }
        }
        chunk.batch.reserve(chunk.frames.count)
        var watch = Stopwatch(isOn: configuration.measuresStages)
        if chunk.isPlaced {
            decodePlaced(&chunk)
        } else {
            if timeReader != nil { readTimes(of: &chunk) }
            if locator != nil { locateRecords(in: &chunk) }
            for (record, frame) in chunk.frames.enumerated() { decode(frame, record: record, in: &chunk) }
        }
        if !chunk.batch.decodeFailures.isEmpty { explainPlaces(&chunk) }
        if let part = configuration.part { dropDevices(outside: part, &chunk) }
        watch.lap(.decode, count: chunk.frames.count, &times)
        chunk.keepsRecords = configuration.traces || configuration.emits
        if configuration.traces { unsafe chunk.traces.noteDecoded(chunk.batch.messages) }
        runStages(&chunk)
        // What delivery need not look at is settled, and the keys of the rest are computed.
        unsafe chunk.lines.begin(chunk.batch.messages, lanes: lanes)
        watch.lap(.check, count: chunk.frames.count, &times)
    }

    private func runStages(_ chunk: inout RecordChunk) {
        // SOUND: the messages stay where they are.
        for (position, stage) in stages.enumerated() {
            context.position = position
            let before =
                configuration.traces && stage.changesPayloads
                ? unsafe chunk.traces.payloads(of: chunk.batch.messages) : nil
            stage.process(&chunk, context: context)
            if chunk.stageFailure != nil { return }
            if let before { unsafe chunk.traces.noteChanges(by: stage.name, before, chunk.batch.messages) }
        }
    }

    private mutating func readTimes(of chunk: inout RecordChunk) {
        for frame in chunk.frames {
            // SOUND: a frame's range is within the input, which the chunk owns.
            guard case .record(let range) = frame else {
                chunk.recordTimes.append(.min)
                continue
            }
            let line = unsafe UnsafeRawBufferPointer(rebasing: chunk.input.bytes[range])
            chunk.recordTimes.append(unsafe timeReader?.time(of: line, &chunk.batch.scratch) ?? .min)
        }
    }

    /// Narrows each line to the record in it.
    private mutating func locateRecords(in chunk: inout RecordChunk) {
        chunk.lineFrames = chunk.frames
        for (number, frame) in chunk.frames.enumerated() {
            // SOUND: a frame's range is within the input, which the chunk owns; the scratch memory lives as long as its batch.
            var location = RecordChunk.Location.other
            defer { chunk.locations.append(location) }
            guard case .record(let range) = frame else { continue }
            let line = unsafe UnsafeRawBufferPointer(rebasing: chunk.input.bytes[range])
            switch unsafe locator?.locate(in: line, &chunk.batch.scratch) {
            // It may not be JSON.
            case .whole, nil: if self.location?.pointer == nil { location = .record }
            case .found(let record):
                if record.isFound { location = .record }
                let start = range.lowerBound + record.start
                chunk.frames[number] =
                    record.isInPlace ? .record(start..<start + record.text.count) : .copied(record.text, start: start)
            case .nothing:
                chunk.frames[number] = .nothing(start: range.lowerBound)
                location = .nothing
            }
        }
    }

    /// Says of records with a place, in an input whose first record has none, what is wrong.
    private mutating func explainPlaces(_ chunk: inout RecordChunk) {
        // SOUND: the records live as long as the chunk.
        var failures = chunk.batch.decodeFailures
        let messages = unsafe chunk.batch.messages
        for (position, failure) in failures.enumerated() where failure.decodeFailure.rule == "record.unknown-shape" {
            let record = unsafe chunk.text(ofRecord: messages[failure.message].record)
            guard let record, record.hasPrefix("{\"place\":") else { continue }
            failures[position].decodeFailure = PlacedRecordReader.unexpectedPlace
        }
        chunk.batch.replace(findings: chunk.batch.findings, decodeFailures: failures)
    }

    /// Takes the events of devices in other parts from a file of devices. They keep their lines, so that records count as in the file. One that
    /// concerns devices of several parts cannot be read for one of them.
    private func dropDevices(outside part: PartMark, _ chunk: inout RecordChunk) {
        // SOUND: the messages stay where they are.
        let messages = unsafe chunk.batch.messages
        var failures = chunk.batch.decodeFailures
        let failure = DecodeFailure(
            rule: "event.value",
            message: "the event concerns devices of several parts, and this is \(part.name); run the whole input")
        chunk.batch.events = chunk.batch.events.filter { message, event in
            if event.concernsSeveralDevices {
                failures.append((message, failure))
                return false
            }
            let isOutside = event.device.map { device in
                BorrowedText.with(device) { RecordPlace.part(of: $0, among: part.parts) != part.part }
            }
            if isOutside ?? false { unsafe messages[message].verdict = .suppressed("other-part") }
            return !(isOutside ?? false)
        }
        if failures.count > chunk.batch.decodeFailures.count {
            failures.sort { $0.message < $1.message }
            chunk.batch.replace(findings: chunk.batch.findings, decodeFailures: failures)
        }
    }

    private mutating func decodePlaced(_ chunk: inout RecordChunk) {
        // SOUND: the messages stay where they are until the next record is decoded.
        placedReader.read(&chunk)
        if locator != nil { locateRecords(in: &chunk) }
        for record in chunk.frames.indices {
            if let failure = chunk.places?.places[record].failure {
                chunk.batch.append(failure, record: record)
                continue
            }
            let first = chunk.batch.messageCount
            let failures = chunk.batch.decodeFailures.count
            decode(chunk.frames[record], record: record, in: &chunk)
            // What was to be skipped or found in the line cannot be what another program has added to it.
            if chunk.batch.decodeFailures.count > failures, locator == nil,
                placedReader.readAgain(record, in: &chunk)
            {
                chunk.batch.removeMessages(from: first)
                decode(chunk.frames[record], record: record, in: &chunk)
            }
            guard chunk.batch.messageCount > first + 1 else { continue }
            let messages = unsafe UnsafeMutableBufferPointer(rebasing: chunk.batch.messages[first...])
            chunk.places?.places[record].deviceHashes = unsafe RecordPlace.hashes(of: messages)
        }
    }

    private mutating func decode(_ frame: RecordChunk.Frame, record: Int, in chunk: inout RecordChunk) {
        // SOUND: a frame's range is within the input, which the chunk owns and keeps until its batch is emptied; so does a copy live.
        switch frame {
        case .nothing: break
        case .copied(let text, _): unsafe decoder.decode(text.bytes, record: record, into: &chunk.batch)
        case .record(let range):
            let text = unsafe UnsafeRawBufferPointer(rebasing: chunk.input.bytes[range])
            unsafe decoder.decode(text, record: record, into: &chunk.batch)
        case .tooLong(_, let offset, let position):
            var failure = DecodeFailure(
                rule: "record.too-long",
                message: "the record is longer than \(configuration.maximumRecordBytes) bytes"
                    + configuration.decoding.advice(.acceptLongRecords),
                offset: offset)
            failure.position = position
            chunk.batch.append(failure, record: record)
        }
    }
}
