import PayloadJSON
import TerminalStyle

/// JSON for people. Numbers and strings stay as they are written, members in their order.
enum JSONLayout {
    /// On one line, with a space after each comma and colon.
    static func line(_ value: JSONView) -> String {
        var text = ""
        append(value, to: &text, indent: nil, longestText: nil)
        return text
    }

    /// A line per member or element, indented by two spaces per level.
    ///
    /// - Parameters:
    ///   - indent: spaces before each line.
    ///   - longestText: columns above which the end of a string is left out; nil for no limit.
    static func lines(_ value: JSONView, indent: Int, longestText: Int?) -> String {
        var text = String(repeating: " ", count: indent)
        append(value, to: &text, indent: indent, longestText: longestText)
        return text
    }

    /// Recurses as deep as the scanner lets a text nest.
    private static func append(_ value: JSONView, to text: inout String, indent: Int?, longestText: Int?) {
        let inner = indent.map { $0 + 2 }
        switch value.kind {
        case .object:
            var members = value.members
            var isEmpty = true
            while let (key, value) = members.next() {
                text += isEmpty ? "{" : ","
                separate(&text, inner, isFirst: isEmpty)
                isEmpty = false
                text += TextStyle.clean("\"\(key.raw.string)\": ")
                append(value, to: &text, indent: inner, longestText: longestText)
            }
            close(&text, indent, isEmpty ? "{}" : "}", isEmpty: isEmpty)
        case .array:
            var elements = value.elements
            var isEmpty = true
            while let element = elements.next() {
                text += isEmpty ? "[" : ","
                separate(&text, inner, isFirst: isEmpty)
                isEmpty = false
                append(element, to: &text, indent: inner, longestText: longestText)
            }
            close(&text, indent, isEmpty ? "[]" : "]", isEmpty: isEmpty)
        default:
            text += shortened(TextStyle.clean(value.text.string), longestText)
        }
    }

    private static func separate(_ text: inout String, _ indent: Int?, isFirst: Bool) {
        if let indent {
            text += "\n" + String(repeating: " ", count: indent)
        } else if !isFirst {
            text += " "
        }
    }

    private static func close(_ text: inout String, _ indent: Int?, _ bracket: String, isEmpty: Bool) {
        if let indent, !isEmpty { text += "\n" + String(repeating: " ", count: indent) }
        text += bracket
    }

    /// A text without its end if it takes more columns.
    static func shortened(_ text: String, _ longest: Int?) -> String {
        guard let longest else { return text }
        return TerminalText.shortened(text, to: longest)
    }

    /// Two texts that, if they are too long, lose their end and most of the beginning that they share.
    static func shortened(_ old: String, _ new: String, _ longest: Int?) -> (String, String) {
        guard let longest, TerminalText.width(old) > longest || TerminalText.width(new) > longest else {
            return (old, new)
        }
        let shared = zip(old, new).prefix { $0 == $1 }.count
        let left = max(shared - longest / 3, 0)
        func cut(_ text: String) -> String {
            shortened(left > 1 ? "…" + text.dropFirst(left) : text, longest)
        }
        return (cut(old), cut(new))
    }
}
