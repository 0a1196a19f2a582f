import Foundation
import NIOCore
import NIOHPACK
import NIOHTTP2
import ServiceTestSupport
import Testing

@testable import PushGateway
@testable import PushServices

struct GatewayHTTP2Tests {
    static let body = #"{"aps":{"alert":"Hi"}}"#

    @Test func `a success ends on the headers`() throws {
        let gateway = try RunningGateway()
        defer { gateway.stop() }
        let client = try HTTP2Client(port: gateway.port)
        client.send(
            Self.body, headers: [("apns-topic", "a.b"), ("apns-id", "0F0E0D0C-1111-2222-3333-444455556666")], on: 1)
        let answer = try client.answer(on: 1)
        #expect(answer.status == 200)
        #expect(answer.parts == [.headers(endsStream: true)])
        #expect(answer.headers["apns-id"] == ["0F0E0D0C-1111-2222-3333-444455556666"])
        #expect(gateway.collector.lines.count == 1)
    }

    @Test func `an error ends on the one frame of its body`() throws {
        let gateway = try RunningGateway()
        defer { gateway.stop() }
        let client = try HTTP2Client(port: gateway.port)
        client.send(Self.body, headers: [], on: 1)
        let answer = try client.answer(on: 1)
        #expect(answer.status == 400)
        #expect(answer.text == #"{"reason":"MissingTopic"}"#)
        #expect(answer.parts == [.headers(endsStream: false), .data(bytes: 25, endsStream: true)])
    }

    @Test func `a thousand requests in flight are answered, each its own`() throws {
        let gateway = try RunningGateway()
        defer { gateway.stop() }
        let client = try HTTP2Client(port: gateway.port)
        let streams = (0..<1000).map { 2 * $0 + 1 }
        for stream in streams {
            let path = stream % 5 == 0 ? "/3/device/xyz" : "/3/device/ab12"
            client.send(Self.body, path: path, headers: [("apns-topic", "a.b"), ("apns-id", id(stream))], on: stream)
        }
        for stream in streams {
            let answer = try client.answer(on: stream)
            #expect(answer.status == (stream % 5 == 0 ? 400 : 200))
            #expect(answer.headers["apns-id"] == [id(stream)])
        }
        #expect(gateway.collector.lines.count == 1000)
    }

    private func id(_ stream: Int) -> String {
        let digits = String(stream)
        return "00000000-0000-0000-0000-" + String(repeating: "0", count: 12 - digits.count) + digits
    }

