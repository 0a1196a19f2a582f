import Foundation
import PushFaults
import PushModel
import PushPipeline
import PushRedaction
import ServiceTestSupport
import Testing

@testable import PushServices

/// Expo, "Send notifications with Expo's Push API": tickets, receipts, request errors.
struct ExpoServiceTests {
    private static let token = "ExponentPushToken[anna]"

    private func post(_ path: String, _ body: String, headers: [(String, String)] = []) -> GatewayRequest {
        GatewayRequest(
            method: "POST", path: "/--/api/v2/push/\(path)",
            headers: headers.map { HeaderField($0.0, $0.1) } + [HeaderField("content-type", "application/json")],
            body: Array(body.utf8))
    }

    private func message(_ members: String = #""title":"Goal""#, to: String = Self.token) -> String {
        #"{"to":"\#(to)",\#(members)}"#
    }

    private func trial(
        _ service: ExpoService = ExpoService(), _ configure: (inout PipelineConfiguration) -> Void = { _ in }
    ) -> SessionTrial { SessionTrial(services: [service], configure) }

    private func code(_ answer: GatewayAnswer) -> String? {
        ((answer.object["errors"] as? [[String: Any]])?.first)?["code"] as? String
    }

    private func ticket(_ answer: GatewayAnswer) -> [String: Any] { answer.object["data"] as? [String: Any] ?? [:] }

    private func tickets(_ answer: GatewayAnswer) -> [[String: Any]] { answer.object["data"] as? [[String: Any]] ?? [] }

    private func error(_ ticket: [String: Any]) -> String? {
        (ticket["details"] as? [String: Any])?["error"] as? String
    }

