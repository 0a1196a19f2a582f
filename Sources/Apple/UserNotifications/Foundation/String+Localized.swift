#if os(Linux)
    public import Foundation

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
#endif
