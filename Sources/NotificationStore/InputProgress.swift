/// How far a file has been processed: kept with what came of it, in the same transaction, so that a run that was ended can be taken up.
package struct InputProgress: Sendable, Equatable {
    /// The file, by its absolute path.
    package var path: String
    /// Bytes that are done with.
    package var offset: UInt64 = 0
    /// Of those bytes.
    package var digest = InputDigest()
    /// How its records are told apart, as found out.
    package var framing = ""
    /// Records of the run up to there, those of files before it too: a clock that counts them goes on.
    package var records: UInt64 = 0
    /// Milliseconds by which events have moved the run's clock on.
    package var clockOffset: Int64 = 0
    /// The bytes at `offset` are the rest of a record over the limit.
    package var isDropping = false

    /// The beginning of a file.
    package init(path: String) { self.path = path }
}

/// Tells whether bytes are the same as before, however they are cut: a 64-bit digest, against mistakes and not against malice.
package struct InputDigest: Sendable, Equatable {
    private static let factor: UInt64 = 0x9E37_79B9_7F4A_7C15

    private var state: UInt64
    /// Bytes that do not make up a word yet, the first one lowest.
    private var rest: UInt64
    private var restCount: Int

    /// Of no bytes.
    package init() {
        state = 0xCBF2_9CE4_8422_2325
        rest = 0
        restCount = 0
    }

    /// Adds bytes. O(count), eight at a time.
    package mutating func update(_ bytes: UnsafeRawBufferPointer) {
        var index = 0
        while restCount > 0, index < bytes.count { add(bytes[index], &index) }
        while bytes.count - index >= 8 {
            mix(UInt64(littleEndian: bytes.loadUnaligned(fromByteOffset: index, as: UInt64.self)))
            index += 8
        }
        while index < bytes.count { add(bytes[index], &index) }
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

    /// As kept in a store: two numbers from which the digest goes on.
    package var words: (state: Int64, rest: Int64) {
        // Seven bytes at most, and their number in the eighth.
        (Int64(bitPattern: state), Int64(bitPattern: rest | UInt64(restCount) << 56))
    }

    package init(words: (state: Int64, rest: Int64)) {
        state = UInt64(bitPattern: words.state)
        let packed = UInt64(bitPattern: words.rest)
        rest = packed & 0x00FF_FFFF_FFFF_FFFF
        restCount = min(Int(packed >> 56), 7)
    }
}
