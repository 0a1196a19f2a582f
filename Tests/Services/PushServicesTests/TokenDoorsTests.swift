import Foundation
import PushDevices
import PushPipeline
import ServiceTestSupport
import Testing

@testable import PushServices

/// With the life cycle of tokens, every way into the gateway decides about a token alike. Source: Moodle's notification server, risks and plans.
struct TokenDoorsTests {
    /// A way to send a push to a token, and the answer if the token is dead.
    struct Door: CustomTestStringConvertible, Sendable {
        var testDescription: String
        var status: Int
        /// In the body. Of the binary interface, its error.
        var word: String
        var requests: @Sendable () -> [GatewayRequest]

        init(
            _ name: String, _ status: Int, _ word: String, _ requests: @escaping @Sendable () -> [GatewayRequest]
        ) {
            (testDescription, self.status, self.word, self.requests) = (name, status, word, requests)
        }
    }

    private static let token = BinaryFrames.device
    private static let endpoint = "arn:aws:sns:eu-central-1:123456789012:endpoint/APNS/app/5e3e9847"

    private static func post(_ path: String, _ body: String, type: String = "application/json") -> GatewayRequest {
        let headers = [("content-type", type), ("x-an-app-name", "com.example.app"), ("x-an-app-key", "mine")]
        return GatewayRequest(
            method: "POST", path: path, headers: headers.map { HeaderField($0.0, $0.1) }, body: Array(body.utf8))
    }

    private static func form(_ path: String, _ body: String) -> GatewayRequest {
        post(path, body, type: "application/x-www-form-urlencoded")
    }

    private static func certified() -> GatewayRequest {
        var request = push(to: token)
        request.sender = RequestSender(
            certificate: ClientCertificate(bundle: "org.example.app", topics: ["org.example.app"]))
        return request
    }

    private static func error(_ status: Int) -> String {
        String(decoding: BinaryFrames.error(status, 7), as: UTF8.self)
    }

    private static let moodle2013 =
        "alert=Hi&date=1383820800&site=5f1c&type=message&userfrom=Anna&device=ab&notif=0&token="

