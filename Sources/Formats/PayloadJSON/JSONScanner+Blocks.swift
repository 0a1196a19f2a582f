import CBlockScan

// The fast path: two passes over an object or array without control characters outside its strings.
//
// The first pass processes 64 bytes at a time. It lists the unescaped quotes and checks that the text is valid UTF-8
// without control characters. The second pass walks from token to token, and jumps from a string's opening quote to its
// closing one. Both are in C (`CBlockScan`). The walk stops after an object whose names have to be compared, which is
// done here.
//
// Both give up on anything unusual. The bytewise scanner then finds out what it is.

/// Room for the offsets of a text's quotes.
@safe  // SOUND: owns `offsets`, and grows it before the first pass writes.
struct QuoteList: ~Copyable {
    private(set) var offsets: UnsafeMutablePointer<UInt32>
    private var capacity = 1024

    init() {
        // SOUND: `capacity` is the size of the allocation.
        unsafe offsets = .allocate(capacity: capacity)
    }

    deinit {
        // SOUND: allocated here, and freed once.
        unsafe offsets.deallocate()
    }

    /// Makes room for the quotes of a text of this size.
    @inline(__always)
    mutating func reserve(forByteCount count: Int) {
        // Each byte may be a quote, and the pass may write its slack past the last one; the end mark uses one of those
        // places.
        let needed = count + Int(BLOCKSCAN_SLACK)
        if needed > capacity { grow(to: needed) }
    }

    @inline(never)
    private mutating func grow(to needed: Int) {
        // SOUND: the old offsets are not needed any more, and the list is filled before it is read.
        unsafe offsets.deallocate()
        capacity = max(needed, capacity * 2)
        unsafe offsets = .allocate(capacity: capacity)
    }
}

extension JSONScanner {
    /// Scans a text in two passes. False when the text is not JSON, or needs the bytewise scanner; the contents of the
    /// tape are undefined then. The tape must have room for the text.
    @inline(__always)
    mutating func scanBlocks(_ start: UnsafePointer<UInt8>, _ textCount: Int, _ tape: inout JSONTape) -> Bool {
        // SOUND: indices are below `count`, which is at most `textCount`. Entries and levels have the same layout in
        // C. `reset` made room for every entry that a text of this length can have, and `levels` has room for the
        // deepest nesting.
        var count = textCount
        while count > 0, unsafe Self.isWhitespace(start[count &- 1]) { count &-= 1 }
        // Both closing brackets become a brace with this bit set.
        guard count >= 64, unsafe start[count &- 1] | 0x20 == UInt8(ascii: "}") else { return false }
        scans &+= 1
        quotes.reserve(forByteCount: count)
        var walk = unsafe blockscan_walk()
        unsafe walk.text = start
        unsafe walk.size = count
        unsafe walk.quotes = quotes.offsets
        unsafe walk.entries = UnsafeMutableRawPointer(tape.entries).assumingMemoryBound(to: blockscan_entry.self)
        unsafe walk.levels = UnsafeMutableRawPointer(levels).assumingMemoryBound(to: blockscan_level.self)
        unsafe walk.maximum_depth = UInt32(Self.maximumDepth)
        while true {
            let status = unsafe blockscan_scan(variant, &walk)
            tape.count = unsafe Int(walk.count)
            if status == BLOCKSCAN_DONE { return true }
            // The bytewise scanner notes duplicates.
            guard status == BLOCKSCAN_CHECK_MEMBERS, unsafe !hasDuplicates(walk, start, &tape) else { return false }
        }
    }

    /// True if the object that has just closed has a name twice.
    @inline(never)
    private mutating func hasDuplicates(
        _ walk: blockscan_walk, _ start: UnsafePointer<UInt8>, _ tape: inout JSONTape
    ) -> Bool {
        // SOUND: goes from the object's first key from member to member to the last entry on the tape.
        let object = unsafe Int(walk.inner.entry)
        if unsafe walk.inner.count > Self.sortedMemberCount {
            unsafe noteDuplicatesBySorting(in: object, start, &tape)
            return !tape.notes.isEmpty
        }
        var names: UInt64 = 0
        var key = object + 1
        while key < tape.count {
            let bit = unsafe nameBit(of: tape.entries[key], start)
            if names & bit != 0,
                unsafe nameHashes.isDuplicate(
                    key, level: Int(walk.depth) - 1, object: object, scan: scans, start, tape)
            {
                return true
            }
            names |= bit
            key = unsafe Int(tape.entries[key + 1].next)
        }
        return false
    }
}
