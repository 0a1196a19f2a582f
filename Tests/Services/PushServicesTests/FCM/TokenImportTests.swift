import PushDevices
import PushModel
import PushPipeline
import ServiceTestSupport
import Testing

@testable import PushServices

/// Source: Google, Instance ID server reference, "Create registration tokens for APNs tokens".
struct TokenImportTests {
    private static let tokens = [String(repeating: "ab", count: 32), String(repeating: "CD", count: 32)]

    private func trial() -> SessionTrial {
        let access = GoogleAccess()
        return SessionTrial(services: [InstanceIDService(access), FCMService(access)])
    }

    private func request(_ tokens: [String], sandbox: String = "false", app: String = "org.example.news")
        -> GatewayRequest
    {
        let list = tokens.map { "\"\($0)\"" }.joined(separator: ",")
        return GatewayRequest(
            method: "POST", path: "/iid/v1:batchImport",
            body: Array(#"{"application":"\#(app)","sandbox":\#(sandbox),"apns_tokens":[\#(list)]}"#.utf8))
    }

    private func results(_ answer: GatewayAnswer) -> [[String: String]] {
        answer.object["results"] as? [[String: String]] ?? []
    }

    @Test func `each token gets a registration token, in their order`() throws {
        let trial = trial()
        let answer = try trial.answer(request(Self.tokens))
        #expect(answer.status == 200)
        let results = results(answer)
        #expect(results.map { $0["apns_token"] } == Self.tokens)
        #expect(results.map { $0["status"] } == ["OK", "OK"])
        let registrations = results.compactMap { $0["registration_token"] }
        #expect(Set(registrations).count == 2)
        #expect(
            registrations.allSatisfy { $0.wholeMatch(of: #/[0-9a-f]{11}:APA91b[0-9a-f]{53}/#) != nil },
            "\(registrations)")
    }

    @Test func `it is the same for the same app, environment and token`() throws {
        func token(_ token: String, sandbox: String = "false", app: String = "org.example.news") throws -> String? {
            results(try trial().answer(request([token], sandbox: sandbox, app: app))).first?["registration_token"]
        }
        let one = try token(Self.tokens[0])
        #expect(try token(Self.tokens[0]) == one)
        #expect(try token(Self.tokens[0].uppercased()) == one)
        #expect(try token(Self.tokens[0], sandbox: "true") != one)
        #expect(try token(Self.tokens[0], app: "org.example.other") != one)
        #expect(try token(Self.tokens[1]) != one)
    }

    @Test func `a message to it is one for an Apple device`() throws {
        let trial = trial()
        let token = results(try trial.answer(request([Self.tokens[0]]))).first?["registration_token"] ?? ""
        #expect(
            trial.lines == [
                #"{"seq":1,"event":"device","device":"\#(token)","app":"org.example.news","outcome":"applied"}"#
            ])
        let push = #"{"message":{"token":"\#(token)","android":{},"apns":{"payload":{"aps":{"alert":"Hi"}}}}}"#
        #expect(try trial.answer(send(push)).status == 200)
        #expect(trial.lines.last?.contains(#""outcome":"delivered""#) == true)
    }

    @Test func `what is no token of APNs has a status and nothing else`() throws {
        let trial = trial()
        try trial.pipeline.registerDevices(#"{"device":"\#(Self.tokens[0])","platform":"ios","unregistered":true}"#)
        let answer = try trial.answer(request(["xyz", "", "abc", Self.tokens[0], Self.tokens[1]]))
        let results = results(answer)
        #expect(
            results.map { $0["status"] }
                == ["INVALID_ARGUMENT", "INVALID_ARGUMENT", "INVALID_ARGUMENT", "NOT_FOUND", "OK"])
        #expect(results.map { $0["registration_token"] != nil } == [false, false, false, false, true])
    }

    @Test func `a request may have a hundred tokens, and no more`() throws {
        let tokens = (0..<100).map(Self.token)
        #expect(results(try trial().answer(request(tokens))).count == 100)
        #expect(try trial().answer(request(tokens + Self.tokens)).status == 400)
        #expect(try trial().answer(request([])).status == 400)
    }

    private static func token(_ number: Int) -> String {
        let digits = String(number, radix: 16)
        return String(repeating: "0", count: 64 - digits.count) + digits
    }

    @Test(arguments: [
        "", "[]", "{}", #"{"application":"a","apns_tokens":"ab"}"#, #"{"apns_tokens":["ab"]}"#,
        #"{"application":"","apns_tokens":["ab"]}"#, #"{"application":"a","sandbox":"yes","apns_tokens":["ab"]}"#,
    ])
    func `what is no request is refused`(body: String) throws {
        let request = GatewayRequest(method: "POST", path: "/iid/v1:batchImport", body: Array(body.utf8))
        #expect(try trial().answer(request).status == 400)
    }
}
