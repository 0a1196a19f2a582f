import PushJSON
import PushPipeline
import ServiceTestSupport
import Testing

@testable import PushServices

/// What the gateway makes of requests has the same outcomes in a run.
struct RecordingTests {
    private static func request(
        _ path: String, _ body: String, type: String = "application/json", headers: [(String, String)] = [],
        method: String = "POST"
    ) -> GatewayRequest {
        GatewayRequest(
            method: method, path: path,
            headers: [HeaderField("content-type", type)] + headers.map { HeaderField($0.0, $0.1) },
            body: Array(body.utf8))
    }

    private static let sender = [("x-an-app-name", "a"), ("x-an-app-key", "k")]
    private static let form = "application/x-www-form-urlencoded"

    static let requests: [GatewayRequest] = [
        push(), push(headers: []), push(method: "GET"),
        send(#"{"message":{"token":"t","notification":{"body":"Hi"}}}"#), send("not JSON"), send(""),
        send("{\n\"message\":{\"token\":\"a b\"}}"), send(#"{"message":{"topic":"news"},"validate_only":true}"#),
        request("/iid/v1:batchAdd", #"{"to":"/topics/news","registration_tokens":["t","u","a b"]}"#),
        send(#"{"message":{"topic":"news","notification":{"body":"Hi"}}}"#),
        request("/fcm/send", #"{"registration_ids":["t","a b"],"data":{"a":"b"}}"#), request("/fcm/send", "[]"),
        request("/gcm/send", "registration_id=t&data.a=b&time_to_live=x", type: form),
        request("/api/v2/push", #"{"device":"fcm","token":"t2","alert":"Hi"}"#, headers: sender),
        request("/api/v2/push", #"{"device":"fcm","token":"t2","alert":"Hi"}"#),
        request("/tokens/t2", "", headers: sender, method: "DELETE"),
        request("/notification/", "alert=a&type=b&userfrom=c&token=ab12", type: form, headers: sender),
        request("/v1/message/apns", #"{"deviceTokens":["ab12"],"messageType":"checkEchoV1","topic":"a.b"}"#),
        request("/--/api/v2/push/send", #"{"to":"ExponentPushToken[a]","title":"x"}"#),
        request("/--/api/v2/push/send", #"[{"to":["ExponentPushToken[a]","b"],"title":"x"}]"#),
    ]

    private static func services(_ access: GoogleAccess) -> [GatewayService] {
        let groups = DeviceGroups()
        return [
            APNsService(.wellFormed), FCMService(access, groups), InstanceIDService(access),
            LegacyFCMService(access, groups), AirnotifierService(), WikimediaService(),
            ExpoService(),
        ]
    }

    @Test func `the records of requests have the same report when they are run`() throws {
        let access = GoogleAccess()
        let trial = SessionTrial(services: Self.services(access))
        for request in Self.requests { _ = try trial.answer(request) }

        // Composed again, one after the other, with a pipeline that the services may ask.
        let again = SessionTrial(services: [])
        let services = Self.services(access)
        for service in services { service.pipeline = again.pipeline }
        var lines: [String] = []
        for request in Self.requests {
            var records = RecordComposer()
            for service in services where service.plan(request, &records) != nil { break }
            let text = records.lines.string
            let collector = LineCollector()
            try again.pipeline.process(text) { collector.add($0) }
            lines += collector.lines
        }
        #expect(lines == trial.lines)
        #expect(!lines.contains { $0.contains("record.unknown-member") })
        #expect(lines.count > Self.requests.count)
    }
}

extension ByteBuffer {
    fileprivate var string: String {
        var text = ""
        withText { text = $0.string }
        return text
    }
}
