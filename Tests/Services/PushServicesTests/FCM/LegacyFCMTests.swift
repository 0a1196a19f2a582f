import PushDevices
import PushModel
import PushPipeline
import ServiceTestSupport
import Testing

@testable import PushServices

/// Source: Firebase, "Firebase Cloud Messaging HTTP protocol"; Google, "HTTP Connection Server" of GCM.
struct LegacyFCMTests {
    private func trial(_ configure: (inout PipelineConfiguration) -> Void = { _ in }) -> SessionTrial {
        SessionTrial(services: [LegacyFCMService(GoogleAccess())], configure)
    }

    private func request(
        _ body: String, path: String = "/fcm/send", type: String? = "application/json; charset=utf-8",
        headers: [HeaderField] = []
    ) -> GatewayRequest {
        GatewayRequest(
            method: "POST", path: path, headers: (type.map { [HeaderField("content-type", $0)] } ?? []) + headers,
            body: Array(body.utf8))
    }

    private func plain(_ body: String) -> GatewayRequest {
        request(body, path: "/gcm/send", type: "application/x-www-form-urlencoded;charset=UTF-8")
    }

    @Test(arguments: ["/fcm/send", "/gcm/send"])
    func `a message is delivered, and answered with its id`(path: String) throws {
        let trial = trial()
        let answer = try trial.answer(request(#"{"to":"one","notification":{"title":"a","body":"b"}}"#, path: path))
        #expect(answer.status == 200)
        #expect(answer.object["success"] as? Int == 1)
        #expect(answer.object["failure"] as? Int == 0)
        #expect(answer.object["canonical_ids"] as? Int == 0)
        #expect(answer.object["multicast_id"] is Int)
        let results = try #require(answer.object["results"] as? [[String: String]])
        #expect(results.count == 1)
        #expect(results.first?["message_id"]?.isEmpty == false)
        #expect(trial.lines.first?.contains(#""provider":"gcm","device":"one","outcome":"delivered""#) == true)
    }

    /// Source: Firebase, "Migrate from legacy FCM APIs to HTTP v1": it was switched off from June 2024 on.
    @Test(arguments: ["/fcm/send", "/gcm/send"])
    func `the log says once that Google has switched this protocol off`(path: String) throws {
        let service = LegacyFCMService(GoogleAccess())
        var notes: [String] = []
        service.note = { notes.append($0) }
        let trial = SessionTrial(services: [service])
        _ = try trial.answer(request("{}", path: "/fcm/notification"))
        #expect(notes.isEmpty)
        for _ in 0..<3 { _ = try trial.answer(request(#"{"to":"one","data":{"a":"b"}}"#, path: path)) }
        #expect(notes.count == 1)
        #expect(notes.first?.hasPrefix("pushpipe: POST \(path): Google shut this protocol down in 2024") == true)
        #expect(notes.first?.hasSuffix("\n") == true)
    }

    /// Firebase, release notes of June 2024: the batch endpoint has ended.
    @Test func `a batch of messages finds nothing, and the log says why`() throws {
        let service = LegacyFCMService(GoogleAccess())
        var notes: [String] = []
        service.note = { notes.append($0) }
        let trial = SessionTrial(services: [service])
        for _ in 0..<2 {
            let answer = try trial.answer(request("--batch", path: "/batch"))
            #expect(answer.status == 404)
            #expect(answer.header("content-type") == "text/html; charset=UTF-8")
        }
        #expect(notes.count == 1)
        #expect(notes.first?.hasPrefix("pushpipe: POST /batch: Google shut this protocol down in 2024") == true)
        #expect(notes.first?.contains("one request per message") == true)
    }

    @Test func `each target has its result, in order`() throws {
        let trial = trial()
        try trial.pipeline.registerDevices(
            #"{"device":"dead","platform":"android","unregistered":true}"# + "\n"
                + #"{"device":"old","platform":"android","canonical":"new"}"#)
        let answer = try trial.answer(request(#"{"registration_ids":["one","dead","old","a b"],"data":{"a":"b"}}"#))
        #expect(answer.status == 200)
        let results = try #require(answer.object["results"] as? [[String: String]])
        #expect(results.map { $0["error"] } == [nil, "NotRegistered", nil, "InvalidRegistration"])
        #expect(results.map { $0["registration_id"] } == [nil, nil, "new", nil])
        #expect(Set(results.compactMap { $0["message_id"] }).count == 2)
        #expect(answer.object["success"] as? Int == 2)
        #expect(answer.object["failure"] as? Int == 2)
        #expect(answer.object["canonical_ids"] as? Int == 1)
    }

    @Test func `requests of one group do not mix their results`() throws {
        let two = request(#"{"registration_ids":["one","two"]}"#)
        let answers = try trial().session.answers(to: [two, request(#"{"to":"three"}"#), two])
        #expect(answers.map { ($0.object["results"] as? [Any])?.count } == [2, 1, 2])
    }

    /// Source: as above, "Downstream message error response codes".
    @Test(arguments: [
        (#"{"data":{}}"#, "MissingRegistration"), (#"{"to":"one","data":{"from":"x"}}"#, "InvalidDataKey"),
        (#"{"to":"one","time_to_live":2419201}"#, "InvalidTtl"),
    ])
    func `errors of the message stand in its result`(body: String, error: String) throws {
        let answer = try trial().answer(request(body))
        #expect(answer.status == 200)
        let results = try #require(answer.object["results"] as? [[String: String]])
        #expect(results == [["error": error]])
    }

    @Test func `a message over the limit is too big`() throws {
        let text = String(repeating: "x", count: 4097)
        let answer = try trial().answer(request(#"{"to":"one","data":{"a":"\#(text)"}}"#))
        #expect((answer.object["results"] as? [[String: String]]) == [["error": "MessageTooBig"]])
    }

    @Test(arguments: ["", "not JSON", "[1]", #"{"to":1}"#, #"{"to":"one","registration_ids":["one"]}"#])
    func `what is no request is 400 with a text`(body: String) throws {
        let trial = trial()
        let answers = try trial.session.answers(to: [request(body), request(#"{"to":"one"}"#)])
        #expect(answers.map(\.status) == [400, 200])
        #expect(answers[0].header("content-type")?.hasPrefix("text/plain") == true)
        #expect(!answers[0].body.isEmpty)
    }

    @Test func `a topic has one message id`() throws {
        let answer = try trial().answer(request(#"{"to":"/topics/news","data":{"a":"b"}}"#))
        #expect(answer.object["message_id"] is Int)
        #expect(answer.object.count == 1)
    }

    @Test func `too many messages to a topic are an error`() throws {
        let trial = trial { $0.devicePolicy.pushesPerMinute = 1 }
        let push = request(#"{"to":"/topics/news","data":{"a":"b"}}"#)
        let answers = try trial.session.answers(to: [push, push])
        #expect(answers[1].object["error"] as? String == "TopicsMessageRateExceeded")
    }

    @Test func `a dry run delivers nothing`() throws {
        let trial = trial()
        let answer = try trial.answer(request(#"{"to":"one","dry_run":true,"notification":{"body":"b"}}"#))
        let results = try #require(answer.object["results"] as? [[String: String]])
        #expect(results == [["message_id": "fake_message_id"]])
        #expect(trial.pipeline.summary.count(.delivered) == 0)
    }

    // MARK: - Plain text

    @Test func `plain text is answered with plain text`() throws {
        let trial = trial()
        try trial.pipeline.registerDevices(#"{"device":"old","platform":"android","canonical":"new"}"#)
        let answer = try trial.answer(plain("registration_id=42&data.score=5%200&collapse_key=k&time_to_live=10"))
        #expect(answer.status == 200)
        #expect(answer.header("content-type")?.hasPrefix("text/plain") == true)
        #expect(answer.text.hasPrefix("id=0:"))
        #expect(trial.lines.first?.contains(#""device":"42""#) == true)
        let old = try trial.answer(plain("registration_id=old")).text.split(separator: "\n")
        #expect(old.count == 2)
        #expect(old.last == "registration_id=new")
    }

    @Test(arguments: [
        ("data.a=b", "MissingRegistration"), ("registration_id=a%20b", "InvalidRegistration"),
        ("registration_id=1&time_to_live=soon", "InvalidTtl"), ("registration_id=1&data.google.x=1", "InvalidDataKey"),
        ("", "MissingRegistration"), ("%", "MissingRegistration"),
    ])
    func `errors in plain text`(body: String, error: String) throws {
        let answer = try trial().answer(plain(body))
        #expect(answer.status == 200)
        #expect(answer.text == "Error=\(error)\n")
    }

    @Test func `without a content type the body counts as plain text`() throws {
        #expect(try trial().answer(request("registration_id=1", type: nil)).text.hasPrefix("id="))
    }

    // MARK: - Device groups

    private func groups(_ body: String, project: String = "1") -> GatewayRequest {
        request(body, path: "/fcm/notification", headers: [HeaderField("project_id", project)])
    }

    @Test func `a message to a device group reaches its members`() throws {
        let trial = trial()
        try trial.pipeline.registerDevices(#"{"device":"dead","platform":"android","unregistered":true}"#)
        let created = try trial.answer(
            groups(#"{"operation":"create","notification_key_name":"Chris","registration_ids":["one","two"]}"#))
        let key = try #require(created.object["notification_key"] as? String)
        let found = try trial.answer(
            GatewayRequest(
                method: "GET", path: "/fcm/notification?notification_key_name=Chris",
                headers: [HeaderField("project_id", "1")]))
        #expect(found.object["notification_key"] as? String == key)
        let push = request(#"{"to":"\#(key)","notification":{"body":"b"}}"#)
        #expect(try trial.answer(push).text == #"{"success":2,"failure":0}"#)
        #expect(trial.pipeline.summary.count(.delivered) == 2)
        _ = try trial.answer(
            groups(#"{"operation":"add","notification_key":"\#(key)","registration_ids":["dead"]}"#))
        #expect(
            try trial.answer(push).text == #"{"success":2,"failure":1,"failed_registration_ids":["dead"]}"#)
        _ = try trial.answer(
            groups(
                #"{"operation":"remove","notification_key_name":"Chris","notification_key":"\#(key)","#
                    + #""registration_ids":["one","two","dead"]}"#))
        let gone = try trial.answer(
            groups(#"{"operation":"add","notification_key":"\#(key)","registration_ids":["one"]}"#))
        #expect(gone.status == 400)
        #expect(gone.object["error"] as? String == "notification_key not found")
    }

    @Test func `FCM v1 reaches the members of a group by its key`() throws {
        let (access, shared) = (GoogleAccess(), DeviceGroups())
        let trial = SessionTrial(services: [LegacyFCMService(access, shared), FCMService(access, shared)])
        try trial.pipeline.registerDevices(#"{"device":"dead","platform":"android","unregistered":true}"#)
        let created = try trial.answer(
            groups(#"{"operation":"create","notification_key_name":"Chris","registration_ids":["dead","one","two"]}"#))
        let key = try #require(created.object["notification_key"] as? String)
        let answer = try trial.answer(
            send(#"{"validate_only":false,"message":{"token":"\#(key)","notification":{"body":"b"}}}"#))
        #expect(answer.status == 200)
        #expect(trial.pipeline.summary.count(.delivered) == 2)
        #expect(trial.lines.count == 3)
    }

    @Test func `a group's name is taken once in a project`() throws {
        let trial = trial()
        let create = #"{"operation":"create","notification_key_name":"Chris","registration_ids":["one"]}"#
        #expect(try trial.answer(groups(create)).status == 200)
        #expect(try trial.answer(groups(create)).object["error"] as? String == "notification_key already exists")
        #expect(try trial.answer(groups(create, project: "2")).status == 200)
    }

    @Test(arguments: [
        "", "[]", "{}", #"{"operation":"create","notification_key_name":"a","registration_ids":[]}"#,
        #"{"operation":"create","registration_ids":["a"]}"#, #"{"operation":"list","registration_ids":["a"]}"#,
        #"{"operation":"create","notification_key_name":"a","registration_ids":[1]}"#,
    ])
    func `what is no operation is refused`(body: String) throws {
        #expect(try trial().answer(groups(body)).status == 400)
    }
}
