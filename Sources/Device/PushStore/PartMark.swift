/// That a store holds one part of an input, which `pushpipe partition` divided. Its row ids are places in the original input, so that the
/// stores of all parts can be merged.
package struct PartMark: Sendable, Equatable {
    /// From 0.
    package var part: Int
    package var parts: Int
    /// True if the input of the part was read to its end.
    package var isComplete: Bool

    package init(part: Int, of parts: Int, isComplete: Bool = false) {
        self.part = part
        self.parts = parts
        self.isComplete = isComplete
    }

    /// For messages.
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
    /// Without leading zeros.
    private let digits: Substring.UTF8View

    init(_ text: Substring.UTF8View) { digits = text.drop { $0 == UInt8(ascii: "0") } }

    static func < (left: Self, right: Self) -> Bool {
        left.digits.count == right.digits.count
            ? left.digits.lexicographicallyPrecedes(right.digits) : left.digits.count < right.digits.count
    }

    static func == (left: Self, right: Self) -> Bool { left.digits.elementsEqual(right.digits) }
}
