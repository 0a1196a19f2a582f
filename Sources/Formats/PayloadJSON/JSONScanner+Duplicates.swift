import CBlockScan

// Duplicate member names are valid JSON that loses data, so the scanner notes each one. It checks small objects while
// it reads them: a Bloom filter of 64 bits per level finds most names to be new at once, and only the others are
// compared with the names before them. A sender who knows the filter can choose names that it cannot tell apart, so
// comparisons are limited per object. After that the scanner compares hashes with a secret seed (`NameHashes`). Large
// objects are sorted by such hashes once, when they close. So no choice of names costs much more than random ones.

extension JSONScanner {
    /// Notes the key at `entry`, the last on the tape, if its object already has a member of that name.
    @inline(__always)
    mutating func noteName(of entry: Int, level index: Int, _ start: UnsafePointer<UInt8>, _ tape: inout JSONTape) {
        // SOUND: `entry` is on the tape, and `index` is the level of an open object, below `maximumDepth`.
        let key = unsafe tape.entries[entry]
        let count = unsafe levels[index].count
        unsafe levels[index].count = count &+ 1
        if count >= Self.sortedMemberCount { return }

        let bit = unsafe nameBit(of: key, start)
        let names = unsafe levels[index].names
        unsafe levels[index].names = names | bit
        if names & bit != 0 {
            unsafe compareNames(before: entry, level: index, in: Int(levels[index].entry), start, &tape)
        }
    }

    /// The filter's bit for a name. An escaped name can spell any name, so after one the filter cannot rule out any.
    @inline(__always)
    func nameBit(of key: JSONTape.Entry, _ start: UnsafePointer<UInt8>) -> UInt64 {
        // SOUND: a name stands between quotes, so there is a byte to read before and after it even when it is empty.
        unsafe key.hasEscapes ? .max : blockscan_name_bit(start + Int(key.offset), key.length)
    }

    /// Notes the key at `entry` if an earlier member of its object has the same name.
    @inline(never)
    mutating func compareNames(
        before entry: Int, level: Int, in object: Int, _ start: UnsafePointer<UInt8>, _ tape: inout JSONTape
    ) {
        // SOUND: `entry` and `object` are on the tape of the text at `start`.
        if unsafe nameHashes.isDuplicate(entry, level: level, object: object, scan: scans, start, tape) {
            tape.note(.duplicateKey, entry: entry)
        }
    }

    /// Notes every occurrence of a name after the first in a closed object. O(n log n) in the members, O(bytes);
    /// allocates.
    func noteDuplicatesBySorting(in object: Int, _ start: UnsafePointer<UInt8>, _ tape: inout JSONTape) {
        // SOUND: all indices are those of entries on the tape, from the object's first key to its end.
        // The hash in the upper half, the key's index on the tape in the lower one.
        var names: [UInt64] = []
        let end = unsafe Int(tape.entries[object].next)
        var key = object + 1
        while key < end {
            unsafe names.append(UInt64(NameHashes.hash(tape.string(at: key, start))) << 32 | UInt64(key))
            key = unsafe Int(tape.entries[key + 1].next)
        }
        names.sort()
        var duplicates: [Int] = []
        var first = 0
        for position in names.indices.dropFirst() {
            guard names[position] >> 32 == names[first] >> 32 else {
                first = position
                continue
            }
            // Equal hashes mean equal names, except for one pair in billions.
            let key = Int(truncatingIfNeeded: names[position] & 0xFFFF_FFFF)
            let name = unsafe tape.string(at: key, start)
            let isKnown = names[first..<position].contains { other in
                unsafe tape.string(at: Int(truncatingIfNeeded: other & 0xFFFF_FFFF), start) == name
            }
            if isKnown { duplicates.append(key) }
        }
        // This finds again the duplicates that were found while the first members were read.
        tape.noteDuplicates(duplicates.sorted())
    }
}

extension JSONTape {
    func string(at entry: Int, _ start: UnsafePointer<UInt8>) -> JSONString {
        // SOUND: a key's or string's entry covers bytes of the text at `start`, which the scanner has validated.
        let entry = unsafe entries[entry]
        return unsafe JSONString(
            start: start + Int(entry.offset), count: Int(entry.length), hasEscapes: entry.hasEscapes)
    }
}
