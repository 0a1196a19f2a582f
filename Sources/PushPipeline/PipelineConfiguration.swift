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
    /// Stages between decoding and the budget, in order: whatever changes a payload.
    public var mutations: [any RecordStage] = []
    /// Stages behind the budget and the provider's checks, in order: whatever looks at a message as it was accepted.
    public var checks: [any RecordStage] = []
    /// What is to be strict about when a message is sent to a device.
    public var devicePolicy = DevicePolicy()
    /// Whether each record is held against the linter's rules too. What they find, but for what is only worth
    /// a look, stands in the report of its first message.
    public var appliesRules = false
    /// Whether `Pipeline.stageTimes` is kept.
    public var measuresStages = false
    /// Whether `RecordReport.trace` is kept: what happened to each message on its way. It takes time and memory.
    public var traces = false

    /// What neither the store nor reports are to hold; nil hides nothing. Mutations and checks see messages as they came, coordinating
    /// stages and extensions with digests in the place of what is hidden.
    public var redaction: Redaction?

    /// Reads every known format, one record a line or pretty-printed, and refuses what the providers refuse.
    public init() {}

    /// Largest value of `maximumRecordBytes`, 1 GiB.
    public static let largestMaximumRecordBytes = 1 << 30
}
