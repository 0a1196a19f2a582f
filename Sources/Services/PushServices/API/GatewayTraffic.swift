import PayloadJSON
import PushPipeline
import PushSystem

/// The gateway's traffic: the messages for its API, and the counts for its metrics. Used on the pipeline's thread.
package final class GatewayTraffic {
    private(set) var log: MessageLog
    private(set) var metrics = GatewayMetrics()
    /// True if only what the report says may be shown.
    let isRedacted: Bool
    /// Bytes of the requests that wait, and the number of connections.
    package var load: () -> (waitingBytes: Int, connections: Int) = { (0, 0) }
    /// Called with each message, before its answer leaves; nil for nobody.
    var onMessage: ((LoggedMessage) -> Void)?
    private(set) var titles = MessageTitles()
    /// Recently shown notifications.
    var history = ContentHistory()
    /// Grows whenever something may have changed on a screen.
    private(set) var changes: UInt64 = 0
    /// True if the gateway takes no more connections.
    package var isStopping = false
    /// Epoch milliseconds; tests replace it.
    var wallMilliseconds: () -> Int64 = SystemClock.wallMilliseconds
    /// The report lines of each draft of the current group.
    private var reports: [Reported] = []
    private var line = ByteBuffer()

    /// The report lines about a request.
    struct Reported {
        fileprivate(set) var text: [UInt8] = []
        fileprivate(set) var isCut = false
    }

    /// 64 KiB of lines per request: a topic may have any number of subscribers.
    private static let maximumReportBytes = 64 << 10

    /// - Parameter isRedacted: true if only the report may be shown. Then requests and answers are not kept.
    init(_ log: MessageLog = MessageLog(), isRedacted: Bool = false) {
        self.log = log
        self.isRedacted = isRedacted
    }

    // MARK: - Called by the session

    /// - Parameter reported: the lines of the first draft that came before; nil for none.
    func begin(drafts: Int, continuing reported: Reported? = nil) {
        reports = Array(repeating: Reported(), count: drafts)
        if let reported, drafts > 0 { reports[0] = reported }
    }

    /// The lines of a draft so far, to be continued.
    func report(ofDraft draft: Int) -> Reported { reports[draft] }

    /// Takes a report line about any record.
    func noteShown(_ report: borrowing RecordReport) { history.add(report) }

    /// Something may have changed on a screen.
    func noteChange() { changes &+= 1 }

    /// Takes a report line about one of the requests of the group.
    func add(_ report: borrowing RecordReport, toDraft draft: Int) {
        guard reports.indices.contains(draft) else { return }
        line.removeAll()
        NDJSONReport().append(report, to: &line)
        guard reports[draft].text.count + line.count <= Self.maximumReportBytes else {
            reports[draft].isCut = true
            return
        }
        // SOUND: the bytes are copied before the buffer changes.
        unsafe reports[draft].text.append(contentsOf: line.bytes)
    }

    /// Takes a request with its answer.
    ///
    /// - Parameters:
    ///   - isLogged: true if it is a message.
    ///   - draft: its own; nil if it became no records.
    func add(
        _ request: GatewayRequest, _ answer: GatewayAnswer, service: String, isLogged: Bool, records: [UInt8],
        draft: Int?
    ) {
        metrics.count(service: service, status: answer.status)
        guard isLogged else { return }
        let reported = draft.map { reports[$0] } ?? Reported()
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
        for arrival in arrivals { observe(nanoseconds: now - arrival) }
    }

    func observe(nanoseconds: Int64) { metrics.observe(nanoseconds: nanoseconds) }

    // MARK: - Called by the API

    /// Counts a notification that is lost because one before it was refused.
    func countDropped() { metrics.dropped += 1 }

    func countAnswer(service: String, status: Int) { metrics.count(service: service, status: status) }

    /// A message's text for a person; nil if there is none, or it may not be shown.
    func title(of message: LoggedMessage) -> String? { isRedacted ? nil : titles.title(of: message, in: log) }

    /// Forgets some messages. Returns how many.
    func removeMessages(where isUnwanted: (LoggedMessage) -> Bool) -> Int {
        let count = log.remove(where: isUnwanted)
        if count > 0 { noteChange() }
        return count
    }

    /// Forgets the messages. Counts go on.
    func removeMessages() {
        log.removeAll()
        titles.removeAll()
        noteChange()
    }
}
