extension Rule.Source {
    private static let apple = "https://developer.apple.com/documentation/"
    private static let archive =
        "https://developer.apple.com/library/archive/documentation/NetworkingInternet/Conceptual/RemoteNotificationsPG/"

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
    static let sending = Self(
        "Apple, Sending notification requests to APNs",
        apple + "usernotifications/sending-notification-requests-to-apns")
    static let responses = Self(
        "Apple, Handling notification responses from APNs",
        apple + "usernotifications/handling-notification-responses-from-apns")
    static let generating = Self(
        "Apple, Generating a remote notification", apple + "usernotifications/generating-a-remote-notification")
    static let background = Self(
        "Apple, Pushing background updates to your App",
        apple + "usernotifications/pushing-background-updates-to-your-app")
    static let modifying = Self(
        "Apple, Modifying content in newly delivered notifications",
        apple + "usernotifications/modifying-content-in-newly-delivered-notifications")
    static let token = Self(
        "Apple, Establishing a token-based connection to APNs",
        apple + "usernotifications/establishing-a-token-based-connection-to-apns")
    static let sound = Self("Apple, UNNotificationSound", apple + "usernotifications/unnotificationsound")
    static let body = Self("Apple, UNNotificationContent.body", apple + "usernotifications/unnotificationcontent/body")
    static let summary = Self(
        "Apple, UNNotificationContent.summaryArgument",
        apple + "usernotifications/unnotificationcontent/summaryargument")
    static let broadcast = Self(
        "Apple, Sending broadcast push notification requests to APNs",
        apple + "usernotifications/sending-broadcast-push-notification-requests-to-apns")
    static let broadcastErrors = Self(
        "Apple, Handling error responses from Apple Push Notification service",
        apple + "usernotifications/handling-error-responses-from-apns")
    static let widgets = Self(
        "Apple, Updating widgets with WidgetKit push notifications",
        apple + "widgetkit/updating-widgets-with-widgetkit-push-notifications")
    static let liveActivity = Self(
        "Apple, Starting and updating Live Activities with ActivityKit push notifications",
        apple + "activitykit/starting-and-updating-live-activities-with-activitykit-push-notifications")
    static let displayingActivities = Self(
        "Apple, Displaying live data with Live Activities",
        apple + "activitykit/displaying-live-data-with-live-activities")
    static let badgeZero = Self(
        "Observed: mattermost-mobile issue 5015", "https://github.com/mattermost/mattermost-mobile/issues/5015")
    static let androidChannels = Self(
        "Android, Create and manage notification channels",
        "https://developer.android.com/develop/ui/views/notifications/channels")
    static let androidLimit = Self(
        "Android Open Source Project, NotificationManagerService, MAX_PACKAGE_NOTIFICATIONS",
        "https://android.googlesource.com/platform/frameworks/base/+/refs/heads/main/services/core/java/com/android/server/notification/NotificationManagerService.java"
    )
    static let communicating = Self("Apple (archived), Communicating with APNs", archive + "CommunicatingwithAPNs.html")
    static let binary = Self("Apple (archived), Binary Provider API", archive + "BinaryProviderAPI.html")
    static let simulator = Self(
        "Apple, Xcode 11.4 Release Notes", apple + "xcode-release-notes/xcode-11_4-release-notes")
    static let fcm = Self(
        "Firebase, REST Resource: projects.messages",
        "https://firebase.google.com/docs/reference/fcm/rest/v1/projects.messages")
    static let expo = Self(
        "Expo, Send notifications with Expo's Push API",
        "https://docs.expo.dev/push-notifications/sending-notifications/")
    static let fcmLiveActivity = Self(
        "Firebase, Get started with Live Activity",
        "https://firebase.google.com/docs/cloud-messaging/customize-messages/live-activity")
    static let fcmLabels = Self(
        "Firebase, Understanding message delivery: Adding analytics labels to messages",
        "https://firebase.google.com/docs/cloud-messaging/understand-delivery")
    static let fcmErrors = Self(
        "Firebase, ErrorCode", "https://firebase.google.com/docs/reference/fcm/rest/v1/ErrorCode")
    static let fcmAdmin = Self(
        "Firebase Admin SDK for Node.js, messaging", "https://github.com/firebase/firebase-admin-node")
    static let fcmAndroidV2 = Self(
        "Firebase, Migrate from FCM HTTP v1 API to AndroidConfigV2",
        "https://firebase.google.com/docs/cloud-messaging/send/v2-api")
    static let fcmImage = Self(
        "Firebase, Send an image in the notification payload",
        "https://firebase.google.com/docs/cloud-messaging/ios/send-image")
    static let fcmUnknownName = Self(
        "Observed: firebase-admin-node issue 2180", "https://github.com/firebase/firebase-admin-node/issues/2180")
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
    static let legacy = Self(
        "Firebase, Firebase Cloud Messaging HTTP protocol",
        "https://firebase.google.com/docs/cloud-messaging/http-server-ref")
    static let sns = Self(
        "Amazon SNS developer guide, Sending platform-specific payloads to mobile devices",
        "https://docs.aws.amazon.com/sns/latest/dg/sns-send-custom-platform-specific-payloads-mobile-devices.html")
    static let snsPublish = Self(
        "Amazon SNS API Reference, Publish", "https://docs.aws.amazon.com/sns/latest/api/API_Publish.html")
    static let airnotifier = Self("Airnotifier, api/push.py", "https://github.com/airnotifier/airnotifier")
}
