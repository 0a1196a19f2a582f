#if os(Linux)
    public import Foundation
    import UniformTypeIdentifiers

    // What `UTType` does, with its old names.

    /// The filename extension of a type.
    nonisolated(unsafe) public let kUTTagClassFilenameExtension = "public.filename-extension" as NSString
    /// The MIME type of a type.
    nonisolated(unsafe) public let kUTTagClassMIMEType = "public.mime-type" as NSString

    // swift-format-ignore: AlwaysUseLowerCamelCase
    /// The type of a filename extension or a MIME type; nil for one that is not known here.
    ///
    /// - Parameter conforming: has no effect.
    public func UTTypeCreatePreferredIdentifierForTag(
        _ tagClass: NSString, _ tag: NSString, _ conforming: NSString?
    ) -> Unmanaged<NSString>? {
        let type: UTType? =
            switch tagClass {
            case kUTTagClassFilenameExtension: UTType(filenameExtension: tag as String)
            case kUTTagClassMIMEType: UTType(mimeType: tag as String)
            default: nil
            }
        return type.map { .passRetained($0.identifier as NSString) }
    }

    // swift-format-ignore: AlwaysUseLowerCamelCase
    /// The filename extension or the MIME type of a type.
    public func UTTypeCopyPreferredTagWithClass(_ identifier: NSString, _ tagClass: NSString) -> Unmanaged<NSString>? {
        let type = UTType(identifier as String)
        let tag: String? =
            switch tagClass {
            case kUTTagClassFilenameExtension: type?.preferredFilenameExtension
            case kUTTagClassMIMEType: type?.preferredMIMEType
            default: nil
            }
        return tag.map { .passRetained($0 as NSString) }
    }

    // swift-format-ignore: AlwaysUseLowerCamelCase
    /// True if a type is another one or a kind of it.
    public func UTTypeConformsTo(_ identifier: NSString, _ other: NSString) -> Bool {
        if identifier.isEqual(other) { return true }
        guard let type = UTType(identifier as String), let other = UTType(other as String) else { return false }
        return type.conforms(to: other)
    }
#endif
