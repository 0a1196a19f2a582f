public import PushModel

/// A rule that the linter checks. It is printed as its id, and equals no rule with another id.
public struct Rule: Sendable, Identifiable, Equatable, CustomStringConvertible {
    /// The document that states the rule.
    public struct Source: Sendable, Equatable {
        /// The document's title and author.
        public let title: String
        /// Its address.
        public let url: String

        init(_ title: String, _ url: String) {
            self.title = title
            self.url = url
        }
    }

    /// Who reports the rule.
    package enum Scope: Sendable {
        /// `pushpipe lint`, and `pushpipe run --rules`.
        case lint
        /// Both, about something that a text cannot show as an example, such as bytes that are not text.
        case run
        /// `pushpipe run` alone, about what a device or a service extension does with a push, or with an option.
        case device
        /// `pushpipe lint` with a schema of the user's.
        case schema
    }

    /// The name in configurations and reports.
    public let id: RuleID
    /// How much it matters: `error` if a service refuses the message, or if what was meant is certainly lost; `warning` if it has no
    /// effect or is unreliable; `info` if it is worth a look.
    public let severity: Finding.Severity
    /// One line without a full stop.
    public let title: String
    /// The problem and its solution, in plain sentences.
    public let explanation: String
    /// The document that states the rule.
    public let source: Source
    /// A record that breaks the rule.
    public let failing: String
    /// A record that breaks no rule.
    public let passing: String
    /// True if a fix is known for the failing example.
    public let isFixable: Bool
    /// Who reports it.
    package let scope: Scope

    init(
        _ id: String, _ severity: Finding.Severity, _ title: String, _ explanation: String, source: Source,
        failing: String, passing: String, isFixable: Bool = false, scope: Scope = .lint
    ) {
        self.id = RuleID(known: id)
        self.severity = severity
        self.title = title
        self.explanation = explanation
        self.source = source
        self.failing = failing
        self.passing = passing
        self.isFixable = isFixable
        self.scope = scope
    }

    /// The id.
    public var description: String { id.text }

    /// True if both have the same id.
    public static func == (left: Rule, right: Rule) -> Bool { left.id == right.id }

    /// The address of the rule's page in the documentation: that of the main branch, whatever the release.
    public var page: String { "\(ToolVersion.repository)/blob/main/Documentation/reference/rules/\(id).md" }

    /// The first part of its id.
    var group: String { Self.group(of: id) }

    /// The first part of an id.
    static func group(of id: RuleID) -> String { String(id.text.prefix { $0 != "." }) }
}

extension Rule {
    /// A rule about what an emulated service refuses. The reasons themselves stand in `Rejection.table`.
    static func refusal(_ rejection: Rejection, _ why: String, source: Source, failing: String, passing: String) -> Rule
    {
        Rule(
            rejection.rule, .error, rejection.row.cause.description, "\(why) \(rejection.answer).", source: source,
            failing: failing, passing: passing)
    }

    private static var families: [any RuleFamily.Type] {
        [
            JSONRules.self, RecordRules.self, EventRules.self, FitRules.self, DeviceRules.self, ExtensionRules.self,
            PayloadRules.self, APSNeighborRules.self, SimulatorRules.self, APSRules.self, SoundRules.self,
            APSCombinationRules.self, AlertRules.self, AlertTextRules.self, LiveActivityRules.self,
            APNsRequestRules.self, APNsHeaderRules.self, APNsExpirationRules.self, APNsTopicRules.self,
            APNsPushTypeRules.self, APNsBroadcastRules.self, APNsRefusalRules.self, DeviceTokenRules.self,
            ProviderTokenRules.self, BinaryRules.self, FCMRequestRules.self, FCMFieldRules.self, FCMNameRules.self,
            FCMAndroidRules.self, FCMAppleRules.self, FCMImageRules.self, FCMWebRules.self, FCMContentRules.self,
            GCMRules.self, GCMNameRules.self, SNSRules.self, AirnotifierRules.self, ExpoRules.self, SchemaRules.self,
            ConfigurationRules.self,
        ]
    }

