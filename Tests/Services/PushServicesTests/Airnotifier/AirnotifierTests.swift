import Foundation
import PushDevices
import PushModel
import PushPipeline
import PushRuns
import PushSystem
import ServiceTestSupport
import Testing

@testable import PushServices

/// Source: airnotifier, `api/*.py` at commit fa744c4; Moodle, `message_output_airnotifier.php` and `airnotifier_manager.php`.
struct AirnotifierTests {
    private static let apps = """
        {"com.example.app":{"keys":{"all":31,"send":4,"create":1,"broadcast":8,"none":0,"moodle":15,"other":15},
         "blocked":["10.0.0.7"]}}
        """

    private func directory(_ text: String = apps) throws -> AirnotifierDirectory {
        let file = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
        defer { try? FileManager.default.removeItem(at: file) }
        try text.write(to: file, atomically: true, encoding: .utf8)
        return try AirnotifierDirectory(path: file.path)
    }

    private func trial(
        closed: Bool = true, _ configure: (inout PipelineConfiguration) -> Void = { _ in }
    ) throws -> SessionTrial {
        SessionTrial(
            services: [AirnotifierService(closed ? try directory() : AirnotifierDirectory())], configure)
    }

    private func request(
        _ path: String, _ body: String = "", method: String = "POST", app: String? = "com.example.app",
        key: String? = "moodle", type: String = "application/json", headers: [HeaderField] = []
    ) -> GatewayRequest {
        var all = [HeaderField("content-type", type)] + headers
        if let app { all.append(HeaderField("x-an-app-name", app)) }
        if let key { all.append(HeaderField("x-an-app-key", key)) }
        return GatewayRequest(method: method, path: path, headers: all, body: Array(body.utf8))
    }

    private func push(_ body: String, key: String? = "moodle", app: String? = "com.example.app") -> GatewayRequest {
        request("/api/v2/push", body, app: app, key: key)
    }

    private func form(_ path: String, _ body: String, key: String = "moodle") -> GatewayRequest {
        request(path, body, key: key, type: "application/x-www-form-urlencoded")
    }

    private let moodle = """
        {"device":"Android-fcm","token":"dAnna7Q","extra":{"processor":"moodle","sitefullname":"EXU","smallmessage":"Hi"}}
        """
    private let deviceToken = String(repeating: "ab12", count: 16)

    @Test(arguments: ["/api/v2/push", "/api/v2/push/"])
    func `a push of Moodle is 202 without a body, and on the phone`(path: String) throws {
        let trial = try trial()
        let answer = try trial.answer(request(path, moodle))
        #expect(answer.status == 202)
        #expect(answer.body.isEmpty)
        #expect(answer.header("content-type") == "application/json; charset=utf-8")
        // The token is stored first, unconfirmed.
        #expect(trial.lines.count == 2)
        #expect(trial.lines.first?.contains(#""event":"device","device":"dAnna7Q""#) == true)
        #expect(
            trial.lines.last?.contains(
                #""provider":"fcm","via":"airnotifier","device":"dAnna7Q","outcome":"delivered""#)
                == true)
        // Only once.
        #expect(try trial.answer(request(path, moodle)).status == 202)
        #expect(trial.lines.count == 3)
    }

    @Test func `a push to an iPhone goes to APNs`() throws {
        let trial = try trial()
        let body = #"{"device":"ios","token":"\#(deviceToken)","alert":"Hi"}"#
        #expect(try trial.answer(push(body)).status == 202)
        #expect(trial.lines.last?.contains(#""provider":"apns","via":"airnotifier""#) == true)
    }

