public import PushJSON

/// A message to one target, decoded from a record.
///
/// A plain value without references. Its texts belong to the input and to the pipeline's scratch memory, and are valid
/// only for the duration of the call that passes the message.
///
/// The properties that each delivery reads are inlinable: a call through a pointer copies the message first, more than 400 bytes.
@usableFromInline package struct DecodedMessage {
    /// Index of the record in its chunk.
    package var record: Int
    /// Index of the target in the request; nil when there is only one.
    package var target: Int?

    /// The service that answers the request.
    @usableFromInline package var provider = Provider.apns
    /// The gateway whose request contained the message; nil when the record is the provider's own request.
    package var gateway: Gateway?
    /// The platform of the target's device.
    @usableFromInline package var platform = Platform.ios

    /// Token, registration id, topic name or condition.
    package var device: BorrowedText
    /// The app as the request names it, for example in `apns-topic`. Empty when it does not.
    @usableFromInline package var topic = BorrowedText.empty
    /// True if the target is a registration id, which belongs to one app: a request that names the app reaches the same
    /// screen as one that does not. Only for GCM and FCM.
    @usableFromInline package var isTopicOfTarget = false
    /// The request's headers.
    @usableFromInline package var headers = PushHeaders()

    /// The body as sent. For GCM and FCM, the request or message object.
    package var payload = BorrowedText.empty
    /// The size that counts towards the limit, as defined in `Documentation/reference/formats.md`.
    package var byteCount = 0
    package var byteLimit = 0
    /// True for a message that is over its limit.
    package var isTooBig: Bool { byteLimit > 0 && byteCount > byteLimit }

    /// JSON Pointer to the request in the record; for a derived request, to the gateway's request.
    package var place = BorrowedText.empty
    /// JSON Pointer of the payload in the request.
    package var payloadPointer: StaticString = ""
    /// True if this package composed the payload, so that positions in it do not exist in the record.
    package var isDerived = false
    /// True if a stage replaced the payload.
    package var isChanged = false
    /// True if its app is in the foreground, and keeps it out of the list of notifications.
    package var isUnlisted = false
    /// True if it is shown as a banner all the same.
    package var isBanner = false
    /// True for what an app or its extension does itself: no push does it.
    package var isLocal = false
    /// True if `device` is a topic or a condition over topics of GCM or FCM.
    package var isForTopic = false
    /// True if this is a dry run: the provider answers, and nothing is delivered.
    package var isDryRun = false
    /// How long it is queued while its device is offline, in seconds, when the gateway's request says so. Takes
    /// precedence over headers and payload.
    package var secondsKept: Int32?

    /// The parts of the payload that a device acts on.
    @usableFromInline package var content = NotificationContent()

    /// The outcome of the service extension; nil when none was started.
    package var serviceExtension: ServiceExtensionOutcome?
    /// Members of the content that a service extension changed, as a JSON object. Empty when it changed nothing.
    package var changes = BorrowedText.empty

    /// The verdict of the stages so far.
    package var verdict = Verdict.accepted

    package init(record: Int, device: BorrowedText) {
        self.record = record
        self.device = device
    }

    /// The identifier that the sender chose: collapse id on iOS, tag on Android and in a browser. Nil when the device
    /// generates one.
    @inlinable
    @inline(__always)
    package var identifier: BorrowedText? {
        switch platform {
        case .ios: headers.collapseID
        case .android, .web: content.tag
        }
    }

    /// The app that shows the notification: the topic without the suffix of its push type. Empty when the target alone
    /// decides.
    ///
    /// Always inlined, like the next one: the call copied the whole message.
    @inlinable
    @inline(__always)
    package var app: BorrowedText { isTopicOfTarget ? .empty : namedApp }

    @inlinable
    @inline(__always)
    package var namedApp: BorrowedText {
        // FCM passes `apns.headers` on.
        guard provider == .apns || platform == .ios, let type = headers.pushType else { return topic }
        return type.app(of: topic)
    }

    /// True if the device shows it. Always inlined for the same reason.
    @inlinable
    @inline(__always)
    package var isShown: Bool {
        content.hasAlert && (headers.pushType?.isShown ?? true)
    }

    /// The number that it puts on the app's icon; nil if it leaves the icon as it is. Pushes of a type that the system never
    /// shows leave it. Source: Apple, "Generating a remote notification": the badge is part of a notification.
    @inlinable
    @inline(__always)
    package var badge: Int? {
        guard let badge = content.badge, !content.keepsIcon, headers.pushType?.isShown ?? true else { return nil }
        return badge
    }

    /// True if it only wakes an app on an Apple device: a background push, or one without a push type that shows
    /// nothing. Source: Apple, "Pushing background updates to your App".
    package var isBackground: Bool {
        guard platform == .ios else { return false }
        guard let type = headers.pushType else { return !content.hasAlert && badge == nil }
        return type == .background && !content.hasAlert
    }

    /// True if a Notification Service Extension would run: `mutable-content` is 1 and there is an alert to show.
    /// Source: Apple, "Modifying content in newly delivered notifications".
    package var startsServiceExtension: Bool {
        platform == .ios && content.isMutable && isShown
    }
}

