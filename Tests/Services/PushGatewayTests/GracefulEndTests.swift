import NIOHTTP2
import PushFaults
import ServiceTestSupport
import Testing

@testable import PushGateway
@testable import PushServices

/// A connection that goes away answers what it has taken, refuses the rest, and lets its client read all of it. RFC 9113, section 6.8.
struct GracefulEndTests {
    /// Frames of a client, and of a server. RFC 9113, section 4.1.
    private struct Frame: Equatable {
        var type: UInt8
        var flags: UInt8 = 0
        var stream: UInt8 = 0
        var payload: [UInt8] = []

        static let (data, headers, reset, ping, goAway): (UInt8, UInt8, UInt8, UInt8, UInt8) = (0, 1, 3, 6, 7)

        var bytes: [UInt8] {
            [0, UInt8(payload.count >> 8), UInt8(payload.count & 0xFF), type, flags, 0, 0, 0, stream] + payload
        }

        /// The whole frames that begin a text of bytes.
        static func all(in bytes: [UInt8]) -> [Frame] {
            var frames: [Frame] = []
            var rest = bytes[...]
            while rest.count >= 9 {
                let start = rest.startIndex
                let length = Int(rest[start + 1]) << 8 | Int(rest[start + 2])
                guard rest.count >= 9 + length else { break }
                let payload = Array(rest[(start + 9)..<(start + 9 + length)])
                frames.append(
                    Frame(type: rest[start + 3], flags: rest[start + 4], stream: rest[start + 8], payload: payload))
                rest = rest.dropFirst(9 + length)
            }
            return frames
        }

        /// Of GOAWAY or a reset.
        var code: UInt32? {
            guard type == Self.goAway || type == Self.reset else { return nil }
            let start = type == Self.goAway ? 4 : 0
            return payload[start..<(start + 4)].reduce(0) { $0 << 8 | UInt32($1) }
        }

        /// Of GOAWAY.
        var lastStream: UInt32 { payload.prefix(4).reduce(0) { $0 << 8 | UInt32($1) } }
    }

    private static let begin = Array(ProtocolDetectorTests.preface.utf8) + Frame(type: 4).bytes

    /// The head of a push, without its end. RFC 7541: entries 3 and 6 of the static table, and fields as texts.
    private static func head(on stream: UInt8) -> [UInt8] {
        func field(_ name: String, _ value: String) -> [UInt8] {
            [0, UInt8(name.utf8.count)] + Array(name.utf8) + [UInt8(value.utf8.count)] + Array(value.utf8)
        }
        let block: [UInt8] = [0x83, 0x86] + field(":path", "/3/device/ab12") + field("apns-topic", "a.b")
        return Frame(type: Frame.headers, flags: 4, stream: stream, payload: block).bytes
    }

    private static func body(on stream: UInt8) -> [UInt8] {
        Frame(type: Frame.data, flags: 1, stream: stream, payload: Array(GatewayHTTP2Tests.body.utf8)).bytes
    }

    /// Waits for a frame.
    private func wait(for client: RawClient, _ isWanted: (Frame) -> Bool) -> Frame? {
        let bytes = client.bytes { Frame.all(in: $0).contains(where: isWanted) }
        return Frame.all(in: bytes).first(where: isWanted)
    }

    /// The client has sent these streams before it read that the connection goes away.
    @Test func `what was on its way at the end is answered, and what comes after it is refused`() throws {
        let gateway = try RunningGateway()
        let client = try RawClient(port: gateway.port)
        client.send(bytes: Self.begin + Self.head(on: 1))
        // SETTINGS of the client are acknowledged, so that the stream is open.
        _ = wait(for: client) { $0.type == 4 && $0.flags == 1 }
        gateway.beginStop()
        let ping = try #require(wait(for: client) { $0.type == Frame.ping })
        client.send(bytes: Self.head(on: 3) + Self.body(on: 3))
        #expect(wait(for: client) { $0.stream == 3 }?.type == Frame.headers)
        client.send(bytes: Frame(type: Frame.ping, flags: 1, payload: ping.payload).bytes)
        let last = wait(for: client) { $0.type == Frame.goAway && $0.lastStream < 1 << 31 - 1 }
        #expect(last?.lastStream == 3)
        client.send(bytes: Self.head(on: 5) + Self.body(on: 5))
        // REFUSED_STREAM: RFC 9113, section 7.
        #expect(wait(for: client) { $0.stream == 5 }?.code == 7)
        client.send(bytes: Self.body(on: 1))
        let frames = Frame.all(in: try client.bytesUntilClose())
        #expect(frames.contains { $0.type == Frame.headers && $0.stream == 1 })
        #expect(frames.filter { $0.type == Frame.goAway }.map(\.code) == [0, 0])
        gateway.stop()
        #expect(gateway.collector.lines.count == 2)
    }

    /// Clients may write until they have read that the connection goes away. Go's throws away what it has not read once it cannot write.
    @Test func `the gateway stays until a client that had a request on its way has closed`() throws {
        let gateway = try RunningGateway()
        let client = try RawClient(port: gateway.port, allowsHalfClosure: true)
        client.send(bytes: Self.begin + Self.head(on: 1))
        _ = wait(for: client) { $0.type == 4 && $0.flags == 1 }
        gateway.beginStop()
        let ping = try #require(wait(for: client) { $0.type == Frame.ping })
        client.send(bytes: Frame(type: Frame.ping, flags: 1, payload: ping.payload).bytes + Self.body(on: 1))
        client.waitForEnd()
        #expect(!gateway.gateway.server.isQuiet)
        try client.endOutput()
        #expect(Frame.all(in: try client.bytesUntilClose()).contains { $0.type == Frame.headers && $0.stream == 1 })
        gateway.stop()
    }

