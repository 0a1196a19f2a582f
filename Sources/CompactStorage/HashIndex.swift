/// An open-addressing table from hashes to 32-bit positions in an array of the caller.
///
/// It holds no keys: the caller compares the candidates for a hash. Eight bytes per slot, at most three quarters full,
/// linear probing; removal shifts later entries back, so there are no tombstones. Expected O(1). The caller's hashes
/// have a random seed, so no choice of keys makes it worse.
public struct HashIndex {
    /// The upper 32 bits hold the hash, the lower ones the position plus one; 0 is an empty slot.
    @usableFromInline var entries: [UInt64] = Array(repeating: 0, count: 16)
    @usableFromInline var size = 0
    /// Number of entries.
    @inlinable public var count: Int { size }

    @inlinable var mask: Int { entries.count - 1 }

    /// Empty.
    public init() {}

    /// The position of the entry with this hash for which `matches` holds.
    @inlinable @inline(__always)
    public func find(_ hash: UInt32, _ matches: (UInt32) -> Bool) -> UInt32? {
        var place = Int(hash) & mask
        while true {
            let entry = entries[place]
            if entry == 0 { return nil }
            if UInt32(truncatingIfNeeded: entry >> 32) == hash {
                let position = UInt32(truncatingIfNeeded: entry) &- 1
                if matches(position) { return position }
            }
            place = (place + 1) & mask
        }
    }

    /// Adds an entry.
    @inlinable public mutating func insert(_ hash: UInt32, _ position: UInt32) {
        if (size + 1) * 4 > entries.count * 3 { grow() }
        place(UInt64(hash) << 32 | UInt64(position &+ 1))
        size += 1
    }

    /// Removes the entry with this hash and position. Does nothing if there is none.
    @inlinable public mutating func remove(_ hash: UInt32, _ position: UInt32) {
        let wanted = UInt64(hash) << 32 | UInt64(position &+ 1)
        var place = Int(hash) & mask
        while entries[place] != wanted {
            if entries[place] == 0 { return }
            place = (place + 1) & mask
        }
        size -= 1
        // Shifts later entries of the probe sequence back into the gap.
        var gap = place
        var next = (place + 1) & mask
        while entries[next] != 0 {
            let home = Int(truncatingIfNeeded: entries[next] >> 32) & mask
            if (next - home) & mask >= (next - gap) & mask {
                entries[gap] = entries[next]
                gap = next
            }
            next = (next + 1) & mask
        }
        entries[gap] = 0
    }

    /// Removes all entries and keeps the capacity.
    public mutating func removeAll() {
        for place in entries.indices { entries[place] = 0 }
        size = 0
    }

    @inlinable mutating func place(_ entry: UInt64) {
        var place = Int(truncatingIfNeeded: entry >> 32) & mask
        while entries[place] != 0 { place = (place + 1) & mask }
        entries[place] = entry
    }

    @inlinable mutating func grow() {
        let old = entries
        entries = Array(repeating: 0, count: old.count * 2)
        for entry in old where entry != 0 { place(entry) }
    }
}
