import PushpipeTesting
import Testing

/// Devices, records and faults before a test begins.
struct SetUpTests {
    @Test func `an unknown member is an error that names its record, and the other records took effect`() async throws {
        let server = try await PushpipeServer.start()
        let failure = await failure {
            try await server.add(
                records: """
                    {"event":"device","device":"ab12","app":"org.example.app","unregistered":true}
                    {"event":"device","device":"cd34","app":"org.example.app","unregisterd":true}
                    {"event":"device","device":"ef56","app":"org.example.app","unregistered":true}
                    """)
        }
        #expect(failure?.code == .invalidRecords)
        #expect(
            failure?.description
                == #"record 2: device events have no member "unregisterd"; did you mean "unregistered"?"#)
        #expect(try await send(to: "ab12", through: server) == 410)
        #expect(try await send(to: "cd34", through: server) == 200)
        #expect(try await send(to: "ef56", through: server) == 410)
        await server.stop()
    }

    @Test func `malformed records are errors, each with its place among those of the call`() async throws {
        let server = try await PushpipeServer.start()
        try await server.add(records: #"{"event":"device","device":"ab12"}"#)
        let failure = await failure {
            try await server.add(
                records: #"[{"event":"tap"},{"event":"device","device":"ab12","online":1},{"event":"devise"}]"#)
        }
        #expect(failure?.code == .invalidRecords)
        #expect(
            failure?.description == """
                record 1: a tap event needs "device" (event.missing-member)
                record 2: online must be true or false (event.value)
                record 3: unknown event "devise"; did you mean "device"? (event.unknown)
                """)
        let many = await refusal(of: Array(repeating: "x", count: 7).joined(separator: "\n"), by: server)
        #expect(many?.description.hasSuffix("\nand 2 more") == true)
        #expect(await refusal(of: " \n ", by: server)?.description == "the text has no record")
        await server.stop()
    }

    private func refusal(of records: String, by server: PushpipeServer) async -> PushpipeServer.Failure? {
        await failure { try await server.add(records: records) }
    }

    @Test func `a push that the provider rejects is a line, and no error`() async throws {
        let server = try await PushpipeServer.start()
        let lines = try await server.add(
            records: """
                {"device":"not-a-token","headers":{"apns-topic":"org.example.app"},"payload":{"aps":{"alert":"Hi"}}}
                {"event":"tap","device":"ab12"}
                """)
        #expect(lines.map(\.description) == ["rejected (400 BadDeviceToken)", "ignored (tap no-such-notification)"])
        #expect(server.messages.isEmpty)
        await server.stop()
    }

    @Test func `records have as many bytes as the limit, and not one more`() async throws {
        let server = try await PushpipeServer.start()
        let record = #"{"event":"device","device":"ab12","app":"org.example.app","unregistered":true}"#
        let limit = 1 << 20
        let longest = record + String(repeating: "\n", count: limit - record.utf8.count)
        #expect(
            await refusal(of: longest + "\n", by: server)?.description
                == "the records have 1048577 bytes; at most 1048576 can be added at a time")
        #expect(try await send(through: server) == 200)
        #expect(try await server.add(records: longest).map(\.outcome) == [.applied])
        #expect(try await send(through: server) == 410)
        await server.stop()
    }

    @Test func `more lines than an answer of the API has are all returned`() async throws {
        let server = try await PushpipeServer.start()
        let records = (0..<9_000).map {
            #"{"event":"device","device":"\#(0xab0000 + 2 * $0)","app":"org.example.app"}"#
        }
        #expect(try await server.add(records: records.joined(separator: "\n")).count == records.count)
        await server.stop()
    }

    @Test func `a device is registered with what is given, and keeps the rest`() async throws {
        let server = try await PushpipeServer.start()
        let app = "org.example.app"
        try await server.register(
            .init("ab12", app: app, isOnline: false), .init("cd34", app: app, isUnregistered: true),
            .init("ef56", app: app, authorization: .denied))
        #expect(try await send(to: "ab12", through: server) == 200)
        #expect(try await send(to: "cd34", through: server) == 410)
        #expect(try await send(to: "ef56", through: server) == 200)
        #expect(server.messages.map(\.outcome) == [.held, .rejected, .suppressed])
        #expect(server.messages.map(\.reason) == [nil, "Unregistered", "denied"])
        #expect(try await server.screen(of: "ab12").isEmpty)
        let lines = try await server.register(.init("ab12", isOnline: true))
        #expect(lines.map(\.outcome) == [.applied, .delivered])
        #expect(try await server.screen(of: "ab12").map(\.title) == ["Hi"])
        try await server.register(.init("cd34", isUnregistered: false))
        #expect(try await send(to: "cd34", through: server) == 200)
        await server.stop()
    }

