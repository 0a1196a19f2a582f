import PushGherkinRunner
import PushText

/// For people: the name of each file, one line per scenario, and below it the steps that did not pass.
struct TextScenarioReport: ScenarioReportWriter {
    let style: TextStyle
    private var file: String?

    init(style: TextStyle) { self.style = style }

    mutating func add(_ result: ScenarioResult, to out: inout some TextOutputStream) {
        let file = result.file
        if file != self.file {
            out.write("\(self.file == nil ? "" : "\n")\(style.bold(TextStyle.clean(file)))\n")
            self.file = file
        }
        let name = TextStyle.clean(result.path.isEmpty ? "line \(result.line)" : result.path)
        out.write("  \(mark(result.status)) \(name)\(style.dim(result.row))\(note(result))\n")
        for step in result.steps where step.status.isFailure {
            let place = step.place(in: TextStyle.clean(file))
            out.write("      \(place): \(style.bold(TextStyle.clean(step.quote)))\n")
            for line in step.message.split(separator: "\n") {
                out.write("        \(TextStyle.clean(String(line)))\n")
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

    mutating func finish(_ summary: ScenarioSummary, to out: inout some TextOutputStream) {
        out.write("\(file == nil ? "" : "\n")\(summary.text)\n")
    }
}
