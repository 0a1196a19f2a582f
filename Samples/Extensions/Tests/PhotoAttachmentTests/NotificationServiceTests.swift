import Foundation
import PhotoAttachment
import ServiceExtension
import Testing
import UserNotifications

@Suite(.serialized) struct PhotoAttachmentTests {
    /// The first bytes of a PNG file, which is all that the type check reads.
    private static let png = Data([0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A, 0, 0, 0, 13, 0x49, 0x48, 0x44, 0x52])

    private static func push(_ server: LoopbackServer) -> String {
        #"{"aps":{"alert":"Photo of the day","mutable-content":1},"attachment-url":"http://127.0.0.1:\#(server.port)/cranes.png"}"#
    }

    @Test func `the picture is attached`() async throws {
        let harness = ServiceExtensionHarness { NotificationService() }
        let result = try await harness.deliver(Self.push(LoopbackServer(body: Self.png)))
        #expect(result.content?.attachments.map(\.identifier) == ["photo"])
        #expect(result.content?.attachments.first?.type == "public.png")
    }

    @Test func `an answer that is no picture leaves the text alone`() async throws {
        let harness = ServiceExtensionHarness { NotificationService() }
        let server = try LoopbackServer(status: "404 Not Found", body: Data("<html>".utf8))
        let result = try await harness.deliver(Self.push(server))
        #expect(result.outcome == .modified)
        #expect(result.content?.attachments.isEmpty == true)
    }

    @Test func `a server that never answers costs the picture, and not the notification`() async throws {
        let clock = ManualExtensionClock()
        let harness = ServiceExtensionHarness(clock: clock) { NotificationService() }
        let server = try LoopbackServer(body: nil)
        async let pending = harness.deliver(Self.push(server))
        await clock.advance(by: .seconds(30))
        let result = try await pending
        #expect(result.didExpire)
        #expect(result.content?.body == "Photo of the day")
    }
}
