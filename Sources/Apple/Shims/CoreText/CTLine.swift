// The names are Apple's.
// swift-format-ignore-file: AlwaysUseLowerCamelCase

#if os(Linux)
    public import Foundation
    public import UIKit
    public import UserNotifications

    /// A text in one line.
    public final class CTLine: NSObject {
        fileprivate let text: NSAttributedString

        fileprivate init(_ text: NSAttributedString) { self.text = text }

        fileprivate var font: CTFont {
            let attributes = text.length > 0 ? text.attributes(at: 0, effectiveRange: nil) : [:]
            return attributes[.font] as? CTFont ?? .systemFont(ofSize: 12)
        }
    }

    /// A text in lines.
    public final class CTFramesetter: NSObject {
        fileprivate let text: NSAttributedString

        fileprivate init(_ text: NSAttributedString) { self.text = text }
    }

    /// A text in one line.
    public func CTLineCreateWithAttributedString(_ text: NSAttributedString) -> CTLine { CTLine(text) }

    /// About the width of the text in points, and its height above and below the baseline.
    public func CTLineGetTypographicBounds(
        _ line: CTLine, _ ascent: UnsafeMutablePointer<CGFloat>?, _ descent: UnsafeMutablePointer<CGFloat>?,
        _ leading: UnsafeMutablePointer<CGFloat>?
    ) -> Double {
        ascent?.pointee = CTFontGetAscent(line.font)
        descent?.pointee = CTFontGetDescent(line.font)
        leading?.pointee = 0
        return Double((line.text.string as NSString).size(withAttributes: [.font: line.font]).width)
    }

    /// A text in lines.
    public func CTFramesetterCreateWithAttributedString(_ text: NSAttributedString) -> CTFramesetter {
        CTFramesetter(text)
    }

    /// About the size of a text within another one.
    ///
    /// - Parameters:
    ///   - range: of the text; a length of 0 is up to its end.
    ///   - attributes: has no effect.
    ///   - fitting: is set to the range.
    public func CTFramesetterSuggestFrameSizeWithConstraints(
        _ framesetter: CTFramesetter, _ range: CFRange, _ attributes: CFDictionary?, _ constraints: CGSize,
        _ fitting: UnsafeMutablePointer<CFRange>?
    ) -> CGSize {
        let length = framesetter.text.length
        let start = min(max(range.location, 0), length)
        let count = range.length > 0 ? min(range.length, length - start) : length - start
        fitting?.pointee = CFRange(location: start, length: count)
        return framesetter.text.attributedSubstring(from: NSRange(location: start, length: count))
            .boundingRect(with: constraints, options: .usesLineFragmentOrigin, context: nil).size
    }

    #if canImport(CImageCodecs)
        /// Draws nothing.
        public func CTLineDraw(_ line: CTLine, _ context: CGContext) {}
    #endif
#endif
