import PayloadJSON
import PushDecoding
import PushDevices
import PushModel
import PushPipeline
import PushReports
import PushSystem
import PushText
import ScreenPictures

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

    func device(_ device: String) throws(APIError) -> RequestPlan {
        let device = DeviceToken.canonical(device)
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
        guard !request.isTooLarge else { throw .tooLarge }
        var lines = ByteBuffer()
        var ends: [Int] = []
        try RecordsBody.forEach(request.body) { line in
            lines.append(line)
            ends.append(lines.count)
        }
        lines.withText { text in
            var start = 0
            for end in ends {
                // SOUND: the ends are those of lines in the text.
                unsafe records.append(record: BorrowedText(start: text.start + start, count: end - start))
                start = end
            }
        }
        return .report(RecordsAnswer())
    }

    func reset(_ request: GatewayRequest) throws(APIError) -> RequestPlan {
        var includesDevices = false
        if !request.body.isEmpty {
            let wanted: Bool?? = request.body.withJSON { root in
                guard root.isObject else { return nil }
                for (name, _) in root.members { guard name == "devices" else { return nil } }
                guard let devices = root["devices"] else { return false }
                return devices.text == "true" ? true : devices.text == "false" ? false : nil
            }
            guard let wanted, let wanted else {
                throw .badRequest("the body is empty, or an object with devices, true or false, and nothing else")
            }
            includesDevices = wanted
        }
        if includesDevices {
            guard let forgetDevices else {
                throw APIError(
                    status: 409,
                    message:
                        "devices in a file are not forgotten; start the gateway with a store in memory, or another file"
                )
            }
            try reading(forgetDevices)
        }
        return .api(#"{"messages":\#(traffic.removeMessages()),"devices":\#(includesDevices)}"#)
    }

    func reading<Result>(_ body: () throws -> Result) throws(APIError) -> Result {
        do { return try body() } catch { throw APIError(status: 500, message: "the store cannot be read: \(error)") }
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

        /// For a picture.
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
    /// Passes each record to `body`, on one line. Lines that are no JSON are passed as they are: the report says what is wrong.
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
        let isOne: Bool? = bytes.withJSON { root in
            if root.isObject {
                take(bytes)
                return true
            }
            guard root.kind == .array else { return true }
            for element in root.elements {
                // SOUND: the text is copied before the bytes change.
                unsafe take(element.text.buffer)
            }
            return true
        }
        if isOne != true { for line in bytes.split(separator: UInt8(ascii: "\n")) { take(line) } }
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
