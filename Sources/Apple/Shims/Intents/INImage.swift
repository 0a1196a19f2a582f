#if os(Linux)
    public import Foundation

    /// A picture of a person or a group. Immutable; nothing is loaded here.
    open class INImage: NSObject, NSCopying, @unchecked Sendable {
        /// Where the picture comes from.
        package enum Source: Hashable, Sendable {
            case name(String)
            case symbol(String)
            case data(Data)
            case url(URL, width: Double?, height: Double?)
        }

        /// Where the picture comes from, for the host.
        package let source: Source

        private init(source: Source) {
            self.source = source
            super.init()
        }

        /// The picture of this name in the app's bundle.
        public convenience init(named name: String) { self.init(source: .name(name)) }

        /// A picture in memory.
        public convenience init(imageData: Data) { self.init(source: .data(imageData)) }

        /// The picture at an address.
        public convenience init?(url: URL) { self.init(source: .url(url, width: nil, height: nil)) }

        /// The picture at an address, of a size in points.
        public convenience init?(url: URL, width: Double, height: Double) {
            self.init(source: .url(url, width: width, height: height))
        }

        /// One of the system's symbols.
        public class func systemImageNamed(_ name: String) -> INImage { INImage(source: .symbol(name)) }

        /// The largest picture that a notification shows, in bytes. A device scales it down; here it is passed on as it is.
        static let maximumBytes = 256 * 1024  // 256 KiB

        /// The picture as a data URL: in memory, in a file, or in the main bundle. Nil for one of the network, as a device does not load it
        /// for a notification, for a symbol, and for what is no PNG, JPEG, GIF or WebP picture or larger than `maximumBytes`.
        var dataURL: String? {
            let data: Data? =
                switch source {
                case .data(let data): data
                case .url(let url, _, _): url.isFileURL ? Self.contents(of: url) : nil
                case .name(let name): Self.file(named: name).flatMap(Self.contents)
                case .symbol: nil
                }
            guard let data, data.count <= Self.maximumBytes, let type = Self.type(of: data) else { return nil }
            return "data:image/\(type);base64," + data.base64EncodedString()
        }

        /// A file that is not too large.
        private static func contents(of url: URL) -> Data? {
            guard let file = try? FileHandle(forReadingFrom: url) else { return nil }
            defer { try? file.close() }
            return try? file.read(upToCount: maximumBytes + 1)
        }

        /// A picture of the main bundle. Asset catalogs are not compiled here, so theirs are missing.
        private static func file(named name: String) -> URL? {
            for type in ["", "png", "jpg", "jpeg"] {
                for scale in ["", "@2x", "@3x"] {
                    let found = Bundle.main.url(forResource: name + scale, withExtension: type.isEmpty ? nil : type)
                    if let found { return found }
                }
            }
            return nil
        }

        /// The format of a picture, as in its media type.
        private static func type(of data: Data) -> String? {
            if data.starts(with: [0x89, 0x50, 0x4E, 0x47]) { return "png" }
            if data.starts(with: [0xFF, 0xD8, 0xFF]) { return "jpeg" }
            if data.starts(with: Data("GIF8".utf8)) { return "gif" }
            let isWebP = data.starts(with: Data("RIFF".utf8)) && data.dropFirst(8).starts(with: Data("WEBP".utf8))
            return isWebP ? "webp" : nil
        }

        /// Returns the same object, because it is immutable.
        open func copy(with zone: NSZone? = nil) -> Any { self }

        /// True if the other object is a picture from the same source.
        open override func isEqual(_ object: Any?) -> Bool { (object as? INImage)?.source == source }

        /// A hash of the source.
        open override var hash: Int { source.hashValue }
    }
#endif
