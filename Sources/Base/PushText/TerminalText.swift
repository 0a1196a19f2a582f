/// Text for display in a terminal: which characters can be shown as they are, and how many columns they take.
///
/// Characters that would do more than display themselves become escapes such as `\u{1b}`: both sets of control
/// characters, bidirectional controls, line separators, invisible characters, and characters that are only meaningful
/// next to another one that is missing. Letters, marks and emoji sequences of all scripts stay.
///
/// Columns are counted as terminals do: two for characters that are wide or full-width in UAX #11 and for emoji, none
/// for marks, one for all others, including ambiguous ones.
package enum TerminalText {
    /// The most marks on one character. No script needs as many; more would reach into the lines above and below.
    private static let mostMarks = 8

    // MARK: - Showing

    /// The text on one line, with escapes for characters that would disturb a terminal.
    package static func clean(_ text: String) -> String {
        guard text.utf8.contains(where: { !(0x20...0x7E ~= $0) }) else { return inert(text) }
        var cleaned = ""
        forEachScalar(of: text) { scalar, isShown, _ in
            if isShown { cleaned.unicodeScalars.append(scalar) } else { cleaned += escape(scalar) }
        }
        return inert(cleaned)
    }

    /// A line with an escape within all that a CI server takes for a command: `##[` and `##vso[`, and `::` at the beginning, also after
    /// blanks. Sources: actions/runner, `ActionCommand.cs`, and microsoft/azure-pipelines-agent, `Command.cs`.
    package static func inert(_ line: String, _ escape: (Unicode.Scalar) -> String = Self.escape) -> String {
        guard zip(line.utf8, line.utf8.dropFirst()).contains(where: { $0 == $1 && ($0 == 0x23 || $0 == 0x3A) }) else {
            return line
        }
        let scalars = Array(line.unicodeScalars)
        let first = scalars.firstIndex { !$0.properties.isWhitespace }
        var inert = ""
        for (index, scalar) in scalars.enumerated() {
            let rest = scalars[(index + 1)...]
            let isCommand =
                scalar == "#" && index > 0 && scalars[index - 1] == "#"
                && (rest.first == "[" || rest.starts(with: "vso[".unicodeScalars))
            let isStart = index == first && scalar == ":" && rest.first == ":"
            if isCommand || isStart { inert += escape(scalar) } else { inert.unicodeScalars.append(scalar) }
        }
        return inert
    }

    /// The text with each of its lines cleaned: line feeds stay.
    package static func cleanLines(_ text: String) -> String {
        text.split(separator: "\n", omittingEmptySubsequences: false).map { clean(String($0)) }.joined(separator: "\n")
    }

    private static func escape(_ scalar: Unicode.Scalar) -> String { "\\u{\(String(scalar.value, radix: 16))}" }

    // MARK: - Measuring

    /// The width in columns of a text from `clean`.
    package static func width(_ text: String) -> Int {
        guard text.utf8.contains(where: { !(0x20...0x7E ~= $0) }) else { return text.utf8.count }
        var width = 0
        forEachScalar(of: text) { width += $2 }
        return width
    }

    /// The width in columns of a clean text with styles: without its escape sequences for colors, which end with an `m`.
    package static func width(ofStyled text: String) -> Int {
        guard text.utf8.contains(0x1B) else { return width(text) }
        var plain = ""
        var isEscape = false
        for character in text {
            switch character {
            case "\u{1B}": isEscape = true
            case _ where isEscape: isEscape = character != "m"
            default: plain.append(character)
            }
        }
        return width(plain)
    }

    /// A clean text shortened to a number of columns: an ellipsis replaces its end, between two grapheme clusters.
    package static func shortened(_ text: String, to columns: Int) -> String {
        guard width(text) > columns else { return text }
        return prefix(of: text, columns: columns - 1) + "…"
    }

    /// A clean text shortened by an ellipsis in the middle, keeping that many columns of the end.
    package static func shortened(_ text: String, to columns: Int, keepingEnd end: Int) -> String {
        guard width(text) > columns else { return text }
        var kept: [Character] = []
        var room = end
        for character in text.reversed() {
            room -= width(String(character))
            if room < 0 { break }
            kept.append(character)
        }
        return prefix(of: text, columns: columns - end - 1) + "…" + String(kept.reversed())
    }

    private static func prefix(of text: String, columns: Int) -> Substring {
        var room = columns
        var index = text.startIndex
        while index < text.endIndex {
            room -= width(String(text[index]))
            if room < 0 { break }
            index = text.index(after: index)
        }
        return text[..<index]
    }

    /// Padded with spaces to a number of columns, on the right or, when `right`, on the left.
    package static func padded(_ text: String, to columns: Int, right: Bool = false) -> String {
        let spaces = String(repeating: " ", count: max(columns - width(text), 0))
        return right ? spaces + text : text + spaces
    }

    // MARK: - Scalars

    /// Calls `body` with each scalar of a text, true if it is shown as it is, and its width, which is that of its
    /// escape otherwise.
    package static func forEachScalar(of text: String, _ body: (Unicode.Scalar, _ isShown: Bool, _ width: Int) -> Void)
    {
        for character in text {
            let scalars = Array(character.unicodeScalars)
            var marks = 0
            for index in scalars.indices {
                let scalar = scalars[index]
                let width = shownWidth(of: index, in: scalars, &marks)
                body(scalar, width != nil, width ?? escape(scalar).utf8.count)
            }
        }
    }

    /// The width of a scalar in a grapheme cluster; nil when it must not be shown there.
    private static func shownWidth(of index: Int, in cluster: [Unicode.Scalar], _ marks: inout Int) -> Int? {
        let scalar = cluster[index]
        switch scalar.value {
        case 0x20...0x7E: return 1
        case 0..<0xA0: return nil
        // Invisible fillers and selectors, and the joiner of marks.
        case 0x034F, 0x115F, 0x1160, 0x17B4, 0x17B5, 0x180B...0x180F, 0x3164, 0xFFA0: return nil
        // A regional indicator: two make a flag, and terminals disagree about a single one.
        case 0x1F1E6...0x1F1FF: return cluster.count == 2 ? (index == 0 ? 2 : 0) : nil
        case 0x200C, 0x200D, 0xFE00...0xFE0F, 0xE0000...0xE007F, 0xE0100...0xE01EF:
            return joinedWidth(of: index, in: cluster)
        // Hangul vowels and final consonants, which form one syllable with the scalars before them.
        case 0x1160...0x11FF, 0xD7B0...0xD7FF: if index > 0 { return 0 }
        // The skin tone of the emoji before it, which is wide then.
        case 0x1F3FB...0x1F3FF:
            if index > 0, cluster[index - 1].properties.isEmojiModifierBase {
                return index == 1 ? 2 - width(of: cluster[0]) : 0
            }
        // Arabic and related signs that enclose numbers, with the category Format.
        case 0x0600...0x0605, 0x06DD, 0x070F, 0x0890, 0x0891, 0x08E2, 0x110BD, 0x110CD: return 1
        default: break
        }
        switch scalar.properties.generalCategory {
        case .control, .format, .lineSeparator, .paragraphSeparator, .surrogate, .unassigned: return nil
        case .nonspacingMark, .enclosingMark:
            marks += 1
            return index > 0 && marks <= mostMarks ? 0 : nil
        default: break
        }
        // A joiner before it makes it part of an emoji that has been counted.
        if index > 0, cluster[index - 1] == "\u{200D}", joinedWidth(of: index - 1, in: cluster) != nil,
            scalar.properties.isEmoji
        {
            return 0
        }
        return width(of: scalar)
    }

    /// The width of scalars that mean nothing alone: joiners, variation selectors, and the tags that name a flag's
    /// region.
    private static func joinedWidth(of index: Int, in cluster: [Unicode.Scalar]) -> Int? {
        guard index > 0 else { return nil }
        let before = cluster[index - 1]
        let scalar = cluster[index]
        switch scalar.value {
        case 0x200C: return joinsLetters(before) ? 0 : nil
        case 0x200D:
            let isBetweenEmoji =
                index + 1 < cluster.count && isEmojiPart(before) && cluster[index + 1].properties.isEmoji
            // What is joined is one emoji, which is wide.
            if isBetweenEmoji { return index == 1 ? 2 - width(of: before) : 0 }
            return joinsLetters(before) ? 0 : nil
        // Emoji presentation, which is wide, and text presentation. A part that is joined has been counted.
        case 0xFE0F:
            guard before.properties.isEmoji else { return nil }
            return index > 1 && cluster[index - 2] == "\u{200D}" ? 0 : 2 - width(of: before)
        case 0xFE0E: return before.properties.isEmoji ? 0 : nil
        case 0xFE00...0xFE0D, 0xE0100...0xE01EF: return before.properties.isIdeographic ? 0 : nil
        default: return isRegionalFlag(cluster) ? 0 : nil
        }
    }

    private static func isEmojiPart(_ scalar: Unicode.Scalar) -> Bool {
        scalar == "\u{FE0F}" || scalar.properties.isEmoji
    }

    /// Letters and marks of the scripts in which a joiner shapes a word, from Arabic to Sinhala and from Tibetan to
    /// Mongolian.
    private static func joinsLetters(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        case 0x0620...0x0DFF, 0x0F00...0x109F, 0x1780...0x18AA: true
        default: false
        }
    }

    /// A black flag, tag letters and digits that name a region, and a cancel tag.
    private static func isRegionalFlag(_ cluster: [Unicode.Scalar]) -> Bool {
        cluster.count >= 4 && cluster[0] == "\u{1F3F4}" && cluster.last == "\u{E007F}"
            && cluster[1..<cluster.count - 1].allSatisfy {
                0xE0030...0xE0039 ~= $0.value || 0xE0061...0xE007A ~= $0.value
            }
    }

    // MARK: - Widths

    /// Wide characters that are not emoji, by UAX #11 (`EastAsianWidth.txt`), version 15.1. Blocks are listed whole
    /// when only their unassigned characters are not wide. Wide emoji are those with the Unicode property
    /// Emoji_Presentation.
    private static let wide: [ClosedRange<UInt32>] = [
        0x1100...0x115F, 0x2329...0x232A, 0x2E80...0x303E, 0x3041...0x3247, 0x3250...0x4DBF, 0x4E00...0xA4CF,
        0xA960...0xA97C, 0xAC00...0xD7A3, 0xF900...0xFAFF, 0xFE10...0xFE19, 0xFE30...0xFE6F, 0xFF01...0xFF60,
        0xFFE0...0xFFE6, 0x16FE0...0x18DFF, 0x1AFF0...0x1B2FF, 0x1F200...0x1F265, 0x20000...0x3FFFD,
    ]

    /// The width of a scalar that stands alone and is not a mark.
    private static func width(of scalar: Unicode.Scalar) -> Int {
        guard scalar.value >= 0x1100 else { return 1 }
        let isWide = scalar.properties.isEmojiPresentation || wide.contains { $0.contains(scalar.value) }
        return isWide ? 2 : 1
    }
}

