import CPushBlockScan
import PushSystem

/// Validates a text against RFC 8259 and UTF-8, and fills a `JSONTape`.
///
/// The outermost value can be of any kind. The scanner accepts what RFC 8259 accepts, and notes on the tape what other
/// readers may not support: duplicate keys, numbers beyond 64 bits or a double, lone surrogates.
///
/// An object or array on one line, which is what senders write, is scanned in two passes (`scanBlocks`). If those do not
/// accept it, `scanBytes` scans it byte by byte; only that decides what is wrong with a text, and where.
///
/// A scanner can be reused for any number of texts, one at a time. It does not allocate once its tape has grown.
@safe  // SOUND: owns its memory; what it reads is passed to `scan`, which is unsafe.
package struct JSONScanner: ~Copyable {
    /// The deepest nesting of arrays and objects that a text may have.
    package static let maximumDepth = 512

    /// The longest text in bytes: offsets on the tape have 32 bits.
    package static let maximumLength = 1 << 30

    /// In objects with more members than this, duplicates are found by sorting when the object closes.
    static let sortedMemberCount = UInt32(BLOCKSCAN_SORTED_MEMBERS)

    /// An open array or object; C's `blockscan_level`.
    struct Level {
        var entry: UInt32
        /// Members read so far.
        var count: UInt32
        /// A Bloom filter of the member names read so far: if a name's bit is clear, the name is new.
        var names: UInt64
    }

    let levels: UnsafeMutablePointer<Level>
    /// Offsets of a text's quotes, for the fast path.
    var quotes = QuoteList()
    /// Finds duplicate names where `Level.names` cannot.
    var nameHashes = NameHashes()
    /// How the fast path scans; changed only by tests.
    var variant = blockscan_best_variant()
    /// The number of scans so far, which distinguishes this scan's objects from those of earlier ones.
    var scans: UInt64 = 0

    package init() {
        // SOUND: the stack has room for the deepest nesting that a scan accepts.
        unsafe levels = .allocate(capacity: Self.maximumDepth)
    }

    deinit {
        // SOUND: allocated here, and freed once.
        unsafe levels.deallocate()
    }

    /// Scans one text. O(bytes), and O(n log n) in the members of objects of more than 32.
    ///
    /// - Returns: Nil when the text is JSON. After a fault, the contents of the tape are undefined.
    package mutating func scan(_ text: UnsafeRawBufferPointer, into tape: inout JSONTape) -> JSONFault? {
        guard text.count <= Self.maximumLength else { return JSONFault(.unexpectedEnd, at: Self.maximumLength) }
        tape.reset(forByteCount: text.count)
        guard let base = text.baseAddress, text.count > 0 else { return JSONFault(.empty, at: 0) }
        // SOUND: the bytes are only read, as bytes, between `start` and `start + text.count`.
        let start = unsafe base.assumingMemoryBound(to: UInt8.self)
        if unsafe scanBlocks(start, text.count, &tape) { return nil }
        return unsafe scanBytes(start, text.count, &tape)
    }

    /// True if a text is JSON, for callers without a scanner and a tape to reuse. O(bytes).
    package static func accepts(_ text: UnsafeRawBufferPointer) -> Bool {
        // SOUND: the caller vouches for the bytes.
        var scanner = JSONScanner()
        var tape = JSONTape()
        return unsafe scanner.scan(text, into: &tape) == nil
    }

    /// Scans a text byte by byte, its strings eight bytes at a time. Overwrites `tape`, which must have room for the
    /// text.
    mutating func scanBytes(
        _ start: UnsafePointer<UInt8>, _ count: Int, _ tape: inout JSONTape
    ) -> JSONFault? {
        // SOUND: the caller's text has `count` bytes from `start`.
        tape.reset(forByteCount: count)
        scans &+= 1
        return unsafe scan(start, end: start + count, tape: &tape)
    }

    private enum Expectation {
        case value, firstKey, key, firstElement, comma
    }

    private mutating func scan(
        _ start: UnsafePointer<UInt8>, end: UnsafePointer<UInt8>, tape: inout JSONTape
    ) -> JSONFault? {
        var p = unsafe start
        // SOUND: `reset` made room for every entry that a text of this length can have.
        let entries = unsafe tape.entries
        var count = 0
        var depth = 0
        var isObject = false
        var expectation = Expectation.value

        @inline(__always) func offset(_ p: UnsafePointer<UInt8>) -> Int {
            // SOUND: both pointers are into the same text.
            unsafe p - start
        }
        @inline(__always) func fault(_ kind: JSONFault.Kind, _ p: UnsafePointer<UInt8>) -> JSONFault {
            // SOUND: all pointers are into the same text.
            unsafe JSONFault(p == end && kind != .invalidUTF8 ? .unexpectedEnd : kind, at: p - start)
        }

        while true {
            while unsafe p < end, unsafe p.pointee <= 0x20, unsafe Self.isWhitespace(p.pointee) { unsafe p += 1 }
            guard unsafe p < end else { return unsafe JSONFault(count == 0 ? .empty : .unexpectedEnd, at: offset(p)) }
            let byte = unsafe p.pointee

            switch expectation {
            case .comma:
                if byte == UInt8(ascii: ",") {
                    unsafe p += 1
                    expectation = isObject ? .key : .value
                    continue
                }
                guard byte == (isObject ? UInt8(ascii: "}") : UInt8(ascii: "]")) else {
                    return unsafe fault(isObject ? .expectedCommaOrBrace : .expectedCommaOrBracket, p)
                }

            case .firstKey where byte == UInt8(ascii: "}"), .firstElement where byte == UInt8(ascii: "]"):
                break

            case .firstKey, .key:
                guard byte == UInt8(ascii: "\"") else {
                    return unsafe fault(expectation == .key ? .expectedKey : .expectedKeyOrClose, p)
                }
                unsafe p += 1
                let from = unsafe p
                let state = unsafe Self.passString(&p, end)
                guard state.fault == nil else { return unsafe Self.stringFault(state, p, start) }
                let key = count
                unsafe entries[key] = JSONTape.Entry(
                    offset: UInt32(truncatingIfNeeded: from - start), length: UInt32(truncatingIfNeeded: p - from),
                    next: UInt32(truncatingIfNeeded: key + 1), kind: .key, hasEscapes: state.hasEscapes)
                unsafe p += 1
                count += 1
                tape.count = count
                if state.isNoteworthy { noteString(state, isKey: true, entry: key, &tape) }
                unsafe noteName(of: key, level: depth - 1, start, &tape)
                while unsafe p < end, unsafe Self.isWhitespace(p.pointee) { unsafe p += 1 }
                guard unsafe p < end, unsafe p.pointee == UInt8(ascii: ":") else {
                    return unsafe fault(.expectedColon, p)
                }
                unsafe p += 1
                expectation = .value
                continue

            case .value, .firstElement:
                let from = unsafe p
                switch byte {
                case UInt8(ascii: "\""):
                    unsafe p += 1
                    let state = unsafe Self.passString(&p, end)
                    guard state.fault == nil else { return unsafe Self.stringFault(state, p, start) }
                    unsafe entries[count] = JSONTape.Entry(
                        offset: UInt32(truncatingIfNeeded: from + 1 - start),
                        length: UInt32(truncatingIfNeeded: p - from - 1),
                        next: UInt32(truncatingIfNeeded: count + 1), kind: .string, hasEscapes: state.hasEscapes)
                    unsafe p += 1
                    if state.isNoteworthy { noteString(state, isKey: false, entry: count, &tape) }

                case UInt8(ascii: "{"), UInt8(ascii: "["):
                    guard depth < Self.maximumDepth else { return unsafe JSONFault(.tooDeep, at: offset(p)) }
                    isObject = byte == UInt8(ascii: "{")
                    unsafe entries[count] = JSONTape.Entry(
                        offset: UInt32(truncatingIfNeeded: from - start), length: 0, next: 0,
                        kind: isObject ? .object : .array)
                    unsafe levels[depth] = Level(entry: UInt32(truncatingIfNeeded: count), count: 0, names: 0)
                    depth += 1
                    count += 1
                    unsafe p += 1
                    expectation = isObject ? .firstKey : .firstElement
                    continue

                case UInt8(ascii: "-"), UInt8(ascii: "0")...UInt8(ascii: "9"):
                    var isLong = false
                    if let kind = unsafe Self.passNumber(&p, end, isLong: &isLong) { return unsafe fault(kind, p) }
                    unsafe entries[count] = JSONTape.Entry(
                        offset: UInt32(truncatingIfNeeded: from - start), length: UInt32(truncatingIfNeeded: p - from),
                        next: UInt32(truncatingIfNeeded: count + 1), kind: .number)
                    if isLong, unsafe !JSONNumber.isRepresentable(UnsafeBufferPointer(start: from, count: p - from)) {
                        tape.note(.numberOutOfRange, entry: count)
                    }

                case UInt8(ascii: "t"), UInt8(ascii: "f"), UInt8(ascii: "n"):
                    let kind: JSONTape.Kind =
                        byte == UInt8(ascii: "t") ? .true : byte == UInt8(ascii: "f") ? .false : .null
                    let literal: StaticString = kind == .true ? "true" : kind == .false ? "false" : "null"
                    let length = literal.utf8CodeUnitCount
                    var matched = 1
                    while matched < length, unsafe p + matched < end, unsafe p[matched] == literal.utf8Start[matched] {
                        matched += 1
                    }
                    guard matched == length else { return unsafe fault(.invalidLiteral, p + matched) }
                    unsafe p += length
                    unsafe entries[count] = JSONTape.Entry(
                        offset: UInt32(truncatingIfNeeded: from - start), length: UInt32(truncatingIfNeeded: length),
                        next: UInt32(truncatingIfNeeded: count + 1), kind: kind)

                default:
                    return unsafe fault(.expectedValue, p)
                }
                count += 1
                if depth == 0 { return unsafe finish(&p, end, start, count, &tape) }
                expectation = .comma
                continue
            }

            // Here `byte` closes the innermost array or object.
            unsafe p += 1
            depth -= 1
            let level = unsafe levels[depth]
            let opening = Int(level.entry)
            unsafe entries[opening].length = UInt32(truncatingIfNeeded: offset(p)) - entries[opening].offset
            unsafe entries[opening].next = UInt32(truncatingIfNeeded: count)
            tape.count = count
            if level.count > Self.sortedMemberCount { unsafe noteDuplicatesBySorting(in: opening, start, &tape) }
            if depth == 0 { return unsafe finish(&p, end, start, count, &tape) }
            isObject = unsafe entries[Int(levels[depth - 1].entry)].kind == .object
            expectation = .comma
        }
    }

    private func finish(
        _ p: inout UnsafePointer<UInt8>, _ end: UnsafePointer<UInt8>, _ start: UnsafePointer<UInt8>, _ count: Int,
        _ tape: inout JSONTape
    ) -> JSONFault? {
        // SOUND: `p` is compared with `end` before each read.
        tape.count = count
        while unsafe p < end, unsafe Self.isWhitespace(p.pointee) { unsafe p += 1 }
        return unsafe p == end ? nil : JSONFault(.trailingContent, at: p - start)
    }

    @inlinable
    @inline(__always)
    package static func isWhitespace(_ byte: UInt8) -> Bool {
        byte == 0x20 || byte == 0x0A || byte == 0x0D || byte == 0x09
    }
}

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

