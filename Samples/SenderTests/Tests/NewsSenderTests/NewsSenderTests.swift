import NewsSender
import PushpipeTesting
import Testing

struct NewsSenderTests {
    private let app = "org.example.news"

    @Test func `later news on a subject take the place of earlier ones`() async throws {
        let server = try await PushpipeServer.start()
        var sender = NewsSender(service: server.url, app: app)
        try await sender.send("12 of 98 districts", about: "election", to: "ab12")
        try await sender.send("54 of 98 districts", about: "election", to: "ab12")
        #expect(try await server.next { $0.outcome == "delivered" }.header("apns-collapse-id") == "election")
        #expect(try await server.next().outcome == "replaced")
        #expect(await server.screen(of: "ab12").map(\.body) == ["54 of 98 districts"])
        await server.stop()
    }

    @Test func `a dead token is not sent to again`() async throws {
        let server = try await PushpipeServer.start()
        try await server.add(records: #"{"event":"device","device":"ab12","app":"\#(app)","unregistered":true}"#)
        var sender = NewsSender(service: server.url, app: app)
        try await sender.send("12 of 98 districts", about: "election", to: "ab12")
        #expect(sender.deadTokens == ["ab12"])
        try await sender.send("54 of 98 districts", about: "election", to: "ab12")
        #expect(server.messages.map(\.status) == [410])
        await server.stop()
    }

    @Test func `news for a phone that is offline are shown when it is back`() async throws {
        let server = try await PushpipeServer.start()
        try await server.add(records: #"{"device":"ab12","app":"\#(app)","event":"device","online":false}"#)
        var sender = NewsSender(service: server.url, app: app)
        try await sender.send("12 of 98 districts", about: "election", to: "ab12")
        #expect(await server.screen(of: "ab12").isEmpty)
        try await server.add(records: #"{"device":"ab12","app":"\#(app)","event":"device","online":true}"#)
        #expect(await server.screen(of: "ab12").map(\.body) == ["12 of 98 districts"])
        await server.stop()
    }

    @Test func `a refusal has APNs' reason`() async throws {
        let server = try await PushpipeServer.start()
        var sender = NewsSender(service: server.url, app: app)
        await #expect(throws: NewsSender.Refusal(status: 400, reason: "BadDeviceToken")) {
            try await sender.send("12 of 98 districts", about: "election", to: "not-a-token")
        }
        await server.stop()
    }
}
