import PushDecoding
import PushDevices
import PushModel

/// Taps on the bundle that Android makes of an app's notifications.
extension RegistryStage {
    /// Opens the app as its icon does. No notification is tapped, so the app learns of none, and all stay.
    ///
    /// Sources: react-native-firebase, issue 5716: the app opens, and no event says which notification it was; evollu/react-native-fcm, issue
    /// 625: the intent is that of the icon. That the notifications stay is UNCONFIRMED.
    func openBundle(_ event: DeviceEvent, _ screens: ScreenEvent, at: Int64) throws -> EventAnswer {
        guard let app = try screens.bundledApp(registry) else { return EventAnswer(ignored: .noSuchNotification) }
        var answer = try registry.applyToApp(event, of: app, at: at) { try screens.identifiers(of: $0) }
        // The app may be in front already.
        answer.ignored = nil
        return answer
    }
}
