#if os(Linux)
    public import Foundation

    // Foundation's own functions know neither plurals nor string catalogs. The compiler prefers these: they take what is written, without
    // parameters that are left out. Functions with other combinations of parameters are Foundation's; in an extension that
    // `pushpipe extension build` compiles, all are replaced (`Sources/Apple/Shims/Overlay`).

    // swift-format-ignore: AlwaysUseLowerCamelCase
    /// The localized text of a key in the app's table, the key itself when there is none.
    public func NSLocalizedString(_ key: String, comment: String) -> String {
        LocalizedText.string(forKey: key, value: nil, table: nil, bundle: .ofApp)
    }

    // swift-format-ignore: AlwaysUseLowerCamelCase
    /// The localized text of a key in a table of the app, the key itself when there is none.
    public func NSLocalizedString(_ key: String, tableName: String?, comment: String) -> String {
        LocalizedText.string(forKey: key, value: nil, table: tableName, bundle: .ofApp)
    }

    // swift-format-ignore: AlwaysUseLowerCamelCase
    /// The localized text of a key in a bundle's table, the key itself when there is none.
    public func NSLocalizedString(_ key: String, bundle: Bundle, comment: String) -> String {
        LocalizedText.string(forKey: key, value: nil, table: nil, bundle: bundle)
    }

    // swift-format-ignore: AlwaysUseLowerCamelCase
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
#endif
