import CAPIDescription
import PayloadJSON
import PushDevices
import PushFaults
import PushLint
import PushModel
import PushPipeline
import PushSystem
import PushYAML

/// The API's description of its gateway.
struct APIHost {
    enum Mode: String {
        /// `pushpipe serve`: pushes come in, and events happen.
        case serve
        /// `pushpipe view`: a store is shown that others write, and nothing can be changed.
        case view
    }

    /// A proof of identity that a sender has to give, and a page does not have.
    enum Demand: String {
        /// To APNs, with a provider token.
        case providerToken = "provider-token"
        /// To Google's services, with an access token.
        case accessToken = "access-token"
    }

    var mode = Mode.serve
    /// The store's file; nil for a store in memory.
    var storePath: String?
    /// How many lines of the journal are kept; nil for all.
    var journalLimit: Int?
    var demands: [Demand] = []
}

/// The gateway's own API: `/api/v1`, `/healthz` and `/metrics`.
final class APIService: GatewayService {
    let traffic: GatewayTraffic
    let store: any BrowsableStore
    /// Forgets devices and screens, as far as they were not there at the start; nil if the store cannot.
    let forgetDevices: (() throws -> Void)?
    /// Shared with the session.
    var faults = FaultBoard()
    let host: APIHost
    private let pipeline: Pipeline
    private let access: APIAccess
    private let tracer: RecordTracer?
    private var waiting = 0
    private var streams = 0

    /// Waits and streams at a time. Each may hold a connection, and is looked at after each group of requests.
    static let maximumPending = 256

    let isLogged = false

    /// - Parameters:
    ///   - tracer: traces a message that is asked for; nil to leave that out.
    ///   - forgetDevices: forgets devices and screens; nil if the store cannot.
    init(
        _ traffic: GatewayTraffic, _ pipeline: Pipeline, store: any BrowsableStore, access: APIAccess = APIAccess(),
        host: APIHost = APIHost(), tracer: RecordTracer? = nil, forgetDevices: (() throws -> Void)? = nil
    ) {
        self.traffic = traffic
        self.pipeline = pipeline
        self.access = access
        self.tracer = tracer
        self.host = host
        self.store = store
        self.forgetDevices = forgetDevices
    }

    func plan(_ request: GatewayRequest, _ records: inout RecordComposer) -> RequestPlan? {
        guard ["/api/v1", "/metrics", "/healthz"].contains(where: request.path.hasPrefix) else { return nil }
        guard !RequestTarget.isBroken(request.path) else {
            return .answer(APIError.badRequest("the path has a broken escape").answer)
        }
        let target = RequestTarget(request.path)
        // The API takes two slashes for one.
        let segments = target.segments.filter { !$0.isEmpty }
        // Nobody's, such as /api/v10.
        guard segments.starts(with: ["api", "v1"]) || ["metrics", "healthz"].contains(segments.first) else {
            return nil
        }
        do throws(APIError) {
            let route = try route(for: request, segments)
            return try route.plan(self, APIQuery(request, segments, target.query, route), &records)
        } catch {
            return .answer(error.answer)
        }
    }

    private func route(for request: GatewayRequest, _ segments: [String]) throws(APIError) -> APIRoute {
        let found = APIRoute.all.filter { $0.matches(segments) }
        // Without a key not even that there is nothing.
        try access.check(request, isOpen: !found.isEmpty && found.allSatisfy(\.isOpen))
        guard !found.isEmpty else {
            throw APIError(
                status: 404, message: "nothing has this path; GET /api/v1/openapi.json lists what there is")
        }
        let method = request.method == "HEAD" ? "GET" : request.method
        guard let route = found.first(where: { $0.method == method }) else {
            let allowed = found.map(\.method).joined(separator: ", ")
            throw APIError(
                status: 405, message: "this path takes \(allowed)", headers: [HeaderField("allow", allowed)])
        }
        if host.mode == .view, route.isChange {
            throw APIError(
                status: 409,
                message: "pushpipe view shows a store and changes nothing; pushpipe serve takes pushes and events")
        }
        return route
    }

    // MARK: - The gateway

