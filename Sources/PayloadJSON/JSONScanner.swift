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
public struct JSONScanner: ~Copyable {
    /// The deepest nesting of arrays and objects that a text may have.
    public static let maximumDepth = 512

    /// The longest text in bytes: offsets on the tape have 32 bits.
    public static let maximumLength = 1 << 30

    /// In objects with more members than this, duplicates are found by sorting when the object closes.
    static let sortedMemberCount: UInt32 = 32

    /// An open array or object.
    struct Level {
        /// Index of its entry on the tape.
        var entry: UInt32
        /// Members read so far.
        var count: UInt32
        /// A Bloom filter of the member names read so far: if a name's bit is clear, the name is new.
        var names: UInt64
    }

    let levels: UnsafeMutablePointer<Level>
    /// Offsets of the text's quotes; see `JSONScanner+Blocks`.
    var quotes = QuoteList()
    /// Finds duplicate names where `Level.names` cannot; see `JSONScanner+Duplicates`.
    var nameHashes = NameHashes()
    /// The number of scans so far, which distinguishes this scan's objects from those of earlier ones.
    var scans: UInt64 = 0

    /// Creates a scanner.
    public init() {
        levels = .allocate(capacity: Self.maximumDepth)
    }

    deinit { levels.deallocate() }

    /// Scans one text. O(bytes), and O(n log n) in the members of objects of more than 32.
    ///
    /// - Returns: Nil when the text is JSON. After a fault, the contents of the tape are undefined.
    public mutating func scan(_ text: UnsafeRawBufferPointer, into tape: inout JSONTape) -> JSONFault? {
        guard text.count <= Self.maximumLength else { return JSONFault(.unexpectedEnd, at: Self.maximumLength) }
        tape.reset(forByteCount: text.count)
        guard let base = text.baseAddress, text.count > 0 else { return JSONFault(.empty, at: 0) }
        // SOUND: the bytes are only read, as bytes, between `start` and `start + text.count`.
        let start = base.assumingMemoryBound(to: UInt8.self)
        if scanBlocks(start, text.count, &tape) { return nil }
        return scanBytes(start, text.count, &tape)
    }

    /// Scans a text byte by byte, its strings eight bytes at a time. Overwrites `tape`, which must have room for the
    /// text.
    mutating func scanBytes(
        _ start: UnsafePointer<UInt8>, _ count: Int, _ tape: inout JSONTape
    ) -> JSONFault? {
        tape.reset(forByteCount: count)
        scans &+= 1
        return scan(start, end: start + count, tape: &tape)
    }

    private enum Expectation {
        case value, firstKey, key, firstElement, comma
    }

