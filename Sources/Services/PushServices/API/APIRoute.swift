import PushDecoding

/// A route of the API: how a request for it is read and answered.
struct APIRoute: Sendable {
    /// GET includes HEAD.
    let method: String
    /// A name in braces stands for one segment.
    let path: String
    /// The parameters that it takes, each of which is checked. Nil to look at none: those of probes and Prometheus say nothing here.
    let parameters: [String]?
    /// The ids in `after` and `before`.
    let ids: String
    /// Called with the records that the request becomes.
    let plan: @Sendable (APIService, APIQuery, inout RecordComposer) throws(APIError) -> RequestPlan

    /// A route whose requests become no records.
    private init(
        _ method: String, _ path: String, _ parameters: [String]? = [], ids: String = APIQuery.line,
        plan: @escaping @Sendable (APIService) -> (APIQuery) throws(APIError) -> RequestPlan
    ) {
        self.init(method: method, path: path, parameters: parameters, ids: ids) {
            (api, query, _) throws(APIError) in try plan(api)(query)
        }
    }

    private init(
        method: String, path: String, parameters: [String]? = [], ids: String = APIQuery.line,
        plan: @escaping @Sendable (APIService, APIQuery, inout RecordComposer) throws(APIError) -> RequestPlan
    ) {
        self.method = method
        self.path = path
        self.parameters = parameters
        self.ids = ids
        self.plan = plan
    }

    /// True if it says nothing that is worth a key, so that probes need none.
    var isOpen: Bool { parameters == nil && path != "/metrics" }

    var isChange: Bool { method != "GET" && path != "/api/v1/lint" }

    static let messages = "/api/v1/messages"
    static let devices = "/api/v1/devices"
    static let screens = "/api/v1/devices/{device}/screens"
    static let records = "/api/v1/records"
    static let faults = "/api/v1/faults"

    static let all: [APIRoute] = [
        APIRoute("GET", "/api/v1/status", plan: APIService.status),
        APIRoute("GET", messages, APIQuery.ofMessages, ids: "a message's id", plan: APIService.listMessages),
        APIRoute("DELETE", messages, MessageFilter.names, plan: APIService.removeMessages),
        APIRoute("GET", messages + "/{id}", plan: APIService.message),
        APIRoute("DELETE", messages + "/{id}", plan: APIService.removeMessage),
        APIRoute("GET", "/api/v1/events", MessageFilter.names + ["after", "changes"], plan: APIService.stream),
        APIRoute("GET", devices, ["search", "offset", "limit"], plan: APIService.listDevices),
        APIRoute("GET", devices + "/{device}", plan: APIService.device),
        APIRoute(
            "GET", screens, ["app", "limit", "before", "at"], ids: "a place from the next link",
            plan: APIService.screens),
        APIRoute("GET", devices + "/{device}/screen.svg", ["app", "at"], plan: APIService.picture),
        APIRoute(
            "GET", "/api/v1/journal", ["device", "app", "identifier", "after", "before", "limit"],
            plan: APIService.journal),
        APIRoute(method: "POST", path: records) { (api, query, records) throws(APIError) in
            try api.addRecords(query.request, &records)
        },
        APIRoute("POST", "/api/v1/reset", plan: APIService.reset),
        APIRoute("GET", faults, plan: APIService.listFaults),
        APIRoute("PUT", faults, plan: APIService.setFaults),
        APIRoute("DELETE", faults, plan: APIService.removeFaults),
        APIRoute("POST", "/api/v1/lint", plan: APIService.lint),
        APIRoute("GET", "/api/v1/rules/{rule}", plan: APIService.rule),
        APIRoute("GET", "/api/v1/openapi.json", plan: APIService.description),
        APIRoute("GET", "/api/v1/health", nil, plan: APIService.health),
        APIRoute("GET", "/api/v1/ready", nil, plan: APIService.readiness),
        APIRoute("GET", "/healthz", nil, plan: APIService.health),
        APIRoute("GET", "/metrics", nil, plan: APIService.metrics),
    ]

    /// True if a path is one of its own.
    func matches(_ segments: [String]) -> Bool {
        let pattern = path.split(separator: "/")
        return pattern.count == segments.count && zip(pattern, segments).allSatisfy { $0.hasPrefix("{") || $0 == $1 }
    }

