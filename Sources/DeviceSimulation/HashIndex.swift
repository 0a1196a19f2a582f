import PayloadJSON

/// An open-addressing table from hashes to 32-bit positions in somebody else's array.
///
/// Keys stay where they are: a caller compares the candidates of a hash itself. Eight bytes an entry, at most three quarters full,
/// linear probing; removal shifts later entries back, so there are no tombstones. Expected O(1); hashes are seeded at
/// random, so no choice of keys makes it worse.
struct HashIndex {
    /// The upper 32 bits hold the hash, the lower the position plus one; 0 is empty.
    private var entries: [UInt64] = Array(repeating: 0, count: 16)
    private(set) var count = 0

    private var mask: Int { entries.count - 1 }

    /// The position of the entry with this hash for which `matches` holds.
    @inline(__always)
    func find(_ hash: UInt32, _ matches: (UInt32) -> Bool) -> UInt32? {
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

    mutating func insert(_ hash: UInt32, _ position: UInt32) {
        if (count + 1) * 4 > entries.count * 3 { grow() }
        place(UInt64(hash) << 32 | UInt64(position &+ 1))
        count += 1
    }

    /// Removes the entry of this hash and position; nothing when there is none.
    mutating func remove(_ hash: UInt32, _ position: UInt32) {
        let wanted = UInt64(hash) << 32 | UInt64(position &+ 1)
        var place = Int(hash) & mask
        while entries[place] != wanted {
            if entries[place] == 0 { return }
            place = (place + 1) & mask
        }
        count -= 1
        // Whatever probed past this place moves up into it.
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

    private mutating func place(_ entry: UInt64) {
        var place = Int(truncatingIfNeeded: entry >> 32) & mask
        while entries[place] != 0 { place = (place + 1) & mask }
        entries[place] = entry
    }

    private mutating func grow() {
        let old = entries
        entries = Array(repeating: 0, count: old.count * 2)
        for entry in old where entry != 0 { place(entry) }
    }
}

/// A hash of bytes under a seed that differs from run to run. Nothing that is written depends on it.
struct SeededHash: Sendable {
    private let seed = UInt64.random(in: .min ... .max)
    private let multiplier = UInt64.random(in: .min ... .max) | 1

    func hash(_ text: BorrowedText, _ salt: UInt64) -> UInt32 {
        var state = Self.mix(seed ^ salt, multiplier ^ UInt64(text.count))
        var p = UnsafeRawPointer(text.start)
        var rest = text.count
        // SOUND: sixteen bytes are read only when as many are left, and eight from the end only when there are as many at all.
        while rest >= 16 {
            let (low, high) = (p.loadUnaligned(as: UInt64.self), (p + 8).loadUnaligned(as: UInt64.self))
            state = Self.mix(state ^ low, multiplier ^ high)
            p += 16
            rest -= 16
        }
        var tail: UInt64 = 0
        if text.count >= 8 {
            if rest > 8 { state = Self.mix(state ^ p.loadUnaligned(as: UInt64.self), multiplier) }
            // The last eight bytes; those of them that were mixed in before do no harm.
            tail = (p + (rest - 8)).loadUnaligned(as: UInt64.self)
        } else {
            for index in 0..<rest { tail = tail << 8 | UInt64(p.load(fromByteOffset: index, as: UInt8.self)) }
        }
        state = Self.mix(state ^ tail, seed | 1)
        return UInt32(truncatingIfNeeded: state >> 32)
    }

    @inline(__always)
    private static func mix(_ a: UInt64, _ b: UInt64) -> UInt64 {
        let product = a.multipliedFullWidth(by: b)
        return product.high ^ product.low ^ a
    }
}
