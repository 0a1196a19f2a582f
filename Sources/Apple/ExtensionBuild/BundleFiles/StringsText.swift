/// Tables of localized texts (`.strings`) as bytes.
package enum StringsText {
    /// Converts any encoding of Unicode to UTF-8: Foundation on Linux reads UTF-16 only with a byte order mark.
    package static func normalized(_ bytes: [UInt8]) -> [UInt8] {
        switch (bytes.first, bytes.dropFirst().first) {
        case (0xFF, 0xFE): transcoded(bytes.dropFirst(2), isBigEndian: false)
        case (0xFE, 0xFF): transcoded(bytes.dropFirst(2), isBigEndian: true)
        // A table starts with an ASCII character: a quote, a comment or a line break.
        case (0, .some(1...)): transcoded(bytes[...], isBigEndian: true)
        case (.some(1...), 0): transcoded(bytes[...], isBigEndian: false)
        default: bytes
        }
    }

    private static func transcoded(_ bytes: ArraySlice<UInt8>, isBigEndian: Bool) -> [UInt8] {
        var units: [UInt16] = []
        units.reserveCapacity(bytes.count / 2)
        var index = bytes.startIndex
        while index + 1 < bytes.endIndex {
            let first = UInt16(bytes[index])
            let second = UInt16(bytes[index + 1])
            units.append(isBigEndian ? first << 8 | second : second << 8 | first)
            index += 2
        }
        return Array(String(decoding: units, as: UTF16.self).utf8)
    }

    /// A table with sorted keys.
    package static func table(_ texts: [String: String]) -> [UInt8] {
        var result = ""
        for (key, text) in texts.sorted(by: { $0.key < $1.key }) { result += "\(quoted(key)) = \(quoted(text));\n" }
        return Array(result.utf8)
    }

    private static func quoted(_ text: String) -> String {
        var result = "\""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "\"": result += "\\\""
            case "\\": result += "\\\\"
            case "\n": result += "\\n"
            case "\r": result += "\\r"
            case "\t": result += "\\t"
            // Unescaped, a NUL near the start would make the table look like UTF-16.
            case _ where scalar.value < 0x20:
                result += "\\U00" + (scalar.value < 0x10 ? "0" : "") + String(scalar.value, radix: 16)
            default: result.unicodeScalars.append(scalar)
            }
        }
        return result + "\""
    }
}
