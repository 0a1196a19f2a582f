import PushGherkin
public import PushGherkinRunner
import PushText

/// Writes results as a report. Call `add` for each result in the order of the run, then `finish`.
public struct ScenarioReport {
    /// The format of a report.
    public enum Format: String, CaseIterable, Sendable {
        /// For people: one line per scenario, and below it the steps that did not pass.
        case text
        /// The Test Anything Protocol, version 13.
        case tap
        /// JUnit's XML, written by `finish`.
        case junit
        /// Commands for GitHub Actions, which annotate the steps that did not pass.
        case github
        /// Commands for Azure Pipelines, which do the same.
        case azure
    }

    private var writer: any ScenarioReportWriter
    private var summary = ScenarioSummary()

    /// - Parameters:
    ///   - format: how the report is written.
    ///   - hasColors: true if a text report uses the colors of a terminal.
    public init(_ format: Format, hasColors: Bool = false) {
        writer =
            switch format {
            case .text: TextScenarioReport(style: TextStyle(hasColors: hasColors))
            case .tap: TAPScenarioReport()
            case .junit: JUnitScenarioReport()
            case .github: AnnotationScenarioReport(dialect: .github)
            case .azure: AnnotationScenarioReport(dialect: .azure)
            }
    }

    /// Adds a scenario. Results of one file must follow each other.
    public mutating func add(_ result: ScenarioResult, to out: inout some TextOutputStream) {
        summary.add(result)
        writer.add(result, to: &out)
    }

    /// Writes the end of the report.
    public mutating func finish(to out: inout some TextOutputStream) { writer.finish(summary, to: &out) }
}

/// One format. `add` is called once per scenario, in the order of files and scenarios, and `finish` once, at the end.
protocol ScenarioReportWriter {
    mutating func add(_ result: ScenarioResult, to out: inout some TextOutputStream)

    mutating func finish(_ summary: ScenarioSummary, to out: inout some TextOutputStream)
}

extension ScenarioResult {
    /// Distinguishes the rows of an outline, which may share a name: ` (line 14)`.
    var row: String {
        pickle.location == pickle.scenarioLocation ? "" : " (line \(pickle.location.line))"
    }
}

extension StepResult {
    /// The step as in the file, shortened when somebody put a payload into it.
    var quote: String { text.shortened }

    /// `file:line:column`
    func place(in file: String) -> String { "\(file):\(line):\(column)" }
}
