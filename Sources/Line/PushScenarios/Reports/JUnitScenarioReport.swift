import PushGherkinRunner
import PushText

/// JUnit's XML: one suite per file, one case per scenario. Undefined and ambiguous scenarios count as failures, those of a dry run and those
/// without steps as skipped.
struct JUnitScenarioReport: ScenarioReportWriter {
    private var document = JUnitDocument(
        "pushpipe test", suites: [.skipped, .seconds], total: [.skipped, .seconds])
    /// File and feature of the current suite.
    private var suite: (file: String, name: String)?

    mutating func add(_ result: ScenarioResult, to out: inout some TextOutputStream) {
        if suite?.file != result.file {
            endSuite()
            suite = (result.file, result.feature)
        }
        let rule = result.rule.map { $0.isEmpty ? "" : "\($0) › " } ?? ""
        document.addCase(
            [
                "name": rule + result.name + result.row, "classname": result.feature, "file": result.file,
                "line": "\(result.line)",
            ], seconds: result.seconds, Self.elements(of: result))
    }

    private mutating func endSuite() {
        if let suite { document.endSuite(["name": suite.name, "file": suite.file]) }
    }

    private static func elements(of result: ScenarioResult) -> [JUnitDocument.Element] {
        var elements: [JUnitDocument.Element] = []
        if let failure = result.failure {
            let summary = failure.message.split(separator: "\n").first.map(String.init) ?? ""
            let text = "\(failure.place(in: result.file)): \(failure.quote)\n\(failure.message)"
            elements.append(.failure(type: failure.status.rawValue, message: summary, [text]))
        } else if result.status == .skipped {
            elements.append(.skipped("dry run"))
        } else if result.status == .pending {
            elements.append(.skipped("no steps"))
        }
        let steps = result.steps.map { "\($0.status.rawValue): \($0.quote)\n" }.joined()
        if !steps.isEmpty { elements.append(.output([steps])) }
        return elements
    }

    mutating func finish(_ summary: ScenarioSummary, to out: inout some TextOutputStream) {
        endSuite()
        document.write { out.write($0) }
    }
}
