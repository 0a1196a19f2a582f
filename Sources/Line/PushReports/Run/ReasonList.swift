import AppSimulation
import PushDecoding
package import PushJSON
package import PushModel
import PushPipeline
package import PushText

/// The words by which reports and the journal say what happened, and why: `pushpipe explain WORD`.
package enum ReasonList {
    /// One word at one place. Some words stand at several.
    package struct Row: Sendable {
        package let word: String
        /// The outcome that it is the reason of, the name of the member, or what else has it.
        package let place: String
        package let explanation: String
        /// The page in `Documentation` that says more, or the vendor's document.
        package let page: String

        package init(_ word: String, _ place: String, _ explanation: String, _ page: String) {
            self.word = word
            self.place = place
            self.explanation = explanation
            self.page = page
        }
    }

    static let devices = "explanation/devices.md"
    static let activities = "explanation/live-activities.md"
    static let delivery = "explanation/delivery.md"
    static let events = "reference/events.md"
    static let app = "reference/app.md"
    private static let web = "reference/formats.md"

    /// Every word, by the place where it stands.
    package static let rows: [Row] = [
        outcomes, silences, settings, suppressed, ofActivities, queued, ignored, ofTokens, quiet, obstacles, members,
        ofEvents, ofExpo, ofGoogle, journal,
    ].flatMap(\.self)

    private static let settings = SuppressionReason.table.map { row in
        Row("\(row.name)", "suppressed", "\(row.explanation): \(row.remedy)", events)
    }

    private static let suppressed: [Row] =
        words(
            "suppressed", devices,
            [
                "dry-run": "the sender asked for a dry run: the service answers but delivers nothing",
                "extension-filtered":
                    "the service extension returned content without text, and the app has the filtering entitlement",
                "force-quit": "background pushes do not reach a force-quit app until the user opens it",
                "force-stopped":
                    "no message reaches a force-stopped Android app until the user opens it",
                "app-deleted":
                    "the user has deleted the app: APNs still accepts pushes to its token for a while, and then answers 410",
                "background-refresh-off":
                    "the user has turned off Background App Refresh for the app, so background pushes do not reach it",
                "low-power-mode": "the device is in Low Power Mode, so background pushes do not reach its apps",
                "no-call-reported":
                    "the app reported no call for a VoIP push, so the system has ended the app and delivers no more VoIP pushes",
                "too-many-updates":
                    "Android accepts a limited number of updates to an app's notifications per second, and drops the rest",
                "channel-off": "the user has turned off the notification channel: its importance is none",
                "no-channel":
                    "the Expo message names a notification channel that the app does not have on the device",
            ], except: ["dry-run": web, "extension-filtered": "guides/service-extension.md"])
        + [
            Row(
                "no-channel", "ignored",
                "the app posts the notification itself, in a channel that it does not have on the device", devices)
        ]
        + words(
            "suppressed", devices,
            [
                "too-many-notifications":
                    "Android shows at most 50 notifications of an app and drops the next one; an update of a tag that is shown passes",
                "token-disabled": "the sender has stopped sending to a token that was reported as dead",
                "token-deleted": "the sender has deleted the token",
                "too-large-for-apns":
                    "a message to a topic is accepted, but APNs refuses its part for a device as too large: shorten the part for Apple devices",
            ], except: ["too-many-notifications": delivery, "too-large-for-apns": web])

    private static let ofActivities: [Row] = words(
        "suppressed", activities,
        [
            "no-event": "a push to a Live Activity needs aps.event: start, update or end",
            "start-incomplete": "a start needs attributes-type, attributes, content-state and an alert",
            "start-by-broadcast": "a broadcast can update and end Live Activities, but not start one",
            "no-content-state": "an update needs content-state",
            "activity-ended": "the Live Activity has ended or never existed",
            "activity-dismissed":
                "the user has swiped the Live Activity away, which ends it for good: later pushes have no effect",
            "start-token":
                "the token only starts Live Activities: an activity that has started gets its own token for updates",
            "live-activities-off": "the user has turned off Live Activities for the app",
            "outdated-token":
                "another token has replaced this one: the app received a new token for the activity, or for starting activities of the type",
            "older-timestamp": "the push has an older timestamp than the content that is shown",
            "throttled":
                "the Live Activity has used up its priority-10 updates for this hour; priority 5 does not count",
        ])

    private static let queued: [Row] =
        words(
            "held", devices,
            [
                "throttled":
                    "the app has used up its background pushes for this hour, or its burst of collapsible FCM messages, so this one waits",
                "doze":
                    "an Android device in Doze receives messages of normal priority when Doze ends, and messages of high priority at once",
                "before-first-unlock": "a restarted Android device waits until unlocked, unless direct_boot_ok is true",
            ])
        + words(
            "expired", devices,
            [
                "not-stored":
                    "the device is offline, and the message may not be queued: its expiration or time to live is 0 or has passed",
                "expired": "the push expired before the device was back",
            ])
        + words(
            "discarded", devices,
            [
                "superseded":
                    "a later message replaced this one in the queue: APNs keeps one message for each app, whatever its kind and collapse id",
                "too-many-collapse-keys": "the service queues at most four collapse keys for an app on a device",
                "too-many-pending":
                    "the service queues at most a hundred messages without a collapse key, and drops them all when one more arrives",
                "force-quit": "the user force-quit the app while a background push for it was queued",
                "unregistered": "the token became invalid while the message was queued",
            ])

    private static let ignored: [Row] = words(
        "ignored", events,
        [
            "no-such-notification": "nothing on the screen matches the event",
            "clock-at-its-end": "the clock would pass the year 9999",
            "not-possible": "the app cannot do that on this screen or in this state",
            "unknown-device": "no event has registered the device, and unknown devices are rejected",
            "too-many-topics": "an app can subscribe to at most 2000 topics",
            "no-such-action": "the notification's category does not have this action, or the action takes no text",
            "no-alert": "the notification that the app posts itself has neither a title nor a body",
        ], except: ["no-such-action": app, "no-alert": app])

    private static let ofTokens = [
        Row("unconfirmed", "token_deleted", "the token was not confirmed in time", devices),
        Row(
            "failed-delivery", "token_disabled", "a push service reported the token as unregistered for the first time",
            devices),
        Row("disabled-for-long", "token_deleted", "the token has been disabled for thirty days", devices),
    ]

    private static let quiet: [Row] = words(
        "quiet", devices,
        [
            "provisional": "the app has provisional authorization: the notification is delivered only to the list",
            "passive":
                "the interruption level is passive: the notification is delivered only to the list, unless the app is in the foreground and its delegate presents it",
            "focus": "a Focus is on that allows neither the app, nor the interruption level, nor the sender",
            "summary": "the app is in the scheduled summary, and this is not a communication notification",
            "channel": "the notification channel on the Android device has low importance or no sound",
            "silent": "the sender asked for no sound",
            "no-renotify": "the notification replaces another one, and renotify is not true",
            "alert-once": "the notification replaces another one, and the app lets it alert once",
        ], except: ["silent": web, "no-renotify": web, "alert-once": app])

    /// Rows of words at one place, most of which one page explains.
    ///
    /// - Parameter pages: those of the other words.
    private static func words(
        _ place: String, _ page: String, _ words: KeyValuePairs<String, String>,
        except pages: [String: String] = [:]
    ) -> [Row] {
        words.map { Row($0.key, place, $0.value, pages[$0.key] ?? page) }
    }

}