// The fast path: two passes over an object or array without control characters outside its strings.
//
// The first pass processes 64 bytes at a time. It lists the unescaped quotes and checks that the text is valid UTF-8
// without control characters. The second pass walks from token to token, and jumps from a string's opening quote to its
// closing one. Both are in C (`CPushBlockScan`). The walk stops after an object whose names have to be compared, which is
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

// Strings and numbers, which the bytewise scan and the fast path share.

// MARK: - Strings

extension JSONScanner {
    struct StringState {
        var fault: JSONFault.Kind?
        var hasEscapes = false
        var hasLoneSurrogate = false
        var hasNUL = false

        var isNoteworthy: Bool { hasLoneSurrogate || hasNUL }
    }

    static func stringFault(
        _ state: StringState, _ p: UnsafePointer<UInt8>, _ start: UnsafePointer<UInt8>
    ) -> JSONFault {
        // SOUND: both pointers are into the same text.
        unsafe JSONFault(state.fault ?? .unterminatedString, at: p - start)
    }

    /// Finds the bytes that end a plain run inside a string, and sets the top bit of each: `"`, `\`, below 0x20, and
    /// not ASCII.
    ///
    /// The subtraction borrows from higher bytes, so only the lowest set bit is reliable; only that one is used.
    @inline(__always)
    private static func special(_ word: UInt64) -> UInt64 {
        let ones: UInt64 = 0x0101_0101_0101_0101
        let quote = word ^ (ones &* 0x22)
        let backslash = word ^ (ones &* 0x5C)
        let isQuote = (quote &- ones) & ~quote
        let isBackslash = (backslash &- ones) & ~backslash
        let isControl = (word &- (ones &* 0x20)) & ~word
        return (isQuote | isBackslash | isControl | word) & (ones &* 0x80)
    }

