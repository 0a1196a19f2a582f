import PushModel
import Testing

@testable import PushLint

/// The linter's suggestions are right: the record that follows a suggestion has no fault, is accepted, and does what was meant.
///
/// Sources of the meanings: Firebase Cloud Messaging HTTP protocol; FCM v1 `projects.messages`; Apple, "Generating a remote notification" and
/// "Sending notification requests to APNs".
struct SuggestionTests {
    private static let legacy: [SuggestionCase] = [
        // Blocks and names of HTTP v1.
        .init(
            #"{"to":"t","android":{"collapse_key":"c"},"data":{"a":"b"}}"#,
            says: #"it belongs in an HTTP v1 message: {"message": {"android": …}}"#,
            #"{"message":{"token":"t","android":{"collapse_key":"c"},"data":{"a":"b"}}}"#,
            gains: "collapse c on android"),
        .init(
            #"{"to":"t","apns":{"payload":{"aps":{"badge":3}}},"notification":{"title":"x"}}"#,
            says: #"{"message": {"apns": …}}"#,
            #"{"message":{"token":"t","apns":{"payload":{"aps":{"badge":3}}},"notification":{"title":"x"}}}"#,
            gains: "badge 3 on ios"),
        .init(
            #"{"to":"t","webpush":{"notification":{"title":"web"}},"data":{"a":"b"}}"#,
            says: #"{"message": {"webpush": …}}"#,
            #"{"message":{"token":"t","webpush":{"notification":{"title":"web"}},"data":{"a":"b"}}}"#,
            gains: "title web on web"),
        .init(
            #"{"to":"t","fcmOptions":{"analytics_label":"l"},"data":{"a":"b"}}"#,
            says: #"{"message": {"fcm_options": …}}"#,
            #"{"message":{"token":"t","fcm_options":{"analytics_label":"l"},"data":{"a":"b"}}}"#,
            gains: "/message/fcm_options"),
        .init(
            #"{"registration_ids":["t"],"token":"u","data":{"a":"b"}}"#,
            says: "this is the HTTP v1 name of the target; use to",
            #"{"to":"u","data":{"a":"b"}}"#, gains: "for u"),
        .init(
            #"{"to":"t","topic":"news","data":{"a":"b"}}"#, says: #"use to, as in "/topics/news""#,
            #"{"to":"/topics/news","data":{"a":"b"}}"#, gains: "for /topics/news"),
        .init(
            #"{"to":"t","topics":"news","data":{"a":"b"}}"#, says: #"use to for a topic, as in "/topics/news""#,
            #"{"to":"/topics/news","data":{"a":"b"}}"#, gains: "for /topics/news"),
        .init(
            #"{"to":"t","registration_id":"u","data":{"a":"b"}}"#, says: "use to for one token",
            #"{"to":"u","data":{"a":"b"}}"#, gains: "for u"),
        .init(
            #"{"to":"t","tokens":["u","v"],"data":{"a":"b"}}"#, says: "use registration_ids for several tokens",
            #"{"registration_ids":["u","v"],"data":{"a":"b"}}"#, gains: "for u", "for v"),
        .init(
            #"{"to":"t","validate_only":true,"data":{"a":"b"}}"#, says: "this is the HTTP v1 name of dry_run",
            #"{"to":"t","dry_run":true,"data":{"a":"b"}}"#, gains: "dry run"),
        .init(
            #"{"to":"t","ttl":"60s","data":{"a":"b"}}"#, says: "HTTP v1 name of time_to_live, a number of seconds",
            #"{"to":"t","time_to_live":60,"data":{"a":"b"}}"#, gains: "kept 60 on android"),
        .init(
            #"{"to":"t","expiry":60,"data":{"a":"b"}}"#, says: "did you mean time_to_live",
            #"{"to":"t","time_to_live":60,"data":{"a":"b"}}"#, gains: "kept 60 on android"),
        .init(
            #"{"to":"t","collapse_id":"c","data":{"a":"b"}}"#, says: "did you mean collapse_key?",
            #"{"to":"t","collapse_key":"c","data":{"a":"b"}}"#, gains: "collapse c on android"),
        .init(
            #"{"to":"t","apns-priority":"5","data":{"a":"b"}}"#, says: "did you mean priority (high or normal)?",
            #"{"to":"t","priority":"normal","data":{"a":"b"}}"#, gains: "/priority"),
        .init(
            #"{"to":"t","package_name":"a.b","data":{"a":"b"}}"#, says: "did you mean restricted_package_name?",
            #"{"to":"t","restricted_package_name":"a.b","data":{"a":"b"}}"#, gains: "/restricted_package_name"),
        // Keys of the notification, and of Apple's payload.
        .init(
            #"{"to":"t","title":"x","data":{"a":"b"}}"#,
            says: "use notification.title for the notification, or data for the app",
            #"{"to":"t","notification":{"title":"x"},"data":{"a":"b"}}"#, gains: "title x on android", "title x on ios"),
        .init(
            #"{"to":"t","sound":"default","notification":{"title":"x"}}"#, says: "use notification.sound",
            #"{"to":"t","notification":{"title":"x","sound":"default"}}"#, gains: "sound"),
        .init(
            #"{"to":"t","clickAction":"OPEN","notification":{"title":"x"}}"#, says: "use notification.click_action",
            #"{"to":"t","notification":{"title":"x","click_action":"OPEN"}}"#, gains: "/notification/click_action"),
        .init(
            #"{"to":"t","alert":"x","data":{"a":"b"}}"#, says: "use notification.body",
            #"{"to":"t","notification":{"body":"x"},"data":{"a":"b"}}"#, gains: "body x on android", "body x on ios"),
        .init(
            #"{"to":"t","thread-id":"g","notification":{"title":"x"}}"#,
            says: "HTTP v1 takes it as message.apns.payload.aps.thread-id",
            #"{"message":{"token":"t","notification":{"title":"x"},"apns":{"payload":{"aps":{"thread-id":"g"}}}}}"#,
            gains: "thread g on ios"),
        // Spellings, and values of the form that the key takes.
        .init(
            #"{"to":"t","content-available":1,"data":{"a":"b"}}"#,
            says: "did you mean content_available (true or false)?",
            #"{"to":"t","content_available":true,"data":{"a":"b"}}"#, gains: "wakes"),
        .init(
            #"{"to":"t","mutableContent":"true","notification":{"title":"x"}}"#,
            says: "did you mean mutable_content (true or false)?",
            #"{"to":"t","mutable_content":true,"notification":{"title":"x"}}"#, gains: "extension"),
        .init(
            #"{"to":"t","collapse-key":"c","data":{"a":"b"}}"#, says: "did you mean collapse_key?",
            #"{"to":"t","collapse_key":"c","data":{"a":"b"}}"#, gains: "collapse c on android"),
        .init(
            #"{"to":"t","time_to_liv":60,"data":{"a":"b"}}"#, says: "did you mean time_to_live",
            #"{"to":"t","time_to_live":60,"data":{"a":"b"}}"#, gains: "kept 60 on android"),
        .init(
            #"{"to":"t","mutable_content":true,"data":{"a":"b"}}"#, says: "add title or body to notification",
            #"{"to":"t","mutable_content":true,"notification":{"title":"x"},"data":{"a":"b"}}"#, gains: "extension"),
    ]

    private static let legacyNotification: [SuggestionCase] = [
        .init(
            #"{"to":"t","notification":{"title":"x","mutable-content":1}}"#,
            says: "it belongs in the request, next to notification, as mutable_content: true",
            #"{"to":"t","mutable_content":true,"notification":{"title":"x"}}"#, gains: "extension"),
        .init(
            #"{"to":"t","notification":{"title":"x","content_available":true}}"#,
            says: "it belongs in the request, next to notification, as content_available",
            #"{"to":"t","content_available":true,"notification":{"title":"x"}}"#, gains: "wakes"),
        .init(
            #"{"to":"t","notification":{"title":"x","priority":"high"}}"#, says: "next to notification, as priority",
            #"{"to":"t","priority":"high","notification":{"title":"x"}}"#, gains: "/priority"),
        .init(
            #"{"to":"t","notification":{"title":"x","priority":10}}"#,
            says: #"next to notification, as priority: "high""#,
            #"{"to":"t","priority":"high","notification":{"title":"x"}}"#, gains: "/priority"),
        .init(
            #"{"to":"t","notification":{"title":"x","collapseKey":"c"}}"#,
            says: "next to notification, as collapse_key",
            #"{"to":"t","collapse_key":"c","notification":{"title":"x"}}"#, gains: "/collapse_key"),
        .init(
            #"{"to":"t","notification":{"title":"x","time-to-live":"60"}}"#,
            says: "next to notification, as time_to_live: 60",
            #"{"to":"t","time_to_live":60,"notification":{"title":"x"}}"#, gains: "kept 60 on android"),
        .init(
            #"{"to":"t","notification":{"title":"x","ttl":"60s"}}"#, says: "as time_to_live (a number of seconds)",
            #"{"to":"t","time_to_live":60,"notification":{"title":"x"}}"#, gains: "kept 60 on android"),
        .init(
            #"{"to":"t","notification":{"title":"x","dry_run":true}}"#, says: "next to notification, as dry_run",
            #"{"to":"t","dry_run":true,"notification":{"title":"x"}}"#, gains: "dry run"),
        .init(
            #"{"to":"t","notification":{"title":"x","data":{"a":"b"}}}"#, says: "next to notification, as data",
            #"{"to":"t","data":{"a":"b"},"notification":{"title":"x"}}"#, gains: "/data/a"),
        .init(
            #"{"to":"t","notification":{"title":"x","text":"y"}}"#, says: "did you mean body?",
            #"{"to":"t","notification":{"title":"x","body":"y"}}"#, gains: "body y on android"),
        .init(
            #"{"to":"t","notification":{"title":"x","channel_id":"c"}}"#, says: "did you mean android_channel_id?",
            #"{"to":"t","notification":{"title":"x","android_channel_id":"c"}}"#,
            gains: "/notification/android_channel_id"),
        .init(
            #"{"to":"t","notification":{"title":"x","imageUrl":"https://a.example/b.png"}}"#,
            says: "did you mean image?",
            #"{"to":"t","notification":{"title":"x","image":"https://a.example/b.png"}}"#, gains: "/notification/image"),
        .init(
            #"{"to":"t","notification":{"title":"x","badge_count":"3"}}"#, says: "did you mean badge?",
            #"{"to":"t","notification":{"title":"x","badge":"3"}}"#, gains: "badge 3 on ios"),
        .init(
            #"{"to":"t","notification":{"title":"x","category":"C"}}"#,
            says: "did you mean click_action (the category on Apple devices)?",
            #"{"to":"t","notification":{"title":"x","click_action":"C"}}"#, gains: "/notification/click_action"),
        .init(
            #"{"to":"t","notification":{"title":"x","loc-key":"K"}}"#, says: "did you mean body_loc_key?",
            #"{"to":"t","notification":{"title":"x","body_loc_key":"K"}}"#, gains: "body K on android"),
        .init(
            #"{"to":"t","notification":{"title":"x","ticker":"y"}}"#,
            says: "HTTP v1 takes it as message.android.notification.ticker",
            #"{"message":{"token":"t","notification":{"title":"x"},"android":{"notification":{"ticker":"y"}}}}"#,
            gains: "/message/android/notification/ticker"),
        .init(
            #"{"to":"t","notification":{"title":"x","threadId":"g"}}"#,
            says: "HTTP v1 takes it as message.apns.payload.aps.thread-id",
            #"{"message":{"token":"t","notification":{"title":"x"},"apns":{"payload":{"aps":{"thread-id":"g"}}}}}"#,
            gains: "thread g on ios"),
        .init(
            #"{"to":"t","notification":{"title":"x","launch-image":"l"}}"#,
            says: "HTTP v1 takes it as message.apns.payload.aps.alert.launch-image",
            #"{"message":{"token":"t","apns":{"payload":{"aps":{"alert":{"title":"x","launch-image":"l"}}}}}}"#,
            gains: "/message/apns/payload/aps/alert/launch-image"),
    ]

    private static let apple: [SuggestionCase] = [
        .init(
            #"{"aps":{"alert":{"body":"x","actions":["a"]}}}"#,
            says: "the buttons come from category, a key of aps",
            #"{"aps":{"alert":{"body":"x"},"category":"A"}}"#, gains: "/aps/category"),
        .init(
            #"{"aps":{"alert":{"title":"x","text":"y"}}}"#, says: "did you mean body?",
            #"{"aps":{"alert":{"title":"x","body":"y"}}}"#, gains: "body y on ios"),
        .init(
            #"{"aps":{"alert":{"body":"x","badge":3}}}"#, says: "badge has an effect only in aps, next to alert",
            #"{"aps":{"alert":{"body":"x"},"badge":3}}"#, gains: "badge 3 on ios"),
        .init(
            #"{"aps":{"alert":{"body":"x","mutableContent":1}}}"#, says: "mutable-content has an effect only in aps",
            #"{"aps":{"alert":{"body":"x"},"mutable-content":1}}"#, gains: "extension"),
        .init(
            #"{"aps":{"alert":{"body":"x","titel":"y"}}}"#, says: "did you mean title?",
            #"{"aps":{"alert":{"body":"x","title":"y"}}}"#, gains: "title y on ios"),
        .init(
            #"{"aps":{"alert":"x","sound":{"critical":true,"name":"a.caf","volume":1}}}"#,
            says: "Apple documents the number 1 for critical",
            #"{"aps":{"alert":"x","sound":{"critical":1,"name":"a.caf","volume":1}}}"#, gains: "level critical on ios"),
        .init(
            #"{"aps":{"alert":"x","sound":{"Critical":1,"name":"a.caf","volume":1}}}"#, says: "did you mean critical?",
            #"{"aps":{"alert":"x","sound":{"critical":1,"name":"a.caf","volume":1}}}"#, gains: "level critical on ios"),
        .init(
            #"{"aps":{"alert":"x","critical":true}}"#,
            says: #""sound": {"critical": 1, "name": "default", "volume": 1}"#,
            #"{"aps":{"alert":"x","sound":{"critical":1,"name":"default","volume":1}}}"#, gains: "level critical on ios"
        ),
        .init(
            #"{"aps":{"alert":"x","sound":{"name":"a.caf"}}}"#, says: "otherwise send a string",
            #"{"aps":{"alert":"x","sound":"a.caf"}}"#),
        .init(
            #"{"aps":{"alert":"x","click_action":"A"}}"#, says: "did you mean category?",
            #"{"aps":{"alert":"x","category":"A"}}"#, gains: "/aps/category"),
        .init(
            #"{"aps":{"alert":{"body":"x","url-args":["a"]}}}"#,
            says: "url-args has an effect only in aps, next to alert",
            #"{"aps":{"alert":{"body":"x"},"url-args":["a"]}}"#, gains: "/aps/url-args"),
        .init(
            #"{"aps":{"alert":"x","targetContentIdentifier":"w"}}"#, says: "did you mean target-content-id?",
            #"{"aps":{"alert":"x","target-content-id":"w"}}"#, gains: "/aps/target-content-id"),
        .init(
            #"{"aps":{"alert":"x","action-loc-key":"K"}}"#, says: "it belongs in alert",
            #"{"aps":{"alert":{"body":"x","action-loc-key":"K"}}}"#, gains: "/aps/alert/action-loc-key"),
        .init(
            #"{"aps":{"alert":"x","thread_identifier":"g"}}"#, says: "did you mean thread-id?",
            #"{"aps":{"alert":"x","thread-id":"g"}}"#, gains: "thread g on ios"),
        .init(
            #"{"aps":{"alert":"x","badgeCount":3}}"#, says: "did you mean badge?",
            #"{"aps":{"alert":"x","badge":3}}"#, gains: "badge 3 on ios"),
        .init(
            #"{"aps":{"title":"y","alert":"x"}}"#, says: #"{"alert": {"title": …}}"#,
            #"{"aps":{"alert":{"title":"y","body":"x"}}}"#, gains: "title y on ios"),
        .init(
            #"{"aps":{"alert":"x","interruption-level":"timeSensitive"}}"#, says: "did you mean time-sensitive?",
            #"{"aps":{"alert":"x","interruption-level":"time-sensitive"}}"#, gains: "level time-sensitive on ios"),
        .init(
            #"{"aps":{"alert":"x"},"content_available":1}"#, says: "use content-available in aps",
            #"{"aps":{"alert":"x","content-available":1}}"#, gains: "wakes"),
        .init(
            #"{"aps":{"alert":"x"},"mutable-content":1}"#, says: "mutable-content has an effect only inside aps",
            #"{"aps":{"alert":"x","mutable-content":1}}"#, gains: "extension"),
        .init(
            Example.request(#""apns-push-type":"alert""#, #"{"aps":{"content-available":1}}"#),
            says: "needs apns-push-type background, not alert, and apns-priority 5",
            Example.request(
                #""apns-push-type":"background","apns-priority":"5""#, #"{"aps":{"content-available":1}}"#),
            gains: "type background on ios", "priority 5 on ios"),
        .init(
            Example.request(#""apns-push-type":"alert""#, #"{"aps":{"content-changed":true}}"#),
            says: "needs apns-push-type widgets or controls",
            Example.request(
                #""apns-push-type":"widgets""#, #"{"aps":{"content-changed":true}}"#,
                topic: "org.example.news.push-type.widgets"), gains: "type widgets on ios"),
        .init(
            request(#""collapse_key":"c""#), says: "did you mean apns-collapse-id?",
            request(#""apns-collapse-id":"c""#),
            gains: "identifier c on ios"),
        .init(
            Example.request(
                #""apns-push-type":"alert""#, #"{"aps":{"alert":"x"},"apns-headers":{"apns-priority":"5"}}"#),
            says: "apns-headers looks like a block of request headers", request(#""apns-priority":"5""#),
            gains: "priority 5 on ios"),
        .init(
            request(#""ttl":"1730761200""#), says: "did you mean apns-expiration (in seconds since 1970)?",
            request(#""apns-expiration":"1730761200""#), gains: "/headers/apns-expiration"),
        .init(
            request(#""priority":"high""#), says: "did you mean apns-priority, which takes 10, 5 or 1?",
            request(#""apns-priority":"10""#), gains: "priority 10 on ios"),
        .init(
            request(#""mutable-content":"1""#), says: "belongs in the payload's aps",
            Example.request(#""apns-push-type":"alert""#, #"{"aps":{"alert":"x","mutable-content":1}}"#),
            gains: "extension"),
    ]

    private static func request(_ header: String) -> String {
        Example.request(#""apns-push-type":"alert",\#(header)"#, #"{"aps":{"alert":"x"}}"#)
    }

    static let all = legacy + legacyNotification + apple + FCMSuggestions.all + GatewaySuggestions.all

    @Test(arguments: all) func `a suggestion leads to a record that does what was meant`(_ row: SuggestionCase) {
        let messages = Linter().lint(row.wrong).filter { $0.rule.id.text != "gcm.switched-off" }.map(\.message)
        #expect(messages.contains { $0.contains(row.says) }, "\(row.wrong): \(messages)")
        let faults = Linter().faults(row.right)
        #expect(faults.isEmpty, "\(row.right): \(faults)")
        let right = Effects(row.right)
        #expect(right.isAccepted, "\(row.right)")
        for gain in row.gains {
            #expect(Effects.has(gain, row.right), "\(row.right) lacks \(gain): \(right.words.sorted())")
            #expect(!Effects.has(gain, row.wrong), "\(row.wrong) has \(gain) already")
        }
    }

    @Test(arguments: all) func `edits make a record that is as good as the one of the row`(_ row: SuggestionCase) {
        let fixed = TextLinter().fix(row.wrong)
        guard fixed.fixed > 0 else { return }
        #expect(Linter().faults(fixed.text).isEmpty, "\(fixed.text)")
        for gain in row.gains { #expect(Effects.has(gain, fixed.text), "\(fixed.text) lacks \(gain)") }
    }

    /// The passing example of a rule is what its words lead to.
    @Test(arguments: Rule.all.filter { $0.scope == .lint }.map(\.id)) func `the advice of a rule is accepted`(
        _ id: RuleID
    ) {
        let rule = id.rule
        #expect(Effects(rule.passing).isAccepted, "\(rule.passing.prefix(300))")
        let fixed = TextLinter().fix(rule.failing)
        guard rule.isFixable, fixed.fixed > 0 else { return }
        #expect(Effects(fixed.text).isAccepted, "\(fixed.text.prefix(300))")
    }

    @Test(arguments: LintCase.all) func `fixing a case of the corpus brings no other error, and no refusal`(
        _ lintCase: LintCase
    ) {
        let fixed = TextLinter().fix(lintCase.record)
        guard fixed.fixed > 0 else { return }
        let known = Set(Linter().lint(lintCase.record).map(\.rule.id))
        let isJSON = !known.contains { $0.text.hasPrefix("json.") }
        let new = fixed.remaining.diagnostics.filter { $0.severity == .error && !known.contains($0.rule.id) }
        #expect(new.isEmpty || !isJSON, "\(fixed.text): \(new)")
        #expect(Effects(fixed.text).isAccepted || !Effects(lintCase.record).isAccepted, "\(fixed.text)")
    }

    /// One letter away from a key, and something else.
    @Test(arguments: [
        #"{"to":"t","date":"today","data":{"a":"b"}}"#, #"{"to":"t","raw_data":"DGv6ra1nlYgDCS1FRnbzlw=="}"#,
        #"{"aps":{"alert":{"body":"x","actions":["a"]}}}"#, #"{"aps":{"alert":"x","events":["a"]}}"#,
        #"{"message":{"topic":"news","date":"today"}}"#,
    ]) func `another word is not taken for a misspelled key`(_ record: String) {
        let messages = Linter().lint(record).map(\.message)
        #expect(!messages.contains { $0.contains("did you mean") }, "\(messages)")
    }
}
