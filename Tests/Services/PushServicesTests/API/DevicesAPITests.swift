import Foundation
import PushPipeline
import ServiceTestSupport
import Testing

@testable import PushServices

struct DevicesAPITests {
    private static let registered =
        #"{"device":"ab12","app":"org.example.app","online":false}"#

    private func outcomes(_ answer: GatewayAnswer) throws -> [String] {
        try answer.list("report").compactMap { $0["outcome"] as? String }
    }

    @Test(arguments: [
        #"{"device":"ab12","event":"device","online":false}"# + "\n"
            + #"{"device":"ab12","event":"device","online":true}"# + "\n",
        #"[{"device":"ab12","event":"device","online":false},{"device":"ab12","event":"device","online":true}]"#,
        "[\n{\n\"device\": \"ab12\",\n\"event\": \"device\", \"online\": false},\r\n{\"device\":\"ab12\",\"event\":\"device\",\"online\":true}\n]\n",
        "\n\r\n \t\n" + #"{"device":"ab12","event":"device","online":false}"# + "\r\n\n"
            + #"{"device":"ab12","event":"device","online":true}"#,
    ])
    func `records are those of run, in any form, and answered with their lines`(body: String) throws {
        let trial = SessionTrial.withAPI()
        let answer = try trial.send(body, "/api/v1/records")
        #expect(answer.status == 200)
        #expect(try answer.list("report").map { $0["event"] as? String } == ["device", "device"])
        #expect(try outcomes(answer) == ["applied", "applied"])
        #expect(trial.lines.count == 2)
    }

