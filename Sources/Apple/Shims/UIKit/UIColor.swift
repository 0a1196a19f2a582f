// The names are Apple's, who documents them: a comment says only what is different here.
// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation

#if os(Linux) && canImport(CImageCodecs)
    public import Foundation

    /// A color, in red, green and blue.
    public final class UIColor: NSObject, @unchecked Sendable {
        let parts: [CGFloat]

        /// Makes a color; each part is from 0 to 1.
        public init(red: CGFloat, green: CGFloat, blue: CGFloat, alpha: CGFloat) {
            parts = [red, green, blue, alpha].map { $0.isNaN ? 0 : min(max($0, 0), 1) }
        }

        public convenience init(white: CGFloat, alpha: CGFloat) {
            self.init(red: white, green: white, blue: white, alpha: alpha)
        }

        /// Nil: colors of asset catalogs are not read here.
        public convenience init?(named name: String) { return nil }

        public func withAlphaComponent(_ alpha: CGFloat) -> UIColor {
            UIColor(red: parts[0], green: parts[1], blue: parts[2], alpha: alpha)
        }

        /// The color, for a context.
        public var cgColor: CGColor { self }

        /// Sets the color that the current context fills with from now on.
        public func setFill() { UIGraphicsGetCurrentContext()?.setFillColor(self) }
        /// Sets the color that the current context fills with from now on. Lines are not drawn here.
        public func set() { setFill() }
        /// Has no effect: lines are not drawn here.
        public func setStroke() {}

        public static let white = UIColor(white: 1, alpha: 1)
        public static let black = UIColor(white: 0, alpha: 1)
        /// No color.
        public static let clear = UIColor(white: 0, alpha: 0)
        public static let gray = UIColor(white: 0.5, alpha: 1)
        public static let lightGray = UIColor(white: 2.0 / 3, alpha: 1)
        public static let darkGray = UIColor(white: 1.0 / 3, alpha: 1)
        public static let red = UIColor(red: 1, green: 0, blue: 0, alpha: 1)
        public static let green = UIColor(red: 0, green: 1, blue: 0, alpha: 1)
        public static let blue = UIColor(red: 0, green: 0, blue: 1, alpha: 1)
        public static let yellow = UIColor(red: 1, green: 1, blue: 0, alpha: 1)
        public static let orange = UIColor(red: 1, green: 0.5, blue: 0, alpha: 1)
        /// The system's red, in its light form.
        public static let systemRed = UIColor(bytes: 255, 59, 48)
        /// The system's green, in its light form.
        public static let systemGreen = UIColor(bytes: 52, 199, 89)
        /// The system's blue, in its light form.
        public static let systemBlue = UIColor(bytes: 0, 122, 255)
        /// The system's orange, in its light form.
        public static let systemOrange = UIColor(bytes: 255, 149, 0)
        /// The system's yellow, in its light form.
        public static let systemYellow = UIColor(bytes: 255, 204, 0)
        /// The system's pink, in its light form.
        public static let systemPink = UIColor(bytes: 255, 45, 85)
        /// The system's purple, in its light form.
        public static let systemPurple = UIColor(bytes: 175, 82, 222)
        /// The system's teal, in its light form.
        public static let systemTeal = UIColor(bytes: 48, 176, 199)
        /// The system's indigo, in its light form.
        public static let systemIndigo = UIColor(bytes: 88, 86, 214)
        /// The system's gray, in its light form.
        public static let systemGray = UIColor(bytes: 142, 142, 147)
        /// Texts, in their light form: black.
        public static let label = UIColor(white: 0, alpha: 1)
        /// The background of texts, in its light form: white.
        public static let systemBackground = UIColor(white: 1, alpha: 1)
        public static let brown = UIColor(red: 0.6, green: 0.4, blue: 0.2, alpha: 1)
        public static let purple = UIColor(red: 0.5, green: 0, blue: 0.5, alpha: 1)
        public static let cyan = UIColor(red: 0, green: 1, blue: 1, alpha: 1)
        public static let magenta = UIColor(red: 1, green: 0, blue: 1, alpha: 1)

        private convenience init(bytes red: UInt8, _ green: UInt8, _ blue: UInt8) {
            self.init(red: CGFloat(red) / 255, green: CGFloat(green) / 255, blue: CGFloat(blue) / 255, alpha: 1)
        }

        /// Makes a color of hue, saturation and brightness; each is from 0 to 1.
        public convenience init(hue: CGFloat, saturation: CGFloat, brightness: CGFloat, alpha: CGFloat) {
            let hue = hue.unit * 6
            let saturation = saturation.unit
            let brightness = brightness.unit
            func part(_ offset: CGFloat) -> CGFloat {
                let place = (hue + offset).truncatingRemainder(dividingBy: 6)
                return brightness * (1 - saturation * max(0, min(place, 4 - place, 1)))
            }
            self.init(red: part(5), green: part(3), blue: part(1), alpha: alpha)
        }
    }

    extension CGFloat {
        fileprivate var unit: CGFloat { isNaN ? 0 : Swift.min(Swift.max(self, 0), 1) }
    }

    public typealias CGColor = UIColor

    /// A screen like those of today's iPhones.
    public final class UIScreen: NSObject, Sendable {
        public static let main = UIScreen()

        public var scale: CGFloat { screenScale }
        public var bounds: CGRect { CGRect(x: 0, y: 0, width: 393, height: 852) }
    }
#endif
