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

    /// The value of the last member with a name that is known only at run time. O(members).
    package subscript(named name: some StringProtocol) -> JSONView? {
        var found: JSONView?
        let wanted = Array(name.utf8)
        for (key, value) in members where key.equals(wanted) { found = value }
        return found
    }

    /// The value of the last member with a name from another text. O(members).
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

/// The result of scanning one text with `JSONScanner`: a flat list of entries in the order of the text.
///
///     {"aps":{"badge":3},"id":"x"}
///
///     index  kind    covers            next
///     0      object  {…} whole text    6      one past its last entry
///     1      key     aps               2      its value
///     2      object  {"badge":3}       5
///     3      key     badge             4
///     4      number  3                 5
///     5      key     id                6      …
///
/// A value's `next` is the index of what follows it, so a reader skips a whole object in one step. Strings and keys
/// cover the bytes between the quotes, with escapes in place.
///
/// A tape can be reused: each scan overwrites it, and it grows with the largest text (8 bytes per byte of text). It
/// holds only offsets, so it is useless without the scanned bytes.
@safe  // SOUND: owns `entries`, and reads only the first `count`, which the scanner has written.
@usableFromInline package struct JSONTape: ~Copyable {
    /// The kind of an entry.
    @usableFromInline package enum Kind: UInt8, Sendable {
        case null, `false`, `true`, number, string, key, array, object
    }

    /// An entry of 16 bytes.
    @frozen
    @usableFromInline package struct Entry: Equatable {
        /// Offset of the first byte in the text.
        @usableFromInline package var offset: UInt32
        /// Length in bytes; for arrays and objects including the brackets.
        @usableFromInline package var length: UInt32
        @usableFromInline package var next: UInt32
        @usableFromInline package var kind: Kind
        @usableFromInline package var hasEscapes: Bool

        @inlinable
        package init(offset: UInt32, length: UInt32, next: UInt32, kind: Kind, hasEscapes: Bool = false) {
            self.offset = offset
            self.length = length
            self.next = next
            self.kind = kind
            self.hasEscapes = hasEscapes
        }
    }

    /// Something that RFC 8259 permits and not every reader supports.
    package struct Note: Sendable, Equatable {
        @usableFromInline package enum Kind: UInt8, Sendable {
            /// A member of an object that has an earlier one of the same name.
            case duplicateKey
            /// An integer beyond 64 bits, or a real beyond a double.
            case numberOutOfRange
            /// A `\uD800`–`\uDFFF` escape that is not half of a pair.
            case loneSurrogate
            /// A `\u0000` in a member name.
            case nulInKey
        }

        @usableFromInline package var kind: Kind
        /// Index of the entry that the note is about.
        package var entry: Int
    }

    /// The most notes kept per text. Further ones are dropped.
    package static let maximumNotes = 16

    @usableFromInline var entries: UnsafeMutablePointer<Entry>
    private var capacity = 0
    @usableFromInline package internal(set) var count = 0

    /// The notes in the order of the text, at most `maximumNotes`.
    package internal(set) var notes: [Note] = []

    /// Creates an empty tape. It gets its memory with the first text.
    package init() {
        // SOUND: `capacity` is the size of the allocation.
        unsafe entries = .allocate(capacity: capacity)
    }

    deinit {
        // SOUND: allocated here, and freed once. Entries need no deinitialization.
        unsafe entries.deallocate()
    }

    /// Makes room for a text of `byteCount` bytes.
    ///
    /// An entry takes at least two bytes of text (a digit and a comma, two brackets), except for the first, the last,
    /// and brackets that are never closed, of which there are at most `maximumDepth`. So the scanner need not check the
    /// capacity again.
    @inline(__always)
    mutating func reset(forByteCount byteCount: Int) {
        // SOUND: `count` is 0, so no old entry is read after this.
        count = 0
        if !notes.isEmpty { notes.removeAll(keepingCapacity: true) }
        let needed = byteCount / 2 + JSONScanner.maximumDepth / 2 + 2
        if needed > capacity { grow(to: needed) }
    }

    @inline(never)
    private mutating func grow(to needed: Int) {
        // SOUND: the old entries are not needed any more.
        unsafe entries.deallocate()
        capacity = max(needed, capacity * 2)
        unsafe entries = .allocate(capacity: capacity)
    }

    mutating func note(_ kind: Note.Kind, entry: Int) {
        if notes.count >= Self.maximumNotes {
            // Other notes matter more than duplicate keys, so they take their places.
            guard kind != .duplicateKey, let last = notes.lastIndex(where: { $0.kind == .duplicateKey }) else { return }
            notes.remove(at: last)
        }
        notes.append(Note(kind: kind, entry: entry))
    }

    /// Inserts duplicates that were found late at their places in the text's order.
    mutating func noteDuplicates(_ found: [Int]) {
        for entry in found where !notes.contains(Note(kind: .duplicateKey, entry: entry)) {
            notes.insert(
                Note(kind: .duplicateKey, entry: entry), at: notes.firstIndex { $0.entry > entry } ?? notes.count)
            if notes.count > Self.maximumNotes, let last = notes.lastIndex(where: { $0.kind == .duplicateKey }) {
                notes.remove(at: last)
                if notes.count == last { return }
            }
        }
    }

    /// The outermost value of the scanned text.
    ///
    /// - Parameter text: The bytes that were scanned, unchanged. The view is valid as long as they and this tape are.
    @inlinable
    package func root(of text: UnsafeRawBufferPointer) -> JSONView? {
        // SOUND: the caller promises that these are the scanned bytes, and keeps them and the tape alive.
        guard count > 0, let base = text.baseAddress else { return nil }
        return unsafe JSONView(bytes: base.assumingMemoryBound(to: UInt8.self), tape: UnsafePointer(entries), index: 0)
    }
}

