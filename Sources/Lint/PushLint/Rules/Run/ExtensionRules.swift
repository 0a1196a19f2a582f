import PushModel

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
            "extension.memory-limit", .error, "an extension that uses more memory than it may (--extension-memory)",
            "A device ends the process without a last chance, and shows the original content. Apple publishes no figure; 24 MB is what people report."
        ),
        serviceExtension(
            "extension.not-started", .error, "an extension that cannot be started",
            "Every push is shown as it came. The message gives the reason, from the system or from the program itself."),
        serviceExtension(
            "extension.empty-text", .warning, "an extension that hands over content without text",
            "Without a title, subtitle or body the changes are dropped, and the original content is shown. So says Apple; apps' authors report different things, so for iOS 13.3 and later this is UNCONFIRMED. Only an app with Apple's filtering entitlement (--extension-filtering) shows nothing instead."
        ),
        serviceExtension(
            "extension.content", .warning, "a changed content with a member that means nothing",
            "Its name is unknown, or its value of a type or range that Apple's property does not have. The member is skipped; Documentation/reference/extension-protocol.md lists them."
        ),
        serviceExtension(
            "extension.communication", .warning, "a communication notification of an app that may not send them",
            "Without the entitlement com.apple.developer.usernotifications.communication the sender is not shown, and the notification breaks through neither the scheduled summary nor a Focus. Add the capability Communication Notifications; if only the app has it, say so with --extension-communication."
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
