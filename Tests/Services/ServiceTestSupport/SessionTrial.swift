package import PushDevices
package import PushPipeline
package import PushServices
import RecordFraming

/// A session with a store in memory, and the report lines that it wrote.
package final class SessionTrial {
    package let pipeline: Pipeline
    package let session: GatewaySession
    private let written: LineCollector
    package var lines: [String] { written.lines }

    /// - Parameter begin: makes the session; its last parameter takes the report lines.
    package init(
        _ configure: (inout PipelineConfiguration) -> Void = { _ in },
        begin: (Pipeline, MemoryStore, @escaping (borrowing RecordReport) -> Void) -> GatewaySession
    ) {
        var configuration = PipelineConfiguration()
        configuration.framing = .ndjson
        configure(&configuration)
        let store = MemoryStore(journalLimit: 1000)
        pipeline = Pipeline(configuration, store: store)
        written = LineCollector()
        session = begin(pipeline, store, written.add)
    }

    package func answer(_ request: GatewayRequest) throws -> GatewayAnswer {
        let answers = try session.answers(to: [request])
        return answers.first ?? GatewayAnswer(status: 0)
    }
}
