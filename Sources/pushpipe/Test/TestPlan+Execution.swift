import Gherkin
import PayloadJSON
import PushPipeline
import Scenarios

extension TestPlan {
    /// - Throws: `Failure`.
    func execute() throws {
        let library = try StepVocabulary.library()
        let output = StandardOutput()
        if work == .listSteps {
            let style = TextStyle.forTerminal(StandardOutput.isTerminal)
            return try output.write(
                format == .markdown ? StepCatalogue.markdown(library) : StepCatalogue.text(library, style))
        }
        let features = FeatureFiles(inputs)
        if !features.troubles.isEmpty {
            for trouble in features.troubles { StandardError.write("\(trouble)\n") }
            throw Failure.troubleTold
        }
        let runner = ScenarioRunner(
            library, isDryRun: work == .match, seconds: PipelineClock.monotonicSeconds, makeWorld: ScenarioWorld.init)
        let summary = try run(features.files, with: runner, output)
        if summary.hasFailure { throw Failure.conditionMet }
    }

    private func run(
        _ files: [FeatureFile], with runner: ScenarioRunner<ScenarioWorld>, _ output: StandardOutput
    ) throws -> ScenarioSummary {
        var report: any ScenarioReport =
            switch format {
            case .tap: TAPScenarioReport()
            case .junit: JUnitScenarioReport()
            case .text, .markdown: TextScenarioReport(style: .forTerminal(StandardOutput.isTerminal))
            }
        var summary = ScenarioSummary()
        var isStopped = false
        for file in files where !isStopped {
            for pickle in Pickles(file.document) where file.lines.includes(pickle) && selection.includes(pickle) {
                let result = runner.run(pickle)
                summary.add(result)
                try output.append { report.add(result, of: file.name, to: &$0) }
                isStopped = stopsAtFirstFailure && result.status.isFailure
                if isStopped { break }
            }
            try output.flush()
        }
        try output.append { report.finish(summary, to: &$0) }
        try output.flush()
        return summary
    }
}
