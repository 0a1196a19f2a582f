import PushModel
import PushReports
import PushSystem
import PushText

/// The view of a person who browses the devices of a store in a terminal. A pure state machine: keys and the store's content go in, the
/// lines of the terminal come out.
struct ScreenBrowser {
    struct Device: Sendable, Equatable {
        var name: String
        /// Notifications of all its apps.
        var count: Int
        /// The numbers on the icons of its apps. A phone shows no sum of them.
        var badges: [Badge] = []
    }

    struct Badge: Sendable, Equatable {
        var app: String
        var number: Int
    }

    enum Command: Sendable, Equatable {
        case quit
        case nextDevice, previousDevice, firstDevice, lastDevice
        /// Down by so many lines; negative is up.
        case scroll(Int)
        case scrollPage(Int)
        case top, bottom
        /// Begin to type a part of a device's name, and a byte of what is typed: Return ends it, Escape goes back to the device before.
        case find
        case type(UInt8)
    }

    /// The width of the terminal.
    var columns: Int { didSet { if columns != oldValue { layOut() } } }
    var rows: Int { didSet { offset = min(offset, lastOffset) } }
    /// Between the first line and the last, as many as there are.
    private var body: [String] = []
    /// The name of the store, for the first line.
    var title: String
    private let style: TextStyle
    private var devices: [Device] = []
    private var selected = 0
    /// Newest first.
    private var shown: [DeliveredNotification] = []
    private var activities: [LiveActivity] = []
    /// Identifies those that have arrived since the device was chosen.
    private var fresh: Set<Key> = []
    private var offset = 0
    private var problem: String?
    /// The typed part of a device's name, and the device at which the search began; nil while nobody types.
    private var search: (text: [UInt8], start: String?)?

    /// A notification that is replaced is another one, as it comes with another record.
    private struct Key: Hashable {
        var app: String
        var identifier: String
        var seq: UInt64
        var deliveredAt: Int64

        init(_ notification: DeliveredNotification) {
            app = notification.app
            identifier = notification.identifier
            seq = notification.seq
            deliveredAt = notification.deliveredAt
        }
    }

    /// A card gets no wider, as lines that are too long are hard to read.
    private static let mostCardColumns = 72

    init(title: String, style: TextStyle, columns: Int, rows: Int) {
        self.title = title
        self.style = style
        self.columns = columns
        self.rows = rows
        layOut()
    }

    /// The device that is shown; nil if there is none.
    var device: String? { devices.indices.contains(selected) ? devices[selected].name : nil }

    // MARK: - What goes in

    /// Takes the devices, in the order in which they were first seen. The one that is shown stays, if it is still there.
    mutating func take(_ devices: [Device]) {
        let name = device
        self.devices = devices
        selected =
            name.flatMap { name in devices.firstIndex { $0.name == name } } ?? min(selected, max(devices.count - 1, 0))
        if device != name { leave() }
    }

    /// Shows a device. Returns true if there is one of this name.
    mutating func select(_ name: String) -> Bool {
        guard let index = devices.firstIndex(where: { $0.name == name }) else { return false }
        selected = index
        leave()
        return true
    }

    /// Takes what the device shows, newest first.
    ///
    /// - Parameter isFirst: true the first time for this device, so that nothing in it is new.
    mutating func take(
        _ notifications: [DeliveredNotification], _ activities: [LiveActivity] = [], isFirst: Bool
    ) {
        if !isFirst {
            let before = Set(shown.map(Key.init))
            let now = notifications.map(Key.init)
            let arrived = now.filter { !before.contains($0) }
            // What was new before stays so only until the next ones arrive.
            fresh = arrived.isEmpty ? fresh.intersection(now) : Set(arrived)
        }
        shown = notifications
        self.activities = activities
        problem = nil
        layOut()
    }

    /// Shows why the store cannot be read, until it can.
    mutating func take(problem: String) { self.problem = problem }

    /// Returns true if another device is shown now.
    mutating func handle(_ command: Command) -> Bool {
        let before = selected
        switch command {
        case .quit: break
        case .nextDevice: selected = min(selected + 1, max(devices.count - 1, 0))
        case .previousDevice: selected = max(selected - 1, 0)
        case .firstDevice: selected = 0
        case .lastDevice: selected = max(devices.count - 1, 0)
        case .scroll(let lines): offset = min(max(offset + lines, 0), lastOffset)
        case .scrollPage(let pages): offset = min(max(offset + pages * max(bodyRows - 1, 1), 0), lastOffset)
        case .top: offset = 0
        case .bottom: offset = lastOffset
        case .find: search = ([], device)
        case .type(let byte): type(byte)
        }
        if selected != before { leave() }
        return selected != before
    }

