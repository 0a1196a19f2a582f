#if os(Linux) && canImport(CImageCodecs)
    public import Foundation

    /// The contexts of a thread, the current one last.
    private final class ContextStack {
        var contexts: [CGContext] = []

        static var ofThread: ContextStack {
            let key = "org.pushpipe.contexts"
            if let present = Thread.current.threadDictionary[key] as? ContextStack { return present }
            let stack = ContextStack()
            Thread.current.threadDictionary[key] = stack
            return stack
        }
    }

    /// Pixels for a point on the screens of today's iPhones.
    let screenScale: CGFloat = 3

    // swift-format-ignore: AlwaysUseLowerCamelCase
    /// The context that is drawn into.
    public func UIGraphicsGetCurrentContext() -> CGContext? { ContextStack.ofThread.contexts.last }

    // swift-format-ignore: AlwaysUseLowerCamelCase
    /// Begins a context with one pixel for a point.
    public func UIGraphicsBeginImageContext(_ size: CGSize) { UIGraphicsBeginImageContextWithOptions(size, false, 1) }

    // swift-format-ignore: AlwaysUseLowerCamelCase
    /// Begins a context; a scale of 0 is that of the screen.
    public func UIGraphicsBeginImageContextWithOptions(_ size: CGSize, _ opaque: Bool, _ scale: CGFloat) {
        let context = CGContext(size: size, scale: scale > 0 ? scale : screenScale, isOpaque: opaque)
        if let context { ContextStack.ofThread.contexts.append(context) }
    }

    // swift-format-ignore: AlwaysUseLowerCamelCase
    /// The picture so far.
    public func UIGraphicsGetImageFromCurrentImageContext() -> UIImage? {
        UIGraphicsGetCurrentContext().map { UIImage($0.bitmap, scale: $0.scale) }
    }

    // swift-format-ignore: AlwaysUseLowerCamelCase
    /// Ends the current context.
    public func UIGraphicsEndImageContext() { _ = ContextStack.ofThread.contexts.popLast() }

    // swift-format-ignore: AlwaysUseLowerCamelCase
    /// Fills a rectangle.
    public func UIRectFill(_ rect: CGRect) { UIGraphicsGetCurrentContext()?.fill(rect) }

    /// How a renderer makes pictures.
    public final class UIGraphicsImageRendererFormat: NSObject {
        /// Pixels for a point.
        public var scale = screenScale
        /// True if there are no transparent pixels.
        public var opaque = false

        /// That of a screen.
        public static func `default`() -> UIGraphicsImageRendererFormat { UIGraphicsImageRendererFormat() }
        /// That of a screen.
        public static func preferred() -> UIGraphicsImageRendererFormat { UIGraphicsImageRendererFormat() }
    }

    /// The context that a renderer's closure draws into.
    public final class UIGraphicsImageRendererContext: NSObject {
        /// The bitmap.
        public let cgContext: CGContext
        /// The format of the renderer.
        public let format: UIGraphicsImageRendererFormat

        init(_ context: CGContext, _ format: UIGraphicsImageRendererFormat) {
            cgContext = context
            self.format = format
        }

        /// Fills a rectangle.
        public func fill(_ rect: CGRect) { cgContext.fill(rect) }
        /// Draws from now on only within a rectangle.
        public func clip(to rect: CGRect) { cgContext.clip(to: rect) }
        /// The picture so far.
        public var currentImage: UIImage { UIImage(cgContext.bitmap, scale: cgContext.scale) }
    }

    /// Makes pictures by drawing.
    public final class UIGraphicsImageRenderer: NSObject {
        private let size: CGSize
        /// How it makes them.
        public let format: UIGraphicsImageRendererFormat

        /// Of a size in points.
        public convenience init(size: CGSize) { self.init(size: size, format: .default()) }

        /// Of a size in points.
        public init(size: CGSize, format: UIGraphicsImageRendererFormat) {
            self.size = size
            self.format = format
        }

        /// Of a rectangle that begins at zero.
        public convenience init(bounds: CGRect) { self.init(size: bounds.size) }

        /// The picture that the closure draws; a single transparent pixel if the size is none that can be drawn.
        public func image(actions: (UIGraphicsImageRendererContext) -> Void) -> UIImage {
            // No size reaches the failure: one pixel needs four bytes.
            guard
                let context = CGContext(size: size, scale: format.scale, isOpaque: format.opaque)
                    ?? CGContext(size: CGSize(width: 1, height: 1), scale: 1, isOpaque: false)
            else { preconditionFailure("a context of one pixel can be made") }
            let stack = ContextStack.ofThread
            stack.contexts.append(context)
            defer { _ = stack.contexts.popLast() }
            actions(UIGraphicsImageRendererContext(context, format))
            return UIImage(context.bitmap, scale: context.scale)
        }

        /// The same as PNG; empty if it cannot be encoded.
        public func pngData(actions: (UIGraphicsImageRendererContext) -> Void) -> Data {
            image(actions: actions).pngData() ?? Data()
        }

        /// The same as JPEG; empty if it cannot be encoded.
        public func jpegData(
            withCompressionQuality quality: CGFloat, actions: (UIGraphicsImageRendererContext) -> Void
        ) -> Data {
            image(actions: actions).jpegData(compressionQuality: quality) ?? Data()
        }
    }
#endif
