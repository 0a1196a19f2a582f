#if os(Linux)
    import Foundation

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
#endif
