import CBlockScan
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

/// Appending members of a JSON object, after the first one.
extension ByteBuffer {
    /// Appends `,"name":number`.
    package mutating func appendMember(_ name: StaticString, _ number: Int) {
        appendMemberName(name)
        append(Int64(number))
    }

    /// Appends `,"name":"text"`.
    package mutating func appendMember(_ name: StaticString, _ text: String) {
        appendMemberName(name)
        appendJSONString(text)
    }

    /// Appends `,"name":true` or `,"name":false`.
    package mutating func appendMember(_ name: StaticString, _ flag: Bool) {
        appendMemberName(name)
        if flag { append("true") } else { append("false") }
    }

    /// Appends `,"name":["text","text"]`.
    package mutating func appendMember(_ name: StaticString, _ texts: [String]) {
        appendMemberName(name)
        append(UInt8(ascii: "["))
        for (index, text) in texts.enumerated() {
            if index > 0 { append(UInt8(ascii: ",")) }
            appendJSONString(text)
        }
        append(UInt8(ascii: "]"))
    }

    /// Appends `,"name":"text"`, or nothing for nil.
    package mutating func appendMember(_ name: StaticString, _ text: String?) {
        if let text { appendMember(name, text) }
    }

    /// Appends `,"name":`.
    package mutating func appendMemberName(_ name: StaticString) {
        append(",\"")
        append(name)
        append("\":")
    }
}
