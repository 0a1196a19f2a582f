import CPushJansson

/// An owned JSON value: a part of a message, or of a payload that is edited.
///
/// A value allocates for each of its parts. Members keep their order.
public enum JSONValue: Sendable, Equatable {
    /// `null`.
    case null
    /// `true` or `false`.
    case bool(Bool)
    /// A number without fraction and exponent.
    case integer(Int64)
    /// Any other number. One that is not finite is written as `null`.
    case real(Double)
    /// A text, without quotes and escapes.
    case string(String)
    /// An array.
    case array([JSONValue])
    /// An object, with its members in order.
    case object([Member])

    /// A member of an object.
    public struct Member: Sendable, Equatable {
        /// The name.
        public var name: String
        /// The value.
        public var value: JSONValue

        /// Creates a member.
        public init(name: String, value: JSONValue) {
            self.name = name
            self.value = value
        }

        /// Names are compared by bytes, because strings of Swift are equal in any normalization.
        fileprivate func isNamed(_ name: String) -> Bool { self.name.utf8.elementsEqual(name.utf8) }
    }

    /// An object with these members, without those that are nil.
    package static func members(_ members: KeyValuePairs<String, JSONValue?>) -> JSONValue {
        .object(members.compactMap { name, value in value.map { Member(name: name, value: $0) } })
    }
}

/// Why a text is not a value, or has no place for one.
public struct JSONError: Error, Equatable, Sendable, CustomStringConvertible {
    /// One line: jansson's, or ours where jansson has none.
    public let message: String
    /// The number of bytes read when the parser stopped, which may be after the invalid token; nil if the error is not about a place in a text.
    public let offset: Int?

    package init(_ message: String, offset: Int? = nil) {
        self.message = message
        self.offset = offset
    }

    /// The message.
    public var description: String { message }
}

// MARK: - Reading

extension JSONValue {
    /// The version of jansson that this build was compiled with, such as `2.14`.
    package static var libraryVersion: String { JANSSON_VERSION }

    /// jansson's hash tables are seeded once, before the first table is created, as its manual asks of programs with threads.
    private static let seeded: Void = json_object_seed(0)

    /// Reads a text in UTF-8 with jansson: what RFC 8259 permits, except what many readers cannot hold: integers beyond 64 bits, reals beyond a
    /// double, halves of surrogate pairs, NUL in a member's name. Of members with one name the last is kept. O(length).
    ///
    /// - Throws: if the text is not such JSON, or has more than 512 levels.
    public init(parsing text: some Collection<UInt8>) throws(JSONError) {
        // SOUND: the bytes live until the closure returns, and the value is a copy.
        self = try unsafe Array(text).withUnsafeBufferPointer { (bytes) throws(JSONError) in
            try unsafe JSONValue(loading: UnsafeRawBufferPointer(bytes))
        }
    }

    /// Reads a text as `init(parsing:)` reads its UTF-8.
    public init(parsing text: String) throws(JSONError) { try self.init(parsing: text.utf8) }

    /// Reads the text of a value that has been scanned, as `init(parsing:)` does.
    package init(parsing view: JSONView) throws(JSONError) {
        // SOUND: the view's text lives during the call.
        try unsafe self.init(loading: view.text.bytes)
    }

    private init(loading text: UnsafeRawBufferPointer) throws(JSONError) {
        // SOUND: jansson reads exactly `text.count` bytes, and what it returns is released once it has been copied.
        _ = Self.seeded
        // jansson ignores a NUL byte right after a number or a literal, which RFC 8259 does not allow; and it does not
        // accept a null pointer.
        if let position = unsafe text.firstIndex(of: 0) ?? (text.isEmpty ? 0 : nil) {
            throw unsafe JSONError(text.isEmpty ? "the text is empty" : "NUL byte", offset: position)
        }
        var error = json_error_t()
        let bytes = unsafe text.baseAddress?.assumingMemoryBound(to: CChar.self)
        let flags = Int(JSON_DECODE_ANY) | Int(JSON_ALLOW_NUL)
        guard let loaded = unsafe json_loadb(bytes, text.count, flags, &error) else {
            throw unsafe JSONError(
                String(cString: pushpipe_json_error_text(&error)), offset: min(max(Int(error.position), 0), text.count))
        }
        defer { unsafe pushpipe_json_release(loaded) }
        self = try unsafe JSONValue(copying: loaded, level: 1)
    }