    /// Which pushpipe answers, and what it can show.
    func status() throws(APIError) -> RequestPlan {
        let lines = try reading { try store.journalPlaces() }
        let demands = host.demands.map(\.rawValue)
        return .api(
            #"""
            {"version":\#(ToolVersion.current),"mode":\#(host.mode.rawValue),"read_only":\#(host.mode == .view),\#
            "redacted":\#(traffic.isRedacted)\#(member: "store", host.storePath),"demands":\#(demands),\#
            "messages":{"first":\#(traffic.log.firstID),"next":\#(traffic.log.nextID),\#
            "kept":\#(traffic.log.maximumCount)},\#
            "journal":{"first":\#(lines.lowerBound),"next":\#(lines.upperBound)\#(member: "kept", host.journalLimit)}}
            """#)
    }

    /// The file `openapi.json`: every route of `APIRoute` with its method and path, and nothing else. `OpenAPITests` compares them.
    func description() -> RequestPlan {
        let file = unsafe api_description()
        // SOUND: the bytes are a constant of the program, and the count is theirs.
        return .answer(.api(unsafe Array(UnsafeBufferPointer(start: file.bytes, count: file.count))))
    }

    func health(_ word: String, status: Int = 200) -> RequestPlan {
        .answer(.api(json: #"{"status":\#(word)}"#, status: status))
    }

    func readiness() -> RequestPlan {
        traffic.isStopping ? health("stopping", status: 503) : health("ready")
    }

    func metrics() -> RequestPlan {
        let text = MetricsText(traffic: traffic, summary: pipeline.summary, waiting: waiting, streams: streams).text
        return .answer(.api(Array(text.utf8), type: "text/plain; version=0.0.4; charset=utf-8"))
    }

    // MARK: - Messages

    func listMessages(_ query: APIQuery) throws(APIError) -> RequestPlan {
        guard let seconds = query.wait else {
            return .answer(list(query, isComplete: nil))
        }
        try checkRoom()
        waiting += 1
        return .later(
            MessageWait(query, traffic, until: SystemClock.monotonicSeconds() + seconds) { [self] isComplete in
                traffic.metrics.count(service: name, status: 200)
                return list(query, isComplete: isComplete)
            } whenOver: { [self] in
                waiting -= 1
            })
    }

    private func checkRoom() throws(APIError) {
        guard waiting + streams < Self.maximumPending else {
            throw APIError(
                status: 503, message: "\(Self.maximumPending) clients wait already; try again later",
                headers: [HeaderField("retry-after", "1")])
        }
    }

    private func list(_ query: APIQuery, isComplete: Bool?) -> GatewayAnswer {
        let page = query.page(of: traffic.log)
        let messages = page.messages.map(MessageJSON(isRedacted: traffic.isRedacted).summary)
        let rest = "&limit=\(query.mostMessages)\(query.filter.query)"
        var previous: String?
        if !page.isFirst, let first = page.messages.first?.id ?? query.after.map(Self.following) {
            previous = "\(APIRoute.messages)?before=\(first)\(rest)"
        }
        // Also from the last page on: it has what comes later.
        let last = page.messages.last?.id ?? query.after ?? traffic.log.nextID - 1
        let next = "\(APIRoute.messages)?after=\(last)\(rest)"
        return .api(
            json: #"""
                {"messages":\#(lines: messages)\#(member: "complete", isComplete)\#(member: "previous", previous),\#
                "next":\#(next)}
                """#)
    }

    /// The id after another one, as far as ids go.
    private static func following(_ id: UInt64) -> UInt64 { min(id + 1, APIQuery.greatest) }

    func message(_ text: String) throws(APIError) -> RequestPlan {
        let message = try known(text)
        let trace = tracer?.text(of: message.records)
        return .api(MessageJSON(isRedacted: traffic.isRedacted).whole(message, trace: trace))
    }

    /// The message with an id.
    private func known(_ text: String) throws(APIError) -> LoggedMessage {
        guard let id = UInt64(text) else { throw .badRequest("a message's id is a number") }
        guard let message = traffic.log[id] else {
            throw APIError(
                status: 404,
                message: id < traffic.log.nextID ? "message \(id) is no longer kept" : "there is no message \(id) yet")
        }
        return message
    }

    func removeMessage(_ text: String) throws(APIError) -> RequestPlan {
        let id = try known(text).id
        return .api(#"{"messages":\#(traffic.removeMessages { $0.id == id })}"#)
    }

    /// Forgets the messages that match; all of them without a filter.
    func removeMessages(_ filter: MessageFilter) -> RequestPlan {
        let count = filter == MessageFilter() ? traffic.removeMessages() : traffic.removeMessages(where: filter.matches)
        return .api(#"{"messages":\#(count)}"#)
    }

    func stream(_ query: APIQuery) throws(APIError) -> RequestPlan {
        var id: UInt64?
        if let last = query.lastEvent, !last.isEmpty {
            id = try APIQuery.id("the last event's id", last, "a message's id")
        }
        try checkRoom()
        traffic.metrics.count(service: name, status: 200)
        guard query.request.method == "GET" else { return .answer(EventStream.head("")) }
        streams += 1
        let places: (() -> UInt64)? = query.showsChanges ? { [self] in lastPlace } : nil
        return .later(EventStream(traffic, query.filter, after: id, places: places) { [self] in streams -= 1 })
    }

    // MARK: - Faults

    func setFaults(_ request: GatewayRequest) throws(APIError) -> RequestPlan {
        guard !request.isTooLarge else { throw .tooLarge }
        guard request.body.contains(where: { !" \t\r\n".utf8.contains($0) }) else {
            throw .badRequest("the body has no rules; DELETE \(APIRoute.faults) removes those in force")
        }
        do {
            faults.rules = FaultRules(try FaultFile.rules(request.body), now: faults.monotonicMilliseconds())
        } catch {
            throw .badRequest(error.line.map { "line \($0): \(error.message)" } ?? error.message)
        }
        faults.text = String(decoding: request.body, as: UTF8.self)
        return listFaults()
    }

    func removeFaults() -> RequestPlan {
        faults.rules = FaultRules()
        return listFaults()
    }

    /// The number of times that each rule was used, and the text of the rules, unless only the report may be shown: they name tokens.
    func listFaults() -> RequestPlan {
        let uses = faults.rules.uses.map { #"{"uses":\#($0)}"# as JSONText }
        return .api(#"{"faults":\#(uses)\#(member: "text", traffic.isRedacted ? nil : faults.text)}"#)
    }

    // MARK: - The linter

    /// Findings about the records in the body, and the sizes of their messages.
    func lint(_ request: GatewayRequest) throws(APIError) -> RequestPlan {
        guard !request.isTooLarge else { throw .tooLarge }
        guard !request.body.isEmpty else { throw .badRequest("the body is a record, as pushpipe run reads it") }
        let findings = TextLinter().lint(request.body).diagnostics
        let positions = PositionTable(
            of: findings.flatMap { [$0.range.lowerBound, $0.range.upperBound] }, in: request.body)
        let found = findings.map { Self.json($0, positions) }
        let budgets = TextLinter().budgets(of: request.body).map(Self.json)
        return .api(#"{"findings":\#(found, separator: ",\n"),"messages":\#(budgets, separator: ",\n")}"#)
    }

    private static func json(_ finding: Diagnostic, _ positions: PositionTable) -> JSONText {
        let start = positions[finding.range.lowerBound]
        let end = positions[finding.range.upperBound]
        let edits = finding.edits.map { edit in
            let text = String(decoding: edit.replacement, as: UTF8.self)
            return #"{"offset":\#(edit.range.lowerBound),"length":\#(edit.range.count),"text":\#(text)}"# as JSONText
        }
        return #"""
            {"rule":\#(finding.rule.id.text),"severity":\#(finding.severity.rawValue),"message":\#(finding.message),\#
            "pointer":\#(finding.pointer),"line":\#(start.line),"column":\#(start.column),"endLine":\#(end.line),\#
            "endColumn":\#(end.column),"offset":\#(finding.range.lowerBound),"length":\#(finding.range.count),\#
            "edits":\#(edits)}
            """#
    }

    private static func json(_ budget: BudgetReport) -> JSONText {
        let parts = budget.entries.map { entry in
            #"{"pointer":\#(entry.pointer),"depth":\#(entry.depth),"bytes":\#(entry.bytes)}"# as JSONText
        }
        return #"""
            {"provider":\#(budget.provider.name.description)\#(member: "target", budget.target),\#
            "bytes":\#(budget.bytes),"limit":\#(budget.limit),"punctuation":\#(budget.punctuation),\#
            "whitespace":\#(budget.whitespace),"escapes":\#(budget.escapes),"parts":\#(parts)}
            """#
    }

    /// The output of `pushpipe explain` for a rule.
    func rule(_ id: String) throws(APIError) -> RequestPlan {
        guard let rule = Rule.named(id) else {
            throw APIError(status: 404, message: "unknown rule \(id); pushpipe explain --rules lists them")
        }
        return .answer(.api(JSONText { RuleText.appendJSON(rule, to: &$0) }.bytes))
    }
}
