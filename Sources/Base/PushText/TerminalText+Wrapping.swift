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
    ///   - first: the columns of the first line, if they are others.
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
                if line.width > 0 {
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
        return lines + [line.withoutTrailingSpaces]
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
