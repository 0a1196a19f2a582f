import AppSimulation
import PushModel
package import PushText

/// The words by which reports and the journal say what happened, and why: `pushpipe explain WORD`.
package enum ReasonList {
    /// One word at one place of a report. Some words stand at several.
    package struct Row: Sendable {
        package let word: String
        /// The outcome that it is the reason of, or the name of the member.
        package let place: StaticString
        let explanation: String
        /// The page in `Documentation` that says more.
        package let page: StaticString

        init(_ word: String, _ place: StaticString, _ explanation: String, _ page: StaticString) {
            self.word = word
            self.place = place
            self.explanation = explanation
            self.page = page
        }
    }

    static let devices: StaticString = "explanation/devices.md"
    static let activities: StaticString = "explanation/live-activities.md"
    static let delivery: StaticString = "explanation/delivery.md"
    static let events: StaticString = "reference/events.md"
    static let app: StaticString = "reference/app.md"
    private static let web: StaticString = "reference/formats.md"

    /// Every word, by the place where it stands.
    package static let rows: [Row] = [
        outcomes, silences, settings, suppressed, ofActivities, queued, ignored, ofTokens, quiet, obstacles, members,
        ofEvents, ofExpo, eventsOfJournal, journal, steps,
    ].flatMap(\.self)

    private static let settings = SuppressionReason.table.map { row in
        Row("\(row.name)", "suppressed", "\(row.explanation): \(row.remedy)", events)
    }

    private static let suppressed = [
        Row(
            "dry-run", "suppressed",
            "the sender asked for a dry run, in which the service answers and delivers nothing", web),
        Row(
            "extension-filtered", "suppressed",
            "the service extension handed over content without text, and the app has the filtering entitlement",
            "guides/service-extension.md"),
        Row(
            "force-quit", "suppressed",
            "a background push does not reach an app that the user has ended until the user opens it",
            devices),
        Row(
            "force-stopped", "suppressed",
            "no message reaches an app that the user has stopped in the settings of an Android device until the user opens it",
            devices),
        Row(
            "channel-off", "suppressed",
            "the user has switched its notification channel off: its importance is none", devices),
        Row(
            "no-channel", "suppressed",
            "the message of Expo's push service names a notification channel that the app does not have on the device",
            devices),
        Row(
            "no-channel", "ignored",
            "what the app posts by itself is in no notification channel that it has on the device", devices),
        Row(
            "too-many-notifications", "suppressed",
            "an app on an Android device shows at most 50 notifications, and the next one is dropped; an update of a tag that is shown passes",
            delivery),
        Row(
            "token-disabled", "suppressed", "the sender has stopped sending to a token that was reported as dead",
            devices),
        Row("token-deleted", "suppressed", "the sender has deleted the token", devices),
        Row(
            "too-large-for-apns", "suppressed",
            "a message to a topic is accepted, and APNs refuses its part for a device because of its size: shorten the part for Apple devices",
            web),
    ]

    private static let ofActivities = [
        Row("no-event", "suppressed", "a push to a Live Activity needs aps.event: start, update or end", activities),
        Row(
            "start-incomplete", "suppressed", "a start needs attributes-type, attributes, content-state and an alert",
            activities),
        Row(
            "start-by-broadcast", "suppressed", "a broadcast updates and ends Live Activities; it starts none",
            activities),
        Row("no-content-state", "suppressed", "an update needs content-state", activities),
        Row("activity-ended", "suppressed", "the Live Activity has ended, or there was none", activities),
        Row(
            "activity-dismissed", "suppressed",
            "the user has swiped the Live Activity away, which ends it for good; later pushes have no effect",
            activities),
        Row(
            "start-token", "suppressed",
            "the token starts Live Activities and nothing else; an activity that has started gets a token of its own for updates",
            activities),
        Row(
            "older-timestamp", "suppressed", "the timestamp is older than that of the content that is shown", activities
        ),
        Row(
            "throttled", "suppressed",
            "the Live Activity has had all updates of priority 10 that --activity-updates-per-hour allows; priority 5 does not count",
            activities),
    ]

    private static let queued = [
        Row(
            "throttled", "held",
            "the app has had all background pushes of an hour that --background-pushes-per-hour allows, so its device defers this one",
            devices),
        Row(
            "doze", "held",
            "an Android device in Doze gets messages of normal priority when Doze ends; high priority is delivered at once",
            devices),
        Row(
            "not-stored", "expired",
            "the device is offline, and the message must not be queued: its expiration or time to live is 0, or over",
            devices),
        Row("expired", "expired", "its time was up before the device was back", devices),
        Row("superseded", "discarded", "a later message took its place in the queue", devices),
        Row(
            "too-many-collapse-keys", "discarded", "the service queues four collapse keys for an app on a device",
            devices),
        Row(
            "too-many-pending", "discarded",
            "the service queues a hundred messages without a collapse key, and drops all of them when there is one more",
            devices),
        Row("force-quit", "discarded", "the user has ended the app while a background push was queued for it", devices),
        Row("unregistered", "discarded", "the token became invalid while the message was queued", devices),
    ]

    private static let ignored = [
        Row("no-such-notification", "ignored", "nothing on the screen is what the event names", events),
        Row("clock-at-its-end", "ignored", "the clock would pass the year 9999", events),
        Row("not-possible", "ignored", "the app cannot do that on this screen or in this state", events),
        Row(
            "unknown-device", "ignored",
            "no event has registered the device, and unknown devices are refused (--unknown-devices reject)",
            events),
        Row("too-many-topics", "ignored", "an app is subscribed to at most 2000 topics", events),
        Row(
            "no-such-action", "ignored",
            "the notification's category does not have the action, or the action takes no text",
            app),
        Row("no-alert", "ignored", "what the app posts by itself has neither a title nor a body", app),
    ]

    private static let ofTokens = [
        Row("unconfirmed", "token_deleted", "the token was not confirmed in time", devices),
        Row(
            "failed-delivery", "token_disabled", "a push service reported the token as unregistered for the first time",
            devices),
        Row("disabled-for-long", "token_deleted", "the token has been disabled for thirty days", devices),
    ]

    private static let quiet = [
        Row("provisional", "quiet", "the permission of the app is provisional: it goes to the list alone", devices),
        Row(
            "passive", "quiet",
            "its interruption level is passive: it goes to the list alone, unless the app is in the foreground and its delegate presents it",
            devices),
        Row("focus", "quiet", "a Focus is on that allows neither the app, nor its level, nor its sender", devices),
        Row(
            "summary", "quiet", "the app is in the scheduled summary, and this is not a communication notification",
            devices),
        Row("channel", "quiet", "its channel on the Android device is of low importance, or has no sound", devices),
        Row("silent", "quiet", "its sender wants it without a sound", web),
        Row("no-renotify", "quiet", "it replaces another notification, and renotify is not true", web),
    ]

    private static let journal = [
        Row(
            "badge-set", "journal",
            "a push changed the number on the icon and nothing else on the screen; the identifier of the line is the number",
            "reference/store.md"),
        Row(
            "cleared", "journal",
            "a push set the badge from another number to 0, which removes the app's notifications; UNCONFIRMED for iOS 18 and later",
            delivery),
        Row("removed", "journal", "a service extension removed the notification", delivery),
        Row(
            "posted", "journal",
            "the app showed a notification by itself, which no push shows; the next line says what became of it", app),
        Row("withdrawn", "journal", "the app removed a delivered notification because of a push", app),
        Row(
            "removal-lost", "journal",
            "a service extension called its content handler before a removal was done, so the notification stays",
            delivery),
    ]

    /// The rows with a word, which may stand at several places. Empty if there is none.
    package static func rows(named word: String) -> [Row] { rows.filter { $0.word == word } }

    /// The word that is written nearly like another; nil if there is none.
    package static func word(like word: String) -> String? { NameSuggestion.nearest(to: word, among: rows.map(\.word)) }

    /// Rows in words, as `pushpipe explain` prints them.
    package static func explanation(_ rows: [Row], _ style: TextStyle) -> String {
        rows.map { row in
            var head = FlowingLine(style, indent: 2)
            head.appendCell("\(row.word):", to: 0) { _ in style.bold(row.word) + ":" }
            head.appendWords(row.explanation)
            return head.text + "\n\(row.place)\nPage: Documentation/\(row.page)\n"
        }.joined(separator: "\n")
    }
}
