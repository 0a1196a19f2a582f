import FoundationEssentials

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

    package static func read(_ bytes: [UInt8], path: String) throws(ExtensionBuildError) -> StringCatalog {
        do {
            return try JSONDecoder().decode(StringCatalog.self, from: Data(bytes))
        } catch {
            throw ExtensionBuildError("\(path): not a string catalog: \(error)")
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
            for (language, localization) in entry.localizations ?? [:] {
                // The language becomes the name of a folder.
                guard !language.isEmpty, !language.contains("/"), !language.hasPrefix(".") else { continue }
                if let text = localization.text { tables[language, default: [:]][key] = text }
            }
            if let sourceLanguage, !sourceLanguage.contains("/"), !sourceLanguage.hasPrefix("."),
                !sourceLanguage.isEmpty
            {
                if tables[sourceLanguage]?[key] == nil { tables[sourceLanguage, default: [:]][key] = key }
            }
        }
        return tables
    }
}
