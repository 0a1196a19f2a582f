import CPushAPIDescription
import PushDecoding
import PushDevices
import PushFaults
import PushJSON
import PushLint
import PushModel
import PushPipeline
import PushReports
import PushSystem
import PushText
import ScreenPictures

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
    private let access: APIAccess
    /// Traces a message that is asked for; nil to leave that out.
    private let tracer: RecordTracer?
    private var waiting = 0

    /// Waits and streams at a time. Each may hold a connection, and is looked at after each group of requests.
    static let maximumPending = 256

    override var isLogged: Bool { false }

    init(
        _ traffic: GatewayTraffic, store: any BrowsableStore, access: APIAccess = APIAccess(),
        host: APIHost = APIHost(), tracer: RecordTracer? = nil, forgetDevices: (() throws -> Void)? = nil
    ) {
        self.traffic = traffic
        self.access = access
        self.tracer = tracer
        self.host = host
        self.store = store
        self.forgetDevices = forgetDevices
    }

    override func plan(_ request: GatewayRequest, _ records: inout RecordComposer) -> RequestPlan? {
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
            throw APIError(404, "nothing has this path; GET /api/v1/openapi.json lists what there is")
        }
        let method = request.method == "HEAD" ? "GET" : request.method
        guard let route = found.first(where: { $0.method == method }) else {
            let allowed = found.map(\.method).joined(separator: ", ")
            throw APIError(405, "this path takes \(allowed)", headers: [HeaderField("allow", allowed)])
        }
        if host.mode == .view, route.isChange {
            throw APIError(
                409, "pushpipe view shows a store and changes nothing; pushpipe serve takes pushes and events")
        }
        return route
    }

    // MARK: - The gateway

    /// Which pushpipe answers, and what it can show.
    func status(_ query: APIQuery) throws(APIError) -> RequestPlan {
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
    func description(_ query: APIQuery) -> RequestPlan {
        let file = unsafe api_description()
        // SOUND: the bytes are a constant of the program, and the count is theirs.
        return .answer(.api(unsafe Array(UnsafeBufferPointer(start: file.bytes, count: file.count))))
    }

    func health(_ query: APIQuery) -> RequestPlan { .api(#"{"status":"ok"}"#) }

    func readiness(_ query: APIQuery) -> RequestPlan {
        traffic.isStopping
            ? .answer(.api(json: #"{"status":"stopping"}"#, status: 503)) : .api(#"{"status":"ready"}"#)
    }

    func metrics(_ query: APIQuery) -> RequestPlan {
        let summary = pipeline?.summary
        let text = MetricsText(traffic: traffic, summary: summary, waiting: waiting).text
        return .answer(.api(Array(text.utf8), type: "text/plain; version=0.0.4; charset=utf-8"))
    }

    // MARK: - Messages

    func listMessages(_ query: APIQuery) throws(APIError) -> RequestPlan {
        guard let seconds = query.wait else { return .answer(list(query, isComplete: nil)) }
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
        guard waiting + traffic.streams < Self.maximumPending else {
            throw .tryLater("\(Self.maximumPending) clients wait already")
        }
    }

    private func list(_ query: APIQuery, isComplete: Bool?) -> GatewayAnswer {
        let page = query.page(of: traffic.log)
        let messages = page.messages.map(MessageJSON(isRedacted: traffic.isRedacted).summary)
        let rest = "&limit=\(query.mostMessages)\(query.filter.query)"
        var previous: String?
        // The id after another one, as far as ids go.
        if !page.isFirst, let first = page.messages.first?.id ?? query.after.map({ min($0 + 1, APIQuery.greatest) }) {
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

    func message(_ query: APIQuery) throws(APIError) -> RequestPlan {
        let message = try known(query.value)
        let trace = tracer?.text(of: message.records)
        return .api(MessageJSON(isRedacted: traffic.isRedacted).whole(message, trace: trace))
    }

    /// The message with an id.
    private func known(_ text: String) throws(APIError) -> LoggedMessage {
        guard let id = UInt64(text) else { throw .badRequest("a message's id is a number") }
        guard let message = traffic.log[id] else {
            throw APIError(
                404, id < traffic.log.nextID ? "message \(id) is no longer kept" : "there is no message \(id) yet")
        }
        return message
    }

    func removeMessage(_ query: APIQuery) throws(APIError) -> RequestPlan {
        let id = try known(query.value).id
        return .api(#"{"messages":\#(traffic.removeMessages { $0.id == id })}"#)
    }

    /// Forgets the messages that match; all of them without a filter.
    func removeMessages(_ query: APIQuery) -> RequestPlan {
        let filter = query.filter
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
        traffic.streams += 1
        let places: (() -> UInt64)? = query.showsChanges ? { [self] in lastPlace } : nil
        return .later(
            EventStream(traffic, query.filter, after: id, places: places) { [traffic] in traffic.streams -= 1 })
    }

    // MARK: - Faults

    func setFaults(_ query: APIQuery) throws(APIError) -> RequestPlan {
        let request = query.request
        guard !request.isTooLarge else { throw .tooLarge }
        guard request.body.contains(where: { !" \t\r\n".utf8.contains($0) }) else {
            throw .badRequest("the body has no rules; DELETE \(APIRoute.faults) removes those in force")
        }
        do throws(PlainError) { try faults.setRules(request.body) } catch { throw .badRequest(error.message) }
        faults.text = String(decoding: request.body, as: UTF8.self)
        return listFaults(query)
    }

    func removeFaults(_ query: APIQuery) -> RequestPlan {
        faults.rules = FaultRules()
        return listFaults(query)
    }

    /// The number of times that each rule was used, and the text of the rules, unless only the report may be shown: they name tokens.
    func listFaults(_ query: APIQuery) -> RequestPlan {
        let uses = faults.rules.uses.map { #"{"uses":\#($0)}"# as JSONText }
        return .api(#"{"faults":\#(uses)\#(member: "text", traffic.isRedacted ? nil : faults.text)}"#)
    }

    // MARK: - The linter

    /// Findings about the records in the body, and the sizes of their messages.
    func lint(_ query: APIQuery) throws(APIError) -> RequestPlan {
        let request = query.request
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
    func rule(_ query: APIQuery) throws(APIError) -> RequestPlan {
        guard let rule = Rule.named(query.value) else {
            throw APIError(404, "unknown rule \(query.value); pushpipe explain --rules lists them")
        }
        return .answer(.api(JSONText { RuleText.appendJSON(rule, to: &$0) }.bytes))
    }
}

/// The devices of the store, their screens, and the events on them.
extension APIService {
    func listDevices(_ query: APIQuery) throws(APIError) -> RequestPlan {
        let limit = query.limit ?? 100
        // One more, to know whether there are more.
        let apps = try reading { try store.apps(matching: query.search, offset: query.offset, limit: limit + 1) }
        let search = query.search.map { "&search=\(PercentEncoding.encoded($0))" } ?? ""
        let next = "\(APIRoute.devices)?offset=\(query.offset + limit)&limit=\(limit)\(search)"
        let list = apps.prefix(limit).map(ScreenJSON.center)
        return .api(#"{"devices":\#(list, separator: ",\n")\#(member: "next", apps.count > limit ? next : nil)}"#)
    }

    func device(_ query: APIQuery) throws(APIError) -> RequestPlan {
        let device = DeviceToken.canonical(query.value)
        let (apps, registered) = try reading { (try store.apps(on: device), try store.registered(on: device)) }
        let centers = apps.map(ScreenJSON.center)
        let events = registered.flatMap { [$0.event] + $0.furtherEvents }.map { event in
            JSONText.line { $0.appendEvent(event) }
        }
        return .api(
            #"""
            {"device":\#(device),"apps":\#(centers, separator: ",\n"),"registered":\#(events, separator: ",\n")}
            """#)
    }

    /// What a device shows: `"notifications"`, newest first, and `"activities"` on the lock screen, most relevant first.
    func screens(_ query: APIQuery) throws(APIError) -> RequestPlan {
        let device = DeviceToken.canonical(query.value)
        if let place = query.at { return try screens(device, app: query.app, at: place) }
        let limit = query.limit ?? APIQuery.maximumLimit
        let (shown, activities) = try reading {
            (
                try store.newest(on: device, app: query.app, before: query.before ?? .max, limit: limit),
                try store.liveActivities(device: device, app: query.app).filter { $0.state != .dismissed }
            )
        }
        var next: String?
        if shown.count == limit, let last = shown.last {
            let path = APIRoute.screens.replacing("{device}", with: PercentEncoding.encoded(device))
            let app = query.app.map { "&app=\(PercentEncoding.encoded($0))" } ?? ""
            next = "\(path)?before=\(last.place)&limit=\(limit)\(app)"
        }
        let notifications = shown.map { ScreenJSON.notification($0.notification) }
        let states = LiveActivity.inOrderOfRelevance(activities).map(ScreenJSON.activity)
        return .api(
            #"""
            {"device":\#(device),"notifications":\#(notifications, separator: ",\n")\#(member: "next", next),\#
            "activities":\#(states, separator: ",\n")}
            """#)
    }

    func addRecords(_ request: GatewayRequest, _ records: inout RecordComposer) throws(APIError) -> RequestPlan {
        guard !request.isTooLarge else {
            throw APIError(413, "the body is over \(GatewayLimits().recordsBodyBytes >> 20) MiB; send several requests")
        }
        try RecordsBody.forEach(request.body) { records.append(record: $0) }
        return .report(RecordsAnswer())
    }

    func reset(_ query: APIQuery) throws(APIError) -> RequestPlan {
        guard let includesDevices = Self.includesDevices(query.request.body) else {
            throw .badRequest("the body is empty, or an object with devices, true or false, and nothing else")
        }
        if includesDevices {
            guard let forgetDevices else {
                throw APIError(
                    409,
                    "devices in a file are not forgotten; start the gateway with a store in memory, or another file")
            }
            try reading(forgetDevices)
        }
        return .api(#"{"messages":\#(traffic.removeMessages()),"devices":\#(includesDevices)}"#)
    }

    /// True if a reset forgets devices too; nil for a body that is not one of a reset.
    private static func includesDevices(_ body: [UInt8]) -> Bool? {
        guard !body.isEmpty else { return false }
        return body.withObject { root in
            guard root.members.allSatisfy({ $0.key == "devices" }) else { return nil }
            return switch root["devices"]?.kind {
            case .true?: true
            case .false?, nil: false
            default: nil
            }
        }
    }

    func reading<Result>(_ body: () throws -> Result) throws(APIError) -> Result {
        do { return try body() } catch { throw APIError(500, "the store cannot be read: \(error)") }
    }

    // MARK: - The journal

    /// Lines of a device that are read for a screen of the past, at most.
    static let mostLinesOfScreen = 50_000

    /// The place of the journal's last line, also if a reset has removed it; 0 if there was none.
    var lastPlace: UInt64 { ((try? store.journalPlaces()) ?? 1..<1).upperBound - 1 }

    func journal(_ query: APIQuery) throws(APIError) -> RequestPlan {
        let asked = JournalQuery(
            device: query.device, app: query.app, identifier: query.identifier, after: query.after,
            before: query.before, limit: query.limit ?? 100)
        let (lines, kept) = try reading { (try store.journal(asked), try store.journalPlaces()) }
        let ends =
            kept.isEmpty ? nil : (first: Int(clamping: kept.lowerBound), last: Int(clamping: kept.upperBound - 1))
        return .api(
            #"""
            {"journal":\#(lines: lines.map(ScreenJSON.line))\#(member: "first", ends?.first)\#
            \#(member: "last", ends?.last)\#(member: "kept", host.journalLimit)}
            """#)
    }

    private func screens(_ device: String, app: String?, at place: UInt64) throws(APIError) -> RequestPlan {
        let past = try past(of: device, app: app, at: place)
        let shown = past.shown.map { shown in
            switch shown {
            case .kept(let notification): ScreenJSON.notification(notification)
            case .gone(let entry, let content): ScreenJSON.gone(entry, content)
            }
        }
        // States of Live Activities are not in the journal.
        return .api(
            #"""
            {"device":\#(device),"at":\#(place),"complete":\#(past.isComplete),\#
            "notifications":\#(shown, separator: ",\n"),"activities":[]}
            """#)
    }

    enum PastNotification {
        /// It still is.
        case kept(DeliveredNotification)
        /// Its content is nil if it is not known.
        case gone(JournalEntry, ShownContent?)

        /// The notification for a picture.
        var notification: DeliveredNotification {
            switch self {
            case .kept(let notification): notification
            case .gone(let entry, let content):
                DeliveredNotification(
                    seq: entry.seq, device: entry.device, app: entry.app, identifier: entry.identifier,
                    content: content ?? ShownContent(body: "Text not recorded"), deliveredAt: entry.at, payload: "{}"
                )
            }
        }
    }

    /// The newest notifications that were on a screen after a line of the journal, newest first, and whether those are all.
    func past(
        of device: String, app: String?, at place: UInt64
    ) throws(APIError) -> (shown: [PastNotification], isComplete: Bool) {
        let limit = APIQuery.maximumLimit
        let (past, now) = try reading {
            (
                try store.screen(of: device, app: app, at: place, limit: Self.mostLinesOfScreen),
                // Whatever is still on the screen is known in full.
                try store.newest(on: device, app: app, before: .max, limit: limit)
            )
        }
        let known = Dictionary(
            now.map { (ContentHistory.Key($0.notification), $0.notification) }, uniquingKeysWith: { first, _ in first })
        let shown = past.shown.prefix(limit).map { shown in
            let key = ContentHistory.Key(shown.line.entry)
            return known[key].map { .kept($0) } ?? PastNotification.gone(shown.line.entry, traffic.history[key])
        }
        return (shown, past.isComplete && past.shown.count <= limit)
    }

    /// A device's screen, now or after a line of the journal, as SVG.
    func picture(_ query: APIQuery) throws(APIError) -> RequestPlan {
        let device = DeviceToken.canonical(query.value)
        let delivered =
            if let place = query.at {
                try past(of: device, app: query.app, at: place).shown.map(\.notification)
            } else {
                try reading {
                    try store.newest(on: device, app: query.app, before: .max, limit: APIQuery.maximumLimit)
                }.map(\.notification)
            }
        // States of Live Activities and numbers on icons are not in the journal.
        let isNow = query.at == nil
        let (notifications, activities, badges, registered) = try reading {
            (
                try AndroidScreens(store, device: device).seen(delivered, newestFirst: true),
                isNow ? try store.liveActivities(device: device, app: query.app) : [],
                isNow ? try store.badges(on: device) : [],
                try store.registered(on: device)
            )
        }
        let contents = ScreenContents(
            device: device, platform: registered.lazy.compactMap(\.event.platform).first,
            notifications: notifications, activities: activities.filter { $0.state != .dismissed },
            badges: badges.filter { $0.badge > 0 && (query.app ?? $0.app) == $0.app },
            eventTime: AndroidScreen.time, seen: HiddenPreviews(registered).content)
        // In a tab of its own, it may do nothing but have a style.
        let policy = HeaderField(
            "content-security-policy", "default-src 'none'; style-src 'unsafe-inline'; img-src data:; sandbox")
        return .answer(
            .api(Array(ScreensPicture.draw(contents).svg.utf8), headers: [policy], type: "image/svg+xml"))
    }
}

extension ContentHistory.Key {
    init(_ notification: DeliveredNotification) {
        self.init(seq: notification.seq, device: notification.device, identifier: notification.identifier)
    }

    init(_ entry: JournalEntry) { self.init(seq: entry.seq, device: entry.device, identifier: entry.identifier) }
}

/// What a store has, as JSON: notifications as `pushpipe store show` writes them, apps as `store list` does, and journal lines as
/// `store events` does.
private enum ScreenJSON {
    /// `{"device","app","count","badge","latest"}`.
    static func center(_ center: CenterSummary) -> JSONText {
        .line { CenterReport(style: TextStyle(hasColors: false), form: .ndjson).append(center, to: &$0) }
    }

    static func notification(_ notification: DeliveredNotification) -> JSONText {
        .line { NotificationWriter(isCSV: false).append(notification, to: &$0) }
    }

    static func activity(_ activity: LiveActivity) -> JSONText {
        .line { NotificationWriter(isCSV: false).append(activity, to: &$0) }
    }

    /// A line of the journal, with its place in front.
    static func line(_ line: PlacedEntry) -> JSONText {
        let entry = JSONText.line { JournalLine.append(line.entry, to: &$0) }
        return #"{"id":\#(line.place),\#(JSONText(entry.bytes.dropFirst()))"#
    }

    /// A notification that is gone.
    ///
    /// - Parameter content: its content; nil if it is not known.
    static func gone(_ entry: JournalEntry, _ content: ShownContent?) -> JSONText {
        #"""
        {"seq":\#(entry.seq),"device":\#(entry.device),"app":\#(entry.app),"identifier":\#(entry.identifier)\#
        \#(member: "title", content?.title)\#(member: "subtitle", content?.subtitle)\#
        \#(member: "body", content?.body)\#(member: "thread", content?.thread)\#(member: "badge", content?.badge)\#
        \#(JSONText { $0.appendMember("delivered_at", milliseconds: entry.at) }),"gone":true,\#
        "known":\#(content != nil)}
        """#
    }
}

/// Records in the body of a request: one JSON object, an array of them, or NDJSON.
enum RecordsBody {
    /// Passes each record to `body`, on one line. Lines that are not JSON are passed as they are: the report says what is wrong.
    ///
    /// - Throws: `APIError` if there is none.
    static func forEach(_ bytes: [UInt8], _ body: (BorrowedText) -> Void) throws(APIError) {
        var count = 0
        func take(_ text: some Collection<UInt8>) {
            let isBreak: (UInt8) -> Bool = { $0 == UInt8(ascii: "\n") || $0 == UInt8(ascii: "\r") }
            // JSON has no line break inside a string.
            var line = text.map { isBreak($0) ? UInt8(ascii: " ") : $0 }[...]
            // The pipeline would skip it at the beginning of its input, and then there would be one record less than lines.
            while line.starts(with: [0xEF, 0xBB, 0xBF]) { line = line.dropFirst(3) }
            guard !line.allSatisfy({ $0 == UInt8(ascii: " ") || $0 == UInt8(ascii: "\t") }) else { return }
            count += 1
            // SOUND: the bytes live until the closure returns.
            unsafe line.withUnsafeBufferPointer { line in
                guard let start = line.baseAddress else { return }
                unsafe body(BorrowedText(start: start, count: line.count))
            }
        }
        let isJSON: Void? = bytes.withJSON { root in
            if root.isObject { take(bytes) }
            for element in root.elements {
                // SOUND: the text is copied before the bytes change.
                unsafe take(element.text.buffer)
            }
        }
        if isJSON == nil { for line in bytes.split(separator: UInt8(ascii: "\n")) { take(line) } }
        guard count > 0 else { throw .badRequest("the body has no records; it takes those that pushpipe run reads") }
    }
}

/// The report lines, as elements of a JSON array.
struct RecordsAnswer: AnswerDraft {
    private var lines: [JSONText] = []
    private var bytes = 0
    /// True if there were more lines than fit.
    private var isCut = false

    /// 1 MiB: a record may concern any number of devices.
    private static let maximumBytes = 1 << 20

    mutating func add(_ line: borrowing RecordReport, record: Int) { addConsequence(line) }

    mutating func addConsequence(_ line: borrowing RecordReport) {
        var out = ByteBuffer()
        NDJSONReport().append(line, to: &out)
        guard bytes + out.count <= Self.maximumBytes else {
            isCut = true
            return
        }
        bytes += out.count + 1
        lines.append(JSONText(out.copy.dropLast()))
    }

    func answer() -> GatewayAnswer {
        .api(json: #"{"report":\#(lines, separator: ",\n")\#(member: "report_cut", isCut ? true : nil)}"#)
    }
}

/// Composes what `pushpipe trace` prints of records alone: for devices of which nothing is known, and without an extension.
struct RecordTracer {
    private var configuration: PipelineConfiguration

    /// - Parameter configuration: of the pipeline that the records went through.
    init(_ configuration: PipelineConfiguration) {
        self.configuration = configuration
        self.configuration.traces = true
        self.configuration.jobs = 1
    }

    /// - Parameter records: one per line.
    /// - Returns: nil without records, and if they cannot be processed again.
    func text(of records: [UInt8]) -> String? {
        guard !records.isEmpty else { return nil }
        let report = TraceReport(style: TextStyle(hasColors: false), budget: configuration.decoding.budget)
        var out = ByteBuffer()
        let pipeline = Pipeline(configuration)
        do {
            // SOUND: the bytes live until the closure returns, and are copied.
            try unsafe records.withUnsafeBytes { bytes in
                try unsafe pipeline.feed(bytes) { report.append($0, to: &out) }
            }
        } catch {
            return nil
        }
        // SOUND: the bytes are copied.
        return unsafe String(decoding: out.bytes, as: UTF8.self)
    }
}
