#if os(Linux)
    import Foundation

    struct FormatArgument {
        enum Kind {
            case integer
            case real
            case object
        }

        /// Nil if it is no number.
        let number: Double?
        let kind: Kind

        init(_ value: Any) {
            // Casts bridge, so that they find an Int in an NSNumber, and the other way round.
            if type(of: value) is AnyClass {
                number = (value as? NSNumber)?.doubleValue
                kind = .object
            } else if let whole = value as? any BinaryInteger {
                number = Double(whole)
                kind = .integer
            } else if let real = value as? any BinaryFloatingPoint {
                number = Double(real)
                kind = .real
            } else {
                number = nil
                kind = .object
            }
        }

        /// An argument of a format that is filled with texts.
        init(text: String, number: Double?) {
            // A payload's arguments are texts, of numbers too.
            self.number = number ?? Double(text)
            kind = .object
        }

        /// A conversion that fits the argument: `%@` for a number would take it for an address, and `%d` an object for a number.
        func conversion(_ written: Substring) -> String {
            let isReal = written.last.map { "aAeEfFgG".contains($0) } ?? false
            let isInteger = written.last.map { "cdDioOuUxX".contains($0) } ?? false
            return switch kind {
            case .object: "@"
            case .integer: isInteger ? String(written) : "lld"
            case .real: isReal ? String(written) : "f"
            }
        }
    }

    /// Turns texts with plural variables into plain formats.
    ///
    /// A lookup returns a string, and the string is formatted later. So that its variables are known then, a lookup marks them:
    /// `%#@count@` becomes `%#@count⁣7@`, with an invisible separator and the number of the text in this process.
    enum PluralFormat {
        /// U+2063 INVISIBLE SEPARATOR
        private static let separator: Character = "\u{2063}"
        /// How deep variables may be in the forms of variables. Deeper ones are left out, because a file decides how deep they go.
        private static let maximumDepth = 8
        /// The most forms of a format. Each may name all variables, so the depth alone is no limit. Further ones are left out.
        private static let maximumForms = 256

        private struct Progress {
            /// The position of the next argument, from 0.
            var next = 0
            var formsLeft = PluralFormat.maximumForms
        }

        private struct Known: Sendable {
            var texts: [(text: PluralText, language: String)] = []
            var numbers: [String: Int] = [:]
        }

        private static let known = Locked(Known())

        /// The format of a text, with marked variables.
        ///
        /// - Parameter identity: the same for the same text, so that each is kept once.
        static func marked(_ text: PluralText, language: String, identity: String) -> String {
            let number = known.withLock { known in
                if let number = known.numbers[identity] { return number }
                known.texts.append((text, language))
                known.numbers[identity] = known.texts.count - 1
                return known.texts.count - 1
            }
            return mark(text.format, number)
        }

        private static func mark(_ format: String, _ number: Int) -> String {
            format.replacing(variable) { "%\($0.1.map { "\($0)$" } ?? "")#@\($0.2)\(separator)\(number)@" }
        }

        /// `%#@name@`, `%1$#@name@`
        private static var variable: Regex<(Substring, Substring?, Substring)> { /%(?:(\d{1,3})\$)?#@([^@%]*)@/ }

        /// A placeholder: `%`, position, flags, width and precision, length, conversion.
        private static var placeholder: Regex<(Substring, Substring?, Substring, Substring)> {
            /%(?:(\d{1,3})\$)?([-+ 0#']*\d{0,4}(?:\.\d{0,4})?)((?:hh?|ll?|[qzjtL])?[@a-zA-Z])/
        }

        /// The format for these numbers, in which every placeholder names its argument; nil if the format has no variables.
        ///
        static func expanded(_ format: String, _ arguments: [FormatArgument]) -> String? {
            guard format.contains(separator) else { return nil }
            var progress = Progress()
            return expanded(format, arguments, &progress, own: nil, depth: 0)
        }

        /// - Parameter own: the position of the variable that the format is a form of; its placeholders show this argument.
        private static func expanded(
            _ format: String, _ arguments: [FormatArgument], _ progress: inout Progress, own: Int?, depth: Int
        ) -> String {
            var result = ""
            var rest = format[...]
            while let percent = rest.firstIndex(of: "%") {
                result += rest[..<percent]
                rest = rest[percent...]
                if rest.hasPrefix("%%") {
                    result += "%%"
                    rest = rest.dropFirst(2)
                } else if let found = rest.prefixMatch(of: variable) {
                    rest = rest[found.range.upperBound...]
                    result += form(named: found.2, position: found.1, arguments, &progress, depth: depth)
                } else if let found = rest.prefixMatch(of: placeholder) {
                    rest = rest[found.range.upperBound...]
                    let position: Int
                    if let named = found.1.flatMap({ Int($0) }) {
                        position = named - 1
                    } else if let own {
                        position = own
                    } else {
                        position = progress.next
                        progress.next += 1
                    }
                    // An argument that is not there must not be read.
                    guard arguments.indices.contains(position) else {
                        result += "%" + String(found.0)
                        continue
                    }
                    result += "%\(position + 1)$\(found.2)\(arguments[position].conversion(found.3))"
                } else {
                    result += "%%"
                    rest = rest.dropFirst()
                }
            }
            return result + rest
        }

        private static func form(
            named marked: Substring, position: Substring?, _ arguments: [FormatArgument], _ progress: inout Progress,
            depth: Int
        ) -> String {
            let parts = marked.split(separator: separator, omittingEmptySubsequences: false)
            guard parts.count == 2, let number = Int(parts[1]), depth < maximumDepth, progress.formsLeft > 0
            else { return "" }
            progress.formsLeft -= 1
            let found = known.withLock { $0.texts.indices.contains(number) ? $0.texts[number] : nil }
            guard let found, let variable = found.text.variables[String(parts[0])] else { return "" }
            let index: Int
            if let position = position.flatMap({ Int($0) }) ?? variable.position {
                // A catalog may have any number.
                index = max(position, 0) - 1
            } else {
                index = progress.next
                progress.next += 1
            }
            let value = arguments.indices.contains(index) ? arguments[index].number ?? 0 : 0
            let category = PluralCategory.name(of: value, in: found.language)
            // On Apple's systems the form zero is used for 0 in every language.
            let form =
                (value == 0 ? variable.forms["zero"] : nil) ?? variable.forms[category] ?? variable.forms["other"]
            guard let form else { return "" }
            return expanded(mark(form, number), arguments, &progress, own: index, depth: depth + 1)
        }
    }

    /// A localized text that depends on numbers: an entry of a `.stringsdict` file, or one with variations in a string catalog.
    ///
    /// Sources: Apple, "Localizing strings that contain plurals" and "Stringsdict file format".
    struct PluralText: Sendable {
        struct Variable: Sendable {
            /// The forms by category: `zero`, `one`, `two`, `few`, `many`, `other`.
            var forms: [String: String]
            /// The type of the number in formats, such as `lld`.
            var specifier = "lld"
            /// The position of the number, from 1; nil for the next one.
            var position: Int?
        }

        /// The text with `%#@name@` in place of each variable.
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
