/// A note about a place in a file, as a line that a CI job prints so that its server shows the note there.
package struct Annotation: Sendable {
    /// The server's language.
    package enum Dialect: Sendable {
        /// Workflow commands of GitHub Actions.
        case github
        /// Logging commands of Azure Pipelines, which know neither an end nor a title, and nothing milder than a warning.
        case azure
    }

    package enum Severity: String, Sendable { case error, warning, notice }

    /// Both count from 1.
    package typealias Place = (line: Int, column: Int)

    private let severity: Severity
    private let file: String
    private let start: Place?
    private let end: Place?
    private let title: String
    private let message: String

    /// - Parameters:
    ///   - start: nil for the whole file.
    ///   - end: nil if only the start is known.
    ///   - title: a few words, such as a rule's name.
    package init(
        _ severity: Severity, file: String, start: Place? = nil, end: Place? = nil, title: String, message: String
    ) {
        self.severity = severity
        self.file = file
        self.start = start
        self.end = end
        self.title = title
        self.message = message
    }

    /// The line, with its end.
    package func line(in dialect: Dialect) -> String {
        switch dialect {
        case .github: githubLine
        case .azure: azureLine
        }
    }

    // Docs of GitHub Actions, "Workflow commands"; the escapes are those of actions/toolkit, `command.ts`.
    private var githubLine: String {
        var properties = [("file", file)]
        if let start {
            properties.append(("line", "\(start.line)"))
            if let end { properties.append(("endLine", "\(end.line)")) }
            // The runner takes columns within one line only.
            if end == nil || end?.line == start.line { properties.append(("col", "\(start.column)")) }
            if let end, end.line == start.line { properties.append(("endColumn", "\(end.column)")) }
        }
        properties.append(("title", title))
        let ends: [Unicode.Scalar: String] = ["%": "%25", "\r": "%0D", "\n": "%0A"]
        let escapes = ends.merging([":": "%3A", ",": "%2C"]) { $1 }
        let list = properties.map { "\($0)=\(Self.escaped($1, escapes))" }.joined(separator: ",")
        return "::\(severity.rawValue) \(list)::\(Self.escaped(message, ends))\n"
    }

    // Docs of Azure Pipelines, "Logging commands", with its table of escapes.
    private var azureLine: String {
        var properties = [("type", severity == .error ? "error" : "warning"), ("sourcepath", file)]
        if let start { properties += [("linenumber", "\(start.line)"), ("columnnumber", "\(start.column)")] }
        properties.append(("code", title))
        let ends: [Unicode.Scalar: String] = ["%": "%AZP25", "\r": "%0D", "\n": "%0A"]
        let escapes = ends.merging([";": "%3B", "]": "%5D"]) { $1 }
        let list = properties.map { "\($0)=\(Self.escaped($1, escapes));" }.joined()
        return "##vso[task.logissue \(list)]\(Self.escaped(message, ends))\n"
    }

    /// The text on one line: with escapes for what would end it, and for what would disturb a terminal.
    private static func escaped(_ text: String, _ escapes: [Unicode.Scalar: String]) -> String {
        TextStyle.clean(text.unicodeScalars.map { escapes[$0] ?? String($0) }.joined())
    }
}

/// A line of cells and parts. A part that does not fit in the terminal any more goes on below, indented.
package struct FlowingLine {
    private static let gapOfParts = 2

    private let columns: Int?
    private let indent: Int
    private var column = 0
    /// Spaces before what comes next.
    private var gap = 0
    /// The line with its styles, and the lines below it, without a line break at the end.
    package private(set) var text = ""

    /// - Parameters:
    ///   - indent: columns before what goes on below.
    ///   - start: columns before the first part.
    package init(_ style: TextStyle, indent: Int, startingAt start: Int = 0) {
        columns = style.columns
        self.indent = indent
        gap = start
    }

    /// Columns left for another part; nil where the line may have any length.
    package var room: Int? { columns.map { max($0 - column - gap, 0) } }

    /// Columns for a part that goes on below; nil where the line may have any length.
    package var roomBelow: Int? { columns.map { max($0 - indent, 0) } }

    /// Appends a clean text that stays on the line, and pads it to so many columns if something follows, but with at least one space.
    package mutating func appendCell(_ cell: String, to width: Int, _ paint: (String) -> String = { $0 }) {
        let own = TerminalText.width(cell)
        // Spaces are written only before what follows, so that no line ends in them.
        if own > 0 { write(cell, own, paint) }
        gap = (own > 0 ? 0 : gap) + max(width - own, 1)
    }

    /// Appends a clean text, here or below.
    ///
    /// - Parameter spaces: before it, if they are others than after a cell or between two parts.
    package mutating func append(_ part: String, gap spaces: Int? = nil, _ paint: (String) -> String = { $0 }) {
        let width = TerminalText.width(part)
        gap = spaces ?? gap
        if let columns, column > indent, column + gap + width > columns { goOnBelow() }
        write(part, width, paint)
        gap = Self.gapOfParts
    }

    /// Appends a clean text that may go on below between two words.
    package mutating func appendWords(_ words: String, _ paint: (String) -> String = { $0 }) {
        guard let columns, let room else { return append(words, gap: nil, paint) }
        for (index, line) in TerminalText.wrapped(words, to: columns - indent, first: room).enumerated() {
            if index > 0 { goOnBelow() }
            append(line, gap: nil, paint)
        }
    }

    private mutating func goOnBelow() {
        text += "\n" + String(repeating: " ", count: indent)
        column = indent
        gap = 0
    }

    private mutating func write(_ part: String, _ width: Int, _ paint: (String) -> String) {
        text += String(repeating: " ", count: gap) + paint(part)
        column += gap + width
    }
}

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
