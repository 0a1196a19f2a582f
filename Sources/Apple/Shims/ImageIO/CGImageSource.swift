// Pictures from files and into files. CGImage is in the shim of UIKit.
#if os(Linux) && canImport(CImageCodecs)
    public import UIKit
    public import UserNotifications

    /// A picture that can be read.
    public final class CGImageSource {
        let image: UIImage

        init?(_ data: Data) {
            guard let image = UIImage(data: data) else { return nil }
            self.image = image
        }
    }

    /// True to make a thumbnail from the whole picture. Always so here.
    public nonisolated(unsafe) let kCGImageSourceCreateThumbnailFromImageAlways: CFString =
        "kCGImageSourceCreateThumbnailFromImageAlways"
    /// True to make a thumbnail if there is none. Always so here.
    public nonisolated(unsafe) let kCGImageSourceCreateThumbnailFromImageIfAbsent: CFString =
        "kCGImageSourceCreateThumbnailFromImageIfAbsent"
    /// True to turn a thumbnail as the metadata says. Metadata is not read here.
    public nonisolated(unsafe) let kCGImageSourceCreateThumbnailWithTransform: CFString =
        "kCGImageSourceCreateThumbnailWithTransform"
    /// The longest side of a thumbnail, in pixels.
    public nonisolated(unsafe) let kCGImageSourceThumbnailMaxPixelSize: CFString = "kCGImageSourceThumbnailMaxPixelSize"
    /// True to keep the decoded picture. Without effect.
    public nonisolated(unsafe) let kCGImageSourceShouldCache: CFString = "kCGImageSourceShouldCache"
    /// True to decode at once. Always so here.
    public nonisolated(unsafe) let kCGImageSourceShouldCacheImmediately: CFString =
        "kCGImageSourceShouldCacheImmediately"

    // swift-format-ignore: AlwaysUseLowerCamelCase
    /// Reads a picture; nil if it is neither PNG nor JPEG.
    public func CGImageSourceCreateWithData(_ data: CFData, _ options: CFDictionary?) -> CGImageSource? {
        CGImageSource(data as Data)
    }

    // swift-format-ignore: AlwaysUseLowerCamelCase
    /// Reads a picture from a file; nil if it is neither PNG nor JPEG.
    public func CGImageSourceCreateWithURL(_ url: CFURL, _ options: CFDictionary?) -> CGImageSource? {
        (try? Data(contentsOf: url as URL)).flatMap(CGImageSource.init)
    }

    // swift-format-ignore: AlwaysUseLowerCamelCase
    /// The number of pictures.
    public func CGImageSourceGetCount(_ source: CGImageSource) -> Int { 1 }

    // swift-format-ignore: AlwaysUseLowerCamelCase
    /// The picture.
    public func CGImageSourceCreateImageAtIndex(
        _ source: CGImageSource, _ index: Int, _ options: CFDictionary?
    ) -> CGImage? {
        index == 0 ? source.image.cgImage : nil
    }

    // swift-format-ignore: AlwaysUseLowerCamelCase
    /// The picture, made smaller if it is longer than the options allow.
    public func CGImageSourceCreateThumbnailAtIndex(
        _ source: CGImageSource, _ index: Int, _ options: CFDictionary?
    ) -> CGImage? {
        guard index == 0, let whole = source.image.cgImage else { return nil }
        let wanted = options?.object(forKey: kCGImageSourceThumbnailMaxPixelSize)
        // Foundation for Linux makes no NSNumber of a CGFloat.
        let limit = (wanted as? CGFloat).map(Double.init) ?? (wanted as? NSNumber)?.doubleValue ?? .infinity
        let longest = Double(max(whole.width, whole.height))
        guard limit > 0, longest > limit else { return whole }
        let format = UIGraphicsImageRendererFormat()
        format.scale = 1
        let size = CGSize(
            width: max((Double(whole.width) * limit / longest).rounded(), 1),
            height: max((Double(whole.height) * limit / longest).rounded(), 1))
        return UIGraphicsImageRenderer(size: size, format: format).image { _ in
            UIImage(cgImage: whole).draw(in: CGRect(origin: .zero, size: size))
        }.cgImage
    }

    /// A file that a picture is written to.
    public final class CGImageDestination {
        let url: URL
        let isJPEG: Bool
        var data: Data?

        init(_ url: URL, isJPEG: Bool) {
            self.url = url
            self.isJPEG = isJPEG
        }
    }

    /// The quality of a JPEG, from 0 to 1.
    public nonisolated(unsafe) let kCGImageDestinationLossyCompressionQuality: CFString =
        "kCGImageDestinationLossyCompressionQuality"

    // swift-format-ignore: AlwaysUseLowerCamelCase
    /// Begins a file of a type; nil unless it is `public.png` or `public.jpeg`.
    public func CGImageDestinationCreateWithURL(
        _ url: CFURL, _ type: CFString, _ count: Int, _ options: CFDictionary?
    ) -> CGImageDestination? {
        let type = type as String
        guard type == "public.png" || type == "public.jpeg" else { return nil }
        return CGImageDestination(url as URL, isJPEG: type == "public.jpeg")
    }

    // swift-format-ignore: AlwaysUseLowerCamelCase
    /// Encodes a picture.
    public func CGImageDestinationAddImage(
        _ destination: CGImageDestination, _ image: CGImage, _ properties: CFDictionary?
    ) {
        let quality = properties?.object(forKey: kCGImageDestinationLossyCompressionQuality) as? NSNumber
        let picture = UIImage(cgImage: image)
        destination.data =
            destination.isJPEG
            ? picture.jpegData(compressionQuality: quality?.doubleValue ?? 0.8) : picture.pngData()
    }

    // swift-format-ignore: AlwaysUseLowerCamelCase
    /// Writes the file.
    public func CGImageDestinationFinalize(_ destination: CGImageDestination) -> Bool {
        guard let data = destination.data else { return false }
        return (try? data.write(to: destination.url)) != nil
    }
#endif
