import Foundation
import ServiceExtensionTesting
import Testing

@testable import NotificationService

@Suite struct NotificationServiceTests {
    /// The first bytes of a PNG file, which is all that the system looks at.
    let png = Data([137, 80, 78, 71, 13, 10, 26, 10, 0, 0, 0, 13, 73, 72, 68, 82])

    @Test func `the picture is on the screen, and the receipt is sent`() async throws {
        let server = try StubServer()
        server.respond(to: "/cranes.png", with: .data(png, type: "image/png"))
        server.respond(to: "/receipts", with: .status(204))
        let harness = ServiceExtensionHarness { NotificationService() }

        let push = PushPayload(title: "Cranes", body: "Two at the lake").badge(2)
            .custom("image-url", server.url("/cranes.png")).custom("receipt-url", server.url("/receipts"))
        let result = try await harness.deliver(push)

        #expect(result.outcome == .modified)
        let receipt = try await server.request { $0.path == "/receipts" }
        #expect(try receipt.decoded(as: [String: Int].self) == ["pictures": 1])
        try harness.screen.assertSnapshot()
    }

    @Test func `a server that never answers costs the picture, and not the notification`() async throws {
        let server = try StubServer()
        server.respond(to: "/cranes.png", with: .never)
        let clock = ManualExtensionClock()
        let harness = ServiceExtensionHarness(clock: clock) { NotificationService() }

        async let pending = harness.deliver(
            PushPayload(body: "Two at the lake").custom("image-url", server.url("/cranes.png")))
        await clock.advance(by: .seconds(30))

        #expect(try await pending.didExpire)
        #expect(harness.screen.notifications.first?.request.content.body == "Two at the lake")
    }
}
