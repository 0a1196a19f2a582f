import CBlockScan
import SystemSupport

// The fast path: two passes over an object or array without control characters outside its strings.
//
// The first pass, in C, processes 64 bytes at a time. It lists the unescaped quotes and checks that the text is valid
// UTF-8 without control characters. The second pass walks from token to token, and jumps from a string's opening quote
// to its closing one.
//
// Both return false for anything unusual. The bytewise scanner then finds out what it is.

/// The offsets of a text's unescaped quotes, in order, followed by `UInt32.max`.
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

    /// Lists the quotes of a text. Nil when the text needs the bytewise scanner, or has an unterminated string.
    ///
    /// - Returns: Whether the text has a backslash.
    @inline(__always)
    mutating func fill(_ start: UnsafePointer<UInt8>, _ count: Int) -> Bool? {
        // SOUND: each byte may be a quote, and the pass may write its slack past the last one; the end mark uses one of
        // those places.
        let needed = count + Int(BLOCKSCAN_SLACK)
        if needed > capacity { grow(to: needed) }
        let found = unsafe blockscan_quotes(start, count, offsets)
        guard found.is_in_doubt == 0, found.count & 1 == 0 else { return nil }
        unsafe offsets[Int(found.count)] = .max
        return found.has_backslash != 0
    }

    private mutating func grow(to needed: Int) {
        // SOUND: the old offsets are not needed any more, and the list is filled before it is read.
        unsafe offsets.deallocate()
        capacity = max(needed, capacity * 2)
        unsafe offsets = .allocate(capacity: capacity)
    }
}

/// Whether a text has backslashes, known when its walk is compiled.
private protocol TextKind { static var hasEscapes: Bool { get } }
private enum WithEscapes: TextKind { static var hasEscapes: Bool { true } }
private enum WithoutEscapes: TextKind { static var hasEscapes: Bool { false } }

extension JSONScanner {
    /// Scans a text in two passes. False when the text is not JSON, or needs the bytewise scanner; the contents of the
    /// tape are undefined then. The tape must have room for the text.
    mutating func scanBlocks(_ start: UnsafePointer<UInt8>, _ textCount: Int, _ tape: inout JSONTape) -> Bool {
        // SOUND: indices are below `count`, which is at most `textCount`; the walk's conditions are checked at `walk`.
        var count = textCount
        while count > 0, unsafe Self.isWhitespace(start[count &- 1]) { count &-= 1 }
        scans &+= 1
        // Both closing brackets become a brace with this bit set, and both opening ones too.
        guard count >= 64, unsafe start[count &- 1] | 0x20 == UInt8(ascii: "}") else { return false }
        guard let hasBackslash = unsafe quotes.fill(start, count) else { return false }
        // Two copies of the same code. In the one for texts without a backslash, which most are, the compiler removes
        // the code for escapes and has more registers for the rest.
        return unsafe hasBackslash
            ? walk(start, count, WithEscapes.self, &tape) : walk(start, count, WithoutEscapes.self, &tape)
    }

