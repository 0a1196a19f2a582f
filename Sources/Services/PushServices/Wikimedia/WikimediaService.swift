import PushJSON
import PushModel
import PushPipeline
import PushSystem

/// Wikimedia's push service: `POST /v1/message/apns` and `POST /v1/message/fcm`. It answers at once, and sends later, from a queue.
///
/// Source: mediawiki-services-push-notifications, `src/routes/v1.ts`, `src/services/queueing.ts`. How it answers a request that is not
/// valid is not confirmed.
final class WikimediaService: GatewayService {
    /// Messages that are sent together: those with the same provider, topic and dry run. There is one type of message.
    private struct Batch: Hashable {
        var topic: String?
        var isDryRun: Bool
    }

    private struct Queue {
        var tokens: [String] = []
        var bytes = 0
        /// Monotonic seconds.
        var due: Double
    }

    /// Source: as above, `src/outgoing/shared/Message.ts`.
    private static let mostTokensOfBatch = 500
    /// The bytes of tokens with which a batch is full, so that it remains a record that can be read.
    private static let bytesOfBatch = 256 << 10  // 256 KiB
    /// Bytes of all tokens that wait; more are sent at once.
    private static let mostBytes = 8 << 20  // 8 MiB

    /// The longest time that a message waits, in seconds.
    private let delay: Double
    /// The batches in the order of their first messages.
    private var order: [Batch] = []
    private var queues: [Batch: Queue] = [:]
    private var bytes = 0
    /// Monotonic seconds; tests replace it.
    var seconds: () -> Double = SystemClock.monotonicSeconds

    /// - Parameter delay: seconds that a message waits at most; how long is left to chance. 0 sends at once.
    init(delay: Double = 0) { self.delay = delay }

    private struct Request {
        var tokens: [String]
        var batch: Batch
    }

    override func plan(_ request: GatewayRequest, _ records: inout RecordComposer) -> RequestPlan? {
        let path = RequestTarget(request.path).segments
        guard path.starts(with: ["v1", "message"]) else { return nil }
        guard path.count == 3, path[2] == "apns" || path[2] == "fcm" else {
            return .answer(Self.error(404, "not_found", "Not found.", request))
        }
        guard request.method == "POST" else {
            return .answer(Self.error(405, "method_not_allowed", "Method not allowed.", request))
        }
        switch read(request, isForAPNs: path[2] == "apns") {
        case .failure(let error): return .answer(Self.error(400, "bad_request", error.message, request))
        case .success(let read):
            guard delay > 0 else {
                append(read.tokens, read.batch, &records)
                return .report(Accepted())
            }
            enqueue(read, &records)
            return .answer(Accepted().answer())
        }
    }

    /// Reads a message, or says what is wrong with it.
    private func read(_ request: GatewayRequest, isForAPNs: Bool) -> Result<Request, PlainError> {
        request.body.withObject { root -> Result<Request, PlainError> in
            guard root[string: "messageType"] == "checkEchoV1" else {
                return .failure(PlainError("messageType must be checkEchoV1."))
            }
            guard let list = root["deviceTokens"], list.kind == .array, list.elements.allSatisfy(\.isString) else {
                return .failure(PlainError("deviceTokens must be an array of strings."))
            }
            let topic = root[string: "topic"]
            guard !isForAPNs || topic?.isEmpty == false else {
                return .failure(PlainError("topic is required for apns."))
            }
            let batch = Batch(topic: isForAPNs ? topic : nil, isDryRun: root["dryRun"]?.kind == .true)
            return .success(Request(tokens: list.elements.compactMap { $0.string?.string }, batch: batch))
        } ?? .failure(PlainError("The body must be a JSON object."))
    }

    // MARK: - Queue

    private func enqueue(_ request: Request, _ records: inout RecordComposer) {
        guard !request.tokens.isEmpty else { return }
        let size = request.tokens.reduce(256) { $0 + $1.utf8.count + 32 } + (request.batch.topic?.utf8.count ?? 0)
        if bytes + size > Self.mostBytes { takeDue(now: .infinity, &records) }
        if queues[request.batch] == nil {
            order.append(request.batch)
            queues[request.batch] = Queue(due: seconds() + Double.random(in: 0...delay))
        }
        queues[request.batch]?.tokens += request.tokens
        queues[request.batch]?.bytes += size
        bytes += size
    }

    override var nextDue: Double? { queues.values.lazy.map(\.due).min() }

    override func takeDue(now: Double, _ records: inout RecordComposer) {
        let due = order.filter { (queues[$0]?.due ?? 0) <= now }
        for batch in due {
            guard let queue = queues.removeValue(forKey: batch) else { continue }
            bytes -= queue.bytes
            append(queue.tokens, batch, &records)
        }
        order.removeAll { queues[$0] == nil }
    }

    /// Appends records of at most as many tokens as are sent together.
    private func append(_ tokens: [String], _ batch: Batch, _ records: inout RecordComposer) {
        var rest = tokens[...]
        while !rest.isEmpty {
            var count = 0
            var size = 0
            for token in rest.prefix(Self.mostTokensOfBatch) where count == 0 || size < Self.bytesOfBatch {
                count += 1
                size += token.utf8.count
            }
            let message: JSONText = #"""
                {"messageType":"checkEchoV1","deviceTokens":\#(rest.prefix(count))\#(member: "topic", batch.topic)\#
                \#(member: "dryRun", batch.isDryRun ? true : nil)}
                """#
            records.append(message.bytes, to: .wikimedia)
            rest = rest.dropFirst(count)
        }
    }

    // MARK: - Answers

    /// The outcomes of the messages are not reported.
    private struct Accepted: AnswerDraft {
        mutating func add(_ line: borrowing RecordReport, record: Int) {}
        func answer() -> GatewayAnswer { GatewayAnswer(status: 200, json: "{}") }
    }

    /// An error in the form of Wikimedia's services in Node.
    private static func error(
        _ status: Int, _ type: String, _ words: String, _ request: GatewayRequest
    ) -> GatewayAnswer {
        GatewayAnswer(
            status: status,
            json: #"""
                {"status":\#(status),"type":\#(type),"detail":\#(words),"method":\#(request.method),\#
                "uri":\#(request.path)}
                """#)
    }
}
