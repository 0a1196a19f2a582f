import Foundation
import NIOCore
import NIOHPACK
import Testing

@testable import PushGateway
@testable import PushServices

struct MessageWaitTests {
    private func get(_ path: String) -> String { "GET \(path) HTTP/1.1\r\nHost: localhost\r\n\r\n" }

    @Test func `a wait ends as soon as enough messages match, and holds up nobody`() throws {
        let gateway = try RunningGateway()
        defer { gateway.stop() }
        let (waiting, pushing) = (try HTTP2Client(port: gateway.port), try HTTP2Client(port: gateway.port))
        waiting.send("", path: "/api/v1/messages?wait=300&count=2&outcome=delivered", method: "GET", headers: [], on: 1)
        for (index, token) in ["ab12", "no-token", "cd34"].enumerated() {
            pushing.send(GatewayHTTP2Tests.body, path: "/3/device/\(token)", on: 2 * index + 1)
            _ = try pushing.answer(on: 2 * index + 1)
        }
        let answer = try waiting.answer(on: 1)
        #expect(answer.status == 200)
        let object = try #require(JSONSerialization.jsonObject(with: Data(answer.body)) as? [String: Any])
        #expect(object["complete"] as? Bool == true)
        #expect((object["messages"] as? [[String: Any]])?.map { $0["id"] as? Int } == [1, 3])
    }

    @Test func `messages that are there already count, and those up to a given one do not`() throws {
        let gateway = try RunningGateway()
        defer { gateway.stop() }
        let client = try HTTP2Client(port: gateway.port)
        client.send(GatewayHTTP2Tests.body, on: 1)
        _ = try client.answer(on: 1)
        client.send("", path: "/api/v1/messages?wait=300", method: "GET", headers: [], on: 3)
        #expect(try client.answer(on: 3).text.contains(#""complete":true"#))
        client.send("", path: "/api/v1/messages?wait=10ms&after=1", method: "GET", headers: [], on: 5)
        let late = try client.answer(on: 5)
        #expect(late.status == 200)
        #expect(late.text.hasPrefix(#"{"messages":[],"complete":false,"#), "\(late.text)")
        #expect(late.text.contains(#""next":"/api/v1/messages?after=1&limit=100""#), "\(late.text)")
    }

    @Test func `the end of a wait gives what there is`() throws {
        let gateway = try RunningGateway()
        defer { gateway.stop() }
        let client = try HTTP2Client(port: gateway.port)
        client.send(GatewayHTTP2Tests.body, on: 1)
        _ = try client.answer(on: 1)
        client.send("", path: "/api/v1/messages?wait=1ms&count=2", method: "GET", headers: [], on: 3)
        let answer = try client.answer(on: 3)
        #expect(answer.text.contains(#""complete":false"#))
        #expect(answer.text.contains(#""id":1,"#))
    }

    @Test func `the gateway's end is the end of each wait`() throws {
        let gateway = try RunningGateway()
        let client = try RawClient(port: gateway.port)
        try client.send(get("/api/v1/messages?wait=300"))
        let other = try HTTP2Client(port: gateway.port)
        other.send("", path: "/api/v1/messages?wait=300", method: "GET", headers: [], on: 1)
        // Its answer shows that the gateway has both: the requests of a connection are in order, and it is on the second one.
        other.send("", path: "/api/v1/health", method: "GET", headers: [], on: 3)
        _ = try other.answer(on: 3)
        try gateway.waitForPending(2)
        gateway.stop()
        #expect(try client.textUntilClose().contains(#""complete":false"#))
        #expect(try other.answer(on: 1).text.contains(#""complete":false"#))
    }

    @Test func `too many waits are refused, and those of clients that are gone do not count`() throws {
        let gateway = try RunningGateway()
        defer { gateway.stop() }
        let client = try HTTP2Client(port: gateway.port)
        // So many streams may be open once the client has acknowledged the settings.
        client.send("", path: "/api/v1/health", method: "GET", headers: [], on: 1)
        _ = try client.answer(on: 1)
        for index in 0...APIService.maximumPending {
            client.send("", path: "/api/v1/messages?wait=300", method: "GET", headers: [], on: 2 * index + 3)
        }
        let refused = try client.answer(on: 2 * APIService.maximumPending + 3)
        #expect(refused.status == 503)
        #expect(refused.headers.first(name: "retry-after") != nil)
        try client.channel.close().wait()
        try gateway.waitForPending(0)
        let other = try HTTP2Client(port: gateway.port)
        other.send("", path: "/api/v1/messages?wait=1ms", method: "GET", headers: [], on: 1)
        #expect(try other.answer(on: 1).status == 200)
    }
}

extension RunningGateway {
    /// Asks the gateway until so many clients wait or have a stream.
    func waitForPending(_ count: Int) throws {
        let client = try HTTP2Client(port: port)
        var stream = 1
        while true {
            client.send("", path: "/metrics", method: "GET", headers: [], on: stream)
            let text = try client.answer(on: stream).text
            let numbers = ["waits", "streams"].map { name in
                text.split(separator: "\n").first { $0.hasPrefix("pushpipe_api_\(name) ") }.flatMap {
                    Int($0.split(separator: " ").last ?? "")
                }
            }
            if numbers.compactMap(\.self).reduce(0, +) == count { return }
            stream += 2
        }
    }
}
