import Foundation
import Intents
import ServiceExtension
import TeamChat
import Testing
import UserNotifications

@Suite(.serialized) struct TeamChatTests {
    private func deliver(_ members: String) async throws -> ServiceExtensionResult {
        try await INInteraction.deleteAll()
        return try await ServiceExtensionHarness { NotificationService() }.deliver(
            #"""
            {"aps":{"alert":{"title":"Message","subtitle":"New","body":"Lunch?"},"mutable-content":1},
             "sender":{"id":"ada","name":"Ada","avatar":"https://example.org/ada.png"},
             "group":"Engines","conversation":"c1","members":\#(members)}
            """#)
    }

    @Test func `the sender is the title, and the group the subtitle`() async throws {
        let result = try await deliver(#"["me","charles"]"#)
        #expect(result.content?.title == "Ada")
        #expect(result.content?.subtitle == "Engines")
        #expect(result.content?.body == "Lunch?")
    }

    @Test func `a message to one alone is no group's`() async throws {
        let result = try await deliver(#"["me"]"#)
        #expect(result.content?.title == "Ada")
        #expect(result.content?.subtitle == "New")
    }

    @Test func `the interaction is donated, with the sender's picture`() async throws {
        _ = try await deliver(#"["me"]"#)
        let donation = try #require(INInteraction.donations.first)
        #expect(INInteraction.donations.count == 1)
        #expect(donation.direction == .incoming)
        let intent = try #require(donation.intent as? INSendMessageIntent)
        let avatar = try INImage(url: #require(URL(string: "https://example.org/ada.png")))
        #expect(intent.image(forParameterNamed: \.sender) == avatar)
        #expect(intent.conversationIdentifier == "c1")
    }
}
