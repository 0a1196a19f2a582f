import PayloadJSON
import PushModel

/// The parts of a GCM request, or of an FCM v1 message, that reach an Android device or a browser and are measured or shown.
struct GoogleParts {
    var notification: JSONView?
    var data: JSONView?
    /// The notification in the block of the platform, whose texts take precedence.
    var ownNotification: JSONView?
    var ownData: JSONView?
    /// The name of that block.
    let block: String

    init(_ payload: JSONView, of provider: Provider, on platform: Platform) {
        block = platform == .web ? "webpush" : "android"
        if provider == .fcm {
            let message = FCMMessage(payload)
            notification = message.notification
            data = message.data
            ownNotification = platform == .web ? message.webNotification : message.androidNotification
            ownData = platform == .web ? message.webData : message.androidData
        } else {
            let request = LegacyRequest(payload)
            notification = request.notification
            data = request.data
        }
    }
}
