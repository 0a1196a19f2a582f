import Gherkin
import PayloadJSON
import Scenarios

/// Writes results in one form. `add` is called once a scenario, in the order of files and scenarios, and `finish` once, at the end.
protocol ScenarioReport {
    mutating func add(_ result: ScenarioResult, of file: String, to out: inout ByteBuffer)

    mutating func finish(_ summary: ScenarioSummary, to out: inout ByteBuffer)
}

extension ScenarioResult {
    /// Tells the rows of an outline apart, whose names may be the same: ` (line 14)`.
    var row: String {
        pickle.location == pickle.scenarioLocation ? "" : " (line \(pickle.location.line))"
    }
}

extension PickleStep {
    /// As it stands in the file; of a payload that stands in the step by mistake, the beginning.
    var line: String { (keyword + text).shortened }
}
