#if os(Linux)
    public import Foundation

    // swift-format-ignore: AlwaysUseLowerCamelCase
    /// Option: a `String` with the uniform type identifier of the file, instead of its extension.
    public let UNNotificationAttachmentOptionsTypeHintKey = "UNNotificationAttachmentOptionsTypeHintKey"

    // swift-format-ignore: AlwaysUseLowerCamelCase
    /// Option: a boolean number that hides the thumbnail.
    public let UNNotificationAttachmentOptionsThumbnailHiddenKey = "UNNotificationAttachmentOptionsThumbnailHiddenKey"

    // swift-format-ignore: AlwaysUseLowerCamelCase
    /// Option: the dictionary of a rectangle in the unit square, the part of the picture for the thumbnail.
    public let UNNotificationAttachmentOptionsThumbnailClippingRectKey =
        "UNNotificationAttachmentOptionsThumbnailClippingRectKey"

    // swift-format-ignore: AlwaysUseLowerCamelCase
    /// Option: the frame of an animation, or the time in a movie, for the thumbnail.
    public let UNNotificationAttachmentOptionsThumbnailTimeKey = "UNNotificationAttachmentOptionsThumbnailTimeKey"

    /// A picture, a sound or a movie that a notification shows. Does not change once made.
    open class UNNotificationAttachment: NSObject, NSCopying, @unchecked Sendable {
        /// The app's identifier, or a generated one.
        public let identifier: String
        /// The file.
        public let url: URL
        /// Uniform type identifier of the file.
        public let type: String
        /// The options it was made with, for the host.
        package let options: [AnyHashable: Any]

        /// Makes an attachment of a file, which stays where it is until the notification is scheduled or the extension has
        /// finished; then the host moves it.
        ///
        /// The type comes from the hint in the options, else from the extension of the file's name. The first bytes of the file
        /// have to be those of a format of that kind: a PNG file named as a JPEG is accepted, because it can be shown.
        ///
        /// - Parameters:
        ///   - identifier: an empty one stands for a generated identifier.
        ///   - url: a file.
        ///   - options: values for keys such as `UNNotificationAttachmentOptionsTypeHintKey`: an identifier, or a `UTType`.
        /// - Throws: `UNError.attachmentInvalidURL` when the URL names no file that can be read, `attachmentUnrecognizedType` when
        ///   the type is unknown or the bytes are those of another kind, `attachmentInvalidFileSize` when the file is over the
        ///   limit (image 10 MiB, audio 5, movie 50), and `attachmentCorrupt` when the bytes are of no known format.
        public init(identifier: String, url: URL, options: [AnyHashable: Any]? = nil) throws {
            self.identifier = identifier.isEmpty ? UUID().uuidString : identifier
            self.url = url
            let hintKey = UNNotificationAttachmentOptionsTypeHintKey
            // A UTType is as good as its identifier, which is its description.
            let hint = options?[hintKey].map { ($0 as? String) ?? String(describing: $0) }
            var options = options ?? [:]
            if let hint { options[hintKey] = hint }
            self.options = options
            type = try Self.checkedType(of: url, hint: hint)
            super.init()
        }

        /// Makes an attachment of a file that was checked before.
        package init(checkedIdentifier identifier: String, url: URL, type: String, options: [AnyHashable: Any] = [:]) {
            self.identifier = identifier
            self.url = url
            self.type = type
            self.options = options
            super.init()
        }

        /// The attachment with a new path, for the host that has moved its file.
        package func moved(to url: URL) -> UNNotificationAttachment {
            UNNotificationAttachment(checkedIdentifier: identifier, url: url, type: type, options: options)
        }

        private static func checkedType(of url: URL, hint: String?) throws -> String {
            let file = url.resolvingSymlinksInPath()
            // Only a regular file: reading from a pipe could block forever.
            guard url.isFileURL, let attributes = try? FileManager.default.attributesOfItem(atPath: file.path),
                attributes[.type] as? FileAttributeType == .typeRegular, let size = attributes[.size] as? NSNumber,
                let handle = try? FileHandle(forReadingFrom: file)
            else { throw UNError(.attachmentInvalidURL, userInfo: [NSURLErrorKey: url]) }
            defer { try? handle.close() }

            let known = hint.map(AttachmentType.named) ?? .forExtension(url.pathExtension)
            guard let type = known else { throw UNError(.attachmentUnrecognizedType) }
            guard size.intValue <= type.kind.byteLimit else { throw UNError(.attachmentInvalidFileSize) }

            guard let head = try? handle.read(upToCount: FileSignature.headLength).map(Array.init) else {
                throw UNError(.attachmentCorrupt)
            }
            let kinds = AttachmentType.all.filter { $0.matches(head) }.map(\.kind)
            if kinds.isEmpty { throw UNError(.attachmentCorrupt) }
            guard kinds.contains(type.kind) else { throw UNError(.attachmentUnrecognizedType) }
            return type.identifier
        }

        // MARK: Copies, equality, archives

        open func copy(with zone: NSZone? = nil) -> Any { self }

        open override func isEqual(_ object: Any?) -> Bool {
            guard let other = object as? UNNotificationAttachment else { return false }
            return other.identifier == identifier && other.url == url && other.type == type
                && (other.options as NSDictionary).isEqual(options as NSDictionary)
        }

        open override var hash: Int { identifier.hashValue }

        open override var description: String {
            describe(self, ["identifier: \(identifier)", "url: \(url.absoluteString)", "type: \(type)"])
        }
    }
#endif