/// The APNs request headers that this package uses. A header that is missing or empty is nil.
@usableFromInline package struct PushHeaders {
    /// `apns-id`.
    package var id: BorrowedText?
    /// `apns-expiration`, epoch seconds.
    package var expiration: BorrowedText?
    /// `apns-priority`.
    package var priority: BorrowedText?
    /// `apns-collapse-id`.
    @usableFromInline package var collapseID: BorrowedText?
    /// `apns-channel-id`, of broadcast requests; empty for one that names no channel.
    package var channelID: BorrowedText?
    /// `apns-push-type` as sent.
    package var pushTypeText: BorrowedText?
    /// `apns-push-type` when it is one of Apple's values.
    @usableFromInline package var pushType: PushType?
    /// True if the record describes a request, so that a missing header is an error.
    package var isRequest = false
    /// The rejection of the headers as a whole: a header that this package knows occurs twice, or the path is none of APNs'.
    package var rejection: Rejection?
    /// True if decoding found the target to be the hexadecimal form of bytes, which is what APNs wants.
    package var hasHexadecimalToken = false
    /// The object in the record that they come from: that of headers, as written; for a message of GCM or FCM with a derived
    /// payload, the request or message object.
    package var text = BorrowedText.empty
    /// True if the record names the target, and not an option.
    package var isTargetNamed = false
    package var isTargetInPath = false
    /// True if `:path` says that this is a broadcast, and for which app.
    package var hasBroadcastPath = false

    /// Creates headers that are all missing.
    package init() {}
}

/// The part of a payload that a tap, a lock screen or a stopped app asks for.
package enum TapOptions {
    case none
    /// A JSON string: the category of APNs, or the click action of Android.
    case action(BorrowedText)
    /// Several parts, such as `sticky` and `visibility`, or one that depends on others: the whole payload is needed.
    case payload

    /// A category or a click action. A second one makes it depend on the payload which of them counts.
    package mutating func add(action value: JSONView) {
        if case .none = self, value.isString {
            self = .action(value.text)
        } else {
            self = .payload
        }
    }

    /// True if nothing is asked for.
    package var isEmpty: Bool { if case .none = self { true } else { false } }
}

/// The parts of a payload that a device acts on.
@usableFromInline package struct NotificationContent {
    /// The title, or the key that stands for it.
    package var title: JSONString?
    /// The subtitle, or the key that stands for it.
    package var subtitle: JSONString?
    /// The body, or the key that stands for it.
    package var body: JSONString?
    /// `thread-id`.
    package var thread: JSONString?
    /// The `tag` of Android and of browsers.
    @usableFromInline package var tag: BorrowedText?
    /// The custom id that replacement uses, in a form in which ids that the rule takes for the same have the
    /// same bytes: by default the contents of a string, or the JSON text of another value.
    package var customID: BorrowedText?
    /// Nil leaves the badge as it is; 0 clears it.
    @usableFromInline package var badge: Int?
    /// True if the device leaves the number on the icon as it is, whatever the badge.
    @usableFromInline package var keepsIcon = false
    /// True if there is a title, subtitle or body to show.
    @usableFromInline package var hasAlert = false
    /// True if `mutable-content` is 1.
    package var isMutable = false
    /// In a browser: true if it makes neither sound nor vibration (`silent`).
    package var isQuiet = false
    /// In a browser: true if it alerts the user again when it replaces another (`renotify`).
    package var alertsAgain = false
    /// In a browser: true if its options make `showNotification` throw, so that the site shows nothing.
    package var isRefused = false
    /// The part of the payload that a tap, a lock screen or a stopped app asks for.
    package var tapOptions = TapOptions.none
    /// On Android: true if it is shown while its app is in the foreground, too (`remote_notification`).
    package var isShownInFront = false
    /// Why it shows nothing, as far as the payload says so, when there is no alert.
    package var silence = SilenceReason.noAlert

    /// Creates content with nothing to show.
    package init() {}
}
