/// Where a row of a part's store belongs in the original input. Its id is this place, or one more than the last row's.
///
///     63                    29   28     27            8 7        0
///     number of the record  │  phase  │  target        │  ordinal
///
/// Phase 0 is for rows that time brings about before the record, phase 1 for all others. A record that concerns devices of several parts
/// without naming targets, such as an event of the clock, counts its rows from 1 on in each part.
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
    ///   - isBefore: true if time brings the rows about, before the record.
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

    /// The part of ids that rows of one record and one phase share.
    package static func batch(of id: Int64) -> Int64 { id >> lowBits }

    /// The first id of a batch; 0 beyond those that a store can have.
    package static func first(of batch: Int64) -> Int64 { batch << lowBits }

    package static func isTriggeredByTime(batch: Int64) -> Bool { batch & 1 == 0 }

    /// 0 for the first target, and for a record that names none.
    package static func target(of id: Int64) -> Int64 { (id >> ordinalBits) & (1 << (lowBits - ordinalBits) - 1) }
}
