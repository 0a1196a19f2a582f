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

        /// Returns the same object, because it is immutable.
        open func copy(with zone: NSZone? = nil) -> Any { self }

        /// Whether the other object is a picture from the same source.
        open override func isEqual(_ object: Any?) -> Bool { (object as? INImage)?.source == source }

        /// A hash of the source.
        open override var hash: Int { source.hashValue }
    }
#endif
