#if os(Linux)
    public import Foundation

    /// Allocates memory. There is only the one of Swift.
    public typealias CFAllocator = NSObject

    // swift-format-ignore: AlwaysUseLowerCamelCase
    /// The usual one.
    public nonisolated(unsafe) let kCFAllocatorDefault: CFAllocator? = nil

    /// A part of a string or an array.
    public struct CFRange: Hashable, Sendable {
        /// Where it begins.
        public var location: CFIndex
        /// How long it is.
        public var length: CFIndex
        /// A part.
        public init(location: CFIndex, length: CFIndex) {
            self.location = location
            self.length = length
        }
    }

    // swift-format-ignore: AlwaysUseLowerCamelCase
    /// A part.
    public func CFRangeMake(_ location: CFIndex, _ length: CFIndex) -> CFRange {
        CFRange(location: location, length: length)
    }

    /// An identifier.
    public final class CFUUID: NSObject, Sendable {
        let value: UUID

        init(_ value: UUID) { self.value = value }
    }

    // swift-format-ignore: AlwaysUseLowerCamelCase, NeverUseImplicitlyUnwrappedOptionals
    /// A new identifier.
    public func CFUUIDCreate(_ allocator: CFAllocator?) -> CFUUID! { CFUUID(UUID()) }
    // swift-format-ignore: AlwaysUseLowerCamelCase, NeverUseImplicitlyUnwrappedOptionals
    /// An identifier as text.
    public func CFUUIDCreateString(_ allocator: CFAllocator?, _ uuid: CFUUID!) -> CFString! {
        (uuid?.value.uuidString).map { NSString(string: $0) }
    }

    // swift-format-ignore: AlwaysUseLowerCamelCase, NeverUseImplicitlyUnwrappedOptionals
    /// To Latin letters.
    public nonisolated(unsafe) let kCFStringTransformToLatin: CFString! = "Any-Latin"
    // swift-format-ignore: AlwaysUseLowerCamelCase, NeverUseImplicitlyUnwrappedOptionals
    /// Without diacritics.
    public nonisolated(unsafe) let kCFStringTransformStripDiacritics: CFString! = "NFD; [:Mn:] Remove; NFC"
    // swift-format-ignore: AlwaysUseLowerCamelCase, NeverUseImplicitlyUnwrappedOptionals
    /// Without combining marks.
    public nonisolated(unsafe) let kCFStringTransformStripCombiningMarks: CFString! = "NFD; [:Mn:] Remove; NFC"

    // swift-format-ignore: AlwaysUseLowerCamelCase, NeverUseImplicitlyUnwrappedOptionals
    /// Changes the letters of a text, by a transform of ICU. False if there is no such transform.
    @discardableResult
    public func CFStringTransform(
        _ string: CFMutableString!, _ range: UnsafeMutablePointer<CFRange>?, _ transform: CFString!, _ reverse: Bool
    ) -> Bool {
        guard let string, let transform else { return false }
        let name = StringTransform(rawValue: String(transform))
        guard let changed = String(string).applyingTransform(name, reverse: reverse) else { return false }
        string.setString(changed)
        return true
    }
#endif
