import Foundation
import PushpipeTesting
import Testing

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// Sends a push, and returns the status of the answer.
@discardableResult
func send(
    _ body: String = #"{"aps":{"alert":{"title":"Hi"}}}"#, to token: String = "ab12", through server: PushpipeServer
) async throws -> Int? {
    try await answer(body, to: token, through: server).status
}

/// Sends a push, and returns the answer's status and its header `retry-after`.
func answer(
    _ body: String = #"{"aps":{"alert":{"title":"Hi"}}}"#, to token: String = "ab12", through server: PushpipeServer
) async throws -> (status: Int?, retryAfter: String?) {
    var request = URLRequest(url: server.url.appendingPathComponent("3/device/\(token)"))
    request.httpMethod = "POST"
    request.setValue("org.example.app", forHTTPHeaderField: "apns-topic")
    request.httpBody = Data(body.utf8)
    let response = try await URLSession.shared.data(for: request).1 as? HTTPURLResponse
    return (response?.statusCode, response?.value(forHTTPHeaderField: "retry-after"))
}

/// The failure that a call ends with.
func failure(_ call: () async throws -> some Any) async -> PushpipeServer.Failure? {
    await #expect(throws: PushpipeServer.Failure.self) { _ = try await call() }
}

struct PushpipeServerTests {
    @Test func `a message that has arrived is returned once, with all that there is to it`() async throws {
        let server = try await PushpipeServer.start()
        #expect(try await send(through: server) == 200)
        #expect(try await send(to: "not-a-token", through: server) == 400)
        let refused = try await server.next { $0.status == 400 }
        #expect(refused.reason == "BadDeviceToken")
        #expect(refused.path == "/3/device/not-a-token")
        let push = try await server.next()
        #expect(push.id == 1)
        #expect(push.outcome == .delivered)
        #expect(push.device == "ab12")
        #expect(push.app == "org.example.app")
        #expect(push.header("apns-topic") == "org.example.app")
        #expect(push.text == #"{"aps":{"alert":{"title":"Hi"}}}"#)
        #expect(push.report.first?.identifier == "push-1")
        #expect(push.report.first?.provider == .apns)
        #expect(push.report.map(\.description) == ["delivered"])
        #expect(await failure { try await server.next(within: .milliseconds(1)) }?.code == .notReceived)
        #expect(server.messages.map(\.id) == [1, 2])
        await server.stop()
    }

    @Test func `a wait ends with the message that it is for`() async throws {
        let server = try await PushpipeServer.start()
        async let second = server.next(where: { $0.device == "cd34" }, within: .seconds(300))
        async let first = server.next(where: { $0.device == "ab12" }, within: .seconds(300))
        try await send(to: "ab12", through: server)
        try await send(to: "cd34", through: server)
        #expect(try await first.id == 1)
        #expect(try await second.id == 2)
        await server.stop()
    }

    @Test func `a wait in vain says what arrived instead`() async throws {
        let server = try await PushpipeServer.start()
        try await send(to: "not-a-token", through: server)
        let failure = await failure { try await server.next(where: { $0.status == 200 }, within: .milliseconds(1)) }
        #expect(failure?.code == .notReceived)
        #expect(failure?.description.contains("POST /3/device/not-a-token 400 BadDeviceToken") == true)
        await server.stop()
    }

    @Test func `a wait may ask the server`() async throws {
        let server = try await PushpipeServer.start()
        async let second = server.next(where: { _ in server.messages.count == 2 }, within: .seconds(300))
        try await send(through: server)
        try await send(through: server)
        #expect(try await second.id <= 2)
        await server.stop()
    }

    @Test func `waits end with the server, and when they are cancelled`() async throws {
        let server = try await PushpipeServer.start()
        let cancelled = Task { try await server.next(within: .seconds(300)) }
        cancelled.cancel()
        await #expect(throws: CancellationError.self) { try await cancelled.value }
        let waiting = Task { try await server.next(within: .seconds(300)) }
        await server.stop()
        #expect(await failure { try await waiting.value }?.code == .stopped)
        await server.stop()
    }

