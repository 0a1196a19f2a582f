import PayloadJSON
import PushSystem

/// Reads a place in its canonical form, as `PlacedRecordWriter` writes it, without a JSON scan. Any other form is nil: a space, an escape,
/// a character that is not ASCII, another order of members.
@safe  // SOUND: every index is compared with the count before a byte is read; the line lives while the cursor is used.
struct PlaceCursor {
    private let line: UnsafeRawBufferPointer
    private let total: Int
    /// How much has been read.
    private(set) var index = 0
    private var isFirst = true

    init(_ line: UnsafeRawBufferPointer) {
        // SOUND: stores the address.
        unsafe self.line = line
        total = line.count
    }

    mutating func place() -> RecordPlace? {
        guard take("{\"place\":{") else { return nil }
        var place = RecordPlace(seq: nil)
        if begin("\"seq\":") {
            guard let seq = number() else { return nil }
            place.seq = seq
        }
        guard readTarget(&place) else { return nil }
        if begin("\"recipients\":") {
            guard let count = smallNumber() else { return nil }
            place.recipients = count
        }
        if begin("\"owner\":") {
            guard let owner = text() else { return nil }
            place.owner = owner
        }
        if begin("\"copy\":true") { place.isCopy = true }
        if begin("\"stream\":") {
            guard let stream = text(), begin("\"offset\":"), let offset = text() ?? digits() else { return nil }
            place.streamOffset = RecordPlace.StreamOffset(stream: stream, offset: offset)
        }
        if begin("\"part\":") {
            guard let part = smallNumber(), begin("\"parts\":"), let parts = smallNumber() else { return nil }
            place.part = RecordPlace.Part(part, of: parts)
            if begin("\"sources\":true") { place.reportsSources = true }
        }
        if begin("\"end\":true") { place.isEnd = true }
        // That of a record over the limit is rare.
        return take("}") && !isFirst ? place : nil
    }

    private mutating func readTarget(_ place: inout RecordPlace) -> Bool {
        if begin("\"target\":") {
            guard let target = smallNumber() else { return false }
            place.target = target
        }
        if begin("\"source\":{\"file\":") {
            guard let file = text(), take(",\"record\":"), let record = number(), take(",\"line\":"),
                let line = smallNumber(), take(",\"column\":"), let column = smallNumber(), take(",\"offset\":"),
                let offset = number(), take("}")
            else { return false }
            place.source = RecordPlace.Source(
                file: file, record: record, position: TextPosition(line: line, column: column), offset: offset)
        }
        if begin("\"recipient\":{\"device\":") {
            guard let device = text(), take(",\"app\":"), let app = text(), take("}") else { return false }
            place.recipient = RecordPlace.Recipient(device: device, app: app)
        }
        return true
    }

    /// The value of the last member of the line, `name`, as it is written.
    mutating func lastValue(_ name: StaticString) -> BorrowedText? {
        // SOUND: the value ends before the brace, which is the last byte.
        guard take(name), unsafe line.last == UInt8(ascii: "}"), index < total - 1, let base = unsafe line.baseAddress
        else { return nil }
        let start = unsafe base.assumingMemoryBound(to: UInt8.self) + index
        return unsafe BorrowedText(start: start, count: total - 1 - index)
    }

    /// True if the line ends here with a brace.
    mutating func isAtEnd() -> Bool { take("}") && index == total }

    /// Reads a member's name, with the comma before it.
    private mutating func begin(_ name: StaticString) -> Bool {
        let start = index
        if !isFirst, !take(",") { return false }
        guard take(name) else {
            index = start
            return false
        }
        isFirst = false
        return true
    }

    private mutating func take(_ literal: StaticString) -> Bool {
        // SOUND: so many bytes are left.
        let count = literal.utf8CodeUnitCount
        guard total - index >= count, let base = unsafe line.baseAddress,
            unsafe Memory.isEqual(base + index, literal.utf8Start, count: count)
        else { return false }
        index += count
        return true
    }

    /// A number of at most 18 digits without leading zeros.
    private mutating func number() -> UInt64? {
        // SOUND: the index is below the count.
        let start = index
        var value: UInt64 = 0
        while index < total, case let digit = unsafe line[index] &- UInt8(ascii: "0"), digit < 10 {
            guard index - start < 18 else { return nil }
            value = value * 10 + UInt64(digit)
            index += 1
        }
        guard index > start, unsafe line[start] != UInt8(ascii: "0") || index == start + 1 else { return nil }
        return value
    }

    /// A number, as it is written.
    private mutating func digits() -> BorrowedText? {
        // SOUND: the digits are in the line.
        let start = index
        guard number() != nil, let base = unsafe line.baseAddress else { return nil }
        return unsafe BorrowedText(start: base.assumingMemoryBound(to: UInt8.self) + start, count: index - start)
    }

    /// A number that an `Int32` can hold.
    private mutating func smallNumber() -> Int? {
        guard let value = number(), value <= UInt64(Int32.max) else { return nil }
        return Int(value)
    }

    /// The contents of a string without escapes and of ASCII only.
    private mutating func text() -> BorrowedText? {
        // SOUND: the index is below the count, and the text is in the line.
        guard take("\""), let base = unsafe line.baseAddress else { return nil }
        let start = index
        while index < total {
            let byte = unsafe line[index]
            if byte == UInt8(ascii: "\"") {
                let text = unsafe BorrowedText(
                    start: base.assumingMemoryBound(to: UInt8.self) + start, count: index - start)
                index += 1
                return text
            }
            guard byte >= 0x20, byte < 0x7F, byte != UInt8(ascii: "\\") else { return nil }
            index += 1
        }
        return nil
    }
}
