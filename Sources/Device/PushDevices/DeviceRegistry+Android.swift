import AppSimulation
package import PayloadJSON
package import PushDecoding
package import PushModel

extension DeviceRegistry {
    /// True if an app on an Android device or in a browser is in the foreground and gets the message itself.
    func isInFront(_ app: UInt32, for message: DecodedMessage) -> Bool {
        message.platform != .ios && table[app: app].state.appState == .foreground && table[detailsOf: app].hasScreens
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
        guard table[detailsOf: app].hasScreens, !state.isQuit,
            !message.isShown || (state == .foreground && !message.content.isShownInFront)
        else { return post(&message, app) }
        message.isUnlisted = true
        message.content.badge = nil
        arrival.steps = handle(.arrivedSilently, app, at: at)
        return arrival
    }

    /// True if a device is one of Android's, or may be: nothing is known of its kind, and its name is not a token of APNs.
    package func mayBeAndroid(_ device: BorrowedText) throws -> Bool {
        guard let platform = try platform(of: device) else { return !device.isHexadecimal }
        return platform == .android
    }

    /// The finding about a tap that opens nothing: no activity of the app has an intent filter for its `click_action`. Nil as long as no
    /// event has said which activities there are.
    ///
    /// Source: FCM v1, `AndroidNotification.click_action`: "an activity with a matching intent filter is launched"; firebase-android-sdk,
    /// issue 1839.
    package func missingActivity(for tapped: TappedNotification, on device: BorrowedText) throws -> Finding? {
        guard try mayBeAndroid(device), let position = try find(device),
            let app = BorrowedText.with(tapped.app, { findApp($0, on: position) }),
            let activities = table[detailsOf: app].settings.activities, let action = tapped.androidOptions?.clickAction,
            !activities.contains(action)
        else { return nil }
        return Finding(
            rule: "android.no-activity", severity: .warning, pointer: "",
            message: "no activity of the app has an intent filter for \"\(action)\"; the tap opens nothing")
    }
}

extension BorrowedText {
    /// True if all characters are hexadecimal digits, as Unicode has them.
    fileprivate var isHexadecimal: Bool {
        // SOUND: reads within the text.
        for index in 0..<count {
            switch unsafe start[index] {
            case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "a")...UInt8(ascii: "f"),
                UInt8(ascii: "A")...UInt8(ascii: "F"):
                continue
            case 0x80...: return string.allSatisfy(\.isHexDigit)
            default: return false
            }
        }
        return true
    }
}

extension TappedNotification {
    /// Its options for an Android device; nil for a notification of APNs.
    package var androidOptions: AndroidOptions? {
        AppText.withRoot(of: payload) { $0.flatMap { AndroidOptions(shown: $0) } }
    }
}
