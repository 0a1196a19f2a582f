import CBlockScan

/// Validates a text against RFC 8259 and UTF-8, and fills a `JSONTape`.
///
/// The outermost value can be of any kind. The scanner accepts what RFC 8259 accepts, and notes on the tape what other
/// readers may not support: duplicate keys, numbers beyond 64 bits or a double, lone surrogates.
///
/// An object or array on one line, which is what senders write, is scanned in two passes (`JSONScanner+Blocks`). If
/// those do not accept it, the code in this file scans it byte by byte; only this code decides what is wrong with a
/// text, and where.
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
    /// Offsets of a text's quotes; see `JSONScanner+Blocks`.
    var quotes = QuoteList()
    /// Finds duplicate names where `Level.names` cannot; see `JSONScanner+Duplicates`.
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
