/// Text for YAML.
enum YAMLText {
    /// The text in double quotes. Characters that YAML does not allow or reads as line ends are escaped: control
    /// characters, line and paragraph separators, the byte order mark and noncharacters (source: YAML 1.1 and 1.2,
    /// sections 5.1, 5.4 and 5.7); and bidirectional controls, which would show a text as another one.
    static func quoted(_ text: String) -> String {
        var quoted = "\""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "\"", "\\": quoted += "\\\(scalar)"
            case "\n": quoted += "\\n"
            case "\r": quoted += "\\r"
            case "\t": quoted += "\\t"
            case "\u{2028}"..."\u{202E}", "\u{FEFF}": quoted += escape(scalar)
            case "\u{2066}"..."\u{2069}", "\u{061C}", "\u{200E}", "\u{200F}": quoted += escape(scalar)
            case _ where scalar.value < 0x20 || (0x7F..<0xA0).contains(scalar.value): quoted += escape(scalar)
            case _ where scalar.properties.isNoncharacterCodePoint: quoted += escape(scalar)
            default: quoted.unicodeScalars.append(scalar)
            }
        }
        return quoted + "\""
    }

    private static func escape(_ scalar: Unicode.Scalar) -> String {
        let digits = String(scalar.value, radix: 16)
        let (letter, length) = scalar.value < 0x100 ? ("x", 2) : scalar.value < 0x10000 ? ("u", 4) : ("U", 8)
        return "\\\(letter)\(String(repeating: "0", count: length - digits.count))\(digits)"
    }
}
