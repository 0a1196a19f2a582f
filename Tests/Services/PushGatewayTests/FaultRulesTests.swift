import NIOCore
import NIOHPACK
import NIOHTTP2
import PushFaults
import ServiceTestSupport
import Testing

@testable import PushGateway
@testable import PushServices

/// Faults on the wire. Which requests the rules take is in `PushServicesTests`.
struct FaultRulesTests {
    private func gateway(_ text: String) throws -> RunningGateway {
        try RunningGateway(faults: try FaultFile.rules(Array(text.utf8)))
    }

    @Test func `a stream is reset with its code, and others are answered`() throws {
        let gateway = try gateway("- {every: 2, reset: REFUSED_STREAM}")
        defer { gateway.stop() }
        let client = try HTTP2Client(port: gateway.port)
        client.send(GatewayHTTP2Tests.body, on: 1)
        #expect(try client.answer(on: 1).status == 200)
        client.send(GatewayHTTP2Tests.body, on: 3)
        #expect(try client.answer(on: 3).parts == [.reset(code: 7)])
        client.send(GatewayHTTP2Tests.body, on: 5)
        #expect(try client.answer(on: 5).status == 200)
    }

    @Test func `a connection that goes away says why, answers, and closes`() throws {
        let gateway = try gateway("- goaway: IdleTimeout")
        defer { gateway.stop() }
        let client = try HTTP2Client(port: gateway.port)
        client.send(GatewayHTTP2Tests.body, on: 1)
        #expect(try client.goAway() == #"{"reason":"IdleTimeout"}"#)
        #expect(try client.answer(on: 1).status == 200)
        try client.waitForClose()
    }

    @Test(arguments: ["cut: true", "reset: true"])
    func `a connection of HTTP/1.1 is cut in place of an answer`(fault: String) throws {
        let gateway = try gateway("- {\(fault)}")
        defer { gateway.stop() }
        let client = try RawClient(port: gateway.port)
        try client.send("GET /3/device/ab12 HTTP/1.1\r\nHost: a\r\n\r\n")
        #expect(try client.textUntilClose() == "")
    }

    @Test func `an answer may be late, and be overtaken by the next one`() throws {
        // So late that it comes only when the stream is given up.
        let gateway = try gateway("- {times: 1, delay: 1h}")
        let client = try HTTP2Client(port: gateway.port)
        client.send("[]", on: 1)
        client.send(GatewayHTTP2Tests.body, on: 3)
        #expect(try client.answer(on: 3).status == 200)
        #expect(try client.parts(on: 1).isEmpty)
        client.send([.rstStream(.cancel)], on: 1)
        gateway.stop()
        #expect(gateway.collector.lines.count == 2)
    }

    @Test func `a late answer comes`() throws {
        let gateway = try gateway("- delay: 1ms")
        defer { gateway.stop() }
        let client = try HTTP2Client(port: gateway.port)
        client.send("[]", on: 1)
        #expect(try client.answer(on: 1).status == 400)
    }

    @Test func `without an answer the stream stays open, and the others go on`() throws {
        let gateway = try gateway("- {times: 1, silence: true}")
        let client = try HTTP2Client(port: gateway.port)
        client.send(GatewayHTTP2Tests.body, on: 1)
        client.send(GatewayHTTP2Tests.body, on: 3)
        #expect(try client.answer(on: 3).status == 200)
        #expect(try client.parts(on: 1).isEmpty)
        client.send([.rstStream(.cancel)], on: 1)
        gateway.stop()
        #expect(gateway.collector.lines.count == 2)
    }

    @Test func `a client of HTTP/1.1 that gets no answer can leave`() throws {
        let gateway = try gateway("- silence: true")
        defer { gateway.stop() }
        let client = try RawClient(port: gateway.port)
        try client.send("GET /3/device/ab12 HTTP/1.1\r\nHost: a\r\n\r\n")
        try client.endOutput()
        #expect(try client.textUntilClose() == "")
    }

    @Test func `a pause is after the answer`() throws {
        let gateway = try gateway("- {times: 1, pause: 1ms}")
        defer { gateway.stop() }
        let client = try HTTP2Client(port: gateway.port)
        client.send(GatewayHTTP2Tests.body, on: 1)
        #expect(try client.answer(on: 1).status == 200)
        client.send(GatewayHTTP2Tests.body, on: 3)
        #expect(try client.answer(on: 3).status == 200)
    }

    @Test func `streams that are open when a connection goes away are answered`() throws {
        let gateway = try gateway("- {times: 1, goaway: true}")
        defer { gateway.stop() }
        let client = try HTTP2Client(port: gateway.port)
        let head = HPACKHeaders([
            (":method", "POST"), (":path", "/3/device/cd34"), (":scheme", "http"), ("apns-topic", "a.b"),
        ])
        client.send([.headers(.init(headers: head, endStream: false))], on: 1)
        client.send([.headers(.init(headers: head, endStream: false))], on: 3)
        client.send([.data(.init(data: .byteBuffer(ByteBuffer(string: "{}")), endStream: true))], on: 1)
        #expect(try client.answer(on: 1).status == 200)
        #expect(try client.goAway() == #"{"reason":"Shutdown"}"#)
        client.send([.data(.init(data: .byteBuffer(ByteBuffer(string: "{}")), endStream: true))], on: 3)
        #expect(try client.answer(on: 3).status == 200)
        try client.waitForClose()
    }
}
