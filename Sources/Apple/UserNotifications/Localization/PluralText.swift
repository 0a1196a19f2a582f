#if os(Linux)
    import Foundation

    /// A localized text that depends on numbers: an entry of a `.stringsdict` file, or one with variations in a string catalog.
    ///
    /// Sources: Apple, "Localizing strings that contain plurals" and "Stringsdict file format".
    struct PluralText: Sendable {
        struct Variable: Sendable {
            /// By category: `zero`, `one`, `two`, `few`, `many`, `other`.
            var forms: [String: String]
            /// The type of the number in formats, such as `lld`.
            var specifier = "lld"
            /// The position of the number, from 1; nil for the next one.
            var position: Int?
        }

        /// With `%#@name@` in place of each variable.
        var format: String
        var variables: [String: Variable]

        /// Reads an entry of a `.stringsdict` file; nil if it has no format or no variable.
        init?(stringsDict entry: [String: Any]) {
            guard let format = entry["NSStringLocalizedFormatKey"] as? String else { return nil }
            self.format = format
            variables = [:]
            for (name, value) in entry {
                guard let rule = value as? [String: Any] else { continue }
                let forms = rule.compactMapValues { $0 as? String }.filter { Self.categories.contains($0.key) }
                guard !forms.isEmpty else { continue }
                variables[name] = Variable(
                    forms: forms, specifier: rule["NSStringFormatValueTypeKey"] as? String ?? "lld")
            }
            if variables.isEmpty { return nil }
        }

        /// Reads a localization of a string catalog; nil if it does not depend on a number.
        init?(catalog localization: [String: Any]) {
            let variations = localization["variations"] as? [String: Any]
            if let plural = variations?["plural"] as? [String: Any] {
                format = "%#@value@"
                variables = ["value": Variable(forms: plural.compactMapValues(Self.text))]
                return
            }
            guard let substitutions = localization["substitutions"] as? [String: Any],
                let format = Self.text(of: localization)
            else { return nil }
            self.format = format
            variables = [:]
            for (name, value) in substitutions {
                guard let value = value as? [String: Any],
                    let variations = value["variations"] as? [String: Any],
                    let plural = variations["plural"] as? [String: Any]
                else { continue }
                let specifier = value["formatSpecifier"] as? String ?? "lld"
                variables[name] = Variable(
                    forms: plural.compactMapValues(Self.text).mapValues {
                        $0.replacingOccurrences(of: "%arg", with: "%" + specifier)
                    }, specifier: specifier, position: (value["argNum"] as? NSNumber)?.intValue)
            }
            if variables.isEmpty { return nil }
        }

        static let categories: Set<String> = ["zero", "one", "two", "few", "many", "other"]

        /// The text of a localization in a string catalog; of variants by device, that for the phone.
        static func text(of localization: Any) -> String? {
            guard let localization = localization as? [String: Any] else { return nil }
            if let unit = localization["stringUnit"] as? [String: Any] {
                return (unit["value"] as? String).map(withoutNames)
            }
            let devices = (localization["variations"] as? [String: Any])?["device"] as? [String: Any]
            return (devices?["iphone"] ?? devices?["other"]).flatMap(text)
        }

        /// Turns `%1$(name)@` into `%1$@`: names of arguments are for translators only.
        private static func withoutNames(_ text: String) -> String {
            text.replacing(/%%|%(\d+\$)?\([A-Za-z_]\w*\)([\d.]*(?:hh?|ll?|q|z)?[@diuxXofeg])/) { place in
                place.2.map { "%\(place.1 ?? "")\($0)" } ?? "%%"
            }
        }
    }
#endif