    private mutating func scan(
        _ start: UnsafePointer<UInt8>, end: UnsafePointer<UInt8>, tape: inout JSONTape
    ) -> JSONFault? {
        var p = start
        // SOUND: `reset` made room for every entry that a text of this length can have.
        let entries = tape.entries
        var count = 0
        var depth = 0
        var isObject = false
        var expectation = Expectation.value

        @inline(__always) func offset(_ p: UnsafePointer<UInt8>) -> Int { p - start }
        @inline(__always) func fault(_ kind: JSONFault.Kind, _ p: UnsafePointer<UInt8>) -> JSONFault {
            JSONFault(p == end && kind != .invalidUTF8 ? .unexpectedEnd : kind, at: p - start)
        }

        while true {
            while p < end, p.pointee <= 0x20, Self.isWhitespace(p.pointee) { p += 1 }
            guard p < end else { return JSONFault(count == 0 ? .empty : .unexpectedEnd, at: offset(p)) }
            let byte = p.pointee

            switch expectation {
            case .comma:
                if byte == UInt8(ascii: ",") {
                    p += 1
                    expectation = isObject ? .key : .value
                    continue
                }
                guard byte == (isObject ? UInt8(ascii: "}") : UInt8(ascii: "]")) else {
                    return fault(isObject ? .expectedCommaOrBrace : .expectedCommaOrBracket, p)
                }

            case .firstKey where byte == UInt8(ascii: "}"), .firstElement where byte == UInt8(ascii: "]"):
                break

            case .firstKey, .key:
                guard byte == UInt8(ascii: "\"") else {
                    return fault(expectation == .key ? .expectedKey : .expectedKeyOrClose, p)
                }
                p += 1
                let from = p
                let state = Self.passString(&p, end)
                guard state.fault == nil else { return Self.stringFault(state, p, start) }
                let key = count
                entries[key] = JSONTape.Entry(
                    offset: UInt32(truncatingIfNeeded: from - start), length: UInt32(truncatingIfNeeded: p - from),
                    next: UInt32(truncatingIfNeeded: key + 1), kind: .key, hasEscapes: state.hasEscapes)
                p += 1
                count += 1
                tape.count = count
                if state.isNoteworthy { noteString(state, isKey: true, entry: key, &tape) }
                noteName(of: key, level: depth - 1, start, &tape)
                while p < end, Self.isWhitespace(p.pointee) { p += 1 }
                guard p < end, p.pointee == UInt8(ascii: ":") else { return fault(.expectedColon, p) }
                p += 1
                expectation = .value
                continue

            case .value, .firstElement:
                let from = p
                switch byte {
                case UInt8(ascii: "\""):
                    p += 1
                    let state = Self.passString(&p, end)
                    guard state.fault == nil else { return Self.stringFault(state, p, start) }
                    entries[count] = JSONTape.Entry(
                        offset: UInt32(truncatingIfNeeded: from + 1 - start),
                        length: UInt32(truncatingIfNeeded: p - from - 1),
                        next: UInt32(truncatingIfNeeded: count + 1), kind: .string, hasEscapes: state.hasEscapes)
                    p += 1
                    if state.isNoteworthy { noteString(state, isKey: false, entry: count, &tape) }

                case UInt8(ascii: "{"), UInt8(ascii: "["):
                    guard depth < Self.maximumDepth else { return JSONFault(.tooDeep, at: offset(p)) }
                    isObject = byte == UInt8(ascii: "{")
                    entries[count] = JSONTape.Entry(
                        offset: UInt32(truncatingIfNeeded: from - start), length: 0, next: 0,
                        kind: isObject ? .object : .array)
                    levels[depth] = Level(entry: UInt32(truncatingIfNeeded: count), count: 0, names: 0)
                    depth += 1
                    count += 1
                    p += 1
                    expectation = isObject ? .firstKey : .firstElement
                    continue

                case UInt8(ascii: "-"), UInt8(ascii: "0")...UInt8(ascii: "9"):
                    var isLong = false
                    if let kind = Self.passNumber(&p, end, isLong: &isLong) { return fault(kind, p) }
                    entries[count] = JSONTape.Entry(
                        offset: UInt32(truncatingIfNeeded: from - start), length: UInt32(truncatingIfNeeded: p - from),
                        next: UInt32(truncatingIfNeeded: count + 1), kind: .number)
                    if isLong, !JSONNumber.isRepresentable(UnsafeBufferPointer(start: from, count: p - from)) {
                        tape.note(.numberOutOfRange, entry: count)
                    }

                case UInt8(ascii: "t"), UInt8(ascii: "f"), UInt8(ascii: "n"):
                    let kind: JSONTape.Kind =
                        byte == UInt8(ascii: "t") ? .true : byte == UInt8(ascii: "f") ? .false : .null
                    let literal: StaticString = kind == .true ? "true" : kind == .false ? "false" : "null"
                    let length = literal.utf8CodeUnitCount
                    var matched = 1
                    while matched < length, p + matched < end, p[matched] == literal.utf8Start[matched] { matched += 1 }
                    guard matched == length else { return fault(.invalidLiteral, p + matched) }
                    p += length
                    entries[count] = JSONTape.Entry(
                        offset: UInt32(truncatingIfNeeded: from - start), length: UInt32(truncatingIfNeeded: length),
                        next: UInt32(truncatingIfNeeded: count + 1), kind: kind)

                default:
                    return fault(.expectedValue, p)
                }
                count += 1
                if depth == 0 { return finish(&p, end, start, count, &tape) }
                expectation = .comma
                continue
            }

            // Here `byte` closes the innermost array or object.
            p += 1
            depth -= 1
            let level = levels[depth]
            let opening = Int(level.entry)
            entries[opening].length = UInt32(truncatingIfNeeded: offset(p)) - entries[opening].offset
            entries[opening].next = UInt32(truncatingIfNeeded: count)
            tape.count = count
            if level.count > Self.sortedMemberCount { noteDuplicatesBySorting(in: opening, start, &tape) }
            if depth == 0 { return finish(&p, end, start, count, &tape) }
            isObject = entries[Int(levels[depth - 1].entry)].kind == .object
            expectation = .comma
        }
    }

    private func finish(
        _ p: inout UnsafePointer<UInt8>, _ end: UnsafePointer<UInt8>, _ start: UnsafePointer<UInt8>, _ count: Int,
        _ tape: inout JSONTape
    ) -> JSONFault? {
        tape.count = count
        while p < end, Self.isWhitespace(p.pointee) { p += 1 }
        return p == end ? nil : JSONFault(.trailingContent, at: p - start)
    }

    @inline(__always)
    static func isWhitespace(_ byte: UInt8) -> Bool {
        byte == 0x20 || byte == 0x0A || byte == 0x0D || byte == 0x09
    }
}

// MARK: - Strings

extension JSONScanner {
    struct StringState {
        var fault: JSONFault.Kind?
        var hasEscapes = false
        var hasLoneSurrogate = false
        var hasNUL = false

        var isNoteworthy: Bool { hasLoneSurrogate || hasNUL }
    }

