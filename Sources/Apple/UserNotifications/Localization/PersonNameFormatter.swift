#if os(Linux)
    public import Foundation

    /// Writes and reads names, as `PersonNameComponentsFormatter`, which Foundation for Linux lacks: the given name first, as in most languages
    /// of Europe.
    open class PersonNameFormatter: Formatter, @unchecked Sendable {
        /// How much of a name.
        public enum Style: Int, Sendable {
            /// The style `medium`.
            case `default`
            /// The given name.
            case short
            /// The given and the family name.
            case medium
            /// All parts.
            case long
            /// The initials.
            case abbreviated
        }

        /// How a name is written.
        public struct Options: OptionSet, Sendable {
            /// The bits.
            public let rawValue: UInt
            /// Options by their bits.
            public init(rawValue: UInt) { self.rawValue = rawValue }
            /// Writes the name as it sounds. Has no effect.
            public static let phonetic = Options(rawValue: 2)
        }

        /// How much of a name.
        open var style = Style.default

        /// A formatter.
        public override init() { super.init() }
        /// A formatter from an archive.
        public required init?(coder: NSCoder) { super.init(coder: coder) }

        /// A name as text.
        open func string(from components: PersonNameComponents) -> String {
            let parts: [String?] =
                switch style {
                case .short: [components.nickname ?? components.givenName ?? components.familyName]
                case .default, .medium: [components.givenName, components.familyName]
                case .long:
                    [
                        components.namePrefix, components.givenName, components.middleName, components.familyName,
                        components.nameSuffix,
                    ]
                case .abbreviated:
                    [components.givenName, components.familyName].map { $0.map { String($0.prefix(1)) } }
                }
            let present = parts.compactMap(\.self).filter { !$0.isEmpty }
            return present.joined(separator: style == .abbreviated ? "" : " ")
        }

        /// A name as text.
        open class func localizedString(
            from components: PersonNameComponents, style: Style, options: Options = []
        ) -> String {
            let formatter = PersonNameFormatter()
            formatter.style = style
            return formatter.string(from: components)
        }

        /// The parts of a name; nil for a text without words.
        open func personNameComponents(from string: String) -> PersonNameComponents? {
            try? PersonNameComponents(string)
        }

        /// A name as text.
        open override func string(for obj: Any?) -> String? { (obj as? PersonNameComponents).map(string(from:)) }
    }

    extension PersonNameComponents {
        /// The parts of a name: the first word is the given name, the last one the family name.
        ///
        /// - Throws: for a text without words.
        public init(_ name: String) throws {
            let words = name.split(whereSeparator: \.isWhitespace).map(String.init)
            guard let first = words.first else { throw CocoaError(.formatting) }
            self.init()
            givenName = first
            if words.count > 1 { familyName = words.last }
            if words.count > 2 { middleName = words[1..<(words.count - 1)].joined(separator: " ") }
        }
    }
#endif
