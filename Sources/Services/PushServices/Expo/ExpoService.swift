import PayloadJSON
import PushFaults
import PushModel
import PushPipeline
import PushSystem

/// Expo's push service: `POST /--/api/v2/push/send` and `POST /--/api/v2/push/getReceipts`.
///
/// Source: Expo, "Send notifications with Expo's Push API". How it answers a request that is not valid JSON, or too large, is UNCONFIRMED.
final class ExpoService: GatewayService {
    let speaker: String? = "expo"
    /// The token that requests must have; nil to take every request.
    private let accessToken: String?
    private let receipts = ExpoReceipts()
    private var pipeline: Pipeline?
    /// Ids that a request for receipts may have.
    private static let mostIDs = 1000
    /// Those of a fault rule that are not about messages.
    private static let refusalsOfReceipts: [Rejection] = [
        .expoTooManyRequests, .expoUnauthorized, .expoInternalServerError, .expoServiceUnavailable,
    ]

    /// - Parameter accessToken: the token that requests must have; nil to take every request.
    init(accessToken: String? = nil) { self.accessToken = accessToken }

    func begin(_ pipeline: Pipeline) { self.pipeline = pipeline }

    func plan(_ request: GatewayRequest, _ records: inout RecordComposer) -> RequestPlan? {
        guard request.path.hasPrefix("/--/") else { return nil }
        let path = RequestTarget(request.path).segments
        guard path.count == 5, path.starts(with: ["--", "api", "v2", "push"]), request.method == "POST" else {
            return .answer(ExpoAnswer.error(404, "NOT_FOUND", "Not found."))
        }
        switch path[4] {
        case "send": return send(request, &records)
        case "getReceipts": return .answer(answerReceipts(request))
        default: return .answer(ExpoAnswer.error(404, "NOT_FOUND", "Not found."))
        }
    }

    private func isDenied(_ request: GatewayRequest) -> Bool {
        guard let accessToken else { return false }
        let words = request.header("authorization")?.split(separator: " ", maxSplits: 1) ?? []
        return words.count != 2 || words[0].lowercased() != "bearer" || words[1] != accessToken
    }

    // MARK: - Messages

    private func send(_ request: GatewayRequest, _ records: inout RecordComposer) -> RequestPlan {
        if request.isTooLarge { return .answer(ExpoAnswer.tooLarge) }
        let refusal = request.fault?.refusal(by: "expo") ?? (isDenied(request) ? .expoUnauthorized : nil)
        // Refused, or the object of one token: a ticket, and not a list.
        let isSingle = request.withJSON { $0?["to"]?.isString ?? false }
        if refusal == nil, request.withJSON({ !($0.map { $0.isObject || $0.kind == .array } ?? false) }) {
            return .answer(ExpoAnswer.invalid)
        }
        records.append(request.body, to: .expo, refusal: refusal)
        return .report(
            ExpoTickets(
                isSingle: isSingle, refusesTokens: refusal == .expoDeviceNotRegistered, receipts: receipts,
                now: pipeline?.now ?? SystemClock.wallMilliseconds()
            ) { request.withJSON { $0.map(Self.tokens) ?? [] } })
    }

    /// The tokens of a request's messages.
    static func tokens(_ root: JSONView) -> [String] {
        (root.kind == .array ? Array(root.elements) : [root]).flatMap { message -> [String] in
            guard let to = message["to"] else { return [] }
            return (to.kind == .array ? Array(to.elements) : [to]).map { $0.string?.string ?? "" }
        }
    }

    // MARK: - Receipts

    private func answerReceipts(_ request: GatewayRequest) -> GatewayAnswer {
        if request.isTooLarge { return ExpoAnswer.tooLarge }
        if let refusal = request.fault?.refusal(by: "expo"), Self.refusalsOfReceipts.contains(refusal) {
            return ExpoAnswer.error(refusal)
        }
        if isDenied(request) { return ExpoAnswer.error(.expoUnauthorized) }
        let ids = request.withJSON { root -> [String]? in
            guard let list = root?["ids"], list.kind == .array else { return nil }
            let ids = list.elements.map { $0.string?.string }
            return ids.contains { $0 == nil } ? nil : ids.compactMap(\.self)
        }
        guard let ids else { return ExpoAnswer.error(400, "VALIDATION_ERROR", "The request has no list of ids.") }
        guard ids.count <= Self.mostIDs else {
            return ExpoAnswer.error(
                400, "PUSH_TOO_MANY_RECEIPTS", "The request has \(ids.count) ids; \(Self.mostIDs) are allowed.")
        }
        receipts.clear(at: pipeline?.now ?? SystemClock.wallMilliseconds())
        return GatewayAnswer(status: 200) { out in
            out.append("{\"data\":{")
            var isFirst = true
            var known: Set<String> = []
            for id in ids where known.insert(id).inserted {
                guard let receipt = receipts[id] else { continue }
                if !isFirst { out.append(",") }
                isFirst = false
                out.appendJSONString(id)
                out.append(":")
                receipt.append(to: &out)
            }
            out.append("}}")
        }
    }
}

/// Answers that concern a whole request: `{"errors":[{"code":…,"message":…}]}`.
enum ExpoAnswer {
    static func error(_ status: Int, _ code: String, _ message: String) -> GatewayAnswer {
        GatewayAnswer(status: status) { out in
            out.append("{\"errors\":[{\"code\":")
            out.appendJSONString(code)
            out.appendMember("message", message)
            out.append("}]}")
        }
    }

    static func error(_ rejection: Rejection, _ words: String? = nil) -> GatewayAnswer {
        error(rejection.row.status, rejection.reason, words ?? rejection.row.cause.description)
    }

    static let tooLarge = error(413, "PAYLOAD_TOO_LARGE", "The request is too large.")
    static let invalid = error(400, "VALIDATION_ERROR", "The request is not a message, or a list of messages.")
}
