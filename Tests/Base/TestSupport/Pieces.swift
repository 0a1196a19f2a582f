/// Sizes that let an input arrive byte by byte.
package func byteByByte(_ bytes: [UInt8]) -> [Int] { Array(repeating: 1, count: bytes.count) }

/// Bytes in readable form that can be pasted into a test: ASCII unchanged, all others as `\xNN`.
package func readable(_ bytes: some Sequence<UInt8>) -> String {
    bytes.map { byte in
        if byte >= 0x20, byte < 0x7F { return String(Character(Unicode.Scalar(byte))) }
        return "\\x" + (byte < 16 ? "0" : "") + String(byte, radix: 16)
    }.joined()
}

extension SeededGenerator {
    /// Sizes of pieces that make up `count` bytes: many short ones, some longer.
    package mutating func pieces(_ count: Int, longest: Int = 40) -> [Int] {
        var sizes: [Int] = []
        var sum = 0
        while sum < count {
            let size = 1 + below(below(2) == 0 ? 3 : longest)
            sizes.append(size)
            sum += size
        }
        return sizes
    }
}
