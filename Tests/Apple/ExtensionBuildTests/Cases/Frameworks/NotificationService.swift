import AVFoundation
import Combine
import Contacts
import Intents
import UserNotifications

/// Asks frameworks of what Linux lacks, and writes what they answer.
class NotificationService: UNNotificationServiceExtension {
    private var cancellables = Set<AnyCancellable>()
    /// The first eight bytes of a PNG.
    private let png = Data([0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A])

    override func didReceive(
        _ request: UNNotificationRequest, withContentHandler contentHandler: @escaping (UNNotificationContent) -> Void
    ) {
        guard let content = request.content.mutableCopy() as? UNMutableNotificationContent else { return }
        content.subtitle = [contacts(), film(), predicate(request)].joined(separator: ", ")
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

    private func contacts() -> String {
        guard CNContactStore.authorizationStatus(for: .contacts) != .authorized else { return "authorized" }
        do {
            let predicate = CNContact.predicateForContacts(matching: CNPhoneNumber(stringValue: "+4930"))
            let keys = [
                CNContactGivenNameKey as CNKeyDescriptor, CNContactFormatter.descriptorForRequiredKeys(for: .fullName),
            ]
            return try CNContactStore().unifiedContacts(matching: predicate, keysToFetch: keys).isEmpty
                ? "none" : "some"
        } catch {
            return (error as? CNError)?.code == .authorizationDenied ? "denied" : "\(error)"
        }
    }

    private func film() -> String {
        let file = FileManager.default.temporaryDirectory.appendingPathComponent("film.mp4")
        try? png.write(to: file)
        let generator = AVAssetImageGenerator(asset: AVURLAsset(url: file, options: nil))
        generator.appliesPreferredTrackTransform = true
        do {
            _ = try generator.copyCGImage(at: CMTime(seconds: 1, preferredTimescale: 600), actualTime: nil)
            return "picture"
        } catch {
            return "\((error as NSError).domain) \((error as NSError).code)"
        }
    }

    private func predicate(_ request: UNNotificationRequest) -> String {
        let predicate = NSPredicate(format: "%K == %@ AND count > %d", "bird", "crane", 2)
        return predicate.evaluate(with: request.content.userInfo) ? "matches" : "differs"
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
