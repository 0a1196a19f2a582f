import CPushBlockScan
public import PushSystem

/// A growable byte buffer that report lines and derived payloads are written to. A buffer that is reused stops
/// allocating.
///
/// It is usable from inlined code, because only that is inlined into other modules. A literal that is not inlined costs a
/// call and a copy of unknown length.
///
/// The buffer is the only owner of its memory, so it can move between threads.
@safe  // SOUND: owns `base`; every write reserves its room first.
@frozen
@usableFromInline
package struct ByteBuffer: ~Copyable, @unchecked Sendable {
    @usableFromInline var base: UnsafeMutablePointer<UInt8>
    @usableFromInline var capacity: Int
    @usableFromInline var length = 0

    /// The number of bytes written.
    @inlinable
    package var count: Int { length }

    package init(capacity: Int = 4096) {
        // SOUND: `capacity` is the size of the allocation.
        self.capacity = max(capacity, 64)
        unsafe base = .allocate(capacity: self.capacity)
    }

    deinit {
        // SOUND: allocated here, and freed once.
        unsafe base.deallocate()
    }

    /// The bytes written. Valid until the next change.
    package var bytes: UnsafeRawBufferPointer {
        // SOUND: the first `count` bytes are initialized.
        unsafe UnsafeRawBufferPointer(start: base, count: count)
    }

    /// A copy of the bytes written.
    package var copy: [UInt8] {
        // SOUND: the bytes are copied.
        unsafe Array(bytes)
    }

    /// Passes the bytes written to `body`, for the duration of the call.
    package func withText(_ body: (BorrowedText) throws -> Void) rethrows {
        // SOUND: the first `count` bytes are initialized, and do not change meanwhile.
        try body(unsafe BorrowedText(start: base, count: count))
    }

    /// Appends the contents of another buffer.
    package mutating func append(_ other: borrowing ByteBuffer) {
        // SOUND: the other buffer cannot change during the call.
        unsafe append(BorrowedText(start: other.base, count: other.count))
    }

    package mutating func removeAll() { length = 0 }

    /// Makes room for `additional` bytes and returns where they go. The caller writes them and adds their number to
    /// `length`.
    @inlinable
    @inline(__always)
    mutating func reserve(_ additional: Int) -> UnsafeMutablePointer<UInt8> {
        // SOUND: there is room for `additional` bytes at that address.
        if capacity - count < additional { grow(additional) }
        return unsafe base + count
    }

    @usableFromInline
    @inline(never)
    mutating func grow(_ additional: Int) {
        // SOUND: the new allocation has room for the old bytes, which are copied before they are freed.
        capacity = max(capacity * 2, count + additional)
        let larger = UnsafeMutablePointer<UInt8>.allocate(capacity: capacity)
        unsafe Memory.copy(base, to: larger, count: count)
        unsafe base.deallocate()
        unsafe base = unsafe larger
    }

    /// Appends one byte.
    @inlinable
    package mutating func append(_ byte: UInt8) {
        // SOUND: `reserve` made room for the byte.
        unsafe reserve(1)[0] = byte
        length += 1
    }

    /// Appends a literal's UTF-8.
    @inlinable
    @inline(__always)
    package mutating func append(_ literal: StaticString) {
        // SOUND: `reserve` made room for the bytes, and the literal has that many.
        let bytes = literal.utf8CodeUnitCount
        unsafe Memory.copy(literal.utf8Start, to: reserve(bytes), count: bytes)
        length += bytes
    }

    /// Appends bytes unchanged.
    @inlinable
    package mutating func append(_ text: BorrowedText) {
        // SOUND: `reserve` made room for the bytes. They are not in this buffer, whose address may just have changed.
        unsafe Memory.copy(text.start, to: reserve(text.count), count: text.count)
        length += text.count
    }

    /// Appends a string. Not called `append`, so that a literal never becomes a `String` first.
    package mutating func appendText(_ string: String) {
        // SOUND: the bytes live until `withBytes` returns.
        unsafe string.withBytes { utf8 in
            if let start = utf8.baseAddress { unsafe append(BorrowedText(start: start, count: utf8.count)) }
        }
    }

    package mutating func append(_ number: UInt64) {
        // SOUND: 64 bits have at most 20 digits.
        unsafe length += Decimal.write(number, to: reserve(20))
    }

    package mutating func append(_ number: Int64) {
        if number < 0 { append(UInt8(ascii: "-")) }
        append(number.magnitude)
    }

    /// Appends a JSON string with its quotes. Escapes only what must be escaped: `"`, `\` and control characters.
    package mutating func appendJSONString(_ text: BorrowedText) {
        // SOUND: the room is what the cursor asks for.
        var cursor = unsafe cursor(room: ByteCursor.room(forJSONString: text.count))
        unsafe cursor.appendJSONString(text)
        unsafe finish(cursor)
    }

    package mutating func appendJSONString(_ string: String) {
        // SOUND: the bytes live until `withBytes` returns.
        unsafe string.withBytes { utf8 in
            if let start = utf8.baseAddress {
                unsafe appendJSONString(BorrowedText(start: start, count: utf8.count))
            } else {
                append("\"\"")
            }
        }
    }
}

