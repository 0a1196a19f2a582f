import Foundation
import PushPipeline
import PushpipeTesting
import Testing

#if os(Linux)
    import RaiseBadge
    import ServiceExtension
    import UserNotifications
#endif

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// Each library does what it is for.
struct LibraryUserTests {
    @Test func `a pipeline delivers a payload`() throws {
        let reports = try Pipeline().process(#"{"aps":{"alert":"Dinner is ready"}}"#)
        #expect(reports.map(\.outcome) == [.delivered])
    }

    #if os(Linux)
        @Test func `an extension runs as on a device`() async throws {
            let harness = ServiceExtensionHarness { NotificationService() }
            _ = try await harness.deliver(#"{"aps":{"alert":"Dinner is ready","badge":2,"mutable-content":1}}"#)
            #expect(harness.delivered.map { $0.request.content.badge } == [3])
        }
    #endif

    @Test func `a sender's push arrives on the phone`() async throws {
        let server = try await PushpipeServer.start()
        var request = URLRequest(url: try #require(URL(string: "\(server.url)/3/device/ab12")))
        request.httpMethod = "POST"
        request.setValue("org.example.news", forHTTPHeaderField: "apns-topic")
        request.httpBody = Data(#"{"aps":{"alert":"Dinner is ready"}}"#.utf8)
        let (_, response) = try await URLSession.shared.data(for: request)
        #expect((response as? HTTPURLResponse)?.statusCode == 200)
        #expect(try await server.next().outcome == .delivered)
        #expect(try await server.screen(of: "ab12").map(\.body) == ["Dinner is ready"])
        await server.stop()
    }
}
