#if os(Linux)
    public import Foundation

    /// Where Core Graphics reads bytes.
    public final class CGDataProvider: @unchecked Sendable {
        // Unchecked: the data is immutable.
        /// The bytes.
        public let data: NSData?

        /// Of memory.
        public init?(data: NSData) { self.data = NSData(data: Data(referencing: data)) }

        /// Of a file; nil if it cannot be read.
        public init?(url: NSURL) {
            guard let path = url.path, let data = FileManager.default.contents(atPath: path) else { return nil }
            self.data = NSData(data: data)
        }

        /// Of a file; nil if it cannot be read.
        public convenience init?(filename: UnsafePointer<CChar>) {
            self.init(url: NSURL(fileURLWithPath: String(cString: filename)))
        }
    }

    /// A font file. Its name is read; there are no glyphs here.
    public final class CGFont: NSObject, @unchecked Sendable {
        // Unchecked: the strings are immutable.
        /// The name by which the system knows the font.
        public let postScriptName: NSString?
        /// The name for people.
        public let fullName: NSString?

        /// Reads TrueType and OpenType; nil for anything else.
        public init?(_ provider: CGDataProvider) {
            guard let data = provider.data, let names = FontNames([UInt8](Data(referencing: data))) else { return nil }
            postScriptName = names.postScript.map { NSString(string: $0) }
            fullName = names.full.map { NSString(string: $0) }
        }

        /// A font by its name, which has no effect.
        public init?(_ name: NSString) {
            postScriptName = name
            fullName = name
        }
    }

    /// The table `name` of a font file. Source: Microsoft, "OpenType specification", chapters "OpenType font file" and "name".
    struct FontNames {
        private(set) var full: String?
        private(set) var postScript: String?

        /// Nil if the bytes do not begin as a font does.
        init?(_ bytes: [UInt8]) {
            func number(_ place: Int, _ count: Int) -> Int? {
                guard place >= 0, place + count <= bytes.count else { return nil }
                return bytes[place..<place + count].reduce(0) { $0 << 8 | Int($1) }
            }
            // TrueType, OpenType with CFF, and Apple's TrueType.
            guard let kind = number(0, 4), [0x0001_0000, 0x4F54_544F, 0x7472_7565].contains(kind),
                let tables = number(4, 2)
            else { return nil }
            let entry = (0..<tables).lazy.map { 12 + $0 * 16 }.first { number($0, 4) == 0x6E61_6D65 }
            guard let entry, let table = number(entry + 8, 4), let count = number(table + 2, 2),
                let texts = number(table + 4, 2)
            else { return }
            for record in (0..<count).map({ table + 6 + $0 * 12 }) {
                guard let platform = number(record, 2), let name = number(record + 6, 2), name == 4 || name == 6,
                    let length = number(record + 8, 2), let offset = number(record + 10, 2)
                else { continue }
                let start = table + texts + offset
                guard start + length <= bytes.count else { continue }
                // Macintosh's platform has one byte for a character of these names, the others have UTF-16.
                let encoding: String.Encoding = platform == 1 ? .macOSRoman : .utf16BigEndian
                guard let text = String(bytes: bytes[start..<start + length], encoding: encoding) else { continue }
                if name == 4 { full = full ?? text } else { postScript = postScript ?? text }
            }
        }
    }
#endif
