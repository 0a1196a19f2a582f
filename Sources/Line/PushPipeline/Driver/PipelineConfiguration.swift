public import PushDecoding
public import PushDevices
import PushModel
package import PushStore
public import RecordFraming

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
    /// Number of cores to use. The output does not depend on it; with 1, all work happens on the caller's thread.
    public var jobs = 1
    /// The stages that look at one record at a time, in order, after decoding. Stages that change payloads belong before
    /// `ProviderValidation`, stages that look at accepted messages after it, and a `RedactionStage` at the end.
    public var recordStages: [any RecordStage] = [ProviderValidation()]
    /// Which limits of providers and devices `RegistryStage` enforces.
    public var devicePolicy = DevicePolicy()
    /// True to measure `Pipeline.stageTimes`.
    public var measuresStages = false
    /// True if records are written again (`Pipeline.emit`), so that redacted ones are needed as a whole.
    package var emits = false
    /// True if records with a place are those of a part. Otherwise they are records like others.
    package var readsPlaces = true
    /// True to leave out records of an engine's stream that the store has.
    package var resumes = false
    /// Which part's devices a file of devices registers; nil for all.
    package var part: PartMark?
    /// True if a file of devices holds preferences, which are applied after the others.
    package var readsPreferences = false
    /// True to record `RecordReport.trace`, the history of each message. Costs time and memory.
    public var traces = false

    /// Reads every known format, one record per line or pretty-printed, and rejects what the providers reject.
    public init() {}

    /// Largest value of `maximumRecordBytes`, 1 GiB.
    public static let largestMaximumRecordBytes = 1 << 30
}
