/// Finds duplicate names in small objects where the scanner's filter cannot rule them out.
///
/// The first names that the filter seems to know are compared with the names before them, which is fastest because
/// there are rarely more. Names chosen to collide in the filter use up their object's share of comparisons. After that
/// the object's names are hashed, each once, and compared only when their hashes are equal. Each level has hashes of
/// its own, so that nested objects do not overwrite each other's.
struct NameHashes: ~Copyable {
    /// Comparisons per object before names are hashed. Objects of 12 random names rarely need that many.
    static let freeComparisons = 24
    /// Bytes of two names that count as one comparison.
    static let freeBytes = 64

    private static let capacity = Int(JSONScanner.sortedMemberCount)
    private static let hasher = SeededHash()

    /// The last object of a level that was checked.
    private struct Object {
        /// Which scan it is in.
        var scan: UInt64 = 0
        var entry = 0
        var comparisons = 0
        /// The number of names that were hashed, and the index of the last one on the tape.
        var hashed = 0
        var lastHashed = 0
    }

    private var objects: [Object] = []
    /// `capacity` hashes for each of the objects.
    private var hashes: [UInt32] = []
    /// Names that were compared or hashed so far; long names count more than once. For tests, which compare it with the
    /// number of names.
    private(set) var work = 0

    static func hash(_ name: JSONString) -> UInt32 {
        guard name.hasEscapes else { return hasher.hash(name.raw, 0) }
        return unsafe withUnsafeTemporaryAllocation(of: UInt8.self, capacity: name.count) { buffer in
            // SOUND: decoding writes at most `count` bytes, and an escape has at least two, so there is a base address.
            guard let base = buffer.baseAddress else { return 0 }
            return unsafe hasher.hash(BorrowedText(start: base, count: name.decode(to: base)), 0)
        }
    }

    /// True if an earlier member of the object has the same name as the key at `entry`, the last on the tape. The
    /// object must have fewer than `capacity` members.
    mutating func isDuplicate(
        _ entry: Int, level: Int, object: Int, scan: UInt64, _ start: UnsafePointer<UInt8>, _ tape: borrowing JSONTape
    ) -> Bool {
        // SOUND: `entry` is the last key on the tape of the text at `start`.
        while objects.count <= level { objects.append(Object()) }
        if objects[level].scan != scan || objects[level].entry != object {
            objects[level] = Object(scan: scan, entry: object)
        }
        let name = unsafe tape.string(at: entry, start)
        if objects[level].comparisons < Self.freeComparisons, !name.hasEscapes {
            if let isDuplicate = unsafe isDuplicateByComparison(name, entry, level, start, tape) { return isDuplicate }
            objects[level].comparisons = Self.freeComparisons
        }
        return unsafe isDuplicateByHash(name, entry, level, start, tape)
    }

    /// Nil when an earlier name has an escape, which would have to be decoded each time.
    private mutating func isDuplicateByComparison(
        _ name: JSONString, _ entry: Int, _ level: Int, _ start: UnsafePointer<UInt8>, _ tape: borrowing JSONTape
    ) -> Bool? {
        // SOUND: goes from the object's first key from member to member, up to `entry`.
        var comparisons = 0
        defer {
            objects[level].comparisons += comparisons
            work += comparisons
        }
        var other = objects[level].entry + 1
        while other < entry {
            let earlier = unsafe tape.string(at: other, start)
            if earlier.hasEscapes { return nil }
            comparisons += 1
            if earlier.count == name.count {
                comparisons += name.count / Self.freeBytes
                if earlier == name { return true }
            }
            other = unsafe Int(tape.entries[other + 1].next)
        }
        return false
    }

    private mutating func isDuplicateByHash(
        _ name: JSONString, _ entry: Int, _ level: Int, _ start: UnsafePointer<UInt8>, _ tape: borrowing JSONTape
    ) -> Bool {
        // SOUND: goes from one of the object's keys from member to member, up to `entry`.
        if hashes.count < objects.count * Self.capacity {
            hashes += Array(repeating: 0, count: objects.count * Self.capacity - hashes.count)
        }
        let first = level * Self.capacity
        var state = objects[level]
        var other = unsafe state.hashed == 0 ? state.entry + 1 : Int(tape.entries[state.lastHashed + 1].next)
        while other < entry {
            hashes[first + state.hashed] = unsafe Self.hash(tape.string(at: other, start))
            state.hashed += 1
            state.lastHashed = other
            other = unsafe Int(tape.entries[other + 1].next)
            work += 1
        }
        let hash = Self.hash(name)
        work += 1
        // Without a branch, so that the compiler can compare several at a time.
        var same: UInt32 = 0
        for position in first..<first + state.hashed { same |= hashes[position] == hash ? 1 : 0 }
        let isDuplicate = unsafe same != 0 && contains(name, hash, first, state, start, tape)
        hashes[first + state.hashed] = hash
        state.hashed += 1
        state.lastHashed = entry
        objects[level] = state
        return isDuplicate
    }

    private mutating func contains(
        _ name: JSONString, _ hash: UInt32, _ first: Int, _ state: Object, _ start: UnsafePointer<UInt8>,
        _ tape: borrowing JSONTape
    ) -> Bool {
        // SOUND: goes from the object's first key from member to member, once for each that was hashed.
        var other = state.entry + 1
        for position in first..<first + state.hashed {
            if hashes[position] == hash {
                work += 1
                if unsafe tape.string(at: other, start) == name { return true }
            }
            other = unsafe Int(tape.entries[other + 1].next)
        }
        return false
    }
}
