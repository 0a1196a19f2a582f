import PushText

/// Breaks texts into lines by an estimate of their width. The estimate is the same everywhere, whatever fonts there are; lines leave some
/// room, and what draws them clips them.
package enum TextLayout {
    /// Widths of the characters of ASCII from the space on, in hundredths of the font's size. Between those of Helvetica and of
    /// DejaVu Sans, so that either fits.
    private static let ascii: [UInt8] = [
        28, 30, 40, 70, 62, 86, 68, 24, 36, 36, 46, 66, 29, 42, 29, 36,  // space to slash
        62, 50, 60, 61, 63, 60, 61, 56, 61, 61, 29, 29, 66, 66, 66, 53,  // digits to question mark
        95, 68, 65, 71, 72, 60, 58, 73, 73, 28, 56, 66, 56, 86, 74, 75,  // @ to O
        63, 75, 64, 63, 62, 72, 68, 96, 67, 66, 63, 36, 36, 36, 66, 50,  // P to underscore
        50, 57, 61, 57, 61, 59, 37, 61, 60, 26, 27, 55, 26, 88, 60, 60,  // ` to o
        61, 61, 40, 54, 38, 60, 56, 78, 56, 56, 56, 40, 32, 40, 66, 0,  // p to delete
    ]
    /// By how much a bold text is wider, in percent.
    private static let boldPercent = 5

    /// The width of a character as a part of the font's size.
    private static func width(of character: Character) -> Double {
        guard let scalar = character.unicodeScalars.first else { return 0 }
        if scalar.value < 0x80 { return scalar.value < 0x20 ? 0 : Double(ascii[Int(scalar.value) - 0x20]) / 100 }
        if isWide(character) { return 1.06 }
        switch scalar.properties.generalCategory {
        case .nonspacingMark, .enclosingMark, .format: return 0
        case .uppercaseLetter, .titlecaseLetter: return 0.7
        case .dashPunctuation: return scalar.value == 0x2014 ? 0.9 : 0.62
        case .initialPunctuation, .finalPunctuation: return 0.42
        case .otherLetter: return 0.6
        default: return scalar.value < 0x0250 ? 0.6 : 0.66
        }
    }

    /// True if it is as wide as it is high: ideographs, kana, Hangul, and emoji.
    private static func isWide(_ character: Character) -> Bool {
        TerminalText.width(String(character)) == 2
    }

    /// The width of a line in points.
    package static func width(_ text: some StringProtocol, size: Double, isBold: Bool = false) -> Double {
        var sum = 0.0
        for character in text { sum += width(of: character) }
        return sum * size * (isBold ? 1 + Double(boldPercent) / 100 : 1)
    }

    /// Lines of at most `room` points, the last one with an ellipsis if that is not all.
    ///
    /// - Parameter most: lines, at least 1.
    package static func lines(
        _ text: String, size: Double, room: Double, most: Int, isBold: Bool = false
    ) -> [String] {
        var lines: [String] = []
        let paragraphs = PictureText.paragraphs(text)
        for (number, paragraph) in paragraphs.enumerated() {
            var rest = Substring(paragraph)
            repeat {
                let isLast = lines.count == most - 1
                let line = firstLine(of: rest, size: size, room: room, isBold: isBold)
                let hasMore = line.endIndex < rest.endIndex || paragraphs[(number + 1)...].contains { !$0.isEmpty }
                if isLast, hasMore {
                    // As much as fits, broken anywhere.
                    let isWhole = line.endIndex == rest.endIndex
                    let text = String(rest) + (isWhole ? "…" : "")
                    return lines + [shortened(text, size: size, room: room, isBold: isBold)]
                }
                lines.append(trimmed(line))
                if isLast { return lines }
                rest = rest[line.endIndex...].drop { $0 == " " }
            } while !rest.isEmpty
        }
        return lines
    }

    /// One line, with an ellipsis in place of its end if it is longer than `room` points.
    package static func shortened(_ text: String, size: Double, room: Double, isBold: Bool = false) -> String {
        let line = PictureText.line(text, most: 600)
        guard width(line, size: size, isBold: isBold) > room else { return line }
        let rest = room - width("…", size: size, isBold: isBold)
        let kept = prefix(of: Substring(line), size: size, room: rest, isBold: isBold)
        return trimmed(kept) + "…"
    }

    private static func trimmed(_ text: Substring) -> String {
        var text = text
        while text.last == " " { text = text.dropLast() }
        return String(text)
    }

    /// As many characters as fit.
    private static func prefix(of text: Substring, size: Double, room: Double, isBold: Bool) -> Substring {
        let scale = size * (isBold ? 1 + Double(boldPercent) / 100 : 1)
        var sum = 0.0
        var index = text.startIndex
        while index < text.endIndex {
            sum += width(of: text[index]) * scale
            if sum > room { break }
            index = text.index(after: index)
        }
        return text[..<index]
    }

    /// As many words as fit, or, of a word that is longer than a line, as many characters, at least one.
    private static func firstLine(of text: Substring, size: Double, room: Double, isBold: Bool) -> Substring {
        let fitting = prefix(of: text, size: size, room: room, isBold: isBold)
        guard fitting.endIndex < text.endIndex else { return text }
        if text[fitting.endIndex] == " " { return fitting }
        var end = fitting.endIndex
        while end > text.startIndex {
            if canBreak(text, before: end) { return text[..<end] }
            end = text.index(before: end)
        }
        return fitting.isEmpty ? text.prefix(1) : fitting
    }

    /// True if a line may end before an index: after a space or a hyphen, or next to a wide character, but not before closing
    /// punctuation, nor after opening punctuation (UAX #14: LB13, LB14).
    private static func canBreak(_ text: Substring, before index: Substring.Index) -> Bool {
        let left = text[text.index(before: index)]
        let right = text[index]
        if left == " " { return true }
        if closing.contains(right) || opening.contains(left) { return false }
        return left == "-" || left == "–" || left == "—" || isWide(left) || isWide(right)
    }

    private static let closing: Set<Character> = [
        "、", "。", "，", "．", "：", "；", "？", "！", "）", "】", "」", "』", "》", "〉", "〕", "］", "｝", ",", ".", ":", ";", "?",
        "!", ")", "]",
        "…", "”", "’", "ー", "々",
    ]
    private static let opening: Set<Character> = ["（", "【", "「", "『", "《", "〈", "〔", "［", "｛", "(", "[", "“", "‘"]
}