    static let doors = [
        Door("APNs", 410, "Unregistered") { [push(to: token)] },
        Door("APNs, capitals", 410, "Unregistered") { [push(to: token.uppercased())] },
        Door("APNs with a certificate", 410, "Unregistered") { [certified()] },
        Door("binary interface, command 0", 8, "") { BinaryFrames.requests(BinaryFrames.simple()) },
        Door("binary interface, command 1", 8, error(8)) { BinaryFrames.requests(BinaryFrames.enhanced(7)) },
        Door("binary interface, command 2", 8, error(8)) { BinaryFrames.requests(BinaryFrames.items(7)) },
        Door("FCM v1", 404, "UNREGISTERED") {
            [send(#"{"message":{"token":"\#(token)","notification":{"title":"Hi"}}}"#)]
        },
        Door("FCM legacy", 200, #""error":"NotRegistered""#) {
            [post("/fcm/send", #"{"to":"\#(token)","notification":{"title":"Hi"}}"#)]
        },
        Door("FCM legacy, several targets", 200, #""failure":1"#) {
            [post("/fcm/send", #"{"registration_ids":["\#(token)","other"],"notification":{"title":"Hi"}}"#)]
        },
        Door("GCM in plain text", 200, "Error=NotRegistered") {
            [form("/gcm/send", "registration_id=\(token)&data.a=b")]
        },
        Door("Airnotifier 2 to Android", 404, "Unregistered token") {
            [post("/api/v2/push", #"{"device":"fcm","token":"\#(token)","alert":"Hi"}"#)]
        },
        Door("Airnotifier 2 to an iPhone", 404, "Unregistered token") {
            [post("/api/v2/push/", #"{"device":"ios","token":"\#(token)","alert":"Hi"}"#)]
        },
        Door("Airnotifier 1", 404, "Unregistered token") { [form("/notification/", moodle2013 + token)] },
    ]

    /// Services that tell their sender nothing of single tokens: the report does.
    static let silentDoors = [
        Door("Wikimedia to APNs", 200, "{}") {
            [post("/v1/message/apns", #"{"deviceTokens":["\#(token)"],"messageType":"checkEchoV1","topic":"a.b"}"#)]
        },
        Door("Wikimedia to FCM", 200, "{}") {
            [post("/v1/message/fcm", #"{"deviceTokens":["\#(token)"],"messageType":"checkEchoV1"}"#)]
        },
        Door("Airnotifier's broadcast", 202, "") { [post("/api/v2/broadcast", #"{"alert":"Hi"}"#)] },
        Door("the API, as a payload", 200, #""suppressed""#) {
            [post("/api/v1/records", #"{"device":"\#(token)","payload":{"aps":{"alert":"Hi"}}}"#)]
        },
        Door("the API, as a request of SNS", 200, #""suppressed""#) {
            [
                post(
                    "/api/v1/records",
                    ##"{"TargetArn":"\##(endpoint)","MessageStructure":"json","Message":"{\"default\":\"x\",\"APNS\":\"{\\\"aps\\\":{\\\"alert\\\":\\\"Hi\\\"}}\"}"}"##
                )
            ]
        },
    ]

    private func trial(maintained: Bool = true) throws -> SessionTrial {
        let access = try GoogleAccess(isOff: true, path: nil, .none)
        let groups = DeviceGroups()
        return SessionTrial(
            services: [
                APNsService(.wellFormed), FCMService(access, groups), LegacyFCMService(access, groups),
                AirnotifierService(), WikimediaService(), BinaryService(),
            ], traffic: GatewayTraffic(isRedacted: false)
        ) { if maintained { $0.devicePolicy.tokenLifeCycle = TokenLifeCycle() } }
    }

    private static let states = [
        #""unregistered":true"#, #""token":"deleted""#, #""token":"disabled""#,
        #""unregistered":true,"token":"deleted""#,
    ]

    @Test(arguments: doors, states)
    func `a push to a dead or deleted token is an error each time`(door: Door, state: String) throws {
        let trial = try trial()
        try trial.pipeline.registerDevices(#"{"device":"\#(Self.token)",\#(state)}"#)
        for _ in 0..<3 {
            for request in door.requests() {
                let answer = try trial.answer(request)
                #expect(answer.status == door.status, "\(answer.text)")
                #expect(door.word.isEmpty || answer.text.contains(door.word), "\(answer.text)")
            }
        }
        let lines = trial.lines.filter { $0.contains(Self.token) && !$0.contains(#""event""#) }
        #expect(lines.count == 3 && lines.allSatisfy { $0.contains("rejected") || $0.contains("suppressed") })
    }

    @Test(arguments: silentDoors, states.dropFirst())
    func `a push to a dead or deleted token reaches nobody through any other service`(
        door: Door, state: String
    ) throws {
        let trial = try trial()
        _ = try trial.answer(Self.form("/tokens/\(Self.token)", "device=ios"))
        for device in [Self.token, Self.endpoint] {
            try trial.pipeline.registerDevices(#"{"device":"\#(device)",\#(state)}"#)
        }
        for _ in 0..<2 {
            for request in door.requests() {
                let answer = try trial.answer(request)
                #expect(answer.status == door.status, "\(answer.text)")
                #expect(door.word.isEmpty || answer.text.contains(door.word), "\(answer.text)")
            }
        }
        #expect(trial.pipeline.summary.count(.suppressed) == 2)
        #expect(trial.pipeline.summary.count(.delivered) == 0)
    }

    @Test func `410 has the time at which the token died, each time`() throws {
        let trial = try trial()
        try trial.pipeline.registerDevices(
            #"{"device":"\#(Self.token)","unregistered":true,"unregistered_at":"2023-11-14T22:13:20Z"}"#)
        for _ in 0..<3 {
            #expect(
                try trial.answer(push(to: Self.token)).text == #"{"reason":"Unregistered","timestamp":1700000000000}"#)
        }
    }

    @Test(arguments: doors) func `a push to a living token is accepted, and delivered`(door: Door) throws {
        let trial = try trial()
        _ = try trial.answer(Self.form("/tokens/\(Self.token)", "device=ios"))
        for request in door.requests() {
            let answer = try trial.answer(request)
            #expect([0, 200, 202].contains(answer.status) && !answer.text.contains("rror"), "\(answer.text)")
        }
        let summary = trial.pipeline.summary
        #expect(summary.count(.delivered) + summary.count(.silent) >= 1)
    }

    /// Every path of Airnotifier that takes pushes, in every spelling of a token.
    @Test(arguments: [
        ("/api/v2/push", #"{"device":"ios","token":"TOKEN","alert":"Hi"}"#),
        ("/api/v2/push/", #"{"device":"ios","token":"TOKEN","alert":"Hi"}"#),
        ("/api/v2/push", #"{"device":"fcm","token":"TOKEN","alert":"Hi"}"#),
        ("/api/v2/push", #"{"device":"ios","token":"other","token":"TOKEN","alert":"Hi"}"#),
        ("/notification", moodle2013 + "TOKEN"), ("/notification/", moodle2013 + "TOKEN"),
        ("/notification/", moodle2013 + "%54OKEN"), ("/notification/", moodle2013 + "TOKEN&token=other"),
        ("/notification/?token=other", moodle2013 + "TOKEN"),
    ])
    func `a key that did not register a token is 403 on every path, for every app`(path: String, body: String) throws {
        for token in [Self.token, Self.token.uppercased()] {
            for app in ["com.example.app", "com.example.other"] {
                let trial = try trial()
                _ = try trial.answer(Self.form("/tokens/\(Self.token)", "device=ios"))
                let type = body.hasPrefix("{") ? "application/json" : "application/x-www-form-urlencoded"
                // An escape in the form's token.
                let text = body.replacing(
                    "%54OKEN", with: "%" + String(token.utf8.first ?? 0, radix: 16) + token.dropFirst())
                var request = Self.post(path, text.replacing("TOKEN", with: token), type: type)
                request.headers = [
                    HeaderField("content-type", type), HeaderField("x-an-app-name", app),
                    HeaderField("x-an-app-key", "theirs"),
                ]
                let answer = try trial.answer(request)
                #expect(answer.status == 403)
                #expect(answer.text == #"{"error":"No permission to send notification"}"#)
                #expect(trial.lines.last?.contains(#""outcome":"rejected","status":403"#) == true)
                #expect(trial.pipeline.summary.count(.delivered) == 0)
            }
        }
    }

    @Test func `a broadcast reaches only tokens that its key registered, and only these can it delete`() throws {
        let trial = try trial()
        func theirs(_ request: GatewayRequest, _ method: String = "POST") throws -> GatewayAnswer {
            var request = request
            request.method = method
            request.headers = request.headers.map { $0.value == "mine" ? HeaderField($0.name, "theirs") : $0 }
            return try trial.answer(request)
        }
        _ = try trial.answer(Self.form("/tokens/t1", "device=fcm"))
        _ = try theirs(Self.form("/tokens/t2", "device=fcm"))
        #expect(try trial.answer(Self.post("/api/v2/broadcast", #"{"alert":"Hi"}"#)).status == 202)
        #expect(trial.pipeline.summary.count(.delivered) == 1)
        #expect(trial.lines.last?.contains(#""device":"t1""#) == true)
        #expect(try theirs(Self.form("/tokens/t1", ""), "DELETE").text == #"{"error":"No permission to delete token"}"#)
        #expect(try theirs(Self.form("/tokens/t2", ""), "DELETE").status == 200)
    }

    @Test func `an unknown token is registered by either version, and is then its key's`() throws {
        for request in [
            Self.form("/notification/", Self.moodle2013 + Self.token),
            Self.post("/api/v2/push", #"{"device":"ios","token":"\#(Self.token)","alert":"Hi"}"#),
        ] {
            let trial = try trial()
            #expect([200, 202].contains(try trial.answer(request).status))
            #expect(trial.lines.count == 2)
            var other = request
            other.headers[2].value = "theirs"
            #expect(try trial.answer(other).status == 403)
        }
    }

    @Test func `without a life cycle every key may push on both paths`() throws {
        let trial = try trial(maintained: false)
        _ = try trial.answer(Self.form("/tokens/\(Self.token)", "device=ios"))
        for request in Self.doors.suffix(3).flatMap({ $0.requests() }) {
            var request = request
            request.headers[2].value = "theirs"
            #expect([200, 202].contains(try trial.answer(request).status))
        }
    }
}
