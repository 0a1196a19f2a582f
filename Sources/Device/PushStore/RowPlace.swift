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
