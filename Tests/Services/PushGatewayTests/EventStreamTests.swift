import Foundation
import NIOCore
import Testing

@testable import PushGateway
@testable import PushServices

struct EventStreamTests {
    private func get(_ path: String, _ headers: String...) -> String {
        (["GET \(path) HTTP/1.1", "Host: localhost"] + headers).joined(separator: "\r\n") + "\r\n\r\n"
    }

    /// The body of an answer in chunks.
    private func unchunked(_ text: String) throws -> String {
        let parts = text.components(separatedBy: "\r\n\r\n")
        var rest = Substring(parts.dropFirst().joined(separator: "\r\n\r\n"))
        var body = ""
        while let end = rest.range(of: "\r\n"), let count = Int(rest[..<end.lowerBound], radix: 16), count > 0 {
            let bytes = Array(rest[end.upperBound...].utf8)
            body += String(decoding: bytes.prefix(count), as: UTF8.self)
            rest = Substring(decoding: bytes.dropFirst(count + 2), as: UTF8.self)
        }
        return body
    }

    @Test func `each message is an event, over HTTP/1.1 in chunks until the gateway ends`() throws {
        let gateway = try RunningGateway()
        let client = try RawClient(port: gateway.port)
        try client.send(get("/api/v1/events"))
        client.wait(for: "retry: 1000\n\n")
        let sender = try HTTP2Client(port: gateway.port)
        sender.send(GatewayHTTP2Tests.body, on: 1)
        _ = try sender.answer(on: 1)
        client.wait(for: "\"id\":1,")
        gateway.stop()
        let text = try client.textUntilClose()
        #expect(text.hasPrefix("HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\n"), "\(text)")
        #expect(text.contains("\r\ntransfer-encoding: chunked\r\n"))
        #expect(text.hasSuffix("\r\n0\r\n\r\n"))
        let events = try unchunked(text).components(separatedBy: "\n\n")
        #expect(events.first == "retry: 1000")
        let event = try #require(events.dropFirst().first)
        #expect(event.hasPrefix("id: 1\nevent: message\ndata: {\"id\":1,"), "\(event)")
        let data = try Data(#require(event.components(separatedBy: "data: ").last).utf8)
        let message = try JSONSerialization.jsonObject(with: data) as? [String: Any]
        #expect(message?["status"] as? Int == 200)
    }

    @Test func `over HTTP/1.0 a stream ends with the connection`() throws {
        let gateway = try RunningGateway()
        let client = try RawClient(port: gateway.port)
        try client.send("GET /api/v1/events HTTP/1.0\r\nConnection: keep-alive\r\n\r\n")
        client.wait(for: "retry: 1000\n\n")
        gateway.stop()
        let text = try client.textUntilClose()
        #expect(!text.contains("chunked"))
        #expect(text.hasSuffix("retry: 1000\n\n"), "\(text)")
    }

    @Test func `over HTTP/2 a stream ends with the gateway, and others are answered meanwhile`() throws {
        let gateway = try RunningGateway()
        let client = try HTTP2Client(port: gateway.port)
        client.send("", path: "/api/v1/events?after=0&outcome=rejected", method: "GET", headers: [], on: 1)
        for stream in [3, 5] {
            client.send(GatewayHTTP2Tests.body, path: "/3/device/\(stream == 3 ? "ab12" : "no-token")", on: stream)
            _ = try client.answer(on: stream)
        }
        gateway.stop()
        let answer = try client.answer(on: 1)
        #expect(answer.status == 200)
        #expect(answer.text.contains("id: 2\nevent: message\n"), "\(answer.text)")
        #expect(!answer.text.contains("id: 1\n"))
        #expect(answer.parts.last == .data(bytes: 0, endsStream: true))
    }

    @Test func `a client that comes back gets what it has missed, and is told what is lost`() throws {
        let gateway = try RunningGateway(loggedMessages: 3)
        let sender = try HTTP2Client(port: gateway.port)
        for index in 0..<6 {
            sender.send(GatewayHTTP2Tests.body, on: 2 * index + 1)
            _ = try sender.answer(on: 2 * index + 1)
        }
        func events(_ id: String) throws -> String {
            let client = try RawClient(port: gateway.port)
            try client.send(get("/api/v1/events", "Last-Event-ID: \(id)"))
            client.wait(for: "\"id\":6,")
            try client.channel.close().wait()
            return try unchunked(client.textUntilClose() + "\r\n0\r\n\r\n")
        }
        let missed = try events("4")
        #expect(!missed.contains("lost"))
        #expect(missed.components(separatedBy: "event: message").count == 3)
        let lost = try events("1")
        #expect(
            lost.contains("id: 3\nevent: lost\ndata: {\"first\":2,\"last\":3}\n\nid: 4\nevent: message\n"), "\(lost)")
        // An id of an earlier gateway.
        #expect(try events("77").contains("event: lost\ndata: {\"first\":1,\"last\":3}\n\nid: 4\n"))
        gateway.stop()
    }

    @Test func `HEAD is answered at once, over both versions`() throws {
        let gateway = try RunningGateway()
        defer { gateway.stop() }
        let client = try RawClient(port: gateway.port)
        try client.send("HEAD /api/v1/events HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n")
        #expect(try client.textUntilClose().contains("content-type: text/event-stream\r\n"))
        let other = try HTTP2Client(port: gateway.port)
        other.send("", path: "/api/v1/events", method: "HEAD", headers: [], on: 1)
        #expect(try other.answer(on: 1).parts == [.headers(endsStream: true)])
        try gateway.waitForPending(0)
    }

    @Test func `a stream whose client is gone is forgotten`() throws {
        let gateway = try RunningGateway()
        defer { gateway.stop() }
        let clients = try (0..<3).map { _ in try RawClient(port: gateway.port) }
        for client in clients {
            try client.send(get("/api/v1/events"))
            client.wait(for: "retry: 1000\n\n")
        }
        try gateway.waitForPending(3)
        for client in clients { try client.channel.close().wait() }
        try gateway.waitForPending(0)
    }
}
