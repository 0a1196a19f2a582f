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
            #expect(ReasonList.rows(named: word).contains { "\($0.place)" == place }, "\(word)")
        }
    }

    @Test(arguments: TokenFate.allCases) func `the fate of a token is explained`(_ fate: TokenFate) {
        let rows = ReasonList.rows(named: fate.reason.description)
        #expect(rows.map(\.place.description) == [fate.kind.name.description])
    }

    @Test func `a word stands once at a place, and its page exists`() {
        #expect(Set(ReasonList.rows.map { "\($0.word) \($0.place)" }).count == ReasonList.rows.count)
        for page in Set(ReasonList.rows.map(\.page.description)) {
            let file = packageFolder.appendingPathComponent("Documentation/\(page)")
            #expect(FileManager.default.fileExists(atPath: file.path), "\(page)")
        }
    }

    @Test func `a word is suggested, and is not the reason of an answer, but for words that Expo has from FCM`() {
        #expect(ReasonList.word(like: "alert-off") == "alerts-off")
        let answers = ReasonList.rows.filter { !AnswerList.rejections(named: $0.word).isEmpty }
        #expect(answers.map(\.word) == ["MessageTooBig", "MismatchSenderId"])
    }

    @Test(arguments: Rejection.allCases) func `every rejection is found by its reason`(_ rejection: Rejection) {
        let row = rejection.row
        let text = AnswerList.explanation(
            AnswerList.rejections(named: "\(row.reason)"), TextStyle(hasColors: false))
        let source = rejection.source
        #expect(
            text.contains(
                "\(row.speaker), status \(row.status)\n\(source.certainty.rawValue): \(source.text)\n"))
    }

    @Test func `each place of a word has a paragraph`() {
        let text = ReasonList.explanation(ReasonList.rows(named: "throttled"), TextStyle(hasColors: false))
        #expect(text.components(separatedBy: "\n\n").count == 2)
        #expect(text.hasPrefix("throttled: "))
    }
}