extension JSONTape {
    /// The JSON Pointer (RFC 6901) of an entry, `""` for the outermost value. A key has the pointer of its value.
    /// O(entries).
    package func pointer(to entry: Int, in text: UnsafeRawBufferPointer) -> String {
        // SOUND: the view is used only within this call, and the caller keeps `text` alive during it.
        guard entry < count, let root = unsafe root(of: text) else { return "" }
        return root.pointer(to: entry)
    }

    /// The offset in bytes of an entry in the text.
    package func offset(of entry: Int) -> Int {
        // SOUND: the index is compared with `count`; the entries below it are initialized.
        unsafe entry < count ? Int(entries[entry].offset) : 0
    }
}

/// JSON Pointer, RFC 6901.
package enum JSONPointer {
    /// A member name as a reference token: `~` becomes `~0`, `/` becomes `~1`.
    package static func escape(_ name: String) -> String {
        guard name.utf8.contains(where: { $0 == UInt8(ascii: "~") || $0 == UInt8(ascii: "/") }) else { return name }
        var token = ""
        for character in name.unicodeScalars {
            switch character {
            case "~": token += "~0"
            case "/": token += "~1"
            default: token.unicodeScalars.append(character)
            }
        }
        return token
    }

    /// The array index that a reference token stands for; nil unless it is a number without sign and leading zeros (RFC
    /// 6901).
    static func position(_ token: String) -> Int? {
        guard let position = Int(token), position >= 0, String(position) == token else { return nil }
        return position
    }

    /// The member names and indices of a pointer; nil if it is neither empty nor begins with `/`, or if it has a `~`
    /// that is followed by neither 0 nor 1.
    package static func tokens(_ pointer: String) -> [String]? {
        if pointer.isEmpty { return [] }
        guard pointer.utf8.first == UInt8(ascii: "/") else { return nil }
        var names: [String] = []
        var afterTilde = false
        for character in pointer.unicodeScalars {
            if afterTilde {
                guard character == "0" || character == "1" else { return nil }
                names[names.count - 1].unicodeScalars.append(character == "0" ? "~" : "/")
                afterTilde = false
            } else if character == "/" {
                names.append("")
            } else if character == "~" {
                afterTilde = true
            } else {
                names[names.count - 1].unicodeScalars.append(character)
            }
        }
        return afterTilde ? nil : names
    }
}