    private init(copying value: UnsafeMutablePointer<json_t>, level: Int) throws(JSONError) {
        // SOUND: the caller keeps the value alive, which owns everything that is copied.
        switch unsafe pushpipe_json_type(value) {
        case JSON_TRUE: self = .bool(true)
        case JSON_FALSE: self = .bool(false)
        case JSON_INTEGER: self = unsafe .integer(Int64(json_integer_value(value)))
        case JSON_REAL: self = unsafe .real(json_real_value(value))
        case JSON_STRING:
            let text = unsafe UnsafeRawBufferPointer(start: json_string_value(value), count: json_string_length(value))
            self = unsafe .string(String(decoding: text, as: UTF8.self))
        case JSON_ARRAY:
            try Self.check(level)
            var elements: [JSONValue] = []
            for index in 0..<(unsafe json_array_size(value)) {
                guard let element = unsafe json_array_get(value, index) else { break }
                elements.append(try unsafe JSONValue(copying: element, level: level + 1))
            }
            self = .array(elements)
        case JSON_OBJECT:
            try Self.check(level)
            var members: [Member] = []
            var place = unsafe json_object_iter(value)
            while let name = unsafe json_object_iter_key(place), let member = unsafe json_object_iter_value(place) {
                let copy = try unsafe JSONValue(copying: member, level: level + 1)
                members.append(Member(name: unsafe String(cString: name), value: copy))
                unsafe place = json_object_iter_next(value, place)
            }
            self = .object(members)
        default: self = .null
        }
    }

    private static func check(_ level: Int) throws(JSONError) {
        guard level <= JSONScanner.maximumDepth else {
            throw JSONError("more than \(JSONScanner.maximumDepth) levels")
        }
    }

    /// Reads the text of a message, with all that RFC 8259 permits; nil if it is not JSON.
    package init?(reading text: [UInt8]) {
        guard let value = text.withJSON({ JSONValue($0) }) else { return nil }
        self = value
    }

    /// Copies a value that has been scanned. An integer beyond 64 bits becomes a real, a number beyond a double null, half of a surrogate pair
    /// U+FFFD, and all members with one name are kept.
    ///
    /// The scanner limits the levels, and with them how often this calls itself.
    package init(_ view: JSONView) {
        switch view.kind {
        case .null: self = .null
        case .true: self = .bool(true)
        case .false: self = .bool(false)
        case .number: self = view.int64.map { .integer($0) } ?? view.double.map { .real($0) } ?? .null
        case .string, .key: self = .string(view.string?.string ?? "")
        case .array: self = .array(view.elements.map { JSONValue($0) })
        case .object: self = .object(view.members.map { Member(name: $0.key.string, value: JSONValue($0.value)) })
        }
    }

    // MARK: - Parts

    /// The last member of this name; nil if this is not an object, or has none. Setting nil removes it; nothing can be set in what is not an
    /// object. O(members).
    public subscript(_ name: String) -> JSONValue? {
        get {
            guard case .object(let members) = self else { return nil }
            return members.last { $0.isNamed(name) }?.value
        }
        set {
            guard case .object(var members) = self else { return }
            switch (members.lastIndex { $0.isNamed(name) }, newValue) {
            case (let place?, let value?): members[place].value = value
            case (let place?, nil): members.remove(at: place)
            case (nil, let value?): members.append(Member(name: name, value: value))
            case (nil, nil): return
            }
            self = .object(members)
        }
    }

