#if os(Linux) && canImport(CImageCodecs)
    public import Foundation

    /// A picture. PNG and JPEG are decoded; orientation in metadata, animation and other formats are not known.
    public final class UIImage: NSObject, @unchecked Sendable {
        let bitmap: Bitmap
        /// Pixels for a point.
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

        /// Reads a file.
        public convenience init?(contentsOfFile path: String) {
            guard let data = FileManager.default.contents(atPath: path) else { return nil }
            self.init(data: data, scale: path.contains("@3x.") ? 3 : path.contains("@2x.") ? 2 : 1)
        }

        /// Reads a file of the main bundle. Asset catalogs are not compiled here, so their pictures are missing.
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
            /// Not turned.
            case up
            /// Turned by half.
            case down
            /// Turned to the left.
            case left
            /// Turned to the right.
            case right
        }

        /// Not turned.
        public var imageOrientation: Orientation { .up }

        /// The picture in another size, in pixels.
        public func preparingThumbnail(of size: CGSize) -> UIImage? {
            let format = UIGraphicsImageRendererFormat.default()
            format.scale = 1
            return UIGraphicsImageRenderer(size: size, format: format).image { _ in
                draw(in: CGRect(origin: .zero, size: size))
            }
        }

        /// The size in points.
        public var size: CGSize {
            CGSize(width: CGFloat(bitmap.width) / scale, height: CGFloat(bitmap.height) / scale)
        }

        /// The pixels.
        public var cgImage: CGImage? { CGImage(bitmap) }

        /// The picture as PNG.
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

        /// Pixels in a row.
        public var width: Int { bitmap.width }
        /// Rows.
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
#endif
