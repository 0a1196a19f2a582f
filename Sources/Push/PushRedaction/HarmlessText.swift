import PushSystem

/// The texts that stay when tokens are hidden, because they cannot hold one. Nothing is decoded or searched for: however a token is encoded,
/// grouped or turned round, it has a long word or many capitals and digits close together, and people's sentences have neither.
///
/// Of all that counts as a token, an installation id of Firebase and the word in a token of Expo's are the shortest: 22 random characters of
/// 64. A device token of APNs has 64 hexadecimal digits, or 43 characters of Base64.
package enum HarmlessText {
    /// Who chose a text.
    package enum Kind {
        /// Anybody.
        case text
        /// The app's programmers, for a member, app, category, sound or channel: `didReceiveRemoteNotification`.
        case name
        /// Pushpipe itself, which writes numbers and names of services, but no long word that could be a token.
        case message
    }

    /// The shortest text that may hold a token, in bytes.
    package static let shortestSecret = 16
    /// The characters of the longest word that may have any capitals and digits.
    package static let longestWord = 20
    /// The most capitals and digits of a longer word, in a text and in a name or message.
    package static let mostInLongWord = (text: 1, name: 4)
    /// The most capitals and digits among as many letters and digits in a row as `Row` has bits, whatever is between them.
    package static let mostInRow = 6
    /// A bit for each of the last 32 letters and digits: 1 for a capital or a digit.
    private typealias Row = UInt32

    /// True if a text cannot hold a token. O(bytes).
    package static func isHarmless(_ text: [UInt8], as kind: Kind = .text) -> Bool {
        guard text.count >= shortestSecret else { return true }
        let mostInLongWord = kind == .text ? mostInLongWord.text : mostInLongWord.name
        let mostInRow = kind == .message ? Row.bitWidth : mostInRow
        var row: Row = 0
        // Of the word so far: its characters, the capitals and digits among them, and if it has `&`.
        var length = 0
        var striking = 0
        var hasAmpersand = false
        for scalar in String(decoding: text, as: UTF8.self).unicodeScalars {
            let part = Part(scalar)
            switch part {
            case .ignored: continue
            case .separator:
                length = 0
                striking = 0
                hasAmpersand = false
                continue
            case .inWord:
                length += 1
                // A character reference of HTML, whose letters are none of the text.
                if hasAmpersand, scalar == ";" { return false }
                if scalar == "&" { hasAmpersand = true }
            case .plain, .striking:
                let isStriking = part == .striking
                row = row << 1 | (isStriking ? 1 : 0)
                // No token has letters of other scripts.
                length = scalar.isASCII ? length + 1 : 0
                striking = scalar.isASCII ? striking + (isStriking ? 1 : 0) : 0
            }
            if row.nonzeroBitCount > mostInRow || length > longestWord && striking > mostInLongWord { return false }
        }
        return true
    }

    /// The part that a character has in a text.
    private enum Part {
        /// A letter, neither capital nor digit.
        case plain
        /// A capital or a digit.
        case striking
        /// Another ASCII character within a word, such as `-`, `_`, `%`, `&`, `\`.
        case inWord
        case separator
        /// Invisible, such as a space of no width: it divides nothing.
        case ignored

        init(_ scalar: Unicode.Scalar) {
            if scalar.isASCII {
                self = Self.table[Int(scalar.value)]
            } else {
                self = Self.beyondASCII(scalar.properties)
            }
        }

        private static let table: [Part] = (0..<128 as Range<UInt8>).map { byte in
            switch byte {
            case _ where byte.isDigit || 0x41...0x5A ~= byte: .striking
            case _ where byte.isLetter: .plain
            case UInt8(ascii: "."), UInt8(ascii: ":"), UInt8(ascii: "/"), 0...0x20: .separator
            default: .inWord
            }
        }

        private static func beyondASCII(_ properties: Unicode.Scalar.Properties) -> Part {
            if properties.isDefaultIgnorableCodePoint { return .ignored }
            // Not of what only has a numeric value, as 一 in Chinese.
            let isDigit = properties.numericType == .decimal || properties.numericType == .digit
            if isDigit || properties.isUppercase { return .striking }
            return properties.isAlphabetic ? .plain : .separator
        }
    }
}