    /// The second pass, over a text that ends with a closing bracket and whose quotes are listed.
    ///
    /// SOUND: `p` stays within the text without a comparison with its size, because the last byte is a bracket. It is
    /// not a quote, so every string ends before it. It is neither white space nor a letter, so `skip` and the literals
    /// stop before it. The walk passes it only as a closing bracket, and then checks whether the text has ended. Quotes
    /// are taken in pairs: their number is even, and the walk takes a pair only after it has seen the first one in the
    /// list.
    private mutating func walk<Kind: TextKind>(
        _ start: UnsafePointer<UInt8>, _ size: Int, _: Kind.Type, _ tape: inout JSONTape
    ) -> Bool {
        // SOUND: `reset` made room for every entry that a text of this length can have.
        let entries = unsafe UnsafeMutableRawPointer(tape.entries)
        var quote = unsafe UnsafePointer(quotes.offsets)
        var p = 0
        /// The number of entries written.
        var count = 0
        /// The innermost open object or array; those around it are on the stack.
        var inner = Level(entry: 0, count: 0, names: 0)
        var level = unsafe levels
        var closer = UInt8(ascii: "]")
        /// Offset of the next backslash; `size` when there is none.
        var backslash = unsafe Kind.hasEscapes ? Self.nextBackslash(start, 0, size) : size

        if unsafe start[p] <= 0x20 { unsafe Self.skip(start, &p) }
        guard unsafe start[p] | 0x20 == UInt8(ascii: "{") else { return false }
        while true {
            if closer == UInt8(ascii: "}") {
                if unsafe Int(quote[0]) != p {
                    unsafe Self.skip(start, &p)
                    guard unsafe Int(quote[0]) == p else { return false }
                }
                let (from, to) = unsafe (p &+ 1, Int(quote[1]))
                unsafe quote += 2
                let key = count
                unsafe Self.put(.key, from, to &- from, at: key, entries)
                count &+= 1
                var bit = unsafe Self.nameBit(start + from, to &- from)
                if Kind.hasEscapes, to > backslash {
                    if unsafe !passEscapes(start, from, to, isKey: true, entry: key, &tape) { return false }
                    if unsafe tape.entries[key].hasEscapes { bit = .max }
                    backslash = unsafe Self.nextBackslash(start, to, size)
                }
                if inner.names & bit != 0, inner.count < Self.sortedMemberCount {
                    tape.count = count
                    unsafe compareNames(before: key, level: level - levels - 1, in: Int(inner.entry), start, &tape)
                }
                inner.names |= bit
                inner.count &+= 1
                p = to &+ 1
                if unsafe start[p] != UInt8(ascii: ":") {
                    unsafe Self.skip(start, &p)
                    guard unsafe start[p] == UInt8(ascii: ":") else { return false }
                }
                p &+= 1
            }

            var byte = unsafe start[p]
            if byte <= 0x20 {
                unsafe Self.skip(start, &p)
                byte = unsafe start[p]
            }
            if byte == UInt8(ascii: "\"") {
                let (from, to) = unsafe (p &+ 1, Int(quote[1]))
                unsafe quote += 2
                unsafe Self.put(.string, from, to &- from, at: count, entries)
                if Kind.hasEscapes, to > backslash {
                    if unsafe !passEscapes(start, from, to, isKey: false, entry: count, &tape) { return false }
                    backslash = unsafe Self.nextBackslash(start, to, size)
                }
                count &+= 1
                p = to &+ 1
            } else if byte | 0x20 == UInt8(ascii: "{") {
                guard unsafe level < levels + Self.maximumDepth else { return false }
                unsafe Self.put(byte == UInt8(ascii: "{") ? .object : .array, p, 0, at: count, entries)
                closer = byte &+ 2
                unsafe level.initialize(to: inner)
                unsafe level += 1
                inner = Level(entry: UInt32(truncatingIfNeeded: count), count: 0, names: 0)
                count &+= 1
                p &+= 1
                if unsafe start[p] <= 0x20 { unsafe Self.skip(start, &p) }
                if unsafe start[p] != closer { continue }
            } else if byte &- UInt8(ascii: "0") < 10 || byte == UInt8(ascii: "-") {
                var isLong = false
                let from = unsafe start + p
                var q = unsafe from
                if unsafe Self.passNumber(&q, start + size, isLong: &isLong) != nil { return false }
                unsafe Self.put(.number, p, q - from, at: count, entries)
                if isLong, unsafe !JSONNumber.isRepresentable(UnsafeBufferPointer(start: from, count: q - from)) {
                    tape.note(.numberOutOfRange, entry: count)
                }
                count &+= 1
                p = unsafe q - start
            } else {
                guard let (kind, length) = unsafe Self.literal(start + p, available: size &- p) else { return false }
                unsafe Self.put(kind, p, length, at: count, entries)
                count &+= 1
                p &+= length
            }

            // After a value: a comma, or closing brackets and then a comma.
            while true {
                var byte = unsafe start[p]
                if byte <= 0x20 {
                    unsafe Self.skip(start, &p)
                    byte = unsafe start[p]
                }
                p &+= 1
                if byte == UInt8(ascii: ",") { break }
                guard byte == closer else { return false }
                let opening = Int(inner.entry)
                unsafe tape.entries[opening].length = UInt32(truncatingIfNeeded: p) &- tape.entries[opening].offset
                unsafe tape.entries[opening].next = UInt32(truncatingIfNeeded: count)
                if inner.count > Self.sortedMemberCount {
                    tape.count = count
                    unsafe noteDuplicatesBySorting(in: opening, start, &tape)
                }
                unsafe level -= 1
                if unsafe level == levels {
                    tape.count = count
                    return p == size
                }
                if p == size { return false }
                inner = unsafe level.pointee
                closer = unsafe tape.entries[Int(inner.entry)].kind == .object ? UInt8(ascii: "}") : UInt8(ascii: "]")
            }
        }
    }

