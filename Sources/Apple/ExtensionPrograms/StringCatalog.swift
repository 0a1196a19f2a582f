import FoundationEssentials
package import PushFiles
package import PushSystem

/// A string catalog (`.xcstrings`), which Xcode compiles to one table per language.
package struct StringCatalog: Decodable {
    private struct Entry: Decodable {
        var localizations: [String: Localization]?
    }

    private struct Localization: Decodable {
        struct Unit: Decodable { var value: String? }

        struct Variations: Decodable {
            var plural: [String: Localization]?
            var device: [String: Localization]?
        }

        struct Substitution: Decodable {
            var argNum: Int?
            var formatSpecifier: String?
            var variations: Variations?
        }

        var stringUnit: Unit?
        var variations: Variations?
        var substitutions: [String: Substitution]?

        /// The form `other` of a plural, and the variant for the phone: tables on Linux have no plural rules.
        var text: String? {
            var text =
                stringUnit?.value ?? variations?.plural?["other"]?.text
                ?? (variations?.device?["iphone"] ?? variations?.device?["other"])?.text
            for (name, substitution) in substitutions ?? [:] {
                guard let other = substitution.variations?.plural?["other"]?.text else { continue }
                let place = (substitution.argNum.map { "%\($0)$" } ?? "%") + (substitution.formatSpecifier ?? "lld")
                text = text?.replacing("%#@\(name)@", with: other.replacing("%arg", with: place))
            }
            return text.map(StringCatalog.withoutNames)
        }
    }

    /// Turns `%1$(name)@` into `%1$@`: names of arguments are for translators only.
    private static func withoutNames(_ text: String) -> String {
        text.replacing(/%%|%(\d+\$)?\([A-Za-z_]\w*\)([\d.]*(?:hh?|ll?|q|z)?[@diuxXofeg])/) { place in
            place.2.map { "%\(place.1 ?? "")\($0)" } ?? "%%"
        }
    }

    /// The language of the keys.
    package let sourceLanguage: String?
    private let strings: [String: Entry]?

    package static func read(_ bytes: [UInt8], path: String) throws(PlainError) -> StringCatalog {
        do {
            return try JSONDecoder().decode(StringCatalog.self, from: Data(bytes))
        } catch {
            throw PlainError("\(path): not a string catalog: \(error)")
        }
    }

    /// True if a text depends on a number.
    package var hasPlurals: Bool {
        (strings ?? [:]).values.contains { entry in
            (entry.localizations ?? [:]).values.contains { $0.variations?.plural != nil || $0.substitutions != nil }
        }
    }

    /// One table per language. A key without a text in the source language is its own text there, so that this language has a table too and
    /// no other language is used in its place.
    package func tables() -> [String: [String: String]] {
        var tables: [String: [String: String]] = [:]
        for (key, entry) in strings ?? [:] {
            // The language becomes the name of a folder.
            for (language, localization) in entry.localizations ?? [:] where FilePaths.isFileName(language) {
                if let text = localization.text { tables[language, default: [:]][key] = text }
            }
            if let sourceLanguage, FilePaths.isFileName(sourceLanguage), tables[sourceLanguage]?[key] == nil {
                tables[sourceLanguage, default: [:]][key] = key
            }
        }
        return tables
    }
}

extension FilePaths {
    /// True if a name is one for a file in a folder, and not hidden there.
    package static func isFileName(_ name: String) -> Bool {
        !name.isEmpty && !name.utf8.starts(with: ".".utf8)
            && !name.unicodeScalars.contains { $0 == "/" || $0 < " " }
    }
}

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

/// Localized texts by key, from a `.strings` table or a JSON object.
package enum LocalizedTexts {
    package static func read(_ bytes: [UInt8], path: String) throws(PlainError) -> [String: String] {
        let bytes = StringsText.normalized(bytes)
        if let object = try? JSONDecoder().decode([String: String].self, from: Data(bytes)) { return object }
        return try PropertyListReader.read(
            [String: String].self, from: bytes, path,
            otherwise: "not a table of texts; use .strings, .xcstrings or a JSON object of strings")
    }
}
