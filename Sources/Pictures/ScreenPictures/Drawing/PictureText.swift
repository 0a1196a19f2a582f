import PushText

/// Texts of pushes as a picture can show them. Texts are other people's: they may hold markup, control characters, and thousands of
/// marks on one letter.
package enum PictureText {
    /// The most marks on one letter, as in `TerminalText`: more would reach into the lines above and below.
    private static let mostMarks = 8
    /// The most scalars of a character: the longest emoji sequences have about ten.
    private static let mostScalars = 16

    /// The paragraphs of a text without what must not be drawn: control characters, bidirectional controls, which would reorder what is
    /// around them, noncharacters, and marks beyond `mostMarks`. White space becomes single spaces.
    ///
    /// - Parameter most: characters to look at; the rest is dropped. O(most).
    package static func paragraphs(_ text: String, most: Int = 2000) -> [String] {
        var paragraphs = [""]
        for character in text.prefix(most) {
            if character.isNewline {
                paragraphs.append("")
            } else if character.isWhitespace || character == "\t" {
                if paragraphs[paragraphs.count - 1].last.map({ $0 != " " }) ?? false {
                    paragraphs[paragraphs.count - 1].append(" ")
                }
            } else {
                paragraphs[paragraphs.count - 1].unicodeScalars.append(contentsOf: scalars(of: character))
            }
        }
        return paragraphs.map { $0.last == " " ? String($0.dropLast()) : $0 }
    }

    /// A text on one line, without what must not be drawn.
    package static func line(_ text: String, most: Int = 400) -> String {
        paragraphs(text, most: most).filter { !$0.isEmpty }.joined(separator: " ")
    }

    /// What is drawn for a text in which nothing can be seen.
    package static let invisible = "(nothing visible)"

    /// True if a text has nothing that can be seen: spaces, joiners, fillers and controls alone.
    package static func isInvisible(_ text: String) -> Bool {
        text.unicodeScalars.allSatisfy { scalar in
            let properties = scalar.properties
            // U+2800 is an empty Braille pattern.
            return properties.isWhitespace || properties.isDefaultIgnorableCodePoint || !isDrawn(scalar)
                || properties.generalCategory == .format || scalar == "\u{2800}"
        }
    }

    /// A text on one line, or what says that nothing of it can be seen.
    package static func visible(_ text: String) -> String {
        let line = line(text)
        return !line.isEmpty && isInvisible(line) ? invisible : line
    }

    private static func scalars(of character: Character) -> [Unicode.Scalar] {
        var marks = 0
        var kept: [Unicode.Scalar] = []
        for scalar in character.unicodeScalars.prefix(mostScalars) where isDrawn(scalar) {
            if scalar.properties.generalCategory == .nonspacingMark
                || scalar.properties.generalCategory == .enclosingMark
            {
                marks += 1
                // A mark on nothing would sit on what is before it.
                if marks > mostMarks || kept.isEmpty { continue }
            }
            kept.append(scalar)
        }
        return kept
    }

    private static func isDrawn(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        case 0..<0x20, 0x7F..<0xA0: false
        // Bidirectional controls (UAX #9), separators, the byte order mark, and what XML 1.0 excludes.
        case 0x061C, 0x200E, 0x200F, 0x2028...0x202E, 0x2060...0x206F, 0xFEFF, 0xFFF9...0xFFFB: false
        case 0xFDD0...0xFDEF: false
        default: scalar.value & 0xFFFE != 0xFFFE
        }
    }

    /// True if a paragraph is written from right to left: its first letter is (UAX #9, rule P2).
    package static func isRightToLeft(_ text: String) -> Bool {
        for scalar in text.unicodeScalars {
            switch scalar.value {
            case 0x0590...0x08FF, 0xFB1D...0xFDFF, 0xFE70...0xFEFE, 0x10800...0x10FFF, 0x1E800...0x1EFFF:
                if scalar.properties.isAlphabetic { return true }
            default:
                if scalar.properties.isAlphabetic { return false }
            }
        }
        return false
    }

    /// An app's name, as far as its identifier tells: `News` for `org.example.news`; the host of a web site's origin.
    package static func appName(_ app: String) -> String {
        let text = line(app)
        if let scheme = text.firstRange(of: "://") {
            let host = text[scheme.upperBound...].prefix { $0 != "/" && $0 != ":" }
            if !host.isEmpty { return String(host) }
        }
        let last = text.split(separator: ".").last.map(String.init) ?? ""
        guard let first = last.first else { return "App" }
        return first.uppercased() + last.dropFirst()
    }

    /// The first letters of the first and the last word of a name; `?` for one without letters.
    package static func initials(_ name: String) -> String {
        let words = line(name).split(separator: " ").compactMap { $0.first { $0.isLetter || $0.isNumber } }
        let chosen = [words.first, words.count > 1 ? words.last : nil].compactMap(\.self)
        return chosen.isEmpty ? "?" : chosen.map { $0.uppercased() }.joined()
    }

    /// A device's name: a long token shortened to its beginning and its end.
    package static func deviceName(_ device: String) -> String {
        let name = line(device)
        return name.count <= 26 ? name : "\(name.prefix(12))…\(name.suffix(8))"
    }

    /// A number with its noun: `1 notification`, `2,000 notifications`.
    ///
    /// - Parameter many: the plural; nil for that with an `s`.
    package static func counted(_ number: Int, _ one: String, _ many: String? = nil) -> String {
        "\(grouped(number)) \(number == 1 ? one : many ?? one + "s")"
    }

    /// `1234567` as `1,234,567`.
    package static func grouped(_ number: Int) -> String {
        let digits = Array(String(number.magnitude))
        var text = number < 0 ? "-" : ""
        for (position, digit) in digits.enumerated() {
            if position > 0, (digits.count - position).isMultiple(of: 3) { text += "," }
            text.append(digit)
        }
        return text
    }
}

