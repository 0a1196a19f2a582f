// The names are Apple's.
// swift-format-ignore-file: AlwaysUseLowerCamelCase

#if os(Linux)
    public import Foundation
    public import UIKit
    public import UserNotifications

    /// A font, the same as UIKit's. Text has a size here, and is not drawn: there are no glyphs.
    public typealias CTFont = UIFont

    /// Where a font is registered. Without effect.
    public enum CTFontManagerScope: UInt32, Sendable {
        /// Nowhere.
        case none = 0
        /// In this process.
        case process = 1
        /// For this user.
        case persistent = 2
        /// For this session.
        case session = 3
        /// For this user.
        public static let user = CTFontManagerScope.persistent
    }

    /// Fonts of the system.
    public enum CTFontUIFontType: UInt32, Sendable {
        /// For documents.
        case user = 0
        /// The system's.
        case system = 2
        /// The system's, in bold.
        case emphasizedSystem = 3
    }

    /// The attribute for a font.
    public nonisolated(unsafe) let kCTFontAttributeName: CFString = "NSFont"
    /// The attribute for a color.
    public nonisolated(unsafe) let kCTForegroundColorAttributeName: CFString = "CTForegroundColor"
    /// The domain of the errors of registering fonts.
    public nonisolated(unsafe) let kCTFontManagerErrorDomain: CFString = "com.apple.CoreText.CTFontManagerErrorDomain"

    // MARK: - Fonts

    /// A font by its name, which has no effect.
    ///
    /// - Parameter matrix: has no effect.
    public func CTFontCreateWithName(_ name: CFString, _ size: CGFloat, _ matrix: UnsafeRawPointer?) -> CTFont {
        UIFont(name: name as String, size: fontSize(size)) ?? .systemFont(ofSize: fontSize(size))
    }

    /// The font of a file.
    ///
    /// - Parameters:
    ///   - matrix: has no effect.
    ///   - attributes: has no effect.
    public func CTFontCreateWithGraphicsFont(
        _ font: CGFont, _ size: CGFloat, _ matrix: UnsafeRawPointer?, _ attributes: AnyObject?
    ) -> CTFont {
        CTFontCreateWithName(font.postScriptName ?? "", size, matrix)
    }

    /// A font of the system.
    public func CTFontCreateUIFontForLanguage(_ type: CTFontUIFontType, _ size: CGFloat, _ language: CFString?)
        -> CTFont?
    {
        .systemFont(ofSize: fontSize(size))
    }

    /// 12 for 0, as Apple says.
    private func fontSize(_ size: CGFloat) -> CGFloat { size == 0 ? 12 : size }

    /// The size in points.
    public func CTFontGetSize(_ font: CTFont) -> CGFloat { font.pointSize }
    /// Points above the baseline.
    public func CTFontGetAscent(_ font: CTFont) -> CGFloat { font.ascender }
    /// Points below the baseline.
    public func CTFontGetDescent(_ font: CTFont) -> CGFloat { -font.descender }
    /// Points between lines.
    public func CTFontGetLeading(_ font: CTFont) -> CGFloat { 0 }
    /// The name of the font.
    public func CTFontCopyPostScriptName(_ font: CTFont) -> CFString { NSString(string: font.fontName) }
    /// The name of the font.
    public func CTFontCopyFullName(_ font: CTFont) -> CFString { NSString(string: font.fontName) }
    /// The name of the font.
    public func CTFontCopyFamilyName(_ font: CTFont) -> CFString { NSString(string: font.familyName) }

    // MARK: - Registering

    /// Where a function puts its error. The caller releases the error.
    public typealias FontError = UnsafeMutablePointer<Unmanaged<CFError>?>

    /// True if the file is a font: nothing else is done with it.
    @discardableResult
    public func CTFontManagerRegisterFontsForURL(
        _ url: CFURL, _ scope: CTFontManagerScope, _ error: FontError?
    ) -> Bool {
        guard let provider = CGDataProvider(url: url) else { return refuse(101, "there is no such file", error) }
        return CGFont(provider) != nil || refuse(103, "the file is not a font", error)
    }

    /// True if the file is a font.
    @discardableResult
    public func CTFontManagerUnregisterFontsForURL(
        _ url: CFURL, _ scope: CTFontManagerScope, _ error: FontError?
    ) -> Bool {
        CTFontManagerRegisterFontsForURL(url, scope, error)
    }

    /// True: nothing is done.
    @discardableResult
    public func CTFontManagerRegisterGraphicsFont(_ font: CGFont, _ error: FontError?) -> Bool { true }

    /// True: nothing is done.
    @discardableResult
    public func CTFontManagerUnregisterGraphicsFont(_ font: CGFont, _ error: FontError?) -> Bool { true }

    /// Apple's codes: 101 for a missing file, 103 for an unknown format.
    private func refuse(_ code: Int, _ text: String, _ error: FontError?) -> Bool {
        error?.pointee = .passRetained(
            NSError(
                domain: kCTFontManagerErrorDomain as String, code: code, userInfo: [NSLocalizedDescriptionKey: text]))
        return false
    }
#endif
