import FoundationEssentials

/// A catalogue of localised texts (`.xcstrings`), which Xcode compiles to a table a language.
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

        /// Of a plural the form `other`, of devices the phone: tables on Linux know no rules of plurals.
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

    /// `%1$(name)@` is `%1$@` in a table: names of arguments are for whoever translates.
    private static func withoutNames(_ text: String) -> String {
        text.replacing(/%%|%(\d+\$)?\([A-Za-z_]\w*\)([\d.]*(?:hh?|ll?|q|z)?[@diuxXofeg])/) { place in
            place.2.map { "%\(place.1 ?? "")\($0)" } ?? "%%"
        }
    }

    /// The language of the keys.
    package let sourceLanguage: String?
    private let strings: [String: Entry]?

    /// - Parameter path: as messages name it.
    package static func read(_ bytes: [UInt8], path: String) throws(ExtensionBuildError) -> StringCatalog {
        do {
            return try JSONDecoder().decode(StringCatalog.self, from: Data(bytes))
        } catch {
            throw ExtensionBuildError("\(path): no catalogue of texts: \(error)")
        }
    }

    /// A table a language. A key that the source language says nothing about is its own text there, so that this language too
    /// has a table, and no other language's is taken for it.
    package func tables() -> [String: [String: String]] {
        var tables: [String: [String: String]] = [:]
        for (key, entry) in strings ?? [:] {
            for (language, localization) in entry.localizations ?? [:] {
                // A language is the name of a folder.
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
