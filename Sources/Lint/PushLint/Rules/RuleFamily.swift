import PayloadJSON
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
        "record.not-text", "compressed data, another encoding than UTF-8, or binary data",
        "Payloads are JSON text in UTF-8. The first bytes tell what this is instead, and the message says how to get at the text.",
        failing: "BZh91AY&SY")

    static let payloadType = record(
        "record.payload-type", "a payload that is not a JSON object",
        "The body of a request is one JSON object. In an envelope it is an object, or a string that contains one.",
        failing: #"{"payload":[{"aps":{"alert":"In an array"}}]}"#,
        passing: #"{"payload":{"aps":{"alert":"As it is"}}}"#)
    static let tooLong = record(
        "record.too-long", "a record over the limit of input.max-record",
        "It is skipped, so that a stream without line breaks cannot fill the memory. No push is that long.",
        failing: "", scope: .run)

    static let rules = [
        notText,
        record(
            "record.not-an-object", "a record that is not a JSON object",
            "A provider takes one JSON object per request. Several in an array are not a request: run and lint read its elements, a provider does not.",
            failing: #"["In an array"]"#),
        record(
            "record.unknown-shape", "an object in none of the known formats",
            "Nothing says which provider it is for: there is neither aps nor payload, to, message, APNS or another key of a known format. --provider forces a format.",
            failing: #"{"title":"National result","text":"4 percent counted"}"#),
        payloadType,
        record(
            "record.nothing-to-send", "a gateway's message without a part for any push service",
            "The gateway takes the request, and no push goes to APNs, GCM or FCM.",
            failing: #"{"MessageStructure":"json","Message":"{\"email\":\"Polls have closed\"}"}"#,
            passing: #"{"MessageStructure":"json","Message":"{\"default\":\"Polls have closed\"}"}"#
        ),
        tooLong,
        Rule(
            "record.unknown-member", .warning, "a member that an envelope does not have",
            "Beside payload, an envelope has device, headers, provider, refused, budget and answer. Nothing reads another one: with token in place of device, the push goes to the default device.",
            source: .format, failing: #"{"token":"\#(Example.token)","payload":\#(Example.alert)}"#,
            passing: #"{"device":"\#(Example.token)","payload":\#(Example.alert)}"#),
        Rule(
            "record.answer", .warning, "an answer of a service that cannot be read",
            "run --check-answers compares the answer that a sender got with the one here. It takes a status, a reason, both, or the body that APNs or FCM sent; Documentation/guides/answers.md shows them.",
            source: .format, failing: "", passing: Example.alert, scope: .run),
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
            "An object with a string under event, and without the keys of a payload, says what happens on a device.",
            failing: #"{"event":"devices","device":"ab54","online":false}"#),
        event(
            "event.missing-member", .error, "an event without a member that it needs",
            "The event does not say for which device it is, or how far the clock advances.",
            failing: #"{"event":"device","online":false}"#),
        event(
            "event.value", .error, "a member of an event with a value that it cannot take",
            "A guess could change the meaning of the stream.",
            failing: #"{"event":"device","device":"ab54","online":"no"}"#),
        event(
            "event.unknown-member", .warning, "a member that an event does not have",
            "It changes nothing, which is hardly what was meant.",
            failing: #"{"event":"device","device":"ab54","onlin":false}"#),
    ]
}

/// Problems of a service extension during a run. Its host reports them.
enum ExtensionRules: RuleFamily {
    private static func serviceExtension(
        _ id: String, _ severity: Finding.Severity, _ title: String, _ explanation: String
    ) -> Rule {
        Rule(id, severity, title, explanation, source: .modifying, failing: "", passing: Example.alert, scope: .run)
    }

    static let rules = [
        serviceExtension(
            "extension.removal-race", .warning, "a content handler that is called right after a removal",
            "removeDeliveredNotifications returns at once and removes in the background. When the extension ends before, the earlier notification may stay. Look at the delivered notifications again, or wait, before calling the handler."
        ),
        serviceExtension(
            "extension.handler-called-twice", .warning, "a content handler that is called again",
            "The first call counts. What a device does with the second is not documented; apps report the notification twice."
        ),
        serviceExtension(
            "extension.handler-too-late", .warning, "a content handler that is called after the time was up",
            "The original content is shown. serviceExtensionTimeWillExpire is the last chance to call the handler."),
        serviceExtension(
            "extension.unfinished-work", .warning, "a request that is still in progress after the content handler",
            "Once the content handler is called, the system may suspend the process at any time; a receipt that is on its way may be lost. Call the handler when the request has ended, or accept the loss. Here the process gets five more seconds."
        ),
        serviceExtension(
            "extension.attachment-lost", .warning, "an attachment whose file cannot be moved",
            "A device moves each attachment to a store of its own. A file that is gone by then is not shown."),
        serviceExtension(
            "extension.handler-not-called", .error, "a content handler that is never called",
            "The time was up, and serviceExtensionTimeWillExpire did not call it either. The original content is shown, some 30 seconds late. Every path through didReceive has to end in the content handler."
        ),
        serviceExtension(
            "extension.expired", .warning, "a content handler that is called only when the time is up",
            "A person waits about 30 seconds for such a notification. Call the handler as soon as there is something to show."
        ),
        serviceExtension(
            "extension.crashed", .error, "an extension whose process ended before its push was done with",
            "The original content is shown, unless the content handler had been called. The next push gets a new process. Forced casts of what is missing in a payload are the usual reason."
        ),
        serviceExtension(
            "extension.memory-limit", .error, "an extension that uses more memory than it may (extension.memory)",
            "A device ends the process without a last chance, and shows the original content. Apple publishes no figure; 24 MB is what people report."
        ),
        serviceExtension(
            "extension.not-started", .error, "an extension that cannot be started",
            "Every push is shown as it came. The message gives the reason, from the system or from the program itself."),
        serviceExtension(
            "extension.empty-text", .warning, "an extension that hands over content without text",
            "Without a title, subtitle or body the changes are dropped, and the original content is shown. So says Apple; apps' authors report different things, so for iOS 13.3 and later this is UNCONFIRMED. Only an app with Apple's filtering entitlement (extension.filtering) shows nothing instead."
        ),
        serviceExtension(
            "extension.content", .warning, "a changed content with a member that means nothing",
            "Its name is unknown, or its value of a type or range that Apple's property does not have. The member is skipped; Documentation/reference/extension-protocol.md lists them."
        ),
        serviceExtension(
            "extension.communication", .warning, "a communication notification of an app that may not send them",
            "Without the entitlement com.apple.developer.usernotifications.communication the sender is not shown, and the notification breaks through neither the scheduled summary nor a Focus. Add the capability Communication Notifications; if only the app has it, say so with extension.communication."
        ),
        serviceExtension(
            "extension.stray-output", .warning,
            "an extension that writes lines to standard output that are not messages",
            "Standard output carries the protocol between the extension and its host. Other output there is skipped; standard error is the place for it."
        ),
        serviceExtension(
            "extension.reported", .warning, "what an extension has to say itself",
            "An extension may report findings of its own; builtin:attachment says why there is no attachment."),
        serviceExtension(
            "extension.stand-in", .info, "work that a stand-in for an SDK did in its place",
            "FirebaseMessaging and OneSignalExtension are not the SDKs but stand-ins that attach files and add buttons. The message says what was done and what the SDK does beyond that, such as receipts. To run the SDK itself, give its package with --package."
        ),
        serviceExtension(
            "extension.unreadable-payload", .warning, "a payload that the extension's Foundation cannot read",
            "JSON allows more than Foundation for Linux reads, such as numbers beyond a double. The original content is shown; what a device makes of it is not known."
        ),
    ]
}

/// Texts that `pushpipe run --fit` shortens. The stage that does it reports them.
enum FitRules: RuleFamily {
    static let rules = [
        Rule(
            "fit.cut", .info, "a text that was cut to fit the budget",
            "run --fit cuts body, subtitle and title, in this order, until the message fits.", source: .format,
            failing: "", passing: Example.alert, scope: .run),
        Rule(
            "fit.cannot", .warning, "a message that cannot be cut to fit",
            "Without its texts the message is still over its budget: the data for the app is too much. It is left as it was sent.",
            source: .format, failing: "", passing: Example.alert, scope: .run),
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
            "android.no-activity", "a tap that opens nothing, because no activity takes its click_action",
            "The app needs an activity whose intent filter has the action of click_action. Without click_action, a tap opens the app. The activities member of a device event lists the actions that the app has.",
            source: .fcm, passing: inChannel),
        device(
            "android.too-many", "a notification beyond those that Android lets an app show",
            "An app shows at most 50 notifications, and 25 in some versions of Android (limits.android-notifications). The next one is dropped silently. Reuse tags, so that a notification replaces an earlier one; an update of a shown tag passes.",
            source: .androidLimit, passing: inChannel),
        device(
            "android.unknown-channel", "a notification channel that the app has not created on the device",
            "Android posts the notification in the default channel of the manifest, or else in FCM's own fallback channel, with the importance and sound of that one. What the app posts itself does not appear. Create the channel before the first push names it.",
            source: .androidChannels, passing: inChannel),
        Rule(
            "aps.badge-clears", .info, "a badge of 0 that removes the app's notifications",
            "When a push changes a badge that was not 0 to 0, iOS removes the app's notifications from Notification Center. Apple does not say so; developers report it, and for iOS 18 and later it is UNCONFIRMED. To keep the notifications, let the app set the number.",
            source: .badgeZero, failing: "", passing: Example.alert, scope: .device),
        device(
            "fcm.web-silent-push", "a push for which a site shows nothing",
            "Browsers give a site pushes in return for a notification each. Safari counts those that show nothing, and takes the permission away with the third. Chrome shows a notification of its own in place of one that fails. A push with data alone shows something only if the site's service worker does.",
            source: .webSilent),
        device(
            "live-activity.budget", "more pushes of priority 10 to a Live Activity than the system may allow",
            "The system gives each activity a budget of updates with priority 10 per hour, whose size Apple does not publish, and delays those beyond it. Send what can wait with priority 5, which does not count, or set NSSupportsLiveActivitiesFrequentUpdates. With limits.activity-updates-per-hour, an update over the limit is dropped.",
            source: .liveActivity),
        device(
            "live-activity.size", "a Live Activity with more data than the system allows",
            "Attributes and content state together have at most 4 KB. A payload may fit its own limit and still be too much with the attributes that the activity has.",
            source: .displayingActivities),
        device(
            "live-activity.start-token", "an update or an end that is sent to a token that starts activities",
            "A push-to-start token starts Live Activities, and nothing else. The activity then gets a token of its own, which the app reports to its server: updates and ends go to that one.",
            source: .liveActivity),
    ]
}