/// Breaks texts into lines by the widths of the widest fonts that draw them. The measure is the same everywhere, whatever fonts there are, so
/// in a narrower font lines leave some room.
package enum TextLayout {
    /// Widths of the characters of ASCII from the space on, in hundredths of the font's size: the wider of DejaVu Sans, which draws a PNG on a
    /// Linux without other fonts, and of Inter. No font of `PictureTheme` is wider. Source: `hmtx` of DejaVu Sans 2.37 and Inter 4.
    private static let ascii: [UInt8] = [
        32, 41, 46, 84, 64, 96, 78, 28, 40, 40, 50, 84, 32, 47, 32, 36,  // space to slash
        64, 64, 64, 64, 65, 64, 64, 64, 64, 64, 34, 34, 84, 84, 84, 54,  // digits to question mark
        100, 69, 69, 73, 78, 64, 59, 78, 76, 30, 55, 66, 57, 89, 76, 79,  // @ to O
        64, 79, 70, 64, 65, 75, 69, 99, 69, 67, 69, 40, 36, 40, 84, 50,  // P to underscore
        50, 62, 64, 56, 64, 62, 37, 64, 64, 28, 28, 58, 28, 98, 64, 62,  // ` to o
        64, 64, 42, 53, 40, 64, 60, 82, 60, 60, 55, 64, 34, 64, 84, 0,  // p to delete
    ]
    /// Widths of the same characters in bold texts: of DejaVu Sans Bold, which fontconfig chooses for the weight 600, and of Inter SemiBold.
    private static let boldASCII: [UInt8] = [
        35, 46, 53, 84, 70, 101, 88, 31, 46, 46, 55, 84, 38, 47, 38, 38,  // space to slash
        70, 70, 70, 70, 70, 70, 70, 70, 70, 70, 40, 40, 84, 84, 84, 59,  // digits to question mark
        100, 78, 77, 75, 84, 69, 69, 83, 84, 38, 57, 78, 64, 100, 84, 86,  // @ to O
        74, 86, 78, 73, 69, 82, 78, 111, 78, 73, 73, 46, 38, 46, 84, 50,  // P to underscore
        50, 68, 72, 60, 72, 68, 44, 72, 72, 35, 35, 67, 35, 105, 72, 69,  // ` to o
        72, 72, 50, 60, 48, 72, 66, 93, 65, 66, 59, 72, 37, 72, 84, 0,  // p to delete
    ]
    /// The factor by which other characters are wider in a bold text.
    private static let boldFactor = 1.12

    /// The width of a character as a part of the font's size.
    private static func width(of character: Character, isBold: Bool) -> Double {
        guard let scalar = character.unicodeScalars.first else { return 0 }
        if scalar.value < 0x80 {
            return scalar.value < 0x20 ? 0 : Double((isBold ? boldASCII : ascii)[Int(scalar.value) - 0x20]) / 100
        }
        // Noto Color Emoji is wider than high.
        if isWide(character) { return scalar.properties.generalCategory == .otherSymbol ? 1.25 : 1.06 }
        return plainWidth(of: scalar) * (isBold ? boldFactor : 1)
    }

    /// About the mean of DejaVu Sans, weighted by how often letters occur in texts.
    private static func plainWidth(of scalar: Unicode.Scalar) -> Double {
        switch scalar.properties.generalCategory {
        case .nonspacingMark, .enclosingMark, .format: 0
        case .uppercaseLetter, .titlecaseLetter: 0.73
        case .dashPunctuation: scalar.value == 0x2014 ? 1 : 0.62
        case .initialPunctuation, .finalPunctuation: 0.55
        case .mathSymbol, .otherSymbol: 0.84
        case .otherLetter: 0.63
        default: scalar == "…" ? 1 : 0.66
        }
    }

    /// True if it is as wide as it is high: ideographs, kana, Hangul, and emoji.
    private static func isWide(_ character: Character) -> Bool {
        TerminalText.width(String(character)) == 2
    }

    /// The width of a line in points.
    package static func width(_ text: some StringProtocol, size: Double, isBold: Bool = false) -> Double {
        var sum = 0.0
        for character in text { sum += width(of: character, isBold: isBold) }
        return sum * size
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

    /// The beginning of a text: as many characters as fit.
    private static func prefix(of text: Substring, size: Double, room: Double, isBold: Bool) -> Substring {
        var sum = 0.0
        var index = text.startIndex
        while index < text.endIndex {
            sum += width(of: text[index], isBold: isBold)
            if sum * size > room { break }
            index = text.index(after: index)
        }
        return text[..<index]
    }

    /// The first line of a text: as many words as fit, or, of a word that is longer than a line, as many characters, at least one.
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
