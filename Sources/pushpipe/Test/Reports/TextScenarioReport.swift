import Gherkin
import PayloadJSON
import PushPipeline
import Scenarios
import TerminalStyle

/// For people: a line a scenario, below the name of its file, and below it the steps that did not pass.
struct TextScenarioReport: ScenarioReport {
    let style: TextStyle
    private var file: String?

    init(style: TextStyle) { self.style = style }

    mutating func add(_ result: ScenarioResult, of file: String, to out: inout ByteBuffer) {
        if file != self.file {
            out.appendText("\(self.file == nil ? "" : "\n")\(style.bold(TextStyle.clean(file)))\n")
            self.file = file
        }
        let name = TextStyle.clean(result.path.isEmpty ? "line \(result.pickle.location.line)" : result.path)
        out.appendText("  \(mark(result.status)) \(name)\(style.dim(result.row))\(note(result))\n")
        for step in result.steps where step.status.isFailure {
            let place = "\(TextStyle.clean(file)):\(step.step.location.line):\(step.step.location.column)"
            out.appendText("      \(place): \(style.bold(TextStyle.clean(step.step.line)))\n")
            for line in step.message.split(separator: "\n") {
                out.appendText("        \(TextStyle.clean(String(line)))\n")
            }
        }
    }

    private func mark(_ status: ScenarioStatus) -> String {
        switch status {
        case .passed: style.added("✓")
        case .skipped: style.dim("-")
        case .pending: style.changed("?")
        case .undefined, .ambiguous: style.changed("✗")
        case .failed: style.removed("✗")
        }
    }

    private func note(_ result: ScenarioResult) -> String {
        switch result.status {
        case .passed, .skipped, .failed: ""
        case .pending: "  " + style.changed("has no steps")
        case .undefined, .ambiguous: "  " + style.changed(result.status.rawValue)
        }
    }

    mutating func finish(_ summary: ScenarioSummary, to out: inout ByteBuffer) {
        out.appendText("\(file == nil ? "" : "\n")\(summary.text)\n")
    }
}
