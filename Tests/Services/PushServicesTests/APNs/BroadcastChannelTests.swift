import PushModel
import ServiceTestSupport
import Testing

@testable import PushServices

/// Source: Apple, "Sending channel management requests to APNs".
struct BroadcastChannelTests {
    private let trial = SessionTrial()

    private func ask(
        _ method: String, _ path: String = "channels", _ body: String = "", channel: String? = nil
    ) throws -> GatewayAnswer {
        let headers = channel.map { [HeaderField("apns-channel-id", $0)] } ?? []
        return try trial.answer(
            GatewayRequest(
                method: method, path: "/1/apps/org.example.app/\(path)",
                headers: headers + [HeaderField("apns-request-id", "r1")], body: Array(body.utf8)))
    }

    private func broadcast(to channel: String, expiration: String = "0") throws -> GatewayAnswer {
        try trial.answer(
            GatewayRequest(
                method: "POST", path: "/4/broadcasts/apps/org.example.app",
                headers: [
                    HeaderField("apns-channel-id", channel), HeaderField("apns-push-type", "liveactivity"),
                    HeaderField("apns-expiration", expiration), HeaderField("apns-priority", "10"),
                ],
                body: Array(#"{"aps":{"event":"update","timestamp":1,"content-state":{}}}"#.utf8)))
    }

    @Test func `a channel is made, read, listed and removed`() throws {
        let answer = try ask("POST", "channels", #"{"message-storage-policy":1,"push-type":"LiveActivity"}"#)
        #expect(answer.status == 201)
        #expect(answer.header("apns-request-id") == "r1")
        let id = try #require(answer.header("apns-channel-id"))
        let read = try ask("GET", channel: id)
        #expect(read.status == 200)
        #expect(read.text == #"{"message-storage-policy":1,"push-type":"LiveActivity"}"#)
        #expect(try ask("GET", "all-channels").text == #"{"channels":["\#(id)"]}"#)
        #expect(try broadcast(to: id).status == 200)
        #expect(try ask("DELETE", channel: id).status == 204)
        #expect(try ask("GET", channel: id).reason == "ChannelNotRegistered")
        #expect(try ask("GET", "all-channels").text == #"{"channels":[]}"#)
    }

    @Test func `a broadcast needs a channel of its app, once there are any`() throws {
        #expect(try broadcast(to: "dHN0LXNyY2gtY2hubA==").status == 200)
        let id = try #require(
            try ask("POST", "channels", #"{"message-storage-policy":0,"push-type":"LiveActivity"}"#)
                .header("apns-channel-id"))
        #expect(try broadcast(to: "dHN0LXNyY2gtY2hubA==").reason == "ChannelNotRegistered")
        #expect(try broadcast(to: id).status == 200)
        // Nothing is stored for a channel with the policy 0.
        #expect(try broadcast(to: id, expiration: "2000000000").reason == "BadExpirationDate")
    }

    @Test(arguments: [
        ("no JSON", "BadRequestPayload"), ("[]", "BadRequestPayload"), ("{}", "MissingPushType"),
        (#"{"push-type":"alert","message-storage-policy":0}"#, "InvalidPushType"),
        (#"{"push-type":"LiveActivity"}"#, "BadRequestParams"),
        (#"{"push-type":"LiveActivity","message-storage-policy":2}"#, "BadRequestParams"),
        (#"{"push-type":"LiveActivity","message-storage-policy":1,"name":"cup"}"#, "BadRequestParams"),
        (#"{"push-type":"LiveActivity","message-storage-policy":1,"Push-Type":"LiveActivity"}"#, "BadRequestParams"),
    ])
    func `what is no channel is refused`(body: String, reason: String) throws {
        #expect(try ask("POST", "channels", body).reason == reason)
    }

    @Test func `a channel has to be named as it should`() throws {
        #expect(try ask("GET").reason == "MissingChannelId")
        #expect(try ask("DELETE", channel: "no Base64!").reason == "BadChannelId")
        #expect(try ask("PUT").reason == "MethodNotAllowed")
        #expect(try ask("POST", "all-channels").reason == "MethodNotAllowed")
    }

    @Test func `a certificate chooses and limits the topic`() throws {
        func answer(_ topic: String?, _ certificate: ClientCertificate) throws -> String {
            var request = push(headers: topic.map { [("apns-topic", $0)] } ?? [])
            request.headers.append(HeaderField("authorization", "bearer nonsense"))
            request.sender = RequestSender(certificate: certificate)
            let answer = try trial.answer(request)
            return answer.reason ?? "\(answer.status)"
        }
        let one = ClientCertificate(bundle: "org.example.app", topics: ["org.example.app"])
        let many = ClientCertificate(bundle: "org.example.app", topics: ["org.example.app", "org.example.app.voip"])
        #expect(try answer(nil, one) == "200")
        #expect(trial.lines.last?.contains(#""topic":"org.example.app""#) == true)
        #expect(try answer("org.example.app", one) == "200")
        #expect(try answer("org.example.other", one) == "TopicDisallowed")
        #expect(try answer(nil, many) == "MissingTopic")
        #expect(try answer("org.example.other", many) == "TopicDisallowed")
        #expect(try answer("org.example.other", ClientCertificate(bundle: nil, topics: [])) == "200")
    }
}
