public import PushDecoding
public import PushDevices
public import PushFraming
import PushModel

/// How a pipeline reads its input, and which stages it runs.
public struct PipelineConfiguration: Sendable {
    /// How records are read.
    public var decoding = DecodingOptions()
    /// How the input is split into records.
    public var framing = Framing.auto
    /// Longest record in bytes, without its separator. Longer ones are reported and skipped.
    public var maximumRecordBytes = 1 << 20  // 1 MiB
    /// The source of delivery times.
    public var clock = PipelineClock.wall
    /// The place of each record's delivery time in its line; nil if `clock` says it. A record without one, or with an earlier one than the
    /// record before, takes the time of that.
    package var recordTime: RecordTimePlace?
    /// Number of cores to use, from 1 to 256: any other becomes the nearest. The output does not depend on it; with 1, all work happens on
    /// the caller's thread.
    public var jobs = 1 { didSet { jobs = min(max(jobs, 1), Self.mostJobs) } }
    /// Stages that look at one message at a time, in order, after decoding. The provider's validation runs after them, and before a
    /// `RedactionStage`; put `ProviderValidation()` among them to run some after it, which see accepted messages.
    public var recordStages: [any RecordStage] = []
    /// Checks of messages, as their provider does them.
    public var validation = Validation.on
    /// Which limits of providers and devices to enforce.
    public var devicePolicy = DevicePolicy()
    /// True to measure `Pipeline.stageTimes`.
    public var measuresStages = false
    /// True if records are written again (`Pipeline.emit`), so that redacted ones are needed as a whole.
    package var emits = false
    /// True if an input that begins with the first line of a part is one. Otherwise its records are like others.
    package var readsPlaces = true
    /// True if records have places, although the input does not begin with the first line of a part.
    package var expectsPlaces = false
    /// Most bytes of an input other than a regular file between two records, as long as none was valid: `/dev/zero` has no end. Nil for any.
    package var maximumBytesWithoutRecord: UInt64? = 64 << 20  // 64 MiB
    /// True to take records out of the lines of a log, if the input begins like one and `decoding` does not say where they are.
    package var recognizesLogs = false
    /// True to leave out records of an engine's stream that the store has.
    package var resumes = false
    /// Which part's devices a file of devices registers; nil for all.
    package var part: PartMark?
    /// True if a file of devices holds preferences, which are applied after the others.
    package var readsPreferences = false
    /// True if records are decoded and passed on, and nothing is delivered.
    var onlyDecodes = false
    /// Rules whose findings about what a device or an extension does are left out.
    package var ignoredRules: Set<String> = []
    /// True to record `RecordReport.trace`, the history of each message. Costs time and memory.
    package var traces = false

    /// Reads every known format, one record per line or pretty-printed, and rejects what the providers reject.
    public init() {}

    /// Checks of messages, as their provider does them.
    public enum Validation: Sendable {
        /// Each message is checked against its budget and rejected if its provider would reject it.
        case on
        /// Every message that can be decoded is accepted, and none is measured.
        case off
    }

    var chunkStages: [any ChunkStage] {
        var stages = recordStages.map { $0 as? any ChunkStage ?? OwnRecordStage(stage: $0) }
        if validation == .off {
            stages.removeAll { $0 is ProviderValidation }
        } else if !stages.contains(where: { $0 is ProviderValidation }) {
            stages.insert(ProviderValidation(), at: stages.firstIndex { $0 is RedactionStage } ?? stages.endIndex)
        }
        return stages
    }

    package static let mostJobs = 256

    /// Largest value of `maximumRecordBytes`, 1 GiB.
    package static let largestMaximumRecordBytes = 1 << 30
}

/// An invalid record in a device file.
public struct DeviceFileError: Error, Sendable, Equatable, CustomStringConvertible {
    /// Number of the record in the file, from 1.
    public var record: UInt64
    /// Line in the file, from 1.
    public var line: Int
    /// Column in that line, from 1.
    public var column: Int
    /// The problem, in words.
    public var message: String

    package init(record: UInt64, at position: TextPosition, message: String) {
        self.record = record
        line = position.line
        column = position.column
        self.message = message
    }

    /// Position and reason, on one line.
    public var description: String { "record \(record), line \(line), column \(column): \(message)" }
}
