import Gherkin
import PayloadJSON
import PushPipeline
import Scenarios
import TerminalStyle

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
        var found = 0
        for file in files where !isStopped {
            for pickle in Pickles(file.document) where file.lines.includes(pickle) {
                found += 1
                guard selection.includes(pickle) else { continue }
                let result = runner.run(pickle)
                summary.add(result)
                try output.append { report.add(result, of: file.name, to: &$0) }
                isStopped = stopsAtFirstFailure && result.status.isFailure
                if isStopped { break }
            }
            try output.flush()
        }
        guard summary.hasScenarios else { throw Failure.trouble(nothingRun(found, in: files)) }
        try output.append { report.finish(summary, to: &$0) }
        try output.flush()
        return summary
    }

    /// Why nothing is run, which would look like success.
    ///
    /// - Parameter found: scenarios, or those at the lines that were named, before they were chosen from.
    private func nothingRun(_ found: Int, in files: [FeatureFile]) -> String {
        let place = files.count == 1 ? files[0].name : "the \(files.count) files"
        guard found > 0 else {
            let hasLines = files.contains { !$0.lines.isEverything }
            return "nothing is run: there is no scenario in \(place)\(hasLines ? ", at the lines that were named" : "")"
        }
        let number = found == 1 ? "1 scenario" : "\(found) scenarios"
        return "nothing is run: of \(number) in \(place) none is chosen by \(filters.joined(separator: ", "))"
    }
}
