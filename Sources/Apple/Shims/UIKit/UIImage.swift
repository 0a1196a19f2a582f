// The names are Apple's, who documents them: a comment says only what is different here.
// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation

#if os(Linux) && canImport(CImageCodecs)
    import CImageCodecs
    public import Foundation

    /// A picture. PNG and JPEG are decoded; orientation in metadata, animation and other formats are not known.
    public final class UIImage: NSObject, @unchecked Sendable {
        let bitmap: Bitmap
        public let scale: CGFloat

        init(_ bitmap: Bitmap, scale: CGFloat) {
            self.bitmap = bitmap
            self.scale = scale
        }

        /// Decodes a picture; nil if it is neither PNG nor JPEG.
        public convenience init?(data: Data) { self.init(data: data, scale: 1) }

        /// Decodes a picture; nil if it is neither PNG nor JPEG.
        public convenience init?(data: Data, scale: CGFloat) {
            guard scale > 0, let bitmap = Bitmap(encoded: data) else { return nil }
            self.init(bitmap, scale: scale)
        }

        public convenience init?(contentsOfFile path: String) {
            guard let data = FileManager.default.contents(atPath: path) else { return nil }
            self.init(data: data, scale: path.contains("@3x.") ? 3 : path.contains("@2x.") ? 2 : 1)
        }

        /// Reads a file of the main bundle, in which `pushpipe extension build` puts those of asset catalogs.
        public convenience init?(named name: String) {
            let base = (name as NSString).deletingPathExtension
            let extensions =
                (name as NSString).pathExtension.isEmpty ? ["png", "jpg", "jpeg"] : [(name as NSString).pathExtension]
            for suffix in ["@3x", "@2x", ""] {
                for ending in extensions {
                    guard let path = Bundle.main.path(forResource: base + suffix, ofType: ending) else { continue }
                    self.init(contentsOfFile: path)
                    return
                }
            }
            return nil
        }

        /// Makes a picture of pixels.
        public convenience init(cgImage: CGImage) { self.init(cgImage.bitmap, scale: 1) }

        /// Makes a picture of pixels. It is not turned.
        public convenience init(cgImage: CGImage, scale: CGFloat, orientation: Orientation) {
            self.init(cgImage.bitmap, scale: scale > 0 ? scale : 1)
        }

        /// Nil: the system's symbols are not here.
        public convenience init?(systemName name: String) { return nil }

        /// How a picture is turned. Metadata is not read, so that every picture is up.
        public enum Orientation: Int, Sendable {
            case up
            case down
            case left
            case right
        }

        public var imageOrientation: Orientation { .up }

        /// The picture in another size, in pixels.
        public func preparingThumbnail(of size: CGSize) -> UIImage? {
            let format = UIGraphicsImageRendererFormat.default()
            format.scale = 1
            return UIGraphicsImageRenderer(size: size, format: format).image { _ in
                draw(in: CGRect(origin: .zero, size: size))
            }
        }

        public var size: CGSize {
            CGSize(width: CGFloat(bitmap.width) / scale, height: CGFloat(bitmap.height) / scale)
        }

        /// The pixels.
        public var cgImage: CGImage? { CGImage(bitmap) }

        public func pngData() -> Data? { bitmap.png }

        /// The picture as JPEG; the quality is from 0 to 1.
        public func jpegData(compressionQuality: CGFloat) -> Data? { bitmap.jpeg(quality: Double(compressionQuality)) }

        /// Draws the picture into the current context, scaled to a rectangle.
        public func draw(in rect: CGRect) { UIGraphicsGetCurrentContext()?.draw(bitmap, in: rect) }

        /// Draws the picture into the current context, in its size.
        public func draw(at point: CGPoint) { draw(in: CGRect(origin: point, size: size)) }
    }

    /// Pixels.
    public final class CGImage: @unchecked Sendable {
        let bitmap: Bitmap

        init(_ bitmap: Bitmap) { self.bitmap = bitmap }

        public var width: Int { bitmap.width }
        public var height: Int { bitmap.height }

        /// The part in a rectangle of pixels; nil if it is outside.
        public func cropping(to rect: CGRect) -> CGImage? {
            let whole = rect.standardized
            func range(_ low: CGFloat, _ length: CGFloat) -> Range<Int>? {
                guard low.isFinite, length.isFinite, abs(low) < 1e6, length < 1e6 else { return nil }
                return Int(low.rounded(.down))..<Int((low + length).rounded(.up))
            }
            guard let x = range(whole.minX, whole.width), let y = range(whole.minY, whole.height) else { return nil }
            return bitmap.cropped(x: x, y: y).map(CGImage.init)
        }
    }

    /// Pixels, as rows of red, green, blue and alpha, not premultiplied.
    struct Bitmap: Sendable {
        let width: Int
        let height: Int
        var bytes: [UInt8]

        /// One transparent pixel.
        static let pixel = Bitmap(width: 1, height: 1, bytes: [0, 0, 0, 0])

        private init(width: Int, height: Int, bytes: [UInt8]) {
            self.width = width
            self.height = height
            self.bytes = bytes
        }

        /// Transparent pixels; nil if there are none, or too many.
        init?(width: Int, height: Int) {
            guard width > 0, height > 0, width <= 1 << 15, height <= 1 << 15, width * height <= 64 << 20 else {
                return nil
            }
            self.init(width: width, height: height, bytes: [UInt8](repeating: 0, count: width * height * 4))
        }

        /// Decodes PNG or JPEG; nil for anything else.
        init?(encoded data: Data) {
            let isPNG = data.starts(with: [0x89, 0x50, 0x4E, 0x47])
            guard isPNG || data.starts(with: [0xFF, 0xD8, 0xFF]) else { return nil }
            var (width, height): (UInt32, UInt32) = (0, 0)
            var pixels: UnsafeMutablePointer<UInt8>?
            let isDecoded = data.withUnsafeBytes { raw in
                let start = raw.assumingMemoryBound(to: UInt8.self).baseAddress
                let decode = isPNG ? image_decode_png : image_decode_jpeg
                return decode(start, raw.count, &width, &height, &pixels) == 1
            }
            defer { free(pixels) }
            guard isDecoded, let pixels else { return nil }
            self.width = Int(width)
            self.height = Int(height)
            bytes = Array(UnsafeBufferPointer(start: pixels, count: self.width * self.height * 4))
        }

        var png: Data? {
            encoded { image_encode_png($0, UInt32(width), UInt32(height), &$1, &$2) }
        }

        /// - Parameter quality: from 0 to 1. Transparent pixels become white.
        func jpeg(quality: Double) -> Data? {
            var flat = self
            for place in stride(from: 0, to: bytes.count, by: 4) where bytes[place + 3] < 255 {
                let alpha = Int(bytes[place + 3])
                for part in place..<place + 3 {
                    flat.bytes[part] = UInt8((Int(bytes[part]) * alpha + 255 * (255 - alpha)) / 255)
                }
            }
            let percent = quality > 0 ? Int32(min(quality, 1) * 100) : 0
            return flat.encoded { image_encode_jpeg($0, UInt32(width), UInt32(height), percent, &$1, &$2) }
        }

        private func encoded(
            _ encode: (UnsafePointer<UInt8>?, inout UnsafeMutablePointer<UInt8>?, inout Int) -> Int32
        ) -> Data? {
            var data: UnsafeMutablePointer<UInt8>?
            var size = 0
            let isEncoded = bytes.withUnsafeBufferPointer { encode($0.baseAddress, &data, &size) == 1 }
            defer { free(data) }
            guard isEncoded, let data else { return nil }
            return Data(bytes: data, count: size)
        }

        /// The average of the pixels in a part of the bitmap, weighted by alpha: a picture that shrinks keeps what is in it.
        func average(_ columns: Range<Int>, _ rows: Range<Int>) -> (red: Int, green: Int, blue: Int, alpha: Int) {
            var red = 0
            var green = 0
            var blue = 0
            var alpha = 0
            var count = 0
            for row in rows {
                for column in columns {
                    let place = (row * width + column) * 4
                    let weight = Int(bytes[place + 3])
                    red += Int(bytes[place]) * weight
                    green += Int(bytes[place + 1]) * weight
                    blue += Int(bytes[place + 2]) * weight
                    alpha += weight
                    count += 1
                }
            }
            guard alpha > 0, count > 0 else { return (0, 0, 0, 0) }
            return (red / alpha, green / alpha, blue / alpha, alpha / count)
        }

        /// The part in a rectangle; nil if they have nothing in common.
        func cropped(x: Range<Int>, y: Range<Int>) -> Bitmap? {
            let columns = x.clamped(to: 0..<width)
            let rows = y.clamped(to: 0..<height)
            guard var result = Bitmap(width: columns.count, height: rows.count) else { return nil }
            for (index, row) in rows.enumerated() {
                let source = (row * width + columns.lowerBound) * 4
                let target = index * columns.count * 4
                result.bytes.replaceSubrange(
                    target..<target + columns.count * 4, with: bytes[source..<source + columns.count * 4])
            }
            return result
        }
    }
#endif
