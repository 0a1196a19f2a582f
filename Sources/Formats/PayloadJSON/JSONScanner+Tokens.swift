import PushSystem

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
        guard unsafe p < end, unsafe isDigit(p.pointee) else { return .invalidNumber }
        if unsafe p.pointee == UInt8(ascii: "0") {
            unsafe p += 1
            if unsafe p < end, unsafe isDigit(p.pointee) { return .leadingZero }
        } else {
            repeat { unsafe p += 1 } while unsafe p < end && isDigit(p.pointee)
        }
        if unsafe p < end, unsafe p.pointee == UInt8(ascii: ".") {
            unsafe p += 1
            guard unsafe p < end, unsafe isDigit(p.pointee) else { return .invalidNumber }
            repeat { unsafe p += 1 } while unsafe p < end && isDigit(p.pointee)
        }
        if unsafe p < end, unsafe p.pointee | 0x20 == UInt8(ascii: "e") {
            isLong = true
            unsafe p += 1
            if unsafe p < end, unsafe p.pointee == UInt8(ascii: "+") || p.pointee == UInt8(ascii: "-") { unsafe p += 1 }
            guard unsafe p < end, unsafe isDigit(p.pointee) else { return .invalidNumber }
            repeat { unsafe p += 1 } while unsafe p < end && isDigit(p.pointee)
        }
        if unsafe p - from > 18 { isLong = true }
        return nil
    }

    @inline(__always)
    private static func isDigit(_ byte: UInt8) -> Bool { byte &- UInt8(ascii: "0") < 10 }
}
