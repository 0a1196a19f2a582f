import Foundation
import PushScenarios
import TestSupport
import Testing

/// A run over a feature file, and its report.
struct ScenarioTrial {
    var results: [ScenarioResult] = []
    var summary = ScenarioSummary()
    /// The report.
    var text = ""

    var lines: [Substring] { text.split(separator: "\n") }

    init(
        _ files: [FeatureFile], _ format: ScenarioReport.Format = .text,
        selection: ScenarioSelection = ScenarioSelection(), isDryRun: Bool = false, stopsAtFirstFailure: Bool = false
    ) throws {
        var suite = try ScenarioSuite(files, steps: .pushes(), selection: selection)
        suite.isDryRun = isDryRun
        suite.stopsAtFirstFailure = stopsAtFirstFailure
        var report = ScenarioReport(format)
        summary = try suite.runDirectly { result, _ in
            results.append(result)
            report.add(result, to: &text)
        }
        report.finish(to: &text)
    }

    init(
        _ text: String, named name: String = "f.feature", _ format: ScenarioReport.Format = .text,
        isDryRun: Bool = false
    ) throws {
        try self.init([try FeatureFile(text, name: name)], format, isDryRun: isDryRun)
    }

    /// One scenario of these steps.
    init(steps: String, _ format: ScenarioReport.Format = .text) throws {
        try self.init("Feature: f\nScenario: s\n\(steps)\n", format)
    }

    /// What the first step that does not hold says, as the text report has it.
    var complaint: Substring? { lines.dropFirst(3).first }
}

/// A file of the package.
func packageFile(_ path: String) throws -> String {
    try String(contentsOf: packageFolder.appendingPathComponent(path), encoding: .utf8)
}
