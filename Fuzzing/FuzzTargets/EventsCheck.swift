import AppSimulation
import PushDecoding
import PushDevices
import PushModel
import PushPipeline
import PushRuns

/// Devices go offline and online in a stream of pushes: later reports belong only to queued messages, each has at most one,
/// and the report is the same however the input is cut.
enum EventsCheck {
    @Sendable static func make() -> FuzzTarget.Check {
        { bytes in
            guard let input = FuzzInput(bytes) else { return nil }
            let configuration = configuration(Int(input.options.0))
            do {
                let whole = try read(input.text, configuration) { _ in .max }
                if let trouble = whole.trouble { return trouble }
                var generator = CutGenerator(seed: UInt64(input.options.1))
                let cut = try read(input.text, configuration) { _ in 1 + generator.below(60) }
                return cut.lines == whole.lines
                    ? nil : "in pieces \(cut.lines.map(\.json)), in one \(whole.lines.map(\.json))"
            } catch {
                return "the pipeline threw \(error)"
            }
        }
    }

    private static func configuration(_ choice: Int) -> PipelineConfiguration {
        var configuration = PipelineConfiguration()
        configuration.clock = .fixed(milliseconds: 1_700_000_000_000)
        if choice & 1 != 0 { configuration.recordStages.insert(LintStage(), at: 0) }
        configuration.decoding.acceptsRelaxedJSON = choice & 2 != 0
        configuration.devicePolicy.rejectsUnknownDevices = choice & 4 != 0
        if choice & 8 != 0 {
            configuration.devicePolicy.pushesPerMinute = 2
            configuration.devicePolicy.pushesPerMinuteOfSender = 3
        }
        if choice & 16 != 0 { configuration.devicePolicy.backgroundPushesPerHour = 1 }
        if choice & 32 != 0 { configuration.devicePolicy.tokenLifeCycle = TokenLifeCycle() }
        if choice & 64 != 0 {
            configuration.devicePolicy.typeMapping = PreferenceMapping([PreferenceMapping.Rule(at: .category)])
        }
        if choice & 128 != 0 { configuration.decoding.replacementKey = "custom-payload-id" }
        return configuration
    }

    private static func read(
        _ text: UnsafeRawBufferPointer, _ configuration: PipelineConfiguration, _ size: (Int) -> Int
    ) throws -> Result {
        var result = Result()
        try FedPipeline(configuration).read(text, size) { result.add($0) }
        return result
    }

    /// The messages queued for a device according to the report.
    private struct Result {
        /// A queued message: its record and target.
        private struct Held: Hashable {
            var seq: UInt64
            var target: Int?
        }

        private(set) var lines: [ReportLine] = []
        private(set) var trouble: String?
        private var held: Set<Held> = []

        mutating func add(_ report: borrowing RecordReport) {
            let line = ReportLine(report)
            lines.append(line)
            trouble = trouble ?? line.trouble ?? account(report).map { "\($0): \(line.json)" }
        }

        /// The error in the outcome of a message.
        private mutating func account(_ report: borrowing RecordReport) -> String? {
            let target = report.message.target
            guard let original = report.note?.original else {
                if report.outcome == .held { held.insert(Held(seq: report.seq, target: target)) }
                return nil
            }
            if original > report.seq { return "a later report of a push before the push" }
            if report.outcome == .held { return "held twice" }
            return held.remove(Held(seq: original, target: target)) == nil ? "it was not held" : nil
        }
    }
}
