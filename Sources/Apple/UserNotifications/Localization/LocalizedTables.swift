#if os(Linux)
    import Foundation

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

        /// By language.
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
