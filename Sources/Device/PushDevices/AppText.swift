import AppSimulation
package import PayloadJSON
package import PushModel

/// State that few apps have, encoded as JSON for a store: screens, the app's own notification list, the delegate, the
/// types that are on, topics, and what silences notifications.
///
///     {"screens":[{"name":"main"},{"name":"note","kind":"editor","modal":true,"unsaved":true}],"question":"go-to-centre",
///      "notifications":[{"id":"push-1","read":true}],"bell":true,"will_present":["banner"],"types":["mention"],"topics":["news"]}
package enum AppText {
    static let noDetails = InstallationDetails()

    /// Adds the delegate, the types that are on, topics, tokens of Live Activities and levels from a stored text to an event. Events have no member
    /// for screens.
    ///
    /// - Returns: true if the app is in the scheduled summary, which has an event of its own.
    package static func describe(_ text: BorrowedText, in event: inout DeviceEvent) -> Bool {
        var details = InstallationDetails()
        read(text, state: .terminated, into: &details)
        switch details.delegate {
        case .none: break
        case .methodMissing: event.delegate = .withoutWillPresent
        case .answers(let options): event.willPresent = words(options)
        }
        event.browser = details.browser
        if details.silentPushes > 0 { event.silentPushes = Int64(details.silentPushes) }
        if details.showsToasts { event.showsToasts = true }
        if details.screensWithBell != noDetails.screensWithBell {
            event.screensWithBell = details.screensWithBell.sorted()
        }
        event.types = details.typesOn.map { $0.sorted().map(\.name) }
        event.topics = details.topics.map { $0.sorted() }
        if details.previews != .always { event.previews = details.previews }
        event.categories = details.categories
        event.settings = details.settingsOff.reduce(into: [:]) { $0[$1] = false }
        event.channels = details.channels
        event.activities = details.activities
        event.startToken = details.startToken
        event.expoToken = details.expoToken
        if !details.activityTokens.isEmpty { event.activityTokens = details.activityTokens }
        if details.levels != InterruptionLevel.special {
            event.levels = DeviceEvent.Level.allCases.filter { details.levels.contains(InterruptionLevel($0)) }
        }
        return details.isInSummary
    }

    /// Says of an app on a device that was registered without one what it does not have: read again, it would begin with the values of every app.
    ///
    /// - Parameter everyApp: the event that registers the entry that stands for every app.
    package static func describeAbsences(in event: inout DeviceEvent, beside everyApp: DeviceEvent) {
        event.settings.merge(everyApp.settings.mapValues { _ in true }) { own, _ in own }
        if everyApp.previews != nil { event.previews = event.previews ?? .always }
        if event.willPresent == nil { event.delegate = event.delegate ?? DeviceEvent.Delegate.none }
        event.showsToasts = event.showsToasts ?? false
        event.screensWithBell = event.screensWithBell ?? noDetails.screensWithBell.sorted()
        event.levels = event.levels ?? DeviceEvent.Level.allCases
        event.canonical = event.canonical ?? ""
        if everyApp.topics != nil { event.topics = event.topics ?? [] }
        let forgotten = DeviceEvent.Unknown.allCases.filter { everyApp.says($0) && !event.says($0) }
        if !forgotten.isEmpty { event.forgotten = forgotten }
        if event.unregisteredAt == nil { event.isUnregistered = false }
        if event.token == nil, event.isConfirmed == nil { event.token = .confirmed }
    }

    /// True if the event that registers every app says something that an app may have to contradict.
    package static func isContradicted(_ everyApp: DeviceEvent) -> Bool {
        !everyApp.settings.isEmpty || everyApp.previews != nil || everyApp.topics != nil
            || DeviceEvent.Unknown.allCases.contains { everyApp.says($0) }
    }

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

    static func words(_ options: PresentationOptions) -> [DeviceEvent.Presentation] {
        DeviceEvent.Presentation.allCases.filter { options.contains(PresentationOptions($0)) }
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
        if let options = root["will_present"] {
            let words = elements(of: options).compactMap {
                $0.string.flatMap { DeviceEvent.Presentation(rawValue: $0.string) }
            }
            details.delegate = .answers(
                words.reduce(into: PresentationOptions()) { $0.formUnion(PresentationOptions($1)) })
        } else if root["delegate"]?.string?.string == "without-will-present" {
            details.delegate = .methodMissing
        }
        details.browser = root["browser"]?.string.flatMap { DeviceEvent.Browser(rawValue: $0.string) }
        details.silentPushes = root["silent_pushes"]?.int64.flatMap { Int(exactly: $0) } ?? 0
        details.showsToasts = root["toast"]?.kind == .true
        if let screens = root["bell_screens"] {
            details.screensWithBell = Set(elements(of: screens).compactMap { $0.string?.string })
        }
        if let types = root["types"] {
            details.typesOn = Set(elements(of: types).compactMap { $0.string.map { NotificationType($0.string) } })
        }
        details.activities = root["activities"].map { elements(of: $0).compactMap { $0.string?.string } }
        details.isInSummary = root["summary"]?.kind == .true
        if let names = root["settings_off"] {
            details.settingsOff = Set(
                elements(of: names).compactMap {
                    $0.string.flatMap { DeviceEvent.NotificationSetting(rawValue: $0.string) }
                })
        }
        if let levels = root["levels"] {
            let names = elements(of: levels).compactMap { $0.string?.string }
            details.levels = InterruptionLevel.special.filter { names.contains($0.rawValue) }
        }
        details.previews =
            root["previews"]?.string.flatMap { DeviceEvent.Previews(rawValue: $0.string) } ?? .always
        details.categories = root["categories"].flatMap { try? ActionCategory.list($0) }
        details.channels = root["channels"].flatMap { try? NotificationChannel.list($0) }
        details.startToken = root["start_token"]?.string?.string
        details.expoToken = root["expo"]?.string?.string
        if let tokens = root["activity_tokens"] {
            details.activityTokens = elements(of: tokens).compactMap { $0.string?.string }
        }
        if let topics = root["topics"] {
            details.topics = Set(elements(of: topics).compactMap { $0.string?.string })
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