    /// True if it is reported once in a text, because it is about what all records of a file are for.
    package var isOncePerText: Bool { id == GCMRules.switchedOff.id }

    /// Every rule, sorted by id.
    public static let all: [Rule] = families.flatMap { $0.rules }.sorted { $0.id < $1.id }

    private static let positions: [String: Int] = Dictionary(
        all.enumerated().map { ($1.id.text, $0) }, uniquingKeysWith: { first, _ in first })

    /// The rule with this id; nil if there is none.
    package static func named(_ id: String) -> Rule? { positions[id].map { all[$0] } }

    /// The position in `all` of the rule with this id.
    static func position(of id: RuleID) -> Int { positions[id.text] ?? 0 }
}

extension Rule.Source {
    /// A page of Apple's documentation.
    private static func apple(_ title: String, _ path: String) -> Self {
        Self("Apple, \(title)", "https://developer.apple.com/documentation/\(path)")
    }

    /// A page of Firebase's documentation.
    private static func firebase(_ title: String, _ path: String) -> Self {
        Self("Firebase, \(title)", "https://firebase.google.com/docs/\(path)")
    }

    /// A page of Apple's archived guide to remote notifications.
    private static func archived(_ title: String, _ page: String) -> Self {
        let guides = "https://developer.apple.com/library/archive/documentation/NetworkingInternet/Conceptual/"
        return Self("Apple (archived), \(title)", "\(guides)RemoteNotificationsPG/\(page)")
    }

