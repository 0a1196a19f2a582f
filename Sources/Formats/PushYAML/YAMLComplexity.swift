/// The aliases and the nesting of a YAML text, checked before parsing: hand-written files have few, and many would take the parser very long.
///
/// The parser compares keys by hashing all that is in them, at every level around them. An alias in a key is as large as what it stands for, so
/// a few hundred bytes of aliases of aliases would take for ever. The text is not parsed for this: what only looks like an alias counts, too.
struct YAMLComplexity {
    /// The most aliases in a text. So many can stand for some 100,000 values at most.
    static let maximumAliases = 32
    /// The most brackets around a value.
    static let maximumDepth = 64
    /// The most keys that are written with a question mark, and may be mappings themselves.
    static let maximumComplexKeys = 64

    /// Bytes that were looked at, for tests.
    private(set) var steps = 0
    private var line = 1
    private var lineStart = 0

    /// - Throws: an error at the place where a text exceeds one of the limits.
    mutating func check(_ text: [UInt8]) throws(YAMLError) {
        var aliases = 0
        var depth = 0
        var keys = 0
        var previous = UInt8(ascii: "\n")
        for (index, byte) in text.enumerated() {
            steps += 1
            let next = index + 1 < text.count ? text[index + 1] : UInt8(ascii: "\n")
            switch byte {
            case UInt8(ascii: "*") where Self.mayPrecedeValue(previous) && !Self.endsName(next):
                aliases += 1
                guard aliases <= Self.maximumAliases else {
                    throw error(at: index, "more than \(Self.maximumAliases) aliases; write the values out")
                }
            case UInt8(ascii: "["), UInt8(ascii: "{"):
                depth += 1
                guard depth <= Self.maximumDepth else {
                    throw error(at: index, "more than \(Self.maximumDepth) brackets around a value")
                }
            case UInt8(ascii: "]"), UInt8(ascii: "}"): depth = max(depth - 1, 0)
            case UInt8(ascii: "?") where Self.mayPrecedeValue(previous) && Self.isBlank(next):
                keys += 1
                guard keys <= Self.maximumComplexKeys else {
                    throw error(at: index, "more than \(Self.maximumComplexKeys) keys with a question mark")
                }
            case UInt8(ascii: "\n"):
                line += 1
                lineStart = index + 1
            default: break
            }
            previous = byte
        }
    }

    private func error(at index: Int, _ message: String) -> YAMLError {
        YAMLError(line: line, column: index - lineStart + 1, message: message)
    }

    private static func isBlank(_ byte: UInt8) -> Bool {
        byte == UInt8(ascii: " ") || byte == UInt8(ascii: "\t") || byte == UInt8(ascii: "\n")
            || byte == UInt8(ascii: "\r")
    }

    private static func mayPrecedeValue(_ byte: UInt8) -> Bool {
        isBlank(byte) || "[{,:".utf8.contains(byte)
    }

    private static func endsName(_ byte: UInt8) -> Bool { isBlank(byte) || "*./,]}".utf8.contains(byte) }
}