    /// Writes the entry at `index` in two stores.
    @inline(__always)
    private static func put(
        _ kind: JSONTape.Kind, _ offset: Int, _ length: Int, at index: Int, _ entries: UnsafeMutableRawPointer
    ) {
        // SOUND: the caller's index is below the tape's capacity, and an entry has 16 bytes.
        let out = unsafe entries + index &* MemoryLayout<JSONTape.Entry>.stride
        let place = UInt64(truncatingIfNeeded: offset) | UInt64(truncatingIfNeeded: length) &<< 32
        let rest = UInt64(truncatingIfNeeded: index &+ 1) | UInt64(kind.rawValue) &<< 32
        unsafe out.storeBytes(of: place.littleEndian, as: UInt64.self)
        unsafe out.storeBytes(of: rest.littleEndian, toByteOffset: 8, as: UInt64.self)
    }

    /// Skips white space. The first pass found no other control characters.
    @inline(__always)
    private static func skip(_ start: UnsafePointer<UInt8>, _ p: inout Int) {
        // SOUND: the text ends with a bracket, which stops the loop.
        while unsafe start[p] <= 0x20 { p &+= 1 }
    }

    @inline(never)
    private static func nextBackslash(_ start: UnsafePointer<UInt8>, _ from: Int, _ size: Int) -> Int {
        // SOUND: the search stays within the text.
        guard let offset = unsafe Memory.firstOffset(of: 0x5C, in: start + from, count: size - from) else {
            return size
        }
        return from + offset
    }

    /// Checks the escapes of a string that has a backslash before its end, and marks its entry if it has any.
    @inline(never)
    private func passEscapes(
        _ start: UnsafePointer<UInt8>, _ from: Int, _ to: Int, isKey: Bool, entry: Int, _ tape: inout JSONTape
    ) -> Bool {
        // SOUND: `from` and `to` are offsets in the text, with a quote at `to`; `entry` is on the tape.
        var p = unsafe start + from
        // Includes the closing quote: without it, a truncated escape would look like a truncated string.
        let state = unsafe Self.passString(&p, start + to + 1)
        guard unsafe p == start + to, state.fault == nil else { return false }
        if state.isNoteworthy { noteString(state, isKey: isKey, entry: entry, &tape) }
        unsafe tape.entries[entry].hasEscapes = state.hasEscapes
        return true
    }

    /// The literal at `p`; nil when there is none.
    @inline(__always)
    private static func literal(_ p: UnsafePointer<UInt8>, available: Int) -> (JSONTape.Kind, length: Int)? {
        // SOUND: reads five bytes only when five are left. The shortest literal with a bracket has five.
        guard available >= 5 else { return nil }
        switch unsafe UInt32(littleEndian: UnsafeRawPointer(p).loadUnaligned(as: UInt32.self)) {
        case 0x6575_7274: return (.true, 4)  // "true", the first letter lowest
        case 0x6C6C_756E: return (.null, 4)
        case 0x736C_6166: return unsafe p[4] == UInt8(ascii: "e") ? (.false, 5) : nil
        default: return nil
        }
    }
}