    /// Selects the first device whose name contains the typed text, from the one where the search began.
    private mutating func type(_ byte: UInt8) {
        switch byte {
        case UInt8(ascii: "\n"), UInt8(ascii: "\r"):
            search = nil
            return
        case KeyReader.escape: search?.text = []
        // All bytes of a character.
        case 0x08, 0x7F: while let last = search?.text.popLast(), last & 0xC0 == 0x80 {}
        default: search?.text.append(byte)
        }
        if let place = found { selected = place }
        if byte == KeyReader.escape { search = nil }
    }

    private var found: Int? {
        guard let search, let start = devices.firstIndex(where: { $0.name == search.start }) else { return nil }
        let part = String(decoding: search.text, as: UTF8.self).lowercased()
        return devices.indices.lazy.map { ($0 + start) % devices.count }.first {
            part.isEmpty || devices[$0].name.lowercased().contains(part)
        }
    }

    private mutating func leave() {
        offset = 0
        fresh = []
        shown = []
        activities = []
        layOut()
    }

    // MARK: - What comes out

    /// The lines of the terminal, as many as it has rows, none wider than it.
    var lines: [String] {
        guard rows > 2 else { return Array([heading, footer].prefix(max(rows, 0))) }
        let seen = body[min(offset, body.count)...].prefix(bodyRows)
        return [heading] + seen + Array(repeating: "", count: max(bodyRows - seen.count, 0)) + [footer]
    }

    private var bodyRows: Int { max(rows - 2, 0) }

    private var lastOffset: Int { max(body.count - bodyRows, 0) }

    private var heading: String {
        guard let device else { return style.bold(fit(" \(TextStyle.clean(title))  no device yet")) }
        let count = shown.count == 1 ? "1 notification" : "\(shown.count) notifications"
        // A token has 64 digits and more; what comes after it says more than its middle.
        let name = TerminalText.shortened(TextStyle.clean(device), to: max(columns / 3, 13), keepingEnd: 4)
        return style.bold(
            fit(
                " \(name)  \(selected + 1) of \(devices.count)  \(count)  \(TextStyle.clean(title))\(badges)"
            ))
    }

    /// `  badge 3` where one app has a number; where several have, each with the last part of its identifier: `  badges news 3, chat 13`.
    private var badges: String {
        let badges = devices[selected].badges
        guard badges.count > 1 else { return badges.first.map { "  badge \($0.number)" } ?? "" }
        let each = badges.map { badge in
            let name = badge.app.split(separator: ".").last.map(String.init) ?? "app"
            return "\(TextStyle.clean(name)) \(badge.number)"
        }
        return "  badges \(each.joined(separator: ", "))"
    }

    private var footer: String {
        if let problem { return style.changed(fit(" \(TextStyle.clean(problem))")) }
        if let search {
            let text = TextStyle.clean(String(decoding: search.text, as: UTF8.self))
            return fit(" /\(text)" + (found == nil ? "  no such device" : ""))
        }
        let position =
            body.count > bodyRows ? "  \(offset + 1)–\(min(offset + bodyRows, body.count)) of \(body.count) lines" : ""
        return style.dim(fit(" ←→ device  / find  ↑↓ g G scroll  q quit\(position)"))
    }

    private func fit(_ text: String) -> String { TerminalText.shortened(text, to: max(columns, 1)) }

    /// Draws the cards, which only what comes in and the width change.
    private mutating func layOut() {
        let width = min(columns, Self.mostCardColumns)
        let box = CardBox(style, columns: width)
        body = activities.flatMap { box.lines(of: $0) }
        body += shown.flatMap { box.lines(of: $0, isNew: fresh.contains(Key($0))) }
        if body.isEmpty {
            body = ["", style.dim(fit(device == nil ? " The store is empty." : " Nothing on the screen."))]
        }
        if width < CardBox.fewestColumns { body = [] }
        offset = min(offset, lastOffset)
    }
}

/// Draws one notification as a card with a frame.
///
///     ╭─ org.example.news ────────────────── 21:04:05 ─╮
///     │ Election night                                 │
///     │ 12 of 98 districts are counted                 │
///     ╰────────────────────────────────────────────────╯
///
/// Texts are cleaned for a terminal. Lines are measured in columns, so emoji and wide characters stay within the frame; right-to-left text
/// is left to the terminal, which turns it around between the sides of the frame.
struct CardBox {
    private let style: TextStyle
    /// The width of the whole card, at least `fewestColumns`.
    private let columns: Int