    @Test func `a device has the members of its event`() async throws {
        let server = try await PushpipeServer.start()
        let device = PushpipeServer.Device(
            "token", app: "org.example.app", platform: .android, isOnline: true, isUnregistered: false,
            canonical: "other", authorization: .authorized, appState: .background, topics: ["news"])
        let line = try #require(try await server.register(device).first)
        #expect(line.event == "device")
        #expect(line.device == "token")
        #expect(line.app == "org.example.app")
        #expect(line.outcome == .applied)
        let failure = await failure { try await server.register(.init("ab12"), .init("")) }
        #expect(failure?.description == "record 2: device must not be empty (event.value)")
        #expect(try await server.register([]).isEmpty)
        #expect(try await server.register(["ab12", "cd34"].map { .init($0) }).count == 2)
        await server.stop()
    }

    @Test func `faults reject pushes, as values and as text`() async throws {
        let server = try await PushpipeServer.start()
        try await server.setFaults([
            .init(device: "dead*", reason: "Unregistered"),
            .init(every: 2, status: 503, retryAfter: .milliseconds(4500)),
        ])
        #expect(try await send(to: "dead", through: server) == 410)
        #expect(try await send(through: server) == 200)
        let refused = try await answer(through: server)
        #expect(refused.status == 503)
        #expect(refused.retryAfter == "5")
        try await server.setFaults("- {topic: org.example.*, times: 1, reason: TooManyRequests}")
        #expect(try await send(through: server) == 429)
        #expect(try await send(through: server) == 200)
        try await server.setFaults([
            .init(path: "3/device/ab*", times: 1, delay: .milliseconds(1), ending: .goAway(reason: "Shutdown"))
        ])
        #expect(try await send(through: server) == 200)
        #expect(
            server.messages.map(\.reason) == ["Unregistered", nil, "ServiceUnavailable", "TooManyRequests", nil, nil])
        try await server.setFaults([])
        #expect(try await send(to: "dead", through: server) == 200)
        await server.stop()
    }

    @Test(
        arguments: [
            .goAway(), .goAway(reason: "Shutdown"), .reset(), .reset(code: "REFUSED_STREAM"), .cut, .silence,
            .pause(.seconds(1)),
        ] as [PushpipeServer.Fault.Ending])
    func `an ending is one that the rules have`(_ ending: PushpipeServer.Fault.Ending) async throws {
        let server = try await PushpipeServer.start()
        try await server.setFaults([.init(ending: ending)])
        await server.stop()
    }

    @Test func `a fault that cannot be is an error with its number, and those in force stay`() async throws {
        let server = try await PushpipeServer.start()
        try await server.setFaults([.init(status: 503)])
        let faults: [PushpipeServer.Fault] = [.init(status: 503), .init(status: 404)]
        let wrong = await failure { try await server.setFaults(faults) }
        #expect(wrong?.code == .invalidFaults)
        #expect(wrong?.description == "fault 2: status 404 needs a reason, such as BadDeviceToken")
        let wrongText = await failure { try await server.setFaults("- status: 503\n- {status: 404}") }
        #expect(wrongText?.description == "line 2: status 404 needs a reason, such as BadDeviceToken")
        for fault in [
            .init(), .init(every: 0, status: 503), .init(device: "\"\n", reason: "Nothing"),
            .init(delay: .seconds(-1)), .init(status: 503, retryAfter: .seconds(100_000)),
            .init(ending: .reset(code: "x")),
        ] as [PushpipeServer.Fault] {
            #expect(await failure { try await server.setFaults([fault]) }?.code == .invalidFaults)
        }
        #expect(try await send(through: server) == 503)
        await server.stop()
    }
}
