import PayloadJSON
import PushModel
import PushPipeline
import SystemSupport

/// Turns requests into records, runs them through a pipeline, and has an answer for each: everything of the gateway that needs no network.
///
/// All requests of a call are one input of the pipeline, so as many as fit share a transaction. Used on one thread.
package final class GatewaySession {
    private let pipeline: Pipeline
    private let report: (RecordReport) throws -> Void
    private var composer = RecordComposer()
    /// The order in which they are asked.
    private let services: [any GatewayService]
    /// What goes wrong with requests.
    package var faults = FaultRules()
    /// Keeps what was received, once it is committed; nil to keep nothing.
    var recordFile: RecordFile?
    /// For fault rules; tests replace it.
    var monotonicMilliseconds: () -> Int64 = { Int64(SystemClock.monotonicSeconds() * 1000) }

    /// - Parameters:
    ///   - pipeline: reads one record per line.
    ///   - services: in the order in which they are asked.
    ///   - report: called with every report line, after the commit.
    init(_ pipeline: Pipeline, _ services: [any GatewayService], report: @escaping (RecordReport) throws -> Void) {
        (self.pipeline, self.services, self.report) = (pipeline, services, report)
        for service in services { service.begin(pipeline) }
    }

    /// Answers requests: returns when everything that they changed is committed and reported.
    ///
    /// - Returns: an answer for each request, in their order.
    /// - Throws: errors of the store and of `report`. Then some requests may have been delivered and reported.
    package func answers(to requests: [GatewayRequest]) throws -> [GatewayAnswer] {
        let requests = faults.isEmpty ? requests : disturbed(requests)
        composer.removeAll()
        var drafts: [any AnswerDraft] = []
        // The draft that each record belongs to, nil for none, and the first record of each draft.
        var (owners, firsts): ([Int?], [Int]) = ([], [])
        let plans = requests.map { request -> Plan in
            switch plan(request) {
            case .answer(let answer):
                while owners.count < composer.records { owners.append(nil) }
                return .answer(answer)
            case .report(let draft):
                firsts.append(owners.count)
                while owners.count < composer.records { owners.append(drafts.count) }
                drafts.append(draft)
                return .draft(drafts.count - 1)
            }
        }
        var current = -1
        var number: UInt64?
        let report = report
        // SOUND: the lines stay as they are until the next call, and the pipeline copies them.
        try unsafe pipeline.feed(composer.lines.bytes) { line in
            try report(line)
            // Lines about queued messages, subscribers and tokens follow the lines of a record, and have no record of their own.
            guard line.note?.original == nil, line.note?.sentTo == nil, line.note?.isConsequence != true else { return }
            if line.seq != number {
                number = line.seq
                current += 1
            }
            guard owners.indices.contains(current), let owner = owners[current] else { return }
            drafts[owner].add(line, record: current - firsts[owner])
        }
        // SOUND: as above.
        try unsafe recordFile?.append(composer.lines.bytes)
        return zip(requests, plans).map { request, plan in
            let answer =
                switch plan {
                case .answer(let answer): answer
                case .draft(let index): drafts[index].answer()
                }
            return request.fault?.applied(to: answer) ?? answer
        }
    }

    /// The requests with what goes wrong with each. What belongs to the gateway itself is left alone.
    private func disturbed(_ requests: [GatewayRequest]) -> [GatewayRequest] {
        let now = monotonicMilliseconds()
        return requests.map { request in
            guard !Self.ownPaths.contains(where: request.path.hasPrefix) else { return request }
            var request = request
            request.fault = faults.effect(on: request, now: now)
            return request
        }
    }

    private static let ownPaths = ["/api/", "/metrics", "/health", "/ready"]

    /// When a service has records of its own to run, in monotonic seconds; nil for never.
    package var nextDue: Double? { services.lazy.compactMap(\.nextDue).min() }

    /// Runs the records that services have kept for later.
    ///
    /// - Parameter now: monotonic seconds; infinite for all of them.
    /// - Returns: whether there were any.
    /// - Throws: errors of the store and of `report`.
    package func runDue(now: Double) throws -> Bool {
        composer.removeAll()
        for service in services { service.takeDue(now: now, &composer) }
        guard composer.records > 0 else { return false }
        // SOUND: the lines stay as they are until the next call, and the pipeline copies them.
        try unsafe pipeline.feed(composer.lines.bytes, report: report)
        // SOUND: as above.
        try unsafe recordFile?.append(composer.lines.bytes)
        return true
    }

    /// What the answer to a request is made of.
    private enum Plan {
        case answer(GatewayAnswer)
        case draft(Int)
    }

    private func plan(_ request: GatewayRequest) -> RequestPlan {
        for service in services {
            if let plan = service.plan(request, &composer) { return plan }
        }
        return .answer(APNsAnswer.refusal(.badPath, of: request))
    }
}
