package import PushDecoding

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
    /// The time of the last record, in milliseconds since the epoch, if its line or one before it said it.
    package var recordTime: Int64?
    /// True if the bytes at `offset` are the rest of a record over the size limit.
    package var isDropping = false
    /// True if these bytes are within an array of records, false if they are after one; nil if that is not known.
    package var isInArray: Bool?
    /// The place of the records in the lines of a log; nil if each is a record.
    package var location: RecordLocation?

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

/// That a store holds one part of an input, which `pushpipe partition` divided. Its row ids are places in the original input, so that the
/// stores of all parts can be merged.
package struct PartMark: Sendable, Equatable {
    /// The number of the part, from 0.
    package var part: Int
    package var parts: Int
    /// True if the input of the part was read to its end.
    package var isComplete: Bool

    package init(part: Int, of parts: Int, isComplete: Bool = false) {
        self.part = part
        self.parts = parts
        self.isComplete = isComplete
    }

    /// The name of the part in messages.
    package var name: String { "part \(part) of \(parts)" }
}

/// The last record of an engine's stream whose deliveries a store has.
package struct StreamOffset: Sendable, Equatable {
    /// Such as `pushes/3`.
    package var stream: String
    /// A decimal number, or Redis' `1526919030474-55`.
    package var offset: String

    package init(stream: String, offset: String) {
        self.stream = stream
        self.offset = offset
    }

    /// True if this one comes before another of the same stream: numbers by their value, and Redis' two one after the other.
    package func isBefore(_ other: StreamOffset) -> Bool { position.lexicographicallyPrecedes(other.position) }

    /// Its numbers.
    private var position: [OffsetNumber] {
        offset.split(separator: "-", maxSplits: 1, omittingEmptySubsequences: false).map { OffsetNumber($0.utf8) }
    }
}

/// A decimal number of any length, to compare: offsets such as those of Kinesis have more digits than 64 bits hold.
private struct OffsetNumber: Comparable {
    /// The digits without leading zeros.
    private let digits: Substring.UTF8View

    init(_ text: Substring.UTF8View) { digits = text.drop { $0 == UInt8(ascii: "0") } }

    static func < (left: Self, right: Self) -> Bool {
        left.digits.count == right.digits.count
            ? left.digits.lexicographicallyPrecedes(right.digits) : left.digits.count < right.digits.count
    }

    static func == (left: Self, right: Self) -> Bool { left.digits.elementsEqual(right.digits) }
}

/// Where a row of a part's store belongs in the original input. Its id is this place, or one more than the last row's.
///
///     63                    29   28     27            8 7        0
///     number of the record  │  phase  │  target        │  ordinal
///
/// Phase 0 is for rows that time brings about, before the record or as an event of the clock, phase 1 for all others.
package struct RowPlace: Sendable, Equatable {
    /// The bits of target and ordinal together, and of the ordinal.
    private static let lowBits: Int64 = 28
    private static let ordinalBits: Int64 = 8
    /// The greatest `low`. It leaves room for a million rows after it.
    private static let greatestLow: UInt64 = 1 << lowBits - 1 << 20
    /// The first `low` of preferences, which are applied after the file of devices.
    package static let firstOfPreferences: UInt64 = 1 << 27

    package var id: Int64

    /// - Parameters:
    ///   - seq: the record's number in the store.
    ///   - isBefore: true if time brings the rows about.
    ///   - low: the order among the record's rows.
    package init(seq: UInt64, isBefore: Bool = false, low: UInt64 = 0) {
        let phase: UInt64 = isBefore ? 0 : 1
        id = Int64(truncatingIfNeeded: seq &<< (Self.lowBits + 1) | phase &<< Self.lowBits | min(low, Self.greatestLow))
    }

    /// The place of the rows that a message causes.
    package init(seq: UInt64, target: Int?) {
        self.init(seq: seq, low: target.map { UInt64(clamping: $0) &<< Self.ordinalBits } ?? 0)
    }

    package static func record(of id: Int64) -> Int64 { id >> (lowBits + 1) }

    /// The first id that rows of the same record and phase can have.
    package static func first(ofBatchWith id: Int64) -> Int64 { (id >> lowBits) << lowBits }

    package static func isTriggeredByTime(_ id: Int64) -> Bool { (id >> lowBits) & 1 == 0 }
}
