/// An open-addressing table from hashes to 32-bit positions in an array of the caller.
///
/// It holds no keys: the caller compares the candidates for a hash. Hash and position stand in one word, so a lookup that
/// finds nothing waits for memory once. Eight bytes per slot, at most three quarters full, linear probing; removal shifts
/// later entries back, so there are no tombstones. Expected O(1). The caller's hashes have a random seed, so no choice of
/// keys makes it worse.
@safe  // SOUND: owns `entries`, whose count is a power of two, and never indexes it without the mask.
struct HashIndex: ~Copyable {
    /// The upper 32 bits hold the hash, the lower ones the position plus one; 0 is an empty slot.
    var entries: UnsafeMutableBufferPointer<UInt64>
    private(set) var count = 0

    var mask: Int { unsafe entries.count &- 1 }

    init() { unsafe entries = Self.table(16) }

    deinit {
        // SOUND: the table was allocated here, and is freed once.
        unsafe entries.deallocate()
    }

    /// A table without entries.
    static func table(_ count: Int) -> UnsafeMutableBufferPointer<UInt64> {
        // SOUND: the memory has room for `count` words, all of which become 0.
        let table = UnsafeMutableBufferPointer<UInt64>.allocate(capacity: count)
        unsafe table.initialize(repeating: 0)
        return unsafe table
    }

    @inline(__always)
    subscript(place: Int) -> UInt64 {
        // SOUND: every caller has applied the mask.
        get { unsafe entries.baseAddress.unsafelyUnwrapped[place] }
        nonmutating set { unsafe entries.baseAddress.unsafelyUnwrapped[place] = newValue }
    }

    /// The position of the entry with this hash for which `matches` holds.
    @inline(__always)
    func find(_ hash: UInt32, _ matches: (UInt32) -> Bool) -> UInt32? {
        var place = Int(hash) & mask
        while true {
            let entry = self[place]
            if entry == 0 { return nil }
            if UInt32(truncatingIfNeeded: entry >> 32) == hash {
                let position = UInt32(truncatingIfNeeded: entry) &- 1
                if matches(position) { return position }
            }
            place = (place &+ 1) & mask
        }
    }

    /// The address of the place where the lookup of a hash begins, to be prefetched.
    @inline(__always)
    func address(_ hash: UInt32) -> UnsafePointer<UInt64> {
        // SOUND: the mask keeps the place within the table.
        unsafe UnsafePointer(entries.baseAddress.unsafelyUnwrapped + (Int(hash) & mask))
    }

    /// The first position with this hash, whatever is there; `UInt32.max` when there is none close by. To prefetch what
    /// a lookup is going to need.
    @inline(__always)
    func firstCandidate(_ hash: UInt32) -> UInt32 {
        var place = Int(hash) & mask
        for _ in 0..<4 {
            let entry = self[place]
            if entry == 0 { return .max }
            if UInt32(truncatingIfNeeded: entry >> 32) == hash { return UInt32(truncatingIfNeeded: entry) &- 1 }
            place = (place &+ 1) & mask
        }
        return .max
    }

    mutating func insert(_ hash: UInt32, _ position: UInt32) {
        if unsafe (count + 1) * 4 > entries.count * 3 { grow() }
        place(UInt64(hash) << 32 | UInt64(position &+ 1))
        count += 1
    }

    /// Replaces the position of the entry with this hash and position. Does nothing if there is none.
    mutating func replace(_ hash: UInt32, _ position: UInt32, with other: UInt32) {
        let wanted = UInt64(hash) << 32 | UInt64(position &+ 1)
        var place = Int(hash) & mask
        while self[place] != wanted {
            if self[place] == 0 { return }
            place = (place &+ 1) & mask
        }
        self[place] = UInt64(hash) << 32 | UInt64(other &+ 1)
    }

    /// Removes the entry with this hash and position. Does nothing if there is none.
    mutating func remove(_ hash: UInt32, _ position: UInt32) {
        let wanted = UInt64(hash) << 32 | UInt64(position &+ 1)
        var place = Int(hash) & mask
        while self[place] != wanted {
            if self[place] == 0 { return }
            place = (place &+ 1) & mask
        }
        count -= 1
        // Shifts later entries of the probe sequence back into the gap.
        var gap = place
        var next = (place &+ 1) & mask
        while self[next] != 0 {
            let home = Int(truncatingIfNeeded: self[next] >> 32) & mask
            if (next &- home) & mask >= (next &- gap) & mask {
                self[gap] = self[next]
                gap = next
            }
            next = (next &+ 1) & mask
        }
        self[gap] = 0
    }

    /// Removes all entries and keeps the capacity.
    mutating func removeAll() {
        // SOUND: every word is initialized.
        unsafe entries.update(repeating: 0)
        count = 0
    }

    mutating func place(_ entry: UInt64) {
        var place = Int(truncatingIfNeeded: entry >> 32) & mask
        while self[place] != 0 { place = (place &+ 1) & mask }
        self[place] = entry
    }

    mutating func grow() {
        // SOUND: the old table is freed once, after its entries were moved.
        let old = unsafe entries
        unsafe entries = Self.table(old.count * 2)
        for index in 0..<old.count {
            let entry = unsafe old[index]
            if entry != 0 { place(entry) }
        }
        unsafe old.deallocate()
    }
}
