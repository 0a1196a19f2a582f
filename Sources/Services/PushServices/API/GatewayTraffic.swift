import DequeModule
import PushFiles
import PushJSON
import PushModel
import PushPipeline
import PushSystem

/// The gateway's traffic: the messages for its API, and the counts for its metrics. Used on the pipeline's thread.
package final class GatewayTraffic {
    private(set) var log: MessageLog
    var metrics = GatewayMetrics()
    /// True if only what the report says may be shown. Then requests and answers are not kept.
    let isRedacted: Bool
    /// Bytes of the requests that wait, and the number of connections.
    package var load: () -> (waitingBytes: Int, connections: Int) = { (0, 0) }
    /// Called with each message, before its answer leaves; nil for nobody.
    var onMessage: ((LoggedMessage) -> Void)?
    /// Recently shown notifications.
    var history = ContentHistory()
    /// Grows whenever something may have changed on a screen.
    private(set) var changes: UInt64 = 0
    /// Open event streams.
    var streams = 0
    /// The events about recent messages, by their ids.
    private var events: [UInt64: [UInt8]] = [:]
    private var eventBytes = 0
    /// True if the gateway takes no more connections.
    package var isStopping = false
    /// Epoch milliseconds; tests replace it.
    var wallMilliseconds: () -> Int64 = SystemClock.wallMilliseconds
    private var line = ByteBuffer()

    /// The report lines about a request.
    struct Reported {
        fileprivate(set) var text: [UInt8] = []
        fileprivate(set) var isCut = false
    }

    /// 64 KiB of lines per request: a topic may have any number of subscribers.
    private static let maximumReportBytes = 64 << 10

    init(_ log: MessageLog = MessageLog(), isRedacted: Bool = false) {
        self.log = log
        self.isRedacted = isRedacted
    }

    // MARK: - Called by the session

    /// Something may have changed on a screen.
    func noteChange() { changes &+= 1 }

    /// Adds a report line to those about its request.
    func add(_ report: borrowing RecordReport, to reported: inout Reported) {
        line.removeAll()
        NDJSONReport().append(report, to: &line)
        guard reported.text.count + line.count <= Self.maximumReportBytes else {
            reported.isCut = true
            return
        }
        // SOUND: the bytes are copied before the buffer changes.
        unsafe reported.text.append(contentsOf: line.bytes)
    }

    /// Takes a request with its answer.
    ///
    /// - Parameter isLogged: true if it is a message.
    func add(
        _ request: GatewayRequest, _ answer: GatewayAnswer, service: String, isLogged: Bool, records: [UInt8],
        reported: Reported
    ) {
        metrics.count(service: service, status: answer.status)
        guard isLogged else { return }
        var message = LoggedMessage(
            id: 0, at: wallMilliseconds(), service: service, request: request, requestBytes: request.body.count,
            answer: answer, records: records, report: reported.text, isReportCut: reported.isCut)
        // The log has a limit of its own.
        message.answer.unread = nil
        if isRedacted {
            message.request = GatewayRequest(method: request.method, path: "")
            message.answer = GatewayAnswer(status: answer.status)
            message.records = []
        }
        log.append(message)
        if let onMessage, let message = log.all.last { onMessage(message) }
    }

    /// Takes the times at which requests arrived that have just been answered.
    package func didAnswer(arrivals: some Sequence<Int64>) {
        let now = SystemClock.monotonicNanoseconds()
        for arrival in arrivals { metrics.observe(nanoseconds: now - arrival) }
    }

    // MARK: - Called by the API

    /// The server-sent event about a message, which is composed once for all streams.
    func event(about message: LoggedMessage) -> [UInt8] {
        if let known = events[message.id] { return known }
        let summary = MessageJSON(isRedacted: isRedacted).summary(of: message)
        let event = "id: \(message.id)\nevent: message\ndata: ".utf8 + summary.bytes + "\n\n".utf8
        if eventBytes + event.count > Self.mostEventBytes { (events, eventBytes) = ([:], 0) }
        eventBytes += event.count
        events[message.id] = event
        return event
    }

    /// 1 MiB.
    private static let mostEventBytes = 1 << 20

    /// Forgets some messages. Returns how many.
    func removeMessages(where isUnwanted: (LoggedMessage) -> Bool) -> Int {
        let count = log.remove(where: isUnwanted)
        if count > 0 { noteChange() }
        return count
    }

    /// Forgets all messages; their counts go on. Returns how many there were.
    @discardableResult
    func removeMessages() -> Int {
        let count = log.count
        log.removeAll()
        noteChange()
        return count
    }
}