/// Composing JSON: commas come by themselves.
extension ByteBuffer {
    /// True unless an object or an array has just begun.
    @inlinable
    var needsComma: Bool {
        // SOUND: reads the last byte of at least one.
        let last: UInt8 = unsafe length > 0 ? base[length - 1] : 0
        return last != UInt8(ascii: "{") && last != UInt8(ascii: "[")
    }

    /// Appends a comma before a member or an element, unless its object or array has just begun.
    @inlinable
    package mutating func separate() {
        if needsComma { append(UInt8(ascii: ",")) }
    }

    /// Appends `true` or `false`.
    package mutating func append(_ flag: Bool) {
        if flag { append("true") } else { append("false") }
    }

    /// Appends `"name":`; the caller appends the value.
    @usableFromInline
    package mutating func appendMemberName(_ name: StaticString) {
        // SOUND: there is room for the name with a comma, two quotes and a colon.
        var out = unsafe cursor(room: name.utf8CodeUnitCount + 4)
        if needsComma { unsafe out.append(",\"") } else { unsafe out.append("\"") }
        unsafe out.append(name)
        unsafe out.append("\":")
        unsafe finish(out)
    }

    /// Appends `"name":` with a name as it is written elsewhere; the caller appends the value.
    package mutating func appendMemberName(_ name: JSONString) {
        separate()
        append("\"")
        append(name.raw)
        append("\":")
    }

    /// Appends `"name":` with a name that is known only at run time; the caller appends the value.
    package mutating func appendMemberName(text name: String) {
        separate()
        appendJSONString(name)
        append(":")
    }

    /// Appends `"name":number`.
    package mutating func appendMember(_ name: StaticString, _ number: Int) {
        appendMemberName(name)
        append(Int64(number))
    }

    /// Appends `"name":"text"`.
    package mutating func appendMember(_ name: StaticString, _ text: String) {
        appendMemberName(name)
        appendJSONString(text)
    }

    /// Appends `"name":"text"`, or nothing for nil.
    package mutating func appendMember(_ name: StaticString, _ text: String?) {
        if let text { appendMember(name, text) }
    }

    /// Appends `"name":true` or `"name":false`.
    package mutating func appendMember(_ name: StaticString, _ flag: Bool) {
        appendMemberName(name)
        append(flag)
    }

    /// Appends `"name":["text","text"]`.
    package mutating func appendMember(_ name: StaticString, _ texts: [String]) {
        appendMember(name, texts) { $0.appendJSONString($1) }
    }

    /// Appends `"name":[…]` with the elements that `append` writes.
    @inlinable
    package mutating func appendMember<Element>(
        _ name: StaticString, _ elements: some Sequence<Element>, _ append: (inout ByteBuffer, Element) -> Void
    ) {
        appendMemberName(name)
        appendArray(elements, append)
    }

    /// Appends a member with a value as it is written elsewhere, or nothing for nil.
    package mutating func appendMember(_ name: StaticString, _ value: JSONView?) {
        guard let value else { return }
        appendMemberName(name)
        append(value.text)
    }

    /// Appends a member as it is written elsewhere.
    @usableFromInline
    package mutating func appendMember(_ name: JSONString, _ value: JSONView) {
        appendMemberName(name)
        append(value.text)
    }

    /// Appends a member with a value in JSON.
    package mutating func appendMember(_ name: StaticString, json value: StaticString) {
        appendMemberName(name)
        append(value)
    }

