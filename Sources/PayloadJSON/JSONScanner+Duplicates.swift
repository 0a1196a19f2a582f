// Duplicate member names are legal JSON that loses data, so every one is noted. Small objects are checked as they are read:
// a Bloom filter of 64 bits a level says at once that a name is new, and only when it cannot are the names before it compared.
// Whoever knows the filter makes names that it cannot tell apart, so comparisons have a limit an object; behind it, hashes under a seed
// that nobody knows take their place (`NameHashes`). Large objects are sorted by such hashes once, when they close. So no choice of
// names costs much more than names by chance.

extension JSONScanner {
    /// Notes the key at `entry`, the last on the tape, when its object has had one of the same name.
    @inline(__always)
    mutating func noteName(of entry: Int, level index: Int, _ start: UnsafePointer<UInt8>, _ tape: inout JSONTape) {
        let key = tape.entries[entry]
        let count = levels[index].count
        levels[index].count = count &+ 1
        if count >= Self.sortedMemberCount { return }

        // An escape may spell any name, so the filter says nothing after it.
        var bit: UInt64 = .max
        if !key.hasEscapes {
            bit = Self.nameBit(start + Int(key.offset), Int(key.length))
        }
        let names = levels[index].names
        levels[index].names = names | bit
        if names & bit != 0 { compareNames(before: entry, level: index, in: Int(levels[index].entry), start, &tape) }
    }

    /// The filter's bit for a name without escapes.
    ///
    /// SOUND: a name stands between quotes, so there is a byte to read before it and behind it even when it is empty.
    @inline(__always)
    static func nameBit(_ name: UnsafePointer<UInt8>, _ length: Int) -> UInt64 {
        let mixed =
            UInt64(truncatingIfNeeded: length) ^ UInt64(name[0]) << 3 ^ UInt64(name[length &- 1]) << 1
            ^ UInt64(name[length >> 1]) << 2
        return 1 &<< ((mixed &* 0x9E37_79B9_7F4A_7C15) >> 58)
    }

    /// Notes the key at `entry` when a name of its object before it is the same.
    @inline(never)
    mutating func compareNames(
        before entry: Int, level: Int, in object: Int, _ start: UnsafePointer<UInt8>, _ tape: inout JSONTape
    ) {
        if nameHashes.isDuplicate(entry, level: level, object: object, scan: scans, start, tape) {
            tape.note(.duplicateKey, entry: entry)
        }
    }

    /// Notes the second and every later occurrence of a name in a closed object. O(n log n) in the members, O(bytes); allocates.
    func noteDuplicatesBySorting(in object: Int, _ start: UnsafePointer<UInt8>, _ tape: inout JSONTape) {
        // The hash in the upper half, the key's place on the tape in the lower one.
        var names: [UInt64] = []
        let end = Int(tape.entries[object].next)
        var key = object + 1
        while key < end {
            names.append(UInt64(NameHashes.hash(tape.string(at: key, start))) << 32 | UInt64(key))
            key = Int(tape.entries[key + 1].next)
        }
        names.sort()
        var duplicates: [Int] = []
        var first = 0
        for position in names.indices.dropFirst() {
            guard names[position] >> 32 == names[first] >> 32 else {
                first = position
                continue
            }
            // Equal hashes are equal names, but for one pair in billions.
            let key = Int(truncatingIfNeeded: names[position] & 0xFFFF_FFFF)
            let name = tape.string(at: key, start)
            let isKnown = names[first..<position].contains { other in
                tape.string(at: Int(truncatingIfNeeded: other & 0xFFFF_FFFF), start) == name
            }
            if isKnown { duplicates.append(key) }
        }
        // What was found among the first members, one by one, is found here again.
        tape.noteDuplicates(duplicates.sorted())
    }
}

extension JSONTape {
    func string(at entry: Int, _ start: UnsafePointer<UInt8>) -> JSONString {
        let entry = entries[entry]
        return JSONString(
            start: start + Int(entry.offset), count: Int(entry.length), hasEscapes: entry.hasEscapes)
    }
}