    @Test func `what an event brings about is in the answer, and the device behaves so`() throws {
        let trial = SessionTrial.withAPI()
        _ = try trial.send(#"{"device":"ab12","event":"device","online":false}"#, "/api/v1/records")
        #expect(try trial.answer(push()).status == 200)
        #expect(trial.lines.last?.contains(#""outcome":"held""#) == true)
        let answer = try trial.send(#"{"device":"ab12","event":"device","online":true}"#, "/api/v1/records")
        #expect(try Set(outcomes(answer)) == ["applied", "delivered"])
    }

    @Test(arguments: ["", " \n\t\n", "[]", "1", "null", "\"text\"", "\u{FEFF}", "\u{FEFF}\u{FEFF} \n\u{FEFF}"])
    func `a body without records is refused`(body: String) throws {
        let answer = try SessionTrial.withAPI().send(body, "/api/v1/records")
        #expect(answer.status == 400)
        #expect(try answer.error.contains("records"))
    }

    @Test(arguments: ["nonsense", "{\"a\":", "[1]", "{}", "\u{0}", "[\"a\\nb\"]", "1 2"])
    func `text that is not a record is reported as malformed, and disturbs no other`(body: String) throws {
        let trial = SessionTrial.withAPI()
        let requests = [
            push(), GatewayRequest(method: "POST", path: "/api/v1/records", body: Array(body.utf8)),
            push(to: "no-token"),
        ]
        let answers = try trial.session.answers(to: requests)
        #expect(answers.map(\.status) == [200, 200, 400])
        #expect(try outcomes(answers[1]) == ["malformed"])
    }

    @Test func `a screen shows what store show prints, newest first`() throws {
        let trial = SessionTrial.withAPI()
        _ = try trial.answer(push(#"{"aps":{"alert":{"title":"One"},"badge":3}}"#))
        _ = try trial.answer(push(#"{"aps":{"alert":{"title":"Two"}}}"#))
        _ = try trial.answer(push(headers: [("apns-topic", "org.example.other")]))
        let screen = try trial.get("/api/v1/devices/AB12/screens?app=org.example.app").parsed()
        #expect(screen["device"] as? String == "ab12")
        let shown = try #require(screen["notifications"] as? [[String: Any]])
        #expect(shown.map { $0["title"] as? String } == ["Two", "One"])
        #expect(shown.first?["identifier"] as? String == "push-2")
        #expect(shown.first?["payload"] is [String: Any])
        #expect((screen["activities"] as? [Any])?.isEmpty == true)
        #expect(try trial.get("/api/v1/devices/ab12/screens").list("notifications").count == 3)
        let apps = try trial.get("/api/v1/devices/ab12").list("apps")
        #expect(apps.map { $0["count"] as? Int } == [2, 1])
        #expect(apps.map { $0["badge"] as? Int } == [3, nil])
    }

    @Test func `a Live Activity is on its device's screen`() throws {
        let trial = SessionTrial.withAPI()
        let body =
            #"{"aps":{"event":"start","timestamp":1,"attributes-type":"Game","attributes":{},"content-state":{"a":1},"alert":"x"}}"#
        _ = try trial.answer(
            push(
                body,
                headers: [
                    ("apns-topic", "org.example.app.push-type.liveactivity"), ("apns-push-type", "liveactivity"),
                ]))
        let activity = try #require(trial.get("/api/v1/devices/ab12/screens").list("activities").first)
        #expect(activity["identifier"] as? String == "activity-1")
        #expect(activity["attributes_type"] as? String == "Game")
        #expect((activity["content_state"] as? [String: Int]) == ["a": 1])
    }

    @Test func `a tap removes a notification from the screen`() throws {
        let trial = SessionTrial.withAPI()
        _ = try trial.answer(push())
        _ = try trial.send(
            #"{"device":"ab12","app":"org.example.app","event":"tap","identifier":"push-1"}"#, "/api/v1/records")
        #expect(try trial.get("/api/v1/devices/ab12/screens").list("notifications").isEmpty)
    }

    @Test func `devices come in pages`() throws {
        let trial = SessionTrial.withAPI()
        _ = try trial.session.answers(to: (10..<15).map { push(to: "aa\($0)") })
        var found: [String] = []
        var path: String? = "/api/v1/devices?limit=2"
        while let current = path {
            let answer = try trial.get(current)
            found += try answer.list("devices").compactMap { $0["device"] as? String }
            path = try answer.parsed()["next"] as? String
        }
        #expect(found == (10..<15).map { "aa\($0)" })
        for wrong in ["limit=0", "offset=-1", "colour=red"] {
            #expect(try trial.get("/api/v1/devices?\(wrong)").status == 400)
        }
    }

    @Test func `a reset forgets messages, and devices only if asked to`() throws {
        let trial = SessionTrial.withAPI()
        try trial.pipeline.registerDevices(Self.registered)
        _ = try trial.answer(push())
        _ = try trial.answer(push(to: "cd34"))
        let first = try trial.send("", "/api/v1/reset")
        #expect(first.text == #"{"messages":2,"devices":false}"# + "\n")
        #expect(try trial.get("/api/v1/messages").list("messages").isEmpty)
        // One is registered, and offline; the other shows something.
        let devices = try trial.get("/api/v1/devices").list("devices")
        #expect(devices.map { $0["device"] as? String } == ["ab12", "cd34"])
        #expect(devices.map { $0["count"] as? Int } == [0, 1])
        func journal() throws -> [String: Int] {
            try #require(trial.get("/api/v1/status").parsed()["journal"] as? [String: Int])
        }
        let next = try journal()["next"]
        #expect(try trial.send(#"{"devices":true}"#, "/api/v1/reset").status == 200)
        #expect(try trial.get("/api/v1/devices").list("devices").isEmpty)
        #expect(try next ?? 0 > 1 && journal()["first"] == next && journal()["next"] == next)
        _ = try trial.answer(push())
        #expect(try trial.get("/api/v1/journal").list("journal").map { $0["id"] as? Int } == [next])
        #expect(trial.lines.last?.contains(#""outcome":"delivered""#) == true)
        // Ids go on, so that a client that waits for later ones goes on.
        #expect(try trial.get("/api/v1/messages").list("messages").map { $0["id"] as? Int } == [3])
    }

    /// Probes may carry parameters of their own.
    @Test(arguments: [
        ("status?x=1", "unknown parameter x; this path takes none"), ("faults?x=1", "takes none"),
        ("messages/1?x=1", "takes none"), ("devices/ab12?x=1", "takes none"), ("openapi.json?x", "takes none"),
        ("rules/aps.badge?x=1", "takes none"),
        ("devices/ab12/screens?at=-1", "at is the id of a journal line, a number from 0"),
        ("journal?after=x", "after is the id of a journal line"),
        ("devices/ab12/screen.svg?at=1.5", "at is the id of a journal line"),
        ("messages?after=9223372036854775808", "after is a message's id, a number from 0"),
    ])
    func `a parameter that a path does not take, or whose value is none, is named`(path: String, text: String) throws {
        let answer = try SessionTrial.withAPI().get("/api/v1/\(path)")
        #expect(answer.status == 400)
        #expect(try answer.error.contains(text))
    }

    @Test(arguments: ["/healthz?verbose", "/metrics?name[]=x", "/api/v1/ready?x=1"])
    func `a probe may ask what it likes`(path: String) throws {
        #expect(try SessionTrial.withAPI().get(path).status == 200)
    }

    /// Links of a page beyond every message are those that can be asked for.
    @Test func `the greatest id has links that work`() throws {
        let trial = SessionTrial.withAPI()
        _ = try trial.answer(push())
        let page = try trial.get("/api/v1/messages?after=\(Int64.max)").parsed()
        for name in ["previous", "next"] {
            #expect(try trial.get(try #require(page[name] as? String)).status == 200)
        }
    }

    @Test(arguments: [
        "[]", "nonsense", #"{"devices":1}"#, #"{"devices":"true"}"#, #"{"x":1}"#, #"{"devices":true,"x":1}"#,
    ])
    func `a reset that says something else is refused`(body: String) throws {
        #expect(try SessionTrial.withAPI().send(body, "/api/v1/reset").status == 400)
    }
}
