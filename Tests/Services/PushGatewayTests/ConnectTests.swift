import Testing

@testable import PushGateway
@testable import PushServices

/// The proxy of RFC 9110, section 9.3.6.
struct ConnectTests {
    private func answer(_ request: String) throws -> String {
        let gateway = try RunningGateway()
        defer { gateway.stop() }
        let client = try RawClient(port: gateway.proxyPort)
        try client.send(request)
        return try client.textUntilClose()
    }

    @Test(arguments: [
        "api.push.apple.com:443", "API.PUSH.APPLE.COM:2197", "fcm.googleapis.com:443", "www.googleapis.com:443",
        "localhost:1",
    ])
    func `a host of a push service leads to the gateway`(host: String) throws {
        let request = "GET /3/device/ab12 HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n"
        let text = try answer("CONNECT \(host) HTTP/1.1\r\nHost: \(host)\r\n\r\n" + request)
        #expect(
            text.hasPrefix("HTTP/1.1 200 Connection established\r\n\r\nHTTP/1.1 405 Method Not Allowed\r\n"), "\(text)")
    }

    @Test func `a client of HTTP/2 gets its answer through the proxy, byte by byte`() throws {
        let gateway = try RunningGateway()
        defer { gateway.stop() }
        let client = try RawClient(port: gateway.proxyPort)
        for character in "CONNECT api.push.apple.com:443 HTTP/1.1\r\n\r\n" { try client.send(String(character)) }
        client.wait(for: "HTTP/1.1 200 Connection established\r\n\r\n")
        // SETTINGS, and GET / over http: entries 2, 4 and 6 of HPACK's static table (RFC 7541, appendix A).
        client.send(
            bytes: Array(ProtocolDetectorTests.preface.utf8) + [0, 0, 0, 4, 0, 0, 0, 0, 0]
                + [0, 0, 3, 1, 5, 0, 0, 0, 1, 0x82, 0x84, 0x86])
        client.wait(for: #"{"reason":"BadPath"}"#)
    }

    @Test(arguments: [
        ("CONNECT example.org:443 HTTP/1.1", "403 Forbidden"), ("CONNECT 127.0.0.1:22 HTTP/1.1", "403 Forbidden"),
        ("CONNECT  HTTP/1.1", "403 Forbidden"), ("GET http://example.org/ HTTP/1.1", "405 Method Not Allowed"),
        ("nonsense", "400 Bad Request"), ("", "400 Bad Request"),
    ])
    func `nothing else is connected to`(line: String, status: String) throws {
        #expect(try answer(line + "\r\n\r\n").hasPrefix("HTTP/1.1 \(status)\r\n"))
    }

    @Test func `a request without an end is cut off`() throws {
        #expect(try answer(String(repeating: "x", count: 9000)).hasPrefix("HTTP/1.1 400 Bad Request\r\n"))
    }
}
