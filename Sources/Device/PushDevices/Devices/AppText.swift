import AppSimulation
import PushDecoding
package import PushJSON
package import PushModel

/// State that few apps have, encoded as JSON for a store: screens, the app's own notification list, the delegate, the
/// types that are on, topics, and what silences notifications.
///
///     {"screens":[{"name":"main"},{"name":"note","kind":"editor","modal":true,"unsaved":true}],"question":"go-to-centre",
///      "notifications":[{"id":"push-1","read":true}],"bell":true,"will_present":["banner"],"types":["mention"],"topics":["news"]}
package enum AppText {
    /// The settings in the order in which they are written; one that is not in this list comes last.
    private static let settings: [AppSetting] = {
        let order = [
            "delegate", "will_present", "browser", "silent_pushes", "toast", "bell_screens", "types", "activities",
            "summary",
            "settings_off", "levels", "previews", "categories", "channels", "topics", "start_token", "activity_tokens",
            "expo",
        ]
        let stored =
            AppSetting.table.filter(\.isStored) + [
                AppSetting("summary", .flag, \.isInSummary), AppSetting("settings_off", .texts, \.switchedOff),
            ]
        let named = order.compactMap { name in stored.first { $0.name.description == name } }
        return named + stored.filter { !order.contains($0.name.description) }
    }()

    /// Passes the root of a JSON text to `body`, or nil when there is no text or it is not JSON.
    static func withRoot<Result>(of text: String?, _ body: (JSONView?) -> Result) -> Result {
        guard let text else { return body(nil) }
        return BorrowedText.with(text) { withRoot(of: $0, body) }
    }

    private static func withRoot<Result>(of text: BorrowedText, _ body: (JSONView?) -> Result) -> Result {
        var scanner = JSONScanner()
        var tape = JSONTape()
        // SOUND: the text is borrowed for the whole call, and every view of it ends with the call.
        guard unsafe scanner.scan(text.bytes, into: &tape) == nil else { return body(nil) }
        return unsafe body(tape.root(of: text.bytes))
    }

    static func withJSON(_ text: BorrowedText, _ body: (JSONView) -> Void) {
        withRoot(of: text) { root in if let root, root.isObject { body(root) } }
    }

    /// Reads a stored text. Ignores members and values that it does not know, in case another program wrote them.
    static func read(_ text: BorrowedText, state: AppState, into details: inout InstallationDetails) {
        withJSON(text) { read($0, state: state, into: &details) }
    }

    private static func read(_ root: JSONView, state: AppState, into details: inout InstallationDetails) {
        if let screens = root["screens"] {
            var app = AppStateMachine(state: state)
            let kept = elements(of: screens).prefix(AppStateMachine.mostScreens).map(screen)
            // A running app has at least one screen; one that does not run has none.
            if state.isRunning, !kept.isEmpty { app.screens = kept }
            if let question = root["question"]?.string?.string, state.isRunning {
                switch question {
                case "go-to-centre": app.question = .goToCenter
                case "leave-editor": app.question = .leaveEditor
                case "go-to": app.question = root["destination"].map { .goTo(screen($0)) }
                default: break
                }
            }
            if let list = root["notifications"] {
                app.notifications = elements(of: list).suffix(AppStateMachine.mostNotifications).compactMap { element in
                    guard let id = element["id"]?.string?.string else { return nil }
                    var notification = AppNotification(id)
                    notification.isRead = element["read"]?.kind == .true
                    return notification
                }
            }
            app.isBellUnread = root["bell"]?.kind == .true
            details.awaySince = root["background_since"]?.int64
            if let screens = root["restorable"], state != .foreground {
                app.restorable = elements(of: screens).prefix(AppStateMachine.mostScreens - 1).map(screen)
            }
            app.lastArticle = root["article"].map(screen)
            if let banner = root["banner"], let id = banner["id"]?.string?.string, let at = banner["at"]?.int64,
                let seq = banner["seq"]?.int64.flatMap({ UInt64(exactly: $0) })
            {
                details.banner = ShownBanner(
                    identifier: id, seq: seq, shownAt: at, payload: banner["payload"]?.string?.string)
            }
            details.app = app
        }
        readSettings(root, into: &details.settings)
        details.indexCategories()
    }

    /// The settings of a stored text.
    package static func settings(in text: BorrowedText) -> AppSettings {
        var settings = AppSettings()
        withJSON(text) { readSettings($0, into: &settings) }
        return settings
    }

    private static func readSettings(_ root: JSONView, into settings: inout AppSettings) {
        for setting in Self.settings {
            if let value = root[setting.name] { setting.read(value, &settings) }
        }
    }

    private static func screen(_ view: JSONView) -> AppScreen {
        let kind = view["kind"]?.string.flatMap { AppScreen.Kind(rawValue: $0.string) } ?? .plain
        var screen = AppScreen(view["name"]?.string?.string ?? "", kind: kind, isModal: view["modal"]?.kind == .true)
        screen.hasUnsavedWork = view["unsaved"]?.kind == .true
        return screen
    }

    static func elements(of view: JSONView) -> [JSONView] {
        view.kind == .array ? Array(view.elements) : []
    }
}

extension AppText {
    /// Nil when there is nothing to store.
    static func text(_ details: InstallationDetails) -> String? {
        var out = ByteBuffer(capacity: 512)
        writeScreens(details, to: &out)
        for setting in settings { setting.append(details.settings, &out) }
        return out.object
    }

