import PayloadJSON
import PushFaults
import PushPipeline
import PushStore
import PushSystem

/// The gateway's own API: `/api/v1`, `/healthz` and `/metrics`.
final class APIService: GatewayService {
    let traffic: GatewayTraffic
    let screens: ScreenList
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
        screens = ScreenList(store: store)
        self.forgetDevices = forgetDevices
    }

    func plan(_ request: GatewayRequest, _ records: inout RecordComposer) -> RequestPlan? {
        guard
            request.path.hasPrefix("/api/v1") || request.path.hasPrefix("/metrics")
                || request.path.hasPrefix("/healthz")
        else { return nil }
        guard let target = APITarget(request.path) else {
            return .answer(APIError.badRequest("the path has a broken escape").answer)
        }
        // Nobody's, such as /api/v10.
        guard target.segments.starts(with: ["api", "v1"]) || ["metrics", "healthz"].contains(target.segments.first)
        else { return nil }
        do throws(APIError) {
            return try plan(request, target, &records)
        } catch {
            return .answer(error.answer)
        }
    }

    private func plan(
        _ request: GatewayRequest, _ target: APITarget, _ records: inout RecordComposer
    ) throws(APIError) -> RequestPlan {
        let found = APIRoute.allCases.compactMap { route in
            route.values(in: target.segments).map { (route, $0) }
        }
        // Without a key not even that there is nothing.
        try access.check(request, isOpen: !found.isEmpty && found.allSatisfy(\.0.isOpen))
        guard !found.isEmpty else { throw .notFound }
        let method = request.method == "HEAD" ? "GET" : request.method
        guard let (route, values) = found.first(where: { $0.0.method == method }) else {
            let allowed = found.map(\.0.method).joined(separator: ", ")
            throw APIError(
                status: 405, message: "this path takes \(allowed)", headers: [HeaderField("allow", allowed)])
        }
        if host.isReadOnly, route.isChange {
            throw APIError(
                status: 409,
                message:
                    "pushpipe view shows a store and changes nothing; pushpipe serve takes pushes and events")
        }
        if !route.takesParameters, let (name, _) = target.parameters.first { throw .unknownParameter(name, of: []) }
        switch route {
        case .status: return .answer(try status())
        case .listMessages: return try listMessages(target)
        case .removeMessages: return .answer(try removeMessages(target))
        case .getMessage: return .answer(try message(values.first ?? ""))
        case .removeMessage: return .answer(try removeMessage(values.first ?? ""))
        case .streamEvents:
            let stream = try stream(request, target)
            guard request.method == "GET" else {
                stream.didEnd()
                return .answer(EventStream.head(""))
            }
            return .later(stream)
        case .listDevices: return .answer(try listDevices(target))
        case .getDevice: return .answer(try device(values.first ?? ""))
        case .getScreens: return .answer(try screens(values.first ?? "", target))
        case .getPicture: return .answer(try picture(values.first ?? "", target))
        case .getJournal: return .answer(try journal(target))
        case .addRecords: return try addRecords(request, &records)
        case .reset: return .answer(try reset(request))
        case .getFaults: return .answer(listFaults())
        case .setFaults: return .answer(try setFaults(request))
        case .removeFaults:
            faults.rules = FaultRules()
            return .answer(listFaults())
        case .lint: return .answer(try lint(request))
        case .getRule: return .answer(try rule(values.first ?? ""))
        case .openAPI: return .answer(description())
        case .health, .liveness: return .answer(health("ok"))
        case .ready: return .answer(traffic.isStopping ? health("stopping", status: 503) : health("ready"))
        case .metrics:
            var out = ByteBuffer()
            MetricsText(traffic: traffic, summary: pipeline.summary, waiting: waiting, streams: streams)
                .append(to: &out)
            return .answer(.api(out, type: "text/plain; version=0.0.4; charset=utf-8"))
        }
    }

    // MARK: - Messages

    private func listMessages(_ target: APITarget) throws(APIError) -> RequestPlan {
        let query = try MessageQuery(target.parameters)
        guard let seconds = query.wait else {
            return .answer(list(query, query.page(of: traffic.log), isComplete: nil))
        }
        try checkRoom()
        waiting += 1
        return .later(
            MessageWait(query, traffic, until: SystemClock.monotonicSeconds() + seconds) { [self] page, isComplete in
                traffic.countAnswer(service: name, status: 200)
                return list(query, page, isComplete: isComplete)
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

    private func list(_ query: MessageQuery, _ page: MessagePage, isComplete: Bool?) -> GatewayAnswer {
        var out = ByteBuffer()
        out.append("{\"messages\":[")
        let json = MessageJSON(traffic: traffic)
        for (index, message) in page.messages.enumerated() {
            out.append(index > 0 ? ",\n" : "\n")
            json.append(message, to: &out)
        }
        out.append(page.messages.isEmpty ? "]" : "\n]")
        if let isComplete { out.appendMember("complete", isComplete) }
        let path = "\(APIRoute.listMessages.path)?"
        let rest = "&limit=\(query.limit)\(query.filter.query)"
        if !page.isFirst, let first = page.messages.first?.id ?? query.after.map(Self.following) {
            out.appendMember("previous", "\(path)before=\(first)\(rest)")
        }
        // Also from the last page on: it has what comes later.
        let last = page.messages.last?.id ?? query.after ?? traffic.log.nextID - 1
        out.appendMember("next", "\(path)after=\(last)\(rest)")
        out.append("}\n")
        return .api(out)
    }

    /// The id after another one, as far as ids go.
    private static func following(_ id: UInt64) -> UInt64 { min(id + 1, MessageQuery.greatest) }

    private func message(_ text: String) throws(APIError) -> GatewayAnswer {
        let message = try known(text)
        var out = ByteBuffer()
        let trace = tracer?.text(of: message.records)
        MessageJSON(traffic: traffic).appendWhole(message, trace: trace, to: &out)
        out.append("\n")
        return .api(out)
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

    private func removeMessage(_ text: String) throws(APIError) -> GatewayAnswer {
        let id = try known(text).id
        return Self.removed(traffic.removeMessages { $0.id == id })
    }

    /// Forgets the messages that match; all of them without a filter.
    private func removeMessages(_ target: APITarget) throws(APIError) -> GatewayAnswer {
        var filter = MessageFilter()
        for (name, value) in target.parameters {
            guard try filter.take(name, value) else {
                throw .unknownParameter(name, of: MessageFilter.parameters.map(\.name))
            }
        }
        guard filter == MessageFilter() else { return Self.removed(traffic.removeMessages(where: filter.matches)) }
        let count = traffic.log.count
        traffic.removeMessages()
        return Self.removed(count)
    }

    private static func removed(_ count: Int) -> GatewayAnswer {
        var out = ByteBuffer()
        out.append("{\"messages\":")
        out.append(Int64(count))
        out.append("}\n")
        return .api(out)
    }

    // MARK: - Events

    private func stream(_ request: GatewayRequest, _ target: APITarget) throws(APIError) -> EventStream {
        var filter = MessageFilter()
        var showsChanges = false
        var last = request.header("last-event-id")
        for (name, value) in target.parameters {
            if name == "after" {
                // What a client that reconnects has received says more.
                last = last ?? value
            } else if name == "changes" {
                guard value == "true" || value == "false" else { throw .badRequest("changes is true or false") }
                showsChanges = value == "true"
            } else if try !filter.take(name, value) {
                throw .unknownParameter(name, of: MessageFilter.parameters.map(\.name) + ["after", "changes"])
            }
        }
        var id: UInt64?
        if let last, !last.isEmpty { id = try MessageQuery.number("the last event's id", last) }
        try checkRoom()
        streams += 1
        traffic.countAnswer(service: name, status: 200)
        let places = showsChanges ? { [screens] in screens.lastPlace } : nil
        return EventStream(traffic, filter, after: id, places: places) { [self] in streams -= 1 }
    }

    // MARK: - Health

    private func health(_ word: String, status: Int = 200) -> GatewayAnswer {
        var out = ByteBuffer()
        out.append("{\"status\":")
        out.appendJSONString(word)
        out.append("}\n")
        return .api(out, status: status)
    }
}