extension TerminalText {
    /// The fewest columns that a text is broken to: a wide character, and as much again.
    private static let fewestColumns = 4

    /// A clean text on lines of at most that many columns, broken between words. O(n).
    ///
    /// A line ends after a space, which is left out, or next to a wide character, because Chinese and Japanese are written without
    /// spaces; but not before closing punctuation, nor after opening punctuation (UAX #14: LB13, LB14). A word that is longer than a
    /// line is broken between two grapheme clusters. Right-to-left text is broken in the order in which it is stored (UAX #9, 3.4).
    ///
    /// - Parameters:
    ///   - first: the columns of the first line, if they are others. The line is empty if the first word fits only below.
    ///   - breaksWords: false lets a word that is longer than a line, such as a path, have a longer line.
    package static func wrapped(
        _ text: String, to columns: Int, first: Int? = nil, breaksWords: Bool = true
    ) -> [String] {
        let columns = max(columns, fewestColumns)
        let first = max(first ?? columns, fewestColumns)
        guard width(text) > first else { return [text] }
        var lines: [String] = []
        /// The words of the line, and the word that is not on it yet because its end is unknown.
        var line = Piece()
        var word = Piece()
        var previous: Character?
        for character in text {
            if let previous, isBreak(between: previous, character) {
                line.append(word)
                word = Piece()
            }
            let width = width(String(character))
            let most = lines.isEmpty ? first : columns
            if character != " ", line.width + word.width + width > most {
                if line.width > 0 || lines.isEmpty && first < columns {
                    lines.append(line.withoutTrailingSpaces)
                    line = Piece()
                }
                if breaksWords, word.width + width > (lines.isEmpty ? first : columns) {
                    lines.append(word.withoutTrailingSpaces)
                    word = Piece()
                }
            }
            word.text.append(character)
            word.width += width
            previous = character
        }
        line.append(word)
        return (lines + [line.withoutTrailingSpaces]).map { inert($0) }
    }

