import PayloadJSON

/// The block `android_v2` of an FCM v1 message, a preview that replaces `android`: a notification that the FCM SDK or Google Play
/// services shows, or data for a background sync.
///
/// Sources: Firebase, "Migrate from FCM HTTP v1 API to AndroidConfigV2"; the discovery document of the API.
struct AndroidV2 {
    private(set) var collapseKey: JSONView?
    private(set) var timeToLive: JSONView?
    private(set) var packageName: JSONView?
    /// Overrides the data of the message.
    private(set) var data: JSONView?
    /// `remote_notification.notification`, whose texts override those of the message.
    private(set) var notification: JSONView?
    private(set) var isRemoteNotification = false
    private var hasBackgroundSync = false

    init(_ block: JSONView) {
        for (key, value) in block.members where value.kind != .null {
            switch key {
            case "collapse_key", "collapseKey": collapseKey = value
            case "ttl": timeToLive = value
            case "restricted_package_name", "restrictedPackageName": packageName = value
            case "data": data = value
            case "remote_notification", "remoteNotification":
                isRemoteNotification = value.isObject
                notification = value["notification"].flatMap { $0.isObject ? $0 : nil }
            case "background_sync", "backgroundSync": hasBackgroundSync = true
            default: break
            }
        }
    }

    /// True if nothing is shown. Exactly one of the two is allowed; what FCM makes of both is not documented.
    var isBackgroundSync: Bool { hasBackgroundSync && !isRemoteNotification }
}
