import PushJSON
import PushServices
import PushSystem

/// Whatever a sender posts to a gateway is answered with a status and a body that is what its header says. Expo's service has a ticket for each
/// message and token, and a receipt for each ticket.
enum GatewayCheck {
    /// Requests after which the gateway forgets what it has shown.
    private static let most = 64

    /// Where the bodies go; most of all to Expo's service, whose answers are checked further.
    private static let paths = [
        "/--/api/v2/push/send", "/--/api/v2/push/send", "/--/api/v2/push/getReceipts", "/v1/projects/p/messages:send",
        "/fcm/send", "/gcm/notification", "/iid/v1:batchAdd", "/iid/v1:batchImport", "/v1/message/apns",
        "/v1/message/fcm", "/api/v2/push", "/api/v2/tokens", "/api/v1/records", "/api/v1/lint", "/api/v1/faults",
        "/3/device/ab12", "/4/broadcasts/apps/a", "/token",
    ]

    /// The first byte selects the path.
    @Sendable static func make() -> FuzzTarget.Check {
        let gateway = CapturedSession()
        var count = 0
        return { bytes in
            guard let input = FuzzInput(bytes) else { return nil }
            let path = paths[Int(input.options.0) % paths.count]
            do {
                let answer = try gateway.answer("POST", path, Array(input.text))
                if let trouble = trouble(with: answer) { return "\(path): \(trouble)" }
                if path.hasSuffix("/push/send"), let trouble = try tickets(answer, input.text, gateway) {
                    return trouble
                }
                count += 1
                if count.isMultiple(of: most) { _ = try gateway.answer("POST", "/api/v1/reset", []) }
                return nil
            } catch {
                return "\(path): a request ends the gateway: \(error)"
            }
        }
    }

    private static func trouble(with answer: GatewayAnswer) -> String? {
        guard (200..<600).contains(answer.status) else { return "status \(answer.status)" }
        let type = answer.headers.first { $0.name == "content-type" }?.value ?? ""
        // A list of them may be a value per line.
        guard type.hasPrefix("application/json"), !answer.body.isEmpty else { return nil }
        return answer.body.withUnsafeBytes(isJSON) ? nil : "an answer that is not JSON: \(readable(answer.body))"
    }

    private static func tickets(
        _ answer: GatewayAnswer, _ body: UnsafeRawBufferPointer, _ gateway: CapturedSession
    ) throws -> String? {
        guard answer.status == 200 else { return nil }
        let expected = body.withCopy { $0.withJSON { tokens($0) } } ?? 0
        var ids: [String] = []
        let count = answer.body.withUnsafeBytes { bytes in
            bytes.withJSON { root -> Int in
                guard let data = root["data"] else { return -1 }
                let tickets = data.kind == .array ? Array(data.elements) : [data]
                ids = tickets.compactMap { $0["id"]?.string?.string }
                return tickets.count
            }
        }
        guard let count, count == max(expected, 1) else { return "\(count ?? -1) tickets for \(expected) tokens" }
        let list = ids.map { "\"\($0)\"" }.joined(separator: ",")
        let receipts = try gateway.answer("POST", "/--/api/v2/push/getReceipts", Array("{\"ids\":[\(list)]}".utf8))
        let known = receipts.body.withUnsafeBytes { bytes in
            bytes.withJSON { root in ids.allSatisfy { root["data"]?[pointer: "/\($0)/status"] != nil } }
        }
        return known == true || ids.isEmpty || ids.count > 1000 ? nil : "a ticket has no receipt"
    }

    private static func tokens(_ root: JSONView) -> Int {
        (root.kind == .array ? Array(root.elements) : [root]).reduce(0) { sum, message in
            guard let to = message["to"], to.kind == .array else { return sum + 1 }
            return sum + Array(to.elements).count
        }
    }
}

extension UnsafeRawBufferPointer {
    /// Passes the value of the text to `read`; nil if it is not JSON.
    fileprivate func withJSON<Result>(_ read: (JSONView) -> Result) -> Result? {
        guard let start = baseAddress else { return nil }
        return BorrowedText(start: start.assumingMemoryBound(to: UInt8.self), count: count).withJSON(read)
    }
}

/// A gateway without a network: it has the session, and requests are passed to that.
private final class CapturedSession {
    private final class Network: ListeningGateway, @unchecked Sendable {
        var session: GatewaySession?
        let ports = GatewayPorts(.standard)
        var authorityPath: String? { nil }
        var wakeUp: FileDescriptor { .standardError }

        func run(_ session: GatewaySession, isStopped: () -> Bool, flush: () throws -> Void) throws {
            self.session = session
        }

        func webhook(to address: WebhookAddress) -> MessageHook { fatalError("no webhook is asked for") }
        func shutDown() {}
    }

    private let network = Network()

    init() {
        var options = GatewayOptions()
        options.ignoresTokens = true
        do {
            try InProcessGateway(options, rejectsUnknownDevices: false, over: network).run { _ in }
        } catch { fatalError("the gateway does not start: \(error)") }
    }

    func answer(_ method: String, _ path: String, _ body: [UInt8]) throws -> GatewayAnswer {
        let headers = [
            HeaderField("content-type", "application/json"), HeaderField("apns-topic", "a"),
            HeaderField("host", "localhost:\(network.ports.main.port)"),
        ]
        let request = GatewayRequest(method: method, path: path, headers: headers, body: body)
        guard let session = network.session else { return GatewayAnswer(status: 0) }
        var answers = try session.advance(adding: [request])
        while answers.isEmpty, session.isBusy { answers = try session.advance(adding: []) }
        guard case .now(let answer)? = answers.first?.answer else { return GatewayAnswer(status: 0) }
        return answer
    }
}
