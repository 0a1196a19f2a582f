/// That a store holds one part of an input, which `pushpipe partition` divided. Its row ids are places in the original input, so that the
/// stores of all parts can be merged.
package struct PartMark: Sendable, Equatable {
    /// From 0.
    package var part: Int
    package var parts: Int
    /// Whether the input of the part was read to its end.
    package var isComplete: Bool

    package init(part: Int, of parts: Int, isComplete: Bool = false) {
        (self.part, self.parts, self.isComplete) = (part, parts, isComplete)
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

    package init(stream: String, offset: String) { (self.stream, self.offset) = (stream, offset) }

    /// Whether this one comes before another of the same stream: numbers by their value, and Redis' two one after the other.
    package func isBefore(_ other: StreamOffset) -> Bool {
        guard let mine = position, let others = other.position else { return offset != other.offset }
        return mine < others
    }

    private var position: (UInt64, UInt64)? {
        let parts = offset.split(separator: "-", maxSplits: 1, omittingEmptySubsequences: false).map { UInt64($0) }
        guard let first = parts.first ?? nil else { return nil }
        guard parts.count > 1 else { return (first, 0) }
        return parts[1].map { (first, $0) }
    }
}

/// Where a row of a part's store belongs in the original input. Its id is this place, or one more than the last row's.
///
///     id = record << 29 | phase << 28 | low
///
/// Rows that time brings about at a record come before those of the record, and those of its first target before those of its second.
package struct RowPlace: Sendable, Equatable {
    /// The bits of `low`.
    private static let lowBits: UInt64 = 28
    /// The greatest `low`. It leaves room for a million rows after it.
    private static let greatestLow: UInt64 = 1 << lowBits - 1 << 20
    /// The first `low` of preferences, which are applied after the file of devices.
    package static let firstOfPreferences: UInt64 = 1 << 27

    /// The id of the first row.
    package var id: Int64

    /// - Parameters:
    ///   - seq: the record's number in the store.
    ///   - isBefore: whether time brings the rows about, before the record.
    ///   - low: the order among the record's rows.
    package init(seq: UInt64, isBefore: Bool = false, low: UInt64 = 0) {
        let phase: UInt64 = isBefore ? 0 : 1
        id = Int64(truncatingIfNeeded: seq &<< (Self.lowBits + 1) | phase &<< Self.lowBits | min(low, Self.greatestLow))
    }
}
