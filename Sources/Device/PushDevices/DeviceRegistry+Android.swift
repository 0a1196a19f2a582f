import AppSimulation
import PushModel

extension DeviceRegistry {
    /// True if an app on an Android device or in a browser is in the foreground and gets the message itself.
    func isInFront(_ app: UInt32, for message: DecodedMessage) -> Bool {
        message.platform != .ios && table[app: app].state.appState == .foreground && table[detailsOf: app].app != nil
            && !message.content.isShownInFront
    }

    /// Hands a message to an app on an Android device or in a browser, if it is one for the app: every message while the app is in the
    /// foreground, and otherwise what shows no notification. What the app gets, the system does not show.
    ///
    /// Source: Firebase, "Receive messages in Android apps", the table of app states: `onMessageReceived` in the
    /// foreground; in the background the system tray for notifications, and `onMessageReceived` for data. firebase-js-sdk,
    /// `sw-listeners.ts`: a page that is visible gets the message, and nothing is shown. Firebase, "Migrate from FCM HTTP v1 API
    /// to AndroidConfigV2": the SDK and Google Play services post a `remote_notification`.
    func handToApp(_ message: inout DecodedMessage, _ app: UInt32, at: Int64) -> Arrival {
        var arrival = Arrival()
        let state = table[app: app].state.appState
        guard table[detailsOf: app].app != nil, !state.isQuit,
            !message.isShown || (state == .foreground && !message.content.isShownInFront)
        else { return post(&message, app) }
        message.isUnlisted = true
        message.content.badge = nil
        arrival.steps = handle(.arrivedSilently, app, at: at)
        return arrival
    }
}
