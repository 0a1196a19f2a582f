#if os(Linux)
    public import Foundation

    /// Joins texts to a list. Foundation for Linux has `formatted()` of lists and no such formatter.
    open class ListFormatter: Formatter, @unchecked Sendable {
        // Unchecked: as with Apple's, one thread uses it at a time.
        // swift-format-ignore: NeverUseImplicitlyUnwrappedOptionals
        /// The language.
        public var locale: Locale! = DeviceLocale.current
        /// Formats items that are no texts; nil for their descriptions.
        public var itemFormatter: Formatter?

        /// The texts as a list, in the language of the device.
        public static func localizedString(byJoining strings: [String]) -> String {
            ListFormatter().string(from: strings) ?? ""
        }

        /// The items as a list.
        open func string(from items: [Any]) -> String? {
            let texts = items.map { itemFormatter?.string(for: $0) ?? "\($0)" }
            return texts.formatted(.list(type: .and).locale(locale ?? DeviceLocale.current))
        }

        /// The items of an array as a list.
        open override func string(for object: Any?) -> String? { (object as? [Any]).flatMap(string(from:)) }
    }
#endif