    /// Moves `p` from the first byte after the opening quote to the closing quote, or to the invalid byte.
    @inline(__always)
    static func passString(_ p: inout UnsafePointer<UInt8>, _ end: UnsafePointer<UInt8>) -> StringState {
        var state = StringState()
        while true {
            // SOUND: reads eight bytes only when eight are left.
            while unsafe end - p >= 8 {
                let word = unsafe UInt64(littleEndian: UnsafeRawPointer(p).loadUnaligned(as: UInt64.self))
                let found = special(word)
                if found != 0 {
                    unsafe p += found.trailingZeroBitCount >> 3
                    break
                }
                unsafe p += 8
            }
            guard unsafe p < end else {
                state.fault = .unterminatedString
                return state
            }
            let byte = unsafe p.pointee
            if byte == UInt8(ascii: "\"") { return state }
            if byte >= 0x80 {
                repeat {
                    let length = unsafe UTF8Sequence.multiByteLength(p, available: end - p)
                    guard length > 0 else {
                        state.fault = .invalidUTF8
                        return state
                    }
                    unsafe p += length
                } while unsafe p < end && p.pointee >= 0x80
            } else if byte == UInt8(ascii: "\\") {
                unsafe passEscape(&p, end, &state)
                if state.fault != nil { return state }
            } else if byte < 0x20 {
                state.fault = .controlCharacter
                return state
            } else {
                unsafe p += 1  // fewer than eight bytes are left
            }
        }
    }

