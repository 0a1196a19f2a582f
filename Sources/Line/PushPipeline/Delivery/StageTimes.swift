import PushSystem

/// Per-stage timings of a run, with the number of records or messages that passed each stage.
///
/// Measured only if `PipelineConfiguration.measuresStages` is set; the clock is read twice per chunk and stage. With several jobs the times
/// of `decode` and `check` are sums over all cores.
public struct StageTimes: Sendable, Equatable {
    /// A part of the pipeline, in processing order.
    public enum Stage: Int, Sendable, CaseIterable {
        /// Reading the input.
        case read
        /// Splitting the input into records.
        case frame
        /// Scanning JSON and decoding records to messages.
        case decode
        /// Mutations, budgets, provider validation, and custom checks.
        case check
        /// Waiting for other cores.
        case wait
        /// Coordinating stages, replacement, and the store with its commit.
        case deliver
        /// Passing on reports: in the command, composing report lines.
        case report
        /// Writing the report, and waiting for its reader.
        case write
    }

    /// The measurements of a stage.
    public struct Time: Sendable, Equatable {
        /// The duration of the stage in nanoseconds.
        public var nanoseconds: UInt64 = 0
        /// The duration of the stage.
        public var duration: Duration { .nanoseconds(Int64(clamping: nanoseconds)) }
        /// Records up to `wait`, messages after it: a record with several targets is several messages. 0 for `read` and `write`,
        /// which process only bytes.
        public var count: UInt64 = 0
    }

    /// Empty when nothing was measured.
    private var times: [Time] = []

    /// The time of a stage.
    public internal(set) subscript(_ stage: Stage) -> Time {
        get { times.isEmpty ? Time() : times[stage.rawValue] }
        set {
            if times.isEmpty { times = Array(repeating: Time(), count: Stage.allCases.count) }
            times[stage.rawValue] = newValue
        }
    }

    /// How chunks were delivered.
    package internal(set) var lanes = LaneUse()

    /// How many chunks were delivered in lanes, and why others were not.
    package struct LaneUse: Sendable, Equatable {
        /// Number of lanes; 0 for a store that has none.
        package internal(set) var count = 0
        /// Chunks that the lanes delivered, each its own part.
        package internal(set) var chunksInLanes: UInt64 = 0
        /// Chunks that were delivered one message at a time.
        package internal(set) var chunksInOrder: UInt64 = 0
        /// Why, in the order in which the reasons came up: `store`, `events`, `trace`, `journal`, or the names of device
        /// stages.
        package internal(set) var reasons: [String] = []

        mutating func addInOrder(_ reason: String) {
            chunksInOrder &+= 1
            if !reasons.contains(reason) { reasons.append(reason) }
        }
    }

    /// Counts the messages of a delivered chunk, if anything is measured.
    mutating func countDelivered(_ messages: Int, composed: Bool) {
        guard !times.isEmpty else { return }
        self[.deliver].count &+= UInt64(messages)
        if composed { self[.report].count &+= UInt64(messages) }
    }

    mutating func add(_ other: StageTimes) {
        guard !other.times.isEmpty else { return }
        for stage in Stage.allCases {
            self[stage].nanoseconds &+= other[stage].nanoseconds
            self[stage].count &+= other[stage].count
        }
    }
}

/// A clock that is read only if stages are measured.
struct Stopwatch {
    private var started: UInt64?

    init(isOn: Bool) { started = isOn ? Self.now() : nil }

    /// Adds the time since the last lap to a stage, and begins the next lap.
    mutating func lap(_ stage: StageTimes.Stage, count: Int, _ times: inout StageTimes) {
        guard let started else { return }
        let now = Self.now()
        times[stage].nanoseconds &+= now &- started
        times[stage].count &+= UInt64(count)
        self.started = now
    }

    private static func now() -> UInt64 { UInt64(bitPattern: SystemClock.monotonicNanoseconds()) }
}
