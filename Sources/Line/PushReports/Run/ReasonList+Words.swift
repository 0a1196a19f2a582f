import PushModel

/// The words that say what happened: outcomes, kinds of the journal, and members with values of their own.
extension ReasonList {
    private static let report: StaticString = "reference/report.md"
    private static let locked: StaticString = "guides/service-extension.md"

    static let outcomes = [
        Row("delivered", "outcome", "it is in Notification Center, or in the drawer of an Android device", report),
        Row(
            "replaced", "outcome",
            "it took the place of a notification with the same identifier (collapse id or tag), and is on top", report),
        Row(
            "reposted", "outcome",
            "a service extension removed earlier notifications with its id, and it appeared as a new one", delivery),
        Row(
            "silent", "outcome",
            "it reached the app, and nothing appears; reason says why, and pushpipe explain that word what to do",
            report),
        Row(
            "presented", "outcome",
            "it was shown for a moment over the app in the foreground, and is not in the list: a banner or a toast", app
        ),
        Row("fanned-out", "outcome", "it was sent to each subscriber of its topic; each has a line", devices),
        Row(
            "held", "outcome",
            "the provider keeps it until the device is online; the line with its number as original says what became of it",
            devices),
        Row(
            "suppressed", "outcome",
            "the provider accepted it, and the device does not show it; reason says why, and pushpipe explain that word what to do",
            events),
        Row(
            "rejected", "outcome",
            "the provider refuses it; reason has the provider's word, and the finding says where the request has to change",
            "reference/answers.md"),
        Row(
            "malformed", "outcome",
            "the record contains no message; error says where and why, and pushpipe lint what to correct", report),
        Row("expired", "outcome", "its time was up before the device could get it; reason says how", devices),
        Row("discarded", "outcome", "the provider has dropped it from its queue; reason says why", devices),
        Row("applied", "outcome", "the event changed something", events),
        Row("ignored", "outcome", "the event changed nothing; reason says why", events),
        Row("started", "outcome", "the push started a Live Activity", activities),
        Row("updated", "outcome", "the push updated a Live Activity, or several through a channel", activities),
        Row("ended", "outcome", "the push ended a Live Activity, or several through a channel", activities),
    ]

    static let silences = SilenceReason.allCases.map { reason in
        Row("\(reason.row.name)", "silent", "\(reason.row.explanation): \(reason.row.remedy)", report)
    }

    static let obstacles = ExtensionObstacle.allCases.map { obstacle in
        Row("\(obstacle.name)", "extension_not_started", "\(obstacle.description): \(obstacle.remedy)", report)
    }

    static let members = [
        Row(
            "quiet", "report",
            "why a notification that is shown makes no sound: on an Apple device it is in the list alone", report),
        Row("stale", "report", "the earlier notifications that stayed on the screen beside this one", delivery),
        Row(
            "extension_not_started", "report",
            "why the system would not start a service extension for the push, whether or not the app has one", report),
        Row("modified", "extension", "what the service extension made of the push is shown", report),
        Row(
            "original", "extension", "the service extension failed, so the push is shown as sent; a finding says how",
            report),
        Row(
            "errSecInteractionNotAllowed", "keychain",
            "the device is locked, and the item is accessible only while it is not, or only after the first unlock",
            locked),
        Row(
            "-25308", "keychain",
            "errSecInteractionNotAllowed: the device is locked, and the item is not accessible then",
            locked),
        Row(
            "before-first-unlock", "locked",
            "the device was restarted and not unlocked since, so a service extension reads only what is always accessible",
            locked),
        Row("filtered", "extension", "the service extension kept the push from the screen", report),
        Row("200", "status", "the provider accepts the request, which says nothing about what a device shows", report),
        Row(
            "202", "status", "Airnotifier accepts the request, which says nothing about what a device shows",
            "reference/gateway-airnotifier.md"),
        Row(
            "record.place", "malformed",
            "a place that cannot be read, or a record without one in a part of a divided input",
            "reference/placed-records.md"),
    ]

    static let ofEvents =
        DeviceEvent.Name.allCases.map { Row($0.rawValue, "event", $0.words, events) } + [
            Row(
                "deleted_messages", "event",
                "GCM or FCM has dropped messages that were queued for the app, and tells it so when its device is back",
                devices)
        ]