    /// Appends `"name":{…}` with the members that `members` appends.
    @inlinable
    package mutating func appendMember(_ name: StaticString, _ members: (inout ByteBuffer) -> Void) {
        appendMemberName(name)
        appendObject(members)
    }

    /// Appends `{…}` with the members that `members` appends.
    @inlinable
    package mutating func appendObject(_ members: (inout ByteBuffer) -> Void) {
        append(UInt8(ascii: "{"))
        members(&self)
        append(UInt8(ascii: "}"))
    }

    /// Appends members of another object as they are written there.
    @inlinable
    @inline(__always)
    package mutating func appendMembers(of object: JSONView, where isWanted: (JSONString) -> Bool = { _ in true }) {
        for (name, value) in object.members where isWanted(name) { appendMember(name, value) }
    }

    /// Appends `[…]` with the elements that `append` writes.
    @inlinable
    package mutating func appendArray<Element>(
        _ elements: some Sequence<Element>, _ append: (inout ByteBuffer, Element) -> Void
    ) {
        self.append(UInt8(ascii: "["))
        for element in elements {
            separate()
            append(&self, element)
        }
        self.append(UInt8(ascii: "]"))
    }
}

extension [UInt8] {
    /// The bytes that `write` appends.
    package static func composed(_ write: (inout ByteBuffer) throws -> Void) rethrows -> [UInt8] {
        var out = ByteBuffer(capacity: 512)
        try write(&out)
        return out.copy
    }
}

extension String {
    /// The text that `write` appends.
    package static func composed(_ write: (inout ByteBuffer) throws -> Void) rethrows -> String {
        // SOUND: copies what the buffer holds.
        var out = ByteBuffer(capacity: 512)
        try write(&out)
        return unsafe String(decoding: out.bytes, as: UTF8.self)
    }

    /// The text as a JSON string, with its quotes.
    package var jsonQuoted: String { .composed { $0.appendJSONString(self) } }
}

/// Writes to room that a `ByteBuffer` made for several pieces at once, and so checks none of them: a report line has some
/// twenty. Usable from inlined code for the reason that `ByteBuffer` is.
@unsafe
@frozen
@usableFromInline
package struct ByteCursor {
    /// Where the next byte goes.
    @usableFromInline var next: UnsafeMutablePointer<UInt8>

    @inlinable
    init(_ next: UnsafeMutablePointer<UInt8>) {
        // SOUND: storing the address writes nothing.
        unsafe self.next = next
    }

    /// The room that a JSON string needs, with its quotes. Each byte becomes at most six, and the copy may write some
    /// bytes past the end.
    package static func room(forJSONString count: Int) -> Int { count * 6 + 2 + Int(BLOCKSCAN_COPY_SLACK) }

    /// Appends a literal's UTF-8.
    @inlinable
    @inline(__always)
    package mutating func append(_ literal: StaticString) {
        // SOUND: the caller made room for the bytes, and the literal has that many.
        let count = literal.utf8CodeUnitCount
        unsafe Memory.copy(literal.utf8Start, to: next, count: count)
        unsafe next += count
    }

    /// Appends a decimal number, of at most 20 digits.
    package mutating func append(_ number: UInt64) {
        // SOUND: the caller made room for the digits.
        unsafe next += Decimal.write(number, to: next)
    }

    /// Appends a JSON string with its quotes, as `ByteBuffer` does.
    package mutating func appendJSONString(_ text: BorrowedText) {
        // SOUND: the caller made as much room as `room(forJSONString:)` says.
        var out = unsafe next
        unsafe out[0] = UInt8(ascii: "\"")
        unsafe out += 1
        var index = 0
        while true {
            let run = unsafe blockscan_copy_plain(text.start + index, text.count - index, out)
            unsafe out += run
            index += run
            guard index < text.count else { break }
            unsafe out += Self.escape(text.start[index], to: out)
            index += 1
        }
        unsafe out[0] = UInt8(ascii: "\"")
        unsafe next = unsafe out + 1
    }

    private static func escape(_ byte: UInt8, to out: UnsafeMutablePointer<UInt8>) -> Int {
        // SOUND: the caller reserved six bytes for each escape, and the table of digits has 16.
        unsafe out[0] = UInt8(ascii: "\\")
        let letter: UInt8
        switch byte {
        case 0x22, 0x5C: letter = byte
        case 0x08: letter = UInt8(ascii: "b")
        case 0x0C: letter = UInt8(ascii: "f")
        case 0x0A: letter = UInt8(ascii: "n")
        case 0x0D: letter = UInt8(ascii: "r")
        case 0x09: letter = UInt8(ascii: "t")
        default:
            let digits: StaticString = "0123456789abcdef"
            unsafe out[1] = UInt8(ascii: "u")
            unsafe out[2] = UInt8(ascii: "0")
            unsafe out[3] = UInt8(ascii: "0")
            unsafe out[4] = digits.utf8Start[Int(byte >> 4)]
            unsafe out[5] = digits.utf8Start[Int(byte & 15)]
            return 6
        }
        unsafe out[1] = letter
        return 2
    }
}

