import PushJSON
public import PushSystem

/// The state of a framer between two frames.
package struct FramerStanding: Equatable {
    /// `auto` until the framing has been detected.
    package var framing: Framing
    /// True if the rest of a record over the limit is still to be dropped.
    package var isDropping: Bool
    /// True within an array, false after one; nil if that is not known.
    package var isInArray: Bool?

    package init(framing: Framing, isDropping: Bool, isInArray: Bool? = nil) {
        self.framing = framing
        self.isDropping = isDropping
        self.isInArray = isInArray
    }
}

/// Finds records in the bytes of an input.
///
/// A pure state machine. The caller passes all bytes that it has not been told to drop, any number of times, and says
/// whether more may come; each byte is examined once, however the bytes arrive. A framer reads one input, on one
/// thread.
@usableFromInline package struct Framer {
    @usableFromInline var framing: Framing
    /// The longest record in bytes, without its separator. Enforced only here.
    @usableFromInline let maximumRecordBytes: Int
    private let acceptsRelaxedJSON: Bool
    @usableFromInline var isAtBeginning = true
    /// Number of bytes already searched that hold no separator.
    @usableFromInline var searched = 0
    /// Number of bytes at the beginning of the next call's that are known to hold no separator of RFC 7464.
    private var unseparated = 0
    /// True if the rest of a record over the limit is being dropped.
    @usableFromInline var isDropping = false
    /// True if the input is a compressed file or the like, whose beginning is its only record.
    @usableFromInline var isContainer = false
    private var value = ValueFramer()
    /// True within an array, false after one; nil at the beginning, and after what is not one.
    private var isInArray: Bool?
    /// True while everything up to the next object is dropped, because an element of an array is not a JSON value.
    private var resynchronizes = false
    private var detector = FramingDetector()

    package init(_ framing: Framing, maximumRecordBytes: Int, acceptsRelaxedJSON: Bool = false) {
        self.framing = framing
        self.maximumRecordBytes = maximumRecordBytes
        self.acceptsRelaxedJSON = acceptsRelaxedJSON
        value.quotesSingle = acceptsRelaxedJSON
    }

    /// The state that another framer needs to continue here.
    ///
    /// In a compressed file it is that of a value which is too long and does not end, because what resumes inside a value begins by looking
    /// at what was read before.
    package var standing: FramerStanding {
        FramerStanding(
            framing: isContainer ? .json : framing, isDropping: isContainer || isDropping, isInArray: isInArray)
    }

    /// Continues where another framer stopped, at the end of a frame.
    package mutating func resume(_ standing: FramerStanding) {
        framing = standing.framing
        isDropping = standing.isDropping
        isInArray = standing.isInArray
        isAtBeginning = false
        value.restart()
    }

    /// Finds the next frame at the beginning of `bytes`. Pass true as `isEnd` when no more bytes will follow.
    package mutating func next(in bytes: UnsafeRawBufferPointer, isEnd: Bool) -> Frame {
        // SOUND: the caller keeps `bytes` alive during the call; nothing is read past them.
        if isAtBeginning {
            if bytes.count < 3, !isEnd { return .needsMore }
            switch unsafe ForeignText.beginning(of: bytes, isEnd: isEnd) {
            case .records: isAtBeginning = false
            case .undecided: return .needsMore
            case .container(let length):
                isAtBeginning = false
                isContainer = true
                return length > maximumRecordBytes
                    ? .tooLong(start: 0, consumed: length) : .record(0..<length, consumed: length)
            }
            if unsafe bytes.starts(with: [0xEF, 0xBB, 0xBF]) { return .skip(consumed: 3) }
        }
        if isContainer { return bytes.count > 0 ? .skip(consumed: bytes.count) : isEnd ? .end : .needsMore }
        if framing == .auto {
            // Blanks before the first record say nothing about the framing, and need not be kept.
            let blank = unsafe bytes.prefix(while: JSONScanner.isWhitespace).count
            if blank > 0 { return .skip(consumed: blank) }
            guard
                let detected = unsafe detector.framing(
                    of: bytes, isEnd: isEnd, limit: maximumRecordBytes, acceptsRelaxedJSON: acceptsRelaxedJSON)
            else { return .needsMore }
            framing = detected
        }
        switch framing {
        case .json: return unsafe nextValue(in: bytes, isEnd: isEnd)
        case .array: return unsafe nextElement(in: bytes, isEnd: isEnd)
        case .seq: return unsafe nextInSequence(bytes, isEnd: isEnd)
        case .nul: return unsafe nextSeparated(by: 0, in: bytes, isEnd: isEnd)
        case .ndjson, .auto:
            if isAmongLines, let line = unsafe wholeLine(in: bytes) {
                return .record(0..<line.end, consumed: line.consumed)
            }
            return unsafe nextSeparated(by: UInt8(ascii: "\n"), in: bytes, isEnd: isEnd)
        }
    }

    // MARK: - Lines and NUL

    /// True if the next frame may be a whole line.
    @inlinable
    package var isAmongLines: Bool {
        framing == .ndjson && !isAtBeginning && !isContainer && !isDropping && searched == 0
    }

    /// The hot path of a caller that is among lines: a whole line within the limit that begins with a brace. It is what `next`
    /// finds, which need not be called then. Nil for any other line.
    ///
    /// - Returns: where the record ends, and how many bytes it has with what separates it from the next one.
    @inlinable
    @inline(__always)
    package func wholeLine(in bytes: UnsafeRawBufferPointer) -> (end: Int, consumed: Int)? {
        // SOUND: the line feed is within the bytes, after the brace, so there is a byte before it.
        guard let base = bytes.baseAddress, bytes.count > 0,
            unsafe base.load(as: UInt8.self) == UInt8(ascii: "{"),
            let newline = unsafe Memory.firstOffset(of: UInt8(ascii: "\n"), in: base, count: bytes.count)
        else { return nil }
        let hasReturn = unsafe base.load(fromByteOffset: newline &- 1, as: UInt8.self) == UInt8(ascii: "\r")
        let end = hasReturn ? newline &- 1 : newline
        return end <= maximumRecordBytes ? (end, newline &+ 1) : nil
    }

    private mutating func nextSeparated(by separator: UInt8, in bytes: UnsafeRawBufferPointer, isEnd: Bool) -> Frame {
        // SOUND: the position and `bytes.count` are not past the end.
        if !isDropping, searched == 0, unsafe bytes.first == separator {
            // Nothing is between them, however many there are: /dev/zero has no other bytes.
            var count = 1
            while count < bytes.count, unsafe bytes[count] == separator { count += 1 }
            return .skip(consumed: count)
        }
        guard let end = unsafe position(of: separator, in: bytes) else {
            if isDropping {
                if isEnd, unsafe bytes.isEmpty { return .end }
                searched = 0
                return unsafe bytes.isEmpty ? .needsMore : .skip(consumed: bytes.count)
            }
            // One byte over the limit may be a carriage return, or the line feed of RFC 7464.
            if bytes.count > maximumRecordBytes + 1 { return tooLong(consumed: bytes.count) }
            guard isEnd else {
                searched = bytes.count
                return .needsMore
            }
            return unsafe bytes.isEmpty ? .end : record(0..<bytes.count, in: bytes, consumed: bytes.count)
        }
        if isDropping {
            isDropping = false
            searched = 0
            return .skip(consumed: end + 1)
        }
        return unsafe record(0..<end, in: bytes, consumed: end + 1)
    }

    private func position(of byte: UInt8, in bytes: UnsafeRawBufferPointer) -> Int? {
        guard let base = bytes.baseAddress, searched < bytes.count else { return nil }
        // SOUND: the search stays within `bytes`.
        return unsafe Memory.firstOffset(of: byte, in: base + searched, count: bytes.count - searched).map {
            searched + $0
        }
    }

    /// The record in `range`, without the carriage return before its line feed; skips a blank one.
    private mutating func record(_ range: Range<Int>, in bytes: UnsafeRawBufferPointer, consumed: Int) -> Frame {
        // SOUND: the caller's range lies within `bytes`, and `end` is above its lower bound when it is read before.
        searched = 0
        var end = range.upperBound
        // A record may end with one more byte before its separator: the carriage return of a CRLF, the line feed of RFC
        // 7464.
        let ending: UInt8? = framing == .ndjson ? UInt8(ascii: "\r") : framing == .seq ? UInt8(ascii: "\n") : nil
        if let ending, end > range.lowerBound, unsafe bytes[end - 1] == ending { end -= 1 }
        // Checked before blanks are skipped: a long run of them is not buffered either.
        if end - range.lowerBound > maximumRecordBytes {
            return .tooLong(start: range.lowerBound, consumed: consumed)
        }
        let isBlank = unsafe bytes[range.lowerBound..<end].allSatisfy { JSONScanner.isWhitespace($0) }
        if isBlank { return .skip(consumed: consumed) }
        return .record(range.lowerBound..<end, consumed: consumed)
    }

    private mutating func tooLong(consumed: Int) -> Frame {
        isDropping = true
        searched = 0
        return .tooLong(start: 0, consumed: consumed)
    }

    // MARK: - RFC 7464

    private mutating func nextInSequence(_ bytes: UnsafeRawBufferPointer, isEnd: Bool) -> Frame {
        // SOUND: the positions that are found lie within `bytes`.
        let separator: UInt8 = 0x1E
        if unsafe bytes.first == separator, !isDropping {
            // The separator stands before its record, so this record's own is dropped separately.
            searched = 0
            unseparated = 0
            return .skip(consumed: 1)
        }
        // Bytes that were searched for one record need not be searched for the next.
        searched = max(searched, min(unseparated, bytes.count))
        guard let end = unsafe position(of: separator, in: bytes) else {
            unseparated = bytes.count
            let isWorthALook = unsafe bytes.last == UInt8(ascii: "\n") || isEnd || bytes.count > maximumRecordBytes + 1
            if !isDropping, isWorthALook, let end = unsafe endOfWholeLine(in: bytes) {
                unseparated = bytes.count - end
                return unsafe record(0..<end, in: bytes, consumed: end)
            }
            let frame = unsafe nextSeparated(by: separator, in: bytes, isEnd: isEnd)
            if frame != .needsMore { unseparated = 0 }
            return frame
        }
        unseparated = 0
        if isDropping {
            isDropping = false
            searched = 0
            return .skip(consumed: end)
        }
        let wholeEnd = unsafe endOfWholeLine(in: UnsafeRawBufferPointer(rebasing: bytes[..<end])) ?? end
        return unsafe record(0..<wholeEnd, in: bytes, consumed: wholeEnd)
    }

    /// The end of the line that ends a whole value, so that a slow sender's record need not wait for the next one.
    /// Anything between that line and the next separator is a record of its own, whether it arrives now or later.
    private func endOfWholeLine(in bytes: UnsafeRawBufferPointer) -> Int? {
        // SOUND: the offset of a fault is at most `bytes.count`, and each index is compared before it is read.
        var scanner = JSONScanner()
        var tape = JSONTape()
        var end = bytes.count
        if let fault = unsafe scanner.scan(bytes, into: &tape) {
            guard fault.kind == .trailingContent else { return nil }
            end = fault.offset
        }
        var valueEnd = end
        while valueEnd > 0, unsafe JSONScanner.isWhitespace(bytes[valueEnd - 1]) { valueEnd -= 1 }
        guard let newline = unsafe bytes[valueEnd..<end].firstIndex(of: UInt8(ascii: "\n")) else { return nil }
        return newline <= maximumRecordBytes ? newline + 1 : nil
    }

    // MARK: - Values

    /// An element of an array. What is between elements and should not be there is a record, too, so that it is reported.
    private mutating func nextElement(in bytes: UnsafeRawBufferPointer, isEnd: Bool) -> Frame {
        // SOUND: the bytes are looked at during the call.
        value.areElements = true
        if resynchronizes {
            let start = unsafe bytes.firstIndex {
                $0 == UInt8(ascii: "{") || $0 == UInt8(ascii: "[") && isInArray != true
            }
            guard let start else {
                return unsafe bytes.isEmpty ? isEnd ? .end : .needsMore : .skip(consumed: bytes.count)
            }
            if unsafe bytes[start] == UInt8(ascii: "{") { isInArray = nil }
            (resynchronizes, isDropping) = (false, false)
            if start > 0 { return .skip(consumed: start) }
        }
        guard value.isBetweenValues, !isDropping else { return unsafe elementValue(in: bytes, isEnd: isEnd) }
        switch unsafe bytes.first {
        case let byte? where JSONScanner.isWhitespace(byte):
            return unsafe .skip(consumed: bytes.prefix(while: JSONScanner.isWhitespace).count)
        case UInt8(ascii: "[") where isInArray != true:
            isInArray = true
            return .skip(consumed: 1)
        case UInt8(ascii: "]") where isInArray != false:
            isInArray = false
            return .skip(consumed: 1)
        case UInt8(ascii: ",") where isInArray != false: return unsafe comma(in: bytes, isEnd: isEnd)
        default: return unsafe elementValue(in: bytes, isEnd: isEnd)
        }
    }

    private mutating func elementValue(in bytes: UnsafeRawBufferPointer, isEnd: Bool) -> Frame {
        // SOUND: the range that `nextValue` returns lies within `bytes`.
        let frame = unsafe nextValue(in: bytes, isEnd: isEnd)
        if case .record(let range, _) = frame { unsafe resynchronize(after: bytes[range]) }
        return frame
    }

    /// Drops what follows an element up to the next object, unless the element is a value: each of a million brackets would be a record.
    private mutating func resynchronize(after element: Slice<UnsafeRawBufferPointer>) {
        // SOUND: the caller vouches for the bytes.
        guard let first = unsafe element.first, first != UInt8(ascii: "{"), first != UInt8(ascii: "[") else { return }
        guard unsafe !JSONScanner.accepts(UnsafeRawBufferPointer(rebasing: element)) else { return }
        // Dropping, so that whoever resumes here looks at what was before.
        (resynchronizes, isDropping) = (true, true)
    }

    /// A comma, which is a record if no element follows. Whatever comes after very many blanks counts as one.
    private mutating func comma(in bytes: UnsafeRawBufferPointer, isEnd: Bool) -> Frame {
        // SOUND: the bytes are looked at during the call, and `searched` is at most their number.
        let rest = unsafe bytes[max(searched, 1)...]
        let next = unsafe rest.firstIndex { !JSONScanner.isWhitespace($0) }
        guard next != nil || isEnd || bytes.count > maximumRecordBytes else {
            searched = bytes.count
            return .needsMore
        }
        searched = 0
        isInArray = true
        if next ?? bytes.count > maximumRecordBytes { return .skip(consumed: 1) }
        guard let next, unsafe bytes[next] != UInt8(ascii: ","), unsafe bytes[next] != UInt8(ascii: "]") else {
            if let next, unsafe bytes[next] == UInt8(ascii: ",") { unsafe resynchronize(after: bytes[..<1]) }
            return .record(0..<1, consumed: 1)
        }
        return .skip(consumed: next)
    }

    private mutating func nextValue(in bytes: UnsafeRawBufferPointer, isEnd: Bool) -> Frame {
        // SOUND: the range that `ValueFramer` returns lies within `bytes`.
        switch unsafe value.next(in: bytes, isEnd: isEnd) {
        case .value(let range):
            let wasDropping = isDropping
            isDropping = false
            value.restart()
            if wasDropping { return .skip(consumed: range.upperBound) }
            // Includes the blanks after a value that never closed, which are not buffered either.
            if range.count > maximumRecordBytes {
                return .tooLong(start: range.lowerBound, consumed: range.upperBound)
            }
            var end = range.upperBound
            while end > range.lowerBound, unsafe JSONScanner.isWhitespace(bytes[end - 1]) { end -= 1 }
            return .record(range.lowerBound..<end, consumed: range.upperBound)
        case .blank:
            if unsafe bytes.isEmpty { return isEnd ? .end : .needsMore }
            value.restart()
            return .skip(consumed: bytes.count)
        case .partial(let start):
            if isDropping || bytes.count - start > maximumRecordBytes {
                // The framer knows the nesting depth, so it no longer needs the bytes themselves.
                let frame: Frame =
                    isDropping ? .skip(consumed: bytes.count) : .tooLong(start: start, consumed: bytes.count)
                isDropping = true
                value.forgetBytes()
                return unsafe bytes.isEmpty ? .needsMore : frame
            }
            if start > 0 {
                value.forgetBytes(start)
                return .skip(consumed: start)
            }
            return .needsMore
        }
    }
}