    /// The frame, a space on either side, and room for a wide character.
    static let fewestColumns = 8
    /// Lines that a body takes at most, as on a lock screen where it is not opened.
    private static let mostBodyLines = 6
    /// The most characters of a text that are read: more than six lines of a wide terminal.
    private static let mostScalars = 2000

    init(_ style: TextStyle, columns: Int) {
        self.style = style
        self.columns = max(columns, Self.fewestColumns)
    }

    /// A Live Activity, with its state and the fields of its content.
    func lines(of activity: LiveActivity) -> [String] {
        var texts = activity.attributesType.map { wrapped($0).map(style.bold) } ?? []
        if let content = activity.contentState { texts += Self.cut(wrapped(ContentText.line(content))) }
        if texts.isEmpty { texts = [style.dim("no content")] }
        let time = Self.time(activity.updatedAt)
        return card(
            top: (activity.app, "\(activity.state.rawValue), \(time)"), texts,
            bottom: "Live Activity \(activity.identifier)")
    }

    /// - Parameter isNew: true if it has just arrived, which its frame shows.
    func lines(of notification: DeliveredNotification, isNew: Bool = false) -> [String] {
        let content = notification.content
        var texts: [String] = []
        if let title = content.title { texts += wrapped(title).map(style.bold) }
        if let subtitle = content.subtitle { texts += wrapped(subtitle) }
        if let body = content.body {
            let lines = body.split(separator: "\n", maxSplits: Self.mostBodyLines, omittingEmptySubsequences: false)
            texts += Self.cut(lines.flatMap { wrapped(String($0)) })
        }
        if texts.isEmpty { texts = [style.dim("no text")] }
        var footer = notification.identifier
        if let thread = content.thread, !thread.isEmpty { footer += " · \(thread)" }
        return card(top: (notification.app, Self.time(notification.deliveredAt)), texts, bottom: footer, isNew: isNew)
    }

    private func card(
        top: (left: String, right: String), _ texts: [String], bottom: String, isNew: Bool = false
    ) -> [String] {
        [edge(("╭", "╮"), top.left, right: top.right, isNew: isNew)] + texts.map { side($0, isNew) }
            + [edge(("╰", "╯"), bottom, isNew: isNew)]
    }

    /// The time of the day in UTC, as the other reports have it.
    private static func time(_ milliseconds: Int64) -> String {
        String(RFC3339.text(milliseconds).dropFirst(11).prefix(8))
    }

    /// Lines of a text, of whose beginning alone a card has room.
    private func wrapped(_ text: String) -> [String] {
        let width = columns - 4
        // Marks and joiners take no columns, so there may be more scalars than columns, but not without end.
        let beginning = text.unicodeScalars.prefix(Self.mostScalars)
        return TerminalText.wrapped(TextStyle.clean(String(String.UnicodeScalarView(beginning))), to: width)
    }

    private static func cut(_ lines: [String]) -> [String] {
        lines.count <= mostBodyLines ? lines : lines.prefix(mostBodyLines) + ["…"]
    }

    /// `╭─ left ──── right ─╮`. Texts that have no room are shortened, the left one first.
    private func edge(
        _ corners: (left: String, right: String), _ left: String, right: String = "", isNew: Bool
    ) -> String {
        var room = columns - 4
        let right = right.isEmpty || right.count + 2 > room ? "" : " \(right) "
        room -= right.count
        let clean = TextStyle.clean(left)
        let left = clean.isEmpty || room < 6 ? "" : " \(TerminalText.shortened(clean, to: room - 2)) "
        let line = String(repeating: "─", count: max(room - TerminalText.width(left), 0))
        return rule("\(corners.left)─", isNew) + style.dim(left) + rule(line, isNew) + style.dim(right)
            + rule("─\(corners.right)", isNew)
    }

    private func rule(_ text: String, _ isNew: Bool) -> String { isNew ? style.changed(text) : style.dim(text) }

    /// - Parameter text: styled, with the columns of what is in it.
    private func side(_ text: String, _ isNew: Bool) -> String {
        let rule = rule("│", isNew)
        let padding = String(repeating: " ", count: max(columns - 4 - TerminalText.width(ofStyled: text), 0))
        return "\(rule) \(text)\(padding) \(rule)"
    }
}