    /// Words of Expo's push service that are no reason of a refused record.
    static let ofExpo = [
        Row("MessageTooBig", "receipt", "APNs or FCM gets more than it takes: 4,096 bytes for most messages", expo),
        Row("MismatchSenderId", "receipt", "the token belongs to another project than the key that Expo has", expo),
        Row("MessageRateExceeded", "receipt", "APNs or FCM gets too many notifications for the device", expo),
        Row(
            "InvalidCredentials", "receipt", "APNs or FCM does not take the key that Expo has for the project", expo),
        Row(
            "ProviderError", "receipt",
            "APNs or FCM refuses the notification for another reason, which details has (UNCONFIRMED)", expo),
        Row("PUSH_TOO_MANY_RECEIPTS", "errors", "a request for receipts has more than 1,000 ids", expo),
        Row("VALIDATION_ERROR", "errors", "the request is none that Expo knows (UNCONFIRMED)", expo),
        Row("PAYLOAD_TOO_LARGE", "errors", "the request is too large (UNCONFIRMED)", expo),
        Row("NOT_FOUND", "errors", "the path is none of Expo's push service (UNCONFIRMED)", expo),
    ]
    private static let expo: StaticString = "reference/gateway-expo.md"

    static let eventsOfJournal = [
        Row("delivered", "journal", "a notification appeared", delivery),
        Row("replaced", "journal", "a notification took the place of one with the same identifier", delivery),
        Row("held", "journal", "a push was queued until its device is online", devices),
        Row(
            "suppressed", "journal", "a push did not reach the screen; the reason is in its line of the report", events),
        Row("quiet", "journal", "a notification went to the list without a banner and a sound", devices),
        Row("expired", "journal", "the time of a queued push was up", devices),
        Row("discarded", "journal", "a queued push was dropped", devices),
        Row("tapped", "journal", "the user tapped a notification", events),
        Row("dismissed", "journal", "the user dismissed a notification", events),
        Row("token_disabled", "journal", "the sender stopped sending to a token that was reported as dead", devices),
        Row("token_deleted", "journal", "the sender deleted a token", devices),
        Row("started", "journal", "a Live Activity started", activities),
        Row("updated", "journal", "a Live Activity got new content", activities),
        Row("ended", "journal", "a Live Activity ended", activities),
        Row("alerted", "journal", "a push to a Live Activity had an alert, so the screen lit up", activities),
    ]

    /// Actions of the app: kinds of the journal, and `steps` in the report.
    static let steps = [
        ("launch", "the app's process starts"),
        ("restore", "the screens that were open when the system ended the app are there again"),
        ("wake", "the app's process starts in the background, or is woken there"),
        ("come-to-front", "the app comes from the background to the foreground"),
        ("start-over", "all screens but the first are closed: the app was in the background for more than 24 hours"),
        ("dismiss-modal", "a modal screen is dismissed"),
        ("ask-to-discard", "the app asks whether to discard unsaved work"),
        ("discard", "an editor closes, and its unsaved work is lost"),
        ("cancel", "the user keeps the unsaved work, so nothing changes"),
        ("push-centre", "the app's list of notifications is pushed: going back leads to the screen before"),
        ("show-centre", "the app's list of notifications is shown without being pushed"),
        ("open", "a screen of the app is opened"),
        ("back", "a pushed screen is left"),
        ("save", "the contents of an editor are saved"),
        ("banner", "a notification is presented as a banner"),
        ("list", "a notification goes to the device's list"),
        ("sound", "a notification plays a sound"),
        ("badge", "a notification sets the number on the app's icon"),
        ("not-presented", "a notification arrives, and nothing of it is presented"),
        ("mark-bell", "the bell shows that there is something unread"),
        ("clear-bell", "the bell shows that all is read"),
        ("fetch", "a background push is handed to the app"),
        ("keep-silent", "a background push waits until the user starts the app, which was force-quit"),
        ("handle-action", "the app carries out an action of a notification"),
        ("toast", "the app shows a message of its own, because no bell is visible"),
    ].map { word, explanation in Row(word, "journal", explanation, app) }
}
