import Combine
import Intents
import UserNotifications

/// Merges publishers, and has an intent name the sender.
class NotificationService: UNNotificationServiceExtension {
    private var cancellables = Set<AnyCancellable>()
    /// The first eight bytes of a PNG.
    private let png = Data([0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A])

    override func didReceive(
        _ request: UNNotificationRequest, withContentHandler contentHandler: @escaping (UNNotificationContent) -> Void
    ) {
        guard let content = request.content.mutableCopy() as? UNMutableNotificationContent else { return }
        let person = INPerson(
            personHandle: INPersonHandle(value: "ada", type: .unknown), nameComponents: nil, displayName: "Ada",
            image: INImage(imageData: png), contactIdentifier: nil, customIdentifier: nil)
        let intent = INSendMessageIntent(
            recipients: nil, outgoingMessageType: .outgoingMessageText, content: nil, speakableGroupName: nil,
            conversationIdentifier: nil, serviceName: nil, sender: person, attachments: nil)
        publish { text in
            content.body = text
            contentHandler((try? content.updating(from: intent)) ?? content)
        }
    }

    private func publish(_ done: @escaping (String) -> Void) {
        let numbers = PassthroughSubject<Int, Never>()
        numbers
            .combineLatest(Just("n"))
            .map { "\($1)\($0)" }
            .merge(with: Just("first"))
            .collect()
            .delay(for: .milliseconds(1), scheduler: RunLoop.main)
            .receive(on: RunLoop.main)
            .sink { done($0.sorted().joined(separator: " ")) }
            .store(in: &cancellables)
        numbers.send(1)
        numbers.send(2)
        numbers.send(completion: .finished)
    }
}