/// The words that say what happened: outcomes, kinds of the journal, and members with values of their own.
extension ReasonList {
    private static let report = "reference/report.md"
    private static let locked = "guides/service-extension.md"

    static let outcomes: [Row] = words(
        "outcome", report,
        [
            "delivered": "the notification is in Notification Center, or in the drawer of an Android device",
            "replaced":
                "the notification replaced one with the same identifier (collapse id or tag), and is at the top",
            "reposted": "a service extension removed notifications with the same id, and this one appeared as new",
            "silent":
                "the app received the push, but nothing is shown: run pushpipe explain with the line's reason to see what to do",
            "presented":
                "shown briefly over the foreground app as a banner or toast, and not kept in Notification Center",
            "fanned-out": "the message was sent to each subscriber of its topic, and each subscriber has a line",
            "held":
                "the provider stores the message until the device is online: a later line has its number as original and says what happened to it",
            "suppressed":
                "the provider accepted the push, but the device does not show it: run pushpipe explain with the line's reason to see what to do",
            "rejected":
                "the provider refuses the message: reason has the provider's word, and the finding says what to change",
            "malformed": "the record has no message: error says where and why, and pushpipe lint says how to fix it",
            "expired": "the push expired before the device could receive it: reason says how",
            "discarded": "the provider has dropped the message from its queue: reason says why",
            "applied": "the event changed something",
            "ignored": "the event changed nothing: reason says why",
            "started": "the push started a Live Activity",
            "updated": "the push updated a Live Activity, or several through a channel",
            "ended": "the push ended a Live Activity, or several through a channel",
        ],
        except: [
            "reposted": delivery, "presented": app, "fanned-out": devices, "held": devices, "suppressed": events,
            "rejected": "reference/answers.md", "expired": devices, "discarded": devices, "applied": events,
            "ignored": events, "started": activities, "updated": activities, "ended": activities,
        ])

