import PushModel
import PushReports
import PushSystem
import PushText

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
    /// Of the whole card, at least `fewestColumns`.
    private let columns: Int

    /// The frame, a space on either side, and room for a wide character.
    static let fewestColumns = 8
    /// Lines that a body takes at most, as on a lock screen where it is not opened.
    private static let mostBodyLines = 6
    /// Of a text, that are looked at: more than six lines of a wide terminal.
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
        return [edge("╭", activity.app, "\(activity.state.rawValue), \(time)", "╮", false)]
            + texts.map { side($0, false) } + [edge("╰", "Live Activity \(activity.identifier)", "", "╯", false)]
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
        let time = Self.time(notification.deliveredAt)
        var footer = notification.identifier
        if let thread = content.thread, !thread.isEmpty { footer += " · \(thread)" }
        return [edge("╭", notification.app, time, "╮", isNew)] + texts.map { side($0, isNew) }
            + [edge("╰", footer, "", "╯", isNew)]
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
    private func edge(_ first: String, _ left: String, _ right: String, _ last: String, _ isNew: Bool) -> String {
        var room = columns - 4
        let right = right.isEmpty || right.count + 2 > room ? "" : " \(right) "
        room -= right.count
        let clean = TextStyle.clean(left)
        let left = clean.isEmpty || room < 6 ? "" : " \(TerminalText.shortened(clean, to: room - 2)) "
        let line = String(repeating: "─", count: max(room - TerminalText.width(left), 0))
        return rule("\(first)─", isNew) + style.dim(left) + rule(line, isNew) + style.dim(right)
            + rule("─\(last)", isNew)
    }

    private func rule(_ text: String, _ isNew: Bool) -> String { isNew ? style.changed(text) : style.dim(text) }

    /// - Parameter text: styled, with the columns of what is in it.
    private func side(_ text: String, _ isNew: Bool) -> String {
        let rule = rule("│", isNew)
        let padding = String(repeating: " ", count: max(columns - 4 - TerminalText.width(ofStyled: text), 0))
        return "\(rule) \(text)\(padding) \(rule)"
    }
}
