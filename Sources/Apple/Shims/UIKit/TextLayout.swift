#if os(Linux)
    public import Foundation

    // Texts have about the size that they would have: each character is as wide as 0.6 of the font's size. Nothing is drawn: there are no
    // glyphs here.

    /// How a text is measured and drawn.
    public struct NSStringDrawingOptions: OptionSet, Sendable {
        /// The bits.
        public let rawValue: Int
        /// Options by their bits.
        public init(rawValue: Int) { self.rawValue = rawValue }
        /// In lines that are as wide as the rectangle. Without it there is one line.
        public static let usesLineFragmentOrigin = NSStringDrawingOptions(rawValue: 1 << 0)
        /// With the space between lines.
        public static let usesFontLeading = NSStringDrawingOptions(rawValue: 1 << 1)
        /// By glyphs. Without effect.
        public static let usesDeviceMetrics = NSStringDrawingOptions(rawValue: 1 << 3)
        /// With an ellipsis in the last line that fits.
        public static let truncatesLastVisibleLine = NSStringDrawingOptions(rawValue: 1 << 5)
    }

    /// How a text is fitted. Without effect.
    open class NSStringDrawingContext: NSObject {
        /// How far a text may shrink.
        open var minimumScaleFactor: CGFloat = 0
        /// How far it did: not at all.
        open var actualScaleFactor: CGFloat { 1 }
        /// Where the text is.
        open var totalBounds: CGRect { .zero }
    }

    /// The lines of a text, broken between words.
    struct TextLayout {
        private let font: UIFont
        /// The characters of each line.
        private(set) var lines: [Int] = []

        /// - Parameter width: in points; nil for lines that only line feeds end.
        init(_ text: String, _ font: UIFont, width: CGFloat?) {
            self.font = font
            let limit = width.map { $0 > 0 && $0 < 1e9 ? max(Int($0 / (font.pointSize * 0.6)), 1) : .max } ?? .max
            for paragraph in text.split(separator: "\n", omittingEmptySubsequences: false) {
                var line = 0
                for word in paragraph.split(separator: " ", omittingEmptySubsequences: false).map(\.count) {
                    if line > 0, line + 1 + word > limit {
                        lines.append(line)
                        line = 0
                    }
                    line += line > 0 ? word + 1 : word
                    // A word that is longer than a line is broken anywhere.
                    while line > limit {
                        lines.append(limit)
                        line -= limit
                    }
                }
                lines.append(line)
            }
        }

        var size: CGSize {
            let longest = CGFloat(lines.max() ?? 0)
            return CGSize(width: longest * font.pointSize * 0.6, height: CGFloat(lines.count) * font.lineHeight)
        }

        /// The size within another one.
        static func bounds(
            _ text: String, _ attributes: [NSAttributedString.Key: Any]?, in size: CGSize,
            _ options: NSStringDrawingOptions
        ) -> CGRect {
            let font = attributes?[.font] as? UIFont ?? UIFont.systemFont(ofSize: 12)
            let wraps = options.contains(.usesLineFragmentOrigin)
            let layout =
                wraps
                ? TextLayout(text, font, width: size.width)
                : TextLayout(text.replacingOccurrences(of: "\n", with: " "), font, width: nil)
            var found = layout.size
            if options.contains(.truncatesLastVisibleLine), size.height > 0, found.height > size.height {
                found.height = max((size.height / font.lineHeight).rounded(.down), 1) * font.lineHeight
            }
            // Without lines of a rectangle the text begins at the baseline.
            return CGRect(origin: CGPoint(x: 0, y: wraps ? 0 : font.descender), size: found)
        }
    }

    extension NSString {
        /// About the size that a text would have in one line.
        public func size(withAttributes attributes: [NSAttributedString.Key: Any]? = nil) -> CGSize {
            let font = attributes?[.font] as? UIFont ?? UIFont.systemFont(ofSize: 12)
            return CGSize(width: font.pointSize * 0.6 * CGFloat((self as String).count), height: font.lineHeight)
        }

        /// About the rectangle that a text would take up.
        public func boundingRect(
            with size: CGSize, options: NSStringDrawingOptions = [],
            attributes: [NSAttributedString.Key: Any]? = nil, context: NSStringDrawingContext?
        ) -> CGRect {
            TextLayout.bounds(self as String, attributes, in: size, options)
        }

        /// Draws nothing.
        public func draw(at point: CGPoint, withAttributes attributes: [NSAttributedString.Key: Any]? = nil) {}
        /// Draws nothing.
        public func draw(in rect: CGRect, withAttributes attributes: [NSAttributedString.Key: Any]? = nil) {}
        /// Draws nothing.
        public func draw(
            with rect: CGRect, options: NSStringDrawingOptions = [],
            attributes: [NSAttributedString.Key: Any]? = nil, context: NSStringDrawingContext?
        ) {}
    }

    extension String {
        /// As that of `NSString`.
        public func size(withAttributes attributes: [NSAttributedString.Key: Any]? = nil) -> CGSize {
            (self as NSString).size(withAttributes: attributes)
        }

        /// As that of `NSString`.
        public func boundingRect(
            with size: CGSize, options: NSStringDrawingOptions = [],
            attributes: [NSAttributedString.Key: Any]? = nil, context: NSStringDrawingContext?
        ) -> CGRect {
            TextLayout.bounds(self, attributes, in: size, options)
        }

        /// Draws nothing.
        public func draw(at point: CGPoint, withAttributes attributes: [NSAttributedString.Key: Any]? = nil) {}
        /// Draws nothing.
        public func draw(in rect: CGRect, withAttributes attributes: [NSAttributedString.Key: Any]? = nil) {}
        /// Draws nothing.
        public func draw(
            with rect: CGRect, options: NSStringDrawingOptions = [],
            attributes: [NSAttributedString.Key: Any]? = nil, context: NSStringDrawingContext?
        ) {}
    }

    extension NSAttributedString {
        /// The attributes of the first character, which measure the whole text.
        private var first: [NSAttributedString.Key: Any] {
            length > 0 ? attributes(at: 0, effectiveRange: nil) : [:]
        }

        /// About the size that the text would have.
        public func size() -> CGSize { TextLayout.bounds(string, first, in: .zero, .usesLineFragmentOrigin).size }

        /// About the rectangle that the text would take up.
        public func boundingRect(
            with size: CGSize, options: NSStringDrawingOptions = [], context: NSStringDrawingContext?
        ) -> CGRect {
            TextLayout.bounds(string, first, in: size, options)
        }

        /// Draws nothing.
        public func draw(at point: CGPoint) {}
        /// Draws nothing.
        public func draw(in rect: CGRect) {}
        /// Draws nothing.
        public func draw(with rect: CGRect, options: NSStringDrawingOptions = [], context: NSStringDrawingContext?) {}
    }
#endif
