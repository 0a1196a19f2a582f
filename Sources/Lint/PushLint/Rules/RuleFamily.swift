import PushJSON
import PushModel

/// The rules about one part of a request. Their words, examples, checks and fixes stand together.
///
/// A rule without a check here is reported by the decoder, an emulated service or a run.
protocol RuleFamily {
    /// The rules in any order: the catalogue sorts them by id.
    static var rules: [Rule] { get }
}

/// A family with checks of its own. A value is made for a call, and reports to the run that asks.
protocol RuleCheck: RuleFamily {
    var run: LintRun { get }
}

extension RuleCheck {
    /// Adds a finding to those of the run.
    func report(
        _ rule: Rule, _ message: @autoclosure () -> String, at place: some FindingPlace,
        edits: @autoclosure () -> [TextEdit] = []
    ) { run.report(rule, message(), at: place, edits: edits()) }

    /// Reports a value of the wrong kind, with an edit if only the quotes are wrong.
    func reportKind(_ rule: Rule, _ node: LintNode, _ name: String, expected: String, answer: String = "") {
        report(
            rule, "\(name) must be \(expected), not \(node.kindName)\(answer)", at: node,
            edits: expected == "a string" ? node.quotedNumber : expected == "a number" ? node.bareNumber : [])
    }

    /// Reports what is not an array of strings.
    func checkArguments(_ rule: Rule, _ name: @autoclosure () -> String, _ value: LintNode) {
        guard value.kind == .array else { return reportKind(rule, value, name(), expected: "an array of strings") }
        value.forEachElement { element in
            guard !element.isString else { return }
            report(rule, "\(name()) takes strings, not \(element.kindName)", at: element, edits: element.quotedNumber)
        }
    }
}

/// Parts of the examples that several families use.
enum Example {
    static let token = "00fc13adff785122b4ad28809a3420982341241421348097878e577c991de8f0"
    static let alert = #"{"aps":{"alert":"Polls close at 18:00"}}"#

    /// A long text. `String(repeating:count:)` takes 500 instructions for each repetition, and every start of the linter makes all examples.
    static func repeated(_ unit: String, _ count: Int) -> String {
        let length = unit.utf8.count * count
        var bytes = Array(unit.utf8)
        bytes.reserveCapacity(length)
        while bytes.count < length { bytes += bytes.prefix(length - bytes.count) }
        return String(decoding: bytes, as: UTF8.self)
    }

