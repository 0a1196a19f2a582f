import Foundation
import PushpipeTesting
import Testing

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// A sender against a push service in the process of its test.
struct GatewayTests {
    /// The sender's own type, which has the name of one of the service's.
    private struct Message {
        var alert: String
        var device = "ab12"

        /// Sends it as a small sender would, and returns the status of the answer.
        func send(to server: PushpipeServer) async throws -> Int? {
            var request = URLRequest(url: server.url.appending(path: "3/device/\(device)"))
            request.httpMethod = "POST"
            request.setValue("org.example.news", forHTTPHeaderField: "apns-topic")
            request.httpBody = Data(#"{"aps":{"alert":"\#(alert)"}}"#.utf8)
            let (_, response) = try await URLSession.shared.data(for: request)
            return (response as? HTTPURLResponse)?.statusCode
        }
    }

    private struct Payload: Decodable, Equatable {
        struct APS: Decodable, Equatable { var alert: String }

        var aps: APS
    }

    @Test func `a push arrives on the phone`() async throws {
        let server = try await PushpipeServer.start()
        #expect(try await Message(alert: "Dinner is ready").send(to: server) == 200)
        // A predicate may use the server.
        let push = try await server.next { $0.outcome == .delivered && server.messages.count == 1 }
        #expect(push.header("apns-topic") == "org.example.news")
        #expect(try push.decodedPayload(as: Payload.self) == Payload(aps: .init(alert: "Dinner is ready")))
        #expect(try await server.screen(of: "ab12").map(\.body) == ["Dinner is ready"])
        await server.stop()
    }

    @Test func `a dead token and a busy service are answered as by Apple`() async throws {
        let server = try await PushpipeServer.start()
        try await server.register(.init("ab12", app: "org.example.news", isUnregistered: true))
        try await server.setFaults([.init(device: "cd34", times: 1, status: 503)])
        #expect(try await Message(alert: "News").send(to: server) == 410)
        #expect(try await Message(alert: "News", device: "cd34").send(to: server) == 503)
        #expect(try await Message(alert: "News", device: "cd34").send(to: server) == 200)
        #expect(server.messages.map(\.reason) == ["Unregistered", "ServiceUnavailable", nil])
        await server.stop()
    }

    @Test func `a typo in the set-up is an error`() async throws {
        let server = try await PushpipeServer.start()
        let failure = await #expect(throws: PushpipeServer.Failure.self) {
            try await server.add(records: #"{"event":"device","device":"ab12","unregisterd":true}"#)
        }
        #expect(failure?.code == .invalidRecords)
        #expect(failure?.description.contains(#"did you mean "unregistered""#) == true)
        await #expect(throws: PushpipeServer.Failure.self) { try await server.add(records: #"{"event":"device""#) }
        await #expect(throws: PushpipeServer.Failure.self) { try await server.setFaults("- {reson: TooManyRequests}") }
        await #expect(throws: PushpipeServer.Failure.self) { try await server.setFaults([.init(device: "ab12")]) }
        await server.stop()
    }

    @Test func `a wait that is in vain says what arrived, and a stopped server has no screens`() async throws {
        let server = try await PushpipeServer.start()
        _ = try await Message(alert: "News").send(to: server)
        let failure = await #expect(throws: PushpipeServer.Failure.self) {
            try await server.next(where: { $0.status == 410 }, within: .milliseconds(1))
        }
        #expect(failure?.code == .notReceived && failure?.description.contains("/3/device/ab12 200") == true)
        await server.stop()
        let stopped = await #expect(throws: PushpipeServer.Failure.self) { try await server.screen(of: "ab12") }
        #expect(stopped?.code == .stopped && server.messages.count == 1)
    }
}
