// The names are Apple's.
// swift-format-ignore-file: AlwaysUseLowerCamelCase

#if os(Linux)
    public import Foundation

    /// Option: a `String` with the uniform type identifier of the file, instead of its extension.
    public let UNNotificationAttachmentOptionsTypeHintKey = "UNNotificationAttachmentOptionsTypeHintKey"

    /// Option: a boolean number that hides the thumbnail.
    public let UNNotificationAttachmentOptionsThumbnailHiddenKey = "UNNotificationAttachmentOptionsThumbnailHiddenKey"

    /// Option: the dictionary of a rectangle in the unit square, the part of the picture for the thumbnail.
    public let UNNotificationAttachmentOptionsThumbnailClippingRectKey =
        "UNNotificationAttachmentOptionsThumbnailClippingRectKey"

    /// Option: the frame of an animation, or the time in a movie, for the thumbnail.
    public let UNNotificationAttachmentOptionsThumbnailTimeKey = "UNNotificationAttachmentOptionsThumbnailTimeKey"

    /// A picture, a sound or a movie that a notification shows. Does not change once made.
    open class UNNotificationAttachment: ImmutableObject, @unchecked Sendable {
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

        // MARK: - Comparing and printing

        @_spi(Overlay) open override var comparedValues: [AnyHashable?] {
            [identifier, url, type, options as NSDictionary]
        }

        open override var description: String {
            describe(self, ["identifier: \(identifier)", "url: \(url.absoluteString)", "type: \(type)"])
        }
    }

    /// A type of file that a notification can show: a row of the table below.
    struct AttachmentType {
        /// The kinds of files, and how large they may be.
        enum Kind {
            case image
            case audio
            case movie

            /// The largest file, in bytes.
            var byteLimit: Int {
                switch self {
                case .image: 10 * 1024 * 1024  // 10 MiB
                case .audio: 5 * 1024 * 1024  // 5 MiB
                case .movie: 50 * 1024 * 1024  // 50 MiB
                }
            }
        }

        /// Uniform type identifier.
        let identifier: String
        let kind: Kind
        /// Extensions of file names, lower case.
        let extensions: [String]
        /// The possible first bytes of such a file.
        let signatures: [FileSignature]

        /// The formats that Apple's documentation lists.
        static let all = [
            AttachmentType(
                identifier: "public.jpeg", kind: .image, extensions: ["jpg", "jpeg", "jpe"],
                signatures: [.bytes([0xFF, 0xD8, 0xFF])]),
            AttachmentType(
                identifier: "com.compuserve.gif", kind: .image, extensions: ["gif"],
                signatures: [.text("GIF87a"), .text("GIF89a")]),
            AttachmentType(
                identifier: "public.png", kind: .image, extensions: ["png"],
                signatures: [.bytes([0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A])]),
            AttachmentType(
                identifier: "public.aiff-audio", kind: .audio, extensions: ["aiff", "aif"],
                signatures: [.chunk("FORM", form: "AIFF"), .chunk("FORM", form: "AIFC")]),
            AttachmentType(
                identifier: "public.aifc-audio", kind: .audio, extensions: ["aifc"],
                signatures: [.chunk("FORM", form: "AIFC")]),
            AttachmentType(
                identifier: "com.microsoft.waveform-audio", kind: .audio, extensions: ["wav", "wave"],
                signatures: [.chunk("RIFF", form: "WAVE")]),
            AttachmentType(
                identifier: "public.mp3", kind: .audio, extensions: ["mp3"],
                signatures: [
                    .text("ID3"), .bytes([0xFF, 0xFB]), .bytes([0xFF, 0xFA]), .bytes([0xFF, 0xF3]),
                    .bytes([0xFF, 0xF2]),
                    .bytes([0xFF, 0xE3]), .bytes([0xFF, 0xE2]),
                ]),
            AttachmentType(
                identifier: "public.mpeg-4-audio", kind: .audio, extensions: [], signatures: [.text("ftyp", at: 4)]),
            AttachmentType(
                identifier: "com.apple.m4a-audio", kind: .audio, extensions: ["m4a"], signatures: [.text("ftyp", at: 4)]
            ),
            AttachmentType(
                identifier: "public.mpeg", kind: .movie, extensions: ["mpg", "mpeg", "m75", "m15"],
                signatures: [.bytes([0, 0, 1, 0xBA]), .bytes([0, 0, 1, 0xB3])]),
            AttachmentType(
                identifier: "public.mpeg-2-video", kind: .movie, extensions: ["m2v"],
                signatures: [.bytes([0, 0, 1, 0xBA]), .bytes([0, 0, 1, 0xB3])]),
            AttachmentType(
                identifier: "public.mpeg-4", kind: .movie, extensions: ["mp4"], signatures: [.text("ftyp", at: 4)]),
            AttachmentType(
                identifier: "public.avi", kind: .movie, extensions: ["avi"], signatures: [.chunk("RIFF", form: "AVI ")]),
        ]

        /// The type of an identifier; nil when such a file cannot be shown.
        static func named(_ identifier: String) -> AttachmentType? {
            all.first { $0.identifier == identifier }
        }

        /// The type of an extension of a file's name, in any case; nil when such a file cannot be shown.
        static func forExtension(_ name: String) -> AttachmentType? {
            let name = name.lowercased()
            return all.first { $0.extensions.contains(name) }
        }

        /// True if a file that begins with these bytes can be of the type.
        func matches(_ head: [UInt8]) -> Bool {
            signatures.contains { $0.matches(head) }
        }
    }

    /// Bytes that identify a file format, and their offset.
    struct FileSignature {
        /// The number of bytes that the longest signature needs.
        static let headLength = 12

        private let parts: [(offset: Int, bytes: [UInt8])]

        static func bytes(_ bytes: [UInt8]) -> FileSignature {
            FileSignature(parts: [(0, bytes)])
        }

        static func text(_ text: String, at offset: Int = 0) -> FileSignature {
            FileSignature(parts: [(offset, Array(text.utf8))])
        }

        /// A container of chunks: its name, four bytes of length, then its contents.
        static func chunk(_ name: String, form: String) -> FileSignature {
            FileSignature(parts: [(0, Array(name.utf8)), (8, Array(form.utf8))])
        }

        func matches(_ head: [UInt8]) -> Bool {
            parts.allSatisfy { head.dropFirst($0.offset).starts(with: $0.bytes) }
        }
    }
#endif
