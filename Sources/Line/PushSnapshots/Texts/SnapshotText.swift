import PayloadJSON
import PushDecoding
import PushModel
package import PushPipeline
package import PushStore
import PushSystem
import PushText

/// Composes the text of a snapshot: a section for each message and event, and one for each screen at the end.
///
/// Each text that a user sees is there once, in the section of its message; a screen refers to records. The text says
/// nothing about time, machine or version. Findings are named by rule and place, because their wording may change.
package struct SnapshotText {
    /// The first line of a snapshot. The number changes with the layout, and not with the version of the program.
    package static let heading = "pushpipe snapshot 1"

    /// The device of records that name none, which is not mentioned.
    private let defaultDevice: String
    private(set) var lines: [String] = []
    /// The size of the sections of messages and events.
    private(set) var bytes = 0
    /// The sections of notifications by key, to refer to them.
    private var sections: [String: String] = [:]
    private var screens: [Screen] = []
    private var knownScreens: Set<Screen> = []
    /// The devices and tokens that have the same shortened form, in the order in which they were first named.
    private var namesakes: [String: [String]] = [:]

    package init(defaultDevice: String) { self.defaultDevice = defaultDevice }

    /// The notifications of an app on a device.
    private struct Screen: Hashable {
        /// A token of APNs, which may be written in capitals too, in lower case.
        var device: String
        var app: String

        init(_ device: String, _ app: String) {
            self.device = DeviceToken.canonical(device)
            self.app = app
        }
    }

    package static func bytes(_ lines: [String]) -> [UInt8] {
        Array((([heading] + lines).joined(separator: "\n") + "\n").utf8)
    }

    /// The lines of a whole text after its first one.
    static func lines(of bytes: [UInt8]) -> [String] {
        String(decoding: bytes, as: UTF8.self).split(separator: "\n").dropFirst().map(String.init)
    }

    // MARK: - Messages

    /// Adds the section of a message or an event.
    package mutating func add(_ report: borrowing RecordReport) {
        let start = lines.count
        defer { for line in lines[start...] { bytes += line.utf8.count + 1 } }
        let target = report.message.target.map { ".\($0)" } ?? ""
        let label = "record \(report.seq)\(target)"
        lines += ["", "\(label): \(SnapshotLine.escaped(Self.headline(report)))"]
        if report.decodeFailure == nil { addMessage(report, label) }
        for finding in report.findings {
            let place = finding.pointer.isEmpty ? "" : " at \(finding.pointer)"
            add("finding", "\(finding.severity.rawValue) \(finding.rule)\(place)")
        }
    }

    private mutating func add(_ label: String, _ value: String?) {
        if let value { lines += SnapshotLine.field(label, value) }
    }

    private mutating func addMessage(_ report: borrowing RecordReport, _ label: String) {
        let message = report.message
        let note = report.note
        let device = message.device.string
        if device != defaultDevice, !device.isEmpty { add("device", name(device)) }
        add("app", message.app.isEmpty ? nil : message.app.string)
        if note?.event == nil {
            let platform = message.provider == .apns ? "" : " for \(message.platform.rawValue)"
            let gateway = message.gateway.map { " via \($0.name)" } ?? ""
            add(
                "\(message.provider.name)\(platform)\(gateway)",
                "\(message.byteCount) of \(message.byteLimit) bytes")
        }
        add("sent to", note?.sentTo)
        add("recipients", note?.recipients.map(String.init))
        if let token = note?.canonical { add("token now", name(token)) }
        add("extension", message.serviceExtension.map { "\($0.name)" })
        add("extension not started", report.extensionObstacle.map { "\($0.name)" })
        add("steps", note.flatMap { $0.steps.isEmpty ? nil : $0.steps.joined(separator: ", ") })
        add("identifier", note?.identifier)
        add("replaces", note?.replaces.map { "record \($0)" })
        add("dropped messages", note?.totalDeleted.map(String.init))
        for activity in note?.activities ?? [] { add("live activity", activity) }
        let screen = Screen(device, message.app.string)
        switch report.outcome {
        case .silent:
            if message.badge != nil { remember(screen) }
            return add("badge", message.badge.map(String.init))
        case .started, .updated, .ended: break
        default:
            guard report.isShown else { return }
            remember(screen)
        }
        add("identifier", message.identifier?.string)
        add("quiet", report.quiet)
        let content = Self.content(
            ShownContent(message.content),
            NotificationDetails(
                provider: message.provider, platform: message.platform, payload: message.payload,
                changes: message.changes))
        lines += content
        if let identifier = report.identifier {
            sections[Self.key(note?.original ?? report.seq, screen, identifier)] = label
        }
    }

    private mutating func remember(_ screen: Screen) {
        if knownScreens.insert(screen).inserted { screens.append(screen) }
    }

    /// The outcome of a message or an event: `replaced record 1`, `rejected, 413 PayloadTooLarge`.
    private static func headline(_ report: borrowing RecordReport) -> String {
        if let failure = report.decodeFailure {
            let position = failure.position
            return "malformed, \(failure.rule) at line \(position.line), column \(position.column)"
        }
        var text = "\(report.outcome.name)"
        if let event = report.note?.event { text = "event \(event) \(text)" }
        if let replaced = report.replaces { text += " record \(replaced)" }
        if let original = report.note?.original { text += ", sent as record \(original)" }
        let status = report.status.flatMap { $0 == 200 ? nil : String($0) }
        let answer = [status, report.reason.map { "\($0)" }].compactMap(\.self)
        return answer.isEmpty ? text : "\(text), \(answer.joined(separator: " "))"
    }

    private static func content(_ content: ShownContent, _ details: NotificationDetails) -> [String] {
        let texts = [
            ("title", content.title), ("subtitle", content.subtitle), ("body", content.body),
            ("thread", content.thread), ("badge", content.badge.map(String.init)),
        ]
        return texts.flatMap { label, text in text.map { SnapshotLine.field(label, $0) } ?? [] }
            + details.found.flatMap { SnapshotLine.field($0.label, $0.value) }
    }

    private static func key(_ seq: UInt64, _ screen: Screen, _ identifier: String) -> String {
        "\(seq)\n\(screen.device)\n\(screen.app)\n\(identifier)"
    }

    // MARK: - Screens

    /// Adds what is on the screens now, newest first: screens in the order in which messages have first changed them.
    /// - Parameter shows: true for a device whose screens are wanted.
    package mutating func addScreens(_ store: MemoryStore, shows: (String) -> Bool = { _ in true }) throws {
        let start = lines.count
        var shown: [Screen: [DeliveredNotification]] = [:]
        try store.forEachScreen(device: nil, app: nil) { notifications in
            guard let newest = notifications.last, shows(newest.device) else { return }
            shown[Screen(newest.device, newest.app)] = notifications
            remember(Screen(newest.device, newest.app))
        }
        for screen in screens where shows(screen.device) {
            let notifications = shown[screen] ?? []
            let device = notifications.last?.device ?? screen.device
            let badge = store.badge(device: device, app: screen.app)
            if notifications.isEmpty, badge == nil { continue }
            addScreen(device, screen.app, badge: badge)
            for notification in notifications.reversed() { add(notification) }
        }
        for activity in try store.liveActivities() where activity.state != .dismissed && shows(activity.device) {
            add(activity)
        }
        if lines.count == start { lines += ["", "nothing on screen"] }
    }

    private mutating func addScreen(_ device: String, _ app: String, badge: Int?) {
        lines += ["", "screen of \(place(device, app))"]
        add("badge", badge.map(String.init))
    }

    private mutating func place(_ device: String, _ app: String) -> String {
        SnapshotLine.escaped(([name(device)] + (app.isEmpty ? [] : [app])).joined(separator: ", "))
    }

    /// A device or token in at most 13 columns, and the number that tells it from others that look the same: `ab54…9f3c (2)`.
    private mutating func name(_ token: String) -> String {
        let shortened = TextStyle.shortened(token)
        let own = DeviceToken.canonical(token)
        let key = TextStyle.shortened(own)
        var known = namesakes[key] ?? []
        let position = known.firstIndex { $0.utf8.elementsEqual(own.utf8) } ?? known.count
        if position == known.count {
            known.append(own)
            namesakes[key] = known
        }
        return position == 0 ? shortened : "\(shortened) (\(position + 1))"
    }

    /// Refers to a record's section if that has the same content, as all have but those that an extension made.
    private mutating func add(_ notification: DeliveredNotification) {
        let key = Self.key(
            notification.seq, Screen(notification.device, notification.app), notification.identifier)
        if let section = sections[key] { return lines.append(SnapshotLine.indent + section) }
        lines.append("\(SnapshotLine.indent)from record \(notification.seq)")
        let details = BorrowedText.with(notification.payload) { payload in
            BorrowedText.with(notification.changes ?? "") {
                NotificationDetails(provider: .apns, platform: .ios, payload: payload, changes: $0)
            }
        }
        for line in Self.content(notification.content, details) { lines.append(SnapshotLine.indent + line) }
    }

    private mutating func add(_ activity: LiveActivity) {
        lines += ["", "\(activity.identifier) on \(place(activity.device, activity.app))"]
        add("state", activity.state.rawValue)
        add("type", activity.attributesType)
        add("attributes", activity.attributes)
        add("content", activity.contentState)
        add("stale at", activity.staleAt.map(RFC3339.text))
        add("relevance score", activity.relevanceScore)
        add("alert title", activity.alertTitle)
        add("alert body", activity.alertBody)
    }
}
