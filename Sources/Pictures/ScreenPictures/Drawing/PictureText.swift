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

    /// The same on one line.
    package static func line(_ text: String, most: Int = 400) -> String {
        paragraphs(text, most: most).filter { !$0.isEmpty }.joined(separator: " ")
    }

    /// Instead of a text in which nothing can be seen.
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