    static let silences = SilenceReason.allCases.map { reason in
        Row("\(reason.row.name)", "silent", "\(reason.row.explanation): \(reason.row.remedy)", report)
    }

    static let obstacles = ExtensionObstacle.allCases.map { obstacle in
        Row("\(obstacle.name)", "extension_not_started", "\(obstacle.description): \(obstacle.remedy)", report)
    }

    static let members = [
        Row(
            "does not replace", "trace",
            "a notification that comes near stays on the screen: compare identifier, app and device, or see when it left; a thread-id groups notifications, and replaces none",
            "reference/trace.md"),
        Row("modified", "extension", "the content that the service extension returned is shown", report),
        Row(
            "original", "extension", "the service extension failed, so the push is shown as sent: a finding says how",
            report),
        Row(
            "errSecInteractionNotAllowed", "keychain",
            "the device is locked, and the item is accessible only while the device is unlocked, or only after the first unlock",
            locked),
        Row(
            "-25308", "keychain",
            "errSecInteractionNotAllowed: the device is locked, and the item is not accessible while it is",
            locked),
        Row(
            "before-first-unlock", "locked",
            "the device has restarted and has not been unlocked since, so a service extension can read only what is always accessible",
            locked),
        Row("filtered", "extension", "the service extension suppressed the notification", report),
        Row("200", "status", "the provider accepted the request; this does not say what a device shows", report),
        Row(
            "202", "status", "Airnotifier accepted the request; this does not say what a device shows",
            "reference/gateway-others.md"),
        Row(
            "record.place", "malformed",
            "a place that cannot be read, or a record without a place in a part of a divided input",
            report),
    ]

    static let ofEvents =
        DeviceEvent.Name.allCases.map { Row($0.rawValue, "event", $0.words, events) } + [
            Row(
                "deleted_messages", "event",
                "GCM or FCM has dropped messages that were queued for the app, and tells the app when its device is back",
                devices)
        ]

    /// Words of Expo's push service that are no reason of a refused record.
    static let ofExpo =
        words(
            "receipt", expo,
            [
                "MessageTooBig": "the message is larger than APNs or FCM accepts: 4,096 bytes for most messages",
                "MismatchSenderId": "the token belongs to another project than the key that Expo has",
                "MessageRateExceeded": "APNs or FCM gets too many notifications for the device: wait, and send fewer",
                "InvalidCredentials":
                    "APNs or FCM rejects the key that Expo has for the project: replace it with eas credentials",
                "ProviderError":
                    "APNs or FCM rejects the notification for another reason, which details gives (UNCONFIRMED)",
                "DeveloperError": "Expo's SDK for Node.js has this code, but nothing documents its meaning",
                "ExpoError": "Expo's SDK for Node.js has this code, but nothing documents its meaning",
            ])
        + words(
            "errors", expo,
            [
                "PUSH_TOO_MANY_RECEIPTS": "a request for receipts has more than 1,000 ids",
                "VALIDATION_ERROR": "Expo does not recognize the request (UNCONFIRMED)",
                "PAYLOAD_TOO_LARGE": "the request is too large (UNCONFIRMED)",
                "NOT_FOUND": "Expo's push service does not have this path (UNCONFIRMED)",
            ])
    private static let expo = "reference/gateway.md"
    private static let fcm = "reference/gateway-fcm.md"

