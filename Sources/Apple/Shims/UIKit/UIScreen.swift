#if os(Linux) && canImport(CImageCodecs)
    public import Foundation

    /// A screen like those of today's iPhones.
    public final class UIScreen: NSObject, Sendable {
        /// The screen.
        public static let main = UIScreen()

        /// Pixels for a point.
        public var scale: CGFloat { screenScale }
        /// The size in points.
        public var bounds: CGRect { CGRect(x: 0, y: 0, width: 393, height: 852) }
    }
#endif