    /// The order is that of `prepare`.
    @Test(
        arguments: [
            (nil, nil, 400, "app name is required"), ("com.example.app", nil, 400, "app key is required"),
            ("unknown", "moodle", 400, "Invalid application name"), ("com.example.app", "?", 400, "Invalid access key"),
            ("com.example.app", "none", 403, "No permission to send notification"),
            ("com.example.app", "create", 403, "No permission to send notification"),
            ("com.example.app", "send", 400, "Unknow token and you have no permission to create"),
        ] as [(String?, String?, Int, String)])
    func `a push is refused in Airnotifier's words, and reported`(
        app: String?, key: String?, status: Int, error: String
    ) throws {
        let trial = try trial()
        let answer = try trial.answer(push(moodle, key: key, app: app))
        #expect(answer.status == status)
        #expect(answer.text == #"{"error":"\#(error)"}"#)
        #expect(trial.lines.count == 1)
        #expect(
            trial.lines.first?.contains(#""device":"dAnna7Q","outcome":"rejected","status":\#(status)"#) == true)
    }

    @Test func `a push is refused for its sender even if its body is no text`() throws {
        var request = push("", key: nil)
        request.body = [0x7B, 0xFF]
        let trial = try trial()
        #expect(try trial.answer(request).text == #"{"error":"app key is required"}"#)
        #expect(trial.lines.first?.contains(#""outcome":"rejected""#) == true)
    }

    @Test func `a blocked address is 423`() throws {
        let answer = try trial().answer(
            request("/api/v2/push", moodle, headers: [HeaderField("x-forwarded-for", "10.0.0.7, 10.0.0.1")]))
        #expect(answer.status == 423)
        #expect(answer.text == #"{"error":"Blocked IP"}"#)
    }

    @Test func `without a proxy it is the address that the request came from`() throws {
        for (address, status) in [("10.0.0.7", 423), ("10.0.0.8", 202)] {
            var request = request("/api/v2/push", moodle)
            request.sender = RequestSender(address: address)
            #expect(try trial().answer(request).status == status)
        }
    }

    @Test func `an unknown hook is a line in the report`() throws {
        let trial = try trial()
        let body = #"{"device":"fcm","token":"t","alert":"Hi","extra":{"processor":"other"}}"#
        let answer = try trial.answer(push(body))
        #expect(answer.status == 400)
        #expect(answer.text == #"{"error":"No module named 'hooks.other'"}"#)
        #expect(trial.lines.count == 1)
        #expect(trial.lines[0].contains(#""outcome":"rejected""#))
    }

    /// Source: airnotifier, `api/push.py`.
    @Test(arguments: [("sms", 400, "rejected"), ("mpns", 400, "rejected"), ("wns", 202, "malformed")])
    func `of the types that are no more only wns is sent`(device: String, status: Int, outcome: String) throws {
        let trial = try trial()
        let answer = try trial.answer(push(#"{"device":"\#(device)","token":"t","alert":"Hi"}"#))
        #expect(answer.status == status)
        #expect(answer.text == (status == 202 ? "" : #"{"error":"Invalid device type"}"#))
        #expect(trial.lines.last?.contains(#""outcome":"\#(outcome)""#) == true)
    }

    @Test func `a body that is too long is 413, and a push has a line`() throws {
        for (path, lines) in [("/api/v2/push", 1), ("/api/v2/tokens", 0)] {
            let trial = try trial()
            var request = request(path)
            request.isTooLarge = true
            let answer = try trial.answer(request)
            #expect(answer.status == 413)
            #expect(answer.text == #"{"error":"Request Entity Too Large"}"#)
            #expect(trial.lines.count == lines)
        }
    }

    @Test func `every key that registers a token may push to it`() throws {
        let trial = try trial(closed: false) { $0.devicePolicy.tokenLifeCycle = TokenLifeCycle() }
        for number in 0..<40 {
            let key = "key\(number)"
            #expect(try trial.answer(form("/tokens/t", "device=fcm", key: key)).status == 200)
            #expect(try trial.answer(push(#"{"device":"fcm","token":"t","alert":"Hi"}"#, key: key)).status == 202)
        }
        let other = try trial.answer(push(#"{"device":"fcm","token":"t","alert":"Hi"}"#, key: "none"))
        #expect(other.status == 403)
    }

    @Test func `an invalid token in a form is refused before anything else of the app`() throws {
        let answer = try trial().answer(form("/api/v2/tokens", "token=short"))
        #expect(answer.status == 400)
        #expect(answer.text == #"{"error":"Invalid token"}"#)
    }

    @Test func `what the push services refuse is told without their reason`() throws {
        let trial = try trial()
        try trial.pipeline.registerDevices(#"{"device":"dead","platform":"android","unregistered":true}"#)
        let dead = try trial.answer(push(#"{"device":"fcm","token":"dead","alert":"Hi"}"#))
        #expect(dead.status == 404)
        #expect(dead.text == #"{"error":"error response from fcm"}"#)
        let apns = try trial.answer(push(#"{"device":"ios","token":"no","alert":"Hi"}"#))
        #expect(apns.status == 400)
        #expect(apns.text == #"{"error":"error response from apns"}"#)
        let type = try trial.answer(push(#"{"device":"phone","token":"t","alert":"Hi"}"#))
        #expect(type.status == 400)
        #expect(type.text == #"{"error":"Invalid device type"}"#)
        let hook = try trial.answer(push(#"{"token":"t","extra":{"processor":"other"}}"#))
        #expect(hook.status == 400)
    }

    @Test(arguments: ["", "not JSON", "[]", "\u{0}"])
    func `a body that is no JSON object is 500, and reported`(body: String) throws {
        let trial = try trial()
        let answer = try trial.answer(push(body))
        #expect(answer.status == 500)
        #expect((answer.object["error"] as? String)?.isEmpty == false)
        #expect(trial.lines.first?.contains(#""outcome":"malformed""#) == true)
    }

    // MARK: - Tokens

    @Test func `tokens of version 2 are created and deleted`() throws {
        let trial = try trial()
        let create = request("/api/v2/tokens/", #"{"device":"fcm","token":"t1","channel":"default"}"#)
        for _ in 0..<2 {
            let answer = try trial.answer(create)
            #expect(answer.status == 200)
            #expect(answer.body.isEmpty)
        }
        let delete = request("/api/v2/tokens/t1", method: "DELETE")
        #expect(try trial.answer(delete).text == #"{"status":"deleted"}"#)
        let again = try trial.answer(delete)
        #expect(again.status == 404)
        #expect(again.text == #"{"status":"Token does't exist"}"#)
        #expect(try trial.answer(create).status == 200)
        #expect(try trial.answer(delete).status == 200)
    }

    @Test(arguments: [
        ("POST", "send", "No permission to create token"), ("DELETE", "send", "No permission to delete token"),
    ])
    func `keys without the permission are 403`(method: String, key: String, error: String) throws {
        let path = method == "POST" ? "/api/v2/tokens" : "/api/v2/tokens/t1"
        let answer = try trial().answer(request(path, #"{"token":"t1"}"#, method: method, key: key))
        #expect(answer.status == 403)
        #expect(answer.text == #"{"error":"\#(error)"}"#)
    }

    @Test func `an iPhone's token has 64 hexadecimal digits`() throws {
        let trial = try trial()
        for (token, status) in [(deviceToken, 200), ("ab12", 400), (String(repeating: "g", count: 64), 400)] {
            let answer = try trial.answer(request("/api/v2/tokens", #"{"device":"ios","token":"\#(token)"}"#))
            #expect(answer.status == status)
        }
    }

    @Test func `tokens of version 1 are in the path, as Moodle sends them`() throws {
        let trial = try trial()
        #expect(try trial.answer(form("/tokens/dAnna7Q", "device=Android-fcm")).text == #"{"status":"ok"}"#)
        #expect(try trial.answer(form("/tokens/dAnna7Q", "device=Android-fcm")).text == #"{"status":"token exists"}"#)
        #expect(try trial.answer(request("/tokens/dAnna7Q", method: "DELETE")).status == 200)
    }

    /// `check_configuration`: a 400 that is not about the key means that the key is right.
    @Test func `Moodle's check tells a wrong key from a right one`() throws {
        let trial = try trial()
        let right = try trial.answer(form("/tokens/testtoken", ""))
        #expect(right.status == 400)
        #expect(right.text == #"{"error":"Invalid token"}"#)
        let wrong = try trial.answer(form("/tokens/testtoken", "", key: "wrong"))
        #expect(wrong.status == 400)
        #expect(wrong.text == #"{"error":"Invalid access key"}"#)
    }

    // MARK: - Keys

    @Test func `a site of Moodle asks for a key and may then push`() throws {
        let trial = try trial()
        let asked = try trial.answer(
            form("/accesskeys/", "url=https%3A%2F%2Fmoodle.example.org&siteid=5f1c&contact=a%40b.org", key: "none"))
        #expect(asked.status == 200)
        let key = try #require(asked.object["accesskey"] as? String)
        #expect(key.wholeMatch(of: /[0-9a-f]{32}/) != nil)
        #expect(try trial.answer(push(moodle, key: key)).status == 202)
    }

    @Test func `a key of version 2 has no permission without a processor`() throws {
        let trial = try trial()
        let asked = try trial.answer(form("/api/v2/accesskeys", "contact=a", key: "anything"))
        let key = try #require(asked.object["accesskey"] as? String)
        #expect(try trial.answer(push(moodle, key: key)).status == 403)
        let moodleKey = try trial.answer(form("/api/v2/accesskeys/", "processor=moodle", key: "anything"))
        #expect(try trial.answer(push(moodle, key: moodleKey.object["accesskey"] as? String)).status == 202)
        #expect(try trial.answer(form("/api/v2/accesskeys/", "processor=os", key: "anything")).status == 403)
    }

    @Test func `without a file every app and key is taken`() throws {
        #expect(try trial(closed: false).answer(push(moodle, key: "any", app: "any")).status == 202)
    }

    @Test(arguments: [
        "", "[]", #"{"a":1}"#, #"{"a":{"keys":[]}}"#, #"{"a":{"keys":{"k":32}}}"#, #"{"a":{"blocked":[1]}}"#,
    ])
    func `a file without apps is an error`(text: String) {
        #expect(throws: PlainError.self) { try directory(text) }
    }

    // MARK: - Broadcasts

    @Test func `a broadcast reaches the tokens of the app`() throws {
        let trial = try trial()
        for (token, device, channel) in [("t1", "fcm", "news"), ("t2", "fcm", "default"), (deviceToken, "ios", "news")]
        {
            let body = #"{"device":"\#(device)","token":"\#(token)","channel":"\#(channel)"}"#
            #expect(try trial.answer(request("/api/v2/tokens", body)).status == 200)
        }
        let answer = try trial.answer(request("/api/v2/broadcast", #"{"alert":"Hi","channel":"news"}"#))
        #expect(answer.status == 202)
        #expect(answer.body.isEmpty)
        #expect(trial.pipeline.summary.count(.delivered) == 2)
        #expect(try trial.answer(request("/api/v2/broadcast/", #"{"alert":"Hi"}"#)).status == 202)
        #expect(trial.pipeline.summary.count(.delivered) == 5)
        let refused = try trial.answer(request("/api/v2/broadcast", #"{"alert":"Hi"}"#, key: "send"))
        #expect(refused.status == 403)
        #expect(refused.text == #"{"error":"No permission to send broadcast"}"#)
        #expect(try trial.answer(request("/api/v2/broadcast", "{}")).status == 400)
    }

    // MARK: - Life cycle

    @Test func `a token that another key registered is not pushed to, and the attempt is reported`() throws {
        let trial = try trial { $0.devicePolicy.tokenLifeCycle = TokenLifeCycle() }
        _ = try trial.answer(form("/tokens/dAnna7Q", "device=Android-fcm"))
        #expect(try trial.answer(push(moodle)).status == 202)
        let stolen = try trial.answer(push(moodle, key: "other"))
        #expect(stolen.status == 403)
        #expect(stolen.text == #"{"error":"No permission to send notification"}"#)
        #expect(trial.lines.last?.contains(#""outcome":"rejected","status":403"#) == true)
        // Somebody uses the app with two sites.
        _ = try trial.answer(form("/tokens/dAnna7Q", "device=Android-fcm", key: "other"))
        #expect(try trial.answer(push(moodle, key: "other")).status == 202)
    }

    @Test func `a push to a dead token is an error each time, and nothing is sent to it`() throws {
        let trial = try trial { $0.devicePolicy.tokenLifeCycle = TokenLifeCycle() }
        _ = try trial.answer(form("/tokens/dAnna7Q", "device=Android-fcm"))
        try trial.pipeline.registerDevices(#"{"device":"dAnna7Q","unregistered":true}"#)
        for _ in 0..<3 {
            let dead = try trial.answer(push(moodle))
            #expect(dead.status == 404)
            #expect(dead.text == #"{"error":"Unregistered token"}"#)
        }
        #expect(trial.lines.last?.contains("token-disabled") == true)
    }

    @Test func `an unconfirmed token is swept, and comes back when its owner confirms it`() throws {
        let trial = try trial { configuration in
            configuration.devicePolicy.tokenLifeCycle = TokenLifeCycle()
            configuration.clock = .fixed(milliseconds: 1_700_000_000_000)
        }
        #expect(try trial.answer(push(moodle)).status == 202)
        #expect(trial.pipeline.summary.count(.delivered) == 1)
        try trial.pipeline.process(#"{"event":"clock","advance":"2h"}"#) { _ in }
        #expect(try trial.answer(push(moodle)).status == 404)
        #expect(trial.lines.last?.contains("token-deleted") == true)
        #expect(try trial.answer(form("/tokens/dAnna7Q", "device=Android-fcm")).text == #"{"status":"ok"}"#)
        #expect(try trial.answer(push(moodle)).status == 202)
        #expect(trial.pipeline.summary.count(.delivered) == 2)
    }

    // MARK: - Users and objects

    @Test func `an email is taken once`() throws {
        let trial = try trial()
        let user = form("/api/v2/users", "email=a%40example.org&password=x")
        #expect((try trial.answer(user).object["userid"] as? String)?.isEmpty == false)
        let again = try trial.answer(user)
        #expect(again.status == 400)
        #expect(again.text == #"{"error":"email already exists"}"#)
    }

    @Test func `objects are kept, changed and removed`() throws {
        let trial = try trial()
        let made = try trial.answer(request("/api/v2/objects/courses", #"{"name":"Algebra"}"#))
        let id = try #require(made.object["objectId"] as? String)
        let path = "/api/v2/objects/courses/\(id)"
        #expect(try trial.answer(request(path, method: "GET")).object["name"] as? String == "Algebra")
        #expect(try trial.answer(request(path, #"{"name":"Logic"}"#, method: "PUT")).status == 200)
        #expect(try trial.answer(request("/api/v2/objects/courses", method: "GET")).text.contains("Logic"))
        #expect(try trial.answer(request(path, method: "DELETE")).status == 200)
        #expect(try trial.answer(request(path, method: "GET")).status == 404)
    }

    // MARK: - Moodle 2.4

    @Test func `Moodle's form of 2013 becomes a push to APNs`() throws {
        let trial = try trial()
        let answer = try trial.answer(
            form(
                "/notification/",
                "alert=New+message&date=1383820800&site=5f1c&type=message&userfrom=Anna&device=ab&notif=0&token=\(deviceToken)"
            ))
        #expect(answer.status == 200)
        #expect(trial.lines.first?.contains(#""provider":"apns","via":"moodle","device":"\#(deviceToken)""#) == true)
        #expect(trial.pipeline.summary.count(.delivered) == 1)
    }

    /// Tornado's `get_argument` reads forms and queries: a token in JSON is none. The answer is that to a wrong token.
    @Test(arguments: [
        ("alert=x&device=ios", "application/x-www-form-urlencoded", "default"),
        ("alert=x&token=", "application/x-www-form-urlencoded", ""),
        (#"{"token":"ab12","alert":"x","device":"ios"}"#, "application/json", "ab12"),
        (#"{"token":"ab12","alert":"x","device":"ios"}"#, "application/x-www-form-urlencoded", "ab12"),
        ("", "application/json", "default"),
    ])
    func `a notification whose form names no token is refused`(body: String, type: String, device: String) throws {
        for maintained in [true, false] {
            let trial = try trial { if maintained { $0.devicePolicy.tokenLifeCycle = TokenLifeCycle() } }
            let answer = try trial.answer(request("/notification/", body, type: type))
            #expect(answer.status == 400)
            #expect(answer.text == #"{"error":"Invalid token"}"#)
            #expect(trial.lines.count == 1)
            let line = #""device":"\#(device)","outcome":"rejected","status":400"#
            #expect(trial.lines.first?.contains(line) == true)
            #expect(trial.pipeline.summary.count(.delivered) == 0)
        }
    }

    @Test(arguments: [("send", "/notification/", 403), ("create", "/notification/", 403), ("?", "/notification", 400)])
    func `a refused notification is reported as a push to APNs, with its token`(
        key: String, path: String, status: Int
    ) throws {
        let trial = try trial { $0.devicePolicy.tokenLifeCycle = TokenLifeCycle() }
        _ = try trial.answer(form("/tokens/\(deviceToken)", "device=ios", key: "other"))
        let body = "alert=Hi&date=1383820800&type=message&userfrom=Anna&device=ab&token=\(deviceToken)"
        #expect(try trial.answer(form(path, body, key: key)).status == status)
        let line = #""provider":"apns","via":"moodle","device":"\#(deviceToken)","outcome":"rejected""#
        #expect(trial.lines.last?.contains(line) == true)
    }

    @Test(arguments: [("GET", "/api/v2/push"), ("PUT", "/api/v2/tokens"), ("POST", "/api/v2/tokens/t1")])
    func `another method is 405`(method: String, path: String) throws {
        #expect(try trial().answer(request(path, method: method)).status == 405)
    }
}
