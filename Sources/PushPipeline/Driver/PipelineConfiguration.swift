public import DeviceRegistry
public import PushDecoding
import PushModel
public import RecordFraming

/// How a pipeline reads its input, and which stages stand in its line.
public struct PipelineConfiguration: Sendable {
    /// How records are read.
    public var decoding = DecodingOptions()
    /// How records are told apart.
    public var framing = Framing.auto
    /// Longest record in bytes, without its separator. Longer ones are reported and passed over.
    public var maximumRecordBytes = 1 << 20  // 1 MiB
    /// Where the time of a delivery comes from.
    public var clock = PipelineClock.wall
    /// Cores to keep busy. What comes out is the same for every number; one core works with no thread but the caller's.
    public var jobs = 1
    /// The stages that look at one record at a time, in order, after decoding. What changes payloads belongs before `ProviderValidation`,
    /// what looks at accepted messages after it, and a `RedactionStage` at the end.
    public var recordStages: [any RecordStage] = [ProviderValidation()]
    /// Which limits of providers and devices `RegistryStage` enforces.
    public var devicePolicy = DevicePolicy()
    /// Whether `Pipeline.stageTimes` is kept.
    public var measuresStages = false
    /// Whether `RecordReport.trace` is kept: what happened to each message on its way. It takes time and memory.
    public var traces = false

    /// Reads every known format, one record a line or pretty-printed, and refuses what the providers refuse.
    public init() {}

    /// Largest value of `maximumRecordBytes`, 1 GiB.
    public static let largestMaximumRecordBytes = 1 << 30
}