    /// The value that a path of names leads to.
    package subscript(_ path: [String]) -> JSONValue? {
        path.reduce(self as JSONValue?) { value, name in value?[name] }
    }

    /// The text; nil for every other kind.
    public var string: String? { if case .string(let text) = self { text } else { nil } }

    /// The integer; nil for every other kind.
    public var integer: Int64? { if case .integer(let number) = self { number } else { nil } }

    /// The elements of an array; none for every other kind.
    package var elements: [JSONValue] { if case .array(let elements) = self { elements } else { [] } }

    package var isObject: Bool { if case .object = self { true } else { false } }
    package var isTrue: Bool { self == .bool(true) }
}

// MARK: - Writing

extension JSONValue {
    /// The value as JSON text in UTF-8, without white space.
    public var text: [UInt8] {
        .composed { $0.appendJSON(self) }
    }

    /// The value as JSON text for files that people read and compare: indented by two spaces per level, with members sorted by name.
    public var sortedText: [UInt8] {
        .composed { $0.appendJSON(self, sortedAt: 0) }
    }
}

extension ByteBuffer {
    /// Appends a value.
    package mutating func appendJSON(_ value: JSONValue) { appendJSON(value, sortedAt: nil) }

    /// - Parameter level: of the value, which is indented and sorted; nil to write it without white space and in its order.
    fileprivate mutating func appendJSON(_ value: JSONValue, sortedAt level: Int?) {
        let inner = level.map { $0 + 1 }
        switch value {
        case .null: append("null")
        case .bool(let flag): append(flag)
        case .integer(let number): append(number)
        case .real(let number): append(number)
        case .string(let text): appendJSONString(text)
        case .array(let elements):
            append("[")
            for element in elements {
                separate()
                if let inner { indent(inner) }
                appendJSON(element, sortedAt: inner)
            }
            if let level, !elements.isEmpty { indent(level) }
            append("]")
        case .object(var members):
            if level != nil { members.sort { $0.name.utf8.lexicographicallyPrecedes($1.name.utf8) } }
            append("{")
            for member in members {
                separate()
                if let inner { indent(inner) }
                appendJSONString(member.name)
                append(level == nil ? ":" : ": ")
                appendJSON(member.value, sortedAt: inner)
            }
            if let level, !members.isEmpty { indent(level) }
            append("}")
        }
    }

    /// Appends a number with as many digits as reading it back takes, or `null` if it is not finite.
    private mutating func append(_ number: Double) {
        if number.isFinite { appendText("\(number)") } else { append("null") }
    }

    private mutating func indent(_ level: Int) {
        append("\n")
        for _ in 0..<level { append("  ") }
    }
}

// MARK: - Values of Swift

extension JSONValue {
    /// A text.
    public init(_ text: some StringProtocol) { self = .string(String(text)) }
    /// An integer; a real if it is beyond 64 bits.
    public init(_ number: some BinaryInteger) {
        self = Int64(exactly: number).map { .integer($0) } ?? .real(Double(number))
    }
    /// A number.
    public init(_ number: Double) { self = .real(number) }
    /// `true` or `false`.
    public init(_ flag: Bool) { self = .bool(flag) }
    /// An array.
    public init(_ elements: [JSONValue]) { self = .array(elements) }
}

extension JSONValue: ExpressibleByStringLiteral, ExpressibleByIntegerLiteral, ExpressibleByBooleanLiteral,
    ExpressibleByArrayLiteral
{
    /// A text.
    public init(stringLiteral value: String) { self = .string(value) }
    /// An integer.
    public init(integerLiteral value: Int64) { self = .integer(value) }
    /// `true` or `false`.
    public init(booleanLiteral value: Bool) { self = .bool(value) }
    /// An array.
    public init(arrayLiteral elements: JSONValue...) { self = .array(elements) }
}
