/// The push service that answers a request.
#if hasAttribute(nonexhaustive)
    @nonexhaustive
#endif
public enum Provider: UInt8, Sendable, CaseIterable, BitwiseCopyable {
    /// Apple Push Notification service.
    case apns
    /// Google Cloud Messaging, and the legacy HTTP protocol of Firebase Cloud Messaging, which has the same format.
    case gcm
    /// Firebase Cloud Messaging, HTTP v1.
    case fcm

    /// The name in reports and on the command line.
    package var name: StaticString { Self.names[Int(rawValue)] }

    private static let names: [StaticString] = ["apns", "gcm", "fcm"]
}

extension Provider: CustomStringConvertible {
    /// The name in reports.
    public var description: String { "\(name)" }
}

/// The format of a record: a provider's own request, or the request of a gateway.
#if hasAttribute(nonexhaustive)
    @nonexhaustive
#endif
public enum RecordFormat: String, Sendable, CaseIterable {
    /// A request of APNs, with `headers` and `payload`, or only a payload.
    case apns
    /// A request of GCM and of FCM's legacy HTTP protocol.
    case gcm
    /// A request of FCM v1.
    case fcm
    /// A request of Airnotifier, API version 2.
    case airnotifier
    /// A message of Amazon SNS with a text per platform.
    case sns
    /// A request of Wikimedia's push notifications service.
    case wikimedia
    /// The form that Moodle posts to Airnotifier.
    case moodle
    /// A message of Expo's push service, or an array of them.
    case expo
}

/// A gateway whose request contained the message.
package enum Gateway: UInt8, Sendable, CaseIterable {
    /// Airnotifier, API version 2.
    case airnotifier
    /// Amazon Simple Notification Service, mobile push.
    case sns
    /// Wikimedia's push notifications service.
    case wikimedia
    /// Moodle's form of 2013, posted to Airnotifier 1.
    case moodle
    /// Expo's push service.
    case expo

    /// The name in reports.
    package var name: StaticString { Self.names[Int(rawValue)] }

    private static let names: [StaticString] = ["airnotifier", "sns", "wikimedia", "moodle", "expo"]
}

/// The platform of the device that a token belongs to.
#if hasAttribute(nonexhaustive)
    @nonexhaustive
#endif
public enum Platform: String, Sendable, CaseIterable, BitwiseCopyable {
    /// An iPhone or another device of Apple.
    case ios
    /// A device with Android.
    case android
    /// A browser with an app of the web.
    case web

    /// How many notifications an Android app shows at most. Source: AOSP, `NotificationManagerService.MAX_PACKAGE_NOTIFICATIONS`; 25 in some
    /// versions (home-assistant/android issue 6218).
    package static let mostNotificationsOnAndroid = 50
}
