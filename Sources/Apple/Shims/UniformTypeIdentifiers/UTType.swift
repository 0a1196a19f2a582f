// The names are Apple's, who documents them: a comment says only what is different here.
// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation

#if os(Linux)
    public import Foundation

    /// A file type, as Apple's `UTType`: those that notifications attach.
    public struct UTType: Hashable, Sendable, CustomStringConvertible {
        /// Such as `public.jpeg`.
        public let identifier: String
        /// Such as `jpeg`; nil for types that are only groups of others.
        public let preferredFilenameExtension: String?
        /// Such as `image/jpeg`.
        public let preferredMIMEType: String?

        private init(_ identifier: String, _ filenameExtension: String?, _ mimeType: String?) {
            self.identifier = identifier
            preferredFilenameExtension = filenameExtension
            preferredMIMEType = mimeType
        }

        /// The type with this identifier; nil if it is not known here.
        public init?(_ identifier: String) {
            guard let known = Self.all.first(where: { $0.identifier == identifier }) else { return nil }
            self = known
        }

        /// The type of files with this extension; nil if it is no kind of the other.
        public init?(filenameExtension: String, conformingTo supertype: UTType? = nil) {
            let name = filenameExtension.lowercased()
            let synonyms = ["jpg": "jpeg", "jpe": "jpeg", "aif": "aiff", "mpg": "mpeg", "m4v": "mp4", "htm": "html"]
            guard let known = Self.all.first(where: { $0.preferredFilenameExtension == synonyms[name] ?? name }),
                supertype.map(known.conforms) ?? true
            else { return nil }
            self = known
        }

        /// The type with this MIME type; nil if it is no kind of the other. Parameters such as a charset are ignored.
        public init?(mimeType: String, conformingTo supertype: UTType? = nil) {
            let name = mimeType.split(separator: ";").first.map { $0.trimmingCharacters(in: .whitespaces).lowercased() }
            let synonyms = ["image/jpg": "image/jpeg", "audio/x-wav": "audio/wav", "audio/mp3": "audio/mpeg"]
            guard let name, let known = Self.all.first(where: { $0.preferredMIMEType == synonyms[name] ?? name }),
                supertype.map(known.conforms) ?? true
            else { return nil }
            self = known
        }

        /// True if files of this type are also of the other.
        public func conforms(to type: UTType) -> Bool {
            if self == type || type == .data || type == .item { return true }
            switch type {
            case .image: return [.jpeg, .png, .gif, .heic, .webP, .tiff, .bmp, .svg].contains(self)
            case .audiovisualContent: return conforms(to: .audio) || conforms(to: .movie) || self == .video
            case .text: return [.plainText, .html, .json].contains(self)
            case .audio: return [.mp3, .wav, .aiff, .mpeg4Audio].contains(self)
            case .movie: return [.mpeg, .mpeg4Movie, .quickTimeMovie, .avi].contains(self)
            default: return false
            }
        }

        public var description: String { identifier }

        public static let item = UTType("public.item", nil, nil)
        public static let data = UTType("public.data", nil, "application/octet-stream")
        public static let image = UTType("public.image", nil, nil)
        public static let audio = UTType("public.audio", nil, nil)
        public static let movie = UTType("public.movie", nil, nil)
        public static let jpeg = UTType("public.jpeg", "jpeg", "image/jpeg")
        public static let png = UTType("public.png", "png", "image/png")
        public static let gif = UTType("com.compuserve.gif", "gif", "image/gif")
        public static let heic = UTType("public.heic", "heic", "image/heic")
        public static let webP = UTType("org.webmproject.webp", "webp", "image/webp")
        public static let mp3 = UTType("public.mp3", "mp3", "audio/mpeg")
        public static let wav = UTType("com.microsoft.waveform-audio", "wav", "audio/wav")
        public static let aiff = UTType("public.aiff-audio", "aiff", "audio/aiff")
        public static let mpeg4Audio = UTType("public.mpeg-4-audio", "m4a", "audio/mp4")
        public static let mpeg = UTType("public.mpeg", "mpeg", "video/mpeg")
        public static let mpeg4Movie = UTType("public.mpeg-4", "mp4", "video/mp4")
        public static let quickTimeMovie = UTType("com.apple.quicktime-movie", "mov", "video/quicktime")
        public static let avi = UTType("public.avi", "avi", "video/avi")
        public static let json = UTType("public.json", "json", "application/json")
        public static let plainText = UTType("public.plain-text", "txt", "text/plain")
        public static let html = UTType("public.html", "html", "text/html")
        public static let pdf = UTType("com.adobe.pdf", "pdf", "application/pdf")

        public static let video = UTType("public.video", nil, nil)
        public static let audiovisualContent = UTType("public.audiovisual-content", nil, nil)
        public static let text = UTType("public.text", nil, nil)
        public static let url = UTType("public.url", nil, nil)
        public static let tiff = UTType("public.tiff", "tiff", "image/tiff")
        public static let bmp = UTType("com.microsoft.bmp", "bmp", "image/bmp")
        public static let svg = UTType("public.svg-image", "svg", "image/svg+xml")

        private static let all: [UTType] = [
            video, audiovisualContent, text, url, tiff, bmp, svg,
            item, data, image, audio, movie, jpeg, png, gif, heic, webP, mp3, wav, aiff, mpeg4Audio, mpeg, mpeg4Movie,
            quickTimeMovie, avi, json, plainText, html, pdf,
        ]
    }

    /// The kind of a tag.
    public struct UTTagClass: RawRepresentable, Hashable, Sendable {
        public let rawValue: String
        public init(rawValue: String) { self.rawValue = rawValue }
        public static let filenameExtension = UTTagClass(rawValue: "public.filename-extension")
        public static let mimeType = UTTagClass(rawValue: "public.mime-type")
    }

    extension UTType {
        /// The type with a tag; nil if it is no kind of the other.
        public init?(tag: String, tagClass: UTTagClass, conformingTo supertype: UTType?) {
            let type = tagClass == .mimeType ? UTType(mimeType: tag) : UTType(filenameExtension: tag)
            guard let type, supertype.map(type.conforms) ?? true else { return nil }
            self = type
        }

        public var tags: [UTTagClass: [String]] {
            [.filenameExtension: preferredFilenameExtension, .mimeType: preferredMIMEType]
                .compactMapValues { $0.map { [$0] } }
        }
    }

    extension URL {
        /// The URL with a component that ends with the type's filename extension, unless the component has it already.
        public func appendingPathComponent(_ component: String, conformingTo type: UTType) -> URL {
            let url = appendingPathComponent(component)
            return UTType(filenameExtension: url.pathExtension) == type ? url : url.appendingPathExtension(for: type)
        }

        /// The URL with the type's filename extension, if it has one.
        public func appendingPathExtension(for type: UTType) -> URL {
            type.preferredFilenameExtension.map { appendingPathExtension($0) } ?? self
        }
    }
#endif
