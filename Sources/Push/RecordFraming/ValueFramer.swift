/// Finds the end of a JSON value in a stream of values by its brackets and quotes; the scanner decides whether it is
/// JSON.
///
/// It resynchronizes after a broken value: a line feed ends an unterminated string, and a `{` in the first column,
/// where no value may begin, starts the next record. So an unbalanced record rarely affects its neighbors.
struct ValueFramer {
    enum Result: Equatable {
        /// A whole value, or bytes that cannot be one.
        case value(Range<Int>)
        /// A value begins at this position and has not ended.
        case partial(start: Int)
        /// Only white space.
        case blank
    }

    /// Relaxed JSON: single quotes enclose strings too.
    var quotesSingle = false
    /// The values are elements of an array: a comma or the array's bracket ends one that is a number, a string or a word.
    var areElements = false

    private var index = 0
    private var start = 0
    private var hasBegun = false
    private var isScalar = false
    private var depth = 0
    /// The quote that ends the current string; 0 outside strings.
    private var quote: UInt8 = 0
    private var isEscaped = false
    private var isAtLineStart = true
    /// The last byte outside strings that is not white space.
    private var previous: UInt8 = 0
    /// Which of the innermost 64 open brackets are square, the innermost one in the lowest bit.
    private var arrays: UInt64 = 0

    /// True if no value has begun.
    var isBetweenValues: Bool { !hasBegun }

    mutating func restart() {
        let (quotesSingle, areElements) = (quotesSingle, areElements)
        self = ValueFramer()
        self.quotesSingle = quotesSingle
        self.areElements = areElements
        isAtLineStart = false
    }

    /// Adjusts to the caller dropping the first bytes: all that have been examined, unless a count is given.
    mutating func forgetBytes(_ count: Int? = nil) {
        let count = count ?? index
        index -= count
        start = max(start - count, 0)
    }

    mutating func next(in bytes: UnsafeRawBufferPointer, isEnd: Bool) -> Result {
        // SOUND: `index` is compared with `bytes.count`.
        while index < bytes.count {
            let byte = unsafe bytes[index]
            if quote != 0 {
                passInsideString(byte)
            } else if !hasBegun {
                if !Self.isWhitespace(byte) {
                    begin(with: byte)
                } else if byte == UInt8(ascii: "\n") {
                    isAtLineStart = true
                }
            } else if isScalar {
                if byte == UInt8(ascii: "\n") || byte == UInt8(ascii: "{") || byte == UInt8(ascii: "[")
                    || areElements && (byte == UInt8(ascii: ",") || byte == UInt8(ascii: "]"))
                {
                    return .value(start..<index)
                }
                if isQuote(byte) { quote = byte }
            } else if byte == UInt8(ascii: "{"), isAtLineStart, !mayBeginValue {
                return .value(start..<index)
            } else if pass(byte) {
                return .value(start..<index + 1)
            }
            if byte != UInt8(ascii: "\n") { isAtLineStart = false }
            index += 1
        }
        guard hasBegun else { return .blank }
        return isEnd ? .value(start..<bytes.count) : .partial(start: start)
    }

    private mutating func begin(with byte: UInt8) {
        hasBegun = true
        start = index
        if byte == UInt8(ascii: "{") || byte == UInt8(ascii: "[") {
            depth = 1
            arrays = byte == UInt8(ascii: "[") ? 1 : 0
            previous = byte
        } else {
            isScalar = true
            if isQuote(byte) { quote = byte }
        }
    }

    private mutating func passInsideString(_ byte: UInt8) {
        if byte == UInt8(ascii: "\n") {
            quote = 0
            isEscaped = false
            isAtLineStart = true
        } else if isEscaped {
            isEscaped = false
        } else if byte == UInt8(ascii: "\\") {
            isEscaped = true
        } else if byte == quote {
            quote = 0
        }
    }

    /// Processes a byte outside strings. True if it closes the outermost bracket.
    private mutating func pass(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "{"), UInt8(ascii: "["):
            depth += 1
            arrays = arrays << 1 | (byte == UInt8(ascii: "[") ? 1 : 0)
        case UInt8(ascii: "}"), UInt8(ascii: "]"):
            depth -= 1
            arrays >>= 1
            if depth == 0 { return true }
        case UInt8(ascii: "\n"): isAtLineStart = true
        case _ where isQuote(byte): quote = byte
        default: break
        }
        if !Self.isWhitespace(byte) { previous = byte }
        return false
    }

    private var mayBeginValue: Bool {
        previous == UInt8(ascii: ":") || previous == UInt8(ascii: "[")
            || (previous == UInt8(ascii: ",") && arrays & 1 == 1)
    }

    private func isQuote(_ byte: UInt8) -> Bool {
        byte == UInt8(ascii: "\"") || (quotesSingle && byte == UInt8(ascii: "'"))
    }

    static func isWhitespace(_ byte: UInt8) -> Bool {
        byte == 0x20 || byte == 0x0A || byte == 0x0D || byte == 0x09
    }
}
