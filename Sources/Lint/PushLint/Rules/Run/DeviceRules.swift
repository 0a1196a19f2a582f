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
            "An app shows at most 50 notifications, and 25 in some versions of Android (--android-notifications). The next one is dropped silently. Reuse tags, so that a notification replaces an earlier one; an update of a shown tag passes.",
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
            "The system gives each activity a budget of updates with priority 10 per hour, whose size Apple does not publish, and delays those beyond it. Send what can wait with priority 5, which does not count, or set NSSupportsLiveActivitiesFrequentUpdates. With --activity-updates-per-hour, an update over the limit is dropped.",
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
