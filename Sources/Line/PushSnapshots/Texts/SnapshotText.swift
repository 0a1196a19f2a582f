import PushDecoding
package import PushDevices
import PushJSON
import PushModel
package import PushPipeline
import PushReports
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
        add("mutable-content", message.content.isMutable ? "1" : nil)
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

/// The details of a notification that its user notices, beyond its texts, the thread and the badge.
struct NotificationDetails {
    private struct Place {
        /// The name in snapshots.
        let label: String
        /// Below Apple's `aps`; nil if Apple has no such thing.
        let aps: String?
        /// The names in a notification of GCM and FCM. Protocol Buffers' JSON has two spellings of a name.
        let google: [String]
        /// The member of the content that a service extension sets.
        var changed: StaticString?
    }

    /// Sources: Apple, "Generating a remote notification"; Firebase, "HTTP v1: projects.messages".
    private static let places = [
        Place(
            label: "title arguments", aps: "/alert/title-loc-args",
            google: ["title_loc_args", "titleLocArgs"]),
        Place(label: "subtitle arguments", aps: "/alert/subtitle-loc-args", google: []),
        Place(label: "body arguments", aps: "/alert/loc-args", google: ["body_loc_args", "bodyLocArgs"]),
        // Of a Live Activity.
        Place(label: "content", aps: "/content-state", google: []),
        Place(label: "image", aps: nil, google: ["image"]),
        Place(label: "sound", aps: "/sound", google: ["sound"], changed: "sound"),
        Place(
            label: "interruption level", aps: "/interruption-level", google: [], changed: "interruptionLevel"),
        Place(label: "relevance score", aps: "/relevance-score", google: [], changed: "relevanceScore"),
        Place(
            label: "category", aps: "/category", google: ["click_action", "clickAction"], changed: "categoryIdentifier"),
        Place(label: "channel", aps: nil, google: ["channel_id", "channelId", "android_channel_id"]),
        Place(label: "icon", aps: nil, google: ["icon"]),
        Place(label: "color", aps: nil, google: ["color"]),
        Place(label: "actions", aps: nil, google: ["actions"]),
    ]

    /// The details that are there, in the order of the table.
    private(set) var found: [(label: String, value: String)] = []

    /// - Parameters:
    ///   - payload: the payload as it was sent.
    ///   - changes: the changes by a service extension, as a JSON object; empty for none.
    init(provider: Provider, platform: Platform, payload: BorrowedText, changes: BorrowedText) {
        // SOUND: each tape was just made of its text, which outlives the call.
        var scanner = JSONScanner()
        var tape = JSONTape()
        var changedTape = JSONTape()
        let root =
            unsafe scanner.scan(payload.bytes, into: &tape) == nil ? unsafe tape.root(of: payload.bytes) : nil
        let changed =
            unsafe !changes.isEmpty && scanner.scan(changes.bytes, into: &changedTape) == nil
            ? unsafe changedTape.root(of: changes.bytes) : nil
        let (aps, google) = Self.prefixes(provider, platform)
        for place in Self.places {
            var pointers: [String] = []
            if let aps, let path = place.aps { pointers.append(aps + path) }
            for prefix in google { pointers += place.google.map { "\(prefix)/\($0)" } }
            let value =
                place.changed.flatMap { changed?[$0] }
                ?? pointers.lazy.compactMap { root?[pointer: $0] }.first { $0.kind != .null }
            if let text = value.flatMap(Self.text) { found.append((place.label, text)) }
        }
        // The path of an attachment, and an identifier that the extension did not choose, differ from run to run.
        let attachments = changed?["attachments"]?.elements.map { $0["type"]?.string?.string ?? "file" } ?? []
        found += attachments.map { ("attachment", $0) }
    }

    /// The places where a payload has Apple's `aps` and Google's notifications, the one that counts more first.
    private static func prefixes(_ provider: Provider, _ platform: Platform) -> (aps: String?, google: [String]) {
        switch (provider, platform) {
        case (.apns, _): ("/aps", [])
        case (.gcm, _): (nil, ["/notification"])
        case (.fcm, .ios): ("/apns/payload/aps", ["/notification"])
        case (.fcm, .android): (nil, ["/android/notification", "/notification"])
        case (.fcm, .web): (nil, ["/webpush/notification", "/notification"])
        }
    }

    /// A string's contents, or the JSON text of another value on one line. Nil for null.
    private static func text(_ value: JSONView) -> String? {
        value.kind == .null ? nil : value.string?.string ?? JSONLayout.line(value)
    }
}

/// Writes the lines of a snapshot: text that Git, editors and mail leave as it is.
enum SnapshotLine {
    static let scenario = "scenario"
    /// The beginning of a line with a member of a section.
    static let indent = "  "

    /// `  title: Hello`. Further lines of the value are indented more; an empty one is there as the escape of its end.
    static func field(_ label: String, _ value: String) -> [String] {
        // Not the characters of the string, because one of them is a carriage return with a line feed.
        let lines = value.unicodeScalars.split(separator: "\n", omittingEmptySubsequences: false)
            .map { escaped(String($0)) }
        let first = lines.first ?? ""
        return ["\(indent)\(label):\(first.isEmpty ? "" : " ")\(first)"]
            + lines.dropFirst().map { indent + indent + ($0.isEmpty ? "\\u{a}" : $0) }
    }

    /// The text with escapes such as `\u{1b}` for what is invisible or would change its surroundings: control characters,
    /// bidirectional controls, line separators, and spaces at the end.
    ///
    /// Does not depend on a version of Unicode, so that a snapshot is the same with every version of Swift. No two texts
    /// have the same escaped form.
    static func escaped(_ text: String) -> String {
        guard text.utf8.contains(where: { !(0x21...0x5B ~= $0 || 0x5D...0x7E ~= $0) }) else { return text }
        let scalars = Array(text.unicodeScalars)
        let end = scalars.count - scalars.reversed().prefix { $0 == " " }.count
        var escaped = ""
        for (position, scalar) in scalars.enumerated() {
            let isEscapeItself = scalar == "\\" && scalars[(position + 1)...].starts(with: ["u", "{"])
            if position >= end || isEscapeItself || isInvisible(scalar) {
                escaped += "\\u{\(String(scalar.value, radix: 16))}"
            } else {
                escaped.unicodeScalars.append(scalar)
            }
        }
        return escaped
    }

    private static func isInvisible(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        case 0..<0x20, 0x7F..<0xA0, 0x061C, 0x200B, 0x200E, 0x200F, 0x2028...0x202E, 0x2060...0x206F, 0xFEFF: true
        default: false
        }
    }
}
