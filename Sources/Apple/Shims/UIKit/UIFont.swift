#if os(Linux)
    public import Foundation

    /// A font. Text has a size here, and is not drawn: there are no glyphs.
    public final class UIFont: NSObject, Sendable {
        /// How bold a font is.
        public struct Weight: RawRepresentable, Hashable, Sendable {
            /// From -1 to 1.
            public let rawValue: CGFloat
            /// A weight.
            public init(rawValue: CGFloat) { self.rawValue = rawValue }
            /// A weight.
            public init(_ rawValue: CGFloat) { self.rawValue = rawValue }
            /// Light.
            public static let light = Weight(-0.4)
            /// Regular.
            public static let regular = Weight(0)
            /// Medium.
            public static let medium = Weight(0.23)
            /// Between medium and bold.
            public static let semibold = Weight(0.3)
            /// Bold.
            public static let bold = Weight(0.4)
            /// Bolder.
            public static let heavy = Weight(0.56)
            /// The boldest.
            public static let black = Weight(0.62)
        }

        /// Points from line to line, without a gap.
        public let pointSize: CGFloat
        /// Its name.
        public let fontName: String

        /// A font by its name, which has no effect.
        public init?(name: String, size: CGFloat) {
            fontName = name
            pointSize = size
        }

        private init(named name: String, size: CGFloat) {
            fontName = name
            pointSize = size
        }

        private convenience init(system size: CGFloat) { self.init(named: ".SFUI-Regular", size: size) }

        /// The system's font.
        public static func systemFont(ofSize size: CGFloat) -> UIFont { UIFont(system: size) }
        /// The system's font.
        public static func systemFont(ofSize size: CGFloat, weight: Weight) -> UIFont { UIFont(system: size) }
        /// The system's font.
        public static func boldSystemFont(ofSize size: CGFloat) -> UIFont { UIFont(system: size) }
        /// The same font in another size.
        public func withSize(_ size: CGFloat) -> UIFont { UIFont(named: fontName, size: size) }
        /// The name of the family, which is that of the font here.
        public var familyName: String { fontName }
        /// Points from line to line.
        public var lineHeight: CGFloat { ascender - descender }
        /// Points above the baseline.
        public var ascender: CGFloat { pointSize * 0.95 }
        /// Points below the baseline, as a negative number.
        public var descender: CGFloat { pointSize * -0.25 }
    }

    extension NSAttributedString.Key {
        /// The font, a `UIFont`.
        public static let font = NSAttributedString.Key("NSFont")
        /// The color, a `UIColor`.
        public static let foregroundColor = NSAttributedString.Key("NSColor")
        /// The color behind the text, a `UIColor`.
        public static let backgroundColor = NSAttributedString.Key("NSBackgroundColor")
    }
#endif