    /// Prose of any number of lines: those that are longer go on below, indented by two more columns than they begin. O(n).
    ///
    /// A line with a control character stays as it is: it has colors, and was wrapped before them, or writes over itself.
    package static func wrappedLines(_ text: String, to columns: Int) -> String {
        text.split(separator: "\n", omittingEmptySubsequences: false).map { line in
            guard line.utf8.count > columns, !line.utf8.contains(where: { $0 < 0x20 }) else { return String(line) }
            let indent = min(line.prefix { $0 == " " }.count + 2, columns / 2)
            let lines = wrapped(String(line), to: columns - indent, first: columns, breaksWords: false)
            return lines.joined(separator: "\n" + String(repeating: " ", count: indent))
        }.joined(separator: "\n")
    }

    private struct Piece {
        var text = ""
        var width = 0

        mutating func append(_ other: Piece) {
            text += other.text
            width += other.width
        }

        var withoutTrailingSpaces: String {
            guard let last = text.lastIndex(where: { $0 != " " }) else { return "" }
            return String(text[...last])
        }
    }

    private static func isBreak(between first: Character, _ second: Character) -> Bool {
        if second == " " { return false }
        if first == " " { return true }
        guard width(String(first)) == 2 || width(String(second)) == 2 else { return false }
        return !closing.contains(second) && !opening.contains(first)
    }

    /// Classes CL, CP, EX, IS and NS of UAX #14, as far as they stand next to wide characters.
    private static let closing: Set<Character> = Set(
        "、。，．：；！？）］｝」』】〕〉》〗〙〟’”)]}!?,.:;…‥ーゝゞヽヾ々ぁぃぅぇぉっゃゅょァィゥェォッャュョ")
    /// Class OP.
    private static let opening: Set<Character> = Set("（［｛「『【〔〈《〖〘〝‘“([{")
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
            if !line.isEmpty { append(line, gap: nil, paint) }
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
