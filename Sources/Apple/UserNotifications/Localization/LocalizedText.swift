// The names are Apple's.
// swift-format-ignore-file: AlwaysUseLowerCamelCase

#if os(Linux)
    public import Foundation

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

        /// Returns what `Bundle.localizedString(forKey:value:table:)` does: the value, or else the key, when there is no text.
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

    // Foundation's own functions know neither plurals nor string catalogs. The compiler prefers these: they take what is written, without
    // parameters that are left out. Functions with other combinations of parameters are Foundation's; in an extension that
    // `pushpipe extension build` compiles, all are replaced (`Sources/Apple/Shims/Overlay`).

    /// The localized text of a key in the app's table, the key itself when there is none.
    public func NSLocalizedString(_ key: String, comment: String) -> String {
        LocalizedText.string(forKey: key, value: nil, table: nil, bundle: .ofApp)
    }

    /// The localized text of a key in a table of the app, the key itself when there is none.
    public func NSLocalizedString(_ key: String, tableName: String?, comment: String) -> String {
        LocalizedText.string(forKey: key, value: nil, table: tableName, bundle: .ofApp)
    }

    /// The localized text of a key in a bundle's table, the key itself when there is none.
    public func NSLocalizedString(_ key: String, bundle: Bundle, comment: String) -> String {
        LocalizedText.string(forKey: key, value: nil, table: nil, bundle: bundle)
    }

    /// The localized text of a key in a table of a bundle, the key itself when there is none.
    public func NSLocalizedString(_ key: String, tableName: String?, bundle: Bundle, comment: String) -> String {
        LocalizedText.string(forKey: key, value: nil, table: tableName, bundle: bundle)
    }

    // Only for a single number: with more parameters, calls with literals would be ambiguous.
    extension String {
        /// A localized format with a number filled in.
        public static func localizedStringWithFormat(_ format: String, _ number: Int) -> String {
            LocalizedText.formatted(format, locale: .current, [number])
        }

        /// A format with a number filled in.
        public init(format: String, _ number: Int) {
            self = LocalizedText.formatted(format, locale: nil, [number])
        }
    }

    extension String {
        /// A key of a table of localized texts, written as an interpolated string: `"Hello \(name)"` is the key `Hello %@`.
        public struct LocalizationValue: ExpressibleByStringInterpolation, Sendable {
            let key: String
            let arguments: [LocalizedArgument]

            /// Makes a key without values.
            public init(_ value: String) {
                key = value
                arguments = []
            }

            /// Makes a key without values.
            public init(stringLiteral value: String) {
                self.init(value)
            }

            /// Makes a key with values.
            public init(stringInterpolation: StringInterpolation) {
                key = stringInterpolation.key
                arguments = stringInterpolation.arguments
            }

            /// Collects the parts of a key with values.
            public struct StringInterpolation: StringInterpolationProtocol {
                var key = ""
                var arguments: [LocalizedArgument] = []

                /// Begins a key.
                public init(literalCapacity: Int, interpolationCount: Int) {}

                /// Adds a text. A percent sign in it is doubled in the key.
                public mutating func appendLiteral(_ literal: String) {
                    key += literal.replacingOccurrences(of: "%", with: "%%")
                }

                /// Adds a value as the placeholder for its type.
                public mutating func appendInterpolation<Value>(_ value: Value) {
                    switch value {
                    case is any BinaryInteger: key += "%lld"
                    case is Double: key += "%lf"
                    case is Float: key += "%f"
                    default: key += "%@"
                    }
                    arguments.append(LocalizedArgument(value))
                }
            }
        }

        /// The localized text of a key in a bundle's table, the key itself when there is none.
        ///
        /// The bundle chooses the language; the locale is there for source compatibility and is not used.
        public init(
            localized keyAndValue: LocalizationValue, table: String? = nil, bundle: Bundle? = nil,
            locale: Locale = .current, comment: StaticString? = nil
        ) {
            self.init(key: keyAndValue.key, value: keyAndValue, table: table, bundle: bundle)
        }

        /// The localized text of a key in a bundle's table, the default value when there is none.
        ///
        /// The bundle chooses the language; the locale is there for source compatibility and is not used.
        public init(
            localized key: StaticString, defaultValue: LocalizationValue, table: String? = nil, bundle: Bundle? = nil,
            locale: Locale = .current, comment: StaticString? = nil
        ) {
            self.init(key: "\(key)", value: defaultValue, table: table, bundle: bundle)
        }

        private init(key: String, value: LocalizationValue, table: String?, bundle: Bundle?) {
            let format = LocalizedText.string(forKey: key, value: value.key, table: table, bundle: bundle ?? .ofApp)
            // A text without values is not a format, so a percent sign in it is just a percent sign.
            self = value.arguments.isEmpty ? format : LocalizedFormat(text: format).filled(with: value.arguments)
        }
    }

    extension NSString {
        /// The localized text of a key in the app's table, with its arguments filled in; the key itself when there is none.
        ///
        /// Localized when called. Apple localizes when the notification is shown, which differs only if the language changes in between.
        public class func localizedUserNotificationString(forKey key: String, arguments: [Any]?) -> String {
            let format = LocalizedText.string(forKey: key, value: key, table: nil, bundle: .ofApp)
            return LocalizedFormat(text: format).filled(with: (arguments ?? []).map { LocalizedArgument($0) })
        }
    }

    /// A value for a placeholder of a localized text.
    struct LocalizedArgument: Sendable {
        let text: String
        /// Nil if it is no number. Plurals depend on it.
        let number: Double?

        init(_ value: Any) {
            text = String(describing: value)
            number = FormatArgument(value).number
        }
    }

    /// A localized text with placeholders: `%@` takes the next argument, `%2$@` the second, `%%` is a percent sign.
    ///
    /// Placeholders for numbers count too: `%lld` and `%lf`, which keys of `String(localized:)` have, and their shorter forms. A placeholder
    /// without an argument stays as it is, and so does any other use of the percent sign.
    struct LocalizedFormat {
        let text: String

        func filled(with arguments: [LocalizedArgument]) -> String {
            let format = PluralFormat.expanded(text, arguments.map { FormatArgument(text: $0.text, number: $0.number) })
            var result = ""
            var rest = (format ?? text)[...]
            var next = 0
            while let percent = rest.firstIndex(of: "%") {
                result += rest[..<percent]
                rest = rest[percent...]
                if let place = rest.prefixMatch(of: /%(?:(\d+)\$)?(?:@|l?l?[du]|l?f)/) {
                    let number = place.1.map { Int($0) ?? 0 } ?? next + 1
                    if place.1 == nil { next += 1 }
                    result += arguments.indices.contains(number - 1) ? arguments[number - 1].text : String(place.0)
                    rest = rest[place.range.upperBound...]
                } else {
                    result += "%"
                    rest = rest.dropFirst(rest.hasPrefix("%%") ? 2 : 1)
                }
            }
            return result + rest
        }
    }

    extension Bundle {
        private static let hosted = Locked<Bundle?>(nil)

        /// The bundle for localized texts where the caller names none, for the whole process. A host sets the bundle of the app that it simulates;
        /// by default it is the main bundle, which fits a process that runs one extension.
        package static var ofApp: Bundle {
            get { hosted.snapshot ?? .main }
            set { hosted.withLock { $0 = newValue } }
        }
    }

    /// Texts that Foundation for Linux cannot read: the plurals of `.stringsdict` files, which crash it, and string catalogs.
    ///
    /// Built extensions have both beside tables that Foundation reads; a Swift package under test has the files of its sources.
    enum LocalizedTables {
        /// The extensions of a bundle's files in an .appex, where Foundation must not find a `.stringsdict` file.
        static let pluralExtensions = ["stringsdict", "plurals"]

        enum Entry: Sendable {
            case text(String)
            case plural(PluralText)
        }

        /// Entries by language and key.
        private typealias Table = [String: [String: Entry]]

        private struct Place: Hashable {
            let bundle: String
            let table: String
        }

        private struct Loaded {
            var entries: Table
            var sourceLanguage: String?
        }

        private static let loaded = Locked<[Place: Loaded]>([:])
        /// The text for a key; nil if no file of these kinds has one.
        static func text(forKey key: String, table: String?, bundle: Bundle, language: String?) -> String? {
            let place = Place(
                bundle: bundle.bundlePath, table: table.flatMap { $0.isEmpty ? nil : $0 } ?? "Localizable")
            let table = loaded.withLock { tables in
                if let table = tables[place] { return table }
                let table = load(place)
                tables[place] = table
                return table
            }
            guard !table.entries.isEmpty else { return nil }
            for language in languages(of: bundle, table, language) {
                guard let entry = table.entries[language]?[key] else { continue }
                switch entry {
                case .text(let text): return text
                case .plural(let text):
                    let identity = [place.bundle, place.table, language, key].joined(separator: "\0")
                    return PluralFormat.marked(text, language: language, identity: identity)
                }
            }
            return nil
        }

        /// Those with texts, best first.
        private static func languages(of bundle: Bundle, _ table: Loaded, _ language: String?) -> [String] {
            // Not `developmentLocalization`, which crashes for a bundle without one.
            let region = bundle.infoDictionary?["CFBundleDevelopmentRegion"] as? String
            let wanted = [language, region, table.sourceLanguage, "en", "Base"].compactMap(\.self)
            let best = wanted.compactMap { LanguageMatch.best(for: $0, among: Array(table.entries.keys)) }
            return best + table.entries.keys.sorted().filter { !best.contains($0) }
        }

        // MARK: - Files

        private static func load(_ place: Place) -> Loaded {
            var result = Loaded(entries: [:])
            readCatalog(place.bundle + "/\(place.table).xcstrings", into: &result)
            let names = (try? FileManager.default.contentsOfDirectory(atPath: place.bundle)) ?? []
            let folders = names.filter { $0.hasSuffix(".lproj") }.map { ($0.dropLast(6), place.bundle + "/" + $0) }
            // A bundle may be the folder of one language.
            let own = place.bundle.hasSuffix(".lproj") ? [(lastName(place.bundle).dropLast(6), place.bundle)] : []
            for (language, folder) in folders + own {
                for suffix in pluralExtensions {
                    readPlurals(folder + "/\(place.table).\(suffix)", String(language), into: &result)
                }
            }
            return result
        }

        private static func lastName(_ path: String) -> String { (path as NSString).lastPathComponent }

        private static func readPlurals(_ path: String, _ language: String, into result: inout Loaded) {
            guard let data = FileManager.default.contents(atPath: path),
                let list = try? PropertyListSerialization.propertyList(from: data, format: nil) as? [String: Any]
            else { return }
            for (key, value) in list {
                guard let entry = value as? [String: Any], let text = PluralText(stringsDict: entry) else { continue }
                result.entries[language, default: [:]][key] = .plural(text)
            }
        }

        private static func readCatalog(_ path: String, into result: inout Loaded) {
            guard let data = FileManager.default.contents(atPath: path),
                let catalog = try? JSONSerialization.jsonObject(with: data) as? [String: Any]
            else { return }
            let source = catalog["sourceLanguage"] as? String
            result.sourceLanguage = source
            for (key, value) in catalog["strings"] as? [String: Any] ?? [:] {
                // A key without a text in the source language is its own text there.
                if let source { result.entries[source, default: [:]][key] = .text(key) }
                guard let localizations = (value as? [String: Any])?["localizations"] as? [String: Any] else {
                    continue
                }
                for (language, localization) in localizations {
                    guard let localization = localization as? [String: Any] else { continue }
                    if let text = PluralText(catalog: localization) {
                        result.entries[language, default: [:]][key] = .plural(text)
                    } else if let text = PluralText.text(of: localization) {
                        result.entries[language, default: [:]][key] = .text(text)
                    }
                }
            }
        }
    }

    enum LanguageMatch {
        /// The language itself, a more general one, or another variant of it; nil if there is none.
        static func best(for wanted: String, among languages: [String]) -> String? {
            func parts(_ language: String) -> [Substring] {
                language.lowercased().split { $0 == "-" || $0 == "_" }
            }
            let wanted = parts(wanted)
            let ordered = languages.sorted()
            for count in stride(from: wanted.count, to: 0, by: -1) {
                if let found = ordered.first(where: { parts($0) == Array(wanted.prefix(count)) }) { return found }
            }
            return ordered.first { parts($0).first == wanted.first }
        }
    }
#endif
