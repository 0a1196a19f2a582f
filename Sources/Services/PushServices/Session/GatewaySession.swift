import PushFaults
import PushJSON
import PushModel
import PushPipeline
import PushSystem

/// Turns requests into records, runs them through a pipeline, and has an answer for each: everything of the gateway that needs no network.
///
/// All requests of a call are one input of the pipeline, so as many as fit share a transaction. Used on one thread.
package final class GatewaySession {
    let pipeline: Pipeline
    /// Called with every report line, after the commit.
    let report: (borrowing RecordReport) throws -> Void
    var composer = RecordComposer()
    var turns = RequestTurns()
    /// The order in which they are asked.
    let services: [GatewayService]
    let faults = FaultBoard()
    /// Takes what people should know about the gateway: whole lines.
    package var note: (String) -> Void = { _ in }
    /// Tells what has gone wrong beside the requests. Called in each turn of the gateway.
    package var tellProblems: () -> Void = {}
    /// Which web pages and hosts requests may come through.
    var origins = OriginPolicy()
    /// Counts long answers until their clients have taken them.
    package var unread = UnreadBytes()
    /// Keeps what was received, once it is committed; nil to keep nothing.
    var recordFile: RecordFile?
    let names: [String]
    /// Keeps what was received and answered.
    package let traffic: GatewayTraffic

    /// - Parameter pipeline: reads one record per line.
    init(
        _ pipeline: Pipeline, _ services: [GatewayService], traffic: GatewayTraffic = GatewayTraffic(),
        report: @escaping (borrowing RecordReport) throws -> Void
    ) {
        self.pipeline = pipeline
        self.services = services
        self.traffic = traffic
        self.report = report
        names = services.map(\.name)
        pipeline.mostConsequences = min(pipeline.mostConsequences, Self.consequencesOfTurn)
        for service in services {
            service.pipeline = pipeline
            (service as? APIService)?.faults = faults
        }
    }

    /// Lines about consequences after which it is the turn of others, such as those of subscribers: 4096, some 50 ms. A record is not divided.
    static let consequencesOfTurn = 1 << 12

    package enum Answer {
        case now(GatewayAnswer)
        case later(any PendingAnswer)
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
    package static func isOwn(_ path: String) -> Bool { path == "/" || ownPaths.contains(where: path.hasPrefix) }

    private static let ownPaths = ["/api/v1/", "/metrics", "/health", "/ready", "/console/", "/?"]

    /// Paths of the gateway itself whose answers are always short, or come bit by bit.
    private static let shortPaths = [
        "/health", "/ready", "/metrics", "/api/v1/health", "/api/v1/ready", "/api/v1/events",
    ]

    /// The time at which a service has records of its own to run, in monotonic seconds; nil for never.
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
        try runComposed { _ in }
        return true
    }

    /// Runs records as `pushpipe run` does, between two groups of requests.
    ///
    /// - Parameter also: takes each report line, after `report`.
    /// - Throws: `APIError` without a record; errors of the store and of `report`.
    func run(records: [UInt8], _ also: (borrowing RecordReport) -> Void) throws {
        composer.removeAll()
        try RecordsBody.forEach(records) { composer.append(record: $0) }
        try runComposed(also)
    }

    private func runComposed(_ also: (borrowing RecordReport) -> Void) throws {
        // SOUND: the lines stay as they are until the next call, and the pipeline copies them.
        let report = report
        let traffic = traffic
        nameInput()
        try unsafe pipeline.feed(composer.lines.bytes) { line in
            try report(line)
            traffic.history.add(line)
            also(line)
        }
        traffic.noteChange()
        // SOUND: as above.
        try unsafe recordFile?.append(composer.lines.bytes)
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

/// Requests take turns: one with many consequences is run in pieces, and others are answered between them.
extension GatewaySession {
    /// Records of so many bytes are run before more requests are planned: one request can become many records. 16 MiB.
    private static let partBytes = 16 << 20
    /// Records that are looked at in the turn of a postponed connection: those that are not run are decoded again.
    private static let recordsOfTurn = 512
    /// Records that are looked at in the turn of all other connections.
    private static let recordsOfPart = 4096

    /// The number of the next request that `advance` adds.
    package var nextTicket: Int { turns.nextTicket }

    /// True if `advance` has more to do.
    package var isBusy: Bool { !turns.isEmpty }

    /// Adds requests, and runs those whose turn it is.
    ///
    /// - Returns: answers to requests whose changes are committed and reported, with the numbers of the requests.
    /// - Throws: errors of the store and of `report`. Then some requests may have been delivered and reported.
    package func advance(adding requests: [GatewayRequest]) throws -> [(ticket: Int, answer: Answer)] {
        turns.add(faults.rules.isEmpty ? requests : disturbed(requests))
        if var part = turns.front {
            turns.front = nil
            return try run(&part, of: nil)
        }
        if var postponed = turns.takePostponed() {
            if var part = postponed.part {
                postponed.part = nil
                return try run(&part, of: postponed, mostRecords: Self.recordsOfTurn)
            }
            var rest = postponed.rest[...]
            var part = plan(&rest)
            postponed.rest = Array(rest)
            return try run(&part, of: postponed)
        }
        guard !turns.incoming.isEmpty else { return [] }
        var part = plan(&turns.incoming)
        return try run(&part, of: nil)
    }

    /// Plans as many requests as make a part, at least one, and takes them off.
    private func plan(_ rest: inout ArraySlice<RequestTurns.Ticketed>) -> RequestPart {
        composer.removeAll()
        var part = RequestPart()
        var waits = false
        while !waits, composer.lines.count < Self.partBytes, let (ticket, sent) = rest.popFirst() {
            let request = sent.path.hasPrefix("/--/") ? sent.uncompressed : sent
            let (start, records) = (composer.lines.count, composer.records)
            let (plan, service) = plan(request)
            let source: RequestPart.Source
            var draft: (any AnswerDraft)?
            switch plan {
            case .answer(let answer): source = .answer(unread.counted(answer))
            case .later(let answer): source = .later(answer)
            case .drop: source = .dropped
            case .report(let known, let isAwaited):
                source = .draft
                draft = known
                waits = isAwaited
            }
            part.entries.append(
                RequestPart.Entry(
                    ticket: ticket, request: request, service: service, source: source, draft: draft,
                    lines: start..<composer.lines.count, records: composer.records - records))
        }
        // A slice keeps what was taken off.
        if rest.isEmpty { rest = [] }
        part.text = composer.lines.copy
        return part
    }

    /// Runs the records of a part, until it is the turn of others.
    ///
    /// - Parameter postponed: the connection that all its requests are of, if that was postponed.
    private func run(
        _ part: inout RequestPart, of postponed: RequestTurns.Postponed?,
        mostRecords: Int = GatewaySession.recordsOfPart
    ) throws -> [(ticket: Int, answer: Answer)] {
        let first = part.first
        // The entry that each record belongs to, and its place among the records of the entry.
        var owners: [(entry: Int, record: Int)] = []
        var end = first
        while end < part.entries.count, owners.count < mostRecords {
            let left = part.entries[end].run..<part.entries[end].records
            for record in left.prefix(mostRecords - owners.count) { owners.append((end, record)) }
            end += 1
        }
        var processed = 0
        if let last = owners.last {
            let lines = part.entries[first].lines
            let start = lines.lowerBound + RequestPart.length(of: part.entries[first].run, in: part.text[lines])
            let linesOfLast = part.entries[last.entry].lines
            let stop = linesOfLast.lowerBound + RequestPart.length(of: last.record + 1, in: part.text[linesOfLast])
            let bytes = part.text[start..<stop]
            processed = try feed(bytes, &part, owners)
        }
        for owner in owners.prefix(processed) { part.entries[owner.entry].run += 1 }
        var answers: [(ticket: Int, answer: Answer)] = []
        var isBehind = false
        for index in first..<end where !part.entries[index].isAnswered {
            // Over the binary interface, an answer ends the connection, so those before it come first.
            guard part.entries[index].isRun, !isBehind || part.entries[index].request.binary == nil else {
                isBehind = true
                continue
            }
            part.entries[index].isAnswered = true
            let records = part.text[part.entries[index].lines]
            answers.append((part.entries[index].ticket, answer(&part.entries[index], records)))
        }
        while part.first < end, part.entries[part.first].isAnswered { part.first += 1 }
        putBack(part, of: postponed, last: processed > 0 ? owners[processed - 1].entry : nil)
        return answers
    }

    /// Feeds records to the pipeline.
    ///
    /// - Returns: how many of them were processed.
    private func feed(
        _ bytes: ArraySlice<UInt8>, _ part: inout RequestPart, _ owners: [(entry: Int, record: Int)]
    ) throws -> Int {
        let report = report
        let traffic = traffic
        nameInput()
        // SOUND: the bytes live until the closure returns, and the pipeline copies them.
        let processed = try unsafe bytes.withUnsafeBytes { bytes in
            try unsafe pipeline.feedTurn(bytes) { line, record in
                try report(line)
                traffic.history.add(line)
                // A record is a line that was composed here, and yet no line of another may end the server.
                guard owners.indices.contains(record) else { return }
                let owner = owners[record]
                guard part.entries[owner.entry].draft != nil else { return }
                traffic.add(line, to: &part.entries[owner.entry].reported)
                if line.note?.isConsequence == true {
                    part.entries[owner.entry].draft?.addConsequence(line)
                } else {
                    part.entries[owner.entry].draft?.add(line, record: owner.record)
                }
            }
        }
        let length = processed.map { RequestPart.length(of: $0, in: bytes) } ?? bytes.count
        // SOUND: the bytes live until the closure returns.
        try unsafe bytes.prefix(length).withUnsafeBytes { try unsafe recordFile?.append($0) }
        traffic.noteChange()
        return min(processed ?? .max, owners.count)
    }

    /// Puts back what is not run of a part.
    ///
    /// - Parameter last: the entry of the record that was run last; nil if there was none.
    private func putBack(_ part: RequestPart, of postponed: RequestTurns.Postponed?, last: Int?) {
        let isLeft = part.first < part.entries.count
        if var postponed {
            if isLeft { postponed.part = part }
            return turns.postpone(postponed)
        }
        guard isLeft else { return }
        // The order of notifications over the binary interface is part of their answers, so they go on at once.
        let request = last.map { part.entries[$0].request }
        let (own, others) = part.divided(by: request?.binary == nil ? request?.sender.connection : nil)
        if !others.entries.isEmpty { turns.front = others }
        if let request, !own.entries.isEmpty {
            turns.postpone(RequestTurns.Postponed(connection: request.sender.connection, part: own))
        }
    }

    /// The answer to a request whose records are run.
    ///
    /// - Parameters:
    ///   - entry: inout only because a copy of it costs more than its answer.
    ///   - records: its own, one per line.
    private func answer(_ entry: inout RequestPart.Entry, _ records: ArraySlice<UInt8>) -> Answer {
        var answer: GatewayAnswer
        switch entry.source {
        case .later(let pending): return .later(pending)
        case .dropped:
            traffic.metrics.dropped += 1
            return .now(GatewayAnswer(status: 0))
        case .answer(let known): answer = known
        case .draft: answer = unread.counted(entry.draft?.answer() ?? GatewayAnswer(status: 0))
        }
        if let fault = entry.request.fault {
            answer = fault.applied(
                to: answer, by: entry.service.flatMap { services[$0].speaker }, isAboutPush: entry.draft != nil)
        }
        let isLogged = entry.service.map { services[$0].isLogged } ?? true
        // A page of an allowed origin may have the answer.
        if !isLogged, entry.request.header("origin") != nil {
            answer.headers.removeAll { $0.name == "cross-origin-resource-policy" }
        }
        traffic.add(
            entry.request, answer, service: entry.service.map { names[$0] } ?? "none", isLogged: isLogged,
            records: isLogged && entry.draft != nil ? Array(records) : [], reported: entry.reported)
        // The log has them. What waits for other requests of the part need not.
        entry.reported = GatewayTraffic.Reported()
        return .now(answer)
    }
}

/// Requests that are planned, and whose records are run together.
struct RequestPart {
    struct Entry {
        /// The number of the request, among all.
        var ticket: Int
        var request: GatewayRequest
        /// Nil for a path that is nobody's.
        var service: Int?
        var source: Source
        /// Nil unless the answer depends on the records.
        var draft: (any AnswerDraft)?
        /// The place of its records in the text.
        var lines: Range<Int>
        var records: Int
        /// How many of them were run.
        var run = 0
        var isAnswered = false
        /// The report lines about its records.
        var reported = GatewayTraffic.Reported()

        var isRun: Bool { run == records }
    }

    /// The material for the answer to a request.
    enum Source {
        case answer(GatewayAnswer)
        case later(any PendingAnswer)
        case dropped
        case draft
    }

    var entries: [Entry] = []
    /// The first entry that is not answered.
    var first = 0
    /// The records of all entries, one per line.
    var text: [UInt8] = []

    /// The entries of one connection that are not answered, and those of others, as parts of their own.
    func divided(by connection: UInt64?) -> (own: RequestPart, others: RequestPart) {
        var own = RequestPart()
        var others = RequestPart()
        for entry in entries[first...] where !entry.isAnswered {
            if entry.request.sender.connection == connection {
                own.append(entry, text[entry.lines])
            } else {
                others.append(entry, text[entry.lines])
            }
        }
        return (own, others)
    }

    private mutating func append(_ entry: Entry, _ lines: ArraySlice<UInt8>) {
        let start = text.count
        text += lines
        entries.append(entry)
        entries[entries.count - 1].lines = start..<text.count
    }

    /// The length of a number of lines.
    static func length(of count: Int, in text: ArraySlice<UInt8>) -> Int {
        var left = count
        return text.prefix { byte in
            guard left > 0 else { return false }
            if byte == UInt8(ascii: "\n") { left -= 1 }
            return true
        }.count
    }
}

/// The requests that wait for their turn.
///
/// A request may become records with any number of consequences, such as a message to a topic. Its connection waits then until others had their
/// turn, with all its requests, so that their order stays.
struct RequestTurns {
    typealias Ticketed = (ticket: Int, request: GatewayRequest)

    /// The requests of a connection that was so slow.
    struct Postponed {
        let connection: UInt64
        /// Nil if none is planned.
        var part: RequestPart?
        var rest: [Ticketed] = []
    }

    private(set) var nextTicket = 0
    /// The requests that are not planned yet.
    var incoming: ArraySlice<Ticketed> = []
    /// Planned together with those of a connection that was postponed.
    var front: RequestPart?
    /// The postponed connections in the order of their turns.
    private(set) var postponed: [Postponed] = []
    /// Parts of others since the last turn of a postponed connection.
    private var passed = 0

    /// So many parts of others come first.
    private static let mostPassed = 4

    var isEmpty: Bool { incoming.isEmpty && front == nil && postponed.isEmpty }

    mutating func add(_ requests: [GatewayRequest]) {
        for request in requests {
            let ticketed = (ticket: nextTicket, request: request)
            nextTicket += 1
            if !postponed.isEmpty, let index = index(of: request.sender.connection) {
                postponed[index].rest.append(ticketed)
            } else {
                incoming.append(ticketed)
            }
        }
    }

    private func index(of connection: UInt64) -> Int? { postponed.firstIndex { $0.connection == connection } }

    /// Has a connection wait for its next turn.
    mutating func postpone(_ postponed: Postponed) {
        var postponed = postponed
        guard postponed.part != nil || !postponed.rest.isEmpty else { return }
        let connection = postponed.connection
        let isOwn = { (ticketed: Ticketed) in ticketed.request.sender.connection == connection }
        if incoming.contains(where: isOwn) {
            postponed.rest += incoming.filter(isOwn)
            incoming.removeAll(where: isOwn)
        }
        self.postponed.append(postponed)
    }

    /// The postponed connection whose turn it is; nil while others come first.
    mutating func takePostponed() -> Postponed? {
        guard !postponed.isEmpty else { return nil }
        guard incoming.isEmpty || passed >= Self.mostPassed else {
            passed += 1
            return nil
        }
        passed = 0
        return postponed.removeFirst()
    }
}
