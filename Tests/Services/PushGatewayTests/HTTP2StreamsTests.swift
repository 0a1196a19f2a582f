import ServiceTestSupport
import Testing

@testable import PushGateway
@testable import PushServices

struct HTTP2StreamsTests {
    /// RFC 9113, section 6.9.1: a window is at most 2³¹ - 1, and may be negative.
    @Test(arguments: [
        (window: 100, increment: nil), (window: 51, increment: nil), (window: 50, increment: 50),
        (window: 0, increment: 100), (window: -10, increment: 110), (window: 200, increment: nil),
    ])
    func `a window is opened again once half of it is used`(window: Int, increment: Int?) {
        #expect(HTTP2Streams.increment(of: window, to: 100) == increment)
    }

    @Test func `an increment fits its frame`() {
        #expect(HTTP2Streams.increment(of: -Int(Int32.max), to: 100) == Int(Int32.max))
    }

    @Test func `bodies may be longer than both windows`() throws {
        let gateway = try RunningGateway()
        defer { gateway.stop() }
        let client = try HTTP2Client(port: gateway.port)
        // Read to their ends, and dropped: a stream's window is 64 KiB, and that of the connection 1 MiB.
        let body = String(repeating: "x", count: 900_000)
        for stream in [1, 3] {
            client.send(body, on: stream)
            #expect(try client.answer(on: stream).status == 413)
        }
    }
}