/// Counts of requests, and how long they took.
struct GatewayMetrics {
    struct Key: Hashable {
        var service: String
        var status: Int
    }

    private(set) var requests: [Key: UInt64] = [:]
    /// Notifications of the binary interface that were lost, because one before them was refused.
    var dropped: UInt64 = 0
    /// Requests by the first of `bounds` that they did not take longer than, and those that took longer than the last one.
    private(set) var durations = [UInt64](repeating: 0, count: bounds.count + 1)
    /// The durations of all requests together, in seconds.
    private(set) var totalSeconds = 0.0

    /// Upper bounds of the histogram, in seconds, as they are written.
    static let bounds: [(seconds: Double, text: StaticString)] = [
        (0.0001, "0.0001"), (0.00025, "0.00025"), (0.0005, "0.0005"), (0.001, "0.001"), (0.0025, "0.0025"),
        (0.005, "0.005"), (0.01, "0.01"), (0.025, "0.025"), (0.05, "0.05"), (0.1, "0.1"), (0.25, "0.25"),
        (0.5, "0.5"), (1, "1"), (2.5, "2.5"), (5, "5"), (10, "10"),
    ]

    /// Counts an answer. Services and their statuses are few.
    mutating func count(service: String, status: Int) {
        requests[Key(service: service, status: status), default: 0] += 1
    }

    /// Counts the time from the arrival of a complete request to its answer.
    mutating func observe(nanoseconds: Int64) {
        let seconds = Double(max(nanoseconds, 0)) / 1e9
        totalSeconds += seconds
        let bucket = Self.bounds.firstIndex { seconds <= $0.seconds } ?? Self.bounds.count
        durations[bucket] += 1
    }
}

/// Writes the metrics in Prometheus' text format.
///
/// Source: prometheus.io, "Exposition formats", text format 0.0.4.
struct MetricsText {
    let traffic: GatewayTraffic
    let summary: RunSummary?
    let waiting: Int

    /// A sample of a metric: what comes after its name, and its value.
    private typealias Sample = (labels: String, value: String)

