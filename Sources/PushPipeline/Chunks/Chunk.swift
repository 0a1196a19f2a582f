import NotificationStore
import PayloadJSON
import PushDecoding
import PushLint
import PushModel
import RecordFraming

/// A part of an input: whole records, and what the record-local stages made of them.
struct Chunk: ~Copyable {
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
    /// What its worker took, when stages are measured.
    var times = StageTimes()
    /// Where the input goes on behind it; nil unless that is kept track of.
    var end: InputProgress?
    /// Filled only when messages are traced.
    var traces = ChunkTraces()

    /// Forgets the records and what was made of them.
    mutating func removeAll() {
        batch.removeAll()
        frames.removeAll(keepingCapacity: true)
        input.removeAll()
        end = nil
        traces.removeAll()
    }
}

/// Cuts an input into chunks: collects bytes, and finds the whole records in them.
struct ChunkCutter: ~Copyable {
    private let configuration: PipelineConfiguration
    private var framer: Framer
    /// What has been read and not yet cut off.
    var input = InputBuffer()
    /// Records that a chunk may have.
    var recordLimit = Int.max
    /// How much of the input has been cut off; nil unless that is kept track of.
    private(set) var progress: InputProgress?

    init(_ configuration: PipelineConfiguration) {
        self.configuration = configuration
        framer = Self.framer(configuration)
    }

    private static func framer(_ configuration: PipelineConfiguration) -> Framer {
        let limit = min(max(configuration.maximumRecordBytes, 1), PipelineConfiguration.largestMaximumRecordBytes)
        return Framer(
            configuration.framing, maximumRecordBytes: limit,
            acceptsRelaxedJSON: configuration.decoding.acceptsRelaxedJSON)
    }

    /// Makes ready for another input, with a framing of its own.
    mutating func beginInput() {
        framer = Self.framer(configuration)
        progress = nil
    }

    /// Makes ready for an input whose progress is kept, from where it was left. Nothing of another input may be waiting.
    mutating func beginInput(at progress: InputProgress) {
        framer = Self.framer(configuration)
        if progress.offset > 0, let framing = Framing(rawValue: progress.framing) {
            framer.resume(FramerStanding(framing: framing, isDropping: progress.isDropping))
        }
        self.progress = progress
    }

    /// Drops bytes that no record needs, or that the chunk takes over.
    private mutating func count(_ length: Int) {
        guard progress != nil else { return }
        progress?.digest.update(UnsafeRawBufferPointer(rebasing: input.bytes[..<length]))
        progress?.offset += UInt64(length)
        let standing = framer.standing
        progress?.framing = standing.framing.rawValue
        progress?.isDropping = standing.isDropping
    }

    /// Moves every whole record that has been read into an empty chunk. False when there is none.
    ///
    /// The chunk takes the bytes over as they lie, and gives its own empty buffer for them; only the beginning of the next record, which
    /// the chunk has no use for, is copied.
    mutating func cut(into chunk: inout Chunk, isEnd: Bool) -> Bool {
        var length = 0
        framing: while chunk.frames.count < recordLimit {
            let rest = UnsafeRawBufferPointer(rebasing: input.bytes[length...])
            switch framer.next(in: rest, isEnd: isEnd) {
            case .record(let range, let consumed):
                chunk.frames.append(.record(range.lowerBound + length..<range.upperBound + length))
                length += consumed
            case .tooLong(let start, let consumed):
                let record = UnsafeRawBufferPointer(rebasing: rest[start...])
                let offset = min(configuration.maximumRecordBytes, record.count)
                chunk.frames.append(.tooLong(offset: offset, position: TextPosition(of: offset, in: record)))
                length += consumed
            case .skip(let consumed):
                length += consumed
            case .needsMore, .end:
                break framing
            }
        }
        count(length)
        guard !chunk.frames.isEmpty else {
            input.drop(length)
            return false
        }
        chunk.end = progress
        swap(&input, &chunk.input)
        input.append(UnsafeRawBufferPointer(rebasing: chunk.input.bytes[length...]))
        return true
    }
}

/// Runs the stages that look at one record alone: decoding, mutations, the provider's checks.
struct ChunkWorker: ~Copyable {
    private let configuration: PipelineConfiguration
    private let acceptance: Acceptance
    private let context: StageContext
    private let hasStages: Bool
    private var decoder: RecordDecoder
    private let linter: Linter?
    private let redactor: ChunkRedactor?

