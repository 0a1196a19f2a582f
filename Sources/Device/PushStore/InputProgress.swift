/// How much of a file has been processed. Stored together with the results, in the same transaction, so that an
/// interrupted run can be resumed.
package struct InputProgress: Sendable, Equatable {
    /// The file, by its absolute path.
    package var path: String
    /// Bytes that have been processed.
    package var offset: UInt64 = 0
    /// Digest of those bytes.
    package var digest = InputDigest()
    /// The framing of its records, as detected.
    package var framing = ""
    /// Records of the run so far, including those of earlier files: a clock that counts records continues.
    package var records: UInt64 = 0
    /// Records of the file so far.
    package var fileRecords: UInt64 = 0
    /// Milliseconds by which events have advanced the run's clock.
    package var clockOffset: Int64 = 0
    /// True if the bytes at `offset` are the rest of a record over the size limit.
    package var isDropping = false

    /// Stands for the path of what is not a file, and is resumed by the offsets in its records.
    package static let streams = "-"

    package init(path: String) { self.path = path }
}

/// A 64-bit digest that detects changed bytes, independent of how they are split into updates. It protects against
/// mistakes, not against attacks.
package struct InputDigest: Sendable, Equatable {
    private static let factor: UInt64 = 0x9E37_79B9_7F4A_7C15

    private var state: UInt64
    /// Bytes of an incomplete word, the first one lowest.
    private var rest: UInt64
    private var restCount: Int

    package init() {
        state = 0xCBF2_9CE4_8422_2325
        rest = 0
        restCount = 0
    }

    /// Adds bytes, eight at a time. O(count).
    package mutating func update(_ bytes: UnsafeRawBufferPointer) {
        // SOUND: `index` stays below `bytes.count`, and a load of 8 bytes is made only when 8 are left.
        var index = 0
        while restCount > 0, index < bytes.count { add(unsafe bytes[index], &index) }
        while bytes.count - index >= 8 {
            unsafe mix(UInt64(littleEndian: bytes.loadUnaligned(fromByteOffset: index, as: UInt64.self)))
            index += 8
        }
        while index < bytes.count { add(unsafe bytes[index], &index) }
    }

    private mutating func add(_ byte: UInt8, _ index: inout Int) {
        rest |= UInt64(byte) << UInt64(8 * restCount)
        restCount += 1
        index += 1
        if restCount == 8 {
            mix(rest)
            rest = 0
            restCount = 0
        }
    }

    private mutating func mix(_ word: UInt64) {
        let product = (state ^ word).multipliedFullWidth(by: Self.factor)
        state = product.high ^ product.low
    }

    /// The stored form: two numbers from which the digest can be continued.
    package var words: (state: Int64, rest: Int64) {
        // At most seven bytes, and their count in the eighth.
        (Int64(bitPattern: state), Int64(bitPattern: rest | UInt64(restCount) << 56))
    }

    package init(words: (state: Int64, rest: Int64)) {
        state = UInt64(bitPattern: words.state)
        let packed = UInt64(bitPattern: words.rest)
        rest = packed & 0x00FF_FFFF_FFFF_FFFF
        restCount = min(Int(packed >> 56), 7)
    }
}
