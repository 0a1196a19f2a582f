import PushModel
import PushReports
import PushText
import Testing

@testable import PushCommand

/// The words that `pushpipe explain` knows.
struct KnownWordsTests {
    private static func text(_ words: String, columns: Int? = nil) -> String {
        let (rejections, rows) = KnownWords.meanings(of: words)
        return WordList.text(rejections, rows, TextStyle(hasColors: false, columns: columns))
    }

    @Test func `every word of every table is found, in at least two lines no wider than the terminal`() {
        #expect(KnownWords.rows.count > 400)
        for word in Set(KnownWords.spellings) {
            let text = Self.text(word, columns: 100)
            let lines = text.split(separator: "\n")
            #expect(lines.count >= 2 && lines.allSatisfy { !$0.hasSuffix(": ") }, "\(word)")
            // An address stays whole, so that it can be copied.
            let wide = lines.filter { $0.count > 100 && !$0.contains("://") }
            #expect(wide.isEmpty, "\(word): \(wide)")
        }
        for row in KnownWords.rows { #expect(!row.explanation.isEmpty && !row.place.isEmpty && !row.page.isEmpty) }
    }

    @Test func `each row is among the meanings of its word, unless that is a reason of a service`() {
        for row in KnownWords.rows {
            let (rejections, rows) = KnownWords.meanings(of: row.word)
            #expect(!rejections.isEmpty || rows.contains { $0.place == row.place }, "\(row.place) \(row.word)")
        }
    }

    /// Words of Apple's, Google's and Expo's documents, and of pushpipe's own events and configuration.
    @Test(arguments: [
        ("apns-topic", "headers.apns-topic"), ("apns-collapse-id", "headers.apns-collapse-id"),
        ("apns-channel-id", "headers.apns-channel-id"), ("aps.badge", "aps.badge"), ("thread-id", "aps.thread-id"),
        ("input-push-token", "aps.input-push-token"), ("title-loc-key", "alert.title-loc-key"),
        ("voip", "apns-push-type"), ("collapse_key", "google.firebase.fcm.v1.AndroidConfig.collapse_key"),
        ("collapse_key", "gcm.collapse_key"), ("channelId", "expo.channelId"), ("previews", "event"),
        ("authorization", "event"), ("channels", "event"), ("levels", "event"), ("start_token", "event"),
        ("state", "event"), ("force-quit", "state"), ("sns", "format"), ("fcm", "format"), ("apns-voip", "budget"),
        ("input.at", "input.at"), ("SERVICE_DISABLED", "FCM"), ("PERMISSION_DENIED", "FCM"),
        ("messaging/invalid-payload", "FCM"), ("cloudmessaging.messages.create", "FCM"),
        ("status", "report"), ("limit", "report"), ("replaces", "report"),
        ("identifier", "report"),
        ("per-file", "lint.per-file"), ("lint.severity", "lint.severity"),
        ("PRIORITY_MAX", "google.firebase.fcm.v1.AndroidNotification.notification_priority"),
    ])
    func `a name is found where it stands`(word: String, place: String) {
        #expect(KnownWords.meanings(of: word).rows.contains { $0.place == place }, "\(Self.text(word))")
    }

    @Test(arguments: [
        ("     4  silent    apns    085b364f…c0f2  52/4096    200 background", ["silent", "background"], []),
        (#"{"seq":1,"outcome":"suppressed","status":200,"reason":"doze"}"#, ["suppressed"], []),
        ("7  held  apns  ab12  21/4096  doze", ["held", "doze"], []),
        ("    10  rejected  apns  234c1bec…b987  5288/4096  413 PayloadTooLarge", ["rejected"], ["PayloadTooLarge"]),
        (#"{"outcome":"delivered","status":200,"identifier":"push-1"}"#, ["delivered"], []),
        (#"{"outcome":"delivered","quiet":"focus","extension":"modified"}"#, ["delivered", "focus", "modified"], []),
        ("1  delivered apns    ab12  21/4096    push-1  BadTopic", ["delivered"], []),
    ])
    func `of a line of a report, outcome and reason are explained`(
        _ line: String, _ words: [String], _ answers: [String]
    ) {
        let (rejections, rows) = KnownWords.meanings(of: line)
        #expect(Set(rows.map(\.word)) == Set(words))
        #expect(Set(rejections.map { "\($0.reason)" }).isSuperset(of: answers) && rejections.isEmpty == answers.isEmpty)
    }

    @Test(arguments: [
        ("400 BadDeviceToken", ["BadDeviceToken"]), (#"{"reason":"BadDeviceToken"}"#, ["BadDeviceToken"]),
        ("BADTOPIC:", ["BadTopic"]), ("\"BadTopic\"", ["BadTopic"]),
        (
            "messaging/registration-token-not-registered: Requested entity was not found.",
            ["NotRegistered", "UNREGISTERED"]
        ),
        ("The registration token is not a valid FCM registration token", ["INVALID_ARGUMENT"]),
        ("error: the registration token is not a valid FCM registration token!", ["INVALID_ARGUMENT"]),
        ("PERMISSION_DENIED", ["SENDER_ID_MISMATCH"]), ("HTTP 413", ["PayloadTooLarge"]),
        ("413 Payload Too Large", ["PayloadTooLarge"]), ("the device token is 413 bytes", []),
        (
            #"{"error":{"code":403,"message":"SenderId mismatch","status":"PERMISSION_DENIED"}}"#,
            ["SENDER_ID_MISMATCH"]
        ),
        ("nothing known", []),
    ])
    func `the known words of a line are found`(line: String, reasons: [String]) {
        #expect(KnownWords.meanings(of: line).rejections.map(\.reason) == reasons)
    }

    /// Sentences of Google's access control, which `serve` answers with: see `GoogleAccess.Denial`.
    @Test(arguments: [
        "Request had insufficient authentication scopes.",
        "Permission 'cloudmessaging.messages.create' denied on resource '//cloudresourcemanager.googleapis.com/projects/p' (or it may not exist).",
    ])
    func `a sentence of the gateway is found in its answer`(sentence: String) {
        let rows = KnownWords.meanings(of: #"{"error":{"message":"\#(sentence)"}}"#).rows
        #expect(rows.contains { sentence.hasPrefix($0.word) })
    }

    @Test(arguments: [
        ("BadDeviceToken", "api.sandbox.push.apple.com"), ("ExpiredProviderToken", "20 to 60 minutes"),
        ("InvalidProviderToken", "ES256"), ("Unregistered", "delete the token"), ("UNREGISTERED", "delete the token"),
        ("DeviceNotRegistered", "delete the token"), ("TooManyRequests", "wait"), ("QUOTA_EXCEEDED", "wait"),
        ("MissingTopic", "bundle identifier"), ("SENDER_ID_MISMATCH", "service account"),
        ("THIRD_PARTY_AUTH_ERROR", "APNs key"), ("PayloadTooLarge", "shorten"),
    ])
    func `a refusal says what to do`(reason: String, advice: String) {
        let line = Self.text(reason).split(separator: "\n").first { $0.hasPrefix("What to do: ") }
        #expect(line?.contains(advice) == true, "\(Self.text(reason))")
    }

    @Test(arguments: [
        ("badge", "aps.badge-type"), ("apns-topic", "apns.missing-topic"), ("loc-args", "alert.loc-args-type"),
    ])
    func `the rules about a name are found`(name: String, rule: String) {
        #expect(KnownWords.rules(about: name).contains { "\($0)" == rule })
    }
}
