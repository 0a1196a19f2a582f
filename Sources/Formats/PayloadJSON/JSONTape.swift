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
            /// The same member name twice in an object.
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