    /// The segment of a path that the name in braces stands for; empty without one.
    func value(in segments: [String]) -> String {
        zip(path.split(separator: "/"), segments).first { $0.0.hasPrefix("{") }?.1 ?? ""
    }
}

/// A request to the API: what its path and its parameters say.
struct APIQuery {
    let request: GatewayRequest
    /// The segment that the name in the route's path stands for.
    let value: String
    var filter = MessageFilter()
    /// The id after which the list begins, with the oldest first.
    var after: UInt64?
    /// The id before which the list ends; without `after`, the list has the newest before it.
    var before: UInt64?
    /// The id of the last event that the client has.
    var lastEvent: String?
    /// The most to return; nil for the route's own number.
    var limit: Int?
    var offset = 0
    /// How long the answer may wait, in seconds; nil to answer at once.
    var wait: Double?
    /// How many messages end the wait.
    var count = 1
    /// True if the stream has events about screens.
    var showsChanges = false
    var search: String?
    var device: String?
    var app: String?
    var identifier: String?
    /// A place in the journal.
    var at: UInt64?

    static let maximumLimit = 1000
    /// Five minutes.
    static let maximumWait = 300.0
    /// The greatest id that can be asked for. No log has as many, and the next number is one that can be counted, too.
    static let greatest = UInt64(Int64.max)
    static let line = "the id of a journal line"
    static let ofMessages = MessageFilter.names + ["after", "before", "limit", "wait", "count"]

    /// - Throws: `APIError` for a parameter that the route does not take, or a value out of range.
    init(
        _ request: GatewayRequest, _ segments: [String], _ parameters: FormFields, _ route: APIRoute
    ) throws(APIError) {
        self.request = request
        value = route.value(in: segments)
        // What a client that reconnects has received says more than the parameter.
        lastEvent = request.header("last-event-id")
        guard let expected = route.parameters else { return }
        for (name, value) in parameters.fields {
            guard expected.contains(name) else { throw .unknownParameter(name, of: expected) }
            try take(name, value, route)
        }
    }

    private mutating func take(_ name: String, _ value: String, _ route: APIRoute) throws(APIError) {
        switch name {
        case "after" where expectsEvents(route): lastEvent = lastEvent ?? value
        case "after": after = try Self.id(name, value, route.ids)
        case "before": before = try Self.id(name, value, route.ids)
        case "at": at = try Self.id(name, value, Self.line)
        case "limit": limit = try Self.number(name, value, 1...Self.maximumLimit)
        case "count": count = try Self.number(name, value, 1...Self.maximumLimit)
        case "offset": offset = try Self.number(name, value, 0...Int(Int32.max))
        case "wait": wait = try Self.seconds(name, value, most: Self.maximumWait)
        case "changes":
            guard let flag = Bool(value) else { throw .badRequest("changes is true or false") }
            showsChanges = flag
        case "search": search = value
        case "identifier": identifier = value
        case _ where route.parameters?.contains("outcome") == true: try filter.take(name, value)
        case "device": device = DeviceToken.canonical(value)
        default: app = value
        }
    }

    private func expectsEvents(_ route: APIRoute) -> Bool { route.parameters?.contains("changes") == true }

    /// - Parameter what: the words for the id.
    static func id(_ name: String, _ value: String, _ what: String) throws(APIError) -> UInt64 {
        guard let number = UInt64(value), number <= greatest else {
            throw .badRequest("\(name) is \(what), a number from 0")
        }
        return number
    }

    private static func number(_ name: String, _ value: String, _ range: ClosedRange<Int>) throws(APIError) -> Int {
        guard let number = Int(value), range.contains(number) else {
            throw .badRequest("\(name) is a number from \(range.lowerBound) to \(range.upperBound)")
        }
        return number
    }

    /// `5s`, `500ms`, `2m`, or a number of seconds.
    private static func seconds(_ name: String, _ value: String, most: Double) throws(APIError) -> Double {
        let units: [(suffix: String, seconds: Double)] = [("ms", 0.001), ("s", 1), ("m", 60), ("", 1)]
        for (suffix, unit) in units where value.hasSuffix(suffix) {
            let digits = value.dropLast(suffix.count)
            guard digits.allSatisfy({ ("0"..."9").contains($0) || $0 == "." }), let number = Double(digits),
                number * unit <= most
            else { break }
            return number * unit
        }
        throw .badRequest("\(name) is a time such as 5s, 500ms or 2m, and at most \(Int(most))s")
    }
}
