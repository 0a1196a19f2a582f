import Testing

@testable import PushGateway
@testable import PushServices

struct ProtocolDetectorTests {
    static let preface = "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n"

    @Test func `a client of HTTP/2 is recognized by its whole preface, and not earlier`() {
        for length in 1..<Self.preface.utf8.count {
            #expect(ProtocolDetector.detect(Array(Self.preface.utf8.prefix(length)), acceptsTLS: true) == .needsMore)
        }
        #expect(ProtocolDetector.detect(Array(Self.preface.utf8), acceptsTLS: true) == .http2)
        #expect(ProtocolDetector.detect(Array((Self.preface + "rest").utf8), acceptsTLS: true) == .http2)
    }

    @Test(arguments: ["POST /3/device/ab HTTP/1.1\r\n", "P", "PRI * HTTP/1.1\r\n", "\0", "GET"])
    func `anything else is HTTP/1.1 as soon as it differs from the preface`(text: String) {
        let expected: ProtocolDetector.Result = text == "P" ? .needsMore : .http1
        #expect(ProtocolDetector.detect(Array(text.utf8), acceptsTLS: true) == expected)
    }

    @Test func `a handshake is TLS, but not inside of TLS`() {
        #expect(ProtocolDetector.detect([0x16], acceptsTLS: true) == .tls)
        #expect(ProtocolDetector.detect([0x16], acceptsTLS: false) == .http1)
    }

    @Test func `no byte tells nothing`() {
        #expect(ProtocolDetector.detect([UInt8](), acceptsTLS: true) == .needsMore)
    }
}
