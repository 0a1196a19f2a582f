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
