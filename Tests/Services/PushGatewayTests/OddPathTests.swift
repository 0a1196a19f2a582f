import NIOCore
import NIOHPACK
import NIOHTTP2
import ServiceTestSupport
import Testing

@testable import PushGateway
@testable import PushServices

/// Paths that no URL has, and other header blocks that are wrong. Sources: pushy's mock server, `ValidatingPushNotificationHandler`: what
/// follows `/3/device/` and is not a token is `BadDeviceToken`, nothing is `MissingDeviceToken`, and another path `BadPath`; RFC 9113,
/// sections 8.2 and 8.3.
struct OddPathTests {
    @Test(arguments: [
        ("/3/device/ab cd", 400, "BadDeviceToken"), ("/3/device/ ", 400, "BadDeviceToken"),
        ("/3/device/ab12 ", 400, "BadDeviceToken"), ("/3/device/<ab12 cd34>", 400, "BadDeviceToken"),
        ("/3/device/\u{0}", 400, "BadDeviceToken"), ("/3/device/ab\r\n12", 400, "BadDeviceToken"),
        ("/3/device/ab\t12", 400, "BadDeviceToken"), ("/3/device/ab\u{7F}", 400, "BadDeviceToken"),
        ("/3/device/é", 400, "BadDeviceToken"), ("/3/device/ab%2012", 400, "BadDeviceToken"),
        ("/3/device/%61b12", 400, "BadDeviceToken"), ("/3/device/\"\\", 400, "BadDeviceToken"),
        ("/3/device/ab12?x=1", 400, "BadDeviceToken"), ("/3/device/", 400, "MissingDeviceToken"),
        ("/3/device/ab12/ cd", 404, "BadPath"), ("/3/dev ice/ab12", 404, "BadPath"), ("/3/device", 404, "BadPath"),
        (" /3/device/ab12", 404, "BadPath"),
    ])
    func `a token with odd bytes in the path is answered, and the connection goes on`(
        path: String, status: Int, reason: String
    ) throws {
        let gateway = try RunningGateway()
        defer { gateway.stop() }
        let client = try HTTP2Client(port: gateway.port)
        client.send(GatewayHTTP2Tests.body, path: path, on: 1)
        let answer = try client.answer(on: 1)
        #expect(answer.status == status)
        #expect(answer.text == #"{"reason":"\#(reason)"}"#)
        client.send(GatewayHTTP2Tests.body, on: 3)
        #expect(try client.answer(on: 3).status == 200)
        let isPush = path.hasPrefix("/3")
        #expect(gateway.collector.lines.count == (isPush ? 2 : 1))
        if isPush { #expect(gateway.collector.lines.first?.contains(#""outcome":"rejected""#) == true) }
    }

    private static let pseudo = [(":method", "POST"), (":scheme", "http"), (":path", "/3/device/ab12")]

    @Test(arguments: [
        pseudo + [("X-Test", "a")], pseudo + [("x test", "a")], pseudo + [("x-test", "a\u{0}")],
        pseudo + [("x-test", "a\r\nb")], pseudo + [("connection", "close")], pseudo + [("te", "gzip")],
        pseudo + [(":status", "200")], pseudo + [(":test", "a")], [("x-test", "a")] + pseudo,
        pseudo + [(":path", "/3/device/ab12")], Array(pseudo.dropFirst()), Array(pseudo.dropLast()),
        [(":method", "PO ST")] + pseudo.dropFirst(), pseudo + [(":authority", "a b")],
        [(":method", "CONNECT")] + pseudo.dropFirst(), pseudo.dropLast() + [(":path", "")],
    ]) func `any other malformed header block resets its stream`(fields: [(String, String)]) throws {
        let gateway = try RunningGateway()
        defer { gateway.stop() }
        let client = try HTTP2Client(port: gateway.port)
        client.send([.headers(.init(headers: HPACKHeaders(fields), endStream: true))], on: 1)
        #expect(try client.answer(on: 1).parts == [.reset(code: HTTP2ErrorCode.protocolError.networkCode)])
        client.send(GatewayHTTP2Tests.body, on: 3)
        #expect(try client.answer(on: 3).status == 200)
    }

    @Test func `trailers have no pseudo-headers`() throws {
        let gateway = try RunningGateway()
        defer { gateway.stop() }
        let client = try HTTP2Client(port: gateway.port)
        for (stream, trailer) in [(1, "x-sum"), (3, ":path")] {
            let head = HPACKHeaders(Self.pseudo + [("apns-topic", "a.b")])
            client.send(
                [
                    .headers(.init(headers: head, endStream: false)),
                    .data(.init(data: .byteBuffer(ByteBuffer(string: GatewayHTTP2Tests.body)))),
                    .headers(.init(headers: [trailer: "/"], endStream: true)),
                ], on: stream)
            #expect(try client.answer(on: stream).status == (stream == 1 ? 200 : nil))
        }
        #expect(gateway.collector.lines.count == 1)
    }
}
