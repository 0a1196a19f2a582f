import PushDecoding
import PushJSON
import PushModel
import PushPipeline

/// The result of `FitToBudget` for a message, in values that outlive it.
struct Fitted: Equatable {
    var outcome: Outcome
    var bytes: Int
    var limit: Int
    var payload: String
    /// Those of the stage.
    var findings: [Finding]
    var title: String?
    var subtitle: String?
    var body: String?

    init(_ report: borrowing RecordReport) {
        outcome = report.outcome
        bytes = report.message.byteCount
        limit = report.message.byteLimit
        payload = report.message.payload.string
        findings = report.findings.filter { $0.rule.hasPrefix("fit.") }
        let content = report.message.content
        title = content.title?.string
        subtitle = content.subtitle?.string
        body = content.body?.string
    }

    /// What was cut, by its place in the record.
    var cuts: [String] { findings.filter { $0.rule == "fit.cut" }.map(\.pointer) }
    var rules: [String] { findings.map(\.rule) }
}

/// Runs an input through the stage.
func fit(
    _ input: String, order: [AlertText] = AlertText.allCases, budget: Int? = nil,
    _ change: (inout PipelineConfiguration) -> Void = { _ in }
) throws -> [Fitted] {
    var found: [Fitted] = []
    let pipeline = Pipeline(
        configuration {
            $0.recordStages = [FitToBudget(order: order)]
            $0.decoding.budget = budget.map { Budget(bytes: $0) }
            change(&$0)
        })
    try pipeline.process(input) { found.append(Fitted($0)) }
    return found
}

func repeated(_ text: String, _ count: Int) -> String { String(repeating: text, count: count) }

/// A text as a JSON string, for JSON inside JSON. By scalars, because a combining mark may follow a quote.
func quoted(_ text: String) -> String {
    "\"" + text.unicodeScalars.map { $0 == "\"" || $0 == "\\" ? "\\\($0)" : "\($0)" }.joined() + "\""
}
