package import PushJSON
import PushText

/// Formats JSON for reading. Keeps the spelling of numbers and strings, and the order of members.
package enum JSONLayout {
    /// The value on one line, with a space after each comma and colon.
    package static func line(_ value: JSONView) -> String {
        var text = ""
        append(value, to: &text, indent: nil, used: 0, columns: nil)
        return text
    }

    /// One line per member or element, indented by two spaces per level.
    ///
    /// - Parameters:
    ///   - indent: spaces before each line.
    ///   - columns: the columns of a line, to which strings are shortened; nil for no limit.
    static func lines(_ value: JSONView, indent: Int, columns: Int?) -> String {
        var text = String(repeating: " ", count: indent)
        append(value, to: &text, indent: indent, used: indent, columns: columns)
        return text
    }

    /// Recurses as deep as the nesting limit of the scanner.
    ///
    /// - Parameter used: columns before the value.
    private static func append(_ value: JSONView, to text: inout String, indent: Int?, used: Int, columns: Int?) {
        let inner = indent.map { $0 + 2 }
        switch value.kind {
        case .object:
            var isEmpty = true
            for (key, value) in value.members {
                text += isEmpty ? "{" : ","
                separate(&text, inner, isFirst: isEmpty)
                isEmpty = false
                let name = TextStyle.clean("\"\(key.raw.string)\": ")
                text += name
                append(
                    value, to: &text, indent: inner, used: (inner ?? 0) + TerminalText.width(name), columns: columns)
            }
            close(&text, indent, isEmpty ? "{}" : "}", isEmpty: isEmpty)
        case .array:
            var isEmpty = true
            for element in value.elements {
                text += isEmpty ? "[" : ","
                separate(&text, inner, isFirst: isEmpty)
                isEmpty = false
                append(element, to: &text, indent: inner, used: inner ?? 0, columns: columns)
            }
            close(&text, indent, isEmpty ? "[]" : "]", isEmpty: isEmpty)
        default:
            // A comma may follow.
            text += shortened(TextStyle.clean(value.text.string), columns.map { $0 - used - 1 })
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

    /// The text, shortened if it takes more columns, but to no less than 20.
    static func shortened(_ text: String, _ longest: Int?) -> String {
        guard let longest else { return text }
        return TerminalText.shortened(text, to: max(longest, 20))
    }

    /// Shortens two long texts: cuts their ends and most of their common prefix.
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
