/// A value inside a scanned text: a cursor over its bytes and its tape.
///
/// Valid only as long as the bytes and the tape that it was created from are unchanged; in a pipeline, only for the
/// duration of the call that hands it out.
@safe  // SOUND: a tape has offsets of its own text only; `root(of:)` is unsafe and asks to keep both alive.
@frozen
@usableFromInline package struct JSONView {
    @usableFromInline let bytes: UnsafePointer<UInt8>
    @usableFromInline let tape: UnsafePointer<JSONTape.Entry>
    @usableFromInline package let index: Int

    @inlinable
    @inline(__always)
    init(bytes: UnsafePointer<UInt8>, tape: UnsafePointer<JSONTape.Entry>, index: Int) {
        // SOUND: storing the addresses reads nothing; the caller keeps bytes and tape alive.
        unsafe self.bytes = bytes
        unsafe self.tape = tape
        self.index = index
    }

    @inlinable
    @inline(__always)
    package var entry: JSONTape.Entry {
        // SOUND: `index` is that of an entry on the tape.
        unsafe tape[index]
    }

    /// The value at the index of another view of the same tape.
    @inlinable
    @inline(__always)
    package func value(at index: Int) -> JSONView {
        // SOUND: the index is that of an entry on the tape.
        unsafe JSONView(bytes: bytes, tape: tape, index: index)
    }

    /// The kind of the value.
    @inlinable
    @inline(__always)
    package var kind: JSONTape.Kind {
        // SOUND: `index` is that of an entry on the tape.
        unsafe tape[index].kind
    }

    /// True if it is an object.
    @inlinable
    @inline(__always)
    package var isObject: Bool { kind == .object }

    /// True if it is a string.
    @inlinable
    @inline(__always)
    package var isString: Bool { kind == .string }

    /// The value's text as it stands in the input: a string with its quotes, an array or object with its brackets.
    @inlinable
    @inline(__always)
    package var text: BorrowedText {
        // SOUND: an entry's offset and length lie within the scanned bytes, and a string has a quote on both sides.
        let entry = unsafe tape[index]
        let start = unsafe bytes + Int(entry.offset)
        if entry.kind == .string { return unsafe BorrowedText(start: start - 1, count: Int(entry.length) + 2) }
        return unsafe BorrowedText(start: start, count: Int(entry.length))
    }

    /// Offset in bytes of the value's first byte in the scanned text.
    @inlinable
    @inline(__always)
    package var offset: Int {
        // SOUND: `index` is that of an entry on the tape.
        let entry = unsafe tape[index]
        return Int(entry.offset) - (entry.kind == .string ? 1 : 0)
    }

    /// Offset of the quote before the name of the member with this value. Only for values of members.
    package var keyOffset: Int {
        // SOUND: a member's value comes right after its key on the tape.
        unsafe Int(tape[index - 1].offset) - 1
    }

    /// The name of the member with this value, as a view of kind `key`. Only for values of members.
    package var memberName: JSONView {
        // SOUND: a member's value comes right after its key on the tape.
        unsafe JSONView(bytes: bytes, tape: tape, index: index - 1)
    }

    /// The string, with escapes in place; nil for every other kind.
    @inlinable
    @inline(__always)
    package var string: JSONString? {
        // SOUND: `index` is that of an entry on the tape, which covers scanned bytes.
        let entry = unsafe tape[index]
        guard entry.kind == .string else { return nil }
        return unsafe JSONString(
            start: bytes + Int(entry.offset), count: Int(entry.length), hasEscapes: entry.hasEscapes)
    }

    /// The integer; nil for every other kind, for numbers with a fraction or an exponent, and beyond 64 bits.
    @inlinable
    @inline(__always)
    package var int64: Int64? {
        // SOUND: the text is alive as long as the view.
        unsafe kind == .number ? JSONNumber.int64(text.buffer) : nil
    }

    /// The number as a double; nil for every other kind, and beyond the largest double.
    @usableFromInline package var double: Double? {
        // SOUND: the text is alive as long as the view.
        unsafe kind == .number ? JSONNumber.double(text.buffer) : nil
    }

    /// True if this is the number 1, in any spelling.
    @inlinable
    @inline(__always)
    package var isOne: Bool {
        // SOUND: a number has at least one byte.
        guard kind == .number else { return false }
        let text = text
        return unsafe text.count == 1 ? text.start[0] == UInt8(ascii: "1") : double == 1
    }

    /// An object's members in order; none for every other kind.
    @inlinable
    @inline(__always)
    package var members: Members {
        // SOUND: `index` is that of an entry on the tape, and `end` is the index after its last one.
        let entry = unsafe tape[index]
        let end = entry.kind == .object ? Int(entry.next) : index + 1
        return unsafe Members(bytes: bytes, tape: tape, index: index + 1, end: end)
    }

    /// An array's elements in order; none for every other kind.
    @inlinable
    @inline(__always)
    package var elements: Elements {
        // SOUND: `index` is that of an entry on the tape, and `end` is the index after its last one.
        let entry = unsafe tape[index]
        let end = entry.kind == .array ? Int(entry.next) : index + 1
        return unsafe Elements(bytes: bytes, tape: tape, index: index + 1, end: end)
    }

    /// The kind of value, for messages.
    package var kindName: String {
        switch kind {
        case .null: "null"
        case .true: "true"
        case .false: "false"
        case .number: "a number"
        case .string, .key: "a string"
        case .array: "an array"
        case .object: "an object"
        }
    }

    /// The value of the member `name`, the last one when there are several; nil when there is none. O(members).
    package subscript(_ name: StaticString) -> JSONView? {
        var found: JSONView?
        for (key, value) in members where key == name { found = value }
        return found
    }

    /// As above, for a name known only at run time.
    package subscript(named name: some StringProtocol) -> JSONView? {
        var found: JSONView?
        let wanted = Array(name.utf8)
        for (key, value) in members where key.equals(wanted) { found = value }
        return found
    }

    /// As above, for a name from another text.
    package subscript(_ name: JSONString) -> JSONView? {
        var found: JSONView?
        for (key, value) in members where key == name { found = value }
        return found
    }

    /// The value at a JSON Pointer (RFC 6901); nil when there is none.
    package subscript(pointer pointer: String) -> JSONView? {
        guard let tokens = JSONPointer.tokens(pointer) else { return nil }
        var view = self
        for token in tokens {
            switch view.kind {
            case .object:
                guard let member = view[named: token] else { return nil }
                view = member
            case .array:
                guard let position = JSONPointer.position(token),
                    let element = view.elements.enumerated().first(where: { $0.offset == position })?.element
                else { return nil }
                view = element
            default: return nil
            }
        }
        return view
    }

    /// The index after the value's last entry on the tape.
    package var endIndex: Int { Int(entry.next) }

    /// The JSON Pointer (RFC 6901) from this value to an entry in it, `""` for the value itself. A key has the pointer of
    /// its value. O(entries).
    package func pointer(to entry: Int) -> String {
        var pointer = ""
        var view = self
        descent: while view.index < entry {
            if view.kind == .object {
                for (key, value) in view.members where entry < value.endIndex {
                    pointer += "/" + JSONPointer.escape(key.string)
                    view = value
                    continue descent
                }
            } else if view.kind == .array {
                for (position, element) in view.elements.enumerated() where entry < element.endIndex {
                    pointer += "/\(position)"
                    view = element
                    continue descent
                }
            }
            break
        }
        return pointer
    }

    /// Iterates over an object's members in order.
    @safe  // SOUND: iterates between two indices of one object of the tape; see `JSONView`.
    @frozen
    @usableFromInline package struct Members: Sequence, IteratorProtocol {
        @usableFromInline let bytes: UnsafePointer<UInt8>
        @usableFromInline let tape: UnsafePointer<JSONTape.Entry>
        @usableFromInline var index: Int
        @usableFromInline let end: Int

        @inlinable
        @inline(__always)
        init(bytes: UnsafePointer<UInt8>, tape: UnsafePointer<JSONTape.Entry>, index: Int, end: Int) {
            // SOUND: storing the addresses reads nothing; the caller keeps bytes and tape alive.
            unsafe self.bytes = bytes
            unsafe self.tape = tape
            self.index = index
            self.end = end
        }

        /// The next member; nil after the last one.
        @inlinable
        @inline(__always)
        package mutating func next() -> (key: JSONString, value: JSONView)? {
            // SOUND: below `end` there are a key and its value at `index`.
            guard index < end else { return nil }
            let entry = unsafe tape[index]
            let key = unsafe JSONString(
                start: bytes + Int(entry.offset), count: Int(entry.length), hasEscapes: entry.hasEscapes)
            let value = unsafe JSONView(bytes: bytes, tape: tape, index: index + 1)
            index = unsafe Int(tape[index + 1].next)
            return (key, value)
        }
    }

    /// Iterates over an array's elements in order.
    @safe  // SOUND: iterates between two indices of one array of the tape; see `JSONView`.
    @frozen
    @usableFromInline package struct Elements: Sequence, IteratorProtocol {
        @usableFromInline let bytes: UnsafePointer<UInt8>
        @usableFromInline let tape: UnsafePointer<JSONTape.Entry>
        @usableFromInline var index: Int
        @usableFromInline let end: Int

        @inlinable
        @inline(__always)
        init(bytes: UnsafePointer<UInt8>, tape: UnsafePointer<JSONTape.Entry>, index: Int, end: Int) {
            // SOUND: storing the addresses reads nothing; the caller keeps bytes and tape alive.
            unsafe self.bytes = bytes
            unsafe self.tape = tape
            self.index = index
            self.end = end
        }

        /// The next element; nil after the last one.
        @inlinable
        @inline(__always)
        package mutating func next() -> JSONView? {
            // SOUND: below `end` there is a value at `index`.
            guard index < end else { return nil }
            let value = unsafe JSONView(bytes: bytes, tape: tape, index: index)
            index = unsafe Int(tape[index].next)
            return value
        }
    }
}

extension BorrowedText {
    /// Passes the root of a JSON text to `body`. The view is valid only for the duration of the call.
    ///
    /// - Returns: nil if the text is not JSON.
    package func withJSON<Result>(_ body: (JSONView) throws -> Result) rethrows -> Result? {
        var scanner = JSONScanner()
        var tape = JSONTape()
        // SOUND: the text is borrowed for the whole call, the tape is of this text, and the view does not leave the closure.
        guard unsafe scanner.scan(bytes, into: &tape) == nil, let root = unsafe tape.root(of: bytes) else { return nil }
        return try body(root)
    }
}

extension [UInt8] {
    /// Passes the root of a JSON text to `body`. The view is valid only for the duration of the call.
    ///
    /// - Returns: nil if the bytes are not JSON.
    package func withJSON<Result>(_ body: (JSONView) throws -> Result) rethrows -> Result? {
        // SOUND: the bytes live until the closure returns, and the text does not leave it.
        try unsafe withUnsafeBufferPointer { bytes in
            guard let start = bytes.baseAddress else { return nil }
            return try unsafe BorrowedText(start: start, count: bytes.count).withJSON(body)
        }
    }
}