    private func receipts(_ trial: SessionTrial, _ ids: [String]) throws -> [String: [String: Any]] {
        let list = ids.map { "\"\($0)\"" }.joined(separator: ",")
        let answer = try trial.answer(post("getReceipts", #"{"ids":[\#(list)]}"#))
        #expect(answer.status == 200)
        return answer.object["data"] as? [String: [String: Any]] ?? [:]
    }

    // MARK: - Tickets

    @Test func `one message to one token has a ticket that is an object`() throws {
        let trial = trial()
        let answer = try trial.answer(post("send", message()))
        #expect(answer.status == 200)
        #expect(ticket(answer)["status"] as? String == "ok")
        let id = try #require(ticket(answer)["id"] as? String)
        #expect(UUID(uuidString: id) != nil)
        #expect(trial.lines.first?.contains(#""via":"expo""#) == true)
        #expect(try receipts(trial, [id, "other"]) as? [String: [String: String]] == [id: ["status": "ok"]])
    }

    @Test func `each message and token has a ticket, in order`() throws {
        let body = #"[{"to":["ExponentPushToken[a]","cXwZ"],"title":"1"},{"to":"ExponentPushToken[c]","title":"2"}]"#
        let answer = try trial().answer(post("send", body))
        let tickets = tickets(answer)
        #expect(tickets.map { $0["status"] as? String } == ["ok", "error", "ok"])
        #expect(tickets[1]["message"] as? String == #""cXwZ" is not a registered push notification recipient"#)
        #expect(error(tickets[1]) == "DeviceNotRegistered")
        #expect(Set(tickets.compactMap { $0["id"] as? String }).count == 2)
        // A list, although it has one message.
        #expect(try self.tickets(trial().answer(post("send", "[\(message())]"))).count == 1)
        #expect(
            try self.tickets(trial().answer(post("send", #"{"to":["ExponentPushToken[a]"],"title":"x"}"#))).count == 1)
    }

    @Test(arguments: ["ios", "android"]) func `a dead device is not registered`(platform: String) throws {
        let trial = trial()
        try trial.pipeline.registerDevices(
            #"{"device":"ab54","platform":"\#(platform)","app":"org.a","expo":"\#(Self.token)","unregistered":true}"#)
        let ticket = ticket(try trial.answer(post("send", message())))
        #expect(ticket["status"] as? String == "error")
        #expect(ticket["message"] as? String == "\"\(Self.token)\" is not a registered push notification recipient")
        // expo-server-sdk-node issue 74, expo issue 7795.
        #expect(
            ticket["details"] as? [String: String] == ["error": "DeviceNotRegistered", "expoPushToken": Self.token])
    }

    // MARK: - Receipts

    @Test func `what the provider says is in the receipt`() throws {
        let trial = trial()
        let long = message(#""body":"\#(String(repeating: "x", count: 4096))""#)
        let ticket = ticket(try trial.answer(post("send", long)))
        #expect(ticket["status"] as? String == "ok")
        let id = try #require(ticket["id"] as? String)
        let receipt = try #require(try receipts(trial, [id])[id])
        #expect(receipt["status"] as? String == "error")
        #expect(error(receipt) == "MessageTooBig")
        let details = receipt["details"] as? [String: Any]
        let apns = details?["apns"] as? [String: Any]
        #expect(apns?["reason"] as? String == "PayloadTooLarge")
        #expect(apns?["statusCode"] as? Int == 413)
    }

    /// Redaction hides a token from reports and stores, not from the sender that wrote it.
    @Test func `a ticket names its token as it was sent, also where tokens are redacted`() throws {
        let trial = trial {
            $0.recordStages.append(RedactionStage(Redaction(.all, key: [1])))
            $0.devicePolicy.rejectsUnknownDevices = true
        }
        let answer = try trial.answer(post("send", #"{"to":["ExponentPushToken[a]","ExpoPushToken[b]"],"title":"x"}"#))
        let words = tickets(answer).compactMap { $0["message"] as? String }
        #expect(
            words == [
                #""ExponentPushToken[a]" is not a registered push notification recipient"#,
                #""ExpoPushToken[b]" is not a registered push notification recipient"#,
            ])
        #expect(!trial.lines.joined().contains("PushToken["))
    }

    @Test func `receipts are cleared after 24 hours of the emulated clock`() {
        let receipts = ExpoReceipts()
        receipts.add(.accepted, as: "a", at: 1000)
        receipts.clear(at: 1000 + 86_399_999)
        #expect(receipts["a"] == .accepted)
        receipts.clear(at: 1000 + 86_400_000)
        #expect(receipts["a"] == nil)
    }

    // MARK: - Errors of requests

    @Test func `a request has at most 100 notifications`() throws {
        func body(_ count: Int) -> String {
            "[" + (0..<count).map { message(to: "ExponentPushToken[\($0)]") }.joined(separator: ",") + "]"
        }
        #expect(try tickets(trial().answer(post("send", body(100)))).count == 100)
        let answer = try trial().answer(post("send", body(101)))
        #expect(answer.status == 400)
        #expect(code(answer) == "PUSH_TOO_MANY_NOTIFICATIONS")
    }

    @Test func `a request has at most 1000 ids`() throws {
        func body(_ count: Int) -> String { #"{"ids":[\#((0..<count).map { "\"\($0)\"" }.joined(separator: ","))]}"# }
        #expect(try trial().answer(post("getReceipts", body(1000))).text == #"{"data":{}}"#)
        let answer = try trial().answer(post("getReceipts", body(1001)))
        #expect(answer.status == 400)
        #expect(code(answer) == "PUSH_TOO_MANY_RECEIPTS")
    }

    @Test(arguments: ["", "{", "5", "{}", #"[{"title":"x"}]"#])
    func `what is no message is 400`(body: String) throws {
        #expect(try trial().answer(post("send", body)).status == 400)
    }

    @Test func `with an access token only those who have it may send`() throws {
        let trial = trial(ExpoService(accessToken: "secret"))
        for headers in [[], [("authorization", "Bearer other")], [("authorization", "secret")]] {
            for (path, body) in [("send", message()), ("getReceipts", #"{"ids":[]}"#)] {
                let answer = try trial.answer(post(path, body, headers: headers))
                #expect(answer.status == 401)
                #expect(code(answer) == "UNAUTHORIZED")
            }
        }
        let headers = [("authorization", "Bearer secret")]
        #expect(try trial.answer(post("send", message(), headers: headers)).status == 200)
        #expect(trial.lines.count(where: { $0.contains(#""reason":"UNAUTHORIZED""#) }) == 3)
    }

    @Test func `other paths are not found`() throws {
        #expect(try trial().answer(post("other", "{}")).status == 404)
        let get = GatewayRequest(method: "GET", path: "/--/api/v2/push/send")
        #expect(try trial().answer(get).status == 404)
    }

    // MARK: - Bodies and faults

    @Test(arguments: ["gzip", "x-gzip", "GZIP"]) func `a body may be compressed`(coding: String) throws {
        let trial = trial()
        var request = post("send", "", headers: [("content-encoding", coding)])
        request.body = Array(Data(base64Encoded: GzipBodyTests.short[0]) ?? Data())
        let answer = try trial.answer(request)
        #expect(ticket(answer)["status"] as? String == "ok")
        #expect(trial.lines.first?.contains(#""device":"ExponentPushToken[a]""#) == true)
    }

    @Test(arguments: [
        ("TOO_MANY_REQUESTS", 429, "TOO_MANY_REQUESTS"), ("TooManyRequests", 429, "TOO_MANY_REQUESTS"),
        ("PUSH_TOO_MANY_EXPERIENCE_IDS", 400, "PUSH_TOO_MANY_EXPERIENCE_IDS"),
        // What a rule with the status alone has for a reason.
        ("InternalServerError", 500, "INTERNAL_SERVER_ERROR"), ("ServiceUnavailable", 503, "SERVICE_UNAVAILABLE"),
    ])
    func `a fault rule gives an error of the request`(reason: String, status: Int, code: String) throws {
        let trial = trial()
        var request = post("send", message())
        request.fault = FaultEffect()
        request.fault?.reason = reason
        let answer = try trial.answer(request)
        #expect(answer.status == status)
        #expect(self.code(answer) == code)
        #expect(trial.pipeline.summary.count(.delivered) == 0)
        request.path = "/--/api/v2/push/getReceipts"
        request.body = Array(#"{"ids":[]}"#.utf8)
        // A request for receipts has no messages.
        #expect(try trial.answer(request).status == (code == "PUSH_TOO_MANY_EXPERIENCE_IDS" ? 200 : status))
    }

    /// 512 KiB of text are read. Two members of zeros, as gzip makes them, have more.
    @Test func `a compressed text that is too long is too large`() throws {
        var request = post("send", "", headers: [("content-encoding", "gzip")])
        let member = GzipBodyTests.stored([UInt8](repeating: 0x20, count: 60_000))
        request.body = Array(repeatElement(member, count: 9).joined())
        let answer = try trial().answer(request)
        #expect(answer.status == 413)
        #expect(code(answer) == "PAYLOAD_TOO_LARGE")
    }

    @Test(arguments: ["{}", #"{"ids":"x"}"#, "["])
    func `a request for receipts has a list of ids`(body: String) throws {
        let answer = try trial().answer(post("getReceipts", body))
        #expect(answer.status == 400)
        #expect(answer.text.contains("ids"))
    }

    /// `status` is that of HTTP; the body keeps the reason's.
    @Test func `a fault rule with a status of HTTP keeps the tickets`() throws {
        let trial = trial()
        trial.session.faults.rules = FaultRules(try FaultFile.rules(Array("[{status: 410}]".utf8)))
        let answer = try trial.answer(post("send", message()))
        #expect(answer.status == 410)
        #expect(error(ticket(answer)) == "DeviceNotRegistered")
        #expect(try trial.answer(post("getReceipts", #"{"ids":[]}"#)).text == #"{"data":{}}"#)
    }

    /// A request of several messages or tokens is one push, which matches if one of its tokens does.
    @Test(arguments: [
        (#"{"to":"ExponentPushToken[dead]","title":"x"}"#, 503),
        (#"[{"to":"ExponentPushToken[dead]","title":"x"}]"#, 503),
        (#"{"to":["ExponentPushToken[a]","ExponentPushToken[dead]"],"title":"x"}"#, 503),
        (#"[{"to":"ExponentPushToken[a]","title":"x"},{"to":["ExponentPushToken[dead]"],"title":"x"}]"#, 503),
        (#"[{"to":"ExponentPushToken[d]","title":"x"}]"#, 200),
    ]) func `a fault rule for a device looks at each token of a request`(body: String, status: Int) throws {
        for pattern in ["[dead]", "[dea*]", #"\\[dead\\]"#].map({ "ExponentPushToken" + $0 }) + ["*dead?"] {
            let trial = trial()
            trial.session.faults.rules = FaultRules(
                try FaultFile.rules(Array(#"[{"device":"\#(pattern)","status":503}]"#.utf8)))
            #expect(try trial.answer(post("send", body)).status == status, "\(pattern)")
        }
    }

    @Test func `a fault rule gives a ticket for each token`() throws {
        var request = post("send", #"{"to":["ExponentPushToken[a]","ExponentPushToken[b]"],"title":"x"}"#)
        request.fault = FaultEffect()
        request.fault?.reason = "DeviceNotRegistered"
        let answer = try trial().answer(request)
        #expect(tickets(answer).map(error) == ["DeviceNotRegistered", "DeviceNotRegistered"])
        #expect(
            tickets(answer).map { ($0["details"] as? [String: String])?["expoPushToken"] }
                == ["ExponentPushToken[a]", "ExponentPushToken[b]"])
    }
}
