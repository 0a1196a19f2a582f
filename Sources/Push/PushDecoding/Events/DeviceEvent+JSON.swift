package import PayloadJSON
package import PushModel
import PushSystem

extension ByteBuffer {
    /// Appends an event of a device as the record that `RecordDecoder` reads, with a line feed at its end.
    package mutating func appendEvent(_ event: DeviceEvent) {
        append("{\"event\":\"")
        appendText(event.name.rawValue)
        append("\",\"device\":")
        appendJSONString(event.device ?? "")
        appendMember("app", event.app)
        appendMember("platform", event.platform?.rawValue)
        appendMember("browser", event.browser?.rawValue)
        if let count = event.silentPushes { appendMember("silent_pushes", Int(clamping: count)) }
        if let forgotten = event.forgotten { appendMember("forget", forgotten.map(\.rawValue)) }
        if let isOnline = event.isOnline { appendMember("online", isOnline) }
        if let isDozing = event.isDozing { appendMember("doze", isDozing) }
        switch event.lock {
        case .beforeFirstUnlock?: appendMember("locked", DeviceEvent.Lock.beforeFirstUnlock.rawValue)
        case .locked?, .unlocked?: appendMember("locked", event.lock == .locked)
        case nil: break
        }
        appendMember("previews", event.previews?.rawValue)
        appendMember("state", event.appState?.rawValue)
        appendMember("authorization", event.authorization?.rawValue)
        if let showsAlerts = event.showsAlerts { appendMember("alerts", showsAlerts) }
        for setting in DeviceEvent.NotificationSetting.allCases {
            guard let isOn = event.settings[setting] else { continue }
            append(",\"")
            appendText(setting.rawValue)
            append(isOn ? "\":true" : "\":false")
        }
        if let isLoggedIn = event.isLoggedIn { appendMember("logged_in", isLoggedIn) }
        appendMember("registration", event.registration?.rawValue)
        if let isUnregistered = event.isUnregistered { appendMember("unregistered", isUnregistered) }
        appendMember("unregistered_at", event.unregisteredAt.map(RFC3339.text))
        appendMember("canonical", event.canonical)
        appendMember("start_token", event.startToken)
        if let tokens = event.activityTokens { appendMember("activity_tokens", tokens) }
        appendMember("expo", event.expoToken)
        if let isConfirmed = event.isConfirmed { appendMember("confirmed", isConfirmed) }
        appendMember("token", event.token?.rawValue)
        appendMember("token_since", event.tokenSince.map(RFC3339.text))
        if let willPresent = event.willPresent { appendMember("will_present", willPresent.map(\.rawValue)) }
        appendMember("delegate", event.delegate?.rawValue)
        if let showsToasts = event.showsToasts { appendMember("toast", showsToasts) }
        if let screens = event.screensWithBell { appendMember("bell", screens) }
        if let types = event.types { appendMember("types", types) }
        if let categories = event.categories {
            append(",\"categories\":")
            ActionCategory.append(categories, to: &self)
        }
        if let channels = event.channels {
            append(",\"channels\":")
            NotificationChannel.append(channels, to: &self)
        }
        if let activities = event.activities { appendMember("activities", activities) }
        if let topics = event.topics { appendMember("topics", topics) }
        appendMember("topic", event.topic)
        if let levels = event.levels { appendMember("levels", levels.map(\.rawValue)) }
        if let isOn = event.isOn { appendMember("on", isOn) }
        if let apps = event.allowedApps { appendMember("apps", apps) }
        if let people = event.allowedPeople { appendMember("people", people) }
        if let passes = event.allowsTimeSensitive { appendMember("time_sensitive", passes) }
        append("}\n")
    }
}
