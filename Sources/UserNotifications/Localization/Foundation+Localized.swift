#if os(Linux)
    public import Foundation

    // Foundation's own functions know neither plurals nor string catalogs. The compiler prefers these: they take what is written, without
    // parameters that are left out. Functions with other combinations of parameters are Foundation's; in an extension that
    // `pushpipe extension build` compiles, all are replaced (`Sources/Shims/Overlay`).

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

    extension String {
        /// A localized format with its arguments filled in, the first of which is a number.
        public static func localizedStringWithFormat(
            _ format: String, _ first: Int, _ arguments: any CVarArg...
        ) -> String {
            LocalizedText.formatted(format, locale: .current, [first] + arguments)
        }

        /// A localized format with its arguments filled in, the first of which is a text.
        public static func localizedStringWithFormat(
            _ format: String, _ first: String, _ arguments: any CVarArg...
        ) -> String {
            LocalizedText.formatted(format, locale: .current, [first] + arguments)
        }

        /// A format with its arguments filled in, the first of which is a number.
        public init(format: String, _ first: Int, _ arguments: any CVarArg...) {
            self = LocalizedText.formatted(format, locale: nil, [first] + arguments)
        }

        /// A format with its arguments filled in, the first of which is a text.
        public init(format: String, _ first: String, _ arguments: any CVarArg...) {
            self = LocalizedText.formatted(format, locale: nil, [first] + arguments)
        }
    }
#endif
