import AppSimulation
import PayloadJSON
import PushModel

extension AppText {
    /// Nil when there is nothing to store. Each member begins with a comma, and the first comma is left out.
    static func text(_ details: InstallationDetails) -> String? {
        var out = ByteBuffer(capacity: 512)
        writeScreens(details, to: &out)
        switch details.delegate {
        case .none: break
        case .methodMissing: out.appendMember("delegate", "without-will-present")
        case .answers(let options): out.appendMember("will_present", words(options).map(\.rawValue))
        }
        if let browser = details.browser { out.appendMember("browser", browser.rawValue) }
        if details.silentPushes > 0 { out.appendMember("silent_pushes", details.silentPushes) }
        if details.showsToasts { out.appendMember("toast", true) }
        if details.screensWithBell != noDetails.screensWithBell {
            out.appendMember("bell_screens", details.screensWithBell.sorted())
        }
        if let types = details.typesOn { out.appendMember("types", types.sorted().map(\.name)) }
        if let activities = details.activities { out.appendMember("activities", activities) }
        if details.isInSummary { out.appendMember("summary", true) }
        if !details.settingsOff.isEmpty {
            out.appendMember("settings_off", details.settingsOff.map(\.rawValue).sorted())
        }
        if details.levels != InterruptionLevel.special {
            out.appendMember("levels", details.levels.map(\.rawValue))
        }
        if details.previews != .always { out.appendMember("previews", details.previews.rawValue) }
        if let categories = details.categories {
            out.appendMemberName("categories")
            ActionCategory.append(categories, to: &out)
        }
        if let channels = details.channels {
            out.appendMemberName("channels")
            NotificationChannel.append(channels, to: &out)
        }
        if let topics = details.topics { out.appendMember("topics", topics.sorted()) }
        if let token = details.startToken { out.appendMember("start_token", token) }
        if !details.activityTokens.isEmpty { out.appendMember("activity_tokens", Array(details.activityTokens)) }
        if let token = details.expoToken { out.appendMember("expo", token) }
        guard out.count > 0 else { return nil }
        // SOUND: `out` owns the bytes and lives until they are copied.
        return unsafe "{\(String(decoding: out.bytes.dropFirst(), as: UTF8.self))}"
    }

    /// Writes what an app has that is open, or has been.
    private static func writeScreens(_ details: InstallationDetails, to out: inout ByteBuffer) {
        guard let app = details.app else { return }
        out.appendMemberName("screens")
        out.appendList(app.screens) { write($1, to: &$0) }
        switch app.question {
        case nil: break
        case .goToCenter: out.appendMember("question", "go-to-centre")
        case .leaveEditor: out.appendMember("question", "leave-editor")
        case .goTo(let screen):
            out.appendMember("question", "go-to")
            out.appendMemberName("destination")
            write(screen, to: &out)
        }
        out.appendMemberName("notifications")
        out.appendList(app.notifications) { out, notification in
            out.append("{\"id\":")
            out.appendJSONString(notification.id)
            if notification.isRead { out.append(",\"read\":true") }
            out.append("}")
        }
        if app.isBellUnread { out.appendMember("bell", true) }
        if let since = details.awaySince { out.appendMember("background_since", Int(since)) }
        if !app.restorable.isEmpty {
            out.appendMemberName("restorable")
            out.appendList(app.restorable) { write($1, to: &$0) }
        }
        if let article = app.lastArticle {
            out.appendMemberName("article")
            write(article, to: &out)
        }
        if let banner = details.banner {
            out.appendMemberName("banner")
            out.append("{\"id\":")
            out.appendJSONString(banner.identifier)
            out.append(",\"seq\":")
            out.append(banner.seq)
            out.append(",\"at\":")
            out.append(banner.shownAt)
            if let payload = banner.payload {
                out.append(",\"payload\":")
                out.appendJSONString(payload)
            }
            out.append("}")
        }
    }

    private static func write(_ screen: AppScreen, to out: inout ByteBuffer) {
        out.append("{\"name\":")
        out.appendJSONString(screen.name)
        if screen.kind != .plain { out.appendMember("kind", screen.kind.rawValue) }
        if screen.isModal { out.append(",\"modal\":true") }
        if screen.hasUnsavedWork { out.append(",\"unsaved\":true") }
        out.append("}")
    }

    static func quoted(_ string: String) -> String {
        var out = ByteBuffer(capacity: 64)
        out.appendJSONString(string)
        // SOUND: `out` owns the bytes and lives until they are copied.
        return unsafe String(decoding: out.bytes, as: UTF8.self)
    }
}

extension ByteBuffer {
    fileprivate mutating func appendList<Element>(
        _ elements: [Element], _ append: (_ out: inout ByteBuffer, _ element: Element) -> Void
    ) {
        self.append("[")
        for (index, element) in elements.enumerated() {
            if index > 0 { self.append(",") }
            append(&self, element)
        }
        self.append("]")
    }
}
