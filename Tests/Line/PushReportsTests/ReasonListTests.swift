import AppSimulation
import Foundation
import PushDevices
import PushModel
import PushReports
import PushText
import TestSupport
import Testing

/// The words that `pushpipe explain` has for outcomes that are not plain.
struct ReasonListTests {
    private static let known: [(place: String, words: [String])] = [
        ("suppressed", SuppressionReason.allCases.map(\.row.name.description)),
        ("suppressed", LiveActivities.Refusal.allCases.map(\.name.description)),
        (
            "suppressed",
            [Delivery.tooMany.description, "force-quit", "force-stopped", "channel-off", "extension-filtered"]
        ),
        ("suppressed", TokenLifeCycle.Standing.allCases.compactMap { TokenLifeCycle.silence($0)?.description }),
        ("held", RegistryAnswer.Delay.allCases.map(\.name.description)),
        ("discarded", OfflineStorage.Reason.allCases.map(\.name.description)),
        ("ignored", EventAnswer.Reason.allCases.map(\.name.description)),
        ("quiet", QuietReason.allCases.map(\.rawValue)),
        ("silent", SilenceReason.allCases.map(\.row.name.description)),
        ("outcome", Outcome.allCases.map(\.description)),
        ("extension_not_started", ExtensionObstacle.allCases.map(\.name.description)),
        ("extension", ServiceExtensionOutcome.allCases.map(\.name.description)),
        ("journal", JournalKind.allCases.map(\.name.description)),
        ("event", DeviceEvent.Name.allCases.map(\.rawValue) + ["deleted_messages"]),
        // "Send notifications with Expo's Push API": receipts and errors of requests.
        ("receipt", ["MessageTooBig", "MessageRateExceeded", "MismatchSenderId", "InvalidCredentials"]),
        ("errors", ["PUSH_TOO_MANY_RECEIPTS"]),
    ]

    @Test(arguments: known) func `every reason is explained at its place`(place: String, words: [String]) {
        for word in words {
            #expect(ReasonList.rows.contains { $0.word == word && $0.place == place }, "\(word)")
        }
    }

    @Test(arguments: TokenFate.allCases) func `the fate of a token is explained`(_ fate: TokenFate) {
        let rows = ReasonList.rows.filter { $0.word == fate.reason.description }
        #expect(rows.map(\.place) == [fate.kind.name.description])
    }

    @Test func `a word stands once at a place, and its page exists`() {
        #expect(Set(ReasonList.rows.map { "\($0.word) \($0.place)" }).count == ReasonList.rows.count)
        for page in Set(ReasonList.rows.map(\.page)) {
            let file = packageFolder.appendingPathComponent("Documentation/\(page)")
            #expect(FileManager.default.fileExists(atPath: file.path), "\(page)")
        }
    }

    @Test func `a word is not the reason of an answer, but for words that Expo has from FCM`() {
        let reasons = Set(Rejection.allCases.map(\.reason))
        #expect(ReasonList.rows.map(\.word).filter(reasons.contains) == ["MessageTooBig", "MismatchSenderId"])
    }

    @Test(arguments: Rejection.allCases) func `every rejection is found by its reason`(_ rejection: Rejection) {
        let row = rejection.row
        let found = AnswerList.rejections(named: [rejection.reason])
        #expect(found.contains(rejection) && found.allSatisfy { $0.reason == rejection.reason || $0.isFCM })
        #expect(AnswerList.rejections(named: [rejection.rule]).contains(rejection))
        let text = WordList.text([rejection], [], TextStyle(hasColors: false))
        let source = rejection.source
        #expect(
            text.contains(
                "\(row.speaker), status \(row.status)\n\(source.certainty.rawValue): \(source.text)\n"))
    }

    /// Source: src/messaging/error.ts of firebase-admin-node has the codes of the SDK for those of FCM.
    @Test(arguments: [
        ("InvalidParameters", "invalid-argument"), ("MismatchSenderId", "mismatched-credential"),
        ("Unavailable", "server-unavailable"), ("InternalServerError", "internal-error"),
        ("InvalidRegistration", "invalid-registration-token"), ("NotRegistered", "registration-token-not-registered"),
        ("InvalidPackageName", "invalid-package-name"), ("MessageTooBig", "payload-size-limit-exceeded"),
        ("InvalidDataKey", "invalid-data-payload-key"), ("InvalidTtl", "invalid-options"),
        ("DeviceMessageRateExceeded", "device-message-rate-exceeded"),
        ("TopicsMessageRateExceeded", "topics-message-rate-exceeded"),
        ("InvalidApnsCredential", "third-party-auth-error"), ("UNAUTHENTICATED", "third-party-auth-error"),
        ("INTERNAL", "internal-error"), ("INVALID_ARGUMENT", "invalid-argument"),
        ("QUOTA_EXCEEDED", "message-rate-exceeded"), ("SENDER_ID_MISMATCH", "mismatched-credential"),
        ("THIRD_PARTY_AUTH_ERROR", "third-party-auth-error"), ("UNAVAILABLE", "server-unavailable"),
        ("UNREGISTERED", "registration-token-not-registered"),
    ])
    func `a code of the Firebase Admin SDKs stands for FCM's`(reason: String, code: String) {
        let found = AnswerList.rejections(named: ["messaging/\(code)"])
        #expect(found.contains { $0.reason == reason && $0.row.speaker.description != "apns" })
    }

    @Test func `each place of a word has a paragraph`() {
        let rows = ReasonList.rows.filter { $0.word == "throttled" }
        let text = WordList.text([], rows, TextStyle(hasColors: false))
        #expect(text.components(separatedBy: "\n\n").count == 2)
        #expect(text.hasPrefix("throttled: "))
    }
}

extension Rejection {
    fileprivate var isFCM: Bool { row.speaker.description == "fcm" }
}
