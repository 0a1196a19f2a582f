import Foundation
import NIOCore
import NIOEmbedded
import NIOHTTP1
import NIOHTTP2
import PushFaults
import ServiceTestSupport
import Testing

@testable import PushGateway
@testable import PushServices

/// Clients that send requests and do not take the answers.
struct UnreadAnswersTests {
    private static let document = "/api/v1/openapi.json"

    /// The length of the answer that the tests ask for.
    private func length(_ gateway: RunningGateway) throws -> Int {
        let client = try HTTP2Client(port: gateway.port)
        client.send("", path: Self.document, method: "GET", headers: [], on: 1)
        return try client.answer(on: 1).body.count
    }

    private func gateway(_ configure: (inout GatewayLimits) -> Void) throws -> RunningGateway {
        var limits = GatewayLimits()
        configure(&limits)
        return try RunningGateway(limits)
    }

    /// A window of 0 keeps every body in the gateway.
    @Test(arguments: [0, 1])
    func `over HTTP/2, requests wait beyond the limit and no byte before`(_ excess: Int) throws {
        let other = try gateway { _ in }
        let bytes = try length(other)
        other.stop()
        let gateway = try gateway { $0.unreadBytes = bytes - excess }
        defer { gateway.stop() }
        let client = try HTTP2Client(port: gateway.port, window: 0)
        // The window of the connection has room for all of them.
        client.send([.windowUpdate(windowSizeIncrement: 1 << 20)], on: 0)
        client.send("", path: Self.document, method: "GET", headers: [], on: 1)
        #expect(try client.begun(1) == [1])
        client.send(GatewayHTTP2Tests.body, on: 3)
        client.send(GatewayHTTP2Tests.body, on: 5)
        if excess == 0 {
            #expect(try client.answer(on: 3).status == 200)
        } else {
            // Another client is answered meanwhile.
            let other = try HTTP2Client(port: gateway.port)
            other.send(GatewayHTTP2Tests.body, on: 1)
            #expect(try other.answer(on: 1).status == 200)
            #expect(try client.parts(on: 3).isEmpty)
        }
        client.send([.windowUpdate(windowSizeIncrement: bytes)], on: 1)
        #expect(try client.answer(on: 1).body.count == bytes)
        #expect(try client.answer(on: 3).status == 200)
        #expect(try client.answer(on: 5).status == 200)
    }

    @Test func `over HTTP/2, a stream that is reset gives its bytes back`() throws {
        let gateway = try gateway { $0.unreadBytes = 1 }
        defer { gateway.stop() }
        let client = try HTTP2Client(port: gateway.port, window: 0)
        // The window of the connection has room for all of them.
        client.send([.windowUpdate(windowSizeIncrement: 1 << 20)], on: 0)
        client.send("", path: Self.document, method: "GET", headers: [], on: 1)
        #expect(try client.begun(1) == [1])
        client.send("", path: Self.document, method: "GET", headers: [], on: 3)
        client.send(GatewayHTTP2Tests.body, on: 5)
        client.send([.rstStream(.cancel)], on: 3)
        client.send([.rstStream(.cancel)], on: 1)
        #expect(try client.answer(on: 5).status == 200)
    }

    /// Each answer may be long, and nobody knows before how long.
    @Test func `over HTTP/2, long answers are composed one after the other`() throws {
        let gateway = try gateway { $0.unreadBytes = 1 }
        defer { gateway.stop() }
        let client = try HTTP2Client(port: gateway.port, window: 0)
        // The window of the connection has room for all of them.
        client.send([.windowUpdate(windowSizeIncrement: 1 << 20)], on: 0)
        for stream in [1, 3, 5] { client.send("", path: Self.document, method: "GET", headers: [], on: stream) }
        for stream in [1, 3, 5] {
            #expect(try client.begun((stream + 1) / 2).last == stream)
            client.send([.windowUpdate(windowSizeIncrement: 1 << 20)], on: stream)
            #expect(try client.answer(on: stream).status == 200)
        }
    }

    @Test func `over HTTP/2, a client that takes nothing is cut off`() throws {
        let gateway = try gateway {
            $0.unreadBytes = 1
            $0.secondsToTake = 0
        }
        defer { gateway.stop() }
        let client = try HTTP2Client(port: gateway.port, window: 0)
        // The window of the connection has room for all of them.
        client.send([.windowUpdate(windowSizeIncrement: 1 << 20)], on: 0)
        client.send("", path: Self.document, method: "GET", headers: [], on: 1)
        try client.waitForClose()
    }