    /// An envelope. `headers` are members beside the topic.
    static func request(
        _ headers: String, _ payload: String, topic: String = "org.example.news", device: String = token
    ) -> String { #"{"device":"\#(device)","headers":{"apns-topic":"\#(topic)",\#(headers)},"payload":\#(payload)}"# }

    static let alertRequest = request(#""apns-push-type":"alert""#, alert)

    /// An alert with one more header.
    static func alertRequest(_ header: String) -> String { request(#""apns-push-type":"alert","# + header, alert) }

    static let fcmData = fcm(#""data":{"score":"12"}"#)

    static func aps(_ members: String) -> String { #"{"aps":{"# + members + "}}" }
    static func alert(_ members: String) -> String { aps(#""alert":{"# + members + "}") }
    static func fcm(_ message: String) -> String { #"{"message":{"token":"cXwZ9kT3R0m:APA91bHun4","# + message + "}}" }
    static func expo(_ members: String) -> String {
        #"{"to":"ExponentPushToken[xxxxxxxxxxxxxxxxxxxxxx]","# + members + "}"
    }
    static func gcm(_ members: String) -> String { #"{"to":"cXwZ9kT3R0m:APA91bHun4","# + members + "}" }
}

/// Records that cannot be read. The decoder reports them.
enum RecordRules: RuleFamily {
    private static func record(
        _ id: String, _ title: String, _ explanation: String, failing: String, passing: String = Example.alert,
        scope: Rule.Scope = .lint
    ) -> Rule {
        Rule(id, .error, title, explanation, source: .format, failing: failing, passing: passing, scope: scope)
    }

    /// Reported by `JSONRules`, too, for a text that is not JSON.
    static let notText = record(
        "record.not-text", "compressed data, an encoding other than UTF-8, or binary data",
        "Payloads are JSON text in UTF-8. The message says what the first bytes show instead, and how to get the text.",
        failing: "BZh91AY&SY")

    static let payloadType = record(
        "record.payload-type", "a payload that is not a JSON object",
        "The body of a request is one JSON object. In an envelope, payload is an object or a string that contains one.",
        failing: #"{"payload":[{"aps":{"alert":"In an array"}}]}"#,
        passing: #"{"payload":{"aps":{"alert":"As it is"}}}"#)
    static let tooLong = record(
        "record.too-long", "a record larger than input.max-record",
        "The record is skipped, so that a stream without line breaks cannot fill the memory. No push is that large.",
        failing: "", scope: .run)

    static let rules = [
        notText,
        record(
            "record.not-an-object", "a record that is not a JSON object",
            "A provider takes one JSON object per request. run and lint read the elements of an array as records, but a provider does not.",
            failing: #"["In an array"]"#),
        record(
            "record.unknown-shape", "an object in no known format",
            "Nothing says which provider this object is for: it has neither aps nor payload, to, message, APNS or another key of a known format. Say which provider it is for.",
            failing: #"{"title":"National result","text":"4 percent counted"}"#),
        payloadType,
        record(
            "record.nothing-to-send", "a gateway request without a part for any push service",
            "The gateway accepts the request, but sends no push to APNs, GCM or FCM.",
            failing: #"{"MessageStructure":"json","Message":"{\"email\":\"Polls have closed\"}"}"#,
            passing: #"{"MessageStructure":"json","Message":"{\"default\":\"Polls have closed\"}"}"#
        ),
        tooLong,
        Rule(
            "record.unknown-member", .warning, "an unknown envelope member",
            "Besides payload, an envelope has device, headers, provider, refused, budget and answer. Other members are ignored. For example, with token instead of device, the push goes to the default device.",
            source: .format, failing: #"{"token":"\#(Example.token)","payload":\#(Example.alert)}"#,
            passing: #"{"device":"\#(Example.token)","payload":\#(Example.alert)}"#),
        Rule(
            "record.answer", .warning, "a service's answer that cannot be read",
            "run --check-answers compares the answer that a sender received with the one that pushpipe gives. answer takes a status, a reason, both, or the body that APNs or FCM sent. Documentation/guides/answers.md shows them.",
            source: .answers, failing: "", passing: Example.alert, scope: .device),
    ]
}

/// Events of devices and apps in the input of a run. The decoder reports them.
enum EventRules: RuleFamily {
    private static func event(
        _ id: String, _ severity: Finding.Severity, _ title: String, _ explanation: String, failing: String
    ) -> Rule {
        Rule(
            id, severity, title, explanation, source: .format, failing: failing,
            passing: #"{"event":"device","device":"ab54","online":false}"#)
    }

    static let rules = [
        event(
            "event.unknown", .error, "not an event",
            "An object with a string in event and without the keys of a payload describes what happens on a device.",
            failing: #"{"event":"devices","device":"ab54","online":false}"#),
        event(
            "event.missing-member", .error, "an event without a required member",
            "The event does not say which device it is for, or how far the clock advances.",
            failing: #"{"event":"device","online":false}"#),
        event(
            "event.value", .error, "an event member with an invalid value",
            "pushpipe does not guess: a wrong guess would change everything that follows.",
            failing: #"{"event":"device","device":"ab54","online":"no"}"#),
        event(
            "event.unknown-member", .warning, "an unknown event member",
            "Unknown members are ignored. Check the spelling.",
            failing: #"{"event":"device","device":"ab54","onlin":false}"#),
    ]
}

/// Problems of a service extension during a run. Its host reports them.
enum ExtensionRules: RuleFamily {
    private static func serviceExtension(
        _ id: String, _ severity: Finding.Severity, _ title: String, _ explanation: String
    ) -> Rule {
        Rule(id, severity, title, explanation, source: .modifying, failing: "", passing: Example.alert, scope: .device)
    }

    static let rules = [
        serviceExtension(
            "extension.removal-race", .warning, "a content handler called right after a removal",
            "removeDeliveredNotifications returns at once and removes in the background. If the extension ends first, the earlier notification may stay. Before you call the handler, check the delivered notifications again, or wait."
        ),
        serviceExtension(
            "extension.handler-called-twice", .warning, "a content handler called again",
            "The first call counts. What a device does with a second call is not documented. Developers report that the notification appears twice."
        ),
        serviceExtension(
            "extension.handler-too-late", .warning, "a content handler called after the time limit",
            "The original content is shown. serviceExtensionTimeWillExpire is the last chance to call the handler."),
        serviceExtension(
            "extension.unfinished-work", .warning, "a request still in progress after the content handler",
            "Once the content handler is called, the system may suspend the process at any time, and a receipt still being sent may be lost. Call the handler when the request has finished, or accept the loss. pushpipe gives the process five more seconds."
        ),
        serviceExtension(
            "extension.attachment-lost", .warning, "an attachment whose file cannot be moved",
            "A device moves each attachment to its own store. A file that no longer exists by then is not shown."),
        serviceExtension(
            "extension.handler-not-called", .error, "a content handler that is never called",
            "The time limit passed, and serviceExtensionTimeWillExpire did not call the handler either. The original content is shown, about 30 seconds late. Every path through didReceive must end in the content handler."
        ),
        serviceExtension(
            "extension.expired", .warning, "a content handler called only at the time limit",
            "The user waits about 30 seconds for this notification. Call the handler as soon as there is something to show."
        ),
        serviceExtension(
            "extension.crashed", .error, "an extension whose process ended before it handled its push",
            "The original content is shown, unless the content handler had already been called. The next push gets a new process. The usual cause is a forced cast of a value that the payload does not have."
        ),
        serviceExtension(
            "extension.memory-limit", .error, "an extension that exceeds its memory limit (extension.memory)",
            "A device ends the process without a last chance to call the handler, and shows the original content. Apple publishes no limit. Developers report 24 MB. Without extension.memory no process is ended, and one that uses 24 MB more than at its start gets a warning."
        ),
        serviceExtension(
            "extension.not-started", .error, "an extension that cannot be started",
            "Every push is shown as sent. The message gives the reason, from the system or from the program itself."),
        serviceExtension(
            "extension.empty-text", .warning, "an extension that returns content without text",
            "Without a title, subtitle or body, the changes are dropped and the original content is shown. Apple documents this, but developers report other results, so for iOS 13.3 and later it is UNCONFIRMED. Only an app with Apple's filtering entitlement (extension.filtering) shows nothing instead."
        ),
        serviceExtension(
            "extension.content", .warning, "changed content with an invalid member",
            "The member's name is unknown, or its value has a type or range that Apple's property does not have. The member is skipped. Documentation/reference/extension-protocol.md lists the members."
        ),
        serviceExtension(
            "extension.communication", .warning, "a communication notification from an app that may not send them",
            "Without the entitlement com.apple.developer.usernotifications.communication, the sender is not shown, and the notification breaks through neither the scheduled summary nor a Focus. Add the capability Communication Notifications. If only the app has it, set extension.communication."
        ),
        serviceExtension(
            "extension.stray-output", .warning,
            "an extension that writes other lines to standard output",
            "Standard output carries the messages between the extension and its host. Lines that are not messages are skipped. Write them to standard error instead."
        ),
        serviceExtension(
            "extension.reported", .warning, "a message that the extension reported",
            "An extension can report its own findings: builtin:attachment says why there is no attachment."),
        serviceExtension(
            "extension.stand-in", .info, "pushpipe's replacement for an SDK handled this payload",
            "FirebaseMessaging and OneSignalExtension are not the SDKs here, but replacements that attach files and add buttons. The message says what the replacement did, and what the SDK also does, such as sending receipts. To run the SDK itself, pass its package with --package."
        ),
        serviceExtension(
            "extension.unreadable-payload", .warning, "a payload that the extension's Foundation cannot read",
            "JSON allows more than Foundation on Linux reads, such as numbers beyond a double. The original content is shown. What a device does with the payload is not known."
        ),
    ]
}

/// Texts that `pushpipe run --fit` shortens. The stage that does it reports them.
enum FitRules: RuleFamily {
    static let rules = [
        Rule(
            "fit.cut", .info, "text that was cut to fit the budget",
            "run --fit cuts body, subtitle and title, in this order, until the message fits.", source: .format,
            failing: "", passing: Example.alert, scope: .device),
        Rule(
            "fit.cannot", .warning, "a message that cannot be cut to fit",
            "Even without its texts, the message is over its budget: it has too much app data. It is left as it was sent.",
            source: .format, failing: "", passing: Example.alert, scope: .device),
    ]
}

/// Findings about what a device does with a push. Only a run knows the device: these have no failing example.
enum DeviceRules: RuleFamily {
    private static func device(
        _ id: String, _ title: String, _ explanation: String, source: Rule.Source, passing: String = Example.alert
    ) -> Rule {
        Rule(id, .warning, title, explanation, source: source, failing: "", passing: passing, scope: .device)
    }

    private static let inChannel = Example.fcm(
        #""notification":{"title":"Polls have closed"},"android":{"notification":{"channel_id":"news"}}"#)

    static let rules = [
        device(
            "android.no-activity", "a tap that opens nothing, because no activity handles its click_action",
            "The app needs an activity whose intent filter has the action in click_action. Without click_action, a tap opens the app. The activities member of a device event lists the app's actions.",
            source: .fcm, passing: inChannel),
        device(
            "android.too-many", "a notification over the number that Android lets an app show",
            "Android shows at most 50 notifications of an app, in some versions 25 (limits.android-notifications), and silently drops the next one. Reuse tags, so that a notification replaces an earlier one. An update of a notification that is shown is not dropped.",
            source: .androidLimit, passing: inChannel),
        device(
            "android.unknown-channel", "a notification channel that the app has not created on the device",
            "Android posts the notification in the default channel of the manifest, or else in FCM's fallback channel, with the importance and sound of that channel. A notification that the app posts itself does not appear. Create the channel before the first push names it.",
            source: .androidChannels, passing: inChannel),
        device(
            "apns.alert-discarded", "an alert that APNs drops because a background push follows",
            "While a device is offline, APNs stores one notification for each bundle ID, in most cases the latest. A background push after an alert takes its place, and the user never sees the alert. Send the background push with apns-expiration 0, or put content-available into the alert. One report disagrees where collapse ids differ.",
            source: .sending),
        Rule(
            "aps.badge-clears", .info, "a badge of 0 that removes the app's notifications",
            "When a push changes a nonzero badge to 0, iOS removes the app's notifications from Notification Center. Apple does not document this. Developers report it, and for iOS 18 and later it is UNCONFIRMED. To keep the notifications, let the app set the number.",
            source: .badgeZero, failing: "", passing: Example.alert, scope: .device),
        Rule(
            "aps.no-delegate", .info, "a notification for an app in the foreground that has not said what it presents",
            "In the foreground, the app's UNUserNotificationCenterDelegate decides what is presented. Apple's page says that a notification is shown without a delegate; several developers saw nothing until they set one, so this is UNCONFIRMED. Set a delegate that answers userNotificationCenter(_:willPresent:withCompletionHandler:), and say its answer with will_present.",
            source: .willPresent, failing: "", passing: Example.alert, scope: .device),
        Rule(
            "event.other-device", .info, "an event, or a member of one, without effect on this kind of device",
            "A Focus, the scheduled summary and the settings of notifications are those of Apple devices; Doze, channels and bundles are Android's; a browser has neither. The event is applied, and nothing follows from this.",
            source: .format, failing: "", passing: Example.alert, scope: .device),
        device(
            "fcm.web-silent-push", "a push for which a site shows nothing",
            "Browsers deliver pushes to a site on condition that each one shows a notification. Safari counts pushes that show nothing, and revokes the permission at the third. Chrome shows its own notification in place of one that fails. A push with only data shows something only if the site's service worker does.",
            source: .webSilent),
        device(
            "live-activity.budget", "more priority-10 pushes to a Live Activity than the system may allow",
            "The system gives each Live Activity an hourly budget of priority-10 updates, whose size Apple does not publish, and delays updates over it. Send updates that can wait with priority 5, which does not count, or set NSSupportsLiveActivitiesFrequentUpdates. With limits.activity-updates-per-hour, an update over the limit is dropped.",
            source: .liveActivity),
        device(
            "live-activity.size", "a Live Activity with more data than the system allows",
            "Attributes and content state together have at most 4 KB. A payload within its own limit can still be too large together with the attributes that the activity already has.",
            source: .displayingActivities),
        device(
            "live-activity.start-token", "an update or an end sent to a push-to-start token",
            "A push-to-start token only starts Live Activities. The activity then gets its own token, which the app reports to its server. Send updates and ends to that token.",
            source: .liveActivity),
    ]
}