extension ByteBuffer {
    /// Makes room for `room` bytes. What the cursor writes counts when it is passed to `finish`; nothing else may change
    /// the buffer until then.
    @inlinable
    @unsafe
    package mutating func cursor(room: Int) -> ByteCursor {
        // SOUND: there is as much room at that address.
        unsafe ByteCursor(reserve(room))
    }

    /// Appends what a cursor of this buffer wrote.
    @inlinable
    @unsafe
    package mutating func finish(_ cursor: ByteCursor) {
        // SOUND: both addresses are in the buffer's memory.
        length = unsafe cursor.next - base
    }
}

/// Decimal numbers, two digits at a time.
enum Decimal {
    private static let pairs: StaticString = """
        0001020304050607080910111213141516171819202122232425262728293031323334353637383940414243444546474849\
        5051525354555657585960616263646566676869707172737475767778798081828384858687888990919293949596979899
        """

    /// Writes a number and returns how many digits it has, at most 20.
    @inline(__always)
    static func write(_ number: UInt64, to out: UnsafeMutablePointer<UInt8>) -> Int {
        // SOUND: the caller has room for the digits.
        if number < 10_000 { return unsafe writeFirst(UInt32(truncatingIfNeeded: number), to: out) }
        return unsafe writeLong(number, to: out)
    }

    @inline(never)
    private static func writeLong(_ number: UInt64, to out: UnsafeMutablePointer<UInt8>) -> Int {
        // SOUND: the caller has room for the digits.
        if number < 100_000_000 {
            let number = UInt32(truncatingIfNeeded: number)
            let digits = unsafe writeFirst(number / 10_000, to: out)
            unsafe writeFour(number % 10_000, to: out + digits)
            return digits + 4
        }
        let (high, low) = number.quotientAndRemainder(dividingBy: 100_000_000)
        let digits = unsafe write(high, to: out)
        let rest = UInt32(truncatingIfNeeded: low)
        unsafe writeFour(rest / 10_000, to: out + digits)
        unsafe writeFour(rest % 10_000, to: out + digits + 4)
        return digits + 8
    }

    /// Writes a number below 10,000 without leading zeros.
    @inline(__always)
    private static func writeFirst(_ number: UInt32, to out: UnsafeMutablePointer<UInt8>) -> Int {
        // SOUND: the caller has room for the digits.
        let high = number / 100
        let low = number % 100
        if high == 0 {
            if low < 10 {
                unsafe out[0] = digit(low)
                return 1
            }
            unsafe writePair(low, to: out)
            return 2
        }
        if high < 10 {
            unsafe out[0] = digit(high)
            unsafe writePair(low, to: out + 1)
            return 3
        }
        unsafe writePair(high, to: out)
        unsafe writePair(low, to: out + 2)
        return 4
    }

    /// Writes a number below 10,000 with leading zeros.
    @inline(__always)
    private static func writeFour(_ number: UInt32, to out: UnsafeMutablePointer<UInt8>) {
        // SOUND: the caller has room for the digits.
        unsafe writePair(number / 100, to: out)
        unsafe writePair(number % 100, to: out + 2)
    }

    @inline(__always)
    private static func writePair(_ number: UInt32, to out: UnsafeMutablePointer<UInt8>) {
        // SOUND: the caller has room for the digits, and the table has a pair for each number below 100.
        unsafe Memory.copy(pairs.utf8Start + 2 * Int(number), to: out, count: 2)
    }

    @inline(__always)
    private static func digit(_ value: UInt32) -> UInt8 { UInt8(ascii: "0") &+ UInt8(truncatingIfNeeded: value) }
}