    @Test func `a body may come in parts, and may end with an empty frame or with trailers`() throws {
        let gateway = try RunningGateway()
        defer { gateway.stop() }
        let client = try HTTP2Client(port: gateway.port)
        let head = HTTP2Frame.FramePayload.headers(
            .init(
                headers: HPACKHeaders([
                    (":method", "POST"), (":path", "/3/device/ab12"), (":scheme", "https"), ("apns-topic", "a.b"),
                ])))
        func data(_ text: String, ends: Bool = false) -> HTTP2Frame.FramePayload {
            .data(.init(data: .byteBuffer(ByteBuffer(string: text)), endStream: ends))
        }
        client.send([head, data(#"{"aps":"#), data(#"{"alert":"Hi"}}"#, ends: true)], on: 1)
        client.send([head, data(Self.body), data("", ends: true)], on: 3)
        client.send(
            [head, data(Self.body), .headers(.init(headers: HPACKHeaders([("x", "y")]), endStream: true))], on: 5)
        for stream in [1, 3, 5] { #expect(try client.answer(on: stream).status == 200) }
        for line in gateway.collector.lines { #expect(line.contains(#""bytes":22,"#), "\(line)") }
    }

    @Test func `a request without a body has an empty payload`() throws {
        let gateway = try RunningGateway()
        defer { gateway.stop() }
        let client = try HTTP2Client(port: gateway.port)
        client.send("", on: 1)
        #expect(try client.answer(on: 1).text == #"{"reason":"PayloadEmpty"}"#)
    }

    @Test func `a body over what is kept is dropped, and one that goes on is cut off`() throws {
        var limits = GatewayLimits()
        limits.bodyBytes = 8 * 1024
        limits.discardedBytes = 32 * 1024
        let gateway = try RunningGateway(limits)
        defer { gateway.stop() }
        let client = try HTTP2Client(port: gateway.port)
        client.send(String(repeating: "x", count: 10_000), on: 1)
        let answer = try client.answer(on: 1)
        #expect(answer.status == 413)
        #expect(answer.text == #"{"reason":"PayloadTooLarge"}"#)

        // This one never ends.
        let head = HPACKHeaders([
            (":method", "POST"), (":path", "/3/device/ab12"), (":scheme", "https"), ("apns-topic", "a.b"),
        ])
        let part = HTTP2Frame.FramePayload.data(
            .init(data: .byteBuffer(ByteBuffer(repeating: 0x78, count: 16 * 1024))))
        client.send([.headers(.init(headers: head))] + [part, part, part], on: 3)
        let cut = try client.answer(on: 3)
        #expect(cut.status == 413)
        #expect(cut.text == #"{"reason":"PayloadTooLarge"}"#)
        // The answer is complete before the stream is reset. RFC 9113, section 8.1.
        #expect(cut.parts == [.headers(endsStream: false), .data(bytes: 28, endsStream: true)])
        client.send(Self.body, on: 5)
        #expect(try client.answer(on: 5).status == 200)
    }

    @Test func `a stream that its client resets disturbs no other`() throws {
        let gateway = try RunningGateway()
        defer { gateway.stop() }
        let client = try HTTP2Client(port: gateway.port)
        let head = HPACKHeaders([(":method", "POST"), (":path", "/3/device/ab12"), (":scheme", "https")])
        client.send([.headers(.init(headers: head)), .rstStream(.cancel)], on: 1)
        client.send(Self.body, on: 3)
        #expect(try client.answer(on: 3).status == 200)
    }

    @Test func `a gateway that stops answers what is in flight, says so, and closes`() throws {
        let gateway = try RunningGateway()
        let client = try HTTP2Client(port: gateway.port)
        client.send(Self.body, on: 1)
        #expect(try client.answer(on: 1).status == 200)
        // In flight: its body is not complete yet.
        let head = HPACKHeaders([
            (":method", "POST"), (":path", "/3/device/ab12"), (":scheme", "https"), ("apns-topic", "a.b"),
        ])
        client.send([.headers(.init(headers: head))], on: 3)
        client.send(Self.body, on: 5)
        #expect(try client.answer(on: 5).status == 200)
        gateway.beginStop()
        #expect(try client.goAway() == #"{"reason":"Shutdown"}"#)
        client.send([.data(.init(data: .byteBuffer(ByteBuffer(string: Self.body)), endStream: true))], on: 3)
        #expect(try client.answer(on: 3).status == 200)
        try client.waitForClose()
        gateway.stop()
        #expect(gateway.collector.lines.count == 3)
    }

    @Test func `a request that does not come to its end is reset`() throws {
        var limits = GatewayLimits()
        limits.secondsToReceive = 0
        let gateway = try RunningGateway(limits)
        defer { gateway.stop() }
        let client = try HTTP2Client(port: gateway.port)
        let head = HPACKHeaders([(":method", "POST"), (":path", "/3/device/ab12"), (":scheme", "http")])
        client.send([.headers(.init(headers: head, endStream: false))], on: 1)
        let answer = try client.answer(on: 1)
        #expect(answer.status == nil)
        #expect(answer.parts.count == 1, "\(answer.parts)")
    }

    @Test func `if asked for, there is one stream until a valid provider token came`() throws {
        var limits = GatewayLimits()
        limits.streamsBeforeToken = 1
        let gateway = try RunningGateway(limits)
        defer { gateway.stop() }
        let client = try HTTP2Client(port: gateway.port)
        client.send(Self.body, on: 1)
        #expect(try client.answer(on: 1).status == 200)
        let other = "bearer " + "nonsense"
        client.send(Self.body, headers: [("apns-topic", "a.b"), ("authorization", other)], on: 3)
        #expect(try client.answer(on: 3).status == 403)
        #expect(try client.allowedStreams(times: 1) == [1])
        let now = Int(Date().timeIntervalSince1970)
        let token = try ProviderTokenTests.token(claims: #"{"iss":"DEF123GHIJ","iat":\#(now)}"#)
        client.send(Self.body, headers: [("apns-topic", "a.b"), ("authorization", "bearer " + token)], on: 5)
        #expect(try client.answer(on: 5).status == 200)
        #expect(try client.allowedStreams(times: 2) == [1, 1000])
    }

    @Test func `a connection on which nothing is asked is told so and closed`() throws {
        var limits = GatewayLimits()
        limits.secondsIdle = 0
        let gateway = try RunningGateway(limits)
        defer { gateway.stop() }
        let client = try HTTP2Client(port: gateway.port)
        #expect(try client.goAway() == #"{"reason":"IdleTimeout"}"#)
        try client.waitForClose()
    }
}
