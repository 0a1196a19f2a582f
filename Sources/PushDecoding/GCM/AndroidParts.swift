import PayloadJSON
import PushModel

/// The parts of a GCM request, or of an FCM v1 message, that reach an Android device and are measured or shown.
struct AndroidParts {
    var notification: JSONView?
    var data: JSONView?
    /// `android.notification`, whose texts take precedence.
    var androidNotification: JSONView?
    var androidData: JSONView?

    init(_ payload: JSONView, of provider: Provider) {
        if provider == .fcm {
            let message = FCMMessage(payload)
            notification = message.notification
            data = message.data
            androidNotification = message.androidNotification
            androidData = message.androidData
        } else {
            let request = LegacyRequest(payload)
            notification = request.notification
            data = request.data
        }
    }
}
