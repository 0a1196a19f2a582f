import ServiceTestSupport
import Testing

@testable import PushServices

/// A body is measured before it is read. Sources: Apple, "Sending notification requests to APNs": 4,096 bytes, 5,120 for VoIP and broadcasts;
/// pushy's mock server, which checks nothing else of a body.
struct OversizedBodyTests {
    static let kinds: [(name: String, body: @Sendable (Int) -> [UInt8])] = [
        ("0xFF", { [UInt8](repeating: 0xFF, count: $0) }),
        (
            "JSON with a wrong byte",
            { Array(#"{"aps":{"alert":""#.utf8) + [UInt8](repeating: 0xE4, count: $0 - 20) + Array(#""}}"#.utf8) }
        ),
        ("a cut character at the end", { [UInt8](repeating: 0x61, count: $0 - 1) + [0xF0] }),
        ("NUL", { [UInt8](repeating: 0, count: $0) }),
        ("text", { [UInt8](repeating: 0x78, count: $0) }),
        ("brackets", { [UInt8](repeating: 0x5B, count: $0) }),
        ("line breaks", { [UInt8](repeating: 0x0A, count: $0) }),
        ("a number", { [UInt8](repeating: 0x39, count: $0) }),
        ("Latin-1 in an array", { [0x5B] + [UInt8](repeating: 0xFC, count: $0 - 2) + [0x5D] }),
        ("half an object", { Array(#"{"aps":{"alert":""#.utf8) + [UInt8](repeating: 0x61, count: $0 - 17) }),
    ]

    private func reason(_ body: [UInt8], _ headers: [(String, String)], device: String = "ab12") throws -> String? {
        let trial = SessionTrial()
        var request = push(to: device, headers: headers)
        request.body = body
        let answer = try trial.answer(request)
        #expect(trial.lines.count == 1)
        #expect((answer.status == 413) == (answer.reason == "PayloadTooLarge"))
        if answer.status == 413 { #expect(trial.lines.first?.contains(#""bytes":\#(body.count),"#) == true) }
        return answer.reason
    }

    @Test(arguments: kinds.indices) func `a body over the limit is too large, whatever its bytes are`(kind: Int) throws
    {
        let body = Self.kinds[kind].body
        #expect(body(4097).count == 4097)
        let alert = [("apns-topic", "a.b"), ("apns-push-type", "alert")]
        let voip = [("apns-topic", "a.b.voip"), ("apns-push-type", "voip")]
        #expect(try reason(body(4097), alert) == "PayloadTooLarge")
        #expect(try reason(body(60_000), alert) == "PayloadTooLarge")
        #expect(try reason(body(4096), alert) == "BadRequestPayload")
        #expect(try reason(body(5121), voip) == "PayloadTooLarge")
        #expect(try reason(body(5120), voip) == "BadRequestPayload")
        // The size comes before the other headers and the device, but not before the sender.
        #expect(try reason(body(5000), [("apns-topic", "a.b"), ("apns-priority", "7")]) == "PayloadTooLarge")
        #expect(try reason(body(5000), []) == "PayloadTooLarge")
        #expect(try reason(body(5000), alert, device: "xyz") == "PayloadTooLarge")
        #expect(
            try reason(body(5000), [("apns-topic", "a.b"), ("authorization", "bearer x")]) == "InvalidProviderToken")
    }

    @Test(arguments: kinds.indices) func `so is that of a broadcast, and of the binary interface`(kind: Int) throws {
        let body = Self.kinds[kind].body
        var request = GatewayRequest(
            method: "POST", path: "/4/broadcasts/apps/a.b",
            headers: [
                HeaderField("apns-channel-id", "bWF0Y2g="), HeaderField("apns-push-type", "liveactivity"),
                HeaderField("apns-expiration", "0"), HeaderField("apns-priority", "5"),
            ])
        for (bytes, reason) in [(5121, "PayloadTooLarge"), (5120, "BadRequestPayload")] {
            request.body = body(bytes)
            #expect(try SessionTrial().answer(request).reason == reason)
        }
        for (bytes, status) in [(2049, 7), (2048, 1)] {
            var notifications = BinaryFrames.requests(BinaryFrames.items(7))
            notifications[0].body = body(bytes)
            #expect(try SessionTrial(services: [BinaryService()]).answer(notifications[0]).status == status)
        }
    }
}