    /// Writes what an app has that is open, or has been.
    private static func writeScreens(_ details: InstallationDetails, to out: inout ByteBuffer) {
        guard let app = details.app else { return }
        out.appendMemberName("screens")
        out.appendArray(app.screens) { write($1, to: &$0) }
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
        out.appendArray(app.notifications) { out, notification in
            out.append("{\"id\":")
            out.appendJSONString(notification.id)
            if notification.isRead { out.append(",\"read\":true") }
            out.append("}")
        }
        if app.isBellUnread { out.appendMember("bell", true) }
        if let since = details.awaySince { out.appendMember("background_since", Int(since)) }
        if !app.restorable.isEmpty {
            out.appendMemberName("restorable")
            out.appendArray(app.restorable) { write($1, to: &$0) }
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
            out.appendMember("payload", banner.payload)
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
}

extension ByteBuffer {
    /// The members written as an object, each of which begins with a comma; nil for none.
    var object: String? {
        guard count > 0 else { return nil }
        // SOUND: the bytes are copied.
        return unsafe "{\(String(decoding: bytes.dropFirst(), as: UTF8.self))}"
    }
}

/// Describes the apps on devices by the events that would register them again, in the order of registration.
package struct AppRegistrations {
    private var devicesOfEveryApp: Set<Int64> = []
    /// What is said of every app of a device, if an app on it has to contradict that.
    private var everyApps: [Int64: DeviceEvent] = [:]
    private var focused: Set<Int64> = []

    package init() {}

    /// An app with its events: the first one says what a `device` event can say, the others what it cannot.
    ///
    /// - Parameters:
    ///   - event: has the state of the app, and of its device.
    ///   - device: a number for its device.
    package mutating func app(
        _ event: DeviceEvent, _ settings: AppSettings, _ condition: DeviceCondition, device: Int64
    ) -> RegisteredApp {
        var event = event
        var settings = settings
        let isInSummary = settings.isInSummary == true
        settings.isInSummary = nil
        event.settings = settings
        var isBesideEveryApp = false
        if event.app?.isEmpty ?? true {
            // The entry of every app is the first one of its device.
            devicesOfEveryApp.insert(device)
            if Self.isContradicted(event) { everyApps[device] = event }
        } else if devicesOfEveryApp.contains(device) {
            isBesideEveryApp = true
            Self.describeAbsences(in: &event, beside: everyApps[device] ?? DeviceEvent(.device))
        }
        if condition.lock != .unlocked { event.lock = condition.lock }
        if condition.isDozing { event.isDozing = true }
        var app = RegisteredApp(device: event.device ?? "", app: event.app ?? "", event: event)
        if isInSummary || isBesideEveryApp {
            var summary = DeviceEvent(.summary, device: event.device, app: event.app)
            summary.isOn = isInSummary
            app.furtherEvents.append(summary)
        }
        if let focus = condition.focusEvent(of: event.device), focused.insert(device).inserted {
            app.furtherEvents.append(focus)
        }
        return app
    }

    /// Says of an app on a device that was registered without one what it does not have: read again, it would begin with the values of every app.
    private static func describeAbsences(in event: inout DeviceEvent, beside everyApp: DeviceEvent) {
        var settings = event.settings
        let others = everyApp.settings
        for setting in AppSetting.table { setting.describeAbsence(&settings, others) }
        if settings.willPresent != nil { settings.delegate = nil }
        if others.topics != nil { settings.topics = settings.topics ?? [] }
        let forgotten = DeviceEvent.Unknown.allCases.filter { everyApp.says($0) && !event.says($0) }
        event.settings = settings
        if !forgotten.isEmpty { event.rare.forgotten = Set(forgotten) }
        if event.unregisteredAt == nil { event.isUnregistered = false }
        if event.token == nil, event.isConfirmed == nil { event.token = .confirmed }
    }

    /// True if the event that registers every app says something that an app may have to contradict.
    private static func isContradicted(_ everyApp: DeviceEvent) -> Bool {
        guard everyApp.hasRareMembers else { return everyApp.isLoggedIn != nil }
        let settings = everyApp.settings
        return everyApp.isLoggedIn != nil || settings.topics != nil
            || AppSetting.table.contains {
                ($0.beside == .contradicted || $0.beside == .forgotten) && $0.isSaid(settings)
            }
    }
}

extension AppSetting {
    /// The setting of which nothing may be known any more; nil for one that is no setting.
    static func named(_ member: DeviceEvent.Unknown) -> AppSetting? {
        table.first { $0.name.description == member.rawValue }
    }
}

extension DeviceEvent {
    fileprivate func says(_ member: Unknown) -> Bool {
        member == .loggedIn ? isLoggedIn != nil : AppSetting.named(member)?.isSaid(settings) ?? false
    }
}

extension AppSettings {
    /// The parts of its notifications that the user switches off.
    fileprivate var switchedOff: [String]? {
        get {
            let off = switches.filter { !$1 }.map(\.key.rawValue)
            return off.isEmpty ? nil : off.sorted()
        }
        set {
            for name in newValue ?? [] {
                if let part = DeviceEvent.NotificationSetting(rawValue: name) { switches[part] = false }
            }
        }
    }

    var presentationDelegate: PresentationDelegate {
        guard let willPresent else { return delegate == .withoutWillPresent ? .methodMissing : .none }
        return .answers(willPresent.reduce(into: PresentationOptions()) { $0.formUnion(PresentationOptions($1)) })
    }
}
