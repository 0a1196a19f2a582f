import PushGherkinRunner
import PushText

/// Lines of a CI job that its server turns into annotations of the steps that did not pass.
struct AnnotationScenarioReport: ScenarioReportWriter {
    let dialect: Annotation.Dialect

    func add(_ result: ScenarioResult, to out: inout some TextOutputStream) {
        guard let failure = result.failure else { return }
        let title = result.path.isEmpty ? failure.status.rawValue : result.path + result.row
        let annotation = Annotation(
            .error, file: result.file, start: (failure.line, failure.column), title: title,
            message: "\(failure.quote)\n\(failure.message.isEmpty ? failure.status.rawValue : failure.message)")
        out.write(annotation.line(in: dialect))
    }

    func finish(_ summary: ScenarioSummary, to out: inout some TextOutputStream) {}
}
