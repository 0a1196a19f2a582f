#if os(Linux) && canImport(CImageCodecs)
    public import Foundation

    /// A color, in red, green and blue.
    public final class UIColor: NSObject, @unchecked Sendable {
        let parts: [CGFloat]

        /// Makes a color; each part is from 0 to 1.
        public init(red: CGFloat, green: CGFloat, blue: CGFloat, alpha: CGFloat) {
            parts = [red, green, blue, alpha].map { $0.isNaN ? 0 : min(max($0, 0), 1) }
        }

        /// Makes a grey.
        public convenience init(white: CGFloat, alpha: CGFloat) {
            self.init(red: white, green: white, blue: white, alpha: alpha)
        }

        /// The same color with another alpha.
        public func withAlphaComponent(_ alpha: CGFloat) -> UIColor {
            UIColor(red: parts[0], green: parts[1], blue: parts[2], alpha: alpha)
        }

        /// The color, for a context.
        public var cgColor: CGColor { self }

        /// What the current context fills with from now on.
        public func setFill() { UIGraphicsGetCurrentContext()?.setFillColor(self) }
        /// What the current context fills with from now on. Lines are not drawn here.
        public func set() { setFill() }
        /// Without effect: lines are not drawn here.
        public func setStroke() {}

        /// White.
        public static let white = UIColor(white: 1, alpha: 1)
        /// Black.
        public static let black = UIColor(white: 0, alpha: 1)
        /// No color.
        public static let clear = UIColor(white: 0, alpha: 0)
        /// Grey.
        public static let gray = UIColor(white: 0.5, alpha: 1)
        /// Light grey.
        public static let lightGray = UIColor(white: 2.0 / 3, alpha: 1)
        /// Dark grey.
        public static let darkGray = UIColor(white: 1.0 / 3, alpha: 1)
        /// Red.
        public static let red = UIColor(red: 1, green: 0, blue: 0, alpha: 1)
        /// Green.
        public static let green = UIColor(red: 0, green: 1, blue: 0, alpha: 1)
        /// Blue.
        public static let blue = UIColor(red: 0, green: 0, blue: 1, alpha: 1)
        /// Yellow.
        public static let yellow = UIColor(red: 1, green: 1, blue: 0, alpha: 1)
        /// Orange.
        public static let orange = UIColor(red: 1, green: 0.5, blue: 0, alpha: 1)
    }

    /// A color.
    public typealias CGColor = UIColor
#endif
