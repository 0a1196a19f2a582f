import AppSimulation
import PushModel

extension DeviceRegistry {
    /// True if an app on an Android device or in a browser is in the foreground, where it gets every message itself.
    func isInFront(_ app: UInt32, on platform: Platform) -> Bool {
        platform != .ios && table[app: app].state.appState == .foreground && table[detailsOf: app].app != nil
    }

    /// Hands a message to an app on an Android device or in a browser, if it is one for the app: every message while the app is in the
    /// foreground, and otherwise what shows no notification. What the app gets, the system does not show.
    ///
    /// Source: Firebase, "Receive messages in Android apps", the table of app states: `onMessageReceived` in the
    /// foreground; in the background the system tray for notifications, and `onMessageReceived` for data. firebase-js-sdk,
    /// `sw-listeners.ts`: a page that is visible gets the message, and nothing is shown.
    func handToApp(_ message: inout DecodedMessage, _ app: UInt32, at: Int64) -> Arrival {
        var arrival = Arrival()
        let state = table[app: app].state.appState
        guard table[detailsOf: app].app != nil, state != .forceQuit, state == .foreground || !message.isShown else {
            return arrival
        }
        message.isUnlisted = true
        message.content.badge = nil
        arrival.steps = handle(.arrivedSilently, app, at: at)
        return arrival
    }
}