    @Test func `over HTTP/1.1, no request is begun until the answers before it are taken`() throws {
        let queue = try GatewayQueue(maximumBytes: 1 << 20)
        let channel = EmbeddedChannel()
        let connection = GatewayConnection(ConnectionRegistry(queue, GatewayLimits(), nil), channel, number: 1)
        let handler = HTTP1Handler(connection, upgrade: nil)
        try channel.pipeline.syncOperations.addHandlers([HTTPServerPipelineHandler(), handler])
        for _ in 0..<3 {
            let head = HTTPRequestHead(version: .http1_1, method: .GET, uri: "/", headers: ["host": "localhost"])
            try channel.writeInbound(HTTPServerRequestPart.head(head))
            try channel.writeInbound(HTTPServerRequestPart.end(nil))
        }
        let answer = GatewayAnswer(status: 200, body: Array(repeating: 0, count: 100_000))
        #expect(queue.takeGroup().count == 1)
        handler.send(.whole(answer))
        // There was room for it.
        #expect(queue.takeGroup().count == 1)
        channel.isWritable = false
        channel.pipeline.fireChannelWritabilityChanged()
        handler.send(.whole(answer))
        #expect(queue.takeGroup().isEmpty)
        channel.isWritable = true
        channel.pipeline.fireChannelWritabilityChanged()
        #expect(queue.takeGroup().count == 1)
        handler.send(.whole(answer))
        _ = try? channel.finish(acceptAlreadyClosed: true)
    }

    /// The client leaves before the answer is there, or while a fault delays it.
    @Test(arguments: [true, false])
    func `over HTTP/1.1, a delayed answer counts no more when its client is gone`(isGone: Bool) throws {
        let queue = try GatewayQueue(maximumBytes: 1 << 20)
        let channel = EmbeddedChannel()
        let connection = GatewayConnection(ConnectionRegistry(queue, GatewayLimits(), nil), channel, number: 1)
        let handler = HTTP1Handler(connection, upgrade: nil)
        try channel.pipeline.syncOperations.addHandler(handler)
        let head = HTTPRequestHead(version: .http1_1, method: .GET, uri: "/", headers: ["host": "localhost"])
        try channel.writeInbound(HTTPServerRequestPart.head(head))
        try channel.writeInbound(HTTPServerRequestPart.end(nil))
        #expect(queue.takeGroup().count == 1)
        let unread = UnreadBytes()
        func send() {
            var answer = GatewayAnswer(status: 200, body: Array(repeating: 0, count: UnreadBytes.shortest))
            answer.fault = TransportFault(delayMilliseconds: 3_600_000)
            var batch = ReplyBatch()
            batch.append(Reply(handler, on: channel.eventLoop), .whole(unread.counted(answer)))
            #expect(unread.bytes == UnreadBytes.shortest)
            batch.send()
        }
        if !isGone {
            send()
            channel.embeddedEventLoop.run()
            #expect(unread.bytes == UnreadBytes.shortest)
        }
        try channel.pipeline.syncOperations.removeHandler(handler).wait()
        if isGone {
            send()
            channel.embeddedEventLoop.run()
        }
        #expect(unread.bytes == 0)
        _ = try? channel.finish(acceptAlreadyClosed: true)
    }

    @Test func `over HTTP/1.1, a client that takes nothing in time is cut off`() throws {
        let gateway = try gateway {
            $0.unreadBytes = 1
            $0.secondsToTake = 0
        }
        defer { gateway.stop() }
        let client = try RawClient(port: gateway.port)
        // It learns of the end all the same: requests that the gateway has not read make that a reset.
        try client.channel.setOption(.autoRead, value: false).wait()
        let request = "GET \(Self.document) HTTP/1.1\r\nHost: localhost\r\n\r\n"
        client.send(bytes: Array(String(repeating: request, count: 1000).utf8))
        #expect(try client.textUntilClose().components(separatedBy: "HTTP/1.1 200 OK\r\n").count < 1001)
    }

    @Test func `over HTTP/1.1, a client that reads late gets every answer`() throws {
        let gateway = try gateway { $0.unreadBytes = 1 }
        defer { gateway.stop() }
        let client = try RawClient(port: gateway.port)
        try client.channel.setOption(.autoRead, value: false).wait()
        let request = "GET \(Self.document) HTTP/1.1\r\nHost: localhost\r\n"
        try client.send(String(repeating: request + "\r\n", count: 99) + request + "Connection: close\r\n\r\n")
        try client.channel.setOption(.autoRead, value: true).wait()
        #expect(try client.textUntilClose().components(separatedBy: "HTTP/1.1 200 OK\r\n").count == 101)
    }
}
