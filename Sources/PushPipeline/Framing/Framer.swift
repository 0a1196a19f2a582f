import PayloadJSON
import PushModel

#if canImport(Darwin)
    import Darwin
#elseif canImport(Musl)
    import Musl
#else
    import Glibc
#endif

/// Finds records in an input's bytes.
///
/// A pure state machine. The caller shows it all bytes that it has not been told to drop, as often as it likes, and says whether more
/// may come; each byte is looked at once, however the bytes arrive. One framer reads one input, on one thread.
package struct Framer {
    private var framing: Framing
    /// Longest record in bytes, without what separates it from the next. Enforced here and nowhere else.
    private let maximumRecordBytes: Int
    private let acceptsRelaxedJSON: Bool
    private var isAtBeginning = true
    /// Bytes shown before and known to hold no separator.
    private var searched = 0
    /// The rest of a record over the limit is being dropped.
    private var isDropping = false
    private var value = ValueFramer()
    private var detector = FramingDetector()

    package init(_ framing: Framing, maximumRecordBytes: Int, acceptsRelaxedJSON: Bool = false) {
        self.framing = framing
        self.maximumRecordBytes = maximumRecordBytes
        self.acceptsRelaxedJSON = acceptsRelaxedJSON
        value.quotesSingle = acceptsRelaxedJSON
    }

    /// Looks at the beginning of `bytes`, which no more will follow when `isEnd`.
    package mutating func next(in bytes: UnsafeRawBufferPointer, isEnd: Bool) -> Frame {
        if isAtBeginning {
            if bytes.count < 3, !isEnd { return .needsMore }
            isAtBeginning = false
            if bytes.starts(with: [0xEF, 0xBB, 0xBF]) { return .skip(consumed: 3) }
        }
        if framing == .auto {
            guard
                let detected = detector.framing(
                    of: bytes, isEnd: isEnd, limit: maximumRecordBytes, acceptsRelaxedJSON: acceptsRelaxedJSON)
            else { return .needsMore }
            framing = detected
        }
        switch framing {
        case .json: return nextValue(in: bytes, isEnd: isEnd)
        case .seq: return nextInSequence(bytes, isEnd: isEnd)
        case .nul: return nextSeparated(by: 0, in: bytes, isEnd: isEnd)
        case .ndjson, .auto: return nextSeparated(by: UInt8(ascii: "\n"), in: bytes, isEnd: isEnd)
        }
    }

    // MARK: - Lines and NUL

    private mutating func nextSeparated(by separator: UInt8, in bytes: UnsafeRawBufferPointer, isEnd: Bool) -> Frame {
        guard let end = position(of: separator, in: bytes) else {
            if isDropping {
                if isEnd, bytes.isEmpty { return .end }
                searched = 0
                return bytes.isEmpty ? .needsMore : .skip(consumed: bytes.count)
            }
            // One byte more than the limit may be a carriage return.
            if bytes.count > maximumRecordBytes + 1 { return tooLong(consumed: bytes.count) }
            guard isEnd else {
                searched = bytes.count
                return .needsMore
            }
            return bytes.isEmpty ? .end : record(0..<bytes.count, in: bytes, consumed: bytes.count)
        }
        if isDropping {
            isDropping = false
            searched = 0
            return .skip(consumed: end + 1)
        }
        return record(0..<end, in: bytes, consumed: end + 1)
    }

    private func position(of byte: UInt8, in bytes: UnsafeRawBufferPointer) -> Int? {
        guard let base = bytes.baseAddress, searched < bytes.count else { return nil }
        // SOUND: the search stays within `bytes`.
        return memchr(base + searched, Int32(byte), bytes.count - searched).map { UnsafeRawPointer($0) - base }
    }

    /// The record in `range`, blank ones passed over, a carriage return before the line feed left out.
    private mutating func record(_ range: Range<Int>, in bytes: UnsafeRawBufferPointer, consumed: Int) -> Frame {
        searched = 0
        var end = range.upperBound
        if framing == .ndjson, end > range.lowerBound, bytes[end - 1] == UInt8(ascii: "\r") { end -= 1 }
        let isBlank = bytes[range.lowerBound..<end].allSatisfy { ValueFramer.isWhitespace($0) }
        if isBlank { return .skip(consumed: consumed) }
        if end - range.lowerBound > maximumRecordBytes { return .tooLong(consumed: consumed) }
        return .record(range.lowerBound..<end, consumed: consumed)
    }

    private mutating func tooLong(consumed: Int) -> Frame {
        isDropping = true
        searched = 0
        return .tooLong(consumed: consumed)
    }

    // MARK: - RFC 7464

    private mutating func nextInSequence(_ bytes: UnsafeRawBufferPointer, isEnd: Bool) -> Frame {
        let separator: UInt8 = 0x1E
        if bytes.first == separator, !isDropping {
            // The separator stands before its record, so that of this record is dropped on its own.
            searched = 0
            return .skip(consumed: 1)
        }
        guard let end = position(of: separator, in: bytes) else {
            if !isEnd, !isDropping, bytes.count <= maximumRecordBytes, isWholeLine(bytes) {
                return record(0..<bytes.count, in: bytes, consumed: bytes.count)
            }
            return nextSeparated(by: separator, in: bytes, isEnd: isEnd)
        }
        if isDropping {
            isDropping = false
            searched = 0
            return .skip(consumed: end)
        }
        return record(0..<end, in: bytes, consumed: end)
    }

    /// Whether the text ends with a line feed and is a whole value, so that a slow sender's record need not wait for the next.
    private func isWholeLine(_ bytes: UnsafeRawBufferPointer) -> Bool {
        guard bytes.last == UInt8(ascii: "\n") else { return false }
        var scanner = JSONScanner()
        var tape = JSONTape()
        return scanner.scan(bytes, into: &tape) == nil
    }

    // MARK: - Values

    private mutating func nextValue(in bytes: UnsafeRawBufferPointer, isEnd: Bool) -> Frame {
        switch value.next(in: bytes, isEnd: isEnd) {
        case .value(let range):
            let wasDropping = isDropping
            isDropping = false
            value.restart()
            if wasDropping { return .skip(consumed: range.upperBound) }
            var end = range.upperBound
            while end > range.lowerBound, ValueFramer.isWhitespace(bytes[end - 1]) { end -= 1 }
            if end - range.lowerBound > maximumRecordBytes { return .tooLong(consumed: range.upperBound) }
            return .record(range.lowerBound..<end, consumed: range.upperBound)
        case .blank:
            if isEnd { return .end }
            value.restart()
            return bytes.isEmpty ? .needsMore : .skip(consumed: bytes.count)
        case .partial(let start):
            if isDropping || bytes.count - start > maximumRecordBytes {
                // The framer knows how deep it is, so the bytes themselves are no longer needed.
                let frame: Frame = isDropping ? .skip(consumed: bytes.count) : .tooLong(consumed: bytes.count)
                isDropping = true
                value.forgetBytes()
                return bytes.isEmpty ? .needsMore : frame
            }
            if start > 0 {
                value.forgetBytes(start)
                return .skip(consumed: start)
            }
            return .needsMore
        }
    }
}
