import Foundation
import NIOCore
import NIOHTTP2
import PushSystem
import ServiceTestSupport
import Testing

@testable import PushGateway
@testable import PushServices

struct GatewayHTTP1Tests {
    private func request(_ body: String, path: String = "/3/device/ab12", _ headers: String...) -> String {
        let lines =
            ["POST \(path) HTTP/1.1", "Host: localhost", "Content-Length: \(body.utf8.count)", "apns-topic: a.b"]
            + headers
        return lines.joined(separator: "\r\n") + "\r\n\r\n" + body
    }

    private let body = GatewayHTTP2Tests.body

    @Test func `a request over HTTP/1.1 is answered, and the connection goes on`() throws {
        let gateway = try RunningGateway()
        defer { gateway.stop() }
        let client = try RawClient(port: gateway.port)
        try client.send(request(body, "Apns-Id: 0F0E0D0C-1111-2222-3333-444455556666"))
        try client.send(request("[]", path: "/3/device/cd34", "Connection: close"))
        let text = try client.textUntilClose()
        let answers = text.split(separator: "HTTP/1.1 ")
        try #require(answers.count == 2, "\(text)")
        #expect(answers[0].hasPrefix("200 OK\r\n"))
        #expect(answers[0].contains("\r\napns-id: 0F0E0D0C-1111-2222-3333-444455556666\r\n"))
        #expect(answers[0].contains("\r\ncontent-length: 0\r\n"))
        #expect(answers[1].hasPrefix("400 Bad Request\r\n"))
        #expect(answers[1].contains("\r\nconnection: close\r\n"))
        #expect(answers[1].hasSuffix("\r\n\r\n" + #"{"reason":"BadRequestPayload"}"#))
    }

    @Test func `a request may come byte by byte, with its first letters those of HTTP/2`() throws {
        let gateway = try RunningGateway()
        defer { gateway.stop() }
        let client = try RawClient(port: gateway.port)
        for character in request(body, "Connection: close") { try client.send(String(character)) }
        #expect(try client.textUntilClose().hasPrefix("HTTP/1.1 200 OK\r\n"))
    }

