// Duplicate member names are legal JSON that loses data, so every one is noted. Small objects are checked as they are read:
// a Bloom filter of 64 bits a level says at once that a name is new, and only when it cannot are the names before it compared.
// Large objects are sorted once, when they close, so that no choice of names makes the search quadratic.

#if canImport(Darwin)
    import Darwin
#elseif canImport(Musl)
    import Musl
#else
    import Glibc
#endif

extension JSONScanner {
    /// Notes the key at `entry`, the last on the tape, when its object has had one of the same name.
    @inline(__always)
    func noteName(of entry: Int, level index: Int, _ start: UnsafePointer<UInt8>, _ tape: inout JSONTape) {
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
        if names & bit != 0 { compareNames(before: entry, in: Int(levels[index].entry), start, &tape) }
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

    @inline(never)
    func compareNames(
        before entry: Int, in object: Int, _ start: UnsafePointer<UInt8>, _ tape: inout JSONTape
    ) {
        let name = tape.string(at: entry, start)
        var other = object + 1
        while other < entry {
            if tape.string(at: other, start) == name {
                tape.note(.duplicateKey, entry: entry)
                return
            }
            other = Int(tape.entries[other + 1].next)
        }
    }

    /// Notes the second and every later occurrence of a name in a closed object. O(n log n) comparisons; allocates.
    func noteDuplicatesBySorting(in object: Int, _ start: UnsafePointer<UInt8>, _ tape: inout JSONTape) {
        let end = Int(tape.entries[object].next)
        var keys: [Int] = []
        var hasEscapes = false
        var key = object + 1
        while key < end {
            keys.append(key)
            hasEscapes = hasEscapes || tape.entries[key].hasEscapes
            key = Int(tape.entries[key + 1].next)
        }
        var duplicates: [Int] = []
        if hasEscapes {
            let names = keys.map { (name: tape.string(at: $0, start).decodedBytes, key: $0) }
                .sorted { $0.name.lexicographicallyPrecedes($1.name) || ($0.name == $1.name && $0.key < $1.key) }
            for (name, next) in zip(names, names.dropFirst()) where name.name == next.name {
                duplicates.append(next.key)
            }
        } else {
            func order(_ left: Int, _ right: Int) -> Int {
                let a = tape.entries[left]
                let b = tape.entries[right]
                if a.length != b.length { return a.length < b.length ? -1 : 1 }
                // SOUND: both ranges lie inside the scanned text.
                return Int(memcmp(start + Int(a.offset), start + Int(b.offset), Int(a.length)))
            }
            keys.sort {
                let compared = order($0, $1)
                return compared < 0 || (compared == 0 && $0 < $1)
            }
            for (key, next) in zip(keys, keys.dropFirst()) where order(key, next) == 0 { duplicates.append(next) }
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
