/// The style of text for people: with or without colors and links, as wide as the terminal, and safe for it.
package struct TextStyle: Sendable {
    package let hasColors: Bool
    /// True if links are part of the text, as OSC 8 has it.
    package let hasLinks: Bool
    /// Columns of the terminal; nil where lines may have any length.
    package let columns: Int?

    package init(hasColors: Bool, hasLinks: Bool = false, columns: Int? = nil) {
        self.hasColors = hasColors
        self.hasLinks = hasLinks
        self.columns = columns
    }

    /// The lines of a clean text, each with so many columns less than the terminal: the text itself where lines may have any length.
    package func wrapped(_ text: String, indent: Int) -> [String] {
        guard let columns else { return [text] }
        return TerminalText.wrapped(text, to: columns - indent)
    }

    package func dim(_ text: String) -> String { paint("2", text) }
    package func bold(_ text: String) -> String { paint("1", text) }

    /// Text that leads to an address; where links are unknown, just the text.
    package func link(_ text: String, to address: String) -> String {
        hasLinks ? "\u{1B}]8;;\(address)\u{1B}\\\(text)\u{1B}]8;;\u{1B}\\" : text
    }

    /// Styles text that was added, removed or changed.
    package func added(_ text: String) -> String { paint("32", text) }
    package func removed(_ text: String) -> String { paint("31", text) }
    package func changed(_ text: String) -> String { paint("33", text) }

    /// Text with the code of a color (SGR of ECMA-48), if there are colors.
    package func paint(_ code: String, _ text: String) -> String {
        hasColors && !text.isEmpty ? "\u{1B}[\(code)m\(text)\u{1B}[0m" : text
    }

    /// The text on one line, with escapes for characters that would disturb a terminal; see `TerminalText`.
    package static func clean(_ text: String) -> String { TerminalText.clean(text) }

    /// A token in at most 13 columns: its beginning and its end.
    package static func shortened(_ token: String) -> String {
        TerminalText.shortened(clean(token), to: 13, keepingEnd: 4)
    }
}

extension String {
    /// Padded with spaces to a number of columns, and with at least one after it.
    package func padded(to width: Int, right: Bool = false) -> String {
        if right { return TerminalText.padded(self, to: width, right: true) }
        return TerminalText.padded(self, to: max(width, TerminalText.width(self) + 1))
    }
}