    @Test func `a server that has stopped has its messages, and refuses the rest`() async throws {
        let server = try await PushpipeServer.start()
        try await send(through: server)
        await server.stop()
        #expect(server.messages.map(\.outcome) == [.delivered])
        #expect(try await server.next().device == "ab12")
        let failures = [
            await failure { try await server.screen(of: "ab12") }, await failure { try await server.reset() },
            await failure { try await server.add(records: #"{"event":"tap","device":"ab12"}"#) },
            await failure { try await server.register(.init("ab12")) },
            await failure { try await server.setFaults("") }, await failure { try await server.setFaults([]) },
        ]
        #expect(failures.map(\.?.code) == Array(repeating: .stopped, count: 6))
        #expect(failures.first??.description == "screen(of:) needs a running server, and this one has stopped")
    }

    @Test func `screens, events and resets are those of the server alone`() async throws {
        let (server, other) = (try await PushpipeServer.start(), try await PushpipeServer.start())
        #expect(server.url != other.url)
        try await send(through: server)
        #expect(try await server.screen(of: "ab12", app: "org.example.app").first?.title == "Hi")
        #expect(try await server.screen(of: "ab12", app: "org.example.other").isEmpty)
        #expect(try await other.screen(of: "ab12").isEmpty)
        let lines = try await server.add(
            records: #"{"device":"ab12","app":"org.example.app","event":"tap","identifier":"push-1"}"#)
        #expect(lines.map(\.outcome) == [.applied])
        #expect(try await server.screen(of: "ab12").isEmpty)
        try await server.add(
            records: #"{"event":"device","device":"ab12","app":"org.example.app","unregistered":true}"#)
        try await server.setFaults([.init(device: "cd*", status: 503)])
        #expect(try await send(through: server) == 410)
        #expect(try await send(to: "cd34", through: server) == 503)
        try await server.reset()
        #expect(server.messages.isEmpty)
        #expect(try await send(through: server) == 200)
        #expect(try await server.next().id == 4)
        #expect(try await send(to: "cd34", through: server) == 200)
        await server.stop()
        await other.stop()
    }

    @Test func `the badge is what the last push or event has set`() async throws {
        let server = try await PushpipeServer.start()
        let app = "org.example.app"
        #expect(try await server.badge(of: "ab12", app: app) == nil)
        try await send(#"{"aps":{"alert":"Hi","badge":3}}"#, through: server)
        #expect(try await server.badge(of: "ab12", app: app) == 3)
        #expect(try await server.badge(of: "AB12", app: app) == 3)
        #expect(try await server.badge(of: "ab12", app: "org.example.other") == nil)
        try await send(#"{"aps":{"badge":0}}"#, through: server)
        #expect(try await server.badge(of: "ab12", app: app) == 0)
        try await server.reset()
        #expect(try await server.badge(of: "ab12", app: app) == nil)
        await server.stop()
        #expect(await failure { try await server.badge(of: "ab12", app: app) }?.code == .stopped)
    }

    @Test func `options decide which devices are known, and whether requests need a token`() async throws {
        var options = PushpipeServer.Options()
        options.rejectsUnknownDevices = true
        let server = try await PushpipeServer.start(options)
        #expect(try await send(through: server) == 400)
        try await server.register(.init("ab12", app: "org.example.app"))
        #expect(try await send(through: server) == 200)
        options.port = UInt16(try #require(server.url.port))
        #expect(await failure { try await PushpipeServer.start(options) }?.code == .notStarted)
        await server.stop()
        options.rejectsUnknownDevices = false
        options.checksSignature = { _, _ in true }
        let strict = try await PushpipeServer.start(options)
        #expect(try await send(through: strict) == 403)
        await strict.stop()
    }

    @Test(arguments: [(nil, 401), ("Bearer other", 401), ("Bearer secret", 200)] as [(String?, Int)])
    func `requests to Expo need the access token, if there is one`(authorization: String?, status: Int) async throws {
        var options = PushpipeServer.Options()
        options.expoAccessToken = "secret"
        let server = try await PushpipeServer.start(options)
        var request = URLRequest(url: server.url.appendingPathComponent("--/api/v2/push/send"))
        request.httpMethod = "POST"
        request.setValue(authorization, forHTTPHeaderField: "authorization")
        request.httpBody = Data(#"{"to":"ExponentPushToken[a]","title":"Hi"}"#.utf8)
        let response = try await URLSession.shared.data(for: request).1 as? HTTPURLResponse
        #expect(response?.statusCode == status)
        #expect(try await server.next().status == status)
        await server.stop()
    }
}
