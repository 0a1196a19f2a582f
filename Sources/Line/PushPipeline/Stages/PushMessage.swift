import PayloadJSON
public import PushModel

/// A message to one target, as a stage sees it. Lent for the duration of a call: it cannot be copied or kept, and each text that it returns is
/// a value of its own.
@safe  // SOUND: who creates one keeps the decoded message alive as long as it is lent; nothing can keep it.
public struct PushMessage: ~Copyable {
    let base: UnsafeMutablePointer<DecodedMessage>

    private init(_ base: UnsafeMutablePointer<DecodedMessage>) {
        // SOUND: stores the address.
        unsafe self.base = unsafe base
    }

    /// Lends a message to a stage. One that has swapped it for another, which ends at another time, ends the process.
    static func lend<Failure: Error>(
        _ message: inout DecodedMessage, to body: (inout PushMessage) throws(Failure) -> Void
    ) throws(Failure) {
        // SOUND: the message stays where it is for the duration of the call.
        try unsafe withUnsafeMutablePointer(to: &message) { (base) throws(Failure) in
            var handle = unsafe PushMessage(base)
            defer { precondition(unsafe handle.base == base, "a stage swapped its message for another one") }
            try body(&handle)
        }
    }

    /// The message in the pipeline's form, whose texts are borrowed.
    package var decoded: DecodedMessage {
        // SOUND: the message is lent.
        get { unsafe base.pointee }
        nonmutating set { unsafe base.pointee = newValue }
    }

    /// The service that answers the request.
    public var provider: Provider { unsafe base.pointee.provider }
    /// The platform of the target's device.
    public var platform: Platform { unsafe base.pointee.platform }
    /// Index of the target in the request, from 0; nil when there is only one.
    public var target: Int? { unsafe base.pointee.target }
    /// Token, registration id, topic name or condition.
    public var device: String { unsafe base.pointee.device.string }
    /// The app that shows it: `apns-topic` without the suffix of a push type, or the package name. Empty when the request names none.
    public var app: String { unsafe base.pointee.app.string }
    /// The identifier that the sender chose: `apns-collapse-id` on iOS, the tag on Android and in a browser. Nil when the device generates one.
    public var identifier: String? { unsafe base.pointee.identifier?.string }
    /// `apns-push-type`; nil when it is missing or not one of Apple's values.
    public var pushType: PushType? { unsafe base.pointee.headers.pushType }
    /// `apns-priority` as sent; nil when it is missing.
    public var priority: String? { unsafe base.pointee.headers.priority?.string }
    /// `apns-expiration` as sent, in seconds since the epoch; nil when it is missing.
    public var expiration: String? { unsafe base.pointee.headers.expiration?.string }
    /// The payload as JSON. For GCM and FCM, the request or message object.
    public var payload: String { unsafe base.pointee.payload.string }
    /// The size that counts towards the budget, in bytes.
    public var byteCount: Int { unsafe base.pointee.byteCount }
    /// The title, or the key that stands for it; nil without one.
    public var title: String? { unsafe base.pointee.content.title?.string }
    /// The subtitle, or the key that stands for it; nil without one.
    public var subtitle: String? { unsafe base.pointee.content.subtitle?.string }
    /// The body, or the key that stands for it; nil without one.
    public var body: String? { unsafe base.pointee.content.body?.string }
    /// `thread-id`; nil without one.
    public var thread: String? { unsafe base.pointee.content.thread?.string }
    /// The number for the app's icon: nil leaves it as it is, 0 clears it.
    public var badge: Int? { unsafe base.pointee.badge }
    /// True if the device shows it.
    public var isShown: Bool { unsafe base.pointee.isShown }
    /// True if it only wakes an app on an Apple device. Source: Apple, "Pushing background updates to your App".
    public var isBackground: Bool { unsafe base.pointee.isBackground }
    /// True if a Notification Service Extension would run: `mutable-content` is 1 and there is an alert to show.
    /// Source: Apple, "Modifying content in newly delivered notifications".
    public var startsServiceExtension: Bool { unsafe base.pointee.startsServiceExtension }
    /// True if the provider answers and nothing is delivered (`validate_only`, `dry_run`).
    public var isDryRun: Bool { unsafe base.pointee.isDryRun }
}
