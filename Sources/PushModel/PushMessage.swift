public import PayloadJSON

/// One message to one target, as decoded from a record.
///
/// A plain value without references: its texts belong to the input and to the pipeline's scratch memory, and are valid only for
/// the duration of the call that hands the message out.
public struct PushMessage {
    /// Index of the record in its chunk.
    package var record: Int
    /// Index of the target in the request; nil when there is but one.
    public package(set) var target: Int?

    /// The service that answers the request.
    public package(set) var provider = Provider.apns
    /// The format that the message was taken out of; nil when the record is the provider's own request.
    public package(set) var gateway: Gateway?
    /// The kind of device behind the target.
    public package(set) var platform = Platform.ios

    /// Token, registration id, topic name or condition.
    public var device: BorrowedText
    /// The app as the request names it: `apns-topic` and its like. Empty when it does not.
    public var topic = BorrowedText.empty
    /// The request's headers.
    public var headers = PushHeaders()

    /// The body as it is sent. For GCM and FCM the request or message object.
    public package(set) var payload = BorrowedText.empty
    /// Measured as `Documentation/reference/formats.md` says.
    public package(set) var byteCount = 0
    /// The byte limit that applies.
    public package(set) var byteLimit = 0

    /// JSON Pointer of the request in the record; of the gateway's request when this one is derived from it.
    package var place = BorrowedText.empty
    /// JSON Pointer of the payload in the request.
    package var payloadPointer: StaticString = ""
    /// The payload was composed by this package, so that places in it are none in the record.
    package var isDerived = false
    /// Its app is in the foreground, and does not want it in the list of notifications.
    package var isUnlisted = false
    /// A dry run: the provider answers, and nothing is delivered.
    public package(set) var isDryRun = false
    /// Seconds for which it is kept while its device is away, where the surroundings of its payload say so. They win over headers and payload.
    package var secondsKept: Int32?

    /// What the payload says that a device acts on.
    public package(set) var content = NotificationContent()

    /// What a service extension did about it; nil when none was started.
    public package(set) var serviceExtension: ServiceExtensionOutcome?
    /// Members of the content that a service extension changed, as a JSON object. Empty when it changed nothing.
    public package(set) var changes = BorrowedText.empty

    /// What the stages up to now think of it.
    public var verdict = Verdict.accepted

    package init(record: Int, device: BorrowedText) {
        self.record = record
        self.device = device
    }

    /// The identifier that the sender chose: collapse id on iOS, tag on Android. Nil when the device makes one up.
    public var identifier: BorrowedText? {
        switch platform {
        case .ios: headers.collapseID
        case .android: content.tag
        }
    }

    /// The app that shows the notification: the topic without the suffix of its push type.
    public var app: BorrowedText {
        guard provider == .apns, let suffix = headers.pushType?.row.topicSuffix, suffix.utf8CodeUnitCount > 0,
            topic.hasSuffix(suffix)
        else { return topic }
        return BorrowedText(start: topic.start, count: topic.count - suffix.utf8CodeUnitCount)
    }

    /// Whether the device puts it on the screen.
    public var isShown: Bool {
        content.hasAlert && (headers.pushType?.row.isShown ?? true)
    }

    /// Whether it only wakes the app of an Apple device: a background push, or one that names no type and shows nothing.
    /// Source: Apple, "Pushing background updates to your App".
    public var isBackground: Bool {
        guard platform == .ios else { return false }
        guard let type = headers.pushType else { return !content.hasAlert && content.badge == nil }
        return type == .background && !content.hasAlert
    }

    /// Whether a Notification Service Extension would run: `mutable-content` 1 and an alert to show.
    /// Source: Apple, "Modifying content in newly delivered notifications".
    public var startsServiceExtension: Bool {
        platform == .ios && content.isMutable && isShown
    }
}

/// The request headers of APNs that this package acts on. A header that is absent, or empty, is nil.
public struct PushHeaders {
    /// `apns-id`.
    public var id: BorrowedText?
    /// `apns-expiration`, epoch seconds.
    public var expiration: BorrowedText?
    /// `apns-priority`.
    public var priority: BorrowedText?
    /// `apns-collapse-id`.
    public var collapseID: BorrowedText?
    /// `apns-channel-id`, of broadcast requests.
    public var channelID: BorrowedText?
    /// `apns-push-type` as sent.
    public var pushTypeText: BorrowedText?
    /// `apns-push-type` when it is one of Apple's values.
    public var pushType: PushType?
    /// Whether the record describes a request, so that a missing header is held against it.
    public var isRequest = false
    /// Whether a header that this package knows occurs twice.
    public var hasDuplicates = false
    /// The object of headers as it stands in the record.
    package var text = BorrowedText.empty
    /// Whether the target was named by the record, and not by an option.
    public var isTargetNamed = false

    /// No headers.
    public init() {}
}

/// What a payload says that a device acts on.
public struct NotificationContent {
    /// The title, or the key that stands for it.
    public var title: JSONString?
    /// The subtitle, or the key that stands for it.
    public var subtitle: JSONString?
    /// The body, or the key that stands for it.
    public var body: JSONString?
    /// `thread-id`.
    public var thread: JSONString?
    /// Android's `tag`.
    public var tag: BorrowedText?
    /// The value of the custom id that replacement goes by (`--replace-by`): a string's contents, or the JSON text of
    /// another value.
    public var customID: BorrowedText?
    /// Nil leaves the badge as it is; 0 clears it.
    public var badge: Int?
    /// There is a title, subtitle or body to show.
    public var hasAlert = false
    /// `mutable-content` is 1.
    public var isMutable = false

    /// Nothing to show.
    public init() {}
}