    /// Words of FCM's clients and of Google's access control, and sentences of FCM.
    static let ofGoogle =
        AnswerList.codesOfSDKs.map { code, rejections in
            let reasons = rejections.map(\.reason).joined(separator: ", ")
            return Row("messaging/\(code)", "FCM", "the code of the Firebase Admin SDKs for \(reasons)", fcm)
        } + FCMSentence.table.map { Row("\($0.text)", "FCM", "a message of INVALID_ARGUMENT (\($0.source))", fcm) }
        + words(
            "FCM", fcm,
            [
                "messaging/invalid-recipient": "the SDK finds no token, topic or condition, and sends nothing",
                "messaging/invalid-payload": "the SDK finds a member that messages do not have, and sends nothing",
                "messaging/too-many-topics": "the app has subscribed to 2,000 topics and cannot subscribe to more",
                "messaging/topics-subscription-rate-exceeded": "too many topic requests: wait, and send fewer",
                "messaging/unknown-error": "the SDK does not know the code: the error's text has the answer",
                "PERMISSION_DENIED": "another sender owns the token, or this one may not send: the message says which",
                "SERVICE_DISABLED": "the FCM API is turned off in the project: enable it in the Google Cloud console",
                "Request had insufficient authentication scopes.":
                    "the access token is for other services: request the scope https://www.googleapis.com/auth/firebase.messaging",
                "Permission 'cloudmessaging.messages.create' denied":
                    "the service account may not send in the project in the path: check the project, or give the account a role with this permission",
            ])

    /// The kinds of the journal's lines, by the page about them.
    private static let pagesOfJournal: [(page: String, kinds: [JournalKind])] = [
        (delivery, [.delivered, .replaced]), (devices, [.held]), (events, [.suppressed]),
        (devices, [.quiet, .expired, .discarded]), (events, [.tapped, .dismissed]),
        (devices, [.tokenDisabled, .tokenDeleted]), (activities, [.started, .updated, .ended, .alerted]),
        ("reference/store.md", [.badgeSet]), (delivery, [.cleared, .removed]), (app, [.posted, .withdrawn]),
        (delivery, [.removalLost]), (app, JournalKind.steps),
    ]
    static let journal = pagesOfJournal.flatMap { page, kinds in
        kinds.map { Row("\($0.name)", "journal", "\($0.words)", page) }
    }
}

/// Every answer of the services, and every word of an output and of an event, with its meaning: `pushpipe explain --format ndjson`, of which
/// Scripts/reference-pages.py makes pages of the documentation.
package enum WordList {
    /// Rejections and words, a paragraph for each, as `pushpipe explain` prints them.
    package static func text(_ rejections: [Rejection], _ rows: [ReasonList.Row], _ style: TextStyle) -> String {
        let answers = rejections.map { rejection in
            let row = rejection.row
            var more = rejection.advice.map { ["What to do: \($0)"] } ?? []
            more.append("\(row.speaker), status \(row.status)")
            more.append("\(rejection.source.certainty.rawValue): \(rejection.source.text)")
            for known in AnswerCase.table where known.speaker.description == row.speaker.description {
                guard known.answer.description.contains(rejection.reason) else { continue }
                more += ["", "\(known.request): \(known.source.certainty.rawValue), \(known.source.text)"]
            }
            return paragraph(rejection.reason, "\(row.cause)", more, style)
        }
        let words = rows.map { row in
            let page = row.page.hasSuffix(".md") ? "Page: Documentation/\(row.page)" : "Source: \(row.page)"
            return paragraph(row.word, row.explanation, [row.place, page], style)
        }
        return (answers + words).joined(separator: "\n")
    }

    /// A word and its meaning, and lines below them.
    private static func paragraph(_ word: String, _ meaning: String, _ more: [String], _ style: TextStyle) -> String {
        var head = FlowingLine(style, indent: 2)
        head.appendCell("\(word):", to: 0) { _ in style.bold(word) + ":" }
        head.appendWords(meaning)
        return head.text + "\n" + more.map { style.wrapped($0, indent: 2).joined(separator: "\n  ") + "\n" }.joined()
    }

    /// Appends a line of JSON for each answer, each word, each member of an event and each value of one.
    package static func appendJSON(to out: inout ByteBuffer) {
        appendJSON(Rejection.table.map(\.rejection), ReasonList.rows, to: &out)
        for row in AnswerCase.table {
            out.append("{\"kind\":\"case\"")
            out.appendMember("service", "\(row.speaker)")
            out.appendMember("request", "\(row.request)")
            out.appendMember("answer", "\(row.answer)")
            append(row.source, to: &out)
        }
        for member in EventMember.table {
            out.append("{\"kind\":\"member\"")
            out.appendMember("member", "\(member.name)")
            out.appendMember("events", member.events.map(\.rawValue))
            out.appendMember("value", member.form.summary ?? member.form.words)
            out.appendMember("meaning", "\(member.words)")
            out.append("}\n")
        }
        for row in EventWord.table {
            out.append("{\"kind\":\"value\"")
            out.appendMember("member", "\(row.member)")
            out.appendMember("word", row.word)
            out.appendMember("meaning", "\(row.meaning)")
            out.append("}\n")
        }
    }

    /// Appends a line of JSON for each answer and each word.
    package static func appendJSON(_ rejections: [Rejection], _ rows: [ReasonList.Row], to out: inout ByteBuffer) {
        for rejection in rejections {
            out.append("{\"kind\":\"answer\"")
            out.appendMember("service", "\(rejection.row.speaker)")
            out.appendMember("status", rejection.row.status)
            out.appendMember("reason", "\(rejection.row.reason)")
            out.appendMember("cause", "\(rejection.row.cause)")
            out.appendMember("advice", "\(rejection.advice ?? "")")
            append(rejection.source, to: &out)
        }
        for row in rows {
            out.append("{\"kind\":\"word\"")
            out.appendMember("place", row.place)
            out.appendMember("word", row.word)
            out.appendMember("meaning", row.explanation)
            out.appendMember("page", row.page)
            out.append("}\n")
        }
    }

    private static func append(_ source: AnswerSource, to out: inout ByteBuffer) {
        out.appendMember("certainty", source.certainty.rawValue)
        out.appendMember("source", "\(source.text)")
        out.append("}\n")
    }
}

