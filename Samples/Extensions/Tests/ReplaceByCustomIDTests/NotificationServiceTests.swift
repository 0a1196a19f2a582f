import ReplaceByCustomID
import ServiceExtension
import Testing
import UserNotifications

@Suite(.serialized) struct ReplaceByCustomIDTests {
    private static func result(_ counted: Int, headers: Bool = false) -> String {
        #"{"aps":{"alert":{"title":"North-west","body":"\#(counted) of 98 counted"},"mutable-content":1},"custom-payload-id":"nw"}"#
    }

    private static func bodies(_ harness: ServiceExtensionHarness) -> [String] {
        harness.delivered.map { $0.request.content.body }
    }

    @Test func `the custom id removes the earlier notification, and the new one appears beside it`() async throws {
        let harness = ServiceExtensionHarness { NotificationService() }
        _ = try await harness.deliver(Self.result(12))
        let second = try await harness.deliver(Self.result(40))
        #expect(second.removed == ["push-1"])
        #expect(!second.isReplacement)
        #expect(Self.bodies(harness) == ["40 of 98 counted"])
    }

    @Test func `the collapse id replaces in place, and removes nothing`() async throws {
        let harness = ServiceExtensionHarness { NotificationService() }
        let payload = #"{"aps":{"alert":"12 of 98 counted","mutable-content":1}}"#
        _ = try await harness.deliver(payload, headers: ["apns-collapse-id": "nw"])
        let second = try await harness.deliver(payload, headers: ["apns-collapse-id": "nw"])
        #expect(second.isReplacement)
        #expect(second.removed.isEmpty)
        #expect(harness.delivered.count == 1)
    }

    @Test func `a device that takes its time with removals is waited for`() async throws {
        var options = ServiceExtensionHarness.Options()
        options.removal = .lostAfterHandler(.milliseconds(120))
        let harness = ServiceExtensionHarness(options: options) { NotificationService() }
        _ = try await harness.deliver(Self.result(12))
        let second = try await harness.deliver(Self.result(40))
        #expect(second.removed == ["push-1"])
        #expect(second.findings.isEmpty)
        #expect(Self.bodies(harness) == ["40 of 98 counted"])
    }

    @Test func `other notifications stay`() async throws {
        let harness = ServiceExtensionHarness { NotificationService() }
        try harness.place(#"{"aps":{"alert":"Storm warning"},"custom-payload-id":"storm"}"#, identifier: "storm")
        _ = try await harness.deliver(Self.result(12))
        #expect(Self.bodies(harness) == ["Storm warning", "12 of 98 counted"])
    }
}