    /// Moves `p` from a backslash past the escape, or to the invalid byte.
    private static func passEscape(
        _ p: inout UnsafePointer<UInt8>, _ end: UnsafePointer<UInt8>, _ state: inout StringState
    ) {
        // SOUND: `p` is compared with `end` before each read, and is passed on only from a byte that was read.
        state.hasEscapes = true
        unsafe p += 1
        guard unsafe p < end else {
            state.fault = .unterminatedString
            return
        }
        switch unsafe p.pointee {
        case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"), UInt8(ascii: "b"), UInt8(ascii: "f"),
            UInt8(ascii: "n"), UInt8(ascii: "r"), UInt8(ascii: "t"):
            unsafe p += 1
        case UInt8(ascii: "u"):
            unsafe p += 1
            guard let unit = unsafe passFourDigits(&p, end) else {
                state.fault = unsafe p < end ? .invalidUnicodeEscape : .unterminatedString
                return
            }
            if unit == 0 { state.hasNUL = true }
            guard unit & 0xF800 == 0xD800 else { return }
            // A high surrogate must be followed by an escaped low one. If it is not, what follows is read again as
            // text.
            if unit < 0xDC00, unsafe end - p >= 6, unsafe p[0] == UInt8(ascii: "\\"), unsafe p[1] == UInt8(ascii: "u") {
                var low = unsafe p + 2
                if let second = unsafe passFourDigits(&low, end), second & 0xFC00 == 0xDC00 {
                    unsafe p = low
                    return
                }
            }
            state.hasLoneSurrogate = true
        default:
            state.fault = .invalidEscape
        }
    }

    private static func passFourDigits(_ p: inout UnsafePointer<UInt8>, _ end: UnsafePointer<UInt8>) -> UInt32? {
        // SOUND: `p` is compared with `end` before each read.
        var value: UInt32 = 0
        for _ in 0..<4 {
            guard unsafe p < end, let digit = unsafe p.pointee.hexadecimalDigit else { return nil }
            value = value << 4 | UInt32(digit)
            unsafe p += 1
        }
        return value
    }

    func noteString(_ state: StringState, isKey: Bool, entry: Int, _ tape: inout JSONTape) {
        if state.hasLoneSurrogate { tape.note(.loneSurrogate, entry: entry) }
        if isKey, state.hasNUL { tape.note(.nulInKey, entry: entry) }
    }
}

// MARK: - Numbers

extension JSONScanner {
    /// Moves `p` past a number, or to the invalid byte. Sets `isLong` when the number may not fit in 64 bits or a
    /// double.
    @inline(__always)
    static func passNumber(
        _ p: inout UnsafePointer<UInt8>, _ end: UnsafePointer<UInt8>, isLong: inout Bool
    ) -> JSONFault.Kind? {
        // SOUND: `p` is below `end` on entry, and is compared with it before each later read.
        let from = unsafe p
        if unsafe p.pointee == UInt8(ascii: "-") { unsafe p += 1 }
        guard unsafe p < end, unsafe p.pointee.isDigit else { return .invalidNumber }
        if unsafe p.pointee == UInt8(ascii: "0") {
            unsafe p += 1
            if unsafe p < end, unsafe p.pointee.isDigit { return .leadingZero }
        } else {
            repeat { unsafe p += 1 } while unsafe p < end && p.pointee.isDigit
        }
        if unsafe p < end, unsafe p.pointee == UInt8(ascii: ".") {
            unsafe p += 1
            guard unsafe p < end, unsafe p.pointee.isDigit else { return .invalidNumber }
            repeat { unsafe p += 1 } while unsafe p < end && p.pointee.isDigit
        }
        if unsafe p < end, unsafe p.pointee | 0x20 == UInt8(ascii: "e") {
            isLong = true
            unsafe p += 1
            if unsafe p < end, unsafe p.pointee == UInt8(ascii: "+") || p.pointee == UInt8(ascii: "-") { unsafe p += 1 }
            guard unsafe p < end, unsafe p.pointee.isDigit else { return .invalidNumber }
            repeat { unsafe p += 1 } while unsafe p < end && p.pointee.isDigit
        }
        if unsafe p - from > 18 { isLong = true }
        return nil
    }
}
