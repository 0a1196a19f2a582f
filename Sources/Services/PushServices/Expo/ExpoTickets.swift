import PayloadJSON
import PushModel
import PushPipeline
import PushSystem

/// How Expo answers a request with messages: a ticket for each message and token, in their order.
///
///     {"data":[{"status":"ok","id":"0f8f…"},{"status":"error","message":"…","details":{"error":"DeviceNotRegistered"}}]}
///
/// Source: Expo, "Send notifications with Expo's Push API".
struct ExpoTickets: AnswerDraft {
    private enum Ticket {
        case ok(id: String)
        case error(ExpoReceipt)
    }

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
    private var tickets: [Ticket] = []
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
            tickets = readTokens().map { .error(ExpoReceipt(rejection, token: $0, isTooBig: false)) }
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
        tickets.append(.error(ExpoReceipt(rejection, token: token, isTooBig: line.message.isTooBig)))
    }

    /// The receipt has the answer of APNs or FCM; the ticket says that Expo has taken the message.
    private mutating func add(_ receipt: ExpoReceipt) {
        let id = RandomUUID.text()
        receipts.add(receipt, as: id, at: now)
        tickets.append(.ok(id: id))
    }

    func answer() -> GatewayAnswer {
        if let whole { return whole }
        guard !tickets.isEmpty else { return ExpoAnswer.error(.expoInternalServerError) }
        return GatewayAnswer(status: 200) { out in
            out.append("{\"data\":")
            if isSingle, let ticket = tickets.first {
                Self.append(ticket, to: &out)
            } else {
                out.appendArray(tickets) { Self.append($0, to: &$1) }
            }
            out.append("}")
        }
    }

    private static func append(_ ticket: Ticket, to out: inout ByteBuffer) {
        switch ticket {
        case .ok(let id):
            out.append("{\"status\":\"ok\",\"id\":")
            out.appendJSONString(id)
            out.append("}")
        case .error(let receipt): receipt.append(to: &out)
        }
    }
}
