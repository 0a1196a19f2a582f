import Foundation
import Intents
import Testing
import UserNotifications

// Inside the other suite, whose tests run one at a time, because donations belong to the process.
extension TeamChatTests {
    /// The module itself, where an extension could notice a difference from Apple's.
    @Suite struct IntentsTests {
        private static func person(_ name: String?, _ components: PersonNameComponents? = nil) -> INPerson {
            INPerson(
                personHandle: INPersonHandle(value: "+4930", type: .phoneNumber, label: .work),
                nameComponents: components,
                displayName: name, image: nil, contactIdentifier: nil, customIdentifier: nil, isMe: false,
                suggestionType: .none)
        }

        private static func message(from sender: INPerson?) -> INSendMessageIntent {
            INSendMessageIntent(
                recipients: nil, outgoingMessageType: .outgoingMessageText, content: "Hi", speakableGroupName: nil,
                conversationIdentifier: nil, serviceName: nil, sender: sender, attachments: nil)
        }

        private static var content: UNMutableNotificationContent {
            let content = UNMutableNotificationContent()
            content.title = "Title"
            content.body = "Body"
            content.userInfo = ["id": 7]
            return content
        }

        @Test func `a person without a display name shows name components, then the handle`() {
            var components = PersonNameComponents()
            components.nickname = "Countess"
            #expect(Self.person("Ada", components).displayName == "Ada")
            #expect(Self.person(nil, components).displayName == "Countess")
            components.givenName = "Ada"
            components.familyName = "Lovelace"
            #expect(Self.person(nil, components).displayName == "Ada Lovelace")
            #expect(Self.person(nil).displayName == "+4930")
        }

        @Test func `every initialiser keeps what it is given`() {
            let handle = INPersonHandle(value: "ada@example.org", type: .emailAddress)
            let alias = INPersonHandle(value: "ada", type: .unknown)
            let aliased = INPerson(
                personHandle: handle, nameComponents: nil, displayName: nil, image: nil, contactIdentifier: "c",
                customIdentifier: "u", aliases: [alias], suggestionType: .instantMessageAddress)
            #expect(aliased.aliases == [alias] && aliased.suggestionType == .instantMessageAddress)
            #expect(aliased.contactIdentifier == "c" && aliased.customIdentifier == "u" && !aliased.isMe)
            let me = INPerson(
                personHandle: handle, nameComponents: nil, displayName: nil, image: nil, contactIdentifier: nil,
                customIdentifier: nil, isMe: true)
            #expect(me.isMe && me.personHandle == handle)
            let suggested = INPerson(
                personHandle: handle, nameComponents: nil, displayName: nil, image: nil, contactIdentifier: nil,
                customIdentifier: nil, isContactSuggestion: true, suggestionType: .socialProfile)
            #expect(suggested.isContactSuggestion && suggested.suggestionType == .socialProfile)
        }

        @Test func `a sender is the title, and everything else stays`() throws {
            let updated = try Self.content.updating(from: Self.message(from: Self.person("Ada")))
            #expect(updated.title == "Ada")
            #expect(updated.body == "Body" && updated.userInfo["id"] as? Int == 7)
            #expect(updated is UNMutableNotificationContent)
        }

        @Test func `a group is one by the number of its recipients, too`() throws {
            let intent = INSendMessageIntent(
                recipients: nil, outgoingMessageType: .outgoingMessageText, content: "Hi",
                speakableGroupName: INSpeakableString(spokenPhrase: "Engines"), conversationIdentifier: nil,
                serviceName: nil, sender: Self.person("Ada"), attachments: nil)
            #expect(try Self.content.updating(from: intent).subtitle.isEmpty)
            let metadata = INSendMessageIntentDonationMetadata()
            metadata.recipientCount = 2
            intent.donationMetadata = metadata
            #expect(try Self.content.updating(from: intent).subtitle == "Engines")
        }

        @Test func `without a sender the title stays`() throws {
            #expect(try Self.content.updating(from: Self.message(from: nil)).title == "Title")
        }

        @Test func `whoever calls is the title`() throws {
            let call = INStartCallIntent(
                callRecordFilter: nil, callRecordToCallBack: nil, audioRoute: .unknown, destinationType: .normal,
                contacts: [Self.person("Ada")], callCapability: .videoCall)
            #expect(try Self.content.updating(from: call).title == "Ada")
        }

        private final class Own: NSObject, UNNotificationContentProviding {}

        @Test func `an object of the app's own is refused`() {
            #expect(throws: UNError(.contentProvidingObjectNotAllowed)) { try Self.content.updating(from: Own()) }
        }

        @Test func `a copy of an intent does not change with it`() throws {
            let intent = Self.message(from: Self.person("Ada"))
            intent.setImage(INImage(named: "a"), forParameterNamed: \.sender)
            let copy = try #require(intent.copy() as? INSendMessageIntent)
            intent.setImage(INImage(imageData: Data([1])), forParameterNamed: \.sender)
            #expect(copy.image(forParameterNamed: \.sender) == INImage(named: "a"))
            #expect(copy.sender == intent.sender && copy.content == "Hi")
        }

        @Test func `donations are deleted by identifier, by group, and all at once`() async throws {
            try await INInteraction.deleteAll()
            for number in 1...4 {
                let interaction = INInteraction(intent: Self.message(from: nil), response: nil)
                interaction.identifier = "\(number)"
                interaction.groupIdentifier = number > 2 ? "late" : nil
                try await interaction.donate()
            }
            try await INInteraction.delete(with: ["1", "unknown"])
            #expect(INInteraction.donations.map(\.identifier) == ["2", "3", "4"])
            try await INInteraction.delete(with: "late")
            #expect(INInteraction.donations.map(\.identifier) == ["2"])
            try await INInteraction.deleteAll()
            #expect(INInteraction.donations.isEmpty)
        }
    }
}
