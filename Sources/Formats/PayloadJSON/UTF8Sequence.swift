/// Well-formed UTF-8 by Unicode's table 3-7: no overlong forms, no surrogates, nothing above U+10FFFF.
package enum UTF8Sequence {
    /// The length, 1 to 4, of the well-formed sequence at the beginning of `bytes`; nil when there is none.
    @inlinable
    package static func length(_ bytes: UnsafeRawBufferPointer) -> Int? {
        // SOUND: there is at least one byte.
        guard let base = bytes.baseAddress, bytes.count > 0 else { return nil }
        if unsafe bytes[0] < 0x80 { return 1 }
        let length = unsafe multiByteLength(base.assumingMemoryBound(to: UInt8.self), available: bytes.count)
        return length == 0 ? nil : length
    }

    /// The length, 2 to 4, of the well-formed sequence at `p`, whose first byte is not ASCII; 0 when it is ill-formed.
    ///
    /// Reads at most `available` bytes, which is at least 1.
    @inlinable
    @inline(__always)
    package static func multiByteLength(_ p: UnsafePointer<UInt8>, available: Int) -> Int {
        // SOUND: `available`, at least 1, is compared before each further byte is read.
        let first = unsafe p[0]
        if first < 0xC2 { return 0 }
        if first < 0xE0 {
            return unsafe available >= 2 && isContinuation(p[1]) ? 2 : 0
        }
        if first < 0xF0 {
            guard available >= 3, unsafe isContinuation(p[1]), unsafe isContinuation(p[2]) else { return 0 }
            if unsafe first == 0xE0 && p[1] < 0xA0 { return 0 }  // overlong
            if unsafe first == 0xED && p[1] >= 0xA0 { return 0 }  // surrogate
            return 3
        }
        guard first < 0xF5, available >= 4, unsafe isContinuation(p[1]), unsafe isContinuation(p[2]),
            unsafe isContinuation(p[3])
        else {
            return 0
        }
        if unsafe first == 0xF0 && p[1] < 0x90 { return 0 }  // overlong
        if unsafe first == 0xF4 && p[1] >= 0x90 { return 0 }  // above U+10FFFF
        return 4
    }

    @inlinable
    @inline(__always)
    package static func isContinuation(_ byte: UInt8) -> Bool { byte & 0xC0 == 0x80 }

    /// The scalar at the beginning of `bytes`; nil when the bytes are ill-formed.
    package static func decode(_ bytes: UnsafeRawBufferPointer) -> Unicode.Scalar? {
        // SOUND: reads at most four bytes, which the prefix bounds.
        var rest = unsafe bytes.prefix(4).makeIterator()
        var decoder = UTF8()
        if case .scalarValue(let scalar) = unsafe decoder.decode(&rest) { return scalar }
        return nil
    }
}
