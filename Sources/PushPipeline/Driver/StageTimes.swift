import SystemSupport

/// Where a run's time went: for each stage how long it took, and how many records or messages went through it.
///
/// Kept only when `PipelineConfiguration.measuresStages` is set; the clock is read twice a chunk and stage. With several jobs the times
/// of `decode` and `check` add up those of all cores.
public struct StageTimes: Sendable, Equatable {
    /// A part of the line, in the order of the line.
    public enum Stage: Int, Sendable, CaseIterable {
        /// Reading the input.
        case read
        /// Telling records apart.
        case frame
        /// Scanning JSON and making messages of records.
        case decode
        /// Mutations, budgets, the provider's checks, and checks of one's own.
        case check
        /// Waiting for the cores that decode and check.
        case wait
        /// Coordinating stages, replacement, and the store with its commit.
        case deliver
        /// Handing out reports: composing report lines, in the command.
        case report
        /// Passing on what has been reported, and waiting for whoever reads it.
        case write
    }

    /// What is known of a stage.
    public struct Time: Sendable, Equatable {
        /// How long it took.
        public var nanoseconds: UInt64 = 0
        /// Records up to `wait`, messages behind it: a record with several targets is several messages. 0 for `read` and `write`,
        /// which know of bytes only.
        public var count: UInt64 = 0
    }

    private var times = [Time](repeating: Time(), count: Stage.allCases.count)

    /// The time of a stage.
    public internal(set) subscript(_ stage: Stage) -> Time {
        get { times[stage.rawValue] }
        set { times[stage.rawValue] = newValue }
    }

    mutating func add(_ other: StageTimes) {
        for stage in Stage.allCases {
            self[stage].nanoseconds &+= other[stage].nanoseconds
            self[stage].count &+= other[stage].count
        }
    }
}

/// A clock that is read only when stages are measured.
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
