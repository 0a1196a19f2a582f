import CheckEcho
import Foundation
import ServiceExtension
import Testing
import UserNotifications

@Suite(.serialized) struct CheckEchoTests {
    private static let ping =
        #"{"data":{"type":"checkEchoV1"},"aps":{"alert":"checkEchoV1","thread-id":"checkEchoV1","mutable-content":1}}"#

    private func deliver(_ answer: String?) async throws -> (ServiceExtensionResult, badge: Int) {
        let file = FileManager.default.temporaryDirectory.appendingPathComponent("\(UUID()).json")
        try answer.map { try Data($0.utf8).write(to: file) }
        defer { try? FileManager.default.removeItem(at: file) }
        let harness = ServiceExtensionHarness {
            let service = NotificationService()
            service.source = file
            return service
        }
        return (try await harness.deliver(Self.ping), harness.badge)
    }

    @Test func `one message is shown by its header, with badge, thread and level`() async throws {
        let (result, badge) = try await deliver(
            #"{"notifications":[{"id":7,"type":"edit-user-talk","header":"Ada wrote on your talk page"}]}"#)
        #expect(result.content?.body == "Ada wrote on your talk page")
        #expect(result.content?.threadIdentifier == "edit-user-talk")
        #expect(result.content?.interruptionLevel == .timeSensitive)
        #expect(result.content?.userInfo["ids"] as? [Int] == [7])
        #expect(badge == 1)
    }

    @Test func `several messages are counted`() async throws {
        let (result, badge) = try await deliver(
            #"{"notifications":[{"id":7,"type":"mention","header":"a"},{"id":8,"type":"edit-thank","header":"b"}]}"#)
        #expect(result.content?.body == "2 new messages")
        #expect(result.content?.interruptionLevel == .passive)
        #expect(badge == 2)
    }

    @Test func `without an answer the ping is not shown as it is`() async throws {
        let (result, badge) = try await deliver(nil)
        #expect(result.outcome == .modified)
        #expect(result.content?.body == "New activity on the wiki")
        #expect(badge == 0)
    }
}
