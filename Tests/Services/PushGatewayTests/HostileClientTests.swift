import NIOHTTP2
import Testing

@testable import PushGateway
@testable import PushServices

/// Connections that break the rules of HTTP/2 end, and others go on.
struct HostileClientTests {
    /// A frame, as RFC 9113, section 4.1, has it.
    private static func frame(_ type: UInt8, flags: UInt8 = 0, stream: UInt8 = 0, _ payload: [UInt8]) -> [UInt8] {
        [0, UInt8(payload.count >> 8), UInt8(payload.count & 0xFF), type, flags, 0, 0, 0, stream] + payload
    }

    private static let begin = Array(ProtocolDetectorTests.preface.utf8) + frame(4, [])

    /// Each ends the connection: what a limit stops, and what the protocol forbids.
    static let attacks: [(name: String, bytes: [UInt8])] = [
        ("a flood of PING", (0..<1000).flatMap { _ in frame(6, Array(repeating: 0, count: 8)) }),
        ("a flood of SETTINGS", (0..<1000).flatMap { _ in frame(4, []) }),
        ("a PING of five bytes", frame(6, Array(repeating: 0, count: 5))),
        ("SETTINGS on a stream", frame(4, stream: 1, [])),
        ("DATA on a stream that was not opened", frame(0, stream: 1, [1])),
        ("a window of more than 31 bits", frame(8, [0x7F, 0xFF, 0xFF, 0xFF])),
        // Without its end, and then continued for ever.
        (
            "a flood of CONTINUATION",
            frame(1, stream: 1, [0x82]) + (0..<1000).flatMap { _ in frame(9, stream: 1, [0x82]) }
        ),
        ("an index that HPACK does not have", frame(1, flags: 4, stream: 1, [0xFF, 0xFF, 0x03])),
    ]

    @Test(arguments: attacks.indices)
    func `a connection that breaks the rules is closed, and others go on`(index: Int) throws {
        let gateway = try RunningGateway()
        defer { gateway.stop() }
        let other = try HTTP2Client(port: gateway.port)
        other.send(GatewayHTTP2Tests.body, on: 1)
        #expect(try other.answer(on: 1).status == 200)
        let client = try RawClient(port: gateway.port)
        client.send(bytes: Self.begin + Self.attacks[index].bytes)
        // Returns once the gateway has closed it.
        _ = try client.textUntilClose()
        other.send(GatewayHTTP2Tests.body, on: 3)
        #expect(try other.answer(on: 3).status == 200, "\(Self.attacks[index].name)")
    }

    @Test func `a flood of streams that are reset at once ends its connection`() throws {
        var limits = GatewayLimits()
        limits.resetStreams = 50
        let gateway = try RunningGateway(limits)
        defer { gateway.stop() }
        let client = try RawClient(port: gateway.port)
        // GET / over http: entries 2, 4 and 6 of HPACK's static table (RFC 7541, appendix A).
        let resets = (0..<1000).flatMap { number -> [UInt8] in
            let stream = 2 * number + 1
            let id = [UInt8(stream >> 8), UInt8(stream & 0xFF)]
            return [0, 0, 3, 1, 5, 0, 0] + id + [0x82, 0x84, 0x86] + [0, 0, 4, 3, 0, 0, 0] + id + [0, 0, 0, 8]
        }
        client.send(bytes: Self.begin + resets)
        _ = try client.textUntilClose()
    }

    @Test func `streams that are reset after their answers harm nobody`() throws {
        let gateway = try RunningGateway()
        defer { gateway.stop() }
        let client = try HTTP2Client(port: gateway.port)
        // As curl does with each.
        for number in 0..<600 {
            let stream = 2 * number + 1
            client.send(GatewayHTTP2Tests.body, on: stream)
            #expect(try client.answer(on: stream).status == 200)
            client.send([.rstStream(.noError)], on: stream)
        }
        client.send(GatewayHTTP2Tests.body, on: 1201)
        #expect(try client.answer(on: 1201).status == 200)
    }
}
