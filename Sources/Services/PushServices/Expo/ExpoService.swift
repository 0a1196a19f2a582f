import DequeModule
import PushFaults
import PushJSON
import PushModel
import PushPipeline
import PushSystem

/// Expo's push service: `POST /--/api/v2/push/send` and `POST /--/api/v2/push/getReceipts`.
///
/// Source: Expo, "Send notifications with Expo's Push API". How it answers a request that is not valid JSON, or too large, is UNCONFIRMED.
final class ExpoService: GatewayService {
    override var speaker: String? { "expo" }
    /// The token that requests must have; nil to take every request.
    private let accessToken: String?
    private let receipts = ExpoReceipts()
    /// Ids that a request for receipts may have.
    private static let mostIDs = 1000
    /// Those of a fault rule that are not about messages.
    private static let refusalsOfReceipts: [Rejection] = [
        .expoTooManyRequests, .expoUnauthorized, .expoInternalServerError, .expoServiceUnavailable,
    ]

    init(accessToken: String? = nil) { self.accessToken = accessToken }

    override func plan(_ request: GatewayRequest, _ records: inout RecordComposer) -> RequestPlan? {
        guard request.path.hasPrefix("/--/") else { return nil }
        switch (request.method, RequestTarget(request.path).segments) {
        case ("POST", ["--", "api", "v2", "push", "send"]): return send(request, &records)
        case ("POST", ["--", "api", "v2", "push", "getReceipts"]): return .answer(answerReceipts(request))
        default: return .answer(ExpoAnswer.error(404, "NOT_FOUND", "Not found."))
        }
    }

    private func isDenied(_ request: GatewayRequest) -> Bool {
        accessToken != nil && request.bearerToken != accessToken
    }

    // MARK: - Messages

    private func send(_ request: GatewayRequest, _ records: inout RecordComposer) -> RequestPlan {
        if request.isTooLarge { return .answer(ExpoAnswer.tooLarge) }
        let refusal = request.fault?.refusal(by: "expo") ?? (isDenied(request) ? .expoUnauthorized : nil)
        // Refused, or the object of one token: a ticket, and not a list.
        let read = request.body.withJSON { root in
            (isSingle: root["to"]?.isString ?? false, isValid: root.isObject || root.kind == .array)
        }
        guard refusal != nil || read?.isValid == true else { return .answer(ExpoAnswer.invalid) }
        records.append(request.body, to: .expo, refusal: refusal)
        return .report(
            ExpoTickets(
                isSingle: read?.isSingle ?? false, refusesTokens: refusal == .expoDeviceNotRegistered,
                receipts: receipts, now: pipeline?.now ?? SystemClock.wallMilliseconds()
            ) { request.body.withJSON(Self.tokens) ?? [] })
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
        let ids = request.body.withObject { root -> [String]? in
            guard let list = root["ids"], list.kind == .array, list.elements.allSatisfy(\.isString) else { return nil }
            return list.elements.compactMap { $0.string?.string }
        }
        guard let ids else { return ExpoAnswer.error(400, "VALIDATION_ERROR", "The request has no list of ids.") }
        guard ids.count <= Self.mostIDs else {
            return ExpoAnswer.error(
                400, "PUSH_TOO_MANY_RECEIPTS", "The request has \(ids.count) ids; \(Self.mostIDs) are allowed.")
        }
        receipts.clear(at: pipeline?.now ?? SystemClock.wallMilliseconds())
        var known: Set<String> = []
        let found = ids.filter { known.insert($0).inserted }.compactMap { id in
            receipts[id].map { "\(id):\($0.json)" as JSONText }
        }
        return GatewayAnswer(status: 200, json: #"{"data":\#(object: found)}"#)
    }
}

/// Answers that concern a whole request: `{"errors":[{"code":…,"message":…}]}`.
enum ExpoAnswer {
    static func error(_ status: Int, _ code: String, _ message: String) -> GatewayAnswer {
        GatewayAnswer(status: status, json: #"{"errors":[{"code":\#(code),"message":\#(message)}]}"#)
    }

    static func error(_ rejection: Rejection, _ words: String? = nil) -> GatewayAnswer {
        error(rejection.row.status, rejection.reason, words ?? rejection.row.cause.description)
    }

    static let tooLarge = error(413, "PAYLOAD_TOO_LARGE", "The request is too large.")
    static let invalid = error(400, "VALIDATION_ERROR", "The request is not a message, or a list of messages.")
}

/// How Expo answers a request with messages: a ticket for each message and token, in their order.
///
///     {"data":[{"status":"ok","id":"0f8f…"},{"status":"error","message":"…","details":{"error":"DeviceNotRegistered","expoPushToken":"…"}}]}
///
/// Source: Expo, "Send notifications with Expo's Push API".
struct ExpoTickets: AnswerDraft {
    /// True for one message to one token, whose ticket is an object and not in a list.
    private let isSingle: Bool
    private let receipts: ExpoReceipts
    /// Emulated milliseconds since the epoch.
    private let now: Int64
    /// True if the messages are all refused for their tokens.
    private let refusesTokens: Bool
    /// The tokens of the request as its sender wrote them, which report lines may have redacted. Called when one is needed.
    private let readTokens: () -> [String]
    private var sentTokens: [String]?
    private var tickets: [JSONText] = []
    private var whole: GatewayAnswer?

