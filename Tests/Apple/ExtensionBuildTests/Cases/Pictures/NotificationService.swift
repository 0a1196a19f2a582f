import UIKit
import UserNotifications

class NotificationService: UNNotificationServiceExtension {
    override func didReceive(
        _ request: UNNotificationRequest, withContentHandler contentHandler: @escaping (UNNotificationContent) -> Void
    ) {
        let content = UNMutableNotificationContent()
        let format = UIGraphicsImageRendererFormat.default()
        format.scale = 2
        let renderer = UIGraphicsImageRenderer(size: CGSize(width: 20, height: 10), format: format)
        let drawn = renderer.image { context in
            UIColor.red.setFill()
            context.fill(CGRect(x: 0, y: 0, width: 10, height: 10))
            UIBezierPath(ovalIn: CGRect(x: 10, y: 0, width: 10, height: 10)).addClip()
            UIColor.blue.setFill()
            UIRectFill(CGRect(x: 10, y: 0, width: 10, height: 10))
        }
        guard let png = drawn.pngData(), let image = UIImage(data: png), let pixels = image.cgImage,
            let thumbnail = image.preparingThumbnail(of: CGSize(width: 10, height: 5))?.cgImage
        else { return contentHandler(request.content) }
        content.title = "\(pixels.width)x\(pixels.height) \(thumbnail.width)x\(thumbnail.height)"
        content.subtitle = [(5, 10), (30, 10), (39, 0)].map { color(of: image, $0, $1) }.joined(separator: " ")
        let half = image.jpegData(compressionQuality: 0.9)?.prefix(40)
        content.body = half.flatMap { UIImage(data: $0) } == nil ? "no picture of half a file" : "a picture"
        content.body += ", " + drawOutOfBounds(image)
        contentHandler(content)
    }

    /// Sizes, places and qualities that no picture has. The size of what was drawn into.
    private func drawOutOfBounds(_ image: UIImage) -> String {
        for size in [CGSize(width: -1e300, height: -1e300), CGSize(width: CGFloat.nan, height: 1)] {
            UIGraphicsBeginImageContextWithOptions(size, false, 1)
            UIGraphicsEndImageContext()
        }
        let format = UIGraphicsImageRendererFormat()
        format.scale = 1
        let drawn = UIGraphicsImageRenderer(size: CGSize(width: 10, height: 10), format: format).image { _ in
            for place in [-1e300, -1e18, -1, 0, 1e18, 1e300, .infinity, .nan] as [CGFloat] {
                for length in [1e-300, 1e-18, 1, 1e18, 1e300, .infinity, .nan] as [CGFloat] {
                    image.draw(in: CGRect(x: place, y: 0, width: length, height: length))
                    image.draw(in: CGRect(x: 0, y: place, width: 10, height: length))
                }
            }
        }
        guard drawn.jpegData(compressionQuality: .nan) != nil, let pixels = drawn.cgImage else { return "nothing" }
        return "\(pixels.width)x\(pixels.height)"
    }

    /// The name of the color of a pixel, by what JPEG makes of it: transparent pixels become white.
    private func color(of image: UIImage, _ x: Int, _ y: Int) -> String {
        guard let pixel = image.cgImage?.cropping(to: CGRect(x: x, y: y, width: 1, height: 1)) else { return "none" }
        let picture = UIImage(cgImage: pixel)
        for (name, color) in [("red", UIColor.red), ("blue", UIColor.blue), ("clear", UIColor.clear)] {
            let format = UIGraphicsImageRendererFormat()
            format.scale = 1
            let expected = UIGraphicsImageRenderer(size: CGSize(width: 1, height: 1), format: format).image { context in
                color.setFill()
                context.fill(CGRect(x: 0, y: 0, width: 1, height: 1))
            }
            if expected.pngData() == picture.pngData() { return name }
        }
        return "another"
    }
}
