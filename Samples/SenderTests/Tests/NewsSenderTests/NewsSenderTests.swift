import NewsSender
import PushpipeTesting
import Testing

@Test func `later news on a subject take the place of earlier ones`() async throws {
    let server = try await PushpipeServer.start()
    var sender = NewsSender(service: server.url, app: "org.example.news")
    try await sender.send("12 of 98 districts", about: "election", to: "ab12")
    try await sender.send("54 of 98 districts", about: "election", to: "ab12")
    #expect(try await server.next { $0.outcome == .delivered }.header("apns-collapse-id") == "election")
    #expect(try await server.next().outcome == .replaced)
    #expect(try await server.screen(of: "ab12").map(\.body) == ["54 of 98 districts"])
    await server.stop()
}

struct Payload: Decodable {
    struct APS: Decodable { var alert: String }

    var aps: APS
}

@Test func `the text is the alert`() async throws {
    let server = try await PushpipeServer.start()
    var sender = NewsSender(service: server.url, app: "org.example.news")
    try await sender.send("12 of 98 districts", about: "election", to: "ab12")
    #expect(try await server.next().decodedPayload(as: Payload.self).aps.alert == "12 of 98 districts")
    await server.stop()
}

@Test func `a dead token is not sent to again`() async throws {
    let server = try await PushpipeServer.start()
    try await server.register(.init("ab12", app: "org.example.news", isUnregistered: true))
    var sender = NewsSender(service: server.url, app: "org.example.news")
    try await sender.send("12 of 98 districts", about: "election", to: "ab12")
    #expect(sender.deadTokens == ["ab12"])
    try await sender.send("54 of 98 districts", about: "election", to: "ab12")
    #expect(server.messages.map(\.status) == [410])
    await server.stop()
}

@Test func `a service that is out of order is an error, and the next attempt succeeds`() async throws {
    let server = try await PushpipeServer.start()
    try await server.setFaults([.init(times: 1, status: 503)])
    var sender = NewsSender(service: server.url, app: "org.example.news")
    await #expect(throws: NewsSender.Refusal(status: 503, reason: "ServiceUnavailable")) {
        try await sender.send("12 of 98 districts", about: "election", to: "ab12")
    }
    try await sender.send("12 of 98 districts", about: "election", to: "ab12")
    #expect(try await server.screen(of: "ab12").map(\.body) == ["12 of 98 districts"])
    await server.stop()
}

@Test func `news for a phone that is offline are shown when it is back`() async throws {
    let server = try await PushpipeServer.start()
    try await server.register(.init("ab12", app: "org.example.news", isOnline: false))
    var sender = NewsSender(service: server.url, app: "org.example.news")
    try await sender.send("12 of 98 districts", about: "election", to: "ab12")
    #expect(try await server.screen(of: "ab12").isEmpty)
    try await server.register(.init("ab12", app: "org.example.news", isOnline: true))
    #expect(try await server.screen(of: "ab12").map(\.body) == ["12 of 98 districts"])
    await server.stop()
}

@Test func `a refusal has APNs' reason`() async throws {
    let server = try await PushpipeServer.start()
    var sender = NewsSender(service: server.url, app: "org.example.news")
    await #expect(throws: NewsSender.Refusal(status: 400, reason: "BadDeviceToken")) {
        try await sender.send("12 of 98 districts", about: "election", to: "not-a-token")
    }
    await server.stop()
}
