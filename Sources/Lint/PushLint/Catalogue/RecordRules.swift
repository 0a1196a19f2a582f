import PushModel

extension Rule {
    private static func record(
        _ id: String, _ title: String, why: String, failing: String, passing: String = Example.alert,
        scope: Scope = .lint
    ) -> Rule {
        Rule("record.\(id)", .error, title, why: why, source: .format, failing: failing, passing: passing, scope: scope)
    }

    static let recordNotAnObject = record(
        "not-an-object", "a record that is not a JSON object",
        why: "A provider takes one JSON object per request. Several in an array are not a request; write one per line.",
        failing: #"[{"aps":{"alert":"In an array"}}]"#)
    static let recordNotText = record(
        "not-text", "compressed data, another encoding than UTF-8, or binary data",
        why:
            "Payloads are JSON text in UTF-8. The first bytes tell what this is instead, and the message says how to get at the text.",
        failing: "BZh91AY&SY")
    static let recordUnknownShape = record(
        "unknown-shape", "an object in none of the known formats",
        why:
            "Nothing says which provider it is for: there is neither aps nor payload, to, message, APNS or another key of a known format. --provider forces a format.",
        failing: #"{"title":"National result","text":"4 percent counted"}"#)
    static let recordPayloadType = record(
        "payload-type", "a payload that is not a JSON object",
        why:
            "The body of a request is one JSON object. In an envelope it is an object, or a string that contains one.",
        failing: #"{"payload":[{"aps":{"alert":"In an array"}}]}"#,
        passing: #"{"payload":{"aps":{"alert":"As it is"}}}"#)
    static let recordNothingToSend = record(
        "nothing-to-send", "a gateway's message without a part for any push service",
        why: "The gateway takes the request, and no push goes out.",
        failing: #"{"MessageStructure":"json","Message":"{\"default\":\"Polls have closed\"}"}"#,
        passing:
            #"{"MessageStructure":"json","Message":"{\"default\":\"Polls have closed\",\"APNS\":\"{\\\"aps\\\":{\\\"alert\\\":\\\"Polls have closed\\\"}}\"}"}"#
    )
    static let recordTooLong = record(
        "too-long", "a record over the limit of --max-record",
        why: "It is skipped, so that a stream without line breaks cannot fill the memory. No push is that long.",
        failing: "", scope: .run)

    private static func event(
        _ id: String, _ title: String, _ severity: Finding.Severity = .error, why: String, failing: String
    ) -> Rule {
        Rule(
            "event.\(id)", severity, title, why: why, source: .format, failing: failing,
            passing: #"{"event":"device","device":"ab54","online":false}"#)
    }

    static let eventRules = [
        event(
            "unknown", "not an event",
            why:
                "An object with a string under event, and without the keys of a payload, says what happens on a device.",
            failing: #"{"event":"devices","device":"ab54","online":false}"#),
        event(
            "missing-member", "an event without a member that it needs",
            why: "The event does not say for which device it is, or how far the clock advances.",
            failing: #"{"event":"device","online":false}"#),
        event(
            "value", "a member of an event with a value that it cannot take",
            why: "A guess could change the meaning of the stream.",
            failing: #"{"event":"device","device":"ab54","online":"no"}"#),
        event(
            "unknown-member", "a member that an event does not have", .warning,
            why: "It changes nothing, which is hardly what was meant.",
            failing: #"{"event":"device","device":"ab54","onlin":false}"#),
    ]

    static let fitCut = Rule(
        "fit.cut", .info, "a text that was cut to fit the budget",
        why: "run --fit cuts body, subtitle and title, in this order, until the message fits.", source: .format,
        failing: "", passing: Example.alert, scope: .run)
    static let fitCannot = Rule(
        "fit.cannot", .warning, "a message that cannot be cut to fit",
        why:
            "Without its texts the message is still over its budget: the data for the app is too much. It is left as it was sent.",
        source: .format, failing: "", passing: Example.alert, scope: .run)

    private static func serviceExtension(
        _ id: String, _ title: String, _ severity: Finding.Severity = .warning, why: String
    ) -> Rule {
        Rule(
            "extension.\(id)", severity, title, why: why, source: .modifying, failing: "", passing: Example.alert,
            scope: .run)
    }

    static let extensionRules = [
        serviceExtension(
            "removal-race", "a content handler that is called right after a removal",
            why:
                "removeDeliveredNotifications returns at once and removes in the background. When the extension ends before, the "
                + "earlier notification may stay. Look at the delivered notifications again, or wait, before calling the handler."
        ),
        serviceExtension(
            "handler-called-twice", "a content handler that is called again",
            why:
                "The first call counts. What a device does with the second is not documented; apps report the notification twice."
        ),
        serviceExtension(
            "handler-too-late", "a content handler that is called after the time was up",
            why: "The original content is shown. serviceExtensionTimeWillExpire is the last chance to call the handler."
        ),
        serviceExtension(
            "unfinished-work", "a request that is still in progress after the content handler",
            why:
                "Once the content handler is called, the system may suspend the process at any time; a receipt that is on its way may "
                + "be lost. Call the handler when the request has ended, or accept the loss. Here the process gets five more seconds."
        ),
        serviceExtension(
            "attachment-lost", "an attachment whose file cannot be moved",
            why: "A device moves each attachment to a store of its own. A file that is gone by then is not shown."),
        serviceExtension(
            "handler-not-called", "a content handler that is never called", .error,
            why:
                "The time was up, and serviceExtensionTimeWillExpire did not call it either. The original content is shown, some 30 "
                + "seconds late. Every path through didReceive has to end in the content handler."),
        serviceExtension(
            "expired", "a content handler that is called only when the time is up",
            why:
                "A person waits about 30 seconds for such a notification. Call the handler as soon as there is something to show."
        ),
        serviceExtension(
            "crashed", "an extension whose process ended before its push was done with", .error,
            why:
                "The original content is shown, unless the content handler had been called. The next push gets a new process. Forced "
                + "casts of what is missing in a payload are the usual reason."),
        serviceExtension(
            "memory-limit", "an extension that uses more memory than it may (--extension-memory)", .error,
            why:
                "A device ends the process without a last chance, and shows the original content. Apple publishes no figure; 24 MB is "
                + "what people report."),
        serviceExtension(
            "not-started", "an extension that cannot be started", .error,
            why:
                "Every push is shown as it came. The message gives the reason, from the system or from the program itself."
        ),
        serviceExtension(
            "empty-text", "an extension that hands over content without text",
            why:
                "Without a title, subtitle or body the changes are dropped, and the original content is shown. Only an app with Apple's "
                + "filtering entitlement (--extension-filtering) shows nothing instead."),
        serviceExtension(
            "content", "a changed content with a member that means nothing",
            why:
                "Its name is unknown, or its value of a type or range that Apple's property does not have. The member is skipped; "
                + "Documentation/reference/extension-protocol.md lists them."),
        serviceExtension(
            "stray-output", "an extension that writes lines to standard output that are not messages",
            why:
                "Standard output carries the protocol between the extension and its host. Other output there is skipped; "
                + "standard error is the place for it."),
        serviceExtension(
            "reported", "what an extension has to say itself",
            why: "An extension may report findings of its own; builtin:attachment says why there is no attachment."),
        serviceExtension(
            "unreadable-payload", "a payload that the extension's Foundation cannot read",
            why:
                "JSON allows more than Foundation for Linux reads, such as numbers beyond a double. The original content is shown; what "
                + "a device makes of it is not known."),
    ]

    static let recordRules = [
        recordNotAnObject, recordNotText, recordUnknownShape, recordPayloadType, recordNothingToSend, recordTooLong,
        fitCut, fitCannot,
    ]
}
