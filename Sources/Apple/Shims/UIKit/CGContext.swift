// The names are Apple's, who documents them: a comment says only what is different here.
// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation, AlwaysUseLowerCamelCase

#if os(Linux) && canImport(CImageCodecs)
    public import Foundation

    /// A bitmap to draw into. Pictures, filled shapes and clips of rectangles, ellipses and rounded rectangles; no lines, text or transforms.
    public final class CGContext {
        enum Shape {
            case rectangle(CGRect)
            case ellipse(CGRect)
            case rounded(CGRect, radius: CGFloat)

            func contains(_ point: CGPoint) -> Bool {
                switch self {
                case .rectangle(let rect): return rect.contains(point)
                case .ellipse(let rect):
                    guard rect.width > 0, rect.height > 0 else { return false }
                    let x = (point.x - rect.midX) / (rect.width / 2)
                    let y = (point.y - rect.midY) / (rect.height / 2)
                    return x * x + y * y <= 1
                case .rounded(let rect, let radius):
                    guard rect.contains(point) else { return false }
                    let radius = min(radius, rect.width / 2, rect.height / 2)
                    let x = max(rect.minX + radius - point.x, point.x - (rect.maxX - radius), 0)
                    let y = max(rect.minY + radius - point.y, point.y - (rect.maxY - radius), 0)
                    return x * x + y * y <= radius * radius
                }
            }

            var bounds: CGRect {
                switch self {
                case .rectangle(let rect), .ellipse(let rect), .rounded(let rect, _): rect
                }
            }
        }

        private struct State {
            var color = UIColor.black
            var clips: [Shape] = []
        }

        private(set) var bitmap: Bitmap
        let scale: CGFloat
        private var state = State()
        private var saved: [State] = []
        private var path: [Shape] = []

        init(_ bitmap: Bitmap, scale: CGFloat) {
            self.bitmap = bitmap
            self.scale = scale
        }

        convenience init?(size: CGSize, scale: CGFloat, isOpaque: Bool) {
            let width = size.width * scale
            let height = size.height * scale
            guard width > 0, height > 0, width < 1e5, height < 1e5,
                let bitmap = Bitmap(width: Int(width.rounded(.up)), height: Int(height.rounded(.up)))
            else { return nil }
            self.init(bitmap, scale: scale)
            if isOpaque {
                for place in stride(from: 3, to: bitmap.bytes.count, by: 4) { self.bitmap.bytes[place] = 255 }
            }
        }

        public func saveGState() { saved.append(state) }
        public func restoreGState() { if let last = saved.popLast() { state = last } }
        public func setFillColor(_ color: CGColor) { state.color = color }
        public func addRect(_ rect: CGRect) { path.append(.rectangle(rect)) }
        public func addEllipse(in rect: CGRect) { path.append(.ellipse(rect)) }

        /// Draws from now on only within the path.
        public func clip() {
            for shape in path { clip(to: shape) }
            path = []
        }

        /// Draws from now on only within a rectangle.
        public func clip(to rect: CGRect) { clip(to: .rectangle(rect)) }

        public func fill(_ rect: CGRect) { fill(.rectangle(rect)) }
        public func fillEllipse(in rect: CGRect) { fill(.ellipse(rect)) }

        public func fillPath() {
            for shape in path { fill(shape) }
            path = []
        }

        func clip(to shape: Shape) { state.clips.append(shape) }

        func fill(_ shape: Shape) {
            let parts = state.color.parts.map { Int(($0 * 255).rounded()) }
            forEachPixel(in: shape.bounds) { point, place in
                if shape.contains(point) { blend((parts[0], parts[1], parts[2], parts[3]), at: place) }
            }
        }

        func draw(_ source: Bitmap, in rect: CGRect) {
            guard rect.width > 0, rect.height > 0 else { return }
            let stepX = CGFloat(source.width) / (rect.width * scale)
            let stepY = CGFloat(source.height) / (rect.height * scale)
            // A rectangle may be of any size, so these may be no numbers, or too large for Int.
            func index(_ place: CGFloat, atMost limit: Int) -> Int {
                place > 0 ? Int(min(place, CGFloat(limit))) : 0
            }
            func range(_ start: CGFloat, _ step: CGFloat, _ count: Int) -> Range<Int> {
                let low = index(start, atMost: count - 1)
                return low..<max(index(start + step, atMost: count), low + 1)
            }
            forEachPixel(in: rect) { point, place in
                let x = (point.x - rect.minX) / rect.width * CGFloat(source.width) - stepX / 2
                let y = (point.y - rect.minY) / rect.height * CGFloat(source.height) - stepY / 2
                let columns = range(x + min(stepX, 1) / 2, stepX, source.width)
                let rows = range(y + min(stepY, 1) / 2, stepY, source.height)
                let found = source.average(columns, rows)
                blend((found.red, found.green, found.blue, found.alpha), at: place)
            }
        }

        /// The pixels of a rectangle that no clip keeps out: the middle of each, in points, and its place in the bitmap.
        private func forEachPixel(in rect: CGRect, _ body: (CGPoint, Int) -> Void) {
            func range(_ low: CGFloat, _ high: CGFloat, _ count: Int) -> Range<Int> {
                guard low.isFinite, high.isFinite, high > low else { return 0..<0 }
                let first = min(max((low * scale).rounded(.down), 0), CGFloat(count))
                let last = min(max((high * scale).rounded(.up), first), CGFloat(count))
                return Int(first)..<Int(last)
            }
            for row in range(rect.minY, rect.maxY, bitmap.height) {
                for column in range(rect.minX, rect.maxX, bitmap.width) {
                    let point = CGPoint(x: (CGFloat(column) + 0.5) / scale, y: (CGFloat(row) + 0.5) / scale)
                    if rect.contains(point), state.clips.allSatisfy({ $0.contains(point) }) {
                        body(point, (row * bitmap.width + column) * 4)
                    }
                }
            }
        }

        /// Puts a color over what is there.
        private func blend(_ color: (red: Int, green: Int, blue: Int, alpha: Int), at place: Int) {
            let below = Int(bitmap.bytes[place + 3]) * (255 - color.alpha) / 255
            let alpha = color.alpha + below
            guard alpha > 0 else { return }
            func mixed(_ part: Int, _ offset: Int) -> UInt8 {
                UInt8(clamping: (part * color.alpha + Int(bitmap.bytes[place + offset]) * below) / alpha)
            }
            bitmap.bytes[place] = mixed(color.red, 0)
            bitmap.bytes[place + 1] = mixed(color.green, 1)
            bitmap.bytes[place + 2] = mixed(color.blue, 2)
            bitmap.bytes[place + 3] = UInt8(clamping: alpha)
        }
    }

    /// A shape: a rectangle, an ellipse or a rounded rectangle.
    public final class UIBezierPath: NSObject {
        private let shape: CGContext.Shape

        public init(rect: CGRect) { shape = .rectangle(rect) }
        public init(ovalIn rect: CGRect) { shape = .ellipse(rect) }
        public init(roundedRect rect: CGRect, cornerRadius: CGFloat) { shape = .rounded(rect, radius: cornerRadius) }

        /// Draws into the current context only within the shape from now on.
        public func addClip() { UIGraphicsGetCurrentContext()?.clip(to: shape) }
        public func fill() { UIGraphicsGetCurrentContext()?.fill(shape) }
    }

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

    public func UIGraphicsGetCurrentContext() -> CGContext? { ContextStack.ofThread.contexts.last }

    public func UIGraphicsBeginImageContext(_ size: CGSize) { UIGraphicsBeginImageContextWithOptions(size, false, 1) }

    /// Begins a context; a scale of 0 is that of the screen.
    public func UIGraphicsBeginImageContextWithOptions(_ size: CGSize, _ opaque: Bool, _ scale: CGFloat) {
        let context = CGContext(size: size, scale: scale > 0 ? scale : screenScale, isOpaque: opaque)
        if let context { ContextStack.ofThread.contexts.append(context) }
    }

    public func UIGraphicsGetImageFromCurrentImageContext() -> UIImage? {
        UIGraphicsGetCurrentContext().map { UIImage($0.bitmap, scale: $0.scale) }
    }

    public func UIGraphicsEndImageContext() { _ = ContextStack.ofThread.contexts.popLast() }

    public func UIRectFill(_ rect: CGRect) { UIGraphicsGetCurrentContext()?.fill(rect) }

    /// How a renderer makes pictures.
    public final class UIGraphicsImageRendererFormat: NSObject {
        public var scale = screenScale
        /// True if there are no transparent pixels.
        public var opaque = false

        public static func `default`() -> UIGraphicsImageRendererFormat { UIGraphicsImageRendererFormat() }
        public static func preferred() -> UIGraphicsImageRendererFormat { UIGraphicsImageRendererFormat() }
    }

    /// The context that a renderer's closure draws into.
    public final class UIGraphicsImageRendererContext: NSObject {
        public let cgContext: CGContext
        public let format: UIGraphicsImageRendererFormat

        init(_ context: CGContext, _ format: UIGraphicsImageRendererFormat) {
            cgContext = context
            self.format = format
        }

        public func fill(_ rect: CGRect) { cgContext.fill(rect) }
        /// Draws from now on only within a rectangle.
        public func clip(to rect: CGRect) { cgContext.clip(to: rect) }
        public var currentImage: UIImage { UIImage(cgContext.bitmap, scale: cgContext.scale) }
    }

    /// Makes pictures by drawing.
    public final class UIGraphicsImageRenderer: NSObject {
        private let size: CGSize
        public let format: UIGraphicsImageRendererFormat

        public convenience init(size: CGSize) { self.init(size: size, format: .default()) }

        public init(size: CGSize, format: UIGraphicsImageRendererFormat) {
            self.size = size
            self.format = format
        }

        /// Makes pictures of a rectangle that begins at zero.
        public convenience init(bounds: CGRect) { self.init(size: bounds.size) }

        /// The picture that the closure draws; a single transparent pixel if the size is none that can be drawn.
        public func image(actions: (UIGraphicsImageRendererContext) -> Void) -> UIImage {
            let context =
                CGContext(size: size, scale: format.scale, isOpaque: format.opaque) ?? CGContext(.pixel, scale: 1)
            let stack = ContextStack.ofThread
            stack.contexts.append(context)
            defer { _ = stack.contexts.popLast() }
            actions(UIGraphicsImageRendererContext(context, format))
            return UIImage(context.bitmap, scale: context.scale)
        }

        /// The picture that the closure draws as PNG; empty if it cannot be encoded.
        public func pngData(actions: (UIGraphicsImageRendererContext) -> Void) -> Data {
            image(actions: actions).pngData() ?? Data()
        }

        /// The picture that the closure draws as JPEG; empty if it cannot be encoded.
        public func jpegData(
            withCompressionQuality quality: CGFloat, actions: (UIGraphicsImageRendererContext) -> Void
        ) -> Data {
            image(actions: actions).jpegData(compressionQuality: quality) ?? Data()
        }
    }
#endif