    /// Its client sent it before it learned of the end.
    @Test func `a request that comes when the gateway takes its connection for a quiet one is answered`() throws {
        let gateway = try RunningGateway()
        let client = try RawClient(port: gateway.port)
        client.send(bytes: Self.begin + Self.head(on: 1))
        _ = wait(for: client) { $0.type == 4 && $0.flags == 1 }
        gateway.gateway.server.endConnections()
        #expect(wait(for: client) { $0.type == Frame.goAway }?.lastStream == 1)
        client.send(bytes: Self.body(on: 1))
        #expect(Frame.all(in: try client.bytesUntilClose()).contains { $0.type == Frame.headers && $0.stream == 1 })
        gateway.stop()
    }

    /// NIO remembers 32 streams that it has reset.
    @Test func `however many streams come too late, those that were taken are answered`() throws {
        let gateway = try RunningGateway(faults: try FaultFile.rules(Array("- {times: 1, goaway: true}".utf8)))
        defer { gateway.stop() }
        let client = try RawClient(port: gateway.port)
        client.send(bytes: Self.begin + Self.head(on: 1) + Self.head(on: 3) + Self.body(on: 3))
        #expect(wait(for: client) { $0.type == Frame.goAway }?.lastStream == 3)
        let late = (2...60).map { UInt8(2 * $0 + 1) }
        client.send(bytes: late.flatMap(Self.head) + late.flatMap(Self.body))
        _ = wait(for: client) { $0.stream == 121 }
        client.send(bytes: Self.body(on: 1))
        let frames = Frame.all(in: try client.bytesUntilClose())
        #expect(frames.filter { $0.type == Frame.reset }.map(\.stream) == late)
        #expect(frames.filter { $0.type == Frame.headers }.map(\.stream).sorted() == [1, 3])
        #expect(frames.filter { $0.type == Frame.goAway }.map(\.code) == [0])
    }

    /// A reset would take the answer and the frame back.
    @Test(arguments: [true, false])
    func `what a client still sends when a connection went away is read`(overHTTP2: Bool) throws {
        let gateway = try RunningGateway(faults: try FaultFile.rules(Array("- goaway: true".utf8)))
        defer { gateway.stop() }
        let client = try RawClient(port: gateway.port, allowsHalfClosure: true)
        let request = "POST /3/device/ab12 HTTP/1.1\r\nhost: a\r\napns-topic: a.b\r\ncontent-length: 2\r\n\r\n{}"
        client.send(bytes: overHTTP2 ? Self.begin + Self.head(on: 1) + Self.body(on: 1) : Array(request.utf8))
        client.waitForEnd()
        // The second of these would fail on a connection that was reset.
        for _ in 0..<50 { try client.send(String(repeating: "x", count: 16 << 10)) }
        try client.endOutput()
        let bytes = try client.bytesUntilClose()
        if overHTTP2 {
            #expect(Frame.all(in: bytes).contains { $0.type == Frame.headers && $0.stream == 1 })
            #expect(Frame.all(in: bytes).contains { $0.type == Frame.goAway && $0.code == 0 })
        } else {
            #expect(String(decoding: bytes, as: UTF8.self).contains("connection: close"))
        }
    }

    @Test func `a client that acknowledges nothing is told at the end which streams were answered`() throws {
        let gateway = try RunningGateway()
        let client = try RawClient(port: gateway.port)
        client.send(bytes: Self.begin + Self.head(on: 1) + Self.body(on: 1))
        #expect(wait(for: client) { $0.stream == 1 }?.type == Frame.headers)
        gateway.stop()
        let frames = Frame.all(in: try client.bytesUntilClose())
        #expect(frames.filter { $0.type == Frame.goAway }.map(\.lastStream) == [UInt32(Int32.max), 1])
    }

    @Test func `a request of HTTP/1.1 that has begun at the end is answered, and what follows is read`() throws {
        let gateway = try RunningGateway()
        let client = try RawClient(port: gateway.port, allowsHalfClosure: true)
        // The server says so once it has read the head.
        let head = "POST /3/device/ab12 HTTP/1.1\r\nhost: a\r\napns-topic: a.b\r\nexpect: 100-continue\r\n"
        try client.send(head + "content-length: 2\r\n\r\n")
        client.wait(for: "100 Continue")
        let other = try HTTP2Client(port: gateway.port)
        // A connection that has said nothing yet has no protocol in which to say goodbye.
        other.send(GatewayHTTP2Tests.body, on: 1)
        #expect(try other.answer(on: 1).status == 200)
        gateway.beginStop()
        #expect(try other.goAway() == #"{"reason":"Shutdown"}"#)
        try client.send("{}")
        client.waitForEnd()
        for _ in 0..<50 { try client.send(String(repeating: "x", count: 16 << 10)) }
        try client.endOutput()
        #expect(try client.textUntilClose().contains("HTTP/1.1 200"))
        gateway.stop()
    }
}