    init(_ configuration: PipelineConfiguration) {
        self.configuration = configuration
        acceptance = Acceptance(budget: configuration.decoding.budget)
        context = StageContext(options: configuration.decoding)
        hasStages = !configuration.mutations.isEmpty || !configuration.checks.isEmpty
        decoder = RecordDecoder(options: configuration.decoding)
        redactor = configuration.redaction.map { ChunkRedactor($0, configuration.decoding) }
        linter = configuration.appliesRules ? Linter(configuration.decoding, isInPipeline: true) : nil
    }

    /// Fills the chunk's batch from its frames. What an earlier chunk left in this worker's own memory is forgotten.
    mutating func process(_ chunk: inout Chunk) {
        if hasStages { context.reset() }
        guard configuration.measuresStages else {
            for (record, frame) in chunk.frames.enumerated() {
                let first = chunk.batch.messages.count
                decode(frame, record: record, in: &chunk)
                if configuration.traces { chunk.traces.noteDecoded(chunk.batch.messages) }
                check(from: first, in: &chunk)
            }
            redactor?.process(&chunk)
            return
        }
        // The same, but one stage after the other: a look at the clock for each record would measure little else.
        chunk.times = StageTimes()
        var watch = Stopwatch(isOn: true)
        for (record, frame) in chunk.frames.enumerated() { decode(frame, record: record, in: &chunk) }
        watch.lap(.decode, count: chunk.frames.count, &chunk.times)
        if configuration.traces { chunk.traces.noteDecoded(chunk.batch.messages) }
        check(from: 0, in: &chunk)
        redactor?.process(&chunk)
        watch.lap(.check, count: chunk.frames.count, &chunk.times)
    }

    private mutating func decode(_ frame: Chunk.Frame, record: Int, in chunk: inout Chunk) {
        switch frame {
        case .record(let range):
            let text = UnsafeRawBufferPointer(rebasing: chunk.input.bytes[range])
            let first = chunk.batch.messages.count
            decoder.decode(text, record: record, into: &chunk.batch)
            guard let linter else { return }
            reportRules(linter.lint(text), first, in: &chunk.batch)
        case .tooLong(let offset, let position):
            var decodeFailure = DecodeFailure(
                rule: "record.too-long",
                message: "the record is longer than \(configuration.maximumRecordBytes) bytes (--max-record)",
                offset: offset)
            decodeFailure.position = position
            chunk.batch.append(decodeFailure, record: record)
        }
    }

    /// Adds what the linter found about the record whose first message is `first`, unless the decoder has said it.
    private func reportRules(_ diagnostics: [Diagnostic], _ first: Int, in batch: inout MessageBatch) {
        let redactor = redactor
        let found = diagnostics.filter { $0.rule.severity > .info }.map { diagnostic in
            var finding = diagnostic.finding
            if let redactor { finding.message = redactor.message(of: diagnostic) }
            return finding
        }
        guard !found.isEmpty else { return }
        // The record is the last one, and so are its findings.
        var known = Set(batch.findings.reversed().prefix { $0.message >= first }.map { Place($0.finding) })
        for finding in found where known.insert(Place(finding)).inserted { batch.report(finding, message: first) }
    }

    /// What a finding is about.
    private struct Place: Hashable {
        let rule: String
        let pointer: String

        init(_ finding: Finding) {
            rule = finding.rule
            pointer = finding.pointer
        }
    }

    private func check(from first: Int, in chunk: inout Chunk) {
        for index in first..<chunk.batch.messages.count {
            if hasStages { mutate(index, in: &chunk) }
            acceptance.check(index, in: &chunk.batch)
            if hasStages { run(configuration.checks, on: index, in: &chunk.batch) }
        }
    }

    private func mutate(_ index: Int, in chunk: inout Chunk) {
        guard configuration.traces else { return run(configuration.mutations, on: index, in: &chunk.batch) }
        for stage in configuration.mutations {
            guard case .accepted = chunk.batch.messages[index].verdict else { return }
            let before = chunk.batch.messages[index].payload
            run([stage], on: index, in: &chunk.batch)
            let step = MessageTrace.Step(
                stage: stage.name, before: before, after: chunk.batch.messages[index].payload)
            chunk.traces.steps.append((index, step))
        }
    }

    private func run(_ stages: [any RecordStage], on index: Int, in batch: inout MessageBatch) {
        for stage in stages {
            // In two steps: Swift 6.3 cannot compile `&batch.messages[index]` for the thread sanitizer.
            let messages = batch.messages
            guard case .accepted = messages[index].verdict else { return }
            stage.process(&messages[index], context: context)
            for finding in context.takeFindings() { batch.report(finding, message: index) }
        }
    }
}
