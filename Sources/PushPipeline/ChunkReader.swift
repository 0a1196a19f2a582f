import PayloadJSON
import PushModel

/// The record-local half of the line: frames an input's bytes, decodes the records, runs the stages that look at one record alone.
///
/// Works on a chunk at a time. What it hands out in `batch` borrows from its own buffers, and is valid until `dropChunk`.
struct ChunkReader: ~Copyable {
    /// Bytes that are worked on at a time when the input does not run dry before.
    static let chunkBytes = 256 * 1024  // 256 KiB

    private let configuration: PipelineConfiguration
    private let acceptance: Acceptance
    private let context: StageContext
    private let hasStages: Bool

    var input = InputBuffer(capacity: 2 * chunkBytes)
    private var framer: Framer
    private var decoder: RecordDecoder
    private(set) var recordCount = 0
    var batch = MessageBatch()
    /// Bytes at the beginning of `input` that belong to the chunk's records.
    private var chunkLength = 0

    init(_ configuration: PipelineConfiguration) {
        self.configuration = configuration
        acceptance = Acceptance(budget: configuration.decoding.budget)
        context = StageContext(options: configuration.decoding)
        hasStages = !configuration.mutations.isEmpty || !configuration.checks.isEmpty
        framer = Self.framer(configuration)
        decoder = RecordDecoder(options: configuration.decoding)
    }

    private static func framer(_ configuration: PipelineConfiguration) -> Framer {
        let limit = min(max(configuration.maximumRecordBytes, 1), PipelineConfiguration.largestMaximumRecordBytes)
        return Framer(
            configuration.framing, maximumRecordBytes: limit,
            acceptsRelaxedJSON: configuration.decoding.acceptsRelaxedJSON)
    }

    /// Makes ready for another input, with a framing of its own.
    mutating func beginInput() { framer = Self.framer(configuration) }

    /// Frames and decodes records until the chunk is full. False when the buffer has no more whole ones.
    mutating func collect(isEnd: Bool) -> Bool {
        while chunkLength < Self.chunkBytes {
            let rest = UnsafeRawBufferPointer(rebasing: input.bytes[chunkLength...])
            switch framer.next(in: rest, isEnd: isEnd) {
            case .record(let range, let consumed):
                decode(UnsafeRawBufferPointer(rebasing: rest[range]))
                chunkLength += consumed
            case .tooLong(let consumed):
                reportTooLong(rest)
                chunkLength += consumed
            case .skip(let consumed):
                chunkLength += consumed
            case .needsMore, .end:
                return false
            }
        }
        return true
    }

    /// Forgets the chunk and its records.
    mutating func dropChunk() {
        input.drop(chunkLength)
        chunkLength = 0
        recordCount = 0
        batch.removeAll()
        if hasStages { context.reset() }
    }

    private mutating func decode(_ record: UnsafeRawBufferPointer) {
        let first = batch.messages.count
        decoder.decode(record, record: recordCount, into: &batch)
        recordCount += 1
        for index in first..<batch.messages.count {
            if hasStages { run(configuration.mutations, on: index) }
            acceptance.check(index, in: &batch)
            if hasStages { run(configuration.checks, on: index) }
        }
    }

    private mutating func run(_ stages: [any RecordStage], on index: Int) {
        for stage in stages {
            guard case .accepted = batch.messages[index].verdict else { return }
            stage.process(&batch.messages[index], context: context)
            for finding in context.takeFindings() { batch.report(finding, message: index) }
        }
    }

    private mutating func reportTooLong(_ text: UnsafeRawBufferPointer) {
        let limit = min(configuration.maximumRecordBytes, text.count)
        var malformation = Malformation(
            rule: "record.too-long",
            message: "the record is longer than \(configuration.maximumRecordBytes) bytes (--max-record)", offset: limit
        )
        malformation.position = TextPosition(of: limit, in: text)
        batch.append(malformation, record: recordCount)
        recordCount += 1
    }
}
