/// White space as the official parsers trim it: Unicode white space and the four ASCII separators, which the official
/// parsers in Java and Python treat as white space although Unicode does not.
enum WhiteSpace {
    /// Number of bytes of the white space that begins at an index, or 0 when there is none.
    @inline(__always)
    static func length(in bytes: ArraySlice<UInt8>, at index: Int) -> Int {
        let byte = bytes[index]
        if byte < 0x80 { return isASCII(byte) ? 1 : 0 }
        return longLength(in: bytes, at: index)
    }

    @inline(__always)
    private static func isASCII(_ byte: UInt8) -> Bool {
        byte == 0x20 || (0x09...0x0D).contains(byte) || (0x1C...0x1F).contains(byte)
    }

    private static func longLength(in bytes: ArraySlice<UInt8>, at index: Int) -> Int {
        func next(_ distance: Int) -> UInt8 {
            index + distance < bytes.endIndex ? bytes[index + distance] : 0
        }
        switch (bytes[index], next(1), next(2)) {
        case (0xC2, 0x85, _), (0xC2, 0xA0, _): return 2  // U+0085, U+00A0
        case (0xE1, 0x9A, 0x80): return 3  // U+1680
        case (0xE2, 0x80, 0x80...0x8A), (0xE2, 0x80, 0xA8), (0xE2, 0x80, 0xA9), (0xE2, 0x80, 0xAF):
            return 3  // U+2000 to U+200A, U+2028, U+2029, U+202F
        case (0xE2, 0x81, 0x9F): return 3  // U+205F
        case (0xE3, 0x80, 0x80): return 3  // U+3000
        default: return 0
        }
    }

    /// Number of bytes of the white space that ends before an index, or 0 when there is none.
    private static func length(in bytes: ArraySlice<UInt8>, before index: Int) -> Int {
        for length in 1...3 where index - length >= bytes.startIndex {
            if Self.length(in: bytes, at: index - length) == length { return length }
        }
        return 0
    }

    /// - Parameter stopsAtNewline: stops at a newline and keeps it. For cells, in which `\n` stands for a newline.
    static func trimmingStart(_ bytes: ArraySlice<UInt8>, stopsAtNewline: Bool = false) -> ArraySlice<UInt8> {
        var index = bytes.startIndex
        while index < bytes.endIndex, !(stopsAtNewline && bytes[index] == 0x0A) {
            let length = length(in: bytes, at: index)
            if length == 0 { break }
            index += length
        }
        return bytes[index...]
    }

    static func trimmingEnd(_ bytes: ArraySlice<UInt8>, stopsAtNewline: Bool = false) -> ArraySlice<UInt8> {
        var end = bytes.endIndex
        while end > bytes.startIndex, !(stopsAtNewline && bytes[end - 1] == 0x0A) {
            let length = length(in: bytes, before: end)
            if length == 0 { break }
            end -= length
        }
        return bytes[..<end]
    }

    static func trimming(_ bytes: ArraySlice<UInt8>) -> ArraySlice<UInt8> { trimmingEnd(trimmingStart(bytes)) }
}

extension ArraySlice<UInt8> {
    /// Number of code points, counted by their first bytes.
    var codePoints: Int { count { $0 & 0xC0 != 0x80 } }

    /// Drops that many code points, or all if there are fewer.
    func droppingCodePoints(_ number: Int) -> ArraySlice<UInt8> {
        var index = startIndex
        for _ in 0..<number where index < endIndex {
            index += 1
            while index < endIndex, self[index] & 0xC0 == 0x80 { index += 1 }
        }
        return self[index...]
    }

    var text: String { String(decoding: self, as: UTF8.self) }
}
