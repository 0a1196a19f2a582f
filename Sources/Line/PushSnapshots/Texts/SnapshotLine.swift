/// Writes the lines of a snapshot: text that Git, editors and mail leave as it is.
enum SnapshotLine {
    static let scenario = "scenario"
    /// The beginning of a line with a member of a section.
    static let indent = "  "

    /// `  title: Hello`. Further lines of the value are indented more; an empty one is there as the escape of its end.
    static func field(_ label: String, _ value: String) -> [String] {
        // Not the characters of the string, because one of them is a carriage return with a line feed.
        let lines = value.unicodeScalars.split(separator: "\n", omittingEmptySubsequences: false)
            .map { escaped(String($0)) }
        let first = lines.first ?? ""
        return ["\(indent)\(label):\(first.isEmpty ? "" : " ")\(first)"]
            + lines.dropFirst().map { indent + indent + ($0.isEmpty ? "\\u{a}" : $0) }
    }

    /// The text with escapes such as `\u{1b}` for what is invisible or would change its surroundings: control characters,
    /// bidirectional controls, line separators, and spaces at the end.
    ///
    /// Does not depend on a version of Unicode, so that a snapshot is the same with every version of Swift. No two texts
    /// have the same escaped form.
    static func escaped(_ text: String) -> String {
        guard text.utf8.contains(where: { !(0x21...0x5B ~= $0 || 0x5D...0x7E ~= $0) }) else { return text }
        let scalars = Array(text.unicodeScalars)
        let end = scalars.count - scalars.reversed().prefix { $0 == " " }.count
        var escaped = ""
        for (position, scalar) in scalars.enumerated() {
            let isEscapeItself = scalar == "\\" && scalars[(position + 1)...].starts(with: ["u", "{"])
            if position >= end || isEscapeItself || isInvisible(scalar) {
                escaped += "\\u{\(String(scalar.value, radix: 16))}"
            } else {
                escaped.unicodeScalars.append(scalar)
            }
        }
        return escaped
    }

    private static func isInvisible(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        case 0..<0x20, 0x7F..<0xA0, 0x061C, 0x200B, 0x200E, 0x200F, 0x2028...0x202E, 0x2060...0x206F, 0xFEFF: true
        default: false
        }
    }
}
