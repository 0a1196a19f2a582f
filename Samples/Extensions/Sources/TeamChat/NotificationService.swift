import Intents
import UserNotifications

/// Turns a message into a communication notification with the sender's name and picture, and the group's name.
public class NotificationService: UNNotificationServiceExtension {
    public override func didReceive(
        _ request: UNNotificationRequest, withContentHandler contentHandler: @escaping (UNNotificationContent) -> Void
    ) {
        let userInfo = request.content.userInfo
        guard let sender = userInfo["sender"] as? [String: Any], let id = sender["id"] as? String else {
            contentHandler(request.content)
            return
        }
        let avatar = (sender["avatar"] as? String).flatMap(URL.init(string:)).flatMap { INImage(url: $0) }
        let person = INPerson(
            personHandle: INPersonHandle(value: id, type: .unknown),
            nameComponents: nil,
            displayName: sender["name"] as? String,
            image: avatar,
            contactIdentifier: nil,
            customIdentifier: id,
            isMe: false,
            suggestionType: .none
        )
        let members = userInfo["members"] as? [String] ?? []
        let intent = INSendMessageIntent(
            recipients: members.map(Self.member),
            outgoingMessageType: .outgoingMessageText,
            content: request.content.body,
            speakableGroupName: (userInfo["group"] as? String).map { INSpeakableString(spokenPhrase: $0) },
            conversationIdentifier: userInfo["conversation"] as? String,
            serviceName: nil,
            sender: person,
            attachments: nil
        )
        if let avatar = avatar { intent.setImage(avatar, forParameterNamed: \.sender) }

        let interaction = INInteraction(intent: intent, response: nil)
        interaction.direction = .incoming
        interaction.donate { error in
            if let error = error { NSLog("no donation: %@", error.localizedDescription) }
            contentHandler((try? request.content.updating(from: intent)) ?? request.content)
        }
    }

    private static func member(_ id: String) -> INPerson {
        INPerson(
            personHandle: INPersonHandle(value: id, type: .unknown), nameComponents: nil, displayName: nil, image: nil,
            contactIdentifier: nil, customIdentifier: id)
    }
}
