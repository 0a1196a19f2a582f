import Foundation
import PushpipeTesting
import Testing

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

struct PushpipeServerTests {
    /// Sends a push, and returns the status of the answer.
    @discardableResult
    private func send(
        _ body: String = #"{"aps":{"alert":{"title":"Hi"}}}"#, to token: String = "ab12", through server: PushpipeServer
    ) async throws -> Int? {
        var request = URLRequest(url: server.url.appendingPathComponent("3/device/\(token)"))
        request.httpMethod = "POST"
        request.setValue("org.example.app", forHTTPHeaderField: "apns-topic")
        request.httpBody = Data(body.utf8)
        let (_, response) = try await URLSession.shared.data(for: request)
        return (response as? HTTPURLResponse)?.statusCode
    }

    @Test func `a message that has arrived is returned once, with all that there is to it`() async throws {
        let server = try await PushpipeServer.start()
        #expect(try await send(through: server) == 200)
        #expect(try await send(to: "not-a-token", through: server) == 400)
        let refused = try await server.next { $0.status == 400 }
        #expect(refused.reason == "BadDeviceToken")
        #expect(refused.path == "/3/device/not-a-token")
        let push = try await server.next()
        #expect(push.id == 1)
        #expect(push.outcome == "delivered")
        #expect(push.device == "ab12")
        #expect(push.app == "org.example.app")
        #expect(push.header("apns-topic") == "org.example.app")
        #expect(push.text == #"{"aps":{"alert":{"title":"Hi"}}}"#)
        #expect(push.report.first?.identifier == "push-1")
        await #expect(throws: PushpipeServer.NotReceived.self) { try await server.next(within: .milliseconds(1)) }
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
        let error = await #expect(throws: PushpipeServer.NotReceived.self) {
            try await server.next(where: { $0.status == 200 }, within: .milliseconds(1))
        }
        #expect(error?.description.contains("POST /3/device/not-a-token 400 BadDeviceToken") == true)
        await server.stop()
    }

    @Test func `waits end with the server, and when they are cancelled`() async throws {
        let server = try await PushpipeServer.start()
        let cancelled = Task { try await server.next(within: .seconds(300)) }
        cancelled.cancel()
        await #expect(throws: CancellationError.self) { try await cancelled.value }
        let waiting = Task { try await server.next(within: .seconds(300)) }
        await server.stop()
        await #expect(throws: PushpipeServer.NotReceived.self) { try await waiting.value }
        await server.stop()
        #expect(await server.screen(of: "ab12").isEmpty)
        await #expect(throws: PushpipeServer.NotReceived.self) { try await server.add(records: "{}") }
    }

    @Test func `screens, events and resets are those of the server alone`() async throws {
        let (server, other) = (try await PushpipeServer.start(), try await PushpipeServer.start())
        #expect(server.url != other.url)
        try await send(through: server)
        #expect(await server.screen(of: "ab12", app: "org.example.app").first?.title == "Hi")
        #expect(await server.screen(of: "ab12", app: "org.example.other").isEmpty)
        #expect(await other.screen(of: "ab12").isEmpty)
        let lines = try await server.add(
            records: #"{"device":"ab12","app":"org.example.app","event":"tap","identifier":"push-1"}"#)
        #expect(lines.map(\.outcome) == ["applied"])
        #expect(await server.screen(of: "ab12").isEmpty)
        try await server.add(
            records: #"{"event":"device","device":"ab12","app":"org.example.app","unregistered":true}"#)
        #expect(try await send(through: server) == 410)
        await server.reset()
        #expect(server.messages.isEmpty)
        #expect(try await send(through: server) == 200)
        #expect(try await server.next().id == 3)
        await #expect(throws: PushpipeServer.NotReceived.self) { try await server.add(records: " ") }
        await server.stop()
        await other.stop()
    }

    @Test func `options decide which devices are known, and a key that cannot be read is an error`() async throws {
        var options = PushpipeServer.Options()
        options.rejectsUnknownDevices = true
        let server = try await PushpipeServer.start(options)
        #expect(try await send(through: server) != 200)
        await server.stop()
        options.providerKeyPath = "/nowhere/key.p8"
        await #expect(throws: (any Error).self) { try await PushpipeServer.start(options) }
    }
}
