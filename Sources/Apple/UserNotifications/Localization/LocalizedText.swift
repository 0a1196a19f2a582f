#if os(Linux)
    package import Foundation

    /// Localized texts as on Apple's systems: with plurals and string catalogs, which Foundation for Linux does not have.
    package enum LocalizedText {
        /// The language of texts, for the whole process; nil for each bundle's own. A host sets it.
        package static var language: String? {
            get { chosen.snapshot }
            set { chosen.withLock { $0 = newValue } }
        }

        private static let chosen = Locked<String?>(nil)

        /// The text of a key in a bundle's table; nil if there is none.
        package static func text(
            forKey key: String, table: String?, bundle: Bundle, language: String? = Self.language
        ) -> String? {
            if let text = LocalizedTables.text(forKey: key, table: table, bundle: bundle, language: language) {
                return text
            }
            let missing = "\u{0}"
            let text = languageBundle(of: bundle, language).localizedString(forKey: key, value: missing, table: table)
            return text == missing ? nil : text
        }

        /// As `Bundle.localizedString(forKey:value:table:)`: the value, or else the key, when there is no text.
        package static func string(forKey key: String, value: String?, table: String?, bundle: Bundle) -> String {
            text(forKey: key, table: table, bundle: bundle) ?? value.flatMap { $0.isEmpty ? nil : $0 } ?? key
        }

        private static let folders = Locked<[String: Bundle]>([:])

        /// The folder of the language, when there is one: Foundation for Linux reads only that of the development region.
        private static func languageBundle(of bundle: Bundle, _ language: String?) -> Bundle {
            guard let language else { return bundle }
            let path = bundle.bundlePath
            return folders.withLock { folders in
                let key = path + "\0" + language
                if let found = folders[key] { return found }
                let names = (try? FileManager.default.contentsOfDirectory(atPath: path)) ?? []
                let languages = names.filter { $0.hasSuffix(".lproj") }.map { String($0.dropLast(6)) }
                let best = LanguageMatch.best(for: language, among: languages)
                let found = best.flatMap { Bundle(path: "\(path)/\($0).lproj") } ?? bundle
                folders[key] = found
                return found
            }
        }

        /// A format with its arguments, as `String(format:locale:arguments:)`.
        package static func formatted(_ format: String, locale: Locale?, _ arguments: [any CVarArg]) -> String {
            guard let expanded = PluralFormat.expanded(format, arguments.map(FormatArgument.init)) else {
                return String(format: format, locale: locale, arguments: arguments)
            }
            return String(format: expanded, locale: locale, arguments: arguments)
        }
    }
#endif