/// Answers of an emulated service, with how they are known: `pushpipe explain REASON`.
package enum AnswerList {
    /// The codes of the Firebase Admin SDKs, after `messaging/`, and the reasons that they stand for. Sources: Firebase, "Admin FCM API Errors";
    /// firebase-admin-node, src/messaging/error.ts.
    static let codesOfSDKs: KeyValuePairs<String, [Rejection]> = [
        "invalid-argument": [.invalidArgument, .invalidParameters],
        "registration-token-not-registered": [.fcmUnregistered, .notRegistered],
        "mismatched-credential": [.senderIdMismatch, .mismatchSenderId], "message-rate-exceeded": [.quotaExceeded],
        "third-party-auth-error": [.thirdPartyAuthError, .invalidApnsCredential, .fcmUnauthenticated],
        "invalid-apns-credentials": [.thirdPartyAuthError, .invalidApnsCredential],
        "authentication-error": [.fcmUnauthenticated, .gcmInvalidKey],
        "server-unavailable": [.fcmUnavailable, .gcmUnavailable],
        "internal-error": [.fcmInternal, .gcmInternalServerError],
        "invalid-registration-token": [.invalidRegistration], "invalid-package-name": [.invalidPackageName],
        "payload-size-limit-exceeded": [.messageTooBig], "invalid-data-payload-key": [.invalidDataKey],
        "invalid-options": [.invalidTtl], "device-message-rate-exceeded": [.deviceMessageRateExceeded],
        "topics-message-rate-exceeded": [.topicsMessageRateExceeded],
    ]

    /// Every text that stands for a rejection: reasons, rules, codes of SDKs, and statuses and sentences of FCM.
    package static let texts: [(text: String, rejection: Rejection)] =
        Rejection.allCases.flatMap { [(text: $0.reason, rejection: $0), (text: $0.rule, rejection: $0)] }
        + codesOfSDKs.flatMap { code, rejections in rejections.map { (text: "messaging/\(code)", rejection: $0) } }
        + FCMAnswer.words.flatMap { row in
            [row.status, row.message].map { (text: "\($0)", rejection: row.rejection) }
        } + FCMSentence.table.map { (text: "\($0.text)", rejection: .invalidArgument) }

    /// The rejections with these reasons, or else those for which the texts stand; several services may have one. Empty if there is none.
    package static func rejections(named names: Set<String>) -> [Rejection] {
        let reasons = Rejection.allCases.filter { names.contains($0.reason) }
        if !reasons.isEmpty { return reasons }
        let found = Set(texts.lazy.filter { names.contains($0.text) }.map(\.rejection))
        return Rejection.allCases.filter(found.contains)
    }
}