    static let json = Self(
        "RFC 8259, The JavaScript Object Notation (JSON) Data Interchange Format",
        "https://www.rfc-editor.org/rfc/rfc8259")
    static let jsonSchema = Self(
        "JSON Schema: A Media Type for Describing JSON Documents, draft 2020-12",
        "https://json-schema.org/draft/2020-12/json-schema-core")
    static let suppression = Self(
        "pushpipe, The linter: Ignoring a rule in one file",
        "https://github.com/pushpipe/pushpipe/blob/main/Documentation/guides/lint.md#ignoring-a-rule-in-one-file")
    static let format = Self(
        "pushpipe, Input formats", "https://github.com/pushpipe/pushpipe/blob/main/Documentation/reference/formats.md")
    static let answers = Self(
        "pushpipe, Compare the answers in a log",
        "https://github.com/pushpipe/pushpipe/blob/main/Documentation/guides/answers.md")
    static let sending = apple(
        "Sending notification requests to APNs", "usernotifications/sending-notification-requests-to-apns")
    static let responses = apple(
        "Handling notification responses from APNs", "usernotifications/handling-notification-responses-from-apns")
    static let generating = apple(
        "Generating a remote notification", "usernotifications/generating-a-remote-notification")
    static let background = apple(
        "Pushing background updates to your App", "usernotifications/pushing-background-updates-to-your-app")
    static let modifying = apple(
        "Modifying content in newly delivered notifications",
        "usernotifications/modifying-content-in-newly-delivered-notifications")
    static let token = apple(
        "Establishing a token-based connection to APNs",
        "usernotifications/establishing-a-token-based-connection-to-apns")
    static let sound = apple("UNNotificationSound", "usernotifications/unnotificationsound")
    static let body = apple("UNNotificationContent.body", "usernotifications/unnotificationcontent/body")
    static let summary = apple(
        "UNNotificationContent.summaryArgument", "usernotifications/unnotificationcontent/summaryargument")
    static let broadcast = apple(
        "Sending broadcast push notification requests to APNs",
        "usernotifications/sending-broadcast-push-notification-requests-to-apns")
    static let broadcastErrors = apple(
        "Handling error responses from Apple Push Notification service",
        "usernotifications/handling-error-responses-from-apns")
    static let widgets = apple(
        "Updating widgets with WidgetKit push notifications",
        "widgetkit/updating-widgets-with-widgetkit-push-notifications")
    static let liveActivity = apple(
        "Starting and updating Live Activities with ActivityKit push notifications",
        "activitykit/starting-and-updating-live-activities-with-activitykit-push-notifications")
    static let displayingActivities = apple(
        "Displaying live data with Live Activities", "activitykit/displaying-live-data-with-live-activities")
    static let willPresent = apple(
        "userNotificationCenter(_:willPresent:withCompletionHandler:)",
        "usernotifications/unusernotificationcenterdelegate/usernotificationcenter(_:willpresent:withcompletionhandler:)"
    )
    static let badgeZero = Self(
        "Observed: mattermost-mobile issue 5015", "https://github.com/mattermost/mattermost-mobile/issues/5015")
    static let androidChannels = Self(
        "Android, Create and manage notification channels",
        "https://developer.android.com/develop/ui/views/notifications/channels")
    static let androidLimit = Self(
        "Android Open Source Project, NotificationManagerService, MAX_PACKAGE_NOTIFICATIONS",
        "https://android.googlesource.com/platform/frameworks/base/+/refs/heads/main/services/core/java/com/android/server/notification/NotificationManagerService.java"
    )
    static let communicating = archived("Communicating with APNs", "CommunicatingwithAPNs.html")
    static let binary = archived("Binary Provider API", "BinaryProviderAPI.html")
    static let simulator = apple("Xcode 11.4 Release Notes", "xcode-release-notes/xcode-11_4-release-notes")
    static let fcm = firebase("REST Resource: projects.messages", "reference/fcm/rest/v1/projects.messages")
    static let expo = Self(
        "Expo, Send notifications with Expo's Push API",
        "https://docs.expo.dev/push-notifications/sending-notifications/")
    static let fcmLiveActivity = firebase(
        "Get started with Live Activity", "cloud-messaging/customize-messages/live-activity")
    static let fcmLabels = firebase(
        "Understanding message delivery: Adding analytics labels to messages", "cloud-messaging/understand-delivery")
    static let fcmErrors = firebase("ErrorCode", "reference/fcm/rest/v1/ErrorCode")
    static let fcmAdmin = Self(
        "Firebase Admin SDK for Node.js, messaging", "https://github.com/firebase/firebase-admin-node")
    static let fcmAndroidV2 = firebase("Migrate from FCM HTTP v1 API to AndroidConfigV2", "cloud-messaging/send/v2-api")
    static let fcmImage = firebase("Send an image in the notification payload", "cloud-messaging/ios/send-image")
    static let fcmUnknownName = Self(
        "Observed: firebase-admin-node issue 2180", "https://github.com/firebase/firebase-admin-node/issues/2180")
    static let fcmPushType = Self(
        "Observed: firebase-admin-java issue 607", "https://github.com/firebase/firebase-admin-java/issues/607")
    static let ntfy = Self(
        "Observed: binwiederhier/ntfy-android issue 186", "https://github.com/binwiederhier/ntfy-android/issues/186")
    static let webNotification = Self(
        "WHATWG, Notifications API, dir", "https://notifications.spec.whatwg.org/#dom-notification-dir")
    static let webShow = Self(
        "WHATWG, Notifications API, create a notification",
        "https://notifications.spec.whatwg.org/#create-a-notification")
    static let webSilent = Self(
        "Apple, WWDC22, Meet Web Push for Safari", "https://developer.apple.com/videos/play/wwdc2022/10098/")
    static let webPush = Self(
        "RFC 8030, Generic Event Delivery Using HTTP Push, section 5",
        "https://www.rfc-editor.org/rfc/rfc8030#section-5")
    static let legacy = firebase("Firebase Cloud Messaging HTTP protocol", "cloud-messaging/http-server-ref")
    static let sns = Self(
        "Amazon SNS developer guide, Sending platform-specific payloads to mobile devices",
        "https://docs.aws.amazon.com/sns/latest/dg/sns-send-custom-platform-specific-payloads-mobile-devices.html")
    static let snsPublish = Self(
        "Amazon SNS API Reference, Publish", "https://docs.aws.amazon.com/sns/latest/api/API_Publish.html")
    static let airnotifier = Self("Airnotifier, api/push.py", "https://github.com/airnotifier/airnotifier")
}