    var text: String {
        let metrics = traffic.metrics
        let requests = metrics.requests.sorted { ($0.key.service, $0.key.status) < ($1.key.service, $1.key.status) }
        let rejections = Rejection.allCases.filter { summary?.count($0) ?? 0 > 0 }
        let load = traffic.load()
        var text = family(
            "pushpipe_requests_total", "counter", "Requests that were answered, by service and status.",
            requests.map { (#"{service="\#($0.key.service)",status="\#($0.key.status)"}"#, "\($0.value)") })
        text += family(
            "pushpipe_outcomes_total", "counter", "Report lines by outcome.",
            Outcome.allCases.map { (#"{outcome="\#($0.name)"}"#, "\(summary?.count($0) ?? 0)") })
        text += family(
            "pushpipe_rejections_total", "counter", "Rejected messages by the provider's reason.",
            rejections.map { rejection in
                let row = rejection.row
                return (#"{provider="\#(row.speaker)",reason="\#(row.reason)"}"#, "\(summary?.count(rejection) ?? 0)")
            })
        text += family(
            "pushpipe_binary_dropped_total", "counter",
            "Notifications of the binary interface that were lost after a rejected one.", [("", "\(metrics.dropped)")])
        text += family(
            "pushpipe_request_duration_seconds", "histogram",
            "From the arrival of a complete request to its answer after the commit.", durations(metrics))
        text += gauge("pushpipe_queue_bytes", "Bytes of requests that wait for the pipeline.", load.waitingBytes)
        text += gauge("pushpipe_connections", "Open connections.", load.connections)
        text += gauge("pushpipe_api_waits", "Clients of the API that wait for messages.", waiting)
        text += gauge("pushpipe_api_streams", "Open event streams of the API.", traffic.streams)
        text += gauge("pushpipe_messages_kept", "Messages that the API can show.", traffic.log.count)
        if let bytes = Self.residentMemoryBytes {
            text += gauge("process_resident_memory_bytes", "Resident memory in bytes.", bytes)
        }
        text += family(
            "process_cpu_seconds_total", "counter", "Processor time in seconds.",
            [("", "\(Double(SystemClock.processNanoseconds()) / 1e9)")])
        return text
    }

    /// Nil if the system does not say. Source: proc_pid_status(5).
    private static var residentMemoryBytes: Int? {
        guard let bytes = try? FileBytes.read("/proc/self/status", limit: 64 << 10) else { return nil }
        let line = bytes.split(separator: UInt8(ascii: "\n")).first { $0.starts(with: Array("VmRSS:".utf8)) }
        let number = line.map { String(decoding: $0, as: UTF8.self) }?.split(whereSeparator: { " \t".contains($0) })
            .dropFirst().first
        return number.flatMap { Int($0) }.map { $0 * 1024 }
    }

    private func durations(_ metrics: GatewayMetrics) -> [Sample] {
        var count: UInt64 = 0
        var samples: [Sample] = []
        for (bound, bucket) in zip(GatewayMetrics.bounds.map { "\($0.text)" } + ["+Inf"], metrics.durations) {
            count += bucket
            samples.append((#"_bucket{le="\#(bound)"}"#, "\(count)"))
        }
        return samples + [("_sum", "\(metrics.totalSeconds)"), ("_count", "\(count)")]
    }

    private func gauge(_ name: String, _ help: String, _ value: Int) -> String {
        family(name, "gauge", help, [("", "\(value)")])
    }

    /// No label's value has anything to escape.
    private func family(_ name: String, _ type: String, _ help: String, _ samples: [Sample]) -> String {
        "# HELP \(name) \(help)\n# TYPE \(name) \(type)\n"
            + samples.map { "\(name)\($0.labels) \($0.value)\n" }.joined()
    }
}

/// The contents of recently shown notifications, also of those that are gone: a journal has only their names.
struct ContentHistory {
    struct Key: Hashable {
        /// The number of the notification's record.
        var seq: UInt64
        var device: String
        var identifier: String
    }

    /// How many there are at most.
    private let maximumCount: Int
    /// How much their texts take at most, in bytes.
    private let maximumBytes: Int
    private var contents: [Key: ShownContent] = [:]
    /// The keys of the contents, oldest first.
    private var keys: Deque<Key> = []
    private var bytes = 0

    init(maximumCount: Int = 50_000, maximumBytes: Int = 32 << 20) {
        self.maximumCount = maximumCount
        self.maximumBytes = maximumBytes
    }

    /// Nil if it is not known, or no longer.
    subscript(_ key: Key) -> ShownContent? { contents[key] }

    /// Takes a report line; one about something that is not shown changes nothing.
    mutating func add(_ report: borrowing RecordReport) {
        switch report.outcome {
        case .delivered, .replaced, .reposted: break
        default: return
        }
        guard let identifier = report.identifier else { return }
        let key = Key(
            seq: report.note?.original ?? report.seq, device: report.message.device.string, identifier: identifier)
        let content = ShownContent(report.message.content)
        bytes += Self.memory(key, content)
        if let old = contents.updateValue(content, forKey: key) {
            bytes -= Self.memory(key, old)
        } else {
            keys.append(key)
        }
        while keys.count > maximumCount || (bytes > maximumBytes && keys.count > 1) {
            let oldest = keys.removeFirst()
            if let old = contents.removeValue(forKey: oldest) { bytes -= Self.memory(oldest, old) }
        }
    }

    private static func memory(_ key: Key, _ content: ShownContent) -> Int {
        256 + key.device.utf8.count + key.identifier.utf8.count + count(content.title) + count(content.subtitle)
            + count(content.body) + count(content.thread)
    }

    private static func count(_ text: String?) -> Int { text?.utf8.count ?? 0 }
}
