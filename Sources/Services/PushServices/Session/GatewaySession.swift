import PayloadJSON
import PushFaults
import PushModel
import PushPipeline
import PushSystem

/// Turns requests into records, runs them through a pipeline, and has an answer for each: everything of the gateway that needs no network.
///
/// All requests of a call are one input of the pipeline, so as many as fit share a transaction. Used on one thread.
package final class GatewaySession {
    let pipeline: Pipeline
    let report: (borrowing RecordReport) throws -> Void
    var composer = RecordComposer()
    var turns = RequestTurns()
    /// The order in which they are asked.
    let services: [any GatewayService]
    let faults = FaultBoard()
    /// Takes what people should know about the gateway: whole lines.
    package var note: (String) -> Void = { _ in }
    /// Which web pages and hosts requests may come through.
    var origins = OriginPolicy()
    /// Counts long answers until their clients have taken them.
    package var unread = UnreadBytes()
    /// Keeps what was received, once it is committed; nil to keep nothing.
    var recordFile: RecordFile?
    let names: [String]
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
        pipeline.mostConsequences = min(pipeline.mostConsequences, Self.consequencesOfTurn)
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

    /// Lines about consequences after which it is the turn of others, such as those of subscribers: 4096, some 50 ms. A record is not divided.
    static let consequencesOfTurn = 1 << 12

    package enum Answer {
        case now(GatewayAnswer)
        case later(any PendingAnswer)
    }

    /// The same, with answers that are given later.
    package func process(_ requests: [GatewayRequest]) throws -> [Answer] {
        let first = turns.nextTicket
        var answers: [Answer?] = Array(repeating: nil, count: requests.count)
        var missing = requests.count
        var others = turns.finished
        turns.finished = []
        var new = requests
        repeat {
            for (ticket, answer) in try advance(adding: new) {
                if ticket >= first {
                    answers[ticket - first] = answer
                    missing -= 1
                } else {
                    others.append((ticket, answer))
                }
            }
            new = []
        } while missing > 0
        turns.finished = others
        return answers.compactMap(\.self)
    }

    /// Requests with the faults that the rules choose for them. What belongs to the gateway itself is left alone.
    func disturbed(_ requests: [GatewayRequest]) -> [GatewayRequest] {
        let now = faults.monotonicMilliseconds()
        return requests.map { request in
            guard !Self.isOwn(request.path) else { return request }
            var request = request
            let readable = request.path.hasPrefix("/--/") ? request.uncompressed : request
            request.fault = faults.rules.effect(on: readable, now: now)
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
    private static let shortPaths = [
        "/health", "/ready", "/metrics", "/api/v1/health", "/api/v1/ready", "/api/v1/events",
    ]

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
        nameInput()
        try unsafe pipeline.feed(composer.lines.bytes) { line in
            try report(line)
            traffic?.history.add(line)
        }
        traffic?.noteChange()
        // SOUND: as above.
        try unsafe recordFile?.append(composer.lines.bytes)
        return true
    }

    /// Tells the pipeline where the next records will be kept.
    func nameInput() {
        if let recordFile { pipeline.name(recordFile.source) }
    }

    func plan(_ request: GatewayRequest) -> (RequestPlan, service: Int?) {
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