    /// Apple, "Sending notification requests to APNs": HTTP/2. curl issue 969 and reactor-netty issue 399 have APNs' answer to HTTP/1.1.
    @Test func `the log says once that APNs does not take HTTP/1.1`() throws {
        let gateway = try RunningGateway()
        defer { gateway.stop() }
        for _ in 0..<2 {
            let client = try RawClient(port: gateway.port)
            try client.send(request(body, "Connection: close"))
            #expect(try client.textUntilClose().hasPrefix("HTTP/1.1 200 OK\r\n"))
        }
        #expect(
            gateway.notes.change { $0 }
                == ["pushpipe: POST /3/device: this request came over HTTP/1.1; APNs accepts only HTTP/2\n"])
    }

    private let upgrade = [
        "Connection: Upgrade, HTTP2-Settings", "Upgrade: h2c", "HTTP2-Settings: AAMAAABkAAQAAP__",
    ]

    @Test func `a request may turn its connection into one of HTTP/2, and is answered on stream 1`() throws {
        let gateway = try RunningGateway()
        defer { gateway.stop() }
        let client = try RawClient(port: gateway.port)
        try client.send(request(body, upgrade[0], upgrade[1], upgrade[2]))
        client.wait(for: "HTTP/1.1 101 Switching Protocols\r\n")
        // The preface and SETTINGS, byte by byte, as RFC 9113, section 3.4, has them.
        for byte in Array(ProtocolDetectorTests.preface.utf8) + [0, 0, 0, 4, 0, 0, 0, 0, 0] {
            client.send(bytes: [byte])
        }
        // HEADERS that end stream 1, with entry 8 of HPACK's static table: `:status: 200` (RFC 7541, appendix A).
        client.wait(for: [1, 5, 0, 0, 0, 1, 0x88])
        #expect(gateway.collector.lines.count == 1)
        #expect(gateway.collector.lines.first?.contains(#""topic":"a.b""#) == true)
        #expect(gateway.notes.change { $0 }.isEmpty)
    }

    @Test func `a body in frames of its own comes with the request that turns to HTTP/2`() throws {
        let gateway = try RunningGateway()
        defer { gateway.stop() }
        let client = try RawClient(port: gateway.port)
        let text = String(repeating: "x", count: 40_000)
        try client.send(request(#"{"aps":{"alert":"\#(text)"}}"#, upgrade[0], upgrade[1], upgrade[2]))
        client.wait(for: "HTTP/1.1 101 ")
        client.send(bytes: Array(ProtocolDetectorTests.preface.utf8) + [0, 0, 0, 4, 0, 0, 0, 0, 0])
        client.wait(for: #"{"reason":"PayloadTooLarge"}"#)
    }

    @Test(arguments: ["Upgrade: websocket", "Upgrade: h2c"])
    func `another protocol is not taken, and the request is answered`(upgrade: String) throws {
        let gateway = try RunningGateway()
        defer { gateway.stop() }
        let client = try RawClient(port: gateway.port)
        // Without settings there is no HTTP/2.
        try client.send(request(body, "Connection: Upgrade", upgrade))
        #expect(try client.textUntilClose().hasPrefix("HTTP/1.1 200 OK\r\n"))
    }

    @Test func `a client that ends its side gets its answer`() throws {
        let gateway = try RunningGateway()
        defer { gateway.stop() }
        let client = try RawClient(port: gateway.port)
        try client.send(request(body))
        try client.endOutput()
        #expect(try client.textUntilClose().hasPrefix("HTTP/1.1 200 OK\r\n"))
    }

    @Test(arguments: [
        "POST /3/device/ab12 HTTP/1.1\r\nContent-Length: 2\r\n\r\n{}", "GET / HTTP/1.1\r\nHost: a\r\nHost: b\r\n\r\n",
    ])
    func `a request needs one host`(text: String) throws {
        let gateway = try RunningGateway()
        defer { gateway.stop() }
        let client = try RawClient(port: gateway.port)
        try client.send(text)
        #expect(try client.textUntilClose().hasPrefix("HTTP/1.1 400 Bad Request\r\n"))
    }

    @Test func `a request that does not come to its end is answered 408`() throws {
        var limits = GatewayLimits()
        limits.secondsToReceive = 0
        let gateway = try RunningGateway(limits)
        defer { gateway.stop() }
        let client = try RawClient(port: gateway.port)
        try client.send("POST /3/device/ab12 HTTP/1.1\r\nHost: a\r\nContent-Length: 100\r\n\r\n{")
        #expect(try client.textUntilClose().hasPrefix("HTTP/1.1 408 Request Timeout\r\n"))
        let other = try RawClient(port: gateway.port)
        try other.send("POST /3/device/ab12 HT")
        #expect(try other.textUntilClose() == "")
    }

    @Test(arguments: ["HTTP://api.push.apple.com/3/device/ab12", "https://localhost:2197/3/device/ab12"])
    func `the target may be a whole address`(target: String) throws {
        let gateway = try RunningGateway()
        defer { gateway.stop() }
        let client = try RawClient(port: gateway.port)
        try client.send(request(body, path: target, "Connection: close"))
        #expect(try client.textUntilClose().hasPrefix("HTTP/1.1 200 OK\r\n"))
    }

    @Test func `what comes after the last request is not read`() throws {
        let gateway = try RunningGateway()
        defer { gateway.stop() }
        let client = try RawClient(port: gateway.port)
        try client.send(request(body, "Connection: close") + request(body))
        let text = try client.textUntilClose()
        #expect(text.split(separator: "HTTP/1.1 ").count == 1, "\(text)")
        #expect(gateway.collector.lines.count == 1)
    }

    @Test func `a header over the limit is refused`() throws {
        var limits = GatewayLimits()
        limits.headerBytes = 500
        let gateway = try RunningGateway(limits)
        defer { gateway.stop() }
        let client = try RawClient(port: gateway.port)
        try client.send(request(body, "X: " + String(repeating: "x", count: 600)))
        #expect(try client.textUntilClose().hasPrefix("HTTP/1.1 400 Bad Request\r\n"))
    }

    @Test func `blanks around a field's value are not part of it`() throws {
        let gateway = try RunningGateway()
        defer { gateway.stop() }
        let client = try RawClient(port: gateway.port)
        try client.send(request(body, "Connection: close", "apns-id: \t 0F0E0D0C-1111-2222-3333-444455556666 \t "))
        let text = try client.textUntilClose()
        #expect(text.contains("\r\napns-id: 0F0E0D0C-1111-2222-3333-444455556666\r\n"), "\(text)")
    }

    @Test func `an idle connection is closed`() throws {
        var limits = GatewayLimits()
        limits.secondsIdle = 0
        let gateway = try RunningGateway(limits)
        defer { gateway.stop() }
        let client = try RawClient(port: gateway.port)
        try client.send(request(body))
        #expect(try client.textUntilClose().hasPrefix("HTTP/1.1 200 OK\r\n"))
    }

    @Test func `bodies that take too much together are answered 503`() throws {
        var limits = GatewayLimits()
        limits.receivingBytes = 10
        let gateway = try RunningGateway(limits)
        defer { gateway.stop() }
        let client = try RawClient(port: gateway.port)
        try client.send(request(body))
        let text = try client.textUntilClose()
        #expect(text.hasPrefix("HTTP/1.1 503 Service Unavailable\r\n"), "\(text)")
        #expect(text.hasSuffix(#"{"reason":"ServiceUnavailable"}"#), "\(text)")
        // What it took is free again.
        let other = try RawClient(port: gateway.port)
        try other.send(request("{}", "Connection: close"))
        #expect(try other.textUntilClose().hasPrefix("HTTP/1.1 200 OK\r\n"))
    }

    @Test func `a client that waits for leave to send its body gets it`() throws {
        let gateway = try RunningGateway()
        defer { gateway.stop() }
        let client = try RawClient(port: gateway.port)
        try client.send(request(body, "Expect: 100-continue", "Connection: close"))
        let text = try client.textUntilClose()
        #expect(text.hasPrefix("HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 200 OK\r\n"), "\(text)")
    }

    @Test func `the answer to HEAD has no body, so that the next one is read`() throws {
        let gateway = try RunningGateway()
        defer { gateway.stop() }
        let client = try RawClient(port: gateway.port)
        try client.send("HEAD /3/device/ab12 HTTP/1.1\r\nHost: localhost\r\n\r\n")
        try client.send(request(body, "Connection: close"))
        let text = try client.textUntilClose()
        #expect(text.hasPrefix("HTTP/1.1 405 Method Not Allowed\r\n"))
        #expect(text.contains("\r\n\r\nHTTP/1.1 200 OK\r\n"), "\(text)")
    }

    @Test(arguments: ["P", "POST /3/device/ab12 HTTP/1.1\r\napns-to"])
    func `a request that has begun does not disturb the end`(_ beginning: String) throws {
        let gateway = try RunningGateway()
        let client = try RawClient(port: gateway.port)
        // The second request has begun when the first is answered, as both come at once.
        try client.send(request(body) + beginning)
        client.wait(for: "content-length: 0\r\n\r\n")
        gateway.stop()
        #expect(try client.textUntilClose().components(separatedBy: "HTTP/1.1 ").count == 2)
    }

    @Test func `what is no HTTP is answered 400 and closed`() throws {
        let gateway = try RunningGateway()
        defer { gateway.stop() }
        let client = try RawClient(port: gateway.port)
        try client.send("\u{1}\u{2}\u{3} nonsense\r\n\r\n")
        #expect(try client.textUntilClose().hasPrefix("HTTP/1.1 400 Bad Request\r\n"))
    }

    @Test func `a body that goes on for ever is answered and cut off`() throws {
        var limits = GatewayLimits()
        limits.bodyBytes = 1024
        limits.discardedBytes = 4096
        let gateway = try RunningGateway(limits)
        defer { gateway.stop() }
        let client = try RawClient(port: gateway.port)
        try client.send("POST /3/device/ab12 HTTP/1.1\r\nHost: a\r\nContent-Length: 1000000\r\n\r\n")
        try client.send(String(repeating: "x", count: 5000))
        let text = try client.textUntilClose()
        #expect(text.hasPrefix("HTTP/1.1 413 "), "\(text)")
        #expect(text.hasSuffix(#"{"reason":"PayloadTooLarge"}"#), "\(text)")
    }

    @Test func `records have a larger limit, and the answer to a longer body says so`() throws {
        var limits = GatewayLimits()
        limits.recordsBodyBytes = 2 << 20
        let gateway = try RunningGateway(limits)
        defer { gateway.stop() }
        func answer(_ count: Int) throws -> String {
            let line = #"{"device":"ab12","headers":{"apns-topic":"a.b"},"payload":{"aps":{"alert":"Hi"}}}"# + "\n"
            let lines = String(repeating: line, count: count)
            let client = try RawClient(port: gateway.port)
            try client.send(
                "POST /api/v1/records HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\nContent-Length: \(lines.utf8.count)\r\n\r\n"
            )
            try client.send(lines)
            return try client.textUntilClose()
        }
        // 80 KiB and 1.6 MiB.
        for count in [1000, 20_000] {
            let text = try answer(count)
            #expect(text.hasPrefix("HTTP/1.1 200 "), "\(text.prefix(200))")
            #expect(text.components(separatedBy: #""outcome":"delivered""#).count > 1000)
        }
        let refused = try answer(30_000)
        #expect(refused.hasPrefix("HTTP/1.1 413 "), "\(refused.prefix(200))")
        #expect(refused.contains("send several requests"))
    }

    @Test func `a connection over the limit is closed, and the others go on`() throws {
        var limits = GatewayLimits()
        limits.connections = 1
        let gateway = try RunningGateway(limits)
        defer { gateway.stop() }
        let client = try HTTP2Client(port: gateway.port)
        client.send(body, on: 1)
        #expect(try client.answer(on: 1).status == 200)
        #expect(try RawClient(port: gateway.port).textUntilClose() == "")
        client.send(body, on: 3)
        #expect(try client.answer(on: 3).status == 200)
    }

    @Test func `a message has the address that it came from`() throws {
        let gateway = try RunningGateway()
        defer { gateway.stop() }
        let sender = try RawClient(port: gateway.port)
        try sender.send("POST /3/device/ab12 HTTP/1.1\r\nHost: a\r\nConnection: close\r\nContent-Length: 2\r\n\r\n{}")
        _ = try sender.textUntilClose()
        let client = try RawClient(port: gateway.port)
        try client.send("GET /api/v1/messages HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n")
        #expect(try client.textUntilClose().contains(#""path":"/3/device/ab12","client":"127.0.0.1","status":400"#))
    }
}