    init(
        isSingle: Bool, refusesTokens: Bool, receipts: ExpoReceipts, now: Int64, tokens: @escaping () -> [String]
    ) {
        self.isSingle = isSingle
        self.refusesTokens = refusesTokens
        readTokens = tokens
        self.receipts = receipts
        self.now = now
    }

    mutating func add(_ line: borrowing RecordReport, record: Int) {
        if line.decodeFailure != nil {
            whole = ExpoAnswer.invalid
            return
        }
        guard let rejection = line.refusal else { return add(.accepted) }
        // A record that is refused has one message, whatever the request has.
        if refusesTokens {
            tickets = readTokens().map { ExpoReceipt(rejection, token: $0, isTooBig: false).ticket(for: $0) }
            if !tickets.isEmpty { return }
        }
        // A refusal of the whole request is one for each of its messages.
        if rejection.row.speaker.description == "expo", rejection.row.status != 200 {
            whole = whole ?? ExpoAnswer.error(rejection, line.findings.first { $0.rule == rejection.rule }?.message)
            return
        }
        let receipt = ExpoReceipt(rejection, token: "", isTooBig: line.message.isTooBig)
        guard receipt.isNotRegistered else { return add(receipt) }
        let tokens = sentTokens ?? readTokens()
        sentTokens = tokens
        // Each message before has a ticket.
        let token = tickets.count < tokens.count ? tokens[tickets.count] : line.device
        tickets.append(ExpoReceipt(rejection, token: token, isTooBig: line.message.isTooBig).ticket(for: token))
    }

    /// The receipt has the answer of APNs or FCM; the ticket says that Expo has taken the message.
    private mutating func add(_ receipt: ExpoReceipt) {
        let id = RandomUUID.text()
        receipts.add(receipt, as: id, at: now)
        tickets.append(#"{"status":"ok","id":\#(id)}"#)
    }

    func answer() -> GatewayAnswer {
        if let whole { return whole }
        guard !tickets.isEmpty else { return ExpoAnswer.error(.expoInternalServerError) }
        return GatewayAnswer(status: 200, json: isSingle ? #"{"data":\#(tickets[0])}"# : #"{"data":\#(tickets)}"#)
    }
}

/// The fate of a notification at APNs or FCM, in the words of Expo.
struct ExpoReceipt: Equatable {
    /// Expo's word; nil if the provider has accepted the notification.
    var code: String?
    var message = ""
    /// The provider's own answer; nil if it has accepted the notification.
    var rejection: Rejection?

    static let accepted = ExpoReceipt()

    /// The ticket about a token that is not registered. It has the token, by which senders delete it, and no answer of APNs or FCM, which Expo's
    /// SDK for Go does not read in a ticket. Sources: expo-server-sdk-node issue 74, expo issue 7795.
    func ticket(for token: String) -> JSONText {
        #"{"status":"error","message":\#(message),"details":{"error":\#(code ?? ""),"expoPushToken":\#(token)}}"#
    }

    /// The receipt.
    var json: JSONText {
        guard let code else { return #"{"status":"ok"}"# }
        // The form of `apns` is that in the tests of Expo's SDKs, and that of `fcm` is UNCONFIRMED.
        let details: JSONText =
            switch rejection?.row.speaker.description {
            case "apns"?: #","apns":{"reason":\#(rejection?.reason ?? ""),"statusCode":\#(rejection?.status ?? 0)}"#
            case "fcm"?: #","fcm":{"error":\#(rejection?.reason ?? "")}"#
            default: ""
            }
        return #"{"status":"error","message":\#(message),"details":{"error":\#(code)\#(details)}}"#
    }

    private init() {}

    /// - Parameters:
    ///   - rejection: of APNs, FCM or Expo.
    ///   - token: Expo's token, for the message.
    init(_ rejection: Rejection, token: String, isTooBig: Bool) {
        self.rejection = rejection.row.speaker.description == "expo" ? nil : rejection
        code = rejection.wordOfExpo(isTooBig: isTooBig) ?? rejection.reason
        message =
            isNotRegistered
            ? "\"\(token)\" is not a registered push notification recipient"
            : "\(rejection.reason): \(rejection.row.cause)"
    }

    /// True for what a ticket says, and no receipt.
    var isNotRegistered: Bool { code == Rejection.expoNotRegistered }
}

/// The receipts of the last 24 hours of the emulated clock, the newest ones.
final class ExpoReceipts {
    /// Source: Expo, "Send notifications with Expo's Push API": they are cleared after 24 hours.
    private static let lifetime: Int64 = 86_400_000  // milliseconds
    /// Some 30 MB. Clients that ask for none would fill the memory.
    private static let most = 100_000

    private var byID: [String: ExpoReceipt] = [:]
    /// The receipts in the order of their times.
    private var order: Deque<(id: String, at: Int64)> = []

    /// Keeps a receipt.
    ///
    /// - Parameter at: milliseconds since the epoch.
    func add(_ receipt: ExpoReceipt, as id: String, at: Int64) {
        clear(at: at)
        byID[id] = receipt
        order.append((id, at))
        if byID.count > Self.most { byID[order.removeFirst().id] = nil }
    }

    subscript(_ id: String) -> ExpoReceipt? { byID[id] }

    func clear(at now: Int64) {
        while let first = order.first, now &- first.at >= Self.lifetime { byID[order.removeFirst().id] = nil }
    }
}
