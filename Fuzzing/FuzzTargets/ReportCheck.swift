import PushDecoding
import PushFraming
import PushJSON
import PushModel
import PushPipeline
import PushRuns

/// Every NDJSON line is one JSON object, the text report has nothing that disturbs a terminal, and both are the same
/// however the input is cut.
enum ReportCheck {
    @Sendable static func make() -> FuzzTarget.Check {
        { bytes in
            guard let input = FuzzInput(bytes) else { return nil }
            let configuration = configuration(Int(input.options.0))
            do {
                var whole: [ReportLine] = []
                try FedPipeline(configuration).read(input.text) { whole.append(ReportLine($0)) }
                for line in whole {
                    if let trouble = line.trouble { return trouble }
                }
                var generator = CutGenerator(seed: UInt64(input.options.1))
                var cut: [ReportLine] = []
                try FedPipeline(configuration).read(
                    input.text, { _ in 1 + generator.below(60) }, { cut.append(ReportLine($0)) })
                return cut == whole ? nil : "in pieces \(cut.map(\.json)), in one \(whole.map(\.json))"
            } catch {
                return "the pipeline threw \(error)"
            }
        }
    }

    private static func configuration(_ choice: Int) -> PipelineConfiguration {
        var configuration = PipelineConfiguration()
        configuration.clock = .fixed(milliseconds: 1_000_000)
        // A damaged first line of a part ends a run. `placed` and `partition` look at parts.
        configuration.readsPlaces = false
        configuration.framing = Framing.allCases[(choice & 7) % Framing.allCases.count]
        if choice & 8 != 0 { configuration.recordStages.insert(LintStage(), at: 0) }
        configuration.decoding.acceptsRelaxedJSON = choice & 16 != 0
        configuration.decoding.replacementKey = choice & 32 != 0 ? "custom-payload-id" : nil
        if choice & 4 != 0 {
            configuration.decoding.replacement?.match = .first
            configuration.decoding.replacement?.missing = .equal
            configuration.decoding.replacement?.comparison = .typed
            configuration.decoding.replacement?.removal = .delayed(.milliseconds(50))
            configuration.decoding.replacement?.wait = .milliseconds(choice & 1 != 0 ? 200 : 20)
        }
        if choice & 64 != 0 { configuration.recordStages = [FitToBudget()] }
        if choice & 128 != 0 {
            configuration.decoding.budget = Budget(bytes: 60)
            configuration.maximumRecordBytes = 200
        }
        return configuration
    }
}
