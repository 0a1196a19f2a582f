import Gherkin
public import GherkinRunner
import TerminalStyle

/// Writes results as a report: `add` for each, in the order in which they come, then `finish`.
public struct ScenarioReport {
    /// What a report looks like.
    public enum Format: String, CaseIterable, Sendable {
        /// For people: a line a scenario, and below it the steps that did not pass.
        case text
        /// The Test Anything Protocol, version 13.
        case tap
        /// JUnit's XML. It is written at the end.
        case junit
    }

    private var writer: any ScenarioReportWriter
    private var summary = ScenarioSummary()

    /// - Parameters:
    ///   - format: what the report looks like.
    ///   - hasColors: whether a text report has escape sequences for a terminal.
    public init(_ format: Format, hasColors: Bool = false) {
        writer =
            switch format {
            case .text: TextScenarioReport(style: TextStyle(hasColours: hasColors))
            case .tap: TAPScenarioReport()
            case .junit: JUnitScenarioReport()
            }
    }

    /// Adds a scenario. Those of one file come one after the other.
    public mutating func add(_ result: ScenarioResult, to out: inout some TextOutputStream) {
        summary.add(result)
        writer.add(result, to: &out)
    }

    /// Writes what stands at the end.
    public mutating func finish(to out: inout some TextOutputStream) { writer.finish(summary, to: &out) }
}

/// Writes results in one form. `add` is called once a scenario, in the order of files and scenarios, and `finish` once, at the end.
protocol ScenarioReportWriter {
    mutating func add(_ result: ScenarioResult, to out: inout some TextOutputStream)

    mutating func finish(_ summary: ScenarioSummary, to out: inout some TextOutputStream)
}

extension ScenarioResult {
    /// Tells the rows of an outline apart, whose names may be the same: ` (line 14)`.
    var row: String {
        pickle.location == pickle.scenarioLocation ? "" : " (line \(pickle.location.line))"
    }
}

extension StepResult {
    /// As it stands in the file; of a payload that stands in the step by mistake, the beginning.
    var quote: String { text.shortened }

    /// `file:line:column`
    func place(in file: String) -> String { "\(file):\(line):\(column)" }
}
