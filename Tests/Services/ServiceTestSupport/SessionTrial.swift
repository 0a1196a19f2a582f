package import PushDevices
import PushFraming
package import PushPipeline
package import PushServices

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

extension GatewaySession {
    /// Answers requests: returns when everything that they changed is committed and reported.
    ///
    /// - Returns: an answer for each request, in their order. Those that would be given later are as they are at the end.
    package func answers(to requests: [GatewayRequest]) throws -> [GatewayAnswer] {
        try process(requests).map { answer in
            switch answer {
            case .now(let answer): return answer
            case .later(let pending):
                defer { pending.didEnd() }
                let part = pending.next(now: .infinity, unread: 0, hasRoom: true, isStopping: true)
                guard case .whole(let answer)? = part else { return GatewayAnswer(status: 200) }
                return answer
            }
        }
    }

    /// Answers requests as `answers(to:)` does; some of the answers are given later.
    package func process(_ requests: [GatewayRequest]) throws -> [Answer] {
        let tickets = nextTicket..<nextTicket + requests.count
        var answers: [Int: Answer] = [:]
        var new = requests
        repeat {
            for (ticket, answer) in try advance(adding: new) where tickets.contains(ticket) { answers[ticket] = answer }
            new = []
        } while answers.count < tickets.count
        return tickets.compactMap { answers[$0] }
    }
}
