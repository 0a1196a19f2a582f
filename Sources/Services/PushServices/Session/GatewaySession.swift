import PayloadJSON
import PushFaults
import PushModel
import PushPipeline
import PushSystem

/// Turns requests into records, runs them through a pipeline, and has an answer for each: everything of the gateway that needs no network.
///
/// All requests of a call are one input of the pipeline, so as many as fit share a transaction. Used on one thread.
package final class GatewaySession {
    private let pipeline: Pipeline
    private let report: (borrowing RecordReport) throws -> Void
    private var composer = RecordComposer()
    /// The order in which they are asked.
    private let services: [any GatewayService]
    let faults = FaultBoard()
    /// Takes what people should know about the gateway: whole lines.
    package var note: (String) -> Void = { _ in }
    /// Which web pages and hosts requests may come through.
    var origins = OriginPolicy()
    /// Counts long answers until their clients have taken them.
    package var unread = UnreadBytes()
    /// Keeps what was received, once it is committed; nil to keep nothing.
    var recordFile: RecordFile?
    private let names: [String]
    /// Keeps what was received and answered; nil to keep nothing.
    package let traffic: GatewayTraffic?

    /// - Parameters:
    ///   - pipeline: reads one record per line.
    ///   - services: in the order in which they are asked.
    ///   - traffic: keeps what was received and answered; nil to keep nothing.
    ///   - report: called with every report line, after the commit.
    init(
        _ pipeline: Pipeline, _ services: [any GatewayService], traffic: GatewayTraffic? = nil,
        report: @escaping (borrowing RecordReport) throws -> Void
    ) {
        self.pipeline = pipeline
        self.services = services
        self.traffic = traffic
        self.report = report
        names = services.map(\.name)
        for service in services {
            service.begin(pipeline)
            (service as? APIService)?.faults = faults
        }
    }

    /// Answers requests: returns when everything that they changed is committed and reported.
    ///
    /// - Returns: an answer for each request, in their order. Those that would be given later are as they are at the end.
    /// - Throws: errors of the store and of `report`. Then some requests may have been delivered and reported.
    package func answers(to requests: [GatewayRequest]) throws -> [GatewayAnswer] {
        try process(requests).map { answer in
            switch answer {
            case .now(let answer): return answer
            case .later(let pending):
                defer { pending.didEnd() }
                guard case .whole(let answer)? = pending.next(now: .infinity, unread: 0, isStopping: true) else {
                    return GatewayAnswer(status: 200)
                }
                return answer
            }
        }
    }

    package enum Answer {
        case now(GatewayAnswer)
        case later(any PendingAnswer)
    }

    /// The same, with answers that are given later.
    package func process(_ requests: [GatewayRequest]) throws -> [Answer] {
        var rest = (faults.rules.isEmpty ? requests : disturbed(requests))[...]
        var answers: [Answer] = []
        answers.reserveCapacity(requests.count)
        while !rest.isEmpty { answers += try processPart(&rest) }
        return answers
    }

    /// Records of so many bytes are run before more requests are planned: one request can become many records. 16 MiB.
    private static let partBytes = 16 << 20

    /// Processes as many requests as make a part, at least one, and takes them off.
    private func processPart(_ rest: inout ArraySlice<GatewayRequest>) throws -> [Answer] {
        composer.removeAll()
        var drafts: [any AnswerDraft] = []
        // The draft that each record belongs to, nil for none, and its place among the draft's records.
        var owners: [(draft: Int, record: Int)?] = []
        var requests: [GatewayRequest] = []
        var plans: [Plan] = []
        var waits = false
        while !waits, composer.lines.count < Self.partBytes, let request = rest.popFirst() {
            let start = composer.lines.count
            let (plan, service) = plan(request)
            requests.append(request)
            var owner: Int?
            switch plan {
            case .answer(let answer): plans.append(Plan(service: service, source: .answer(unread.counted(answer))))
            case .later(let answer): plans.append(Plan(service: service, source: .later(answer)))
            case .drop: plans.append(Plan(service: service, source: .dropped))
            case .report(let draft), .reportAndWait(let draft):
                if case .reportAndWait = plan { waits = true }
                owner = drafts.count
                drafts.append(draft)
                plans.append(Plan(service: service, source: .draft(drafts.count - 1, start..<composer.lines.count)))
            }
            let first = owners.count
            while owners.count < composer.records { owners.append(owner.map { ($0, owners.count - first) }) }
        }
        traffic?.begin(drafts: drafts.count)
        let report = report
        let traffic = traffic
        // SOUND: the lines stay as they are until the next call, and the pipeline copies them.
        try unsafe pipeline.feed(composer.lines.bytes) { line, record in
            try report(line)
            traffic?.noteShown(line)
            // A record is a line that was composed here, and yet no line of another may end the server.
            guard owners.indices.contains(record), let owner = owners[record] else { return }
            traffic?.add(line, toDraft: owner.draft)
            if line.note?.isConsequence == true {
                drafts[owner.draft].addConsequence(line)
            } else {
                drafts[owner.draft].add(line, record: owner.record)
            }
        }
        // SOUND: as above.
        try unsafe recordFile?.append(composer.lines.bytes)
        if composer.records > 0 { traffic?.noteChange() }
        return zip(requests, plans).map { request, plan in
            var answer: GatewayAnswer
            var (records, draft): (Range<Int>, Int?) = (0..<0, nil)
            switch plan.source {
            case .later(let pending): return .later(pending)
            case .dropped:
                traffic?.countDropped()
                return .now(GatewayAnswer(status: 0))
            case .answer(let known): answer = known
            case .draft(let index, let lines):
                answer = unread.counted(drafts[index].answer())
                records = lines
                draft = index
            }
            answer = request.fault?.applied(to: answer, by: plan.service.flatMap { services[$0].speaker }) ?? answer
            if let traffic {
                let isLogged = plan.service.map { services[$0].isLogged } ?? true
                // SOUND: the lines were composed above, and the range is of them.
                let text = unsafe isLogged ? Array(composer.lines.bytes[records]) : []
                traffic.add(
                    request, answer, service: plan.service.map { names[$0] } ?? "none", isLogged: isLogged,
                    records: text, draft: draft)
            }
            return .now(answer)
        }
    }

    /// Requests with the faults that the rules choose for them. What belongs to the gateway itself is left alone.
    private func disturbed(_ requests: [GatewayRequest]) -> [GatewayRequest] {
        let now = faults.monotonicMilliseconds()
        return requests.map { request in
            guard !Self.isOwn(request.path) else { return request }
            var request = request
            request.fault = faults.rules.effect(on: request, now: now)
            return request
        }
    }

    /// True for a path of the gateway itself, whose answer may be long.
    package static func isOwn(_ path: String) -> Bool {
        // Most requests are pushes, and differ in their second byte.
        guard let second = path.utf8.dropFirst().first else { return path == "/" }
        return ownSeconds.contains(second) && ownPaths.contains(where: path.hasPrefix)
    }

    private static let ownSeconds = Array("amhrc?".utf8)

    private static let ownPaths = ["/api/v1/", "/metrics", "/health", "/ready", "/console/", "/?"]

    /// Of the gateway itself, with answers that are always short, or that come bit by bit.
    private static let shortPaths = ["/health", "/ready", "/metrics", "/api/v1/health", "/api/v1/ready", "/api/v1/events"]

    /// When a service has records of its own to run, in monotonic seconds; nil for never.
    package var nextDue: Double? { services.lazy.compactMap(\.nextDue).min() }

    /// Runs the records that services have kept for later.
    ///
    /// - Parameter now: monotonic seconds; infinite for all of them.
    /// - Returns: true if there were any.
    /// - Throws: errors of the store and of `report`.
    package func runDue(now: Double) throws -> Bool {
        composer.removeAll()
        for service in services { service.takeDue(now: now, &composer) }
        guard composer.records > 0 else { return false }
        // SOUND: the lines stay as they are until the next call, and the pipeline copies them.
        let report = report
        let traffic = traffic
        try unsafe pipeline.feed(composer.lines.bytes) { line in
            try report(line)
            traffic?.noteShown(line)
        }
        traffic?.noteChange()
        // SOUND: as above.
        try unsafe recordFile?.append(composer.lines.bytes)
        return true
    }

    /// The material for the answer to a request.
    private struct Plan {
        enum Source {
            case answer(GatewayAnswer)
            case later(any PendingAnswer)
            case dropped
            /// The draft, and where its records are.
            case draft(Int, Range<Int>)
        }

        /// Nil for a path that is nobody's.
        var service: Int?
        var source: Source
    }

    private func plan(_ request: GatewayRequest) -> (RequestPlan, service: Int?) {
        // The API has its own rule for hosts, by its key, and the console's files are anybody's.
        if let refusal = origins.refusal(of: request, checksHost: !Self.isOwn(request.path)) {
            return (.answer(refusal), nil)
        }
        if !unread.hasRoom, Self.isOwn(request.path), !Self.shortPaths.contains(where: request.path.hasPrefix) {
            return (.answer(APIError.tooMuchUnread.answer), nil)
        }
        for (index, service) in services.enumerated() {
            if let plan = service.plan(request, &composer) { return (plan, index) }
        }
        return (.answer(APNsAnswer.refusal(.badPath, of: request)), nil)
    }
}