    private static func stringFault(
        _ state: StringState, _ p: UnsafePointer<UInt8>, _ start: UnsafePointer<UInt8>
    ) -> JSONFault {
        JSONFault(state.fault ?? .unterminatedString, at: p - start)
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
            while end - p >= 8 {
                let word = UInt64(littleEndian: UnsafeRawPointer(p).loadUnaligned(as: UInt64.self))
                let found = special(word)
                if found != 0 {
                    p += found.trailingZeroBitCount >> 3
                    break
                }
                p += 8
            }
            guard p < end else {
                state.fault = .unterminatedString
                return state
            }
            let byte = p.pointee
            if byte == UInt8(ascii: "\"") { return state }
            if byte >= 0x80 {
                repeat {
                    let length = UTF8Sequence.multiByteLength(p, available: end - p)
                    guard length > 0 else {
                        state.fault = .invalidUTF8
                        return state
                    }
                    p += length
                } while p < end && p.pointee >= 0x80
            } else if byte == UInt8(ascii: "\\") {
                passEscape(&p, end, &state)
                if state.fault != nil { return state }
            } else if byte < 0x20 {
                state.fault = .controlCharacter
                return state
            } else {
                p += 1  // fewer than eight bytes are left
            }
        }
    }

    /// Moves `p` from a backslash past the escape, or to the invalid byte.
    private static func passEscape(
        _ p: inout UnsafePointer<UInt8>, _ end: UnsafePointer<UInt8>, _ state: inout StringState
    ) {
        state.hasEscapes = true
        p += 1
        guard p < end else {
            state.fault = .unterminatedString
            return
        }
        switch p.pointee {
        case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"), UInt8(ascii: "b"), UInt8(ascii: "f"),
            UInt8(ascii: "n"), UInt8(ascii: "r"), UInt8(ascii: "t"):
            p += 1
        case UInt8(ascii: "u"):
            p += 1
            guard let unit = passFourDigits(&p, end) else {
                state.fault = p < end ? .invalidUnicodeEscape : .unterminatedString
                return
            }
            if unit == 0 { state.hasNUL = true }
            guard unit & 0xF800 == 0xD800 else { return }
            // A high surrogate must be followed by an escaped low one. If it is not, what follows is read again as
            // text.
            if unit < 0xDC00, end - p >= 6, p[0] == UInt8(ascii: "\\"), p[1] == UInt8(ascii: "u") {
                var low = p + 2
                if let second = passFourDigits(&low, end), second & 0xFC00 == 0xDC00 {
                    p = low
                    return
                }
            }
            state.hasLoneSurrogate = true
        default:
            state.fault = .invalidEscape
        }
    }

    private static func passFourDigits(_ p: inout UnsafePointer<UInt8>, _ end: UnsafePointer<UInt8>) -> UInt32? {
        var value: UInt32 = 0
        for _ in 0..<4 {
            guard p < end, let digit = hexadecimalDigit(p.pointee) else { return nil }
            value = value << 4 | digit
            p += 1
        }
        return value
    }

    func noteString(_ state: StringState, isKey: Bool, entry: Int, _ tape: inout JSONTape) {
        if state.hasLoneSurrogate { tape.note(.loneSurrogate, entry: entry) }
        if isKey, state.hasNUL { tape.note(.nulInKey, entry: entry) }
    }
}

@inlinable
package func hexadecimalDigit(_ byte: UInt8) -> UInt32? {
    switch byte {
    case UInt8(ascii: "0")...UInt8(ascii: "9"): UInt32(byte &- UInt8(ascii: "0"))
    case UInt8(ascii: "a")...UInt8(ascii: "f"): UInt32(byte &- UInt8(ascii: "a") &+ 10)
    case UInt8(ascii: "A")...UInt8(ascii: "F"): UInt32(byte &- UInt8(ascii: "A") &+ 10)
    default: nil
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
        let from = p
        if p.pointee == UInt8(ascii: "-") { p += 1 }
        guard p < end, isDigit(p.pointee) else { return .invalidNumber }
        if p.pointee == UInt8(ascii: "0") {
            p += 1
            if p < end, isDigit(p.pointee) { return .leadingZero }
        } else {
            repeat { p += 1 } while p < end && isDigit(p.pointee)
        }
        if p < end, p.pointee == UInt8(ascii: ".") {
            p += 1
            guard p < end, isDigit(p.pointee) else { return .invalidNumber }
            repeat { p += 1 } while p < end && isDigit(p.pointee)
        }
        if p < end, p.pointee | 0x20 == UInt8(ascii: "e") {
            isLong = true
            p += 1
            if p < end, p.pointee == UInt8(ascii: "+") || p.pointee == UInt8(ascii: "-") { p += 1 }
            guard p < end, isDigit(p.pointee) else { return .invalidNumber }
            repeat { p += 1 } while p < end && isDigit(p.pointee)
        }
        if p - from > 18 { isLong = true }
        return nil
    }

    @inline(__always)
    private static func isDigit(_ byte: UInt8) -> Bool { byte &- UInt8(ascii: "0") < 10 }
}
